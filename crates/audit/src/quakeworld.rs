//! The audit of a `QuakeWorld` recording: the game's own counts are compared with the recording's events, and the
//! numbers, times and audiences of its blocks with those that clients and servers write. Speed is not judged: with
//! jumps and rockets players honestly move many times faster than `sv_maxspeed`, and an MVD does not say who stands on
//! the ground.

use crate::Coverage;
use crate::book::{FindingList, FindingNumbers, Proof};
use crate::findings::AuditCode;
use moviola_analyse::{AuditSeverity, PassPosition, Report};
use moviola_format::qw::Message;
use moviola_format::{Audience, Block, ClientRecords, Context, Entry, Stamp, client};
use moviola_state::quakeworld::MatchClock;

/// Adds a finding for each number of the game's statistics that the recording does not show.
pub(super) fn statistics(report: &Report, book: &mut FindingList) {
    for one in &report.matches {
        let level = usize::try_from(one.level).ok().and_then(|level| level.checked_sub(1));
        let block = level.and_then(|level| report.levels.get(level)).map_or(0, |level| level.block);
        for difference in &one.differences {
            let numbers = vec![("shown", difference.shown as f64), ("reported", difference.reported as f64)];
            book.add(AuditCode::StatisticsDiffer, || Proof {
                block,
                time: None,
                level: one.level,
                description: difference.to_string(),
                numbers: FindingNumbers(numbers),
            });
        }
    }
}

/// The bit of a packet's number that says that it is reliable.
const RELIABLE: u32 = 1 << 31;

/// A change names the packet on which it builds by the low byte of its number.
const NAMED: usize = 256;

/// The number of lists in a row that build on lost packets and are not chance.
const MANY: u64 = 16;

/// The seconds over which commands are counted, and the factor by which they may exceed the time.
const SPAN_SECONDS: f64 = 10.0;
const MAX_EXCESS: f64 = 1.15;

/// The number of spans in a row that are reported.
const SPANS: u64 = 3;

/// How far a client's clock goes back by itself, in seconds.
const JITTER: f64 = 0.05;

/// The forensics of a `QuakeWorld` recording.
#[derive(Debug)]
pub(super) struct Forensics {
    /// The numbers of the packets with lists of entities, by their low bytes.
    lists: Box<[Option<u32>; NAMED]>,
    number: Option<u32>,
    packet: Option<u32>,
    lost: u64,
    /// The last time of a QWD.
    time: Option<f64>,
    /// The beginning of the span in which commands are counted, and their milliseconds.
    span: Option<(f64, f64)>,
    fast: u64,
    /// Whom the block is for, and when.
    stamp: Stamp,
    /// Whether the block inherits its audience, and whether that is everybody.
    is_inherited: bool,
    to_all: bool,
    /// Whether a record has set the numbers in this level, and the time of the last packet.
    are_set: bool,
    packet_time: Option<f64>,
    marks: MatchMarks,
}

/// The numbers that show whether the levels and minutes of a match follow each other.
#[derive(Debug, Default)]
struct MatchMarks {
    /// The number of the level, and whether the recording has ended.
    level: Option<i32>,
    has_ended: bool,
    /// The minutes left, and the time when they were set.
    minute: Option<(u32, f64)>,
    /// The number of minutes in a row with an odd length.
    odd: u64,
    /// The number of the last list of changes of an MVD, and the number of whole lists since then, which have none.
    list: Option<(u8, u8)>,
}

/// The seconds of a minute, the tolerated difference, and the number of odd minutes in a row that make a finding.
const MINUTE: f64 = 60.0;
const MINUTE_TOLERANCE: f64 = 3.0;
const ODD_MINUTES: u64 = 2;

/// A network loses neither this many packets in a row nor this many a second.
const JUMP: u32 = 100;
const MOST_A_SECOND: f64 = 1000.0;

