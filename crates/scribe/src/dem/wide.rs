//! Protocols that other engines derived from protocol 15 (wire A1.7, A2, A3, A4, A6.2).

use super::every::{full_clientdata, full_high, full_update, wide_update};
use super::{
    B_LARGE_FRAME, B_LARGE_MODEL, Baseline2, Clientdata, DarkPlaces, Index, Level, Net, Play,
    SND_LARGEENTITY, SND_LARGESOUND, Sound, Trans, U_EXTEND1, U_EXTEND2, Update, Variant, clientdata,
    darkplaces_update, dem_messages, fog, hidelmp, nehahra_fog, showlmp, skybox, sound, spawnbaseline2,
    spawnstatic2, spawnstaticsound2, temp_example, time, updateentity,
};
use crate::{End, Message, Sample, Tape, Wire};

const FITZ_BANNER: &str = "\x02\nFITZQUAKE 0.85 SERVER (5927 CRC)\n";

pub(super) fn samples() -> Vec<Sample> {
    let play =
        |net, extra| Play { extra, ..Play::new(net, Level { banner: FITZ_BANNER, ..Level::slipgate() }) };
    let nehahra = Level::named("neh1m1", "Forge of Souls", "\x02\nVERSION 1.09 SERVER (12655 CRC)");
    let film = |net| Play { extra: films, ..Play::new(net, nehahra.clone()) };
    let mut samples = vec![
        play(Net::fitz(), fitz).sample("dem-666", "Protocol 666 with all it adds, wide and needlessly wide"),
        every("dem-666-every-message", "One block for each message of protocol 666", Variant::Fitz),
        play(Net::fitz_plus(), fitz)
            .sample("dem-668", "Protocol 668: short angles in entity updates, bytes elsewhere (wire A2.5)"),
    ];
    samples.extend(RMQ.iter().map(|&(flags, name)| {
        play(Net::rmq(flags), fitz).sample(name, "Protocol 999 with the flags its name tells")
    }));
    samples.push(every(
        "dem-999-every-message",
        "One block for each message of 999, flags 0x82",
        Variant::Rmq(0x82),
    ));
    samples.extend([
        bjp(Net::bjp(), "dem-10000", "Protocol 10000, BJP: short model indices"),
        bjp(Net::bjp2(), "dem-10001", "Protocol 10001, BJP2: short model and sound indices"),
        bjp(
            Net::bjp3(Index::Byte),
            "dem-10002-byte-static",
            "Protocol 10002, BJP3, static sounds with a byte as two engines read them (wire A4)",
        ),
        bjp(
            Net::bjp3(Index::Short),
            "dem-10002-short-static",
            "Protocol 10002, BJP3, static sounds with a short as DarkPlaces reads them (wire A4)",
        ),
        film(Net::netquake())
            .sample("dem-15-nehahra", "Nehahra under protocol 15: floats behind update bit 15"),
        film(Net::numbered(250)).sample("dem-250-nehahra", "Nehahra under its own number (wire A1.7)"),
        darkplaces(),
        rerelease(),
    ]);
    samples
}

/// Every combination of the five flags of protocol 999 that change a width; then the flags without one.
const RMQ: [(u32, &str); 35] = [
    (0x00, "dem-999-00"),
    (0x02, "dem-999-02-shortangle"),
    (0x04, "dem-999-04-floatangle"),
    (0x06, "dem-999-06"),
    (0x08, "dem-999-08-coord24"),
    (0x0A, "dem-999-0a"),
    (0x0C, "dem-999-0c"),
    (0x0E, "dem-999-0e"),
    (0x10, "dem-999-10-floatcoord"),
    (0x12, "dem-999-12"),
    (0x14, "dem-999-14"),
    (0x16, "dem-999-16"),
    (0x18, "dem-999-18"),
    (0x1A, "dem-999-1a"),
    (0x1C, "dem-999-1c"),
    (0x1E, "dem-999-1e"),
    (0x80, "dem-999-80-coord32"),
    (0x82, "dem-999-82-default"),
    (0x84, "dem-999-84"),
    (0x86, "dem-999-86"),
    (0x88, "dem-999-88"),
    (0x8A, "dem-999-8a"),
    (0x8C, "dem-999-8c"),
    (0x8E, "dem-999-8e"),
    (0x90, "dem-999-90"),
    (0x92, "dem-999-92"),
    (0x94, "dem-999-94"),
    (0x96, "dem-999-96"),
    (0x98, "dem-999-98"),
    (0x9A, "dem-999-9a"),
    (0x9C, "dem-999-9c"),
    (0x9E, "dem-999-9e"),
    (0x20, "dem-999-20-edictscale"),
    (0x40, "dem-999-40-alphasanity"),
    (0xE2, "dem-999-e2"),
];

