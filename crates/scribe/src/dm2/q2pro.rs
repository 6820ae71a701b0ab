//! Recordings with Q2PRO's extended limits, protocols 3434 to 3436 (wire C7.2): a short game in which entities, players,
//! sounds and temporary effects have every field in every width.

use super::{
    Frame, RECORD_CLIENT, Serverdata, centerprint, configstring, frame, inventory, layout, muzzleflash,
    muzzleflash2, print, serverdata, stufftext,
};
use crate::{End, Message, Sample, Tape, Wire};

const TITLE: &str = "Outer Base";

/// A recording of each of the three protocols.
pub fn q2pro_samples() -> Vec<Sample> {
    [
        (3434, "dm2-3434-q2pro", "Protocol 3434, Q2PRO's first extended limits (wire C7.2)"),
        (3435, "dm2-3435-q2pro", "Protocol 3435: coordinates of 23 bits and 64 stats (wire C7.2)"),
        (3436, "dm2-3436-q2pro", "Protocol 3436: also fog (wire C7.2)"),
    ]
    .into_iter()
    .map(|(protocol, name, about)| Game { protocol }.sample(name, about))
    .collect()
}

/// The first numbers of the parts of the config strings.
const MODELS: i16 = 62;
const SOUNDS: i16 = 62 + 8192;
const IMAGES: i16 = 62 + 8192 + 2048;
const LIGHTS: i16 = 62 + 8192 + 2 * 2048;
const ITEMS: i16 = LIGHTS + 256;
const SKINS: i16 = LIGHTS + 512;

/// The kinds of temporary effect by the shape of their data. No engine of Q2PRO has kind 32.
const POINTS: [u8; 21] = [5, 6, 7, 8, 17, 18, 20, 21, 22, 28, 35, 45, 47, 48, 49, 51, 52, 53, 54, 62, 63];
const IMPACTS: [u8; 17] = [0, 1, 2, 4, 9, 12, 13, 14, 26, 30, 42, 43, 44, 46, 55, 56, 58];
const LINES: [u8; 8] = [3, 11, 23, 27, 31, 34, 41, 57];
const SPLASHES: [u8; 4] = [10, 15, 25, 29];
const BEAMS: [u8; 6] = [16, 19, 38, 39, 59, 61];

#[derive(Clone, Copy)]
struct Game {
    protocol: i32,
}

/// A position in eighths of a unit.
type Place = [i32; 3];

impl Game {
    fn is_wide(self) -> bool {
        self.protocol >= 3435
    }

    fn has_fog(self) -> bool {
        self.protocol >= 3436
    }

    /// A coordinate: 16 bits, or 15 or 23, between which the lowest bit decides.
    fn coord(self, wire: Wire, eighths: i32) -> Wire {
        if !self.is_wide() {
            wire.i16(eighths as i16)
        } else if (-0x4000..0x4000).contains(&eighths) {
            wire.u16((eighths << 1) as u16)
        } else {
            let long = eighths << 1 | 1;
            wire.u16(long as u16).u8((long >> 16) as u8)
        }
    }

    fn place(self, wire: Wire, place: Place) -> Wire {
        place.into_iter().fold(wire, |wire, part| self.coord(wire, part))
    }

    /// A coordinate that changed: where the difference fits into 15 bits, it is sent.
    fn changed(self, wire: Wire, before: i32, after: i32) -> Wire {
        if !self.is_wide() {
            wire.i16(after as i16)
        } else if (-0x4000..0x4000).contains(&(after - before)) {
            wire.u16(((after - before) << 1) as u16)
        } else {
            let long = after << 1 | 1;
            wire.u16(long as u16).u8((long >> 16) as u8)
        }
    }

    /// The coordinate farthest from the origin that the protocol can send.
    fn far(self) -> i32 {
        if self.is_wide() { 160_000 } else { 30_000 }
    }

    fn strings() -> Vec<Message> {
        let string = |first: i16, number: i16, text: &str| configstring(first + number, text);
        vec![
            string(0, 0, TITLE),
            string(0, 5, "yb -24 xv 0 hnum xv 50 pic 0"),
            string(0, 59, "0"),
            string(0, 60, "1"),
            string(0, 61, "12344937"),
            string(MODELS, 1, "maps/base1.bsp"),
            string(MODELS, 2, "*1"),
            string(MODELS, 3, "models/monsters/soldier/tris.md2"),
            string(MODELS, 5, "models/weapons/v_blast/tris.md2"),
            string(MODELS, 300, "models/objects/barrels/tris.md2"),
            string(SOUNDS, 1, "weapons/blastf1a.wav"),
            string(SOUNDS, 1000, "world/amb4.wav"),
            string(IMAGES, 1, "i_health"),
            string(IMAGES, 400, "w_blaster"),
            string(LIGHTS, 0, "m"),
            string(ITEMS, 7, "Blaster"),
            string(SKINS, 0, "Grunt\\male/grunt"),
            string(SKINS, 256 + 511, ""),
        ]
    }

