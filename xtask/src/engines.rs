//! Plays the results of the cutting room in their engines: every command on one sample of each game, and an eighth of them on
//! each further recording, to the end and with the expected number of frames.
//!
//! The kit (`play.py` and `setup.sh`, with maps) is found by `MOVIOLA_ENGINE_KIT`, or beside the repository. Where it is
//! not there, nothing is checked, with a message; `MOVIOLA_ENGINE_KIT=required` makes it a failure.

mod frames;
mod quakeworld;

use crate::args::Args;
use crate::{Outcome, run};
use frames::{Frames, Played, expected_frames};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder for all files of this stage.
pub(crate) const FOLDER: &str = "target/engines";

/// A recording whose level is in the kit, and the engine that plays it. The results of every command are played on one
/// recording of each game; the other recordings share the commands among them, since playing a result takes some
/// seconds.
struct Tape {
    name: &'static str,
    /// Whether the recording is in `samples`; otherwise it is in the corpus.
    is_sample: bool,
    engine: &'static str,
}

const fn tape(name: &'static str, is_sample: bool, engine: &'static str) -> Tape {
    Tape { name, is_sample, engine }
}

const TAPES: &[Tape] = &[
    tape("qs_15_lq_e0m9.dem", true, "quake"),
    tape("qs_999_lq_e0m9.dem", true, "quake"),
    tape("qs_666_lq_e0m9.dem", false, "quake"),
    tape("qs_15_dm2p.dem", false, "quake"),
    tape("qs_15_secret.dem", false, "quake"),
    tape("yq_sp.dm2", true, "quake2"),
    tape("yq_cl2.dm2", false, "quake2"),
];

/// A server's recording, from which one player's view is made.
const SERVERS: Tape = tape("yq_srv.dm2", false, "quake2");
/// The number of its frames, without the block with which a server begins.
const SERVED: u64 = 232;

/// Recordings of two levels, which are split and (for Quake, whose engines play several levels) joined again; and how
/// many of their levels are in the kit.
const UNITS: &[(Tape, usize)] =
    &[(tape("qs_15_changelevel.dem", false, "quake"), 2), (tape("yq_chg.dm2", true, "quake2"), 1)];

/// Recordings of QuakeWorld in a level that the kit has, which become recordings of Quake.
const MATCHES: &[&str] = &["ez_duo_lqdm2.qwd", "mvdsv_bots_lqdm2.mvd"];

/// A Relay recording by the independent writer; the name of its level, and of a level in the kit that replaces it.
const RELAY: &str = "scribe/dm2-34-relay.dm2";
const LEVELS: [&str; 2] = ["maps/q2dm1.bsp", "maps/oracle2.bsp"];

/// `DarkPlaces` takes a second for 30 frames, so it plays only a short part of this recording, one with chat.
const SHORT: &str = "qs_15_lq_e0m9.dem";
const PIECE: &str = "#290..#370";

/// `DarkPlaces` plays this recording after a conversion.
const LATER: &str = "qs_999_lq_e0m9.dem";

/// A command: its name, its words after the recording, and the expected number of frames.
struct Edit {
    name: &'static str,
    words: &'static [&'static str],
    frames: Frames,
    /// The file extension of the recordings to which the command applies; empty for all.
    only: &'static str,
}

