//! Makes the pictures of `docs/effects.md`: each effect of both games, drawn by us and by an engine. It needs the
//! engine kit, the free game data beside it, and ffmpeg. The engines' particles are random, so no two runs give the
//! same pictures. Therefore this is a task whose result a person must look at, and not a stage of CI.

use crate::args::Args;
use crate::{Outcome, engines, run};
use std::path::Path;
use std::process::Command;

/// The script that starts the engines, since the kit is Python.
const SCRIPT: &str = "xtask/effects.py";

const PICTURES: &str = "docs/pictures/effects";

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    let Some(kit) = engines::kit()? else { return Err("there is no engine kit".into()) };
    let game = match std::env::var_os("MOVIOLA_GAME") {
        Some(game) => game.into(),
        None => kit.with_file_name("game"),
    };
    if !game.is_dir() {
        return Err(format!("{}: there is no game data", game.display()));
    }
    let root = std::env::current_dir().map_err(|why| why.to_string())?;
    let yamagi = engines::set_up(&kit, &root.join(engines::FOLDER))?;
    let program = run::ours("moviola")?;
    let mut script = Command::new("python3");
    script.arg(SCRIPT).arg(program.get_program()).arg(&kit).arg(&game);
    script.arg(root.join("target/effects")).arg(Path::new(PICTURES));
    run::command(script.env("YQUAKE2_DIR", yamagi))
}
