//! Undamaged recordings of protocol 15, one per version and peculiarity.

use super::every::{full_clientdata, full_update};
use super::{
    Clientdata, Items, Level, Net, Play, SND_LARGEENTITY, SND_LARGESOUND, SND_LOOPING, Sound, U_EXTEND1,
    U_LONGENTITY, U_MOREBITS, Update, Variant, clientdata, dem_messages, sound, stufftext, time,
    updateentity,
};
use crate::{End, Message, Sample, Tape};

const BANNER_106: &str = "\x02\nVERSION 1.06 SERVER (5927 CRC)";
const BANNER_107: &str = "\x02\nVERSION 1.07 SERVER (5927 CRC)";

pub(super) fn samples() -> Vec<Sample> {
    let slipgate = || Play::new(Net::netquake(), Level::slipgate());
    let with_extra = |extra| Play { extra, ..slipgate() };
    vec![
        slipgate().sample("dem-15-v109", "Protocol 15 as 1.09 writes it: items bit set, items there"),
        v107().sample("dem-15-v107", "Protocol 15 as 1.07 writes it: items bit clear, items there (errata 1.2)"),
        v106().sample("dem-15-v106", "Protocol 15 as 1.06 writes it: no items unless the bit is set (errata 1.2)"),
        crowd(),
        every(),
        with_extra(needless).sample("dem-15-needless", "Encodings an engine never chooses, each of them legal"),
        with_extra(sound_bits).sample(
            "dem-15-sound-bits",
            "Sound mask bits 8 and 16, without data in protocol 15 (errata 1.25); later engines give them data",
        ),
        with_extra(update_bit15).sample(
            "dem-15-update-bit15",
            "Update bit 15 without data, as id's engine reads it (errata 1.12); others read Nehahra's floats",
        ),
        with_extra(clientdata_bit15).sample(
            "dem-15-clientdata-bit15",
            "Clientdata bit 15 without data, as id's engine reads it (errata 1.5); others read a byte",
        ),
        with_extra(long_string).sample(
            "dem-15-long-string",
            "A string of 3000 bytes; id's engine would take its end for messages (errata 1.17)",
        ),
        bare(),
    ]
}

fn v107() -> Play {
    let level = Level { banner: BANNER_107, ..Level::slipgate() };
    Play { items: |tick| Items::Unmarked(0x1101 + tick as i32), ..Play::new(Net::netquake(), level) }
}

fn v106() -> Play {
    let level = Level { banner: BANNER_106, ..Level::slipgate() };
    let items = |tick| if tick % 5 == 4 { Items::Marked(0x3103) } else { Items::Absent };
    Play { items, ..Play::new(Net::netquake(), level) }
}

/// Four players, so that several slots are filled.
fn crowd() -> Sample {
    let level = Level { maxclients: 4, ..Level::slipgate() };
    Play::new(Net::netquake(), level).sample("dem-15-four-slots", "Protocol 15 with four slots for players")
}

/// Every message of the protocol, one per block, between two halves of a game. The ids 0x00 and 0x15, which
/// stop an engine, are left out, and so are those that would restart or end the level.
fn every() -> Sample {
    let play = Play::new(Net::netquake(), Level::slipgate());
    let mut tape = Tape::dem(b"7\n");
    play.sign_on(&mut tape);
    play.run(&mut tape, 0..10);
    let left_out = ["bad", "spawnbinary", "serverinfo", "disconnect", "signonnum"];
    for (name, message) in dem_messages(Variant::NetQuake) {
        if !left_out.contains(&name) {
            tape.dem_block(Play::camera(10), &[time(2.2), message]);
        }
    }
    play.run(&mut tape, 10..20);
    Play::stop(&mut tape);
    tape.finish("dem-15-every-message", "One block for each message of protocol 15", End::Disconnect)
}

