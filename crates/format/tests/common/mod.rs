//! Helpers of several tests: a small generator of random numbers, every context, and a file read and written
//! again.

#![allow(dead_code, reason = "each test file is a program of its own and uses a part of this")]

mod corpus;

#[allow(unused_imports, reason = "each test uses its part")]
pub(crate) use corpus::corpus;
use moviola_format::*;
use std::path::{Path, PathBuf};

/// Random numbers that are the same in every run (splitmix64).
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }
}

/// Quake's contexts: every protocol that is read, with every habit that changes the reading.
pub(crate) fn quake_contexts() -> Vec<(String, Context)> {
    let of = |protocol, flags| {
        let mut context = Context::quake();
        context.set_quake_protocol(protocol, flags);
        context
    };
    let decided = Context { items: ItemsRule::Always, nehahra: Answer::No, ..of(15, 0) };
    let mut all = vec![
        ("nothing known".to_string(), Context::quake()),
        ("15, all open".to_string(), of(15, 0)),
        ("15 of 1.09".to_string(), decided),
        ("15 of 1.06".to_string(), Context { items: ItemsRule::ByBit, ..decided }),
        ("15 of Nehahra".to_string(), Context { nehahra: Answer::Yes, ..decided }),
        ("15 of a mission pack".to_string(), Context { mission_pack: true, ..decided }),
        ("250".to_string(), of(250, 0)),
        ("666".to_string(), of(666, 0)),
        ("668".to_string(), of(668, 0)),
    ];
    for combination in 0..32u32 {
        let flags = [2, 4, 8, 0x10, 0x80].iter().enumerate();
        let flags = flags.filter(|(n, _)| combination >> n & 1 != 0).map(|(_, flag)| flag).sum();
        all.push((format!("999 with {flags:#x}"), of(999, flags)));
    }
    for protocol in 10000..=10002 {
        for nehahra in [Answer::Yes, Answer::No] {
            let context = Context { nehahra, items: ItemsRule::Always, ..of(protocol, 0) };
            all.push((format!("{protocol}, Nehahra {nehahra:?}"), context));
        }
    }
    for wide_static_sounds in [Answer::Yes, Answer::No] {
        all.push((
            format!("10002, wide {wide_static_sounds:?}"),
            Context { wide_static_sounds, ..of(10002, 0) },
        ));
    }
    let added = Context { darkplaces: DarkPlaces::Quake, ..decided };
    all.push(("15 with DarkPlaces' additions".to_string(), added));
    for protocol in 3502..=3505 {
        all.push((format!("{protocol}"), of(protocol, 0)));
    }
    // Lists of entities alone, with prediction, and with another form of sizes; and no such lists.
    for (protocol, flags, fte2) in
        [(15, 0, 8), (666, 0, 0x2E), (999, 0x12, 0x68), (999, 0x84, 0x48), (3504, 0, 8), (666, 0, 2)]
    {
        let extensions = Extensions { fte: 0x4000_0000, fte2, mvd1: 0 };
        let announced = of(protocol, flags);
        let context = Context { extensions, fte: true, nehahra: Answer::No, ..announced };
        let context = Context { items: ItemsRule::Always, ..context };
        all.push((format!("{protocol} with FTE2 {fte2:#x}"), context));
    }
    all
}

/// Quake II's contexts: every protocol that is read, in every kind of recording.
pub(crate) fn quake2_contexts() -> Vec<(String, Context)> {
    let mut all = vec![("nothing known".to_string(), Context::quake2())];
    for layout in [Era::SurelyNew, Era::SurelyOld] {
        all.push((format!("nothing known but {layout:?}"), Context { layout, ..Context::quake2() }));
    }
    for protocol in (26..=34).chain(3434..=3436) {
        for isdemo in [0, 1, 2, 0x80] {
            let mut context = Context::quake2();
            context.set_quake2_protocol(protocol, isdemo);
            all.push((format!("{protocol}, isdemo {isdemo:#x}"), context));
        }
    }
    all
}

/// The context of MVD2.
pub(crate) fn mvd2_contexts() -> Vec<(String, Context)> {
    let context = Context { protocol: mvd2::PROTOCOL, mvd: true, ..Context::quake2() };
    vec![("37".to_string(), context)]
}