fn fitz(net: &Net, tick: usize) -> Vec<Message> {
    let noise = Sound { entity: 1, index: 1, origin: [8.0, 16.5, -24.25], ..Sound::default() };
    let wide =
        Baseline2 { model: 300, frame: 258, origin: noise.origin, alpha: Some(77), ..Baseline2::default() };
    let needless = Baseline2 { bits: B_LARGE_MODEL | B_LARGE_FRAME, model: 3, frame: 1, ..wide };
    let small = Update { entity: 9, ..Update::default() };
    match tick {
        0 => vec![spawnbaseline2(net, 600, &wide), spawnbaseline2(net, 9, &needless)],
        1 => vec![spawnstatic2(net, &Baseline2 { alpha: None, ..wide })],
        2 => vec![spawnstaticsound2(net, noise.origin, 600, 255, 192), skybox("unit1_")],
        3 => vec![updateentity(net, &wide_update()), super::bf()],
        4 => vec![updateentity(net, &Update { alpha: Some(1), ..small })],
        5 => vec![updateentity(net, &Update { scale: Some(32), ..small })],
        6 => vec![updateentity(net, &Update { frame2: Some(0), frame: Some(3), ..small })],
        7 => vec![updateentity(net, &Update { model2: Some(0), model: Some(3), ..small })],
        8 => vec![updateentity(net, &Update { lerpfinish: Some(255), ..full_update() })],
        9 => vec![updateentity(net, &Update { bits: U_EXTEND1, ..small })],
        10 => vec![updateentity(net, &Update { bits: U_EXTEND2, ..small })],
        11 => vec![updateentity(net, &Update { bits: 0xFF60_0000, ..wide_update() })],
        12 => vec![clientdata(net, &Clientdata { high: full_high(), ..full_clientdata() })],
        13 => vec![clientdata(net, &Clientdata { bits: 1 << 15, ..Clientdata::default() })],
        14 => vec![clientdata(net, &Clientdata { bits: 0xFC00_0000, ..full_clientdata() })],
        15 => vec![sound(net, &Sound { entity: 9000, channel: 9, volume: Some(1), ..noise })],
        16 => vec![sound(net, &Sound { index: 700, ..noise })],
        17 => vec![sound(net, &Sound { bits: SND_LARGEENTITY | SND_LARGESOUND, ..noise })],
        18 => vec![fog(13, [77, 88, 99], 150), fog(0, [0; 3], -1), super::print(b"\xFF is a letter here\n")],
        _ => Vec::new(),
    }
}

/// One block for each message of a variant, except those that end or restart the game.
fn every(name: &'static str, about: &'static str, variant: Variant) -> Sample {
    let play = Play::new(variant.net(), Level { banner: FITZ_BANNER, ..Level::slipgate() });
    let mut tape = Tape::dem(b"-1\n");
    play.sign_on(&mut tape);
    let left_out = ["bad", "spawnbinary", "serverinfo", "disconnect", "signonnum"];
    for (keyword, message) in dem_messages(variant) {
        if !left_out.contains(&keyword) {
            tape.dem_block(Play::camera(1), &[time(2.2), message]);
        }
    }
    Play::stop(&mut tape);
    tape.finish(name, about, End::Disconnect)
}

