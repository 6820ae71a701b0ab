class Moviola < Formula
  desc "Editing deck for recordings of Quake, QuakeWorld and Quake II"
  homepage "@URL@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@URL@/moviola-@VERSION@-aarch64-macos.tar.gz"
      sha256 "@SHA256 aarch64-macos@"
    end
    on_intel do
      url "@URL@/moviola-@VERSION@-x86_64-macos.tar.gz"
      sha256 "@SHA256 x86_64-macos@"
    end
  end

  on_linux do
    on_arm do
      url "@URL@/moviola-@VERSION@-aarch64-linux.tar.gz"
      sha256 "@SHA256 aarch64-linux@"
    end
    on_intel do
      url "@URL@/moviola-@VERSION@-x86_64-linux.tar.gz"
      sha256 "@SHA256 x86_64-linux@"
    end
  end

  def install
    bin.install "moviola"
    bin.install_symlink "moviola" => "lmpc"
    man1.install Dir["man/*.1"]
    bash_completion.install "shells/moviola.bash" => "moviola"
    zsh_completion.install "shells/_moviola"
    fish_completion.install "shells/moviola.fish"
    pkgshare.install "samples"
  end

  test do
    assert_match "#{version}", shell_output("#{bin}/moviola --version")
    assert_match "quake", shell_output("#{bin}/moviola info #{pkgshare}/samples/yq_sp.dm2").downcase
  end
end
