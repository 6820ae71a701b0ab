//! QuakeWorld's recordings in `ezQuake`: a QWD and an MVD as they came, and a piece of each, played to the end.
//!
//! The kit for them stands beside the other one. `ezQuake` starts in ten seconds on a quiet machine and does not get far
//! on a busy one, so what failed is played once more, and that is said.

use super::{FOLDER, kit, moviola};
use crate::{Outcome, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The recordings among the samples, and the piece that is cut out of each.
const TAPES: &[(&str, &str)] = &[("ez_duo_lqdm2.qwd", "0:06..0:12"), ("mvdsv_bots_lqdm2.mvd", "0:12..0:20")];

/// What a good verdict says.
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
    let made = root.join(FOLDER).join("made");
    let mut demos = Vec::new();
    for (name, piece) in TAPES {
        let whole = root.join("samples").join(name);
        let cut = made.join(format!("piece-{name}"));
        moviola(&made, "cut", &whole, &[piece], &cut)?;
        demos.extend([whole, cut]);
    }
    let mut failed = play(&of_kit, &demos)?;
    if !failed.is_empty() {
        println!("$ qwplay.py: {} once more, as ezQuake may not start on a busy machine", failed.len());
        failed = play(&of_kit, &failed)?;
    }
    // Where a sample does not play as it came, which nobody changed, the machine is too busy to judge its piece.
    let is_sample =
        |demo: &&PathBuf| TAPES.iter().any(|(name, _)| demo.ends_with(Path::new("samples").join(name)));
    if let Some(sample) = failed.iter().find(is_sample) {
        println!(
            "NOT CHECKED: ezQuake did not play {} as it came; the machine is too busy",
            sample.display()
        );
        return Ok(());
    }
    let names = failed.iter().map(|it| it.file_name().unwrap_or_default().to_string_lossy());
    let names: Vec<_> = names.collect();
    if names.is_empty() { Ok(()) } else { Err(format!("not played to the end: {}", names.join(", "))) }
}

/// Plays recordings, and gives those that were not played well.
fn play((kit, games): &(PathBuf, PathBuf), demos: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut play = Command::new("python3");
    play.arg(kit.join("qwplay.py"))
        .args(["--strict", "--timeout", "120"])
        .args(demos)
        .env("ENGINE_KIT", games);
    println!("$ qwplay.py: {} recordings", demos.len());
    play.stderr(std::process::Stdio::inherit());
    let output = play.output().map_err(|why| format!("qwplay.py: {why}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let mut failed = Vec::new();
    for demo in demos {
        let name = demo.file_name().unwrap_or_default().to_string_lossy();
        let verdict = said.lines().find(|line| line.contains(&format!("/{name}\"")));
        if !verdict.is_some_and(|line| GOOD.iter().all(|it| line.contains(it))) {
            println!("{}", verdict.unwrap_or("no verdict"));
            failed.push(demo.clone());
        }
    }
    Ok(failed)
}
