//! Checks the files for shells and for man with the programs that read them.
//!
//! A shell that is not installed is skipped, with a message.

use crate::args::Args;
use crate::{Outcome, repo, run};
use std::path::Path;
use std::process::Command;

/// The folder for all files of this stage.
pub(crate) const FOLDER: &str = "target/shells";

/// A shell, the file from which it takes completions, and the way to check a file without running it.
struct Shell {
    name: &'static str,
    file: &'static str,
    program: &'static str,
    read: &'static [&'static str],
}

#[rustfmt::skip]
const SHELLS: &[Shell] = &[
    Shell { name: "bash", file: "moviola.bash", program: "bash", read: &["-n"] },
    Shell { name: "zsh", file: "_moviola", program: "zsh", read: &["-n"] },
    Shell { name: "fish", file: "moviola.fish", program: "fish", read: &["--no-execute"] },
    Shell { name: "powershell", file: "_moviola.ps1", program: "pwsh", read: &["-NoProfile", "-File"] },
];

/// Words on a command line, and a word that must then be offered as a completion.
const TYPED: &[(&str, &str)] = &[
    ("dec", "decompile"),
    ("plot --kind ", "timeline"),
    ("export --to ", "jsonl"),
    ("export --tables ", "ticks"),
    ("convert --to ", "666"),
    ("man ", "squeeze"),
    ("help ", "squeeze"),
    ("make ", "qfont"),
    ("completions ", "fish"),
    ("explain ", "quakespasm"),
    ("strip run.dem ", "centerprints"),
    ("lmpc -", "--to-txt"),
];

/// A script that completes the typed words as bash does on the tab key.
const BASH: &str = r#"
source target/shells/moviola.bash
words=($1); [[ $1 == *" " ]] && words+=("")
COMP_WORDS=(moviola "${words[@]}"); COMP_CWORD=${#words[@]}
_moviola moviola "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

/// The same for fish.
const FISH: &str = r#"source target/shells/moviola.fish; complete -C "moviola $argv[1]""#;

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    let folder = Path::new(FOLDER);
    make(folder, &mut run::ours("moviola")?, &[])?;
    let mut findings = Vec::new();
    for shell in SHELLS {
        if !run::works(Command::new(shell.program).args(["-c", "exit"])) {
            println!("NOT CHECKED: the completions of {}: `{}` is not there", shell.name, shell.program);
        } else if !run::works(Command::new(shell.program).args(shell.read).arg(folder.join(shell.file))) {
            findings.push(format!("{}: {} cannot read it", shell.file, shell.name));
        }
    }
    let pages = pages(folder)?;
    for shell in SHELLS {
        let script = repo::text(&folder.join(shell.file))?;
        let lacks = |command: &&str| !script.contains(*command);
        let missing = pages.iter().filter_map(|page| command(page)).filter(lacks);
        findings.extend(missing.map(|command| format!("{}: `{command}` is not in it", shell.file)));
    }
    for (program, script, before) in [("bash", BASH, Some("bash")), ("fish", FISH, None)] {
        if run::works(Command::new(program).args(["-c", "exit"])) {
            findings.extend(offers(program, script, before)?);
        }
    }
    if run::works(Command::new("groff").arg("--version")) {
        for page in &pages {
            let output = Command::new("groff").args(["-man", "-ww", "-Tutf8"]).arg(page).output();
            let output = output.map_err(|why| format!("groff: {why}"))?;
            let printed = String::from_utf8_lossy(&output.stderr);
            findings.extend(printed.lines().map(|line| format!("{}: {line}", page.display())));
        }
    } else {
        println!("NOT CHECKED: the manual pages: groff is not there");
    }
    repo::verdict(&findings, &format!("{} shells and {} manual pages", SHELLS.len(), pages.len()))
}

/// The completions that a shell offers. `before` is put before the typed text if the shell needs that to read it as a
/// command line.
fn offers(program: &str, script: &str, before: Option<&str>) -> Result<Vec<String>, String> {
    let mut findings = Vec::new();
    for (typed, word) in TYPED {
        let printed = run::output(Command::new(program).args(["-c", script]).args(before).arg(typed))?;
        let printed = String::from_utf8_lossy(&printed).into_owned();
        if !printed.lines().any(|line| line.split('\t').next() == Some(word)) {
            findings.push(format!("{program} does not offer `{word}` behind `moviola {typed}`"));
        }
    }
    Ok(findings)
}

/// Makes the completions and the manual pages in a folder, with a program and its first arguments.
pub(crate) fn make(folder: &Path, program: &mut Command, words: &[&str]) -> Outcome {
    let _ = std::fs::remove_dir_all(folder);
    let pages = folder.join("man");
    std::fs::create_dir_all(&pages).map_err(|why| format!("{}: {why}", pages.display()))?;
    let start = || {
        let mut command = Command::new(program.get_program());
        command.args(words);
        command
    };
    for shell in SHELLS {
        let script = run::output(start().args(["completions", shell.name]))?;
        let path = folder.join(shell.file);
        std::fs::write(&path, script).map_err(|why| format!("{}: {why}", path.display()))?;
    }
    run::command(start().args(["man", "-o"]).arg(&pages))
}

/// The command that a manual page is about.
fn command(page: &Path) -> Option<&str> {
    page.file_stem()?.to_str()?.strip_prefix("moviola-")
}

fn pages(folder: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let listing = std::fs::read_dir(folder.join("man")).map_err(|why| why.to_string())?;
    let mut pages: Vec<_> = listing.flatten().map(|page| page.path()).collect();
    pages.sort();
    Ok(pages)
}
