//! Server recordings and Relay recordings (M2 2.5, 3.18 to 3.21, errata 2.28 and section 4, wire C3).

use super::play::{TICKS, baselines};
use super::{
    Entity, Frame, Level, Play, RECORD_CLIENT, RECORD_NETWORK, RECORD_RELAY, RECORD_SERVER, Serverdata,
    configstring, download, frame_relay, frame_server, packetentities, playerinfo, print, serverdata,
    stufftext, temp_example, unicast,
};
use crate::{End, Message, Sample, Tape};

pub(super) fn samples() -> Vec<Sample> {
    vec![
        announced(
            34,
            RECORD_SERVER,
            "dm2-34-server",
            "A server recording: one giant first block, no end mark",
        ),
        announced(
            33,
            RECORD_SERVER,
            "dm2-33-server",
            "A server recording of 3.17, the first to say isdemo 2",
        ),
        announced(
            32,
            RECORD_NETWORK,
            "dm2-32-server-isdemo-0",
            "A server recording of 3.15 whose serverdata says isdemo 0 (wire C3.2; errata 2.28 says there was none)",
        ),
        announced(
            32,
            RECORD_CLIENT,
            "dm2-32-server-isdemo-1",
            "A server recording of 3.15 whose serverdata says isdemo 1 (wire C3.2; errata 2.28 says there was none)",
        ),
        unannounced(),
        unannounced_old(),
        relay("dm2-34-relay", "A Relay recording with two connected clients and an end mark"),
        relay_without_players(),
    ]
}

/// A server's view of the level at a tick: whole entities with their old positions.
fn scene(tick: usize) -> Vec<Entity> {
    let step = tick as f32;
    let [soldier, door, barrel] = baselines();
    let moved = |entity: Entity, place: [f32; 3]| Entity {
        origin: place.map(Some),
        old_origin: Some(place),
        ..entity
    };
    let player = Entity { number: 1, models: [Some(255), Some(255), None, None], ..Entity::default() };
    vec![
        moved(Entity { frame8: Some(tick as u8), ..player }, [128.0 + step, -320.0, 24.125]),
        moved(Entity { frame8: Some(146), ..soldier }, [128.0 - step * 4.0, -64.0, 24.125]),
        moved(door, [0.0, 0.0, step * 8.0]),
        moved(barrel, [-512.0, 300.5, 24.0]),
    ]
}

fn run_server(tape: &mut Tape) {
    for tick in 0..TICKS {
        let mut block = vec![frame_server(1 + tick as i32), packetentities(&scene(tick))];
        let quiet = [6, 12];
        if !quiet.contains(&tick) {
            block.extend(Play::events(tick));
        }
        tape.dm2_block(&block);
    }
}

fn announced(protocol: i32, isdemo: u8, name: &'static str, about: &'static str) -> Sample {
    let play = Play { isdemo, ..Play::new(protocol) };
    let title = play.level.title;
    let mut first =
        vec![serverdata(&Serverdata { protocol, key: 0x1234, isdemo, game: "", client: -1, title })];
    first.extend(play.strings());
    for item in 0..256 {
        first.push(configstring(1056 + item, format!("an item with a long enough name {item}")));
    }
    let mut tape = Tape::dm2();
    tape.announce(protocol, play.level.map, title);
    tape.dm2_block(&first);
    run_server(&mut tape);
    tape.finish(name, about, End::Open)
}

/// Servers before 3.17 wrote only frames.
fn unannounced() -> Sample {
    let mut tape = Tape::dm2();
    run_server(&mut tape);
    tape.finish(
        "dm2-server-no-serverdata",
        "A server recording of 3.15 without serverdata; it begins with a server frame (errata 2.28)",
        End::Open,
    )
}

/// A server's recording without an announcement, by a server from before 3.15: kinds 26 and 27 have their old
/// meanings, and downloads contain no bytes. The bytes after them show where they end.
fn unannounced_old() -> Sample {
    const PROTOCOL: i32 = 31;
    let kinds = [27, 26, 3, 26, 10, 27, 37, 26].into_iter().cycle();
    let mut tape = Tape::dm2();
    for (tick, kind) in (0..TICKS).zip(kinds) {
        let mut block = vec![frame_server(1 + tick as i32), packetentities(&scene(tick))];
        block.extend(temp_example(PROTOCOL, kind));
        if tick % 5 == 2 {
            block.push(download(PROTOCOL, 10, Some(&[7; 400])));
        }
        block.push(print(2, format!("tick {tick}\n")));
        tape.dm2_block(&block);
    }
    tape.finish(
        "dm2-server-no-serverdata-old",
        "A server recording of protocol 31 without serverdata (errata 2.28, dm2 3.4 for kinds 26 and 27)",
        End::Open,
    )
}

/// The header of a Relay recording. The client's number in its serverdata is not known (errata section 4); -1
/// is written. The baselines and the stuffed command are those of a client recording.
fn relay_play() -> Play {
    let level = Level { map: "q2dm1", title: "The Edge", game: "relay" };
    Play { isdemo: RECORD_RELAY, level, ..Play::new(34) }
}

fn open_relay(play: &Play, tape: &mut Tape) {
    let level = &play.level;
    tape.announce(34, level.map, level.title);
    let [first, second] = play.opening();
    let data = Serverdata {
        protocol: 34,
        key: 0x1234,
        isdemo: RECORD_RELAY,
        game: level.game,
        client: -1,
        title: level.title,
    };
    let first: Vec<Message> = std::iter::once(serverdata(&data)).chain(first.into_iter().skip(1)).collect();
    tape.dm2_block(&first);
    tape.dm2_block(&second);
}

fn relay(name: &'static str, about: &'static str) -> Sample {
    let play = relay_play();
    let mut tape = Tape::dm2();
    open_relay(&play, &mut tape);
    for tick in 0..TICKS {
        let sequence = 10 + tick as i32;
        let delta = if tick == 0 { -1 } else { sequence - 1 };
        let data = Frame { sequence, delta, suppressed: 0, areas: &[0xFF, 0x01] };
        let mut block = vec![frame_relay(34, &data, &[0, 3])];
        block.extend([0, 3].map(|client| unicast(client, &playerinfo(&Play::player(tick)))));
        block.push(packetentities(&Play::entities(tick)));
        block.extend(Play::events(tick));
        if tick % 6 == 5 {
            block.push(unicast(3, &print(2, "only for you\n")));
            block.push(unicast(0, &stufftext("echo secret\n")));
        }
        tape.dm2_block(&block);
    }
    tape.mark();
    tape.finish(name, about, End::Mark)
}

/// No player is connected, so there is no player state between frame and entities, as M2 allows.
fn relay_without_players() -> Sample {
    let play = relay_play();
    let mut tape = Tape::dm2();
    open_relay(&play, &mut tape);
    for tick in 0..TICKS {
        let data =
            Frame { sequence: 10 + tick as i32, delta: 9 + tick as i32, suppressed: 0, areas: &[0xFF] };
        let mut block = vec![frame_relay(34, &data, &[]), packetentities(&Play::entities(tick))];
        block.extend(Play::events(tick));
        tape.dm2_block(&block);
    }
    tape.mark();
    tape.finish(
        "dm2-34-relay-empty",
        "A Relay recording without clients: no player state follows the frame (open in errata section 4)",
        End::Mark,
    )
}
