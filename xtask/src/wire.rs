//! `record` and `serve` between real engines on loopback: the proxy writes the same as the engine's own `record`, and a
//! recording that is served and recorded again is complete.
//!
//! The engine kit is found as for the stage `engines`, and the kit for networks beside it.

use crate::args::Args;
use crate::{Outcome, engines, run};
use std::path::Path;
use std::process::Command;

const FOLDER: &str = "target/wire";

/// The script that starts the engines, since the kit is Python.
const SCRIPT: &str = "xtask/wire.py";

/// QuakeWorld's client, its server, and the server's game.
const QUAKEWORLD: [&str; 3] =
    ["/usr/lib/games/ezquake/ezquake", "/usr/games/mvdsv", "/usr/lib/quakeworld/ktx/qwprogs.so"];

/// How many sessions of each game CI plays, every second one with a bad line.
const SESSIONS: u32 = 10;

pub(crate) fn task(mut args: Args) -> Outcome {
    let sessions = args.value("--sessions")?.unwrap_or(SESSIONS);
    args.finish()?;
    play(sessions)
}

pub(crate) fn check() -> Outcome {
    play(SESSIONS)
}

fn play(sessions: u32) -> Outcome {
    let Some(kit) = engines::kit()?.filter(|kit| kit.with_file_name("net-kit").is_dir()) else {
        println!("NOT CHECKED: there is no engine kit with a kit for networks beside it");
        return Ok(());
    };
    let root = std::env::current_dir().map_err(|why| why.to_string())?;
    let yamagi = engines::set_up(&kit, &root.join(engines::FOLDER))?;
    let of_quakeworld = kit.with_file_name("qw-kit").join("setup.sh");
    if of_quakeworld.is_file() && !QUAKEWORLD.iter().all(|it| Path::new(it).is_file()) {
        run::command(Command::new("sh").arg(of_quakeworld))?;
    }
    let program = run::ours("moviola")?;
    let mut wire = Command::new("python3");
    wire.arg(SCRIPT).arg(program.get_program()).arg(&kit).arg(Path::new(FOLDER)).arg("samples");
    wire.arg(sessions.to_string());
    run::command(wire.env("YQUAKE2_DIR", yamagi))
}
