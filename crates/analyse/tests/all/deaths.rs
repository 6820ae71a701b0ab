//! Every obituary of the games is recognized, with the players and the class, even with confusing names:
//! `deaths.txt`.

use moviola_analyse::{EventKind, Events, watch};
use moviola_format::{Block, Game, Piece};

/// A line of the list.
struct Line {
    game: Game,
    class: &'static str,
    words: &'static str,
}

fn lines() -> Vec<Line> {
    let list = include_str!("deaths.txt").lines().filter(|line| !line.starts_with('#'));
    list.map(|line| {
        let mut parts = line.split('\t');
        let game = if parts.next() == Some("quake2") { Game::Quake2 } else { Game::Quake };
        Line { game, class: parts.next().unwrap(), words: parts.next().unwrap() }
    })
    .collect()
}

/// Pairs of victim and attacker: plain names, a name that begins with the other one, words of other lines, bronze
/// letters.
const NAMES: [[&[u8]; 2]; 5] = [
    [b"Bob", b"Al"],
    [b"Al's", b"Al"],
    [b"Al", b"Al's rocket"],
    [b"was railed by", b"died"],
    [b"\xd2\xe1\xee\xe7er", b"\x10q\x11 x"],
];

/// The pieces of a line.
fn pieces(words: &str, [victim, attacker]: [&[u8]; 2]) -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    let mut rest = words;
    while let Some(at) = rest.find('%') {
        pieces.push(rest.as_bytes()[..at].to_vec());
        pieces.push(if rest[at..].starts_with("%v") { victim } else { attacker }.to_vec());
        rest = &rest[at + 2..];
    }
    pieces.push(format!("{rest}\n").into_bytes());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn block(game: Game, data: &[u8], file: &mut Vec<u8>) {
    Piece::Block(Block::new(data)).write(game, file).unwrap();
}

/// A recording in which the line is printed, in one piece or in the pieces of Quake's game code.
fn recording(line: &Line, names: [&[u8]; 2], whole: bool) -> Vec<u8> {
    let mut pieces = pieces(line.words, names);
    if whole {
        pieces = vec![pieces.concat()];
    }
    let mut file = Vec::new();
    match line.game {
        Game::QuakeWorld => panic!("no line is QuakeWorld's yet"),
        Game::Quake => {
            file.extend_from_slice(b"-1\n");
            block(line.game, b"\x0b\x0f\0\0\0\x04\x01Hall\0maps/hall.bsp\0\0\0\x19\x04", &mut file);
            for (slot, name) in (0u8..).zip(names) {
                block(line.game, &[&[0x0d, slot], name, b"\0"].concat(), &mut file);
            }
        }
        Game::Quake2 => {
            let data = b"\x0c\x22\0\0\0\x01\0\0\0\x01\0\0\0Hall\0";
            block(line.game, data, &mut file);
            for (slot, name) in (0x20u8..).zip(names) {
                let skin = [&[0x0d, slot, 5], name, b"\\male/grunt\0"].concat();
                block(line.game, &skin, &mut file);
            }
        }
    }
    let id: &[u8] = if line.game == Game::Quake { b"\x08" } else { b"\x0a\x01" };
    let prints: Vec<u8> = pieces.iter().flat_map(|piece| [id, piece, b"\0"].concat()).collect();
    block(line.game, &prints, &mut file);
    block(line.game, b"\x06", &mut file);
    file
}

#[test]
fn every_line_makes_its_event() {
    let all = lines();
    assert!(all.len() > 180, "only {}", all.len());
    let mut wrong = Vec::new();
    for line in &all {
        for names in NAMES {
            for whole in [false, true] {
                if line.game == Game::Quake2 && !whole {
                    continue;
                }
                let mut deaths = Vec::new();
                let mut events = Events::new(|event| {
                    if let EventKind::Kill { victim, attacker, class, .. } = event.kind {
                        deaths.push((victim.and_then(|it| it.slot), attacker.and_then(|it| it.slot), class));
                    }
                });
                watch(&recording(line, names, whole)[..], &mut [&mut events]).unwrap();
                drop(events);
                let has = |name: &str, slot| line.words.contains(name).then_some(slot);
                let expected = (has("%v", 0), has("%a", 1), line.class);
                if deaths != [expected] {
                    let [victim, attacker] = names.map(|name| name.escape_ascii().to_string());
                    let line = line.words;
                    wrong.push(format!("{line} of {victim} and {attacker}, whole: {whole}: {deaths:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
