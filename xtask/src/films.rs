//! Makes films of the bundled recordings with the program. `ffprobe` counts their frames and reads their
//! subtitles, and a browser plays them to the end. One film is interrupted, and must play up to that point.
//! Films of flashes with tones, which ffmpeg decodes, show that picture and sound are in step.
//!
//! Without ffmpeg's `ffprobe` or a browser, a message names the skipped checks; with `MOVIOLA_FILMS=required`
//! they fail instead.

use crate::args::Args;
use crate::{Outcome, run};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const FOLDER: &str = "target/films";
const GAME: &str = "samples/librequake/lq_e0m9.pk3";

const SUBTITLES: &str = "1\n00:00:00,500 --> 00:00:01,500\nSo it begins\n";

/// A film: its name, the recording, further arguments, its number of frames, and its length in seconds.
const FILMS: [(&str, &str, &[&str], u64, f64); 3] = [
    ("quake.mp4", "samples/qs_15_lq_e0m9.dem", &["--part", "+8..+10", "--fps", "30"], 60, 2.0),
    ("quake2.mp4", "samples/yq_sp.dm2", &["--part", "+3..+5", "--fps", "29.97"], 60, 2.002),
    (
        "ramp.mp4",
        "samples/qs_15_lq_e0m9.dem",
        &["--part", "+8..+10", "--fps", "30", "--speed", "1..0.5"],
        80,
        2.667,
    ),
];

/// The seconds after which a browser's playback fails.
const PATIENCE: u64 = 60;

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    let root = std::env::current_dir().map_err(|why| why.to_string())?;
    let folder = root.join(FOLDER);
    let _ = std::fs::remove_dir_all(&folder);
    let trouble = |why: std::io::Error| format!("{}: {why}", folder.display());
    std::fs::create_dir_all(&folder).map_err(trouble)?;
    let subtitles = folder.join("film.srt");
    std::fs::write(&subtitles, SUBTITLES).map_err(trouble)?;
    let has_probe = run::works(Command::new("ffprobe").arg("-version"));
    let browser = run::browser();
    if !has_probe || browser.is_none() {
        let what = "ffprobe and a browser are not both there";
        if std::env::var_os("MOVIOLA_FILMS").is_some_and(|it| it == "required") {
            return Err(what.into());
        }
        println!("NOT CHECKED: {what}");
    }
    for (name, recording, words, frames, seconds) in FILMS {
        let film = folder.join(name);
        let mut command = filming(recording, &film)?;
        run::command(command.args(words).arg("--subtitles").arg(&subtitles))?;
        if has_probe {
            probe(&film, Some(frames), seconds)?;
        }
        if let Some(browser) = browser {
            play(browser, &film, seconds)?;
        }
    }
    if run::works(Command::new("ffmpeg").arg("-version")) {
        in_step(&folder)?;
    }
    interrupt(&folder.join("short.mp4"), has_probe)
}

/// A recording of four seconds in the dark: from the second one on a flash and a tone begin in the same block, once a second.
fn flashes() -> String {
    let mut text =
        "track \"-1\\n\";\nblock {\n camera 0.0 0.0 0.0;\n serverinfo {\n  serverversion 15;\n  maxclients 1;\n  multi 0;\n"
            .to_owned();
    text += "  mapname \"\";\n  models \"maps/dark.bsp\";\n  sounds \"tone.wav\";\n }\n setview 1;\n}\n";
    for step in 0..40 {
        let flash = " stufftext \"bf\\n\";\n sound {\n  vol 1.0;\n  attenuation 0.0;\n  channel 1;\n  entity 1;\n  soundnum 1;\n  origin 0.0 0.0 0.0;\n }\n";
        // Engines read a block when the one before it is reached, so these are seen after whole seconds.
        let flash = if step % 10 == 1 && step > 1 { flash } else { "" };
        let time = 1.0 + f64::from(step) / 10.0;
        let head = format!(
            "block {{\n camera 0.0 0.0 0.0;\n time {time:.1}s;\n updateentity {{\n  entity 1;\n }}\n"
        );
        text += &[&head, flash, "}\n"].concat();
    }
    text + "block {\n camera 0.0 0.0 0.0;\n disconnect;\n}\n"
}

