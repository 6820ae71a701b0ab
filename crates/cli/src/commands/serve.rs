//! `moviola serve`: a server to which games connect to watch recordings.

use super::watch::{file_name, player};
use crate::cli::Talk;
use crate::failure::{self, Outcome};
use crate::input::{self, Again, printable};
use crate::inside;
use crate::leftovers;
use crate::progress::Bar;
use crate::scenes::GamePlaces;
use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use moviola::audit::audited_report;
use moviola::edit::{Cut, Spans, View, rewrite};
use moviola::export::{Story, page};
use moviola::format::Game;
use moviola::net::First;
use moviola::net::http::{self, Page, Site};
use moviola::net::qtv;
use moviola::net::server::{Server, Settings};
use moviola::net::show::Playlist;
use std::io::{self, BufWriter, Read};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

const MORE: &str = "\
Connect with the game of the recording: `connect 127.0.0.1:26000`. As for playing
the file, the game needs the recording's level and models.

Viewers control the playback with `say`, in the chat:
  .list .play 2 .next     list the recordings, play another one, play the next
  .pause .seek 1:12       stop and go on, go to a game time
  .speed 0.5              half as fast
In Quake the keys of the weapons choose as well: 1 to 9 a recording, 0 the next.
A server's recording of Quake II is shown from the point of view of each player.
A recording of a QuakeWorld server (.mvd) is shown with --qtv, to ezquake:
`qtvplay 1@127.0.0.1:28000` for the first of them.

Examples:
  moviola serve run.dem
  moviola serve demos/ --listen 192.168.0.7:26000
  moviola serve demos/ --http          also as web pages: http://127.0.0.1:26080/
  moviola serve matches/ --qtv         recordings of QuakeWorld's servers";

/// Serve recordings to games that connect
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// Recordings, and folders of them.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The address to which games connect.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:26000")]
    listen: SocketAddr,
    /// The greatest number of viewers at the same time.
    #[arg(long, value_name = "N", default_value_t = 32)]
    viewers: usize,
    /// Serve the recordings as pages for a browser too: reports, the player of `watch`, and the files.
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, require_equals = true, default_missing_value = "127.0.0.1:26080")]
    http: Option<SocketAddr>,
    #[command(flatten)]
    game: GamePlaces,
    /// Broadcast recordings of QuakeWorld servers too, for viewers of QTV.
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, require_equals = true, default_missing_value = "127.0.0.1:28000")]
    qtv: Option<SocketAddr>,
    /// The server's name in lists of servers.
    #[arg(long, value_name = "TEXT", default_value = "Moviola")]
    name: String,
}

/// The recordings of one game.
#[derive(Default)]
struct Recordings(Vec<Recording>);

/// The recordings by the way in which they are shown.
#[derive(Default)]
struct RecordingsByKind {
    quake: Recordings,
    quake2: Recordings,
    /// Of QuakeWorld's servers.
    broadcasts: Recordings,
}

struct Recording {
    source: Arc<Again>,
    map: String,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let RecordingsByKind { quake, quake2, broadcasts } = find(&options.files, options.qtv.is_some());
    let count = quake.len() + quake2.len() + broadcasts.len();
    if count == 0 {
        bail!("none of the files is a recording that can be served");
    }
    let what = crate::units::things(count as u64, "recording");
    let say = |address: String| {
        if !talk.quiet {
            failure::line(&format!("{address}: serving {what}; Ctrl-C ends it"));
        }
    };
    let all = quake.0.iter().chain(&quake2.0).chain(&broadcasts.0);
    let sources = all.map(|it| Arc::clone(&it.source)).collect();
    let pages = Pages { sources, game: options.game.clone(), making: Mutex::new(()) };
    let settings = Settings {
        listen: options.listen,
        name: options.name.clone(),
        viewers: options.viewers,
        quake: Box::new(quake),
        quake2: Box::new(quake2),
    };
    let server = Server::bind(settings).with_context(|| format!("cannot listen on {}", options.listen))?;
    say(server.address()?.to_string());
    let (stop, flag) = (leftovers::stop_gently(), server.stop_flag());
    if let Some(address) = options.qtv {
        let listener = TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
        say(format!("qtvplay 1@{}", listener.local_addr()?));
        let settings = qtv::Settings { viewers: options.viewers, recordings: Box::new(broadcasts) };
        let flag = Arc::clone(&flag);
        thread::spawn(move || qtv::run(&listener, settings, &flag));
    }
    if let Some(address) = options.http {
        let listener = TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
        say(format!("http://{}/", listener.local_addr()?));
        let (site, flag): (Arc<dyn Site>, _) = (Arc::new(pages), Arc::clone(&flag));
        thread::spawn(move || http::run(&listener, &site, &flag));
    }
    thread::spawn(move || {
        while !stop.asked() {
            thread::sleep(Duration::from_millis(100));
        }
        flag.store(true, Ordering::Relaxed);
    });
    server.run()?;
    Ok(Outcome::Good)
}