const fn edit(name: &'static str, words: &'static [&'static str], frames: Frames) -> Edit {
    Edit { name, words, frames, only: "" }
}

const fn for_quake(name: &'static str, words: &'static [&'static str]) -> Edit {
    Edit { name, words, frames: Frames::All, only: "dem" }
}

/// Spans are blocks, of which every tape has more than 140, and the short piece more than 60.
#[rustfmt::skip]
const EDITS: &[Edit] = &[
    edit("cut", &["#30..#60"], Frames::Piece(31)),
    edit("cut", &["#60..#90", "#30..#50", "--in-order-given"], Frames::Some),
    edit("drop", &["#30..#60"], Frames::Without(31)),
    edit("highlights", &["--before", "0.5", "--after", "0.5"], Frames::Some),
    edit("join", &[ITSELF], Frames::Twice),
    edit("strip", &["prints,centerprints,sounds,commands,pauses,fades,cheats"], Frames::Most),
    edit("subtitle", &["subtitles.srt"], Frames::All),
    edit("insert", &["#30..", "centerprint \"A text\\n\""], Frames::All),
    edit("insert", &["#30..", "fov 110"], Frames::All),
    edit("set", &["cdtrack=3", "player.1.name=Bob", "--in-texts"], Frames::All),
    edit("copy", &["1", "--by", "0,0,32", "--turn", "90"], Frames::All),
    edit("camera", &["camera.toml"], Frames::All),
    edit("retime", &["0.5", "#30..#60"], Frames::Slow(31)),
    edit("capture", &["--fps", "24"], Frames::Pictures(24)),
    edit("ghost", &[ITSELF], Frames::All),
    edit("edit", &["--script", "script.txt"], Frames::Script),
    edit("squeeze", &[], Frames::All),
    edit("repair", &[], Frames::All),
    for_quake("convert", &["--to", "15"]),
    for_quake("convert", &["--to", "666"]),
    for_quake("convert", &["--to", "999"]),
    for_quake("convert", &["--for", "darkplaces"]),
    for_quake("convert", &["--for", "id-1.06"]),
    Edit { name: "convert", words: &["--for", "id-q2-3.20"], frames: Frames::All, only: "dm2" },
];

/// The number of recordings that go through all commands together.
const SHARES: usize = 8;

/// Stands for the recording itself in the arguments of a command.
const ITSELF: &str = "ITSELF";

/// Recordings without an input recording: the name of the recording, the arguments of the command, and the engine that
/// plays it. Texts are compiled.
const MADE: &[(&str, &[&str], &str)] = &[
    (
        "stage.dem",
        &["new", "--game", "quake", "--map", "lq_e0m9", "--at", "0,-176,80", "--yaw", "90"],
        "quake",
    ),
    ("stage.dm2", &["new", "--game", "quake2", "--map", "oracle2", "--at", "0,-600,24"], "quake2"),
    ("qfont.dem", &["make", "qfont", "--map", "lq_e0m9"], "quake"),
    ("cdtrack.dem", &["make", "cdtrack", "--map", "lq_e0m9"], "quake"),
];

/// The files that the edits name.
const FILES: &[(&str, &str)] = &[
    (
        "subtitles.srt",
        "1\n00:00:00,200 --> 00:00:02,900\nA **bronze** text\n\n2\n00:00:02,950 --> 00:00:04,000\nand another\n",
    ),
    (
        "camera.toml",
        "[[shot]]\nat = '#20..#35'\nchase = 'me'\nfov = [90, 60]\n[[shot]]\nat = '#40..#60'\norbit = 'me'\nroll = [0, 90]\n\
         [[shot]]\nat = '#70..#75'\nmove = [[0, 0, 0], [64, 0, 0], [64, 64, 32]]\nview = 'me'\n",
    ),
    (
        "script.txt",
        "cut #10..#100\nstrip prints,commands\nset player.1.name='The **Ranger**'\nsubtitle subtitles.srt\n\
         camera camera.toml   # in what is left\nretime 1/2 #20..#40\nsqueeze\n",
    ),
];

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    let Some(kit) = kit()? else {
        println!("NOT CHECKED: there is no engine kit; MOVIOLA_ENGINE_KIT names one");
        return Ok(());
    };
    let root = std::env::current_dir().map_err(|why| why.to_string())?;
    let folder = root.join(FOLDER);
    let results_folder = folder.join("made");
    let _ = std::fs::remove_dir_all(&results_folder);
    std::fs::create_dir_all(&results_folder).map_err(|why| format!("{}: {why}", results_folder.display()))?;
    for (name, text) in FILES {
        std::fs::write(results_folder.join(name), text).map_err(|why| format!("{name}: {why}"))?;
    }
    let yamagi = set_up(&kit, &folder)?;
    let jobs = [
        ("quake", check_commands(&root, &results_folder, "quake")?),
        ("quake2", check_commands(&root, &results_folder, "quake2")?),
        ("darkplaces", pieces(&root, &results_folder)?),
    ];
    // Each engine plays one recording at a time, beside the others.
    let outcomes = std::thread::scope(|scope| {
        let running =
            jobs.each_ref().map(|(engine, demos)| scope.spawn(|| play(&kit, &yamagi, engine, demos)));
        running.map(|job| job.join().unwrap_or_else(|_| Err("the thread of an engine panicked".into())))
    });
    let mut failed = Vec::new();
    for outcome in outcomes {
        failed.extend(outcome?);
    }
    // This engine runs alone, since a busy machine disturbs it most.
    quakeworld::check(&root)?;
    if failed.is_empty() { Ok(()) } else { Err(format!("not played as asked: {}", failed.join(", "))) }
}

/// Plays recordings of Quake that were saved by other means than the command line.
pub(crate) fn check_saved(demos: &[PathBuf]) -> Outcome {
    let Some(kit) = kit()? else {
        println!("NOT CHECKED: there is no engine kit; MOVIOLA_ENGINE_KIT names one");
        return Ok(());
    };
    let root = std::env::current_dir().map_err(|why| why.to_string())?;
    let yamagi = set_up(&kit, &root.join(FOLDER))?;
    let demos: Vec<Played> =
        demos.iter().map(|it| Played::without_original(it.clone(), Frames::Some)).collect();
    let failed = play(&kit, &yamagi, "quake", &demos)?;
    if failed.is_empty() { Ok(()) } else { Err(format!("not played as saved: {}", failed.join(", "))) }
}

/// The results of every command on whole recordings.
fn check_commands(root: &Path, made: &Path, engine: &str) -> Result<Vec<Played>, String> {
    let mut demos = Vec::new();
    for (nth, tape) in TAPES.iter().filter(|tape| tape.engine == engine).enumerate() {
        let share = (nth > 0).then_some(nth);
        match found(tape, root) {
            Some(path) => edit_all(&path, made, "", share, &mut demos)?,
            None => println!("NOT CHECKED: {} is not there", tape.name),
        }
    }
    if engine == SERVERS.engine
        && let Some(path) = found(&SERVERS, root)
    {
        let demo = made.join("view.dm2");
        moviola(made, "view", &path, &["--player", "1"], &demo)?;
        demos.push(Played::without_original(demo, Frames::Number(SERVED)));
    }
    if engine == SERVERS.engine {
        demos.push(relay(root, made)?);
    } else {
        demos.push(late(root, made)?);
        for name in MATCHES {
            let demo = made.join(name).with_extension("dem");
            moviola(made, "convert", &root.join("samples").join(name), &["--to", "666"], &demo)?;
            demos.push(Played::without_original(demo, Frames::Some));
        }
    }
    for (tape, levels) in UNITS.iter().filter(|(tape, _)| tape.engine == engine) {
        match found(tape, root) {
            Some(path) => demos.extend(unit(&path, *levels, made)?),
            None => println!("NOT CHECKED: {} is not there", tape.name),
        }
    }
    for (name, words, _) in MADE.iter().filter(|(.., plays)| *plays == engine) {
        demos.push(Played::without_original(make(made, name, words)?, Frames::Some));
    }
    Ok(demos)
}

/// Every command's output for a short piece only, and only in protocol 15, because DarkPlaces plays slowly.
fn pieces(root: &Path, made: &Path) -> Result<Vec<Played>, String> {
    let (short, mut demos) = (made.join("short.dem"), Vec::new());
    moviola(made, "cut", &root.join("samples").join(SHORT), &[PIECE], &short)?;
    edit_all(&short, made, "dp-", None, &mut demos)?;
    demos.retain(|it| !it.demo.to_string_lossy().ends_with("convert.dem"));
    let (long, demo) = (made.join("short-999.dem"), made.join("dp-999-to-15.dem"));
    moviola(made, "cut", &root.join("samples").join(LATER), &[PIECE], &long)?;
    moviola(made, "convert", &long, &["--for", "darkplaces"], &demo)?;
    demos.push(Played::derived(demo, &short, Frames::All));
    Ok(demos)
}

/// Where the kit is.
pub(crate) fn kit() -> Result<Option<PathBuf>, String> {
    let named = std::env::var_os("MOVIOLA_ENGINE_KIT").filter(|it| !it.is_empty());
    let required = named.as_ref().is_some_and(|it| it == "required");
    if let Some(named) = named.filter(|_| !required) {
        let kit = PathBuf::from(named);
        let is_there = kit.join("play.py").is_file();
        return if is_there {
            Ok(Some(kit))
        } else {
            Err(format!("there is no engine kit in {}", kit.display()))
        };
    }
    let here = std::env::current_dir().map_err(|why| why.to_string())?;
    let kit =
        beside(&here, "shared/engine-kit/play.py").and_then(|file| file.parent().map(Path::to_path_buf));
    if kit.is_none() && required {
        Err("the engine kit is required, but it is not there".into())
    } else {
        Ok(kit)
    }
}

/// A file beside the repository, or beside a folder above it.
fn beside(here: &Path, name: &str) -> Option<PathBuf> {
    here.ancestors().map(|folder| folder.join(name)).find(|path| path.exists())
}

/// Installs the engines, once; the answer is where Yamagi Quake II is.
pub(crate) fn set_up(kit: &Path, folder: &Path) -> Result<PathBuf, String> {
    let named = std::env::var_os("YQUAKE2_DIR").map_or_else(|| folder.join("yquake2"), PathBuf::from);
    if !named.join("usr/lib/yamagi-quake2/quake2").is_file() {
        run::command(Command::new("sh").arg(kit.join("setup.sh")).arg(&named))?;
    }
    Ok(named)
}

fn found(tape: &Tape, root: &Path) -> Option<PathBuf> {
    if tape.is_sample {
        return Some(root.join("samples").join(tape.name));
    }
    beside(root, &format!("shared/corpus/ours/{}", tape.name))
}

/// Runs every command on a recording, or with a share only every eighth command: recordings with shares 1 to 8 cover
/// all commands together.
fn edit_all(
    recording: &Path,
    results_folder: &Path,
    prefix: &str,
    share: Option<usize>,
    demos: &mut Vec<Played>,
) -> Outcome {
    demos.push(Played::original(recording));
    let extension = recording.extension().unwrap_or_default().to_string_lossy().into_owned();
    let stem = recording.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_for = |edit: &Edit| ["", &extension].contains(&edit.only);
    let is_due = |at: usize| share.is_none_or(|share| at % SHARES == share % SHARES);
    for (at, edit) in EDITS.iter().enumerate().filter(|(at, edit)| is_for(edit) && is_due(*at)) {
        let demo = results_folder.join(format!("{prefix}{stem}-{at}-{}.{extension}", edit.name));
        let own = recording.to_string_lossy();
        let words: Vec<&str> =
            edit.words.iter().map(|word| if *word == ITSELF { &*own } else { *word }).collect();
        moviola(results_folder, edit.name, recording, &words, &demo)?;
        demos.push(Played::derived(demo, recording, edit.frames));
    }
    Ok(())
}

/// A player's view of a recording of Relay, in a level that the kit has.
fn relay(root: &Path, made: &Path) -> Result<Played, String> {
    let [text, relay, view] = ["relay.txt", "relay.dm2", "relay-view.dm2"].map(|name| made.join(name));
    moviola(made, "decompile", &root.join("samples").join(RELAY), &[], &text)?;
    let recorded = std::fs::read_to_string(&text).map_err(|why| why.to_string())?;
    let [of_writer, of_kit] = LEVELS;
    if !recorded.contains(of_writer) {
        return Err(format!("{RELAY} has no {of_writer} any more"));
    }
    std::fs::write(&text, recorded.replace(of_writer, of_kit)).map_err(|why| why.to_string())?;
    moviola(made, "compile", &text, &[], &relay)?;
    moviola(made, "view", &relay, &["--player", "1"], &view)?;
    Ok(Played::without_original(view, Frames::Some))
}

/// Splits a recording into its levels, and joins them again if engines play several levels.
fn unit(path: &Path, levels: usize, made: &Path) -> Result<Vec<Played>, String> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let folder = made.join(format!("levels-{extension}"));
    moviola(made, "split", path, &[], &folder)?;
    let files = std::fs::read_dir(&folder).map_err(|why| why.to_string())?;
    let mut demos: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    demos.sort();
    demos.truncate(levels);
    // Cutting a level by its number gives the same.
    let level = made.join(format!("level-1.{extension}"));
    moviola(made, "cut", path, &["level 1"], &level)?;
    let same_frames = demos.first().map(|first| Played::derived(level, first, Frames::All));
    let joined = if let [first, second] = demos.as_slice() {
        let joined = made.join(format!("levels-joined.{extension}"));
        moviola(made, "join", first, &[&second.to_string_lossy()], &joined)?;
        Some(Played::without_original(joined, Frames::Some))
    } else {
        None
    };
    Ok(demos.iter().map(|level| Played::original(level)).chain(joined).chain(same_frames).collect())
}

