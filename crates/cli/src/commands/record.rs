//! `moviola record`: a proxy between the game and its server, which records the packets that pass.

use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::printable;
use crate::leftovers;
use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use moviola::edit::{Broadcast as AsBroadcast, FromBlock, PieceSink, Stage, WholeLists};
use moviola::format::{Format, Game};
use moviola::net::disk::{FileEvent, Recorder};
use moviola::net::live::{GrowingRecording, Live};
use moviola::net::proxy::{Captured, Proxy, Settings};
use moviola::net::qtv::{self, Broadcast};
use moviola::net::server::{self, Server};
use moviola::net::show::Playlist;
use std::io::{self, BufRead, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

const AFTER_HELP: &str = "\
Connect the game to the proxy instead of the server: `connect 127.0.0.1:26001`.
The recording is the one that the engine's own `record` would write. It grows by
whole blocks, so that it can be played even if this program is killed.

In the game, `say .record` and `say .stop` start and stop a player's recording.
Here, type `record`, `stop` or `quit`; from elsewhere, SIGUSR1 starts and SIGUSR2
stops, except on Windows. Ctrl-C finishes all recordings properly.

{map}, {player} and {time} in a name are replaced by their values; if the name
exists, a number is added. A proxy changes nothing in the game, but servers may
forbid proxies: ask before you use one in a match.

A game of QuakeWorld that a server or a QTV broadcasts can be recorded without a
player: `moviola record qtv:HOST:PORT/ID`. If left out, PORT is 28000, and ID the
server's own game.

With --observe, others watch the recording live, from the moment at which they
connect with the same game: `connect 127.0.0.1:26002`. With --qtv, they watch a
game of QuakeWorld as a broadcast, with ezquake: `qtvplay 1@127.0.0.1:28000`. A
player's game is broadcast as far as the player sees it. Observers delay nobody.

Examples:
  moviola record --to play.example:26000 -o run.dem
  moviola record --to play.example:26000 --observe 26002
  moviola record qtv:qtv.example:28000/1 -o match.mvd
  moviola record --to play.example:27500 --listen 127.0.0.1:27501 -o '{map}-{time}'
  moviola record --to one.example:26000 --to two.example:26000 -o '{player}-{time}'
  moviola record --to 127.0.0.1:27910 --wait -o 'demos/{player}-{map}'";

/// The most copies that wait to be written: a few megabytes.
const MAX_WAITING: usize = 1024;

/// How long the program waits at the end of a broadcast for those who watch it.
const GOODBYE: Duration = Duration::from_secs(2);

/// Record a game with a proxy between the game and its server
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct RecordArgs {
    /// Record this broadcast of QuakeWorld instead of a game.
    // not from SCHEMA: options
    #[arg(value_name = "qtv:HOST:PORT/ID", value_parser = broadcast, conflicts_with_all = ["to", "listen", "split", "wait", "clients"])]
    broadcast: Option<Broadcast>,
    /// The server, as HOST:PORT. Give the option again for another server.
    #[arg(long, value_name = "HOST:PORT", required_unless_present = "broadcast")]
    to: Vec<String>,
    /// The address to which the game connects. Further servers have the next ports, or the addresses of further options.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:26001")]
    listen: Vec<SocketAddr>,
    /// The recording's name, in which {map}, {player} and {time} are replaced.
    #[arg(short, long, value_name = "NAME", default_value = "{map}-{player}-{time}")]
    output: PathBuf,
    /// Write a file for each level. Without it, a recording of Quake contains all levels, like that of its `record`.
    /// Quake II always writes one file a level, QuakeWorld never.
    #[arg(long)]
    split: bool,
    /// The address to which observers connect to watch live: PORT (on this machine alone) or ADDRESS:PORT.
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = port, conflicts_with = "broadcast")]
    observe: Option<SocketAddr>,
    /// Broadcast the recorded game to viewers of QTV: a broadcast as it is received, a player's game as the player sees it.
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, require_equals = true, default_missing_value = "127.0.0.1:28000")]
    qtv: Option<SocketAddr>,
    /// The greatest number of observers at the same time.
    #[arg(long, value_name = "N", default_value_t = 32)]
    observers: usize,
    /// Wait for `record`, `say .record` or a signal before recording.
    #[arg(long)]
    wait: bool,
    /// The greatest number of players at the same time.
    #[arg(long, value_name = "N", default_value_t = 16)]
    clients: usize,
}

