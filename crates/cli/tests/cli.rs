//! Sessions with the program, as a person sees them: each file in `tests/cli` is one.
//!
//! A line `$ command` is run by a shell, with `moviola` and `lmpc` on the path and the samples as the
//! folder's files; `> ` continues it. The lines below it are the expected output, of both streams, and `[exit
//! N]` if the code is not 0. `[..]` stands for anything in a line, a line `...` for any lines. `BLESS=1`
//! writes the actual output.
#![cfg(unix)]

mod session;

use libtest_mimic::{Arguments, Failed, Trial};
use session::{Stage, matches, steps};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let Ok(listing) = fs::read_dir(folder) else { return ExitCode::FAILURE };
    let mut files: Vec<PathBuf> = listing.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "session"));
    files.sort();
    let trials = files.into_iter().map(|file| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name, move || play(&file))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn play(file: &Path) -> Result<(), Failed> {
    let session = fs::read_to_string(file)?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let stage = Stage::new(&format!("cli-{name}"), "")?;
    let (steps, rest) = steps(&session);
    let (mut seen, mut wrong) = (String::new(), String::new());
    for step in steps {
        let printed = stage.run(&step.command)?;
        let same = matches(&step.expected, &printed);
        seen.push_str(&step.text);
        seen.push_str(if same { step.expected.trim_end() } else { printed.trim_end() });
        seen.push_str(if printed.is_empty() { "\n" } else { "\n\n" });
        if !same {
            writeln!(wrong, "{}--- expected\n{}--- printed\n{printed}", step.text, step.expected)?;
        }
    }
    seen.push_str(&rest);
    let seen = seen.trim_end().to_owned() + "\n";
    if !wrong.is_empty() && std::env::var_os("BLESS").is_some() {
        fs::write(file, seen)?;
        return Ok(());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}
