//! Recordings with FTE's extensions of Quake's protocols (wire A5) and of `DarkPlaces` 5 to 7 (wire A6), whose entities
//! are sent as lists of changes.

use super::{Play, disconnect, lightstyle, print, setview, signonnum, stufftext, time, updatestat};
use crate::{Angle, Coord, End, Message, Sample, Tape, Wire};

pub(super) fn samples() -> Vec<Sample> {
    vec![
        fte(
            "dem-666-fte",
            "QuakeSpasm-Spiked: protocol 666 with lists of changed entities",
            Fte { base: 666, pext2: 0x0E },
        ),
        fte(
            "dem-15-fte-predicted",
            "Protocol 15 with lists of changed entities, prediction and the new form of sizes",
            Fte { base: 15, pext2: 0x6C },
        ),
        fte(
            "dem-999-fte",
            "Protocol 999 with floats and lists of changed entities",
            Fte { base: 999, pext2: 0x08 },
        ),
        darkplaces("dem-3504-darkplaces", "DarkPlaces 7", 3504),
        darkplaces("dem-3503-darkplaces", "DarkPlaces 6", 3503),
        darkplaces("dem-3502-darkplaces", "DarkPlaces 5: the player's own state is not in stats", 3502),
    ]
}

const MODELS: [&str; 4] = ["maps/e1m1.bsp", "*1", "progs/player.mdl", "progs/soldier.mdl"];
const TITLE: &str = "the Slipgate Complex";

/// An entity with a number of three bytes.
const FAR: u16 = 40_000;

#[derive(Clone, Copy)]
struct Fte {
    base: i32,
    pext2: u32,
}

impl Fte {
    fn predicts(self) -> bool {
        self.pext2 & 0x20 != 0
    }

    fn coord(self) -> Coord {
        if self.base == 999 { Coord::Float } else { Coord::Eighths }
    }

    fn angle(self) -> Angle {
        if self.base == 999 { Angle::Short } else { Angle::Byte }
    }

    /// An acknowledged command's number, which only prediction sends.
    fn ack(self) -> Option<i16> {
        self.predicts().then_some(1234)
    }

    fn serverinfo(self) -> Message {
        Wire::id(0x0B)
            .raw(b"FTEX")
            .u32(0x4000_0000)
            .raw(b"FTE2")
            .u32(self.pext2)
            .i32(self.base)
            .opt((self.base == 999).then_some(0x12), Wire::u32)
            .opt(self.predicts().then_some("id1"), Wire::str0)
            .u8(4)
            .u8(1)
            .str0(TITLE)
            .list(&MODELS)
            .list(&["weapons/r_exp3.wav"])
            .done()
    }

    /// An entity at a place: the flags RESET, ORIGINXY, ORIGINZ, ANGLESY, MODEL.
    fn stands(self, wire: Wire, model: u8, place: [f32; 3]) -> Wire {
        let [x, y, z] = place;
        wire.u8(0x80 | 0x02 | 0x04 | 0x10)
            .u8(0x01 | 0x04)
            .coord(self.coord(), x)
            .coord(self.coord(), y)
            .coord(self.coord(), z)
            .angle(self.angle(), 90.0)
            .u8(model)
    }

    fn frame(self, seconds: f32, list: impl FnOnce(Wire) -> Wire) -> Message {
        let wire = Wire::id(0x56).opt(self.ack(), Wire::i16).f32(seconds);
        list(wire).u16(0).done()
    }

    fn time(self, seconds: f32) -> Message {
        Wire::id(0x07).f32(seconds).opt(self.ack(), Wire::i16).done()
    }

    /// Everything that an entity can have.
    fn everything(self, wire: Wire) -> Wire {
        let sizes = self.pext2 & 0x40 != 0;
        let wire = wire.u16(0x4000 | 5).u8(1).u8(0xFF).u8(0xFF).u8(0xFF).u8(0x3F);
        // 16 bits for the frame, then the origin.
        let wire = wire.u16(300).coord(self.coord(), 1.0).coord(self.coord(), 2.0).coord(self.coord(), 3.0);
        let fine = if self.predicts() { self.angle() } else { Angle::Short };
        let wire = wire.angle(fine, 45.0).angle(fine, -45.0).angle(fine, 180.0).u32(0x1_0008);
        let wire = wire.u8(0xFF).i16(400).i16(-300).i16(200).u8(3).i16(80).i16(-80).i16(8).u8(13);
        let wire = if self.predicts() { wire.i16(1).i16(2).i16(3) } else { wire.u8(0x85).u8(1) };
        let wire = wire.u16(258).u16(2).u8(1);
        let wire = if sizes { wire.u8(16).u16(0x1234) } else { wire.u16(0x1234) };
        let wire = wire.u8(1).u8(127).u8(32).u8(0xC0).u8(1).raw(&[7; 14]).u8(2).i16(9).u8(7).u8(200);
        // Attached to the far entity.
        let wire = wire.u16(0x8000 | FAR >> 8).u8(FAR as u8).u8(2);
        let wire = wire.u16(1).u16(2).u16(3).u16(400).u8(5).u8(6).u16(0x8005).u16(6);
        wire.raw(&[32, 31, 30]).raw(&[1, 2, 3, 4, 5]).u8(9).u16(257).u8(1).u8(2)
    }