/// A tenth of a second of a square wave, as a WAV of 8 bits.
fn tone() -> Vec<u8> {
    const RATE: u32 = 11025;
    let samples: Vec<u8> = (0..RATE / 10).map(|at| if at / 6 % 2 == 0 { 0xF0 } else { 0x10 }).collect();
    let length = samples.len() as u32;
    let numbers = |all: &[u32]| all.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<u8>>();
    let mut wave = [b"RIFF".to_vec(), numbers(&[length + 36]), b"WAVEfmt ".to_vec()].concat();
    wave.extend(numbers(&[16, 0x0001_0001, RATE, RATE, 0x0008_0001]));
    wave.extend(b"data".iter().copied().chain(numbers(&[length])).chain(samples));
    wave
}

/// The greatest distance of picture and sound in seconds.
const IN_STEP: f64 = 0.01;

/// Checks that flashes are visible when their tones are heard, in films with several frame rates, as ffmpeg decodes
/// them.
fn in_step(folder: &Path) -> Outcome {
    let game = folder.join("dark");
    let trouble = |why: std::io::Error| format!("{}: {why}", game.display());
    std::fs::create_dir_all(game.join("sound")).map_err(trouble)?;
    std::fs::write(game.join("sound/tone.wav"), tone()).map_err(trouble)?;
    let (text, demo) = (folder.join("flashes.txt"), folder.join("flashes.dem"));
    std::fs::write(&text, flashes()).map_err(trouble)?;
    run::command(run::ours("moviola")?.args(["compile", "-q"]).arg(&text).arg("-o").arg(&demo))?;
    for fps in ["30", "60", "25"] {
        let film = folder.join(format!("flashes-{fps}.mp4"));
        let mut command = run::ours("moviola")?;
        command
            .args(["film", "-q"])
            .arg(&demo)
            .arg("--game")
            .arg(&game)
            .args(["--size", "64x48", "--fps", fps]);
        run::command(command.args(["--hud", "off", "--texts", "off", "--angles", "0,0,0", "-o"]).arg(&film))?;
        let decoded = |words: &[&str]| {
            run::output(Command::new("ffmpeg").args(["-v", "error", "-i"]).arg(&film).args(words))
        };
        // A late beginning of the sound is filled with silence, so that positions are times.
        let sound =
            ["-vn", "-ac", "1", "-ar", "48000", "-af", "aresample=async=1:first_pts=0", "-f", "s16le", "-"];
        let loud: Vec<bool> = decoded(&sound)?
            .as_chunks::<2>()
            .0
            .iter()
            .map(|it| i16::from_le_bytes(*it).unsigned_abs() > 3000)
            .collect();
        let picture = ["-an", "-vf", "scale=1:1", "-pix_fmt", "gray", "-f", "rawvideo", "-"];
        let bright: Vec<bool> = decoded(&picture)?.iter().map(|luma| *luma > 24).collect();
        // Half a second of quiet ends a tone, and a flash.
        let rate = fps.parse::<f64>().unwrap_or(1.0);
        let (heard, seen) = (starts(&loud, 48_000.0), starts(&bright, rate));
        println!("{}: flashes at {seen:.4?}, tones at {heard:.4?} s", film.display());
        let is_near = |(one, other): (&f64, &f64)| (one - other).abs() <= IN_STEP;
        if seen.len() != 3 || heard.len() != 3 || !seen.iter().zip(&heard).all(is_near) {
            return Err(format!("{}: picture and sound are not in step", film.display()));
        }
    }
    Ok(())
}

/// The times at which something begins after at least half a second without it.
fn starts(all: &[bool], rate: f64) -> Vec<f64> {
    let (mut found, mut last) = (Vec::new(), f64::NEG_INFINITY);
    for (_, at) in all.iter().zip(0u32..).filter(|(is_there, _)| **is_there) {
        let time = f64::from(at) / rate;
        if time - last > 0.5 {
            found.push(time);
        }
        last = time;
    }
    found
}

fn filming(recording: &str, film: &Path) -> Result<Command, String> {
    let mut command = run::ours("moviola")?;
    command.args(["film", "-q", recording, "--game", GAME, "--size", "320x180", "-o"]).arg(film);
    Ok(command)
}

