//! A proxy that records games: `cargo run -p moviola-net --example proxy -- LISTEN SERVER PATTERN [wait]`,
//! for example `127.0.0.1:26001 127.0.0.1:26000 '{map}-{player}'`. It ends when standard input does.

use moviola_net::disk::{FileEvent, Recorder};
use moviola_net::proxy::{Proxy, Settings};
use std::error::Error;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [listen, server, pattern, wait @ ..] = &words[..] else {
        return Err("give LISTEN SERVER PATTERN [wait]".into());
    };
    let (copies, captured) = sync_channel(1024);
    let proxy =
        Proxy::bind(Settings { listen: listen.parse()?, server: server.parse()?, clients: 16 }, copies)?;
    let (handle, recorder) =
        (proxy.handle(), Recorder::new(Path::new(pattern), wait.is_empty()).through(proxy.handle()));
    let writer = thread::spawn(move || {
        recorder.run(&captured, |written| match written {
            FileEvent::Began { path, .. } => println!("{}: recording", path.display()),
            FileEvent::Ended { path, bytes } => println!("{}: {bytes} bytes", path.display()),
            FileEvent::Failed { path, why } => eprintln!("{}: {why}", path.display()),
            FileEvent::Notice(notice) => eprintln!("{notice}"),
        });
    });
    thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        handle.stop();
    });
    proxy.run()?;
    writer.join().map_err(|_| "the writer stopped")?;
    Ok(())
}