    /// A sound with all that FTE adds.
    fn sound(self) -> Message {
        let wire = Wire::id(0x06).u8(0x01 | 0x02 | 0x04 | 0x20 | 0x40 | 0x80).u8(0x81).u8(0x01);
        let wire =
            wire.u8(200).u8(64).u8(150).i16(-20).i16(8).i16(16).i16(-8).u16(4000).u16(5 << 3 | 1).u8(1);
        wire.pos(self.coord(), [1.0, 2.0, 3.0]).done()
    }
}

fn fte(name: &'static str, about: &'static str, fte: Fte) -> Sample {
    let mut tape = Tape::dem(b"-1\n");
    tape.announce(fte.base, "e1m1", TITLE);
    let camera = Play::camera;
    tape.dem_block(
        camera(0),
        &[
            stufftext("cl_serverextension_download 1\n"),
            print("\x02\nVERSION 1.09 SERVER (4880 CRC)"),
            fte.serverinfo(),
            Wire::id(0x36).u16(5).str0("progs/grem.mdl").done(),
            Wire::id(0x36).u16(0x8002).str0("misc/talk.wav").done(),
            setview(1),
            signonnum(1),
        ],
    );
    let baseline = Wire::id(0x42).u16(2);
    let far = Wire::id(0x42).u16(0x8000 | FAR >> 8).u8(FAR as u8);
    let thing = Wire::id(0x15);
    tape.dem_block(
        camera(0),
        &[
            fte.stands(baseline, 4, [10.0, 20.0, 30.0]).done(),
            fte.stands(far, 4, [1.0, 2.0, 3.0]).done(),
            fte.stands(thing, 2, [4.0, 5.0, 6.0]).done(),
            Wire::id(0x3B).pos(fte.coord(), [1.0, 2.0, 3.0]).u16(2).u8(255).u8(64).done(),
            signonnum(2),
        ],
    );
    let stats = [
        lightstyle(0, "m"),
        updatestat(15, 0x1101),
        Wire::id(0x33).u8(0).u8(100).done(),
        Wire::id(0x4F).u8(16).f32(22.0).done(),
        Wire::id(0x4E).u8(40).str0("red").done(),
        signonnum(3),
    ];
    tape.dem_block(camera(0), &stats);
    // All entities are forgotten, and two new ones begin.
    let first = fte.frame(1.0, |wire| {
        let wire = fte.stands(wire.u16(0x8000).u16(1), 3, [0.0, 8.0, 16.0]);
        wire.u16(2).u8(0x80).u8(0x01)
    });
    tape.dem_block(camera(1), &[fte.time(1.0), first]);
    let second = fte.frame(1.1, |wire| {
        fte.everything(wire.u16(1).u8(0x02).coord(fte.coord(), 4.0).coord(fte.coord(), 8.0))
    });
    let effects = [
        fte.sound(),
        Wire::id(0x3C).u16(1).u16(3).pos(fte.coord(), [0.0; 3]).pos(fte.coord(), [8.0; 3]).done(),
        Wire::id(0x3D).u16(3).pos(fte.coord(), [0.0; 3]).pos(fte.coord(), [8.0; 3]).u16(9).done(),
        Wire::id(0x3E).u16(3).pos(fte.coord(), [0.0; 3]).done(),
        Wire::id(0x54).u8(0).u8(1).u8(2).u16(3).raw(b"abc").done(),
        Wire::id(0x55).i16(10).i16(20).i16(30).done(),
        Wire::id(0x32).i32(0).u16(4).raw(b"data").done(),
    ];
    tape.dem_block(camera(2), &[&[fte.time(1.1)], &effects[..], &[second]].concat());
    // Entity 2 is removed; the others stay.
    tape.dem_block(camera(3), &[fte.time(1.2), fte.frame(1.2, |wire| wire.u16(0x8000 | 2))]);
    // The fields that only the game's own code reads.
    if fte.base == 15 {
        tape.dem_block_raw(camera(4), &[fte.time(1.3)], &[0x3A, 1, 0, 9, 9, 9]);
    }
    tape.dem_block(camera(5), &[fte.time(1.4), fte.frame(1.4, |wire| wire)]);
    tape.dem_block(camera(6), &[disconnect()]);
    tape.finish(name, about, End::Disconnect)
}

