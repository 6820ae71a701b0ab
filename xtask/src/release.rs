//! The downloads: a static program for each system that can be built for here, as an archive and for Linux as a Debian
//! package, with checksums, the licenses of all that is in it, and the files for package managers. A task, not a stage: it
//! builds everything once more.

use crate::args::Args;
use crate::{Outcome, licenses, packages, repo, run, shells, targets};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = "target/download";

/// The program may not grow beyond this many bytes. It had 12 million bytes before it could draw, encode and serve
/// films and pages. The encoders, fonts, pages and readers of level files brought it to 19 million; QuakeWorld, MVD2
/// and DarkPlaces to 24. A feature that makes it larger must be worth it.
const MAX_PROGRAM: u64 = 26_000_000;

/// A system for which there is an archive.
struct System {
    /// Its word in the archive's name.
    word: &'static str,
    /// The targets of Rust for it, the best first, and the C compiler that each needs.
    targets: &'static [(&'static str, &'static str)],
    /// The program that removes the names of functions from an executable.
    strip: &'static str,
}

const SYSTEMS: &[System] = &[
    System {
        word: "x86_64-linux",
        targets: &[
            ("x86_64-unknown-linux-musl", "musl-gcc"),
            ("x86_64-unknown-linux-gnu", "x86_64-linux-gnu-gcc"),
        ],
        strip: "x86_64-linux-gnu-strip",
    },
    System {
        word: "aarch64-linux",
        targets: &[
            ("aarch64-unknown-linux-musl", "aarch64-linux-gnu-gcc"),
            ("aarch64-unknown-linux-gnu", "aarch64-linux-gnu-gcc"),
        ],
        strip: "aarch64-linux-gnu-strip",
    },
    System {
        word: "x86_64-windows",
        targets: &[("x86_64-pc-windows-gnu", "x86_64-w64-mingw32-gcc")],
        strip: "x86_64-w64-mingw32-strip",
    },
    // Apple's linker and libraries are on its own machines only.
    System { word: "aarch64-macos", targets: &[("aarch64-apple-darwin", "xcrun")], strip: "strip" },
    System { word: "x86_64-macos", targets: &[("x86_64-apple-darwin", "xcrun")], strip: "strip" },
];

pub(crate) fn task(mut args: Args) -> Outcome {
    let single_target = args.value::<String>("--only")?;
    let are_built = args.flag("--packages");
    let url = args.value::<String>("--url")?;
    args.finish()?;
    let (version, download) = (version()?, Path::new(FOLDER));
    if !are_built {
        let _ = fs::remove_dir_all(download);
        let wanted = |system: &&System| single_target.as_deref().is_none_or(|only| only == system.word);
        let systems: Vec<&System> = SYSTEMS.iter().filter(wanted).collect();
        if systems.is_empty() {
            return Err(format!("there is no archive for {}", single_target.unwrap_or_default()));
        }
        let built = systems.iter().map(|system| archive(system, &version)).collect::<Result<Vec<_>, _>>()?;
        if !built.contains(&true) {
            return Err("nothing can be built here".to_owned());
        }
    }
    packages::extension(download)?;
    sums(download)?;
    let Some(url) = url else {
        println!("NOT MADE: the files for package managers: --url ADDRESS says where the archives will be");
        return Ok(());
    };
    let sums = repo::text(&download.join(SUMS))?;
    let sum = |word: &str| {
        let line = sums.lines().find(|line| line.contains(&format!("-{word}.")))?;
        line.split_whitespace().next().map(str::to_owned)
    };
    packages::fill(&download.join("packages"), &version, &url, sum).map(drop)
}

/// Builds the archive for a system; `false` if that cannot be done here.
fn archive(system: &System, version: &str) -> Result<bool, String> {
    let can_build = |(target, compiler): &&(&str, &str)| {
        run::works(Command::new(compiler).arg("--version")) && targets::can_have(target)
    };
    let Some((target, compiler)) = system.targets.iter().find(can_build) else {
        let (target, compiler) = system.targets.first().ok_or("a system without a target")?;
        println!("NOT MADE: {}: it needs {compiler} and Rust's target {target}", system.word);
        return Ok(false);
    };
    let program = build(target, compiler)?;
    // The names of functions for debuggers take a megabyte. The build profile keeps them, because profilers need them.
    let stripped = Path::new("target/moviola-stripped");
    run::command(Command::new(system.strip).args(["-o"]).arg(stripped).arg(&program))?;
    let size = fs::metadata(stripped).map_err(|why| format!("{}: {why}", stripped.display()))?.len();
    if size > MAX_PROGRAM && !is_a_trial() {
        return Err(format!("the program for {} has {size} bytes, more than {MAX_PROGRAM}", system.word));
    }
    let name = format!("moviola-{version}-{}", system.word);
    let folder = Path::new(FOLDER).join(&name);
    fill(&folder, stripped, target)?;
    pack(Path::new(FOLDER), &name, target.contains("windows"))?;
    if let Some(machine) = debian_word(target) {
        if run::works(Command::new("dpkg-deb").arg("--version")) {
            package(&folder, version, machine)?;
        } else {
            println!("NOT MADE: the Debian package: dpkg-deb is not there");
        }
    }
    println!("{size} bytes of program for {target}; all of it is in {}", folder.display());
    Ok(true)
}