fn bjp(net: Net, name: &'static str, about: &'static str) -> Sample {
    let extra = |net: &Net, tick| match tick {
        3 => vec![updateentity(net, &Update { model: Some(700), ..full_update() })],
        4 => vec![clientdata(net, &Clientdata { weapon: Some(600), ..full_clientdata() })],
        5 => vec![sound(net, &Sound { entity: 1, index: 3, volume: Some(9), ..Sound::default() })],
        6 if net.sounds == Index::Short => {
            vec![sound(net, &Sound { entity: 1, index: 700, ..Sound::default() })]
        }
        _ => Vec::new(),
    };
    let level = Level { banner: "\x02\nVERSION 2.40 SERVER (5927 CRC)", ..Level::slipgate() };
    Play { extra, ..Play::new(net, level) }.sample(name, about)
}

fn films(net: &Net, tick: usize) -> Vec<Message> {
    let faint = Trans { kind: 1.0, alpha: 0.5, fullbright: None };
    let bright = Trans { kind: 2.0, alpha: 0.25, fullbright: Some(1.0) };
    let small = Update { entity: 9, ..Update::default() };
    match tick {
        0 => vec![skybox("space_"), nehahra_fog(Some((0.05, [10, 20, 30])))],
        2 => vec![showlmp("title", "gfx/title.lmp", 10, 200)],
        4 => vec![updateentity(net, &Update { trans: Some(faint), ..small })],
        5 => vec![
            updateentity(net, &Update { trans: Some(bright), ..full_update() }),
            updateentity(net, &Update { trans: Some(faint), frame: Some(3), ..small }),
        ],
        7 => vec![hidelmp("title"), nehahra_fog(None)],
        8 | 9 => temp_example(net, tick as u8 + 8).into_iter().collect(),
        10 => vec![updateentity(net, &Update { trans: Some(Trans { alpha: 0.0, ..bright }), ..small })],
        _ => Vec::new(),
    }
}

/// A `DarkPlaces` server's protocol 15: in some blocks extended updates follow all other messages.
fn darkplaces() -> Sample {
    let play = Play::new(Net::netquake(), Level::slipgate());
    let net = &play.net;
    let mut tape = Tape::dem(b"-1\n");
    play.sign_on(&mut tape);
    let glow = DarkPlaces { glow_size: Some(40), glow_color: Some(251), ..DarkPlaces::default() };
    let all = DarkPlaces {
        alpha: Some(200),
        scale: Some(16),
        effects2: Some(3),
        colormod: Some(0xFC),
        frame2: Some(1),
        model2: Some(1),
        ..glow
    };
    let small = Update { entity: 9, ..Update::default() };
    for tick in 0..super::play::TICKS {
        let tail = match tick % 3 {
            0 => Message::new(),
            1 => darkplaces_update(net, &small, &glow),
            _ => {
                [darkplaces_update(net, &full_update(), &all), darkplaces_update(net, &small, &all)].concat()
            }
        };
        tape.dem_block_raw(Play::camera(tick), &play.tick(tick), &tail);
    }
    Play::stop(&mut tape);
    tape.finish(
        "dem-15-darkplaces",
        "Protocol 15 from a DarkPlaces server: mask bytes behind update bit 15 (wire A6.2), to be kept raw",
        End::Disconnect,
    )
}

/// The 2021 release's own recording: only the announcement follows the fact sheet (wire A7b), with the game's
/// folder after the number of players; the other bytes have roughly the right shape.
fn rerelease() -> Sample {
    let Level { map, title, models, sounds, .. } = Level::slipgate();
    let map = format!("maps/{map}.bsp");
    let models: Vec<&str> = std::iter::once(map.as_str()).chain(models).collect();
    let mut tape = Tape::dem(b"-1\n");
    tape.announce(666, "", title);
    let info = Wire::id(0x0B).i32(666).u8(1).str0("id1").u8(0).str0(title).list(&models).list(&sounds);
    tape.dem_block_raw([0.0; 3], &[], &info.done());
    for tick in 0..super::play::TICKS {
        let seen = Wire::id(0x33).u8(tick as u8).raw(&time(1.2)).raw(&[0x0F, 0xFF, 0xAA, 0x55]);
        tape.dem_block_raw(Play::camera(tick), &[], &seen.done());
    }
    Play::stop(&mut tape);
    tape.finish(
        "dem-666-rerelease",
        "The 2021 release's own recording, which says 666 and is something else; to be kept raw (wire A7b)",
        End::Disconnect,
    )
}