/// QuakeWorld's contexts: every protocol in both containers, without extensions and with several sets of them.
pub(crate) fn quakeworld_contexts() -> Vec<(String, Context)> {
    // No extensions, those of MVDSV, those of ezQuake, and all readable ones, without and with coordinates as floats.
    const EXTENSIONS: [[u32; 3]; 5] = [
        [0, 0, 0],
        [0x2140_7000, 2, 1],
        [0x0148_7008, 1, 0x20],
        [0xEDEE_7FDE, 2, 0xFE],
        [0xEDEE_FFDF, 2, 0xFF],
    ];
    let mut all = Vec::new();
    for mvd in [false, true] {
        let container = if mvd { "MVD" } else { "QWD" };
        all.push((format!("nothing known, {container}"), Context { mvd, ..Context::quakeworld() }));
        for protocol in 24..=28 {
            for [fte, fte2, mvd1] in EXTENSIONS {
                let mut context = Context { mvd, ..Context::quakeworld() };
                context.set_quakeworld_protocol(protocol, Extensions { fte, fte2, mvd1 });
                all.push((format!("{protocol}, {container} with {fte:#x}, {fte2:#x}, {mvd1:#x}"), context));
            }
        }
    }
    all
}

/// The result of reading a file: all pieces read, every message written again, the pieces written again.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Read {
    pub(crate) format: Option<Format>,
    pub(crate) header: Vec<u8>,
    pub(crate) blocks: usize,
    pub(crate) messages: usize,
    /// Blocks whose messages did not reach the end: number, fault, and the number of bytes left.
    pub(crate) unread: Vec<(usize, Fault, usize)>,
    pub(crate) truncated: usize,
    /// Messages of truncated blocks; `messages` counts them too.
    pub(crate) cut_messages: usize,
    pub(crate) ends: usize,
    pub(crate) raw: usize,
    pub(crate) protocols: Vec<i32>,
    pub(crate) maps: Vec<String>,
    pub(crate) titles: Vec<Vec<u8>>,
    pub(crate) last_op: Option<u8>,
}

/// Reads a file and checks that pieces and messages written again are the same bytes.
pub(crate) fn read(file: &[u8]) -> Read {
    let mut demo = Demo::new(file).unwrap();
    let mut out = Read { format: Some(demo.format()), ..Read::default() };
    let mut copy = Vec::with_capacity(file.len());
    let game = demo.game();
    let mut context = Context::of(game.unwrap_or(Game::Quake));
    let mut begins = 0;
    loop {
        assert_eq!(demo.offset(), begins, "the offset is that of the piece before");
        begins = copy.len() as u64;
        let Some(piece) = demo.next_piece().unwrap() else { break };
        let game = game.unwrap_or(Game::Quake);
        piece.write(game, &mut copy).unwrap();
        assert_eq!(begins + piece.size(game), copy.len() as u64);
        match piece {
            Piece::Header(bytes) => out.header = bytes.to_vec(),
            Piece::End | Piece::EndOfMvd2 => out.ends += 1,
            Piece::Raw(bytes) => out.raw += bytes.len(),
            Piece::Block(block) => match game {
                Game::Quake2 if block.stamp == Stamp::Mvd2 => {
                    drop(block_again::<Mvd2>(&block, &mut context, &mut out));
                }
                Game::Quake2 => quake2_block(&block, &mut context, &mut out),
                Game::Quake => quake_block(&block, &mut context, &mut out),
                Game::QuakeWorld => with_table!(block.table(game), D => {
                    drop(block_again::<D>(&block, &mut context, &mut out));
                }),
            },
        }
    }
    if out.protocols.is_empty() && context.protocol != 0 {
        out.protocols.push(context.protocol);
    }
    assert!(
        copy == file,
        "the pieces are not the file; first difference at {:?}",
        first_difference(&copy, file)
    );
    out
}

pub(crate) fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    let shorter = a.len().min(b.len());
    a.iter().zip(b).position(|(a, b)| a != b).or((a.len() != b.len()).then_some(shorter))
}

