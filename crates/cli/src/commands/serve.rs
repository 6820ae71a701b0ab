//! `moviola serve`: a server to which games connect to watch recordings.

use super::watch::{file_name, player};
use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{self, ReopenableInput, printable};
use crate::inside;
use crate::leftovers;
use crate::progress::Bar;
use crate::scenes::GamePlaces;
use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use moviola::audit::audited_report;
use moviola::edit::{Chain, Cut, FoundSpans, OpenInput, Spans, View, WholeLists, rewrite};
use moviola::export::{Story, page};
use moviola::format::{Demo, Game, Piece};
use moviola::net::First;
use moviola::net::http::{self, Page, Site};
use moviola::net::qtv;
use moviola::net::server::{Server, Settings};
use moviola::net::show::Playlist;
use moviola::state::Playhead;
use moviola::state::quakeworld::World;
use std::io::{self, BufWriter, Read};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

const AFTER_HELP: &str = "\
Connect with the game of the recording: `connect 127.0.0.1:26000`. As for playing
the file, the game needs the recording's level and models.

Viewers control the playback with `say`, in the chat:
  .list .play 2 .next     list the recordings, play another one, play the next
  .pause .seek 1:12       stop and go on, go to a game time
  .speed 0.5              half as fast
In Quake the keys of the weapons choose as well: 1 to 9 a recording, 0 the next.
A server's recording of Quake II or QuakeWorld is shown from the point of view of
each player. With --qtv, those of QuakeWorld (.mvd) are broadcast to ezquake:
`qtvplay 1@127.0.0.1:28000` for the first of them.

Examples:
  moviola serve run.dem
  moviola serve demos/ --listen 192.168.0.7:26000
  moviola serve demos/ --http          also as web pages: http://127.0.0.1:26080/
  moviola serve matches/ --qtv         recordings of QuakeWorld's servers";

/// Serve recordings to games that connect
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ServeArgs {
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
    quakeworld: Recordings,
    /// MVDs, which QuakeWorld's servers record.
    broadcasts: Recordings,
}

struct Recording {
    source: Arc<ReopenableInput>,
    title: String,
    map: String,
    /// The player of a QuakeWorld match, counted from 1, whose view is shown; `None` if the file is a player's own.
    player: Option<usize>,
    /// Whether no packet may build on another one: a live client of QuakeWorld gets other numbers than those of the
    /// recording.
    needs_whole_lists: bool,
}

impl Recording {
    /// A recording that is shown without changes.
    fn new(source: ReopenableInput, title: String, map: String) -> Self {
        Self { source: Arc::new(source), title, map, player: None, needs_whole_lists: false }
    }

    /// The edits that turn the file into the recording that a client gets from a moment on.
    fn prepare(&self, from: Option<f64>) -> Result<Preparation> {
        let mut preparation = Preparation { whole_lists: self.needs_whole_lists, ..Preparation::default() };
        if let Some(player) = self.player {
            let mut view = View::of(player.to_string());
            view.find(self.source.open()?).map_err(|why| anyhow!("{why}"))?;
            preparation.view = Some(view);
        }
        if let Some(from) = from {
            let spans =
                Spans::parse(&format!("{from}..")).map_err(|mistake| anyhow!("{}", mistake.message))?;
            let find = |spans: &Spans| spans.find(preparation.chain(&self.source).open()?);
            // A moment after the end counts as the end.
            let found = find(&spans).or_else(|_| find(&self.end(&preparation)?));
            preparation.part = Some(found.map_err(|why| anyhow!("{why}"))?);
        }
        Ok(preparation)
    }

    /// The last blocks.
    fn end(&self, preparation: &Preparation) -> io::Result<Spans> {
        /// A second of most games.
        const BLOCKS: u64 = 20;
        let (mut demo, mut count) = (Demo::new(preparation.chain(&self.source).open()?)?, 0_u64);
        while let Some(piece) = demo.next_piece()? {
            count += u64::from(matches!(piece, Piece::Block(_)));
        }
        Ok(Spans::of_blocks([(count.saturating_sub(BLOCKS), count)]))
    }
}

/// Edits of a recording before it is shown.
#[derive(Default)]
struct Preparation {
    view: Option<View>,
    /// A part from the middle begins with the level's beginning and a whole frame.
    part: Option<FoundSpans>,
    whole_lists: bool,
}

impl Preparation {
    fn is_empty(&self) -> bool {
        self.view.is_none() && self.part.is_none() && !self.whole_lists
    }