pub(crate) fn run(options: &RecordArgs, talk: Verbosity) -> Result<Outcome> {
    if let Some(broadcast) = &options.broadcast {
        return receive(broadcast, options, talk);
    }
    let (copies, captured) = sync_channel(MAX_WAITING);
    let proxies = proxies(options, &copies)?;
    let Some(first) = proxies.first() else { bail!("give a server or a broadcast") };
    let (handle, recorder) = (
        first.handle(),
        Recorder::new(&options.output, !options.wait).split(options.split).through(first.handle()),
    );
    if !talk.quiet {
        let state = if options.wait { "waiting for `record`" } else { "recording" };
        for (proxy, to) in proxies.iter().zip(&options.to) {
            failure::line(&format!("{} -> {to}: {state}", proxy.address()?));
        }
    }
    let live = Live::new(join);
    if let Some(address) = options.observe {
        observe(address, &live, options.observers, talk)?;
    }
    if let Some(address) = options.qtv {
        let shown = live.made_into(Format::Mvd, Game::QuakeWorld, join_as_broadcast);
        // It ends with the program.
        offer(address, Box::new(shown), options.observers, talk, &Arc::default())?;
    }
    let writer = thread::spawn(move || {
        let mut outcome = Outcome::Good;
        recorder.run(&captured, |written| {
            live.handle(&written);
            report(&written, talk, &mut outcome);
        });
        outcome
    });
    #[cfg(unix)]
    listen_to_signals(copies.clone())?;
    let (stop, typed) = (leftovers::stop_gently(), handle.clone());
    thread::spawn(move || listen_to_the_terminal(&copies, &typed));
    let watched = handle.clone();
    thread::spawn(move || {
        while !stop.is_requested() {
            thread::sleep(Duration::from_millis(100));
        }
        watched.stop();
    });
    let run = |proxy: Proxy| {
        let handle = proxy.handle();
        // If one proxy fails, all stop: a game that nobody forwards must not look as if it were recorded.
        thread::spawn(move || proxy.run().inspect_err(|_| handle.stop()))
    };
    let running: Vec<_> = proxies.into_iter().map(run).collect();
    for proxy in running {
        proxy.join().map_err(|_| anyhow!("a proxy has stopped"))??;
    }
    let outcome = writer.join().map_err(|_| anyhow!("the thread that writes has stopped"))?;
    match handle.lost() {
        0 => Ok(outcome),
        lost => {
            failure::line(&format!(
                "{lost} datagrams passed faster than they could be written: the recordings have gaps"
            ));
            Ok(Outcome::Bad)
        }
    }
}

/// A proxy for each server, all of which listen already.
fn proxies(options: &RecordArgs, copies: &SyncSender<Captured>) -> Result<Vec<Proxy>> {
    if options.listen.len() > options.to.len() {
        bail!("there are more --listen than --to: give each server its address, in the same order");
    }
    let mut proxies: Vec<Proxy> = Vec::new();
    let mut last = None;
    for (number, to) in options.to.iter().enumerate() {
        let next =
            last.and_then(|last: SocketAddr| Some(SocketAddr::new(last.ip(), last.port().checked_add(1)?)));
        let listen = options.listen.get(number).copied().or(next);
        let listen = listen.ok_or_else(|| anyhow!("no port is left for {to}: give it a --listen"))?;
        let settings = Settings { listen, server: resolve(to, listen)?, clients: options.clients };
        let bound = match proxies.first() {
            Some(first) => first.beside(settings),
            None => Proxy::bind(settings, copies.clone()),
        };
        let proxy = bound.with_context(|| format!("cannot listen on {listen}"))?;
        last = Some(proxy.address()?);
        proxies.push(proxy);
    }
    Ok(proxies)
}

fn broadcast(text: &str) -> Result<Broadcast, String> {
    Broadcast::parse(text)
        .ok_or_else(|| "a broadcast is qtv:HOST:PORT/ID; a server is given with --to".to_owned())
}

/// `26002` and `192.168.0.7:26002`: a port alone is one of this machine.
fn port(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|_| text.parse()).map_err(|_| "give PORT or ADDRESS:PORT".to_owned())
}

/// Starts the server to which observers connect. It ends with the program.
fn observe(listen: SocketAddr, live: &Live, viewers: usize, talk: Verbosity) -> Result<()> {
    let [quake, quake2, quakeworld] = [Game::Quake, Game::Quake2, Game::QuakeWorld]
        .map(|game| -> Box<dyn Playlist> { Box::new(live.of(game)) });
    let name = "Moviola, live".to_owned();
    let settings = server::Settings { listen, name, viewers, quake, quake2, quakeworld };
    let server = Server::bind(settings).with_context(|| format!("cannot listen on {listen}"))?;
    if !talk.quiet {
        failure::line(&format!("{}: showing live what is recorded", server.address()?));
    }
    thread::spawn(move || {
        if let Err(why) = server.run() {
            failure::line(&format!("nothing is shown live any more: {why}"));
        }
    });
    Ok(())
}

/// Starts the server to whose broadcasts viewers of QTV connect.
fn offer(
    listen: SocketAddr,
    recordings: Box<dyn Playlist>,
    viewers: usize,
    verbosity: Verbosity,
    ended: &Arc<AtomicBool>,
) -> Result<()> {
    let listener = TcpListener::bind(listen).with_context(|| format!("cannot listen on {listen}"))?;
    if !verbosity.quiet {
        let address = listener.local_addr()?;
        failure::line(&format!("qtvplay 1@{address}: showing live what is recorded"));
    }
    let (settings, ended) = (qtv::Settings { viewers, recordings }, Arc::clone(ended));
    thread::spawn(move || qtv::run(&listener, settings, &ended));
    Ok(())
}