fn quake_block(block: &Block, context: &mut Context, out: &mut Read) {
    let bare = |name: &[u8]| {
        let name = String::from_utf8_lossy(name).into_owned();
        name.strip_prefix("maps/").and_then(|it| it.strip_suffix(".bsp")).unwrap_or(&name).to_string()
    };
    for entry in block_again::<Quake>(block, context, out) {
        if let dem::Message::ServerInfo(info) = entry.message {
            out.protocols.push(info.protocol.version());
            out.maps.extend(info.precache.models().iter().next().map(|it| bare(it.bytes())));
            out.titles.push(info.mapname.bytes().to_vec());
        }
    }
}

fn quake2_block(block: &Block, context: &mut Context, out: &mut Read) {
    for entry in block_again::<Quake2>(block, context, out) {
        match entry.message {
            dm2::Message::ServerData(data) => {
                out.protocols.push(data.serverversion);
                out.titles.push(data.mapname.bytes().to_vec());
            }
            // In a recording with Q2PRO's extended limits the index is 63.
            dm2::Message::ConfigString(it) if context.limits.id_config(it.index) == Some(33) => {
                let name = String::from_utf8_lossy(it.string.bytes()).into_owned();
                let bare = name.strip_prefix("maps/").and_then(|it| it.strip_suffix(".bsp"));
                out.maps.push(bare.unwrap_or(&name).to_string());
            }
            _ => {}
        }
    }
}

/// Reads a block's messages, writes them again, and checks that the bytes are the same.
pub(crate) fn block_again<'a, D: Dialect>(
    block: &Block<'a>,
    context: &mut Context,
    out: &mut Read,
) -> Vec<Entry<D::Message<'a>>> {
    let (entries, fault, rest) = check_rewriting::<D>(block.messages(*context), context);
    out.blocks += 1;
    out.truncated += usize::from(block.is_truncated());
    out.messages += entries.len();
    out.cut_messages += if block.is_truncated() { entries.len() } else { 0 };
    out.last_op = entries.last().map(|entry| entry.message.op());
    if let Some(fault) = fault {
        out.unread.push((out.blocks, fault, rest));
    }
    entries
}

/// Reads messages to the end, checks that they can be written again, and updates the context.
pub(crate) fn check_rewriting<'a, D: Dialect>(
    mut messages: Messages<'a, D>,
    context: &mut Context,
) -> (Vec<Entry<D::Message<'a>>>, Option<Fault>, usize) {
    let whole = messages.rest();
    let (mut copy, mut entries) = (Vec::new(), Vec::new());
    let mut before = *messages.context();
    while let Some(entry) = messages.next() {
        assert_eq!(entry.at, copy.len(), "{entry:?} stands elsewhere");
        // A decision made in reading this message applies to writing it; the message's effect on the next one
        // does not.
        entry.write(&mut copy, &before);
        let read = &whole[entry.at..messages.pos()];
        assert!(copy[entry.at..] == *read, "{entry:?}\n  read {read:x?}\n  written {:x?}", &copy[entry.at..]);
        before = *messages.context();
        entries.push(entry);
    }
    assert_eq!(messages.fault().is_some(), !messages.rest().is_empty());
    copy.extend_from_slice(messages.rest());
    assert!(copy == whole);
    *context = *messages.context();
    (entries, messages.fault(), messages.rest().len())
}

/// Every file below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// A recording of the repository.
pub(crate) fn sample(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)).unwrap()
}

/// The messages of a block. Checks that it is read to its end and that writing the messages gives the same bytes.
pub(crate) fn exactly<D: Dialect>(block: &[u8], context: Context) -> Vec<D::Message<'_>> {
    let mut behind = context;
    let (entries, fault, _) = check_rewriting(Messages::<D>::new(block, context), &mut behind);
    assert_eq!(fault, None, "{block:x?}");
    entries.into_iter().map(|entry| entry.message).collect()
}

/// A Quake context in which no question is open.
pub(crate) fn quake_of(protocol: i32, flags: u32) -> Context {
    let mut context = Context::quake();
    context.set_quake_protocol(protocol, flags);
    let nehahra = if context.nehahra == Answer::Open { Answer::No } else { context.nehahra };
    Context { nehahra, items: ItemsRule::Always, ..context }
}

pub(crate) fn quake2_of(protocol: i32, isdemo: u8) -> Context {
    let mut context = Context::quake2();
    context.set_quake2_protocol(protocol, isdemo);
    context
}