/// A recording that begins in the middle of a game, completed with the beginning of another recording.
fn late(root: &Path, made: &Path) -> Result<Played, String> {
    let [text, late, whole] = ["late.txt", "late.dem", "late-whole.dem"].map(|name| made.join(name));
    let other = root.join("samples").join(SHORT);
    moviola(made, "decompile", &other, &["--blocks", "20.."], &text)?;
    moviola(made, "compile", &text, &[], &late)?;
    moviola(made, "repair", &late, &["--signon", &other.to_string_lossy()], &whole)?;
    Ok(Played::derived(whole, &other, Frames::Late(20)))
}

/// Makes a recording without an input recording.
fn make(made: &Path, name: &str, words: &[&str]) -> Result<PathBuf, String> {
    let demo = made.join(name);
    if words.first() != Some(&"new") {
        run::command(program(made)?.args(words).arg("-o").arg(&demo))?;
        return Ok(demo);
    }
    let text = made.join(format!("{name}.txt"));
    run::command(program(made)?.args(words).arg("-o").arg(&text))?;
    moviola(made, "compile", &text, &[], &demo)?;
    Ok(demo)
}

fn moviola(here: &Path, command: &str, recording: &Path, words: &[&str], into: &Path) -> Outcome {
    run::command(program(here)?.args([command, "-q"]).arg(recording).args(words).arg("-o").arg(into))
}

