//! QuakeWorld's recordings in `ezQuake`: an unchanged QWD and MVD, a piece of each, and one of each edit, played to the
//! end.
//!
//! Their kit is beside the other one. `ezQuake` takes ten seconds to start on a quiet machine, and the kit may give up on a
//! busy one, so recordings that failed are played once more, with a message.

use super::{FOLDER, kit, moviola};
use crate::{Outcome, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The samples, and the span that is cut out of each.
const TAPES: &[(&str, &str)] = &[("ez_duo_lqdm2.qwd", "0:06..0:12"), ("mvdsv_bots_lqdm2.mvd", "0:12..0:20")];

/// For each edit: the recording, the command with its arguments, and the ending of the result's name.
const EDITS: &[(usize, &str, &[&str], &str)] = &[
    (0, "squeeze", &[], "qwd"),
    (0, "camera", &["--shot", "at = '+2..+5', chase = 'me'"], "qwd"),
    (1, "subtitle", &["--say", "00:07.0 --> 00:08.0 It begins"], "mvd"),
    (1, "strip", &["hidden", "chat"], "mvd"),
    (1, "view", &["--player", "1"], "qwd"),
    (0, "retime", &["2"], "qwd"),
    (0, "set", &["player.hero.name=Ranger"], "qwd"),
    (0, "insert", &["+2", "centerprint \"a new line\""], "qwd"),
    (1, "highlights", &["--top", "3"], "mvd"),
    (0, "ghost", &["retime-quakeworld.qwd"], "qwd"),
];

/// Bytes of the QWD that are damaged before it is repaired: the number of a packet, a length, and the end is cut off.
const CUT: usize = 4000;

/// For how many seconds `ezQuake` may do nothing before its recording counts as over: on a busy machine it is silent for
/// long when it loads models. One that ends as it should says so at once.
const PATIENCE: &str = "45";

/// The parts of a good verdict.
const GOOD: [&str; 3] = ["\"accepted\": true", "\"stopped_early\": false", "\"warnings\": []"];

pub(super) fn check(root: &Path) -> Outcome {
    let Some(of_kit) = kit()?.map(|kit| (kit.with_file_name("qw-kit"), kit)).filter(|(it, _)| it.is_dir())
    else {
        println!("NOT CHECKED: there is no kit for QuakeWorld beside the engine kit");
        return Ok(());
    };
    if !["/usr/games/ezquake", "/usr/bin/ezquake"].iter().any(|it| Path::new(it).is_file()) {
        run::command(Command::new("sh").arg(of_kit.0.join("setup.sh")))?;
    }
    let results_folder = root.join(FOLDER).join("made");
    let mut demos = Vec::new();
    for (name, piece) in TAPES {
        let whole = root.join("samples").join(name);
        let cut = results_folder.join(format!("piece-{name}"));
        moviola(&results_folder, "cut", &whole, &[piece], &cut)?;
        demos.extend([whole, cut]);
    }
    for (tape, command, words, ending) in EDITS {
        let Some((name, _)) = TAPES.get(*tape) else { continue };
        let result = results_folder.join(format!("{command}-quakeworld.{ending}"));
        moviola(&results_folder, command, &root.join("samples").join(name), words, &result)?;
        demos.push(result);
    }
    demos.push(repaired(root, &results_folder)?);
    let mut failed = play(&of_kit, &demos)?;
    if !failed.is_empty() {
        println!("$ qwplay.py: {} once more, as ezQuake may not start on a busy machine", failed.len());
        failed = play(&of_kit, &failed)?;
    }
    let names = failed.iter().map(|it| it.file_name().unwrap_or_default().to_string_lossy());
    let names: Vec<_> = names.collect();
    if names.is_empty() { Ok(()) } else { Err(format!("not played to the end: {}", names.join(", "))) }
}

/// Repairs a damaged QWD: a number in its middle was increased, so that clients would drop all later packets.
fn repaired(root: &Path, made: &Path) -> Result<PathBuf, String> {
    let Some((name, _)) = TAPES.first() else { return Err("there is no QWD".into()) };
    let sample = root.join("samples").join(name);
    let mut file = std::fs::read(&sample).map_err(|why| format!("{}: {why}", sample.display()))?;
    file.truncate(file.len().saturating_sub(CUT));
    // A packet in the middle: after its time and kind come its length and then its number.
    let (middle, mut at) = (file.len() / 2, 0);
    while let Some(&[_, _, _, _, kind, length @ .., a, b, c, d]) =
        file.get(at..).and_then(<[u8]>::first_chunk::<13>)
    {
        let (is_packet, size) = match kind {
            0 => (false, 41),
            2 => (false, 13),
            _ => ([a, b, c, d] != [0xFF; 4], 9 + u32::from_le_bytes(length) as usize),
        };
        if is_packet && at > middle {
            if let Some(byte) = file.get_mut(at + 11) {
                *byte ^= 1;
            }
            break;
        }
        at += size;
    }
    let (torn, result) = (made.join("torn.qwd"), made.join("repair-quakeworld.qwd"));
    std::fs::write(&torn, file).map_err(|why| format!("{}: {why}", torn.display()))?;
    moviola(made, "repair", &torn, &[], &result)?;
    Ok(result)
}

/// Plays recordings, and returns those that failed.
fn play((kit, games): &(PathBuf, PathBuf), demos: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut play = Command::new("python3");
    play.arg(kit.join("qwplay.py"))
        .args(["--strict", "--timeout", "120", "--idle", PATIENCE])
        .args(demos)
        .env("ENGINE_KIT", games);
    println!("$ qwplay.py: {} recordings", demos.len());
    play.stderr(std::process::Stdio::inherit());
    let output = play.output().map_err(|why| format!("qwplay.py: {why}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut failed = Vec::new();
    for demo in demos {
        let name = demo.file_name().unwrap_or_default().to_string_lossy();
        let verdict = printed.lines().find(|line| line.contains(&format!("/{name}\"")));
        if !verdict.is_some_and(|line| GOOD.iter().all(|it| line.contains(it))) {
            println!("{}", verdict.unwrap_or("no verdict"));
            failed.push(demo.clone());
        }
    }
    Ok(failed)
}
