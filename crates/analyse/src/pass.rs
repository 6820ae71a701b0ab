//! One pass over a recording, which shows the world after each block to its watchers.

use moviola_format::mvd2::Relay;
use moviola_format::{Block, Demo, Dialect, Entry, Fault, Format, Game, Piece, dem, dm2, qw};
use moviola_state::{Playhead, World, quake, quake2, quakeworld};
use std::io::{self, Read};

/// The current place of the pass in a recording.
///
/// ```
/// use moviola_analyse::{PassPosition, Watch, watch};
///
/// /// The offsets of the blocks.
/// #[derive(Default)]
/// struct Begins(Vec<u64>);
/// impl Watch for Begins {
///     fn quake(&mut self, _: &moviola_state::quake::World, here: &PassPosition) {
///         self.0.push(here.offset);
///     }
/// }
///
/// let mut begins = Begins::default();
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// watch(&file[..], &mut [&mut begins]).unwrap();
/// assert_eq!(begins.0, [3, 20]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PassPosition {
    /// The current block, counted from 0 as in the text; also 0 before the first one.
    pub block: u64,
    /// The offset of the current piece in the file.
    pub offset: u64,
    /// The game's time in seconds; `None` before the level's first time. Quake: the last time that the server
    /// sent in this level. Quake II: a tenth of a second for each frame. QuakeWorld: the time of the
    /// recording, which is the client's clock in a QWD and starts at 0 in an MVD.
    pub time: Option<f64>,
    /// The level, counted from 1; 0 before the first one is announced.
    pub level: u32,
    /// The number of frames so far: Quake's `time` messages, Quake II's frames, QuakeWorld's packets, and the
    /// distinct times of an MVD.
    pub frames: u64,
    /// The reason if the block was not read to its end. The part that was read counts nevertheless.
    pub fault: Option<Fault>,
    /// The block went from the client to the server (`DarkPlaces`), so it changes nothing.
    pub from_client: bool,
    /// The file ends inside the block.
    pub truncated: bool,
}

/// A watcher of a recording. All methods are optional: implement those that are of interest.
///
/// [`begin`](Self::begin) is called first, and [`end`](Self::end) last. For each block the calls are, in this order:
/// [`file_piece`](Self::file_piece), the messages for watchers that want them (with `leave_quake`, or that of
/// another game, before each that announces a level), and the world, once, after the block.
///
/// ```
/// use moviola_analyse::{PassPosition, Watch, watch};
/// use moviola_format::{Entry, dem};
///
/// /// The number of messages.
/// #[derive(Default)]
/// struct Messages(usize);
/// impl Watch for Messages {
///     fn wants_messages(&self) -> bool {
///         true
///     }
///     fn quake_message(&mut self, _: &Entry<dem::Message<'_>>, _: &PassPosition) {
///         self.0 += 1;
///     }
/// }
///
/// let mut messages = Messages::default();
/// watch(&b"-1\n\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x1b\x1b"[..], &mut [&mut messages]).unwrap();
/// assert_eq!(messages.0, 2);
/// ```
pub trait Watch {
    /// Called first, with the format of the file. If it is not a recording, only
    /// [`file_piece`](Self::file_piece) and [`end`](Self::end) follow.
    fn begin(&mut self, format: Format) {
        let _ = format;
    }

    /// The world of a Quake recording after a block.
    fn quake(&mut self, world: &quake::World, here: &PassPosition) {
        let _ = (world, here);
    }

    /// The world of a Quake II recording after a block.
    fn quake2(&mut self, world: &quake2::World, here: &PassPosition) {
        let _ = (world, here);
    }

    /// The world of a QuakeWorld recording after a block.
    fn quakeworld(&mut self, world: &quakeworld::World, here: &PassPosition) {
        let _ = (world, here);
    }

    /// Called with the old world before a message of the block announces a level. The happenings of the block up to
    /// here are shown once more after the block, together with the later ones.
    fn leave_quake(&mut self, world: &quake::World, here: &PassPosition) {
        let _ = (world, here);
    }

    /// Does for Quake II what [`leave_quake`](Self::leave_quake) does for Quake.
    fn leave_quake2(&mut self, world: &quake2::World, here: &PassPosition) {
        let _ = (world, here);
    }

    /// Does for QuakeWorld what [`leave_quake`](Self::leave_quake) does for Quake.
    fn leave_quakeworld(&mut self, world: &quakeworld::World, here: &PassPosition) {
        let _ = (world, here);
    }