/// The program, to be run in this folder.
fn program(here: &Path) -> Result<Command, String> {
    let mut run = run::ours("moviola")?;
    run.current_dir(here);
    Ok(run)
}

/// Plays recordings and returns those that failed. A warning is a failure too, since warnings are about frames that
/// could not be drawn.
fn play(kit: &Path, yamagi: &Path, engine: &str, demos: &[Played]) -> Result<Vec<String>, String> {
    let mut play = Command::new("python3");
    play.arg(kit.join("play.py"))
        .args([engine, "--strict", "--timeout", "300"])
        .args(demos.iter().map(|it| &it.demo));
    play.env("YQUAKE2_DIR", yamagi);
    println!("$ play.py {engine}: {} recordings", demos.len());
    play.stderr(std::process::Stdio::inherit());
    let mut start = || play.output().map_err(|why| format!("play.py: {why}"));
    let mut output = start()?;
    if output.stdout.is_empty() {
        // If two displays start at the same moment they may disturb each other, so that nothing is played.
        println!("$ play.py {engine}: once more");
        output = start()?;
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let is_good = |line: &str| {
        ["\"accepted\": true", "\"stopped_early\": false", "\"warnings\": []"]
            .iter()
            .all(|it| line.contains(it))
    };
    let mut failed = Vec::new();
    for line in printed.lines().filter(|line| !is_good(line)) {
        println!("{line}");
        let name = line.split('"').nth(3).unwrap_or(line);
        failed.push(format!("{} in {engine}", name.rsplit('/').next().unwrap_or(name)));
    }
    // The kit prints the results in the order in which the recordings were named.
    let shown: Vec<(&Path, u64)> = demos
        .iter()
        .zip(printed.lines())
        .filter_map(|(it, line)| Some((&*it.demo, expected_frames(line)?)))
        .collect();
    failed.extend(demos.iter().filter_map(|it| it.mistake(&shown)).map(|why| format!("{why} in {engine}")));
    let played = printed.lines().count();
    if played != demos.len() {
        return Err(format!(
            "{engine} gave a verdict on {played} of {} recordings: {}",
            demos.len(),
            output.status
        ));
    }
    if !output.status.success() && failed.is_empty() {
        return Err(format!("play.py {engine}: {}", output.status));
    }
    Ok(failed)
}
