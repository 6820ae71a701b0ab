//! The framing of QuakeWorld's recordings: lengths and kinds of blocks that lead to nothing, and in a QWD the time and
//! the numbers of packets. A number that damage has raised makes clients drop all packets up to it, so each number is
//! compared with those of the packets that follow.

use super::{EMPTY, LINKS, LONGEST, Resync};
use moviola_format::{
    Block, Context, Dialect, Game, Hidden, MAX_BLOCK, QuakeWorld, Stamp, Table, client, qw,
};
use std::io::{self, Read};

/// The number of bytes that suffice to read any head.
const ENOUGH: usize = 64;

/// The bit of a packet's number that says that it is reliable.
const RELIABLE: u32 = 1 << 31;

/// The greatest step of the clock from one block to the next that is accepted without a look at the blocks after it,
/// and the greatest step back.
const MAX_STEP: f32 = 0.25;
const MAX_STEP_BACK: f32 = 0.5;

/// The most seconds by which the clock may jump where blocks are lost.
const GAP: f32 = 600.0;

/// How many blocks are looked at to find the numbers of the next packets.
const LOOKAHEAD_BLOCKS: usize = 24;

/// By how much the numbers of two packets that follow each other may differ before the packets after them are looked
/// at.
const WINDOW: u32 = 64;

/// The offsets of the time, the kind, the length and the two numbers in a QWD's head, and of the kind in an MVD's.
const KIND: usize = 4;
const LENGTH: usize = 5;
const NUMBER: usize = 9;
const ACKNOWLEDGED: usize = 13;
const MVD_KIND: usize = 1;

/// The bytes of a player's command, and of one by newer builds of ezQuake.
const COMMAND: usize = 41;
const LONG_COMMAND: usize = 45;

/// The kinds of blocks that a damaged kind may have been, by their bytes.
const PACKET: u8 = 1;
pub(super) const TO_ALL: u8 = 6;
const TO_SEVERAL: u8 = 3;

/// The framing of a QuakeWorld recording, as far as it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Framing {
    pub(super) is_mvd: bool,
    time: Option<f32>,
    /// The numbers of the last packet: its own, and the one that it acknowledges.
    number: Option<u32>,
    acknowledged: Option<u32>,
}

impl Framing {
    pub(super) fn new(is_mvd: bool) -> Self {
        Self { is_mvd, ..Self::default() }
    }

    fn is_near(&self, time: f32) -> bool {
        self.time.is_none_or(|last| (last - MAX_STEP_BACK..=last + MAX_STEP).contains(&time))
    }
}

/// The head of a block.
#[derive(Clone, Copy)]
struct Head {
    stamp: Stamp,
    size: usize,
    claimed: usize,
}

impl Head {
    fn end(&self) -> usize {
        self.size.saturating_add(self.claimed)
    }

    fn numbers(&self) -> Option<[u32; 2]> {
        match self.stamp {
            Stamp::Qwd { numbers: Some([number, acknowledged]), .. } => {
                Some([number & !RELIABLE, acknowledged & !RELIABLE])
            }
            _ => None,
        }
    }
}

impl<R: Read> Resync<R> {
    /// The head of the block at a place; `None` if there is none, or not all of it.
    fn head_at(&mut self, at: usize) -> io::Result<Option<Head>> {
        self.fill(at.saturating_add(ENOUGH))?;
        let is_mvd = self.framing.as_ref().is_some_and(|it| it.is_mvd);
        let head = Stamp::head(is_mvd, self.window(at));
        let mut head = head.map(|(stamp, size, claimed)| Head { stamp, size, claimed });
        if let Some(head) = &mut head
            && !is_mvd
            && head.claimed == LONG_COMMAND
            && self.is_packet(at.saturating_add(COMMAND))
        {
            // The time of the packet after the command is damaged, and so the command looks longer than it is.
            head.claimed = COMMAND;
        }
        Ok(head)
    }

    /// Whether a packet begins here that can be read completely, at any time.
    pub(super) fn is_packet(&self, at: usize) -> bool {
        let Some((stamp, size, claimed)) = Stamp::head(false, self.window(at)) else { return false };
        let head = Head { stamp, size, claimed };
        let is_record = matches!(stamp, Stamp::Record { .. });
        !is_record && claimed > 0 && self.read_at(at, &head, self.context).0 == claimed
    }