    fn chain(&self, source: &Arc<ReopenableInput>) -> Chain<'static> {
        let source = Arc::clone(source);
        let open: OpenInput<'static> =
            Rc::new(move || Ok(Box::new(source.open().map_err(io::Error::other)?)));
        let mut chain = Chain::of(open);
        if let Some(view) = &self.view {
            chain.then(view.clone());
        }
        if let Some(part) = &self.part {
            chain.then(Cut::keep(part.clone()));
        }
        if self.whole_lists {
            chain.then(WholeLists::default());
        }
        chain
    }
}

pub(crate) fn run(options: &ServeArgs, talk: Verbosity) -> Result<Outcome> {
    let RecordingsByKind { quake, quake2, quakeworld, broadcasts } =
        find(&options.files, options.qtv.is_some());
    let count = [&quake, &quake2, &quakeworld].map(Playlist::len).iter().sum::<usize>();
    let broadcast = broadcasts.len();
    if count + broadcast == 0 {
        bail!("none of the files is a recording that can be served");
    }
    let announce = |address: String, count: usize| {
        if !talk.quiet {
            let what = crate::units::counted(count as u64, "recording");
            failure::line(&format!("{address}: serving {what}; Ctrl-C ends it"));
        }
    };
    let all = [&quake, &quake2, &quakeworld, &broadcasts].into_iter().flat_map(|list| &list.0);
    let mut sources: Vec<_> = all.map(|it| Arc::clone(&it.source)).collect();
    // The players of a match share its file.
    sources.dedup_by(|one, other| Arc::ptr_eq(one, other));
    let pages =
        Pages { sources, paths: options.files.clone(), game: options.game.clone(), making: Mutex::new(()) };
    let settings = Settings {
        listen: options.listen,
        name: options.name.clone(),
        viewers: options.viewers,
        quake: Box::new(quake),
        quake2: Box::new(quake2),
        quakeworld: Box::new(quakeworld),
    };
    let server = Server::bind(settings).with_context(|| format!("cannot listen on {}", options.listen))?;
    announce(server.address()?.to_string(), count);
    let (stop, flag) = (leftovers::stop_gently(), server.stop_flag());
    if let Some(address) = options.qtv {
        let listener = TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
        announce(format!("qtvplay 1@{}", listener.local_addr()?), broadcast);
        let settings = qtv::Settings { viewers: options.viewers, recordings: Box::new(broadcasts) };
        let flag = Arc::clone(&flag);
        thread::spawn(move || qtv::run(&listener, settings, &flag));
    }
    if let Some(address) = options.http {
        let listener = TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
        announce(format!("http://{}/", listener.local_addr()?), pages.sources.len());
        let (site, flag): (Arc<dyn Site>, _) = (Arc::new(pages), Arc::clone(&flag));
        thread::spawn(move || http::run(&listener, &site, &flag));
    }
    thread::spawn(move || {
        while !stop.is_requested() {
            thread::sleep(Duration::from_millis(100));
        }
        flag.store(true, Ordering::Relaxed);
    });
    server.run()?;
    Ok(Outcome::Good)
}

/// Browsers ask for an icon beside any page: a reel.
const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\">\
                    <circle cx=\"4\" cy=\"4\" r=\"3\" fill=\"none\" stroke=\"gray\" stroke-width=\"2\"/></svg>";

/// The recordings as pages: a list, and of each its report, the player and the file.
struct Pages {
    sources: Vec<Arc<ReopenableInput>>,
    /// The paths that were given. A recording's address shows only the part of its path inside one of them.
    paths: Vec<PathBuf>,
    /// Where the files of the games are that players show.
    game: GamePlaces,
    /// Players are made one at a time: each takes memory for all of a recording.
    making: Mutex<()>,
}

impl Site for Pages {
    fn page(&self, path: &str) -> io::Result<Option<Page>> {
        let page_of = |kind, text: String| Page {
            kind,
            file: None,
            length: text.len() as u64,
            body: Box::new(io::Cursor::new(text.into_bytes())),
        };
        let html = |text| page_of("text/html; charset=utf-8", text);
        if path == "/favicon.ico" {
            return Ok(Some(page_of("image/svg+xml", ICON.to_owned())));
        }
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
                // Of a file in an archive only its end shows its length.
                let length = io::copy(&mut open()?, &mut io::sink())?;
                Some(Page { kind: "application/octet-stream", file, length, body: Box::new(open()?) })
            }
            _ => None,
        })
    }
}