fn darkplaces(name: &'static str, about: &'static str, protocol: i32) -> Sample {
    let place = |wire: Wire, at: [f32; 3]| wire.pos(Coord::Float, at);
    let frame = |number: i32, list: &[u8]| {
        let wire = Wire::id(0x39).i32(number).opt((protocol >= 3504).then_some(77), Wire::i32);
        wire.raw(list).u16(0x8000).done()
    };
    let mut tape = Tape::dem(b"-1\n");
    tape.announce(protocol, "e1m1", TITLE);
    let camera = Play::camera;
    let info = Wire::id(0x0B).i32(protocol).u8(4).u8(1).str0(TITLE);
    tape.dem_block(
        camera(0),
        &[
            print("\nServer: DarkPlaces-Quake build 20180908 (progs 24778 crc)\n"),
            info.list(&MODELS).list(&["weapons/r_exp3.wav"]).done(),
            Wire::id(0x36).u16(0x8002).str0("misc/talk.wav").done(),
            setview(1),
            signonnum(1),
        ],
    );
    let entity = |wire: Wire| {
        let wire = wire.u16(300).u16(2).u8(0).u8(1);
        wire.coordf(1.0).angle16(90.0).coordf(2.0).angle16(0.0).coordf(3.0).angle16(-90.0).done()
    };
    tape.dem_block(
        camera(0),
        &[
            entity(Wire::id(0x37).i16(2)),
            entity(Wire::id(0x38)),
            place(Wire::id(0x3B), [1.0, 2.0, 3.0]).u16(2).u8(255).u8(64).done(),
            signonnum(2),
        ],
    );
    tape.dem_block(camera(0), &[lightstyle(0, "m"), Wire::id(0x33).u8(4).u8(50).done(), signonnum(3)]);
    let player = match protocol {
        3502 => {
            // View height, speed along x, the shift along x, armor and zoom, in the order of the wire.
            let wire =
                Wire::id(0x0F).u16(0x8000 | 0x2621).u8(0x09).i8(30).coordf(0.5).coordf(320.5).u32(0x1101);
            let wire = wire.i16(50).i16(100).i16(25).i16(25).i16(0).i16(0).i16(0).u16(1);
            wire.u16(128).done()
        }
        _ => Wire::id(0x0F).u16(0x0424).angle16(1.5).coordf(320.5).done(),
    };
    let all = Wire::new()
        .u16(5)
        .u8(0xFF)
        .u8(0xFF)
        .u8(0xFF)
        .u8(0x07)
        .u8(1)
        .pos(Coord::Float, [1.5, 2.5, 3.5])
        .angle16(1.0)
        .angle16(2.0)
        .angle16(3.0)
        .u16(258)
        .u16(300)
        .u8(2)
        .u32(0x1_0008)
        .u8(127)
        .u8(32)
        .u8(1)
        .u16(1)
        .u8(2)
        .u16(1)
        .u16(2)
        .u16(3)
        .u16(400)
        .u8(5)
        .u8(6)
        .u8(7)
        .u8(8)
        .raw(&[1, 2, 3])
        .raw(&[4, 5, 6])
        .u8(1)
        .raw(&[9; 10])
        .u16(3)
        .done();
    let stands = Wire::new().u16(1).u8(0x01 | 0x02 | 0x08).pos16([1.0, 2.0, 3.0]).u8(3).done();
    let begins = Wire::new().u16(2).u8(0x09).u8(4).done();
    tape.dem_block(camera(1), &[time(1.0), player.clone(), frame(1, &[stands, begins].concat())]);
    let effects = [
        Wire::id(0x06).u8(0x21).u8(200).u16(4000).u16(5 << 3 | 1).u8(1).pos(Coord::Float, [1.0; 3]).done(),
        place(Wire::id(0x17).u8(50), [1.0; 3]).i8(1).i8(2).i8(3).u8(20).done(),
        place(place(Wire::id(0x17).u8(5).i16(1), [1.0; 3]), [2.0; 3]).done(),
        place(Wire::id(0x34), [1.0; 3]).u8(4).u8(0).u8(6).u8(10).done(),
        place(Wire::id(0x35), [1.0; 3]).u16(300).u16(0).u8(6).u8(10).done(),
        Wire::id(0x23).str0("logo").str0("gfx/a.lmp").i16(-8).i16(300).done(),
        Wire::id(0x24).str0("logo").done(),
        Wire::id(0x25).str0("sky").done(),
    ];
    tape.dem_block(camera(2), &[&[time(1.1), player.clone()], &effects[..], &[frame(2, &all)]].concat());
    // Entity 2 is removed; the others stay.
    tape.dem_block(camera(3), &[time(1.2), player.clone(), frame(3, &[2, 0x80])]);
    if protocol == 3503 {
        tape.dem_block_raw(camera(4), &[time(1.3)], &[0x3A, 1, 0, 9, 9, 9]);
    }
    tape.dem_block(camera(5), &[time(1.4), player, frame(4, &[])]);
    tape.dem_block(camera(6), &[disconnect()]);
    tape.finish(name, about, End::Disconnect)
}
