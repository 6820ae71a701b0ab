//! `Broadcast`: a player's recording of QuakeWorld as an MVD, for the viewers of a broadcast.
//!
//! A usual MVD has the whole game; this one has only the messages that the player was sent. Each packet becomes a few blocks: the messages for
//! all, those for the player, the player's stats, a whole list of entities, and the players that the packet has.

use crate::machinery::bridge::quakeworld::{entities, last_block, state};
use crate::machinery::level_change::leaves_level;
use crate::{BlockWriter, EditOutput, Error, Rewrite};
use moviola_format::qw::{self, Message};
use moviola_format::{Angle16, Audience, Context, Entry, Fault, Format, Piece, Stamp, client, write_message};
use moviola_state::Playhead;
use moviola_state::quakeworld::World;

/// Makes an MVD out of a QWD.
///
/// ```
/// use moviola_edit::{Broadcast, rewrite};
/// // Quake has no such recordings.
/// let quake = &b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"[..];
/// assert!(rewrite(quake, &mut Broadcast::default(), Vec::new()).is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Broadcast {
    head: Playhead<World>,
    /// The direction of the player's view, which only the player's own commands have.
    angles: Option<[Angle16; 3]>,
    /// The time of the last block, in milliseconds of the recording.
    last: Option<u64>,
    /// The messages of the current packet for all, for the player, and of the player's stats.
    all: Vec<u8>,
    for_recorder: Vec<u8>,
    stats: Vec<u8>,
    /// The players in the current packet, and whether it has a list of entities.
    seen: Vec<u8>,
    has_list: bool,
}

/// The model of a player whose packet names none.
const PLAYER: &[u8] = b"progs/player.mdl";
/// The numbers of models that a packet can name.
const MODELS: u16 = 512;
/// The longest time of a block in milliseconds, and the longest pause that is kept.
const LONGEST_STEP: u64 = 255;
const LONGEST_PAUSE: u64 = 60_000;

impl Broadcast {
    /// The announcement of a level: with the server's time where the player's slot was.
    fn announce(&mut self, it: &qw::ServerData<'_>, bytes: &[u8]) {
        // The id and the extensions, then the protocol and the level's number, then the folder up to its NUL.
        let fixed = 1 + 8 * it.extensions.pairs().count() + 8;
        let folder = bytes.get(fixed..).and_then(|text| text.iter().position(|byte| *byte == 0));
        let Some((before, [_slot, behind @ ..])) =
            folder.and_then(|folder| bytes.split_at_checked(fixed + folder + 1))
        else {
            return;
        };
        self.all.extend_from_slice(before);
        self.all.extend((self.head.world.seconds().unwrap_or_default() as f32).to_le_bytes());
        self.all.extend_from_slice(behind);
    }

    /// The messages for all players in the packet, with their last known states.
    fn bodies(&self, context: &Context) -> Vec<u8> {
        let (world, mut bytes) = (&self.head.world, Vec::new());
        let usual = (1..MODELS).find(|number| world.level.models.get(usize::from(*number)) == PLAYER);
        for slot in &self.seen {
            let Some(mut body) = world.bodies.get(usize::from(*slot)).copied() else { continue };
            if let Some(angles) = self.angles.filter(|_| world.recorder.map(|(own, _)| own) == Some(*slot)) {
                body.angles = angles;
            }
            if body.model == 0 {
                body.model = usual.unwrap_or_default();
            }
            write_message(&Message::from(state(*slot, &body, context)), &mut bytes, context);
        }
        bytes
    }
}

