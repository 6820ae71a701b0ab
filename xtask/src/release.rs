//! What people download: a static program for Linux, as an archive and as a Debian package, with checksums and the
//! licences of all that is in it. A task, not a stage: it builds everything once more.

use crate::args::Args;
use crate::{Outcome, licences, repo, run, shells, targets};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = "target/download";
const MUSL: &str = "x86_64-unknown-linux-musl";
const GNU: &str = "x86_64-unknown-linux-gnu";

/// The program may not grow beyond this many bytes.
const MOST: u64 = 12_000_000;

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    let (target, program) = build()?;
    // What names functions for debuggers is a megabyte of it. The profile keeps it: profilers want it.
    let stripped = Path::new("target/moviola-stripped");
    run::command(Command::new("strip").args(["--strip-all", "-o"]).arg(stripped).arg(&program))?;
    let size = fs::metadata(stripped).map_err(|why| format!("{}: {why}", stripped.display()))?.len();
    if size > MOST {
        return Err(format!("the program has {size} bytes, more than {MOST}"));
    }
    let version = version()?;
    let download = Path::new(FOLDER);
    let _ = fs::remove_dir_all(download);
    let name = format!("moviola-{version}-x86_64-linux");
    let folder = download.join(&name);
    fill(&folder, stripped, target)?;
    let mut tar = Command::new("tar");
    tar.args(["--owner=0", "--group=0", "--sort=name", "-C", FOLDER, "-czf"]);
    run::command(tar.arg(download.join(format!("{name}.tar.gz"))).arg(&name))?;
    if run::works(Command::new("dpkg-deb").arg("--version")) {
        package(&folder, &version)?;
    } else {
        println!("NOT MADE: the Debian package: dpkg-deb is not there");
    }
    sums(download)?;
    println!("{size} bytes of program for {target}; all of it is in {FOLDER}");
    Ok(())
}

/// Builds the program without anything that it would need at run time: with musl, or with the C library in it.
fn build() -> Result<(&'static str, PathBuf), String> {
    let musl = targets::can_have(MUSL) && run::works(Command::new("musl-gcc").arg("--version"));
    let target = if musl { MUSL } else { GNU };
    let mut cargo = run::cargo();
    if !musl {
        println!("{MUSL} or musl-gcc cannot be had: the C library of this machine goes into the program");
        cargo.env("RUSTFLAGS", "-C target-feature=+crt-static");
    }
    // All crates as one: it takes minutes, and saves a megabyte.
    cargo.env("CARGO_PROFILE_RELEASE_LTO", "fat");
    run::command(cargo.args(["build", "--release", "--locked", "-p", "moviola-cli", "--target", target]))?;
    Ok((target, Path::new("target").join(target).join("release/moviola")))
}

fn version() -> Result<String, String> {
    let id = run::output(run::cargo().args(["pkgid", "-p", "moviola-cli"]))?;
    let id = String::from_utf8_lossy(&id);
    let version = id.trim().rsplit(['#', '@']).next().unwrap_or_default();
    Ok(version.to_owned())
}

/// The folder that is the archive.
fn fill(folder: &Path, program: &Path, target: &str) -> Outcome {
    let shells_folder = folder.join("shells");
    shells::make(&shells_folder, &mut Command::new(program), &[])?;
    rename(&shells_folder.join("man"), &folder.join("man"))?;
    copy(program, &folder.join("moviola"))?;
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
    link(folder)?;
    write(&folder.join("LICENCES-OF-DEPENDENCIES.txt"), &licences::of("moviola-cli", target)?)
}

/// The same files, where Debian has them.
fn package(folder: &Path, version: &str) -> Outcome {
    let root = Path::new("target/debian-package");
    let _ = fs::remove_dir_all(root);
    let share = root.join("usr/share");
    for (from, to) in [
        ("moviola", root.join("usr/bin/moviola")),
        ("shells/moviola.bash", share.join("bash-completion/completions/moviola")),
        ("shells/_moviola", share.join("zsh/vendor-completions/_moviola")),
        ("shells/moviola.fish", share.join("fish/vendor_completions.d/moviola.fish")),
        ("LICENCES-OF-DEPENDENCIES.txt", share.join("doc/moviola/LICENCES-OF-DEPENDENCIES.txt")),
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
        "Package: moviola\nVersion: {version}\nArchitecture: amd64\nSection: games\nPriority: optional\n\
         Maintainer: The Moviola developers <moviola@localhost>\nDescription: editing deck for Quake recordings\n \
         Turns Quake .dem and Quake II .dm2 recordings into text and back, exact to the\n byte; says what is in them; \
         cuts, joins, subtitles and mends them.\n"
    );
    write(&root.join("DEBIAN/control"), &control)?;
    let made = Path::new(FOLDER).join(format!("moviola_{version}_amd64.deb"));
    run::command(Command::new("dpkg-deb").args(["--build", "--root-owner-group"]).arg(root).arg(made))
}

/// Beside the program its other name: called so, it takes LMPC's options.
fn link(folder: &Path) -> Outcome {
    run::command(Command::new("ln").args(["-s", "moviola", "lmpc"]).current_dir(folder))
}

/// The checksums of the files that are downloaded.
fn sums(folder: &Path) -> Outcome {
    let listing = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let files = listing.flatten().filter(|entry| entry.path().is_file()).map(|entry| entry.file_name());
    let mut files: Vec<_> = files.collect();
    files.sort();
    let sums = run::output(Command::new("sha256sum").args(files).current_dir(folder))?;
    write(&folder.join("SHA256SUMS"), &String::from_utf8_lossy(&sums))
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