    fn block_at<'w>(&'w self, at: usize, head: &Head) -> Block<'w> {
        let from = at.saturating_add(head.size);
        let data = self.buffer.get(self.at.saturating_add(from)..).unwrap_or_default();
        let data = data.get(..head.claimed).unwrap_or(data);
        Block { stamp: head.stamp, ..Block::new(data) }
    }

    /// How many bytes of a block are messages, and the context after them. A record counts as a whole.
    fn read_at(&self, at: usize, head: &Head, context: Context) -> (usize, Context) {
        fn of<D: Dialect>(block: &Block<'_>, context: Context) -> (usize, Context) {
            let mut messages = block.messages::<D>(context);
            messages.by_ref().for_each(drop);
            let read = if messages.fault().is_some() { messages.pos() } else { block.data.len() };
            (read, *messages.context())
        }
        let block = self.block_at(at, head);
        match block.table(Game::QuakeWorld) {
            Table::Hidden => (of::<Hidden>(&block, context).0, context),
            Table::Client => (head.claimed, context),
            _ => of::<QuakeWorld>(&block, context),
        }
    }

    /// The time of a QWD's block.
    fn time_at(&self, at: usize) -> f32 {
        f32::from_bits(self.int(at) as u32)
    }

    /// Whether a block at this place may have this time after the last one. Only a QWD has times in the heads of blocks.
    fn has_time(&self, at: usize, last: Option<f32>) -> bool {
        let Some(framing) = self.framing.as_ref() else { return false };
        let time = self.time_at(at);
        let last = last.unwrap_or(time);
        framing.is_mvd || (time >= last - MAX_STEP_BACK && time <= last + GAP)
    }

    fn last_time(&self) -> Option<f32> {
        self.framing.as_ref().and_then(|it| it.time)
    }

    /// Whether a block of a QWD begins a connection: another recording may follow the first one in the file, and its
    /// clock and numbers begin anew.
    fn connects(&self, at: usize, head: &Head) -> bool {
        let is_packet = matches!(head.stamp, Stamp::Qwd { .. }) && self.time_at(at).is_finite();
        let data = self.window(at.saturating_add(head.size));
        let greets = data.starts_with(b"\xff\xff\xff\xffj") || data.first() == Some(&qw::ServerData::OP);
        is_packet && greets && head.claimed > 0 && self.read_at(at, head, self.context).0 == head.claimed
    }

    /// Whether blocks lie one after the other from here on, or the recording ends.
    fn continues(&mut self, mut at: usize, mut context: Context) -> io::Result<bool> {
        let (mut links, mut odd, mut last) = (0, 0, self.last_time());
        for _ in 0..EMPTY {
            if !self.fill(at.saturating_add(1))? {
                return Ok(self.window(at).is_empty());
            }
            let Some(head) = self.head_at(at)?.filter(|head| head.claimed <= LONGEST) else {
                return Ok(links > 0 && self.window(at).len() < ENOUGH);
            };
            if !self.fill(at.saturating_add(head.end()))? {
                return Ok(links > 0);
            }
            let is_record = matches!(head.stamp, Stamp::Record { .. });
            let (read, behind) = self.read_at(at, &head, context);
            if head.claimed > 0 && !is_record && read == 0 {
                return Ok(false);
            }
            if !self.has_time(at, last) && self.connects(at, &head) {
                last = Some(self.time_at(at));
            }
            if self.has_time(at, last) {
                // Empty blocks prove nothing.
                links += usize::from(head.claimed > 0);
            } else {
                // A single time that does not fit may be damage.
                odd += 1;
                if odd > 1 {
                    return Ok(false);
                }
            }
            context = behind;
            if links == LINKS {
                return Ok(true);
            }
            at = at.saturating_add(head.end());
        }
        Ok(false)
    }

    /// Whether a block with messages stands here that can be read to its end and is followed by another block.
    pub(super) fn is_block(&mut self, at: usize) -> io::Result<bool> {
        let Some(head) = self.head_at(at)?.filter(|head| head.claimed <= LONGEST) else { return Ok(false) };
        if !self.has_time(at, self.last_time()) && !self.connects(at, &head) {
            return Ok(false);
        }
        self.spent = self.spent.saturating_add(head.claimed as u64);
        if !self.fill(at.saturating_add(head.end()))? || head.claimed == 0 {
            return Ok(false);
        }
        let (read, context) = self.read_at(at, &head, self.context);
        Ok(read == head.claimed && self.continues(at.saturating_add(head.end()), context)?)
    }

    /// Decides upon the next bytes of a recording of QuakeWorld.
    pub(super) fn step_quakeworld(&mut self) -> io::Result<()> {
        if !self.fill(1)? {
            return Ok(());
        }
        let Some(head) = self.head_at(0)? else { return self.mend_quakeworld() };
        if !self.fill(head.end())? {
            return self.mend_quakeworld();
        }
        let (read, context) = self.read_at(0, &head, self.context);
        let is_record = matches!(head.stamp, Stamp::Record { .. });
        let is_read = read == head.claimed && head.claimed > 0 && !is_record;
        if is_read || self.continues(head.end(), context)? {
            self.take_block(&head, context)
        } else {
            self.mend_quakeworld()
        }
    }

    /// Lets a block pass, with its time and numbers set right.
    fn take_block(&mut self, head: &Head, context: Context) -> io::Result<()> {
        (self.ready, self.context) = (head.end(), context);
        let Some(mut framing) = self.framing.clone().filter(|it| !it.is_mvd) else { return Ok(()) };
        self.set_time(&framing, head)?;
        let falls =
            head.numbers().is_some_and(|[number, _]| framing.number.is_some_and(|last| number < last));
        if falls && self.connects(0, head) {
            (framing.number, framing.acknowledged) = (None, None);
        }
        let is_connected = self.window(head.size).starts_with(b"\xff\xff\xff\xffj");
        match (head.stamp, head.numbers()) {
            (_, Some(numbers)) => self.set_numbers(&framing, head, numbers)?,
            (Stamp::Record { .. }, _) if self.window(KIND).first() == Some(&client::SetSequence::OP) => {
                self.set_sequence(head)?;
            }
            // A new connection counts anew.
            _ if is_connected => self.remember(None, None),
            _ => {}
        }
        Ok(())
    }

    fn remember(&mut self, number: Option<u32>, acknowledged: Option<u32>) {
        if let Some(framing) = &mut self.framing {
            (framing.number, framing.acknowledged) = (number, acknowledged);
        }
    }

    /// The times of the next blocks, and the numbers of the packets among them.
    fn ahead(&mut self, mut at: usize) -> io::Result<(Vec<f32>, Vec<[u32; 2]>)> {
        let (mut times, mut packets) = (Vec::new(), Vec::new());
        for _ in 0..LOOKAHEAD_BLOCKS {
            let Some(head) = self.head_at(at)? else { break };
            times.push(self.time_at(at));
            packets.extend(head.numbers());
            // Such a record sets the numbers anew.
            let is_set = matches!(head.stamp, Stamp::Record { .. })
                && self.window(at.saturating_add(KIND)).first() == Some(&client::SetSequence::OP);
            at = at.saturating_add(head.end());
            if packets.len() == 3 || is_set {
                break;
            }
        }
        Ok((times, packets))
    }

    fn set_word(&mut self, at: usize, word: u32) {
        let place = self.buffer.get_mut(self.at.saturating_add(at)..);
        if let Some(bytes) = place.and_then(<[u8]>::first_chunk_mut) {
            *bytes = word.to_le_bytes();
        }
    }

    /// Corrects a time if the blocks that follow continue from the time before it.
    fn set_time(&mut self, framing: &Framing, head: &Head) -> io::Result<()> {
        let mut time = self.time_at(0);
        if framing.time.is_none() && !time.is_finite() {
            // Clients wait from the first block's time on.
            let (times, _) = self.ahead(head.end())?;
            time = times.into_iter().find(|time| time.is_finite()).unwrap_or_default();
            self.set_word(0, time.to_bits());
            self.framing_fixes.clocks = self.framing_fixes.clocks.saturating_add(1);
        }
        if let Some(last) = framing.time
            && !framing.is_near(time)
        {
            let (times, _) = self.ahead(head.end())?;
            let is_odd = |next: f32| time.is_nan() || (next - time).abs() > (next - last).abs();
            if !time.is_finite() || times.iter().take(4).any(|next| framing.is_near(*next) && is_odd(*next)) {
                self.set_word(0, last.to_bits());
                self.framing_fixes.clocks = self.framing_fixes.clocks.saturating_add(1);
                time = last;
            }
        }
        if let Some(framing) = &mut self.framing {
            framing.time = Some(time).filter(|time| time.is_finite()).or(framing.time);
        }
        Ok(())
    }

    /// Corrects the numbers of a packet, if those before and after it agree with each other and not with it.
    fn set_numbers(
        &mut self,
        framing: &Framing,
        head: &Head,
        [number, acknowledged]: [u32; 2],
    ) -> io::Result<()> {
        let last = framing.number;
        let is_next = last.is_some_and(|last| number.checked_sub(last) == Some(1));
        let is_near = |one: u32, other: u32| one.abs_diff(other) <= WINDOW;
        let is_odd = framing.acknowledged.is_some_and(|last| !is_near(last, acknowledged));
        let (mut number, mut acknowledged) = (number, acknowledged);
        if !is_next || is_odd {
            let (_, next) = self.ahead(head.end())?;
            let numbers: Vec<u32> = next.iter().map(|[number, _]| *number).collect();
            if let Some(right) = right_number(last, number, &numbers) {
                self.set_word(NUMBER, right | self.int(NUMBER) as u32 & RELIABLE);
                self.framing_fixes.numbers = self.framing_fixes.numbers.saturating_add(1);
                number = right;
            }
            if let (true, Some(last), Some([_, next])) = (is_odd, framing.acknowledged, next.first())
                && is_near(last, *next)
            {
                self.set_word(ACKNOWLEDGED, last | self.int(ACKNOWLEDGED) as u32 & RELIABLE);
                self.framing_fixes.numbers = self.framing_fixes.numbers.saturating_add(1);
                acknowledged = last;
            }
        }
        self.remember(last.max(Some(number)), Some(acknowledged));
        Ok(())
    }

    /// Sets the record right with which a client counts packets anew: no packet after it may be dropped.
    fn set_sequence(&mut self, head: &Head) -> io::Result<()> {
        let (_, next) = self.ahead(head.end())?;
        let [mut outgoing, mut incoming] = [LENGTH, NUMBER].map(|at| self.int(at) as u32);
        if let [[number, acknowledged], rest @ ..] = next.as_slice()
            && rest.first().is_none_or(|[behind, _]| behind > number)
        {
            let is_far = outgoing.abs_diff(acknowledged.saturating_add(1)) > WINDOW;
            if incoming >= *number || is_far {
                incoming = incoming.min(number.saturating_sub(1));
                outgoing = if is_far { acknowledged.saturating_add(1) } else { outgoing };
                self.set_word(LENGTH, outgoing);
                self.set_word(NUMBER, incoming);
                self.framing_fixes.numbers = self.framing_fixes.numbers.saturating_add(1);
            }
        }
        self.remember(Some(incoming), None);
        Ok(())
    }

    /// Mends a place from which no length leads to another block.
    pub(super) fn mend_quakeworld(&mut self) -> io::Result<()> {
        let place = self.offset.saturating_add(self.at as u64);
        if self.set_kind()? {
            self.framing_fixes.add(place, [self.last_block_offset, self.out]);
            self.framing_fixes.lengths = self.framing_fixes.lengths.saturating_add(1);
            return self.step_quakeworld();
        }
        let head = self.head_at(0)?;
        let found = self.search()?;
        let left = self.window(0).len().min(MAX_BLOCK);
        if found.is_none() && self.ended && left < MAX_BLOCK {
            self.passes = true;
            return Ok(());
        }
        let next = found.unwrap_or(left);
        self.framing_fixes.add(place, [self.last_block_offset, self.out]);
        let own = head.filter(|head| next > head.size && !matches!(head.stamp, Stamp::Record { .. }));
        let own = own.map(|head| Head { claimed: next.saturating_sub(head.size), ..head });
        if let Some(own) = own.filter(|own| found.is_some() && own.claimed <= LONGEST) {
            let (read, context) = self.read_at(0, &own, self.context);
            if read > 0 {
                self.set_length_quakeworld(&own);
                return self.take_block(&own, context);
            }
        }
        self.framing_fixes.bytes = self.framing_fixes.bytes.saturating_add(next as u64);
        self.at = self.at.saturating_add(next);
        Ok(())
    }

    fn set_length_quakeworld(&mut self, head: &Head) {
        let claimed = u32::try_from(head.claimed).unwrap_or(u32::MAX);
        match head.stamp {
            Stamp::Qwd { numbers, .. } => {
                self.set_word(LENGTH, claimed + if numbers.is_some() { 8 } else { 0 });
            }
            _ => self.set_word(head.size.saturating_sub(4), claimed),
        }
        self.framing_fixes.lengths = self.framing_fixes.lengths.saturating_add(1);
    }

    /// Gives the block another kind if it is sound with that kind; returns whether it is.
    fn set_kind(&mut self) -> io::Result<bool> {
        let is_mvd = self.framing.as_ref().is_some_and(|it| it.is_mvd);
        let (at, kinds): (usize, &[u8]) =
            if is_mvd { (MVD_KIND, &[TO_ALL, TO_SEVERAL]) } else { (KIND, &[PACKET]) };
        let Some(was) = self.window(at).first().copied() else { return Ok(false) };
        for kind in kinds.iter().filter(|kind| **kind != was) {
            self.set_byte(at, *kind);
            if self.is_block(0)? {
                return Ok(true);
            }
        }
        self.set_byte(at, was);
        Ok(false)
    }

    fn set_byte(&mut self, at: usize, byte: u8) {
        if let Some(place) = self.buffer.get_mut(self.at.saturating_add(at)) {
            *place = byte;
        }
    }
}