impl Pages {
    fn list(&self) -> String {
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let line = |(at, source): (usize, &Arc<ReopenableInput>)| {
            let (number, name) = (at + 1, escaped(&title(source.name(), &self.paths)));
            format!(
                "<li><a href=\"{number}/\">{name}</a> <a href=\"{number}/play\">play</a> \
                 <a href=\"{number}/file\">download</a></li>\n"
            )
        };
        let lines: String = self.sources.iter().enumerate().map(line).collect();
        format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Recordings</title>\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <style>body {{ font: 16px sans-serif; margin: 2em; overflow-wrap: anywhere; }}\n\
             ol {{ padding-left: 2em; }} li {{ margin: 0.5em 0; }}</style>\n\
             <h1>Recordings</h1>\n<ol>\n{lines}</ol>\n"
        )
    }
}

/// The name of a recording in lists: viewers need not know where the folders are.
fn title(name: &str, paths: &[PathBuf]) -> String {
    let path = Path::new(name);
    let mut folders = paths.iter().filter(|path| path.is_dir());
    let inside = folders.find_map(|folder| path.strip_prefix(folder).ok());
    inside.or(path.file_name().map(Path::new)).unwrap_or(path).display().to_string()
}

/// The recordings in these paths, by game. A file that cannot be shown is left out with a message.
fn find(paths: &[PathBuf], has_qtv: bool) -> RecordingsByKind {
    let mut lists = RecordingsByKind::default();
    let (files, wrong) = input::list(paths);
    for wrong in wrong {
        failure::line(&wrong);
    }
    let bar = Bar::bytes(None, true);
    for (path, from_folder) in files {
        let found = inside::each_in_turn(&path, &bar, from_folder, |input| {
            let source = ReopenableInput::new(input)?;
            Ok((First::of(source.open()?)?, source))
        });
        for found in found {
            match found {
                Ok((Some(First { game: Game::QuakeWorld, is_players, map }), source)) => {
                    let title = title(source.name(), paths);
                    let recording = Recording::new(source, title, map);
                    if is_players {
                        lists.quakeworld.0.push(Recording { needs_whole_lists: true, ..recording });
                    } else if has_qtv {
                        lists.broadcasts.0.push(recording);
                    } else {
                        match players(&recording) {
                            Ok(players) if players.is_empty() => {
                                failure::line(&format!("{}: without a player", recording.title));
                            }
                            Ok(players) => lists.quakeworld.0.extend(players),
                            Err(why) => failure::line(&format!("{}: {why:#}", recording.title)),
                        }
                    }
                }
                Ok((Some(first), source)) if first.is_players => {
                    let list = if first.game == Game::Quake2 { &mut lists.quake2 } else { &mut lists.quake };
                    let title = title(source.name(), paths);
                    list.0.push(Recording::new(source, title, first.map));
                }
                Ok((Some(_), source)) => match views(&source, &title(source.name(), paths)) {
                    Ok(views) if views.is_empty() => {
                        failure::line(&format!("{}: recorded by a server, without a player", source.name()));
                    }
                    Ok(views) => lists.quake2.0.extend(views),
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
    lists
}

/// A server's recording has no view of its own: it is shown as each of its players saw the game.
fn views(source: &ReopenableInput, title: &str) -> Result<Vec<Recording>> {
    /// The most players of a server's recording that get a view each.
    const MAX_VIEWS: usize = 16;
    let mut views = Vec::new();
    for player in 1..=MAX_VIEWS {
        let mut view = View::of(player.to_string());
        if view.find(source.open()?).is_err() {
            continue;
        }
        let (reader, writer) = io::pipe()?;
        let input = source.open()?;
        let name = format!("{title}, player {player}");
        let recordings = thread::scope(|scope| {
            let work = scope.spawn(move || rewrite(input, &mut view, BufWriter::new(writer)).map(drop));
            let made = ReopenableInput::keep_copy(name.clone(), reader);
            let done = work.join().map_err(|_| anyhow!("a thread stopped"))?;
            done.map_err(|why| anyhow!("{why}"))?;
            made
        })?;
        if let Some(First { map, is_players: true, .. }) = First::of(recordings.open()?)? {
            views.push(Recording::new(recordings, name, map));
        }
    }
    Ok(views)
}

/// The recordings of the players of a QuakeWorld match, one for each who was there when the recording began.
fn players(of: &Recording) -> Result<Vec<Recording>> {
    /// The blocks with which a recording begins, before anybody moves.
    const FIRST_BLOCKS: usize = 256;
    let (mut demo, mut head) = (Demo::new(of.source.open()?)?, Playhead::<World>::new());
    for _ in 0..FIRST_BLOCKS {
        if let Some(Piece::Block(block)) = demo.next_piece()? {
            head.step(&block);
        }
    }
    let slots = (1..).zip(head.world.players.iter());
    let present = slots.filter(|(_, player)| player.is_here() && !player.is_spectator());
    let view = |(number, _)| Recording {
        source: Arc::clone(&of.source),
        title: format!("{}, player {number}", of.title),
        map: of.map.clone(),
        player: Some(number),
        needs_whole_lists: false,
    };
    Ok(present.map(view).collect())
}

impl Playlist for Recordings {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn title(&self, number: usize) -> String {
        self.0.get(number).map(|it| it.title.clone()).unwrap_or_default()
    }

    fn map(&self, number: usize) -> String {
        self.0.get(number).map(|it| it.map.clone()).unwrap_or_default()
    }

    fn open(&self, number: usize, from: Option<f64>) -> io::Result<Box<dyn Read + Send>> {
        let recording = self.0.get(number).ok_or(io::ErrorKind::NotFound)?;
        let preparation = recording.prepare(from).map_err(io::Error::other)?;
        if preparation.is_empty() {
            return Ok(Box::new(recording.source.open().map_err(io::Error::other)?));
        }
        let (reader, writer) = io::pipe()?;
        let source = Arc::clone(&recording.source);
        thread::spawn(move || {
            // A viewer who goes away closes the pipe, which ends this.
            let _ = preparation.chain(&source).write(BufWriter::new(writer));
        });
        Ok(Box::new(reader))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn a_match_is_shown_as_each_player_saw_it() {
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/mvdsv_bots_lqdm2.mvd");
        let RecordingsByKind { quakeworld, broadcasts, .. } = find(&[sample.into()], false);
        assert!(quakeworld.len() > 1 && broadcasts.is_empty());
        for from in [None, Some(12.0)] {
            let mut view = Vec::new();
            quakeworld.open(1, from).unwrap().read_to_end(&mut view).unwrap();
            let first = First::of(&view[..]).unwrap().unwrap();
            assert_eq!((first.game, first.is_players, &first.map[..]), (Game::QuakeWorld, true, "lqdm2"));
        }
        let RecordingsByKind { quakeworld, broadcasts, .. } = find(&[sample.into()], true);
        assert!(quakeworld.is_empty() && broadcasts.len() == 1);
    }

    #[test]
    fn lists_name_recordings_by_their_place_in_the_folder() {
        let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"));
        let name = |path: &str| title(folder.join(path).to_str().unwrap(), std::slice::from_ref(&folder));
        assert_eq!(name("a/run.dem"), format!("a{}run.dem", std::path::MAIN_SEPARATOR));
        assert_eq!(title("/demos/run.dem", &["/demos/run.dem".into()]), "run.dem");
    }

    #[test]
    fn a_moment_after_the_end_is_the_end() {
        for sample in ["qs_15_lq_e0m9.dem", "yq_sp.dm2", "ez_duo_lqdm2.qwd"] {
            let path = format!("{}/../../samples/{sample}", env!("CARGO_MANIFEST_DIR"));
            let lists = find(&[path.into()], false);
            let list = [lists.quake, lists.quake2, lists.quakeworld].into_iter().find(|it| !it.is_empty());
            let mut end = Vec::new();
            list.unwrap().open(0, Some(100_000.0)).unwrap().read_to_end(&mut end).unwrap();
            assert!(First::of(&end[..]).unwrap().is_some_and(|first| !first.map.is_empty()), "{sample}");
        }
    }

    #[test]
    fn a_recording_has_a_report_a_player_and_its_file() {
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/qs_15_lq_e0m9.dem");
        let RecordingsByKind { quake, .. } = find(&[sample.into()], false);
        let sources = quake.0.iter().map(|it| Arc::clone(&it.source)).collect();
        let pages =
            Pages { sources, paths: Vec::new(), game: GamePlaces::default(), making: Mutex::default() };
        let text = |path: &str| {
            let mut text = Vec::new();
            pages.page(path).unwrap().unwrap().body.read_to_end(&mut text).unwrap();
            text
        };
        let list = String::from_utf8(text("/")).unwrap();
        assert!(String::from_utf8(text("/favicon.ico")).unwrap().starts_with("<svg "));
        for link in ["\"1/\"", "\"1/play\"", "\"1/file\""] {
            assert!(list.contains(link), "{list}");
        }
        let player = String::from_utf8(text("/1/play")).unwrap();
        assert!(player.contains("data-name=\"qs_15_lq_e0m9.dem\""));
        assert_eq!(text("/1/file"), std::fs::read(sample).unwrap());
        assert!(pages.page("/2/play").unwrap().is_none() && pages.page("/1/other").unwrap().is_none());
    }
}