/// The recordings as pages: a list, and of each its report, the player and the file.
struct Pages {
    sources: Vec<Arc<Again>>,
    /// Where the files of the games are that players show.
    game: GamePlaces,
    /// Players are made one at a time: each takes memory for all of a recording.
    making: Mutex<()>,
}

impl Site for Pages {
    fn page(&self, path: &str) -> io::Result<Option<Page>> {
        let html = |text: String| Page {
            kind: "text/html; charset=utf-8",
            file: None,
            body: Box::new(io::Cursor::new(text.into_bytes())),
        };
        let Some((number, rest)) = path.trim_start_matches('/').split_once('/') else {
            return Ok((path == "/").then(|| html(self.list())));
        };
        let number = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let Some(source) = number.and_then(|number| self.sources.get(number)) else { return Ok(None) };
        let open = || source.open().map_err(io::Error::other);
        Ok(match rest {
            "" => Some(html(page(&Story::read(open()?, source.name())?, &audited_report(open()?)?))),
            "play" => {
                let _made = self.making.lock().unwrap_or_else(PoisonError::into_inner);
                let game = self.game.open().map_err(io::Error::other)?;
                let (player, _) =
                    player(&file_name(source.name()), open()?, game).map_err(io::Error::other)?;
                Some(html(player))
            }
            "file" => {
                let name = Path::new(source.name()).file_name().unwrap_or_default();
                let file = Some(name.to_string_lossy().into_owned());
                Some(Page { kind: "application/octet-stream", file, body: Box::new(open()?) })
            }
            _ => None,
        })
    }
}

impl Pages {
    fn list(&self) -> String {
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let line = |(at, source): (usize, &Arc<Again>)| {
            let (number, name) = (at + 1, escaped(source.name()));
            format!(
                "<li><a href=\"{number}/\">{name}</a> <a href=\"{number}/play\">play</a> \
                 <a href=\"{number}/file\">download</a></li>\n"
            )
        };
        let lines: String = self.sources.iter().enumerate().map(line).collect();
        format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Recordings</title>\n\
             <style>body {{ font: 16px sans-serif; margin: 2em; }}</style>\n<h1>Recordings</h1>\n<ol>\n{lines}</ol>\n"
        )
    }
}

/// The recordings in these paths, by game. A file that cannot be shown is left out with a message.
fn find(paths: &[PathBuf], has_qtv: bool) -> RecordingsByKind {
    let RecordingsByKind { mut quake, mut quake2, mut broadcasts } = RecordingsByKind::default();
    let (files, wrong) = input::list(paths);
    for wrong in wrong {
        failure::line(&wrong);
    }
    let bar = Bar::bytes(None, true);
    for (path, from_folder) in files {
        let found = inside::each_in_turn(&path, &bar, from_folder, |input| {
            let source = Again::new(input)?;
            Ok((First::of(source.open()?)?, source))
        });
        for found in found {
            match found {
                Ok((Some(First { game: Game::QuakeWorld, is_players, map }), source)) => {
                    if is_players {
                        failure::line(&format!(
                            "{}: a QuakeWorld player's recording; only those of servers can be shown",
                            source.name()
                        ));
                    } else if has_qtv {
                        broadcasts.0.push(Recording { source: Arc::new(source), map });
                    } else {
                        failure::line(&format!("{}: shown with --qtv", source.name()));
                    }
                }
                Ok((Some(first), source)) if first.is_players => {
                    let recording = Recording { source: Arc::new(source), map: first.map };
                    let list = if first.game == Game::Quake2 { &mut quake2 } else { &mut quake };
                    list.0.push(recording);
                }
                Ok((Some(_), source)) => match views(&source) {
                    Ok(views) if views.is_empty() => {
                        failure::line(&format!("{}: recorded by a server, without a player", source.name()));
                    }
                    Ok(views) => quake2.0.extend(views),
                    Err(why) => failure::line(&format!("{}: {why:#}", source.name())),
                },
                Ok((None, _)) if from_folder => {}
                Ok((None, source)) => {
                    failure::line(&format!("{}: not a recording", source.name()));
                }
                Err(why) => failure::line(&format!("{}: {why}", printable(&path))),
            }
        }
    }
    RecordingsByKind { quake, quake2, broadcasts }
}