/// Writes the beginning for an observer who joins in the middle of a recording, then what follows.
fn join(growing: &mut GrowingRecording, first: u64, out: &mut dyn Write) -> io::Result<()> {
    if growing.format() != Format::Qwd {
        return pass(growing, &mut FromBlock::new(first, out));
    }
    let mut whole = WholeLists::default();
    let mut last = Stage::to_file(&mut whole, out);
    pass(growing, &mut FromBlock::before(first, &mut last))
}

/// Writes the beginning, then what follows, for a viewer of QTV who joins the recording of a QuakeWorld player.
fn join_as_broadcast(growing: &mut GrowingRecording, first: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut broadcast = AsBroadcast::default();
    let mut last = Stage::to_file(&mut broadcast, out);
    pass(growing, &mut FromBlock::before(first, &mut last))
}

fn pass(growing: &mut GrowingRecording, rest: &mut FromBlock<'_>) -> io::Result<()> {
    rest.begin(growing.format()).map_err(io::Error::other)?;
    while growing.next(|piece| rest.take(piece).map_err(io::Error::other))? {}
    rest.end().map_err(io::Error::other)
}

/// Records a broadcast until it ends.
fn receive(broadcast: &Broadcast, options: &RecordArgs, talk: Verbosity) -> Result<Outcome> {
    let stream = broadcast.open().with_context(|| format!("cannot watch {}", broadcast.host))?;
    let (stop, ended) = (leftovers::stop_gently(), Arc::new(AtomicBool::new(false)));
    let flag = Arc::clone(&ended);
    thread::spawn(move || {
        while !stop.is_requested() {
            thread::sleep(Duration::from_millis(100));
        }
        flag.store(true, Ordering::Relaxed);
    });
    let (mut outcome, live) = (Outcome::Good, Live::new(join));
    if let Some(address) = options.qtv {
        let shown = Box::new(live.of(Game::QuakeWorld));
        offer(address, shown, options.observers, talk, &ended)?;
    }
    let mut take = |written: FileEvent| {
        live.handle(&written);
        report(&written, talk, &mut outcome);
    };
    let kept = qtv::keep(stream, &options.output, &ended, &mut take);
    // The viewers still have to get the end.
    live.finish(GOODBYE);
    kept.with_context(|| format!("{}: the broadcast broke off", broadcast.host))?;
    Ok(outcome)
}

/// The address of a server that can be reached from our listening address.
fn resolve(name: &str, listen: SocketAddr) -> Result<SocketAddr> {
    let found: Vec<SocketAddr> = name
        .to_socket_addrs()
        .with_context(|| {
            format!("cannot find the server {name}: give it as HOST:PORT, as in play.example:26000")
        })?
        .collect();
    let same = found.iter().find(|address| address.is_ipv4() == listen.is_ipv4());
    same.or(found.first()).copied().ok_or_else(|| anyhow!("the server {name} has no address"))
}

fn listen_to_the_terminal(copies: &SyncSender<Captured>, handle: &moviola::net::proxy::Handle) {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let sent = match line.trim() {
            "record" => copies.send(Captured::Record),
            "stop" => copies.send(Captured::Stop),
            "quit" => {
                handle.stop();
                return;
            }
            "" => Ok(()),
            other => {
                failure::line(&format!("there is no command `{other}`: type record, stop or quit"));
                Ok(())
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Starts and stops recordings by signals, for scripts and for a run without a terminal.
#[cfg(unix)]
fn listen_to_signals(copies: SyncSender<Captured>) -> Result<()> {
    use signal_hook::consts::{SIGUSR1, SIGUSR2};
    let mut signals =
        signal_hook::iterator::Signals::new([SIGUSR1, SIGUSR2]).context("cannot wait for signals")?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let request = if signal == SIGUSR1 { Captured::Record } else { Captured::Stop };
            if copies.send(request).is_err() {
                return;
            }
        }
    });
    Ok(())
}

fn report(written: &FileEvent, talk: Verbosity, outcome: &mut Outcome) {
    match written {
        FileEvent::Began { path, .. } if !talk.quiet => {
            failure::line(&format!("{}: recording", printable(path)));
        }
        FileEvent::Ended { path, bytes } if !talk.quiet => {
            failure::line(&format!("{}: complete, {bytes} bytes", printable(path)));
        }
        FileEvent::Failed { path, why } => {
            failure::line(&format!("{}: stopped: {why}", printable(path)));
            *outcome = Outcome::Bad;
        }
        FileEvent::Notice(notice) if !talk.quiet => failure::line(&notice.to_string()),
        FileEvent::Began { .. } | FileEvent::Ended { .. } | FileEvent::Notice(_) => {}
    }
}