    /// A soldier at `place`; the state before had him at `before`.
    fn soldier(self, before: Place, place: Place, frame: u8) -> Message {
        const WORD: u64 = 0x0217;
        let wire = bits(Wire::new(), WORD).u8(9).u8(frame);
        let wire = before.into_iter().zip(place).fold(wire, |wire, (a, b)| self.changed(wire, a, b));
        wire.u8(frame).done()
    }

    /// An entity with every field, in the widest forms.
    fn everything(self, number: u16, place: Place) -> Message {
        const ALL: u64 = 0x3_7F7F_7F3F;
        const SOUND: u16 = 1000;
        let wire = bits(Wire::new(), ALL).u16(number).each([300u16, 2, 3, 255], Wire::u16);
        let wire = wire.u8(7).i16(300).u32(0xFFEE_DDCC).u32(0x8000_0001).u32(0x0001_0000);
        let wire = place.into_iter().fold(wire, |wire, part| self.changed(wire, 0, part));
        let wire = self.place(wire.each([0x4001u16, 0x8000, 0xFFFF], Wire::u16), [8, -16, self.far()]);
        wire.u16(0xC000 | SOUND).u8(128).u8(192).u8(2).u32(0x4018_1010).u32(0x8000_0000).u8(128).u8(32).done()
    }

    /// Entities with one field or a few, in their narrow forms.
    fn narrow() -> Vec<Message> {
        let record = |word: u64, number: u8| bits(Wire::new(), word).u8(number);
        vec![
            record(0, 10).done(),
            record(1 << 11, 11).u8(3).done(),
            record(1 << 20 | 1 << 28, 12).u16(300).done(),
            record(1 << 10, 13).u8(0x40).done(),
            record(1 << 2 | 1 << 13, 14).u16(0x4001).done(),
            record(1 << 26, 15).u16(1).done(),
            record(1 << 26, 16).u16(2 | 0x4000).u8(64).done(),
            record(1 << 29, 17).u8(1).done(),
            record(1 << 33, 18).u16(0x100).done(),
            record(1 << 30, 19).u8(255).done(),
            record(1 << 32, 20).u8(16).done(),
            record(1 << 27, 21).u32(31).done(),
        ]
    }

    fn baselines(self) -> Vec<Message> {
        let baseline = |record: Message| Wire::id(14).raw(&record).done();
        vec![
            baseline(self.soldier([0; 3], SOLDIER, 1)),
            baseline(self.everything(700, [80, -80, self.far()])),
            stufftext("precache\n"),
        ]
    }

    fn list(records: &[Message]) -> Message {
        Wire::id(18).raw(&records.concat()).u16(0).done()
    }

    fn entities(self, tick: usize) -> Message {
        let step = tick as i32 * 8;
        let [x, y, z] = SOLDIER;
        let before = if tick == 0 { SOLDIER } else { [x + step - 8, y, z] };
        let soldier = self.soldier(before, [x + step, y, z], tick as u8);
        let gone = bits(Wire::new(), 1 << 6).u8(21).done();
        match tick {
            0 => Self::list(
                &[vec![soldier], Self::narrow(), vec![self.everything(700, [80, -80, 0])]].concat(),
            ),
            3 => Self::list(&[soldier, gone]),
            _ => Self::list(&[soldier]),
        }
    }

    /// The player's state: everything at first, then his place.
    fn player(self, tick: usize) -> Message {
        let here = [1024 + tick as i32 * 8, -2560, self.far()];
        let before = if tick == 0 { [0; 3] } else { [here[0] - 8, here[1], here[2]] };
        let origin = |wire| before.into_iter().zip(here).fold(wire, |wire, (a, b)| self.changed(wire, a, b));
        if tick != 0 {
            return self.stats(origin(Wire::id(17).u16(2)), &[]).done();
        }
        let wire = Wire::id(17).u16(if self.has_fog() { 0xFFFF } else { 0x7FFF });
        let wire = origin(if self.has_fog() { wire.u8(1) } else { wire }.u8(1));
        let wire = [300, -1, 4095].into_iter().fold(wire, |wire, part| self.changed(wire, 0, part));
        let wire = if self.is_wide() { wire.u16(300).u16(0x104) } else { wire.u8(7).u8(4) };
        let wire = wire.i16(800).each([0x4000i16, -1, 7], Wire::i16).each([0, -1, 88], Wire::i8);
        let wire = wire.each([1i16, 2, 3], Wire::i16).each([-4, 1, 127], Wire::i8).u16(0x2005);
        let wire = wire.u8(9).each([1, -1, -4], Wire::i8).each([127, -128, 3], Wire::i8);
        let wire = if self.is_wide() { wire.u8(0b1001_1001) } else { wire }.raw(&[255, 128, 1, 76]);
        let wire = if self.has_fog() { self.fog(wire) } else { wire }.u8(90).u8(1);
        self.stats(wire, &[(0, 1), (1, 100), (6, 400), (31, -7), (40, 9), (63, 1)]).done()
    }

