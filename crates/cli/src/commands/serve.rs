//! `moviola serve`: a server to which games connect to watch recordings.

use crate::cli::Talk;
use crate::failure::{self, Outcome};
use crate::input::{self, Again, printable};
use crate::inside;
use crate::leftovers;
use crate::progress::Bar;
use anyhow::{Context as _, Result, bail};
use clap::Args;
use moviola::edit::{Cut, Spans, rewrite};
use moviola::format::Game;
use moviola::net::First;
use moviola::net::server::{Server, Settings};
use moviola::net::show::Playlist;
use std::io::{self, BufWriter, Read};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

const MORE: &str = "\
Connect with the game that the recording is of: `connect 127.0.0.1:26000`. It
needs the recording's level and models, as for playing the file.

In the game, say (with `say`, in the chat):
  .list .play 2 .next     the recordings, another one, the next one
  .pause .seek 1:12       stop and go on, go to a moment of the game's clock
  .speed 0.5              half as fast

Examples:
  moviola serve run.dem
  moviola serve demos/ --listen 192.168.0.7:26000";

/// Show recordings to games that connect
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// Recordings, and folders of them.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where games connect.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:26000")]
    listen: SocketAddr,
    /// How many may watch at once.
    #[arg(long, value_name = "N", default_value_t = 32)]
    viewers: usize,
    /// The server's name in lists of servers.
    #[arg(long, value_name = "TEXT", default_value = "Moviola")]
    name: String,
}

/// The recordings of one game.
#[derive(Default)]
struct Recordings(Vec<Recording>);

struct Recording {
    source: Arc<Again>,
    map: String,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let (quake, quake2) = find(&options.files);
    let count = quake.len() + quake2.len();
    if count == 0 {
        bail!("no recording of Quake or Quake II that a game could be shown");
    }
    let settings = Settings {
        listen: options.listen,
        name: options.name.clone(),
        viewers: options.viewers,
        quake: Box::new(quake),
        quake2: Box::new(quake2),
    };
    let server = Server::bind(settings).with_context(|| format!("cannot listen on {}", options.listen))?;
    if !talk.quiet {
        let what = crate::units::things(count as u64, "recording");
        failure::line(&format!("{}: showing {what}; Ctrl-C ends it", server.address()?));
    }
    let (stop, flag) = (leftovers::stop_gently(), server.stop_flag());
    thread::spawn(move || {
        while !stop.asked() {
            thread::sleep(Duration::from_millis(100));
        }
        flag.store(true, Ordering::Relaxed);
    });
    server.run()?;
    Ok(Outcome::Good)
}

/// The recordings that paths name, by game. What cannot be shown is said and left out.
fn find(paths: &[PathBuf]) -> (Recordings, Recordings) {
    let (mut quake, mut quake2) = (Recordings::default(), Recordings::default());
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
                Ok((Some(first), source)) if first.is_players => {
                    let recording = Recording { source: Arc::new(source), map: first.map };
                    match first.game {
                        Game::Quake | Game::QuakeWorld => quake.0.push(recording),
                        Game::Quake2 => quake2.0.push(recording),
                    }
                }
                Ok((Some(_), source)) => failure::line(&format!(
                    "{}: recorded by a server; `moviola view` makes a player's recording of it",
                    source.name()
                )),
                Ok((None, _)) if from_folder => {}
                Ok((None, source)) => {
                    failure::line(&format!("{}: not a recording of Quake or Quake II", source.name()));
                }
                Err(why) => failure::line(&format!("{}: {why}", printable(&path))),
            }
        }
    }
    (quake, quake2)
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
        // What begins in the middle is what `cut` makes: the level's beginning and a whole frame come first.
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
