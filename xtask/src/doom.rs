//! DOOM's engines play recordings that were made from Freedoom's demo: by conversion to text and back, with a changed
//! and a removed footer, with idle tics; and recordings compiled from texts with the headers of Boom, MBF, `PrBoom`,
//! MBF21 and dsda-doom. The engines must count as many tics as the recording has.
//!
//! The engines and the levels are Debian's `dsda-doom`, `chocolate-doom` and `freedoom`. Where they are not there,
//! nothing is checked, with a message; `MOVIOLA_DOOM=required` makes it a failure.

use crate::args::Args;
use crate::{Outcome, run};
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = "target/doom";
const RECORDING: &str = "samples/freedoom/fd1-demo1.lmp";
const LEVELS: &str = "/usr/share/games/doom/freedoom1.wad";

/// An engine, and its arguments before and after the recording.
const ENGINES: [(&str, &str, &[&str]); 2] = [
    ("dsda-doom", "-fastdemo", &["-nosound", "-nodraw"]),
    ("chocolate-doom", "-timedemo", &["-nosound", "-nodraw", "-nogui"]),
];

/// The recordings to make: the name, the arguments before the recording, those after it, and the number of tics by
/// which the result is longer.
const MADE: [(&str, &[&str], &[&str], u64); 4] = [
    ("set.lmp", &["set"], &["CMDLINE=-iwad freedoom1.wad ", "-o"], 0),
    ("strip.lmp", &["strip"], &["footer", "-o"], 0),
    ("longer.lmp", &["lmpc", "-w", "2"], &[], 70),
    ("version.lmp", &["lmpc", "-v", "111"], &[], 0),
];

/// Headers that only dsda-doom plays: the recording's name, and the lines of its text. They are compiled, so nobody
/// else's recording is needed.
const COMPILED: [(&str, &str); 8] = [
    ("boom-201.lmp", " Game: BOOM\n Version: 201\n"),
    ("boom-202.lmp", " Game: BOOM\n Version: 202\n"),
    ("mbf.lmp", " Game: MBF\n Version: 203\n"),
    ("prboom-213.lmp", " Game: MBF\n Version: 213\n"),
    ("prboom-214.lmp", " Game: MBF\n Version: 214\n"),
    (
        "mbf21.lmp",
        " Game: MBF21\n Version: 221\n CompFlags: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
    ),
    ("dsda-109.lmp", " Game: DOOM or DOOM ][\n Version: 1.9\n Wrapper: DSDA 2\n"),
    (
        "dsda-221.lmp",
        " Game: MBF21\n Version: 221\n Wrapper: DSDA 2\n CompFlags: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
    ),
];

/// The input of the compiled recordings: 200 tics.
const TICS: &str = "GF50 SR40 TL3 *100\nGB25 FW *60\nGF50 UT\nWT *38\nNW1\n";
const COUNT: u64 = 200;

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    let programs: Vec<Option<PathBuf>> = ENGINES.iter().map(|(name, ..)| found(name)).collect();
    if programs.iter().any(Option::is_none) || !Path::new(LEVELS).is_file() {
        let required = std::env::var_os("MOVIOLA_DOOM").is_some_and(|it| it == "required");
        let what = "dsda-doom, chocolate-doom and freedoom are not all installed";
        if required {
            return Err(what.into());
        }
        println!("NOT CHECKED: {what}");
        return Ok(());
    }
    let root = std::env::current_dir().map_err(|why| why.to_string())?;
    let folder = root.join(FOLDER);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let recording = root.join(RECORDING);
    let tics = tics_of(&recording)?;
    let mut demos = vec![(recording.clone(), tics)];
    let (text, again) = (folder.join("run.txt"), folder.join("again.lmp"));
    run::command(run::ours("moviola")?.arg("decompile").arg(&recording).arg("-o").arg(&text))?;
    run::command(run::ours("moviola")?.arg("compile").arg(&text).arg("-o").arg(&again))?;
    demos.push((again, tics));
    for (name, before, behind, more) in MADE {
        let made = folder.join(name);
        run::command(run::ours("moviola")?.args(before).arg(&recording).args(behind).arg(&made))?;
        demos.push((made, tics + more));
    }
    let mut games: Vec<_> =
        ENGINES.iter().flat_map(|engine| demos.iter().map(move |demo| (engine, demo.clone()))).collect();
    for (name, lines) in COMPILED {
        let text = folder.join(name).with_extension("txt");
        let level = " Skill: 4\n Episode: 1\n Map: 1\n";
        let whole = format!("HeaderStart\n{lines}{level}HeaderEnd\nDataStart\n{TICS}DataEnd\n");
        std::fs::write(&text, whole).map_err(|why| format!("{}: {why}", text.display()))?;
        let made = folder.join(name);
        run::command(run::ours("moviola")?.arg("compile").arg(&text).arg("-o").arg(&made))?;
        games.push((&ENGINES[0], (made, COUNT)));
    }
    let mut failed = Vec::new();
    for (engine, (demo, expected)) in &games {
        let counted = play(engine, demo, &folder)?;
        let name = demo.file_name().unwrap_or_default().to_string_lossy();
        println!("{}: {name}: {counted:?} of {expected} tics", engine.0);
        if counted != Some(*expected) {
            failed.push(format!("{} {name}", engine.0));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("not played to the end: {}", failed.join(", "))) }
}

/// The number of tics of a recording, from the output of `info`.
fn tics_of(recording: &Path) -> Result<u64, String> {
    let printed = run::output(run::ours("moviola")?.args(["info", "--json"]).arg(recording))?;
    let printed = String::from_utf8_lossy(&printed);
    let number = printed.split("\"tics\":").nth(1).unwrap_or_default();
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().map_err(|_| format!("no number of tics: {printed}"))
}

/// Plays a recording; how many tics the engine has counted. chocolate-doom ends with 255 always.
fn play(engine: &(&str, &str, &[&str]), demo: &Path, home: &Path) -> Result<Option<u64>, String> {
    let (name, how, words) = engine;
    let program = found(name).ok_or_else(|| format!("{name} is gone"))?;
    let mut command = Command::new("timeout");
    command.arg("120").arg(program).args(["-iwad", LEVELS, how]).arg(demo).args(*words);
    command
        .env("HOME", home)
        .env("SDL_VIDEODRIVER", "dummy")
        .env("SDL_AUDIODRIVER", "dummy")
        .current_dir(home);
    let output = command.output().map_err(|why| format!("{name}: {why}"))?;
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).to_lowercase();
    let number = printed.split("timed ").nth(1).and_then(|rest| rest.split(" gametics").next());
    Ok(number.and_then(|number| number.trim().parse().ok()))
}

/// Debian puts games where not every PATH looks.
fn found(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}