/// Makes an archive of a folder, beside that folder. It uses Python, because the options of `tar` and `zip` differ
/// between systems.
fn pack(beside: &Path, name: &str, is_zip: bool) -> Outcome {
    const ZIP: &str = "import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[2], sys.argv[3])";
    // The files are sorted by name, and have no owner.
    const TAR: &str = "\
import sys, tarfile
def nobodys(file):
    file.uid = file.gid = 0
    file.uname = file.gname = ''
    return file
with tarfile.open(sys.argv[1] + '.tar.gz', 'w:gz') as archive:
    archive.add(sys.argv[1], sys.argv[3], filter=nobodys)
";
    let mut python = Command::new("python3");
    python.args(["-c", if is_zip { ZIP } else { TAR }]);
    run::command(python.arg(beside.join(name)).arg(beside).arg(name))
}

/// How the compiler puts the crates together.
const LTO: &str = "CARGO_PROFILE_RELEASE_LTO";

/// Whether a shorter build was requested: to check that archives can be made and used, not to publish them.
fn is_a_trial() -> bool {
    std::env::var_os(LTO).is_some()
}

/// Debian's name of a target's machine.
fn debian_word(target: &str) -> Option<&'static str> {
    match target.split_once("-unknown-linux")?.0 {
        "x86_64" => Some("amd64"),
        "aarch64" => Some("arm64"),
        _ => None,
    }
}

/// Builds the program without run-time dependencies: with musl, or with the C library linked in.
fn build(target: &str, compiler: &str) -> Result<PathBuf, String> {
    let mut cargo = run::cargo();
    if target.ends_with("linux-gnu") || target.contains("windows") {
        cargo.env("RUSTFLAGS", "-C target-feature=+crt-static");
    }
    // Rust finds the linkers for musl on this machine and for Apple's systems by itself. The one for musl on other machines
    // links with the musl that Rust has.
    if compiler != "musl-gcc" && !target.contains("apple") {
        let word = target.replace('-', "_");
        cargo.env(format!("CARGO_TARGET_{}_LINKER", word.to_uppercase()), compiler);
        cargo.env(format!("CC_{word}"), compiler);
    }
    if !is_a_trial() {
        // Optimizes all crates as one: it takes minutes, and saves a megabyte.
        cargo.env(LTO, "fat");
    }
    run::command(cargo.args(["build", "--release", "--locked", "-p", "moviola-cli", "--target", target]))?;
    let name = if target.contains("windows") { "moviola.exe" } else { "moviola" };
    Ok(Path::new("target").join(target).join("release").join(name))
}

pub(crate) fn version() -> Result<String, String> {
    let id = run::output(run::cargo().args(["pkgid", "-p", "moviola-cli"]))?;
    let id = String::from_utf8_lossy(&id);
    let version = id.trim().rsplit(['#', '@']).next().unwrap_or_default();
    Ok(version.to_owned())
}

/// The folder that is the archive.
fn fill(folder: &Path, program: &Path, target: &str) -> Outcome {
    let shells_folder = folder.join("shells");
    // Programs for other systems do not run here, so the pages come from a build for this one; they are the same.
    shells::make(&shells_folder, &mut run::ours("moviola")?, &[])?;
    rename(&shells_folder.join("man"), &folder.join("man"))?;
    let is_windows = target.contains("windows");
    copy(program, &folder.join(if is_windows { "moviola.exe" } else { "moviola" }))?;
    // README's links and its first lines are to work where people unpack it.
    let papers =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
    let goes_along = ["docs", "editors", "samples"];
    for file in repo::tracked()? {
        if papers.iter().any(|paper| file == Path::new(paper))
            || goes_along.iter().any(|it| file.starts_with(it))
        {
            copy(&file, &folder.join(&file))?;
        }
    }
    if !is_windows {
        link(folder)?;
    }
    write(&folder.join("LICENSES-OF-DEPENDENCIES.txt"), &licenses::of("moviola-cli", target)?)
}