/// A server's recording has no view of its own: it is shown as each of its players saw the game.
fn views(source: &Again) -> Result<Vec<Recording>> {
    /// The most players of a server's recording that get a view each.
    const MOST: usize = 16;
    let mut views = Vec::new();
    for player in 1..=MOST {
        let mut view = View::of(player.to_string());
        if view.find(source.open()?).is_err() {
            continue;
        }
        let (reader, writer) = io::pipe()?;
        let input = source.open()?;
        let name = format!("{}, player {player}", source.name());
        let made = thread::scope(|scope| {
            let work = scope.spawn(move || rewrite(input, &mut view, BufWriter::new(writer)).map(drop));
            let made = Again::kept(name, reader);
            let done = work.join().map_err(|_| anyhow!("a thread stopped"))?;
            done.map_err(|why| anyhow!("{why}"))?;
            made
        })?;
        if let Some(First { map, is_players: true, .. }) = First::of(made.open()?)? {
            views.push(Recording { source: Arc::new(made), map });
        }
    }
    Ok(views)
}

impl Playlist for Recordings {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn title(&self, number: usize) -> String {
        self.0.get(number).map(|it| it.source.name().to_owned()).unwrap_or_default()
    }

    fn map(&self, number: usize) -> String {
        self.0.get(number).map(|it| it.map.clone()).unwrap_or_default()
    }

    fn open(&self, number: usize, from: Option<f64>) -> io::Result<Box<dyn Read + Send>> {
        let source = &self.0.get(number).ok_or(io::ErrorKind::NotFound)?.source;
        let open = || source.open().map_err(io::Error::other);
        let Some(from) = from else { return Ok(Box::new(open()?)) };
        // A part from the middle comes from `cut`, which begins it with the level's beginning and a whole frame.
        let spans =
            Spans::parse(&format!("{from}..")).map_err(|mistake| io::Error::other(mistake.message))?;
        let found = spans.find(open()?).map_err(io::Error::other)?;
        let (reader, writer) = io::pipe()?;
        let input = open()?;
        thread::spawn(move || {
            // A viewer who goes away closes the pipe, which ends this.
            let _ = rewrite(input, &mut Cut::keep(found), BufWriter::new(writer));
        });
        Ok(Box::new(reader))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn a_recording_has_a_report_a_player_and_its_file() {
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/qs_15_lq_e0m9.dem");
        let RecordingsByKind { quake, .. } = find(&[sample.into()], false);
        let sources = quake.0.iter().map(|it| Arc::clone(&it.source)).collect();
        let pages = Pages { sources, game: GamePlaces::default(), making: Mutex::default() };
        let text = |path: &str| {
            let mut text = Vec::new();
            pages.page(path).unwrap().unwrap().body.read_to_end(&mut text).unwrap();
            text
        };
        let list = String::from_utf8(text("/")).unwrap();
        for link in ["\"1/\"", "\"1/play\"", "\"1/file\""] {
            assert!(list.contains(link), "{list}");
        }
        let player = String::from_utf8(text("/1/play")).unwrap();
        assert!(player.contains("data-name=\"qs_15_lq_e0m9.dem\""));
        assert_eq!(text("/1/file"), std::fs::read(sample).unwrap());
        assert!(pages.page("/2/play").unwrap().is_none() && pages.page("/1/other").unwrap().is_none());
    }
}