/// The right number of a packet, between `last` and the numbers of the next packets; `None` if clients accept its
/// number, or if the numbers around it do not show the right one.
fn right_number(last: Option<u32>, number: u32, next: &[u32]) -> Option<u32> {
    let (first, second) = (next.first().copied()?, next.get(1).copied());
    let goes_on = second.is_none_or(|second| second > first);
    let is_between = last.is_none_or(|last| number > last) && number < first;
    let follows = last.is_none_or(|last| first > last);
    if is_between || !goes_on || !follows || last == Some(number) {
        return None;
    }
    let right = last.map_or_else(|| first.saturating_sub(1), |last| last.saturating_add(1));
    (right < first).then_some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_recordings_pass_byte_by_byte() {
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
        let real = std::env::var("MOVIOLA_CORPUS").into_iter();
        let folders = real.flat_map(|it| [format!("{it}/qw/ours"), format!("{it}/qw/real")]);
        let files =
            folders.chain([samples.to_owned()]).filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
        let mut count = 0;
        for path in files.map(|entry| entry.unwrap().path()) {
            if !path.extension().is_some_and(|it| it == "qwd" || it == "mvd") {
                continue;
            }
            let file = std::fs::read(&path).unwrap();
            let mut out = Vec::new();
            let mut resync = Resync::new(&file[..]);
            resync.read_to_end(&mut out).unwrap();
            let at = file.iter().zip(&out).position(|(one, other)| one != other);
            assert!(out == file, "{}: {at:?}, {:?}", path.display(), resync.torn());
            count += 1;
        }
        assert!(count >= 2, "{count}");
    }

    #[test]
    fn a_number_is_held_against_those_around_it() {
        assert_eq!(right_number(Some(7), 8, &[9, 10]), None);
        // A gap is not damage, and neither is a repeated number or a client that counts anew.
        assert_eq!(right_number(Some(7), 12, &[13, 14]), None);
        assert_eq!(right_number(Some(7), 7, &[8, 9]), None);
        assert_eq!(right_number(Some(700), 1, &[2, 3]), None);
        // A number that is too high, one that is too low, and the number of the first packet.
        assert_eq!(right_number(Some(7), 4104, &[9, 10]), Some(8));
        assert_eq!(right_number(Some(700), 189, &[702, 703]), Some(701));
        assert_eq!(right_number(None, 4097, &[2, 3]), Some(1));
        // A little too high: clients would drop the next packets up to it.
        assert_eq!(right_number(Some(7), 12, &[9, 10]), Some(8));
        // The number of the next packet is damaged too.
        assert_eq!(right_number(Some(7), 8, &[4105, 10]), None);
    }
}