/// Makes a Debian package with the same files at Debian's places.
fn package(folder: &Path, version: &str, machine: &str) -> Outcome {
    let root = Path::new("target/debian-package");
    let _ = fs::remove_dir_all(root);
    let share = root.join("usr/share");
    for (from, to) in [
        ("moviola", root.join("usr/bin/moviola")),
        ("shells/moviola.bash", share.join("bash-completion/completions/moviola")),
        ("shells/_moviola", share.join("zsh/vendor-completions/_moviola")),
        ("shells/moviola.fish", share.join("fish/vendor_completions.d/moviola.fish")),
        ("LICENSES-OF-DEPENDENCIES.txt", share.join("doc/moviola/LICENSES-OF-DEPENDENCIES.txt")),
        ("CHANGELOG.md", share.join("doc/moviola/changelog")),
    ] {
        copy(&folder.join(from), &to)?;
    }
    link(&root.join("usr/bin"))?;
    let [mit, apache] = ["LICENSE-MIT", "LICENSE-APACHE"].map(|name| repo::text(&folder.join(name)));
    let either = "Moviola is licensed under either of these, at your option.";
    write(&share.join("doc/moviola/copyright"), &format!("{either}\n\n{}\n{}", mit?, apache?))?;
    let pages = fs::read_dir(folder.join("man")).map_err(|why| why.to_string())?;
    for page in pages.flatten().map(|page| page.path()) {
        copy(&page, &share.join("man/man1").join(page.file_name().unwrap_or_default()))?;
    }
    run::command(
        Command::new("gzip")
            .args(["-9n", "-r"])
            .arg(share.join("man"))
            .arg(share.join("doc/moviola/changelog")),
    )?;
    let control = format!(
        "Package: moviola\nVersion: {version}\nArchitecture: {machine}\nSection: games\nPriority: optional\n\
         Maintainer: The Moviola developers <moviola@localhost>\nDescription: editing deck for Quake recordings\n \
         Turns recordings of Quake, QuakeWorld and Quake II into text and back, exact to\n the byte; says what is in \
         them; cuts, joins, subtitles, mends and films them.\n"
    );
    write(&root.join("DEBIAN/control"), &control)?;
    let made = Path::new(FOLDER).join(format!("moviola_{version}_{machine}.deb"));
    run::command(Command::new("dpkg-deb").args(["--build", "--root-owner-group"]).arg(root).arg(made))
}

/// Adds a link to the program with its other name, under which it takes LMPC's options.
fn link(folder: &Path) -> Outcome {
    run::command(Command::new("ln").args(["-s", "moviola", "lmpc"]).current_dir(folder))
}

/// The file with the checksums.
const SUMS: &str = "SHA256SUMS";

/// The checksums of the files that are downloaded, in the form that `sha256sum -c` reads. Not every system has that
/// program.
fn sums(folder: &Path) -> Outcome {
    const SUM: &str = "\
import hashlib, sys
for name in sys.argv[1:]:
    print(hashlib.sha256(open(name, 'rb').read()).hexdigest() + '  ' + name)
";
    let listing = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let files = listing.flatten().filter(|entry| entry.path().is_file()).map(|entry| entry.file_name());
    // The checksums may be there from a machine that built only some of the archives.
    let mut files: Vec<_> = files.filter(|name| name != SUMS).collect();
    files.sort();
    let sums = run::output(Command::new("python3").args(["-c", SUM]).args(files).current_dir(folder))?;
    write(&folder.join(SUMS), &String::from_utf8_lossy(&sums))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    parent(to)?;
    fs::copy(from, to).map(drop).map_err(|why| format!("{} to {}: {why}", from.display(), to.display()))
}

fn rename(from: &Path, to: &Path) -> Outcome {
    fs::rename(from, to).map_err(|why| format!("{} to {}: {why}", from.display(), to.display()))
}

fn write(path: &Path, text: &str) -> Outcome {
    parent(path)?;
    fs::write(path, text).map_err(|why| format!("{}: {why}", path.display()))
}

fn parent(path: &Path) -> Outcome {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_have_their_files_and_checksums() {
        let folder = std::env::temp_dir().join(format!("moviola-release-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for (name, text) in [("docs/b.md", "b"), ("docs/a.md", "a"), ("moviola", "program")] {
            write(&folder.join("one").join(name), text).unwrap();
        }
        pack(&folder, "one", false).unwrap();
        pack(&folder, "one", true).unwrap();
        let listed = run::output(Command::new("tar").arg("-tzf").arg(folder.join("one.tar.gz"))).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&listed),
            "one/\none/docs/\none/docs/a.md\none/docs/b.md\none/moviola\n"
        );
        sums(&folder).unwrap();
        let first = repo::text(&folder.join(SUMS)).unwrap();
        assert!(
            first.lines().all(|line| line.ends_with("  one.tar.gz") || line.ends_with("  one.zip")),
            "{first}"
        );
        // The list does not contain itself.
        sums(&folder).unwrap();
        assert_eq!(repo::text(&folder.join(SUMS)).unwrap(), first);
        run::command(Command::new("sha256sum").args(["-c", "--quiet", SUMS]).current_dir(&folder)).unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }
}
