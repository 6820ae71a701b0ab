//! Undamaged client recordings, one per protocol.

use super::{Play, download, temp_example};
use crate::{End, Message, Sample, Tape};

pub(super) fn samples() -> Vec<Sample> {
    let clients = [
        (26, "dm2-26-client", "Protocol 26, game 3.05: no suppress byte in frames"),
        (27, "dm2-27-client", "Protocol 27, game 3.07"),
        (28, "dm2-28-client", "Protocol 28, game 3.09"),
        (30, "dm2-30-client", "Protocol 30, game 3.10"),
        (
            31,
            "dm2-31-client",
            "Protocol 31, game 3.12: the last with the old kinds 26 and 27 and bare downloads",
        ),
        (32, "dm2-32-client", "Protocol 32, game 3.15: kinds 26 and 27 exchanged, downloads carry data"),
        (33, "dm2-33-client", "Protocol 33, game 3.17"),
        (34, "dm2-34-client", "Protocol 34, game 3.18 and later"),
    ];
    let mut samples: Vec<Sample> = clients
        .into_iter()
        .map(|(protocol, name, about)| Play { extra: downloads, ..Play::new(protocol) }.sample(name, about))
        .collect();
    samples.extend([
        kinds(
            31,
            "dm2-31-temp-entities",
            "One block for each kind of temporary entity as protocol 31 has it",
        ),
        kinds(
            34,
            "dm2-34-temp-entities",
            "One block for each kind of temporary entity, 31 and 32 among them",
        ),
    ]);
    samples
}

fn downloads(protocol: i32, tick: usize) -> Vec<Message> {
    match tick {
        17 => vec![download(protocol, 0, None), download(protocol, 40, Some(b"\x00\xFFdata"))],
        18 => vec![download(protocol, 100, Some(b""))],
        _ => Vec::new(),
    }
}

fn kinds(protocol: i32, name: &'static str, about: &'static str) -> Sample {
    let play = Play::new(protocol);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    for (number, kind) in (0..=55).enumerate() {
        let mut block = play.tick(number);
        block.extend(temp_example(protocol, kind));
        tape.dm2_block(&block);
    }
    tape.mark();
    tape.finish(name, about, End::Mark)
}
