//! The recordings for the measurements.

use moviola_format::{Block, Demo, Game, Piece};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A recording in memory.
#[derive(Debug)]
pub struct Input {
    /// Its file's name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its game.
    pub game: Game,
}

impl Input {
    fn open(path: &Path) -> Option<Self> {
        let bytes = fs::read(path).ok()?;
        let game = Demo::new(&bytes[..]).ok()?.game()?;
        Some(Self { name: path.file_name()?.to_string_lossy().into_owned(), bytes, game })
    }
}

/// The folder of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// A committed recording: the same on every machine, so that instructions can be compared.
///
/// # Panics
///
/// If there is no such sample.
pub fn committed(name: &str) -> Input {
    let found = Input::open(&root().join("samples").join(name));
    found.unwrap_or_else(|| unreachable!("samples/{name} is committed"))
}

/// A recording of one block with this many messages, to check that the cost of a message does not depend on the block's
/// length.
pub fn one_block(messages: usize) -> Input {
    let mut data = Vec::new();
    for number in 0..messages {
        // An update of two coordinates: entity, x and y.
        data.extend([0x80 | 0x02 | 0x04, (number % 255 + 1) as u8]);
        data.extend((number as u16).to_le_bytes());
        data.extend((number as u16).wrapping_mul(7).to_le_bytes());
    }
    let mut bytes = b"-1\n".to_vec();
    // Writing to memory does not fail.
    let _ = Piece::Block(Block::new(&data)).write(Game::Quake, &mut bytes);
    Input { name: format!("one block, {messages} messages"), bytes, game: Game::Quake }
}

/// Freedoom's demo, with its tics repeated this many times: recordings of input are short, and a bench needs long ones.
///
/// # Panics
///
/// If there is no such sample.
pub fn pressed(times: usize) -> Vec<u8> {
    let path = root().join("samples/freedoom/fd1-demo1.lmp");
    let Ok(demo) = fs::read(path) else { unreachable!("Freedoom's demo is committed") };
    // DOOM's header; the last byte is the end mark.
    let (header, rest) = demo.split_at(13);
    let (end, tics) = rest.split_last().unwrap_or((&0, &[]));
    [header, &tics.repeat(times), &[*end]].concat()
}

/// For people: the largest recordings of each game in the folder that `MOVIOLA_CORPUS` names, in `../shared/corpus`,
/// or among the samples.
pub fn chosen() -> Vec<Input> {
    let named = env::var_os("MOVIOLA_CORPUS").map(PathBuf::from);
    let folders = named.into_iter().chain([root().join("../shared/corpus"), root().join("samples")]);
    let mut inputs =
        folders.map(|folder| recordings(&folder)).find(|found| !found.is_empty()).unwrap_or_default();
    inputs.sort_by_key(|input| std::cmp::Reverse(input.bytes.len()));
    let of = |game| inputs.iter().position(move |input| input.game == game);
    let games = [Game::Quake, Game::Quake2, Game::QuakeWorld];
    let mut wanted: Vec<usize> = games.into_iter().filter_map(of).collect();
    wanted.sort_unstable();
    let mut place = 0..;
    inputs.retain(|_| place.next().is_some_and(|place| wanted.contains(&place)));
    inputs
}

/// All recordings in a folder and its subfolders.
fn recordings(folder: &Path) -> Vec<Input> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let is_recording = |path: &&PathBuf| {
        let is = |wanted: &str| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(wanted));
        ["dem", "dm2", "qwd", "mvd"].into_iter().any(is)
    };
    let here = files.iter().filter(is_recording).filter_map(|path| Input::open(path));
    here.chain(folders.iter().flat_map(|folder| recordings(folder))).collect()
}