impl MatchMarks {
    fn message(&mut self, message: &Message<'_>, here: &PassPosition, book: &mut FindingList) {
        match message {
            Message::ServerData(it) => {
                let follows = self.level.is_none_or(|level| it.age == level.wrapping_add(1));
                if self.has_ended || !follows {
                    let before = self.level.unwrap_or_default();
                    let description = if self.has_ended {
                        "a level follows the end of the recording".to_owned()
                    } else {
                        format!("level {} of the server follows level {before}", it.age)
                    };
                    let numbers = [("before", f64::from(before)), ("after", f64::from(it.age))];
                    book.add(AuditCode::OtherMatch, || Proof::new(here, description, &numbers));
                }
                *self = Self { level: Some(it.age), ..Self::default() };
            }
            Message::Disconnect(_) => self.has_ended = true,
            Message::SetPause(_) => self.minute = None,
            // not from SCHEMA: a key of server info
            Message::ServerInfo(it) if it.name.bytes() == b"status" => {
                self.minute(it.string.bytes(), here, book);
            }
            _ => {}
        }
    }

    /// A list of an MVD; one of changes has a number.
    fn list(&mut self, number: Option<u8>, here: &PassPosition, book: &mut FindingList) {
        let Some(number) = number else {
            self.list = self.list.map(|(last, whole)| (last, whole.saturating_add(1)));
            return;
        };
        let before = self.list.replace((number, 0));
        let Some((last, whole)) = before else { return };
        let missing = number.wrapping_sub(last).wrapping_sub(1);
        if missing > whole {
            let description = format!("list {number} of entities follows list {last}");
            let numbers = [("before", f64::from(last)), ("after", f64::from(number))];
            book.add(AuditCode::ListsMissing, || Proof::new(here, description, &numbers));
        }
    }

    fn minute(&mut self, status: &[u8], here: &PassPosition, book: &mut FindingList) {
        let left = MatchClock::minutes_left(status).and_then(|left| u32::try_from(left).ok());
        let now = left.zip(here.time);
        let before = std::mem::replace(&mut self.minute, now);
        let (Some((left, now)), Some((last, then))) = (now, before) else { return };
        let seconds = now - then;
        let is_odd = last == left.saturating_add(1) && (seconds - MINUTE).abs() > MINUTE_TOLERANCE;
        self.odd = if is_odd { self.odd.saturating_add(1) } else { 0 };
        if self.odd >= ODD_MINUTES {
            let description = format!("a minute of the match takes {seconds:.1} seconds of the recording");
            let numbers = [("seconds", seconds), ("minutes_left", f64::from(left))];
            book.add(AuditCode::MinuteLength, || Proof::new(here, description, &numbers));
        }
    }
}

impl Default for Forensics {
    fn default() -> Self {
        Self {
            lists: Box::new([None; NAMED]),
            number: None,
            packet: None,
            lost: 0,
            time: None,
            span: None,
            fast: 0,
            stamp: Stamp::None,
            is_inherited: false,
            to_all: false,
            are_set: false,
            packet_time: None,
            marks: MatchMarks::default(),
        }
    }
}

impl Forensics {
    /// Begins a block.
    pub(super) fn block(
        &mut self,
        block: &Block<'_>,
        here: &PassPosition,
        book: &mut FindingList,
        looked: &mut Coverage,
    ) {
        self.packet = None;
        self.stamp = block.stamp;
        self.is_inherited = false;
        match block.stamp {
            Stamp::Qwd { numbers: Some([number, _]), .. } => {
                self.clock(block, here, book);
                self.number(number & !RELIABLE, here, book);
                looked.frames = looked.frames.saturating_add(1);
            }
            // A packet without a connection may begin a new one.
            Stamp::Qwd { numbers: None, .. } => (self.number, self.are_set) = (None, false),
            Stamp::Mvd { msec, kind, .. } => {
                match Audience::of(kind) {
                    Some(Audience::Same) => self.is_inherited = true,
                    audience => self.to_all = audience == Some(Audience::All),
                }
                looked.frames = looked.frames.saturating_add(u64::from(msec > 0));
            }
            Stamp::Record { mvd: false } => {
                self.clock(block, here, book);
                for entry in block.messages::<ClientRecords>(Context::quakeworld()) {
                    self.record(&entry.message, here, book);
                }
            }
            Stamp::Record { mvd: true } | Stamp::Mvd2 | Stamp::None => {}
        }
    }