fn needless(net: &Net, tick: usize) -> Vec<Message> {
    let small = Update { entity: 9, ..Update::default() };
    let noise = Sound { entity: 1, index: 1, ..Sound::default() };
    match tick {
        0 => vec![updateentity(net, &Update { bits: U_MOREBITS, ..small })],
        1 => vec![updateentity(net, &Update { bits: U_LONGENTITY, ..small })],
        2 => vec![updateentity(net, &Update { entity: 0, bits: U_MOREBITS | U_LONGENTITY, ..full_update() })],
        3 => vec![sound(net, &Sound { volume: Some(255), attenuation: Some(64), ..noise })],
        4 => vec![sound(net, &Sound { bits: SND_LOOPING | 0xE0, ..noise })],
        5 => vec![clientdata(net, &Clientdata { bits: 0x0D00, ..Clientdata::default() })],
        6 => vec![clientdata(net, &zero_clientdata())],
        7 => vec![clientdata(net, &full_clientdata()), clientdata(net, &full_clientdata())],
        8 => vec![time(1.0), time(0.5), time(0.5)],
        9 => vec![updateentity(net, &small), updateentity(net, &small)],
        10 => vec![super::lightstyle(200, "z"), super::updatename(200, "nobody"), super::setview(-1)],
        11 => vec![super::nop(), super::nop(), super::stufftext("")],
        12 => vec![super::version(15), super::setpause(0), super::setpause(77)],
        13 => vec![super::sound(net, &Sound { entity: 0x1FFF, channel: 7, index: 255, ..noise })],
        14 => vec![updateentity(net, &Update { entity: 0xFFFF, ..full_update() })],
        15 => vec![super::stopsound(0x1FFF, 7), super::cdtrack(0, 255), super::updatefrags(255, i16::MIN)],
        _ => Vec::new(),
    }
}

/// Every optional field is there, each with its default value.
fn zero_clientdata() -> Clientdata {
    Clientdata {
        view_height: Some(22),
        ideal_pitch: Some(0),
        punch: [Some(0); 3],
        velocity: [Some(0); 3],
        items: Items::Marked(0x4001),
        weapon_frame: Some(0),
        armor: Some(0),
        weapon: Some(0),
        active_weapon: Some(0),
        ..Clientdata::default()
    }
}

fn sound_bits(net: &Net, tick: usize) -> Vec<Message> {
    let noise = Sound { entity: 1, index: 1, origin: [8.0, 16.0, 24.0], ..Sound::default() };
    match tick {
        3 => vec![sound(net, &Sound { bits: SND_LARGEENTITY, ..noise })],
        4 => vec![sound(net, &Sound { bits: SND_LARGESOUND, volume: Some(3), ..noise })],
        _ => Vec::new(),
    }
}

fn update_bit15(net: &Net, tick: usize) -> Vec<Message> {
    let small = Update { entity: 9, bits: U_EXTEND1, ..Update::default() };
    match tick {
        5 => vec![updateentity(net, &small)],
        9 => vec![updateentity(net, &Update { bits: U_EXTEND1, ..full_update() })],
        _ => Vec::new(),
    }
}

fn clientdata_bit15(net: &Net, tick: usize) -> Vec<Message> {
    let data = Clientdata { bits: 0x8000, ..Clientdata::default() };
    if tick == 5 { vec![clientdata(net, &data)] } else { Vec::new() }
}

fn long_string(_: &Net, tick: usize) -> Vec<Message> {
    if tick == 5 { vec![stufftext([b'x'; 3000]), super::nop()] } else { Vec::new() }
}

/// A recording that begins in the middle, without an announcement of a level.
fn bare() -> Sample {
    let play = Play::new(Net::netquake(), Level::slipgate());
    let mut tape = Tape::dem(b"-1\n");
    play.run(&mut tape, 0..20);
    Play::stop(&mut tape);
    tape.finish("dem-no-serverinfo", "No serverinfo anywhere, protocol 15's layout", End::Disconnect)
}
