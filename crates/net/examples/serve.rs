//! A server that shows recordings: `cargo run -p moviola-net --example serve -- LISTEN FILES`. It ends when
//! standard input does.

use moviola_net::server::{Server, Settings};
use moviola_net::show::Playlist;
use std::error::Error;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

struct Files(Vec<PathBuf>);

impl Playlist for Files {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn title(&self, number: usize) -> String {
        self.0.get(number).map(|path| path.display().to_string()).unwrap_or_default()
    }
    fn map(&self, _: usize) -> String {
        String::new()
    }
    fn open(&self, number: usize, _: Option<f64>) -> io::Result<Box<dyn Read + Send>> {
        let path = self.0.get(number).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(BufReader::new(File::open(path)?)))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let listen = words.next().ok_or("give LISTEN FILES")?.parse()?;
    let (quake2, quake) =
        words.map(PathBuf::from).partition(|path: &PathBuf| path.extension().is_some_and(|it| it == "dm2"));
    let (quake, quake2) = (Box::new(Files(quake)), Box::new(Files(quake2)));
    let server = Server::bind(Settings { listen, name: "Moviola".into(), viewers: 32, quake, quake2 })?;
    let stop = server.stop_flag();
    std::thread::spawn(move || {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        stop.store(true, Ordering::Relaxed);
    });
    Ok(server.run()?)
}