    fn clock(&mut self, block: &Block<'_>, here: &PassPosition, book: &mut FindingList) {
        let Some(now) = block.clock().0.map(f64::from) else { return };
        if let Some(last) = self.time
            && now < last - JITTER
        {
            let back = last - now;
            let weight = if back < 1.0 { AuditSeverity::Note } else { AuditCode::TimeBack.severity() };
            book.weigh(AuditCode::TimeBack, weight, || {
                Proof::new(here, format!("{back:.2} seconds back"), &[("before", last), ("after", now)])
            });
            self.span = None;
        }
        self.time = Some(now);
    }

    fn number(&mut self, number: u32, here: &PassPosition, book: &mut FindingList) {
        if let Some(last) = self.number
            && number < last
        {
            let numbers = [("before", f64::from(last)), ("after", f64::from(number))];
            book.add(AuditCode::NumbersBack, || {
                Proof::new(here, format!("packet {number} after packet {last}"), &numbers)
            });
            self.lists.fill(None);
        }
        let passed = self.time.zip(self.packet_time).map(|(now, then)| (now - then).max(0.0));
        let missing = self.number.and_then(|last| number.checked_sub(last)).unwrap_or_default();
        if let Some(passed) = passed
            && missing > JUMP
            && f64::from(missing) > MOST_A_SECOND * passed
        {
            let description = format!("{missing} packets in {passed:.3} seconds");
            book.add(AuditCode::NumbersJump, || {
                Proof::new(here, description, &[("missing", missing.into()), ("passed", passed)])
            });
        }
        self.packet_time = self.time;
        (self.number, self.packet) = (Some(number), Some(number));
    }

    fn record(&mut self, record: &client::Message<'_>, here: &PassPosition, book: &mut FindingList) {
        match record {
            client::Message::SetSequence(it) => {
                if std::mem::replace(&mut self.are_set, true) {
                    let description = format!("a record sets the number of the last packet to {}", it.seq2);
                    book.add(AuditCode::NumbersJump, || {
                        Proof::new(here, description, &[("number", f64::from(it.seq2))])
                    });
                }
                (self.number, self.packet_time) = (u32::try_from(it.seq2).ok(), None);
            }
            client::Message::Command(it) => {
                let Some(now) = self.time else { return };
                // The lowest byte is the duration.
                let msec = f64::from(it.load & 0xFF);
                let (from, sum) = self.span.unwrap_or((now, 0.0));
                let passed = (now - from) * 1000.0;
                if passed < SPAN_SECONDS * 1000.0 {
                    self.span = Some((from, sum + msec));
                    return;
                }
                self.fast = if sum > passed * MAX_EXCESS { self.fast.saturating_add(1) } else { 0 };
                if self.fast >= SPANS {
                    let numbers = [("asked_ms", sum), ("passed_ms", passed)];
                    book.add(AuditCode::CommandTime, || {
                        Proof::new(here, format!("{sum:.0} ms of movement in {passed:.0} ms"), &numbers)
                    });
                }
                self.span = Some((now, msec));
            }
        }
    }

    /// Handles a message of the server.
    pub(super) fn message(
        &mut self,
        entry: &Entry<Message<'_>>,
        here: &PassPosition,
        book: &mut FindingList,
    ) {
        self.marks.message(&entry.message, here, book);
        match &entry.message {
            Message::ServerData(_) => self.lists.fill(None),
            Message::PacketEntities(_) if self.stamp.is_mvd() => self.marks.list(None, here, book),
            Message::PacketEntities(_) => self.list(true),
            Message::DeltaPacketEntities(it) if self.stamp.is_mvd() => {
                self.marks.list(Some(it.frame), here, book);
            }
            Message::DeltaPacketEntities(it) => {
                let Some(number) = self.packet else { return };
                let behind = u32::from((number as u8).wrapping_sub(it.frame));
                let base = number.checked_sub(behind);
                let is_there = self.lists.get(usize::from(it.frame)).copied().flatten() == base;
                self.lost = if is_there { 0 } else { self.lost.saturating_add(1) };
                if !is_there {
                    let weight = if self.lost < MANY {
                        AuditSeverity::Note
                    } else {
                        AuditCode::PacketsLost.severity()
                    };
                    let base = base.map_or(-1.0, f64::from);
                    book.weigh(AuditCode::PacketsLost, weight, || {
                        let description = format!("packet {number} builds on packet {base}");
                        Proof::new(here, description, &[("packet", f64::from(number)), ("base", base)])
                    });
                }
                self.list(is_there);
            }
            Message::UpdateStat(_) | Message::UpdateStatLong(_) if self.is_inherited && self.to_all => {
                book.add(AuditCode::WrongAudience, || {
                    Proof::new(here, "stats that belong to nobody".into(), &[])
                });
            }
            _ => {}
        }
    }