    /// A piece of the file (its header, a block, the end mark or raw bytes), before it is interpreted.
    fn file_piece(&mut self, piece: &Piece<'_>, here: &PassPosition) {
        let _ = (piece, here);
    }

    /// Whether the watcher also needs messages; called once. Messages cost time, and only the audit needs them.
    fn wants_messages(&self) -> bool {
        false
    }

    /// A message of Quake, before it changes the world.
    fn quake_message(&mut self, entry: &Entry<dem::Message<'_>>, here: &PassPosition) {
        let _ = (entry, here);
    }

    /// A message of Quake II, before it changes the world.
    fn quake2_message(&mut self, entry: &Entry<dm2::Message<'_>>, here: &PassPosition) {
        let _ = (entry, here);
    }

    /// A message of a QuakeWorld server, before it changes the world.
    fn quakeworld_message(&mut self, entry: &Entry<qw::Message<'_>>, here: &PassPosition) {
        let _ = (entry, here);
    }

    /// The end of the file; `here.offset` is its length.
    fn end(&mut self, here: &PassPosition) {
        let _ = here;
    }
}

/// The meaning of a message for the pass.
enum MessageRole {
    None,
    Time(Option<f64>),
    Level,
}

/// A game, with the functions that the pass needs.
trait Subject: World {
    fn sign(message: &<Self::Dialect as Dialect>::Message<'_>) -> MessageRole;
    fn show_message(
        watcher: &mut dyn Watch,
        entry: &Entry<<Self::Dialect as Dialect>::Message<'_>>,
        here: &PassPosition,
    );
    fn show(&self, watcher: &mut dyn Watch, here: &PassPosition);
    fn show_left(&self, watcher: &mut dyn Watch, here: &PassPosition);
    /// The time in the head of the current block; `None` in games whose messages have the time.
    fn stamped(&self) -> Option<f64> {
        None
    }
}

impl Subject for quake::World {
    #[inline]
    fn sign(message: &dem::Message<'_>) -> MessageRole {
        match message {
            dem::Message::Time(it) => {
                let time = it.time.value();
                MessageRole::Time(time.is_finite().then_some(f64::from(time)))
            }
            dem::Message::ServerInfo(_) => MessageRole::Level,
            _ => MessageRole::None,
        }
    }
    fn show_message(watcher: &mut dyn Watch, entry: &Entry<dem::Message<'_>>, here: &PassPosition) {
        watcher.quake_message(entry, here);
    }
    fn show(&self, watcher: &mut dyn Watch, here: &PassPosition) {
        watcher.quake(self, here);
    }
    fn show_left(&self, watcher: &mut dyn Watch, here: &PassPosition) {
        watcher.leave_quake(self, here);
    }
}

/// The number of frames in a second of Quake II.
const FRAMES: f64 = 10.0;

impl Subject for quake2::World {
    #[inline]
    fn sign(message: &dm2::Message<'_>) -> MessageRole {
        match message {
            dm2::Message::FrameMessage(it) => MessageRole::Time(Some(f64::from(it.head.seq1) / FRAMES)),
            dm2::Message::ServerData(_) => MessageRole::Level,
            _ => MessageRole::None,
        }
    }
    fn show_message(watcher: &mut dyn Watch, entry: &Entry<dm2::Message<'_>>, here: &PassPosition) {
        watcher.quake2_message(entry, here);
    }
    fn show(&self, watcher: &mut dyn Watch, here: &PassPosition) {
        watcher.quake2(self, here);
    }
    fn show_left(&self, watcher: &mut dyn Watch, here: &PassPosition) {
        watcher.leave_quake2(self, here);
    }
}

impl Subject for quakeworld::World {
    #[inline]
    fn sign(message: &qw::Message<'_>) -> MessageRole {
        if let qw::Message::ServerData(_) = message { MessageRole::Level } else { MessageRole::None }
    }
    fn show_message(watcher: &mut dyn Watch, entry: &Entry<qw::Message<'_>>, here: &PassPosition) {
        watcher.quakeworld_message(entry, here);
    }
    fn show(&self, watcher: &mut dyn Watch, here: &PassPosition) {
        watcher.quakeworld(self, here);
    }
    fn show_left(&self, watcher: &mut dyn Watch, here: &PassPosition) {
        watcher.leave_quakeworld(self, here);
    }
    fn stamped(&self) -> Option<f64> {
        self.seconds()
    }
}

/// Plays a recording to all watchers. Only one block is in memory at a time.
///
/// Nothing in the file is an error: [`PassPosition::fault`] has the reason why a block could not be read to its end,
/// and a file that is not a recording has no blocks. Errors are those of `source`.
///
/// ```
/// use moviola_analyse::{PassPosition, Watch, watch};
/// use moviola_state::quake;
///
/// #[derive(Default)]
/// struct Kills(i32);
/// impl Watch for Kills {
///     fn quake(&mut self, world: &quake::World, _: &PassPosition) {
///         self.0 = world.stats.get(quake::Stat::Monsters);
///     }
/// }
///
/// let mut kills = Kills::default();
/// watch(&b"-1\n\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x1b\x1b"[..], &mut [&mut kills]).unwrap();
/// assert_eq!(kills.0, 2);
/// ```
pub fn watch(mut source: impl Read, watchers: &mut [&mut dyn Watch]) -> io::Result<()> {
    // The pass is compiled once, not for each kind of stream.
    watch_stream(&mut source, watchers)
}

fn watch_stream(source: &mut dyn Read, watchers: &mut [&mut dyn Watch]) -> io::Result<()> {
    let demo = Demo::new(source)?;
    for watcher in watchers.iter_mut() {
        watcher.begin(demo.format());
    }
    // An MVD2, a recording of all players, is read as a recording of Relay, which has the same data.
    let relay = (demo.format() == Format::Mvd2).then(Relay::default);
    match demo.game() {
        Some(Game::Quake2) => play::<quake2::World>(demo, Game::Quake2, relay, watchers),
        Some(Game::QuakeWorld) => play::<quakeworld::World>(demo, Game::QuakeWorld, None, watchers),
        game => play::<quake::World>(demo, game.unwrap_or(Game::Quake), None, watchers),
    }
}

fn play<W: Subject>(
    mut demo: Demo<&mut dyn Read>,
    game: Game,
    mut relay: Option<Relay>,
    watchers: &mut [&mut dyn Watch],
) -> io::Result<()> {
    let mut relayed = Vec::new();
    let mut head = Playhead::<W>::new();
    let mut here = PassPosition::default();
    let wanting: Vec<bool> = watchers.iter().map(|watcher| watcher.wants_messages()).collect();
    while let Some(piece) = demo.next_piece()? {
        here.from_client = false;
        here.truncated = false;
        here.fault = None;
        if let Piece::Block(block) = &piece {
            here.block = head.blocks;
            here.from_client = block.is_from_client();
            here.truncated = block.is_truncated();
        }
        let size = piece.size(game);
        let piece = match (&mut relay, piece) {
            (Some(relay), Piece::Block(block)) => {
                relayed.clear();
                relay.block(&block, &mut relayed);
                Piece::Block(Block::new(&relayed))
            }
            (_, piece) => piece,
        };
        for watcher in watchers.iter_mut() {
            watcher.file_piece(&piece, &here);
        }
        if let Piece::Block(block) = &piece {
            step::<W>(&mut head, block, &mut here, watchers, &wanting);
            for watcher in watchers.iter_mut() {
                head.world.show(*watcher, &here);
            }
        }
        here.offset = here.offset.saturating_add(size);
    }
    here.fault = None;
    for watcher in watchers.iter_mut() {
        watcher.end(&here);
    }
    Ok(())
}

/// Like [`Playhead::step`], but also shows each message to the watchers that need messages.
fn step<W: Subject>(
    head: &mut Playhead<W>,
    block: &Block<'_>,
    here: &mut PassPosition,
    watchers: &mut [&mut dyn Watch],
    wanting: &[bool],
) {
    head.blocks = head.blocks.wrapping_add(1);
    if block.is_from_client() {
        return;
    }
    head.world.begin_block(block);
    if let Some(time) = head.world.stamped() {
        let goes_on = here.time.is_none_or(|before| before < time);
        here.time = Some(time);
        here.frames = here.frames.saturating_add(u64::from(goes_on));
    }
    if let Some(fault) = head.world.apply_other_table(block, &head.context) {
        head.world.end_block();
        here.fault = fault;
        return;
    }
    let mut messages = block.messages::<W::Dialect>(head.context);
    for entry in messages.by_ref() {
        match W::sign(&entry.message) {
            MessageRole::None => {}
            MessageRole::Time(time) => {
                here.time = time;
                here.frames = here.frames.saturating_add(1);
            }
            MessageRole::Level => {
                for watcher in watchers.iter_mut() {
                    head.world.show_left(*watcher, here);
                }
                here.time = head.world.stamped();
                here.level = here.level.saturating_add(1);
            }
        }
        for (watcher, _) in watchers.iter_mut().zip(wanting).filter(|(_, wants)| **wants) {
            W::show_message(*watcher, &entry, here);
        }
        head.world.apply(&entry);
    }
    head.world.end_block();
    head.context = *messages.context();
    here.fault = messages.fault();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of all calls, in order.
    #[derive(Default)]
    struct Log(Vec<String>, bool);

    impl Watch for Log {
        fn begin(&mut self, format: Format) {
            self.0.push(format!("{:?}", format.game()));
        }
        fn quake(&mut self, world: &quake::World, here: &PassPosition) {
            let title = world.level.title.bytes().escape_ascii();
            self.0.push(format!("{title} {here:?}"));
        }
        fn leave_quake(&mut self, world: &quake::World, here: &PassPosition) {
            self.0.push(format!("left {} at {:?}", world.stats.get(quake::Stat::Monsters), here.time));
        }
        fn wants_messages(&self) -> bool {
            self.1
        }
        fn quake_message(&mut self, entry: &Entry<dem::Message<'_>>, _: &PassPosition) {
            self.0.push(format!("message at {}", entry.at));
        }
        fn end(&mut self, here: &PassPosition) {
            self.0.push(format!("end at {}", here.offset));
        }
    }

    fn block(data: &[u8]) -> Vec<u8> {
        [&(data.len() as u32).to_le_bytes()[..], &[0; 12], data].concat()
    }

    #[test]
    fn a_level_is_left_before_the_next_is_entered() {
        let info = b"\x0b\x0f\0\0\0\x01\0Hall\0m\0\0s\0\0";
        let file = [
            &b"-1\n"[..],
            &block(&[b"\x07\0\0\x80\x3f\x1b\x1b", &info[..]].concat()),
            &block(b"\x07\0\0\0\x40\xff"),
        ]
        .concat();
        let mut log = Log::default();
        watch(&file[..], &mut [&mut log]).unwrap();
        assert_eq!(log.0[..2], ["Some(Quake)", "left 2 at Some(1.0)"]);
        assert!(log.0[2].starts_with(
            "Hall PassPosition { block: 0, offset: 3, time: None, level: 1, frames: 1, fault: None"
        ));
        assert!(log.0[3].contains("block: 1") && log.0[3].contains("time: Some(2.0)"), "{}", log.0[3]);
        assert!(log.0[3].contains("fault: Some"), "{}", log.0[3]);
        assert_eq!(log.0[4], format!("end at {}", file.len()));
    }

    #[test]
    fn only_watchers_that_want_messages_get_them() {
        let file = [&b"-1\n"[..], &block(b"\x01\x01")].concat();
        let (mut with, mut without) = (Log(Vec::new(), true), Log::default());
        watch(&file[..], &mut [&mut with, &mut without]).unwrap();
        let count = |log: &Log| log.0.iter().filter(|line| line.starts_with("message")).count();
        assert_eq!((count(&with), count(&without)), (2, 0));
    }

    #[test]
    fn the_pass_steps_as_a_playhead_does() {
        for sample in moviola_scribe::samples() {
            /// The hashes of all worlds.
            #[derive(Default)]
            struct Hashes(Vec<u64>);
            impl Watch for Hashes {
                fn quake(&mut self, world: &quake::World, _: &PassPosition) {
                    self.0.push(world.state_hash());
                }
                fn quake2(&mut self, world: &quake2::World, _: &PassPosition) {
                    self.0.push(world.state_hash());
                }
            }
            fn hashes_of<W: World>(bytes: &[u8]) -> Vec<u64> {
                let (mut demo, mut head) = (Demo::new(bytes).unwrap(), Playhead::<W>::new());
                let mut hashes = Vec::new();
                while let Some(piece) = demo.next_piece().unwrap() {
                    if let Piece::Block(block) = piece {
                        head.step(&block);
                        hashes.push(head.world.state_hash());
                    }
                }
                hashes
            }
            let mut hashes = Hashes::default();
            watch(&sample.bytes[..], &mut [&mut hashes]).unwrap();
            let expected = match Demo::new(&sample.bytes[..]).unwrap().game() {
                Some(Game::Quake2) => hashes_of::<quake2::World>(&sample.bytes),
                _ => hashes_of::<quake::World>(&sample.bytes),
            };
            assert_eq!(hashes.0, expected, "{}", sample.name);
        }
    }
}