    fn fog(self, wire: Wire) -> Wire {
        let wire = wire.u8(0xFF).raw(&[1, 2, 3]).u16(500).u16(600).u16(700).u16(800).raw(&[4, 5, 6, 7, 8, 9]);
        self.coord(self.coord(wire, -64), self.far())
    }

    /// The numbers of the status bar; in protocol 3434 there are 32.
    fn stats(self, mut wire: Wire, stats: &[(u8, i16)]) -> Wire {
        let known: Vec<_> = stats.iter().filter(|(index, _)| self.is_wide() || *index < 32).collect();
        let mut word = known.iter().fold(0u64, |word, (index, _)| word | 1 << index);
        if self.is_wide() {
            while word > 0x7F {
                wire = wire.u8(word as u8 & 0x7F | 0x80);
                word >>= 7;
            }
            wire = wire.u8(word as u8);
        } else {
            wire = wire.u32(word as u32);
        }
        known.into_iter().fold(wire, |wire, (_, value)| wire.i16(*value))
    }

    fn sounds(self) -> Vec<Message> {
        let full = Wire::id(9).u8(0x3F).u16(1000).u8(128).u8(64).u8(50).u16(700 << 3 | 2);
        vec![
            Wire::id(9).u8(0).u8(1).done(),
            Wire::id(9).u8(0x28).u16(1).u16(1 << 3).done(),
            self.place(full, [8, -8, self.far()]).done(),
        ]
    }

    /// One temporary effect of each kind.
    fn effects(self) -> Vec<Message> {
        let (here, there) = ([8, -16, 24], [80, 0, self.far()]);
        let begun = |kind: &u8| Wire::id(3).u8(*kind);
        let mut messages: Vec<Message> =
            POINTS.iter().map(|kind| self.place(begun(kind), here).done()).collect();
        messages.extend(IMPACTS.iter().map(|kind| self.place(begun(kind), here).u8(5).done()));
        let line = |wire| self.place(self.place(wire, here), there);
        messages.extend(LINES.iter().map(|kind| line(begun(kind)).done()));
        messages.extend(SPLASHES.iter().map(|kind| self.place(begun(kind).u8(9), here).u8(5).u8(2).done()));
        messages.extend(BEAMS.iter().map(|kind| line(begun(kind).i16(9)).done()));
        messages.extend([
            self.place(line(begun(&24).i16(9)), here).done(),
            line(begun(&33).i16(9).i16(1)).done(),
            self.place(begun(&36), here).i16(1).done(),
            line(begun(&37)).u8(208).done(),
            self.place(begun(&40).i16(-1).u8(9), here).u8(5).u8(6).i16(7).done(),
            self.place(begun(&40).i16(3).u8(9), here).u8(5).u8(6).i16(7).i32(1000).done(),
            self.place(begun(&50).i16(2), here).done(),
            begun(&60).i16(9).u8(1).done(),
            begun(&128).i16(25).done(),
        ]);
        messages
    }

    fn events(self, tick: usize) -> Vec<Message> {
        match tick {
            1 => self.sounds(),
            2 => self.effects(),
            4 => vec![print(2, "Grunt entered the game\n"), muzzleflash(1, 0), muzzleflash2(9, 40)],
            5 => {
                vec![centerprint("You need\nthe blue key"), layout("xv 32"), inventory(&super::play::stock())]
            }
            6 => vec![configstring(SKINS, "Grunt\\female/athena"), stufftext("echo six\n"), super::nop()],
            _ => Vec::new(),
        }
    }

    fn sample(self, name: &'static str, about: &'static str) -> Sample {
        let mut tape = Tape::dm2();
        tape.announce(self.protocol, "base1", TITLE);
        let level = Serverdata {
            protocol: self.protocol,
            key: 0x1234,
            isdemo: RECORD_CLIENT,
            game: "",
            client: 0,
            title: TITLE,
        };
        let mut opening = vec![serverdata(&level)];
        opening.extend(Self::strings());
        tape.dm2_block(&opening);
        tape.dm2_block(&self.baselines());
        for tick in 0..super::play::TICKS {
            let sequence = 1 + tick as i32;
            let delta = if tick == 0 { -1 } else { sequence - 1 };
            let head = Frame { sequence, delta, suppressed: 0, areas: &[0xFF, 0x0F] };
            let mut block = vec![frame(self.protocol, &head), self.player(tick), self.entities(tick)];
            block.extend(self.events(tick));
            tape.dm2_block(&block);
        }
        tape.mark();
        tape.finish(name, about, End::Mark)
    }
}

const SOLDIER: Place = [1024, -512, 193];

/// An entity's flag word: the top bits of the first four bytes announce further ones, the number has 16 bits by bit 8.
fn bits(wire: Wire, word: u64) -> Wire {
    let last = (0..5u32).rev().find(|n| word >> (8 * n) & 0xFF != 0).unwrap_or(0);
    (0..=last).fold(wire, |wire, n| {
        let byte = (word >> (8 * n)) as u8;
        wire.u8(if n < last { byte | 0x80 } else { byte })
    })
}