    fn list(&mut self, is_known: bool) {
        if let Some(number) = self.packet
            && let Some(place) = self.lists.get_mut(number as usize % NAMED)
        {
            *place = is_known.then_some(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{AuditCode, AuditSeverity, audit};
    use moviola_format::{Block, Game, Piece, Stamp};

    fn packet(time: f32, number: u32, data: &[u8]) -> Vec<u8> {
        let stamp = Stamp::Qwd { time: time.to_bits(), numbers: Some([number, number]) };
        let mut out = Vec::new();
        Piece::Block(Block { stamp, ..Block::new(data) }).write(Game::QuakeWorld, &mut out).unwrap();
        out
    }

    fn command(time: f32, msec: u8) -> Vec<u8> {
        let mut record = [&time.to_le_bytes()[..], &[0]].concat();
        record.extend([&[msec][..], &[0; 35]].concat());
        record
    }

    /// A recording with a level and these blocks, and the weight of one of its findings.
    fn weight(code: AuditCode, blocks: &[Vec<u8>]) -> Option<AuditSeverity> {
        let level = b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0hall\0";
        let level = [&level[..], &[0; 40]].concat();
        let file = [packet(0.0, 1, &level), blocks.concat()].concat();
        let report = audit(&file[..]).unwrap();
        assert!(report.audited, "{report:?}");
        report.findings.iter().find(|it| it.code == code).map(|it| it.severity)
    }

    #[test]
    fn lost_packets_are_a_finding_if_they_are_many() {
        let list = |from: u32, most: u32, base: u32| {
            let whole = packet(0.1, from, b"\x2f\0\0");
            let change = |number: u32| packet(0.2, number, &[0x30, (number - base) as u8, 0, 0]);
            [vec![whole], (from + base..from + base + most).map(change).collect()].concat()
        };
        assert_eq!(weight(AuditCode::PacketsLost, &list(10, 40, 1)), None);
        // Lists that build on the list three packets before, none of which is in the recording.
        assert_eq!(weight(AuditCode::PacketsLost, &list(10, 4, 7)[1..]), Some(AuditSeverity::Note));
        assert_eq!(weight(AuditCode::PacketsLost, &list(10, 40, 7)[1..]), Some(AuditSeverity::Suspicious));
    }

    #[test]
    fn numbers_and_times_do_not_go_back() {
        let nop = |time, number| packet(time, number, b"\x01");
        assert_eq!(weight(AuditCode::NumbersBack, &[nop(1.0, 2), nop(1.1, 5), nop(1.2, 5)]), None);
        assert_eq!(
            weight(AuditCode::NumbersBack, &[nop(1.0, 9), nop(1.1, 5)]),
            Some(AuditSeverity::Suspicious)
        );
        assert_eq!(weight(AuditCode::TimeBack, &[nop(1.0, 2), nop(1.0, 3)]), None);
        assert_eq!(weight(AuditCode::TimeBack, &[nop(5.0, 2), nop(4.5, 3)]), Some(AuditSeverity::Note));
        assert_eq!(weight(AuditCode::TimeBack, &[nop(9.0, 2), nop(4.0, 3)]), Some(AuditSeverity::Suspicious));
    }

    #[test]
    fn numbers_do_not_jump_where_no_time_passes() {
        let nop = |time, number| packet(time, number, b"\x01");
        let set = |time: f32| [&time.to_le_bytes()[..], &[2, 9, 0, 0, 0, 8, 0, 0, 0]].concat();
        let note = Some(AuditSeverity::Note);
        assert_eq!(weight(AuditCode::NumbersJump, &[nop(1.0, 2), nop(9.0, 500)]), None);
        assert_eq!(weight(AuditCode::NumbersJump, &[nop(1.0, 2), nop(1.1, 500)]), note);
        assert_eq!(weight(AuditCode::NumbersJump, &[set(0.5), nop(1.0, 500)]), None);
        assert_eq!(weight(AuditCode::NumbersJump, &[set(0.5), nop(1.0, 9), set(2.0), nop(2.0, 500)]), note);
    }

    /// The findings of an MVD of a level with this number and these blocks.
    fn of_match(blocks: &[Vec<u8>]) -> Vec<AuditCode> {
        let file = [level(7), blocks.concat()].concat();
        audit(&file[..]).unwrap().findings.iter().map(|it| it.code).collect()
    }

    fn level(number: u8) -> Vec<u8> {
        let data = [&b"\x0b\x1c\0\0\0"[..], &[number, 0, 0, 0], b"qw\0\0\0\0\0hall\0", &[0; 40]].concat();
        block(6, &data)
    }

    fn block(kind: u8, data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let stamp = Stamp::Mvd { msec: 13, kind, players: 0 };
        Piece::Block(Block { stamp, ..Block::new(data) }).write(Game::QuakeWorld, &mut out).unwrap();
        out
    }

    #[test]
    fn levels_follow_each_other() {
        assert_eq!(of_match(&[level(8)]), []);
        assert_eq!(of_match(&[level(3)]), [AuditCode::OtherMatch]);
        assert_eq!(of_match(&[block(6, b"\x02EndOfDemo\0"), level(8)]), [AuditCode::OtherMatch]);
    }

    #[test]
    fn lists_of_entities_have_numbers_in_a_row() {
        let change = |number: u8| block(6, &[0x30, number, 0, 0]);
        let changes = |numbers: &[u8]| numbers.iter().flat_map(|it| change(*it)).collect::<Vec<u8>>();
        let whole = block(6, b"\x2f\0\0");
        assert_eq!(of_match(&[changes(&[156, 157, 158])]), []);
        // A server sends a whole list in place of the one with number 0; FTE's may have no number at all.
        assert_eq!(
            of_match(&[whole.clone(), changes(&[1, 254]), changes(&[255])]),
            [AuditCode::ListsMissing]
        );
        assert_eq!(of_match(&[whole.clone(), changes(&[254, 255]), whole.clone(), changes(&[1, 2])]), []);
        assert_eq!(of_match(&[changes(&[255]), whole.clone(), changes(&[0, 1])]), []);
        // A cut writes a whole list before the next part.
        assert_eq!(of_match(&[changes(&[8]), whole, changes(&[30, 31])]), [AuditCode::ListsMissing]);
        assert_eq!(of_match(&[changes(&[8]), level(8), changes(&[99])]), []);
    }

    #[test]
    fn minutes_last_a_minute() {
        let wait = |seconds: usize| vec![block(6, b"\x01"); seconds * 1000 / 13].concat();
        let left = |minutes: u8| block(6, format!("\x34status\0{minutes} min left\0").as_bytes());
        let of = |seconds: usize| of_match(&[left(9), wait(seconds), left(8), wait(seconds), left(7)]);
        assert_eq!(of(60), []);
        assert_eq!((of(30), of(90)), (vec![AuditCode::MinuteLength], vec![AuditCode::MinuteLength]));
        let status = |text: &str| block(6, format!("\x34status\0{text}\0").as_bytes());
        // A text without minutes begins anew.
        assert_eq!(of_match(&[left(9), wait(30), left(8), status("Standby"), wait(30), left(7)]), []);
        // One odd minute may be a pause that the recording does not have.
        assert_eq!(of_match(&[left(9), wait(60), left(8), wait(30), left(7)]), []);
    }

    #[test]
    fn commands_add_up_to_the_time() {
        let commands = |msec: u8| -> Vec<Vec<u8>> {
            (0..4000_u16).map(|it| command(f32::from(it) * 0.0125, msec)).collect()
        };
        assert_eq!(weight(AuditCode::CommandTime, &commands(13)), None);
        assert_eq!(weight(AuditCode::CommandTime, &commands(20)), Some(AuditSeverity::Suspicious));
    }

    #[test]
    fn stats_have_a_player() {
        let is_wrong = |kind: u8| {
            of_match(&[block(kind, b"\x01"), block(1, b"\x03\0\x64")]).contains(&AuditCode::WrongAudience)
        };
        assert!(is_wrong(6) && !is_wrong(2 << 3 | 5));
    }
}