impl Rewrite for Broadcast {
    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        if format == Format::Qwd {
            Ok(())
        } else {
            Err(Error::Impossible("only a QuakeWorld player's recording can be made into a broadcast".into()))
        }
    }

    fn makes(&self, _: Format) -> Format {
        Format::Mvd
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    /// Bytes between blocks have no place in the other container.
    fn piece(&mut self, _: &Piece<'_>, _: &mut EditOutput<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        self.head.step(writer.block());
    }

    fn record(&mut self, entry: &Entry<client::Message<'_>>, _: &mut BlockWriter<'_>) {
        if let client::Message::Command(it) = entry.message {
            self.angles = Some(it.uk_angles.map(|angle| Angle16::nearest(f64::from(angle.value()))));
        }
    }

    fn quakeworld(&mut self, entry: &Entry<Message<'_>>, writer: &mut BlockWriter<'_>) {
        let bytes = writer.bytes();
        match &entry.message {
            Message::ServerData(it) => {
                self.angles = None;
                self.announce(it, bytes);
            }
            Message::PlayerInfo(it) => self.seen.push(it.player),
            Message::PacketEntities(_) | Message::DeltaPacketEntities(_) => self.has_list = true,
            Message::UpdateStat(_) | Message::UpdateStatLong(_) => self.stats.extend_from_slice(bytes),
            Message::Damage(_) | Message::SmallKick(_) | Message::BigKick(_) | Message::CenterPrint(_) => {
                self.for_recorder.extend_from_slice(bytes);
            }
            Message::StuffText(it) if leaves_level(it.string) => {}
            // The positions of players contain the view's direction; messages about files and packets concern only the
            // recorder.
            Message::SetAngle(_)
            | Message::Download(_)
            | Message::DownloadChunk(_)
            | Message::ChokeCount(_)
            | Message::Disconnect(_)
            | Message::Connless(_)
            | Message::Nop(_) => {}
            _ => self.all.extend_from_slice(bytes),
        }
    }

    fn remainder(&mut self, _: Fault, _: &mut BlockWriter<'_>) {}

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if !matches!(writer.block().stamp, Stamp::Qwd { numbers: Some(_), .. }) {
            return Ok(());
        }
        let context = Context { mvd: true, ..self.head.context };
        let slot = self.head.world.recorder.map_or(0, |(slot, _)| slot);
        let mut blocks = vec![
            (Audience::All.kind(0), std::mem::take(&mut self.all)),
            (Audience::Single.kind(slot), std::mem::take(&mut self.for_recorder)),
            (Audience::Stats.kind(slot), std::mem::take(&mut self.stats)),
        ];
        if std::mem::take(&mut self.has_list) {
            blocks.push((Audience::All.kind(0), entities(&self.head.world, &context)));
        }
        blocks.push((Audience::All.kind(0), self.bodies(&context)));
        self.seen.clear();
        let now = self.head.world.now.unwrap_or_default();
        let mut step = now.saturating_sub(self.last.unwrap_or(now)).min(LONGEST_PAUSE);
        self.last = Some(now);
        let stamp = |msec: u64, kind| Stamp::Mvd { msec: msec as u8, kind, players: 0 };
        while step > LONGEST_STEP {
            out.stamped(stamp(LONGEST_STEP, Audience::All.kind(0)), &[])?;
            step -= LONGEST_STEP;
        }
        for (kind, messages) in blocks.iter().filter(|(_, messages)| !messages.is_empty()) {
            out.stamped(stamp(std::mem::take(&mut step), *kind), messages)?;
        }
        // A packet without messages for the viewers took time as well.
        self.last = self.last.map(|last| last.saturating_sub(step));
        Ok(())
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let (stamp, data) = last_block(true, 0);
        out.stamped(stamp, &data)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use crate::rewrite;
    use moviola_format::Demo;

    /// The world after each moment of a recording.
    fn worlds(recording: &[u8]) -> Vec<World> {
        let (mut demo, mut head) = (Demo::new(recording).unwrap(), Playhead::<World>::new());
        let mut worlds = Vec::new();
        while let Some(piece) = demo.next_piece().unwrap() {
            if let Piece::Block(block) = piece {
                let fault = head.step(&block);
                assert!(fault.is_none(), "{fault:?}");
                worlds.push(head.world.clone());
            }
        }
        worlds
    }

    #[test]
    fn viewers_see_the_players_messages() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/ez_duo_lqdm2.qwd");
        let (recording, mut broadcast) = (std::fs::read(path).unwrap(), Vec::new());
        rewrite(&recording[..], &mut Broadcast::default(), &mut broadcast).unwrap();
        let (was, is) = (worlds(&recording), worlds(&broadcast));
        let (before, after) = (was.last().unwrap(), is.last().unwrap());
        assert!(after.is_mvd && !before.is_mvd);
        assert_eq!(after.players, before.players);
        assert_eq!(after.entities.all(), before.entities.all());
        let recorder_slot = usize::from(before.recorder.unwrap().0);
        assert_eq!(after.stats.get(recorder_slot), before.stats.get(recorder_slot));
        let place = |world: &World| {
            world.bodies.get(recorder_slot).unwrap().origin.map(|it| (it.value() * 8.0).round() as i64)
        };
        assert_eq!(place(after), place(before));
        // The first and the last packet are as far apart in time as before.
        let (first, last) = (was.iter().find_map(|it| it.now).unwrap(), before.now.unwrap());
        let length = last - first;
        assert!(after.now.unwrap().abs_diff(length) <= 1, "{:?} of {length} ms", after.now);
        // The view has the same sequence of directions as before.
        let turns = |list: &[World]| {
            let mut turns: Vec<_> =
                list.iter().filter_map(|it| it.bodies.get(recorder_slot)).map(|it| it.angles).collect();
            turns.dedup();
            turns.len()
        };
        assert!(turns(&is) > 10, "{} turns", turns(&is));
    }
}