/// Checks a film with ffprobe: the readable frames, the lengths of picture and sound, and the subtitle.
fn probe(film: &Path, frames: Option<u64>, seconds: f64) -> Outcome {
    let mut command = Command::new("ffprobe");
    command.args(["-v", "error", "-count_frames", "-of", "default=nw=1", "-show_entries"]);
    let printed = run::output(command.arg("stream=codec_name,nb_read_frames,duration").arg(film))?;
    let printed = String::from_utf8_lossy(&printed).into_owned();
    let all = |key: &str| -> Vec<String> {
        let values = printed.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        values.map(ToOwned::to_owned).collect()
    };
    let failure = |what: &str| Err(format!("{}: {what}:\n{printed}", film.display()));
    if all("codec_name").get(..2) != Some(&["h264".to_owned(), "opus".to_owned()]) {
        return failure("not a film of H.264 and Opus");
    }
    let counted = all("nb_read_frames").first().and_then(|it| it.parse::<u64>().ok());
    if counted.is_none_or(|counted| frames.is_some_and(|frames| counted != frames)) {
        return failure("another number of frames");
    }
    // The last packet of sound is longer than its audible part.
    let lengths: Vec<f64> = all("duration").iter().filter_map(|it| it.parse().ok()).collect();
    let far = |length: &f64| frames.is_some() && (length - seconds).abs() > 0.03;
    if lengths.len() < 2 || lengths.iter().take(2).any(far) {
        return failure("another length");
    }
    println!("{}: {counted:?} frames, {lengths:?} s", film.display());
    Ok(())
}

/// Opens a page that plays a film and reports success or failure in the browser's log.
fn play(browser: &str, film: &Path, seconds: f64) -> Outcome {
    let page = film.with_extension("html");
    let name = film.file_name().unwrap_or_default().to_string_lossy();
    let html = format!(
        "<!doctype html><video id=\"film\" src=\"{name}\" muted autoplay></video><script>\n\
         const film = document.getElementById(\"film\");\n\
         film.onended = () => console.log(\"FILM ended \" + film.currentTime + \" \");\n\
         film.onerror = () => console.log(\"FILM failed \" + film.error.message);\n</script>\n"
    );
    std::fs::write(&page, html).map_err(|why| format!("{}: {why}", page.display()))?;
    let profile = film.with_extension("profile");
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"])
        .arg("--autoplay-policy=no-user-gesture-required")
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()));
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|why| format!("{browser}: {why}"))?;
    let log = child.stderr.take().map(BufReader::new);
    let (to_us, lines) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let line = log.into_iter().flat_map(BufRead::lines).map_while(Result::ok);
        let _ = to_us.send(line.into_iter().find(|line| line.contains("FILM ")));
    });
    let line = lines.recv_timeout(Duration::from_secs(PATIENCE)).ok().flatten();
    let _ = child.kill();
    let _ = child.wait();
    let _ = reader.join();
    let _ = std::fs::remove_dir_all(profile);
    let line = line.ok_or_else(|| format!("{browser}: {}: is not played to the end", film.display()))?;
    let end = line.split("FILM ended ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    match end {
        Some(end) if (end - seconds).abs() < 0.05 => {
            println!("{browser}: {name}: played to {end} s");
            Ok(())
        }
        _ => Err(format!("{browser}: {}: {line}", film.display())),
    }
}

/// Interrupts the making of a film. The film must be playable up to that point.
fn interrupt(film: &Path, has_probe: bool) -> Outcome {
    let mut command = filming("samples/qs_15_lq_e0m9.dem", film)?;
    let mut child = command.spawn().map_err(|why| why.to_string())?;
    std::thread::sleep(Duration::from_secs(2));
    let sent = run::works(Command::new("kill").args(["-INT", &child.id().to_string()]));
    let status = child.wait().map_err(|why| why.to_string())?;
    if !sent || status.success() {
        return Err("a film could not be interrupted: it was over, or the signal did not arrive".to_owned());
    }
    if has_probe { probe(film, None, 0.0) } else { Ok(()) }
}
