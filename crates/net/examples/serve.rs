//! A server that shows recordings: `cargo run -p moviola-net --example serve -- LISTEN FILES`. It ends when
//! standard input does.

use moviola_edit::{WholeLists, rewrite};
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
        let file = BufReader::new(File::open(path)?);
        if path.extension().is_none_or(|it| it != "qwd") {
            return Ok(Box::new(file));
        }
        // A live client of QuakeWorld needs whole lists of entities.
        let (reader, writer) = io::pipe()?;
        std::thread::spawn(move || rewrite(file, &mut WholeLists::default(), writer).map(drop));
        Ok(Box::new(reader))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let listen = words.next().ok_or("give LISTEN FILES")?.parse()?;
    let paths: Vec<PathBuf> = words.map(PathBuf::from).collect();
    let [quake, quake2, quakeworld] = ["dem", "dm2", "qwd"].map(|extension| -> Box<dyn Playlist> {
        let is_one = |path: &&PathBuf| path.extension().is_some_and(|it| it == extension);
        Box::new(Files(paths.iter().filter(is_one).cloned().collect()))
    });
    let name = "Moviola".to_owned();
    let server = Server::bind(Settings { listen, name, viewers: 32, quake, quake2, quakeworld })?;
    let stop = server.stop_flag();
    std::thread::spawn(move || {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        stop.store(true, Ordering::Relaxed);
    });
    Ok(server.run()?)
}
