//! The files for package managers in `packaging/`: fills in a version, an address and checksums, and checks them with
//! the programs that will read them.

use crate::args::Args;
use crate::{Outcome, release, repo, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const FROM: &str = "packaging";

/// A program that reads one kind of file, by the endings of the files' names.
struct Reader {
    ends: &'static [&'static str],
    program: &'static [&'static str],
}

const READERS: &[Reader] = &[
    Reader { ends: &[".rb"], program: &["ruby", "-c"] },
    Reader { ends: &["PKGBUILD"], program: &["bash", "-n"] },
    Reader { ends: &[".nix"], program: &["nix-instantiate", "--parse"] },
    Reader {
        ends: &[".json"],
        program: &["python3", "-c", "import json, sys; json.load(open(sys.argv[1]))"],
    },
    Reader {
        ends: &[".yaml", ".yml"],
        program: &["python3", "-c", "import yaml, sys; yaml.safe_load(open(sys.argv[1]))"],
    },
];

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

/// Fills the files with a checksum of zeros, and has each read.
pub(crate) fn check() -> Outcome {
    let folder = Path::new("target/packaging");
    let _ = fs::remove_dir_all(folder);
    let zeros = "0".repeat(64);
    let sum = |_: &str| Some(zeros.clone());
    let mut files = fill(folder, &release::version()?, "https://downloads.invalid/moviola", sum)?;
    files.push("flake.nix".into());
    let mut checked = 0;
    for file in &files {
        let name = file.to_string_lossy();
        let Some(reader) = READERS.iter().find(|it| it.ends.iter().any(|end| name.ends_with(end))) else {
            continue;
        };
        let [program, words @ ..] = reader.program else { continue };
        if !run::works(Command::new(program).arg("--version")) {
            println!("NOT CHECKED: {name}: {program} is not there");
            continue;
        }
        // Nix needs a folder for its state even to parse a file.
        let state = folder.canonicalize().unwrap_or_default().join("nix");
        let mut command = Command::new(program);
        run::output(command.env("NIX_STATE_DIR", state).args(words).arg(file))?;
        checked += 1;
    }
    println!("{checked} of {} files for package managers were read", files.len());
    extension(folder)
}

/// The tool that packs extensions of VS Code, in the last version for Node.js 20.
const VSCE: &str = "@vscode/vsce@3.9.2";

/// Packs the extension for VS Code into this folder.
pub(crate) fn extension(folder: &Path) -> Outcome {
    if !run::works(Command::new("npm").arg("--version")) {
        println!("NOT CHECKED: the extension for VS Code: npm is not there");
        return Ok(());
    }
    let copy = Path::new("target/vscode");
    let _ = fs::remove_dir_all(copy);
    fs::create_dir_all(copy).map_err(|why| format!("{}: {why}", copy.display()))?;
    let own = repo::tracked()?.into_iter().filter(|file| file.starts_with("editors/vscode"));
    for file in own.chain(["LICENSE-MIT".into(), "editors/README.md".into()]) {
        let name = file.file_name().unwrap_or_default();
        let to = copy.join(if name == "LICENSE-MIT" { "LICENSE".as_ref() } else { name });
        fs::copy(&file, &to).map_err(|why| format!("{}: {why}", file.display()))?;
    }
    let out = std::path::absolute(folder.join("moviola.vsix")).map_err(|why| why.to_string())?;
    let mut pack = Command::new("npm");
    pack.args(["exec", "--yes", VSCE, "--", "package", "--allow-missing-repository", "--out"]).arg(out);
    run::command(pack.current_dir(copy))
}

/// Writes all files with their marks filled in. `sum` returns the checksum of the archive with this word in its name. A
/// file whose checksum is missing is skipped, with a message.
pub(crate) fn fill(
    folder: &Path,
    version: &str,
    url: &str,
    sum: impl Fn(&str) -> Option<String>,
) -> Result<Vec<PathBuf>, String> {
    let mut written = Vec::new();
    for file in repo::tracked()?.into_iter().filter(|file| file.starts_with(FROM)) {
        if file.ends_with("README.md") {
            continue;
        }
        let text = repo::text(&file)?;
        match filled(&text, version, url, &sum) {
            Ok(text) => {
                let to = folder.join(file.strip_prefix(FROM).unwrap_or(&file));
                fs::create_dir_all(to.parent().unwrap_or(folder)).map_err(|why| why.to_string())?;
                fs::write(&to, text).map_err(|why| format!("{}: {why}", to.display()))?;
                written.push(to);
            }
            Err(missing) => println!("NOT MADE: {}: there is no archive for {missing}", file.display()),
        }
    }
    Ok(written)
}

/// The text with its marks filled in, or the word of the archive whose checksum is missing.
fn filled(
    text: &str,
    version: &str,
    url: &str,
    sum: impl Fn(&str) -> Option<String>,
) -> Result<String, String> {
    const SUM: &str = "@SHA256 ";
    let mut text_so_far = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(SUM) {
        let (word, behind) = after.split_once('@').ok_or("a mark without an end")?;
        text_so_far.push_str(before);
        text_so_far.push_str(&sum(word).ok_or(word)?);
        rest = behind;
    }
    text_so_far.push_str(rest);
    Ok(text_so_far.replace("@VERSION@", version).replace("@URL@", url))
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn marks_are_filled() {
        let sum = |word: &str| (word == "one").then(|| "12ab".to_owned());
        assert_eq!(filled("v@VERSION@ @URL@ '@SHA256 one@'.", "1.0", "u", sum).unwrap(), "v1.0 u '12ab'.");
        assert_eq!(filled("@SHA256 two@", "1.0", "u", sum).unwrap_err(), "two");
    }
}
