//! Strips every recording: the requested messages are gone, and everything else is there.

use crate::common::{Recording, recordings};
use moviola_edit::{BlockWriter, Rewrite, Strip, rewrite};
use moviola_format::{Entry, Fault, Message as _, dem, dm2};
use moviola_scribe::Game;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Whether a message, given by its name and its bytes, must stay.
type Stays = dyn Fn(&str, &[u8]) -> bool;

/// A hash of all messages of a recording that must stay, and the number of the others.
struct All<'s> {
    stays: &'s Stays,
    hash: DefaultHasher,
    removed: usize,
}

impl All<'_> {
    fn of(file: &[u8], stays: &Stays) -> (u64, usize) {
        let mut all = All { stays, hash: DefaultHasher::new(), removed: 0 };
        rewrite(file, &mut all, std::io::sink()).unwrap();
        (all.hash.finish(), all.removed)
    }
    fn take(&mut self, name: &str, bytes: &[u8]) {
        if (self.stays)(name, bytes) { bytes.hash(&mut self.hash) } else { self.removed += 1 }
    }
}

impl Rewrite for All<'_> {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.take(entry.message.schema().name, writer.bytes());
    }
    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.take(entry.message.schema().name, writer.bytes());
    }
    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        self.take("raw", writer.bytes());
    }
}

fn stripped(what: &str, file: &[u8]) -> Vec<u8> {
    let mut edited = Vec::new();
    rewrite(file, &mut Strip::parse(what).unwrap(), &mut edited).unwrap();
    edited
}

/// Strips `what` from every recording; returns the number of messages that were to be removed.
fn over_all(game: Game, what: &str, stays: &Stays) -> usize {
    let mut all = 0;
    for Recording { name, bytes } in recordings(game) {
        if moviola_format::sniff(&bytes, true).game().is_none() || crate::common::is_kept_raw(&bytes) {
            continue;
        }
        let (expected, gone) = All::of(&bytes, stays);
        let edited = stripped(what, &bytes);
        if gone == 0 {
            assert!(edited == bytes, "{name}: {what} changed something");
        }
        assert!(All::of(&edited, stays) == (expected, 0), "{name}: {what} is another thing");
        all += gone;
    }
    all
}

#[test]
fn quake_prints_sounds_and_particles() {
    let removed = over_all(Game::Quake, "prints", &|name, bytes| {
        name != "print" || bytes.starts_with(b"\x08\x02\nVERSION ")
    });
    assert!(removed > 20, "{removed}");
    let removed = over_all(Game::Quake, "sounds centerprints particle,intermission", &|name, _| {
        let removed = [
            "sound",
            "stopsound",
            "spawnstaticsound",
            "spawnstaticsound2",
            "spawnstaticsound_darkplaces",
            "localsound",
            "voicechat",
        ];
        !removed.contains(&name) && !["centerprint", "particle", "intermission"].contains(&name)
    });
    assert!(removed > 100, "{removed}");
}

#[test]
fn quake_chat_begins_with_a_byte_1() {
    let gone =
        over_all(Game::Quake, "chat", &|name, bytes| name != "print" || !bytes.starts_with(b"\x08\x01"));
    assert!(gone > 3, "{gone}");
}

#[test]
fn quake2_chat_and_sounds() {
    let removed = over_all(Game::Quake2, "chat", &|name, bytes| {
        // In Relay recordings a client's number precedes the level.
        let at = if bytes[0] & 0x80 == 0 { 1 } else { 2 };
        name != "print" || bytes[at] != 3
    });
    assert!(removed > 0, "{removed}");
    let gone =
        over_all(Game::Quake2, "sounds,temp_entity", &|name, _| !["sound", "temp_entity"].contains(&name));
    assert!(gone > 20, "{gone}");
}

/// A Quake recording with these blocks, after a block that stays: the size of a first block may be changed.
fn quake(blocks: &[&[u8]]) -> Vec<u8> {
    let mut file = b"-1\n".to_vec();
    for block in [&b"\x01"[..]].iter().chain(blocks) {
        file.extend((block.len() as u32).to_le_bytes());
        file.extend([0; 12]);
        file.extend(*block);
    }
    file
}

#[test]
fn a_command_in_pieces_is_one_command() {
    let file = quake(&[b"\x09bf\nbi\0\x01\x09nd x quit\nbf\n\0", b"\x09bi\0", b"\x09nd x quit\n\0"]);
    let mut strip = Strip::parse("commands").unwrap();
    let mut edited = Vec::new();
    let summary = rewrite(&file[..], &mut strip, &mut edited).unwrap();
    // Commands in blocks of their own are run one by one.
    assert_eq!(edited, quake(&[b"\x09bf\n\0\x01\x09bf\n\0"]));
    assert_eq!(summary.notes, ["commands: bi, bind, nd"]);
}

#[test]
fn commands_that_engines_need_stay() {
    let file = quake(&[b"\x09reconnect\nname x\n\0"]);
    assert_eq!(stripped("commands,stufftext", &file), quake(&[b"\x09reconnect\n\0"]));
    assert_eq!(stripped("stufftext", &quake(&[b"\x09bf\n\0\x01"])), quake(&[b"\x01"]));
}

#[test]
fn cheats_are_lines_and_commands() {
    let file = quake(&[b"\x08godmode ON\n\0\x08Bob: godmode ON\n\0\x09give 8; bf\n\0"]);
    assert_eq!(stripped("cheats", &file), quake(&[b"\x08Bob: godmode ON\n\0\x09 bf\n\0"]));
}

#[test]
fn fades_are_tints_of_the_screen() {
    let file = quake(&[b"\x09v_cshift 0 0 0 99\nbf\n\0"]);
    assert_eq!(stripped("fades", &file), quake(&[b"\x09bf\n\0"]));
}

#[test]
fn a_pause_goes_with_the_blocks_that_only_repeat() {
    let time = b"\x07\0\0\x80\x3f";
    let chat = [&time[..], b"\x08hello\n\0"].concat();
    let begin = [&time[..], b"\x08Bob paused the game\n\0\x18\x01"].concat();
    let end = [&time[..], b"\x08Bob unpaused the game\n\0\x18\0"].concat();
    // The block that ends the pause has nothing else either.
    let file = quake(&[time, &begin, time, &chat, time, &end, time]);
    assert_eq!(stripped("pauses", &file), quake(&[time, time, &chat, time]));
}
