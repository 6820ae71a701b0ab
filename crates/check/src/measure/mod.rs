//! Measures a recording for the judge: the structure of the file in this module, the messages in a module for each
//! game.

mod clock;
mod commands;
mod quake;
mod quake2;
mod quakeworld;
mod stops;

pub use quakeworld::HeldPackets;
pub use stops::{OpenBlock, PlayedBlock, StopJudge};

use self::commands::Commands;
use crate::ending::Ending;
use crate::engines::header_number;
use crate::findings::CheckCode;
use crate::header::Header;
use crate::judge::Judge;
use crate::place::{Place, ReaderPosition};
use crate::report::{ByteWindow, Remainder};
use crate::scan::{BlockRest, SeenMessage, Watch};
use crate::summary::RecordingEnd;
use moviola_format::{
    Context, Dialect, Fault, FaultKind, Format, Game, HeadFault, HeaderReader, Piece, Stamp, Str, UNICAST,
    client, dem, dm2, hidden, mvd2, qw, trace_read,
};

/// At most this many raw remainders are listed, so that the memory does not grow with the file.
const MAX_LISTED: usize = 32;

/// A negative length that claims too many bytes to be a block.
#[derive(Clone, Copy, Debug)]
struct Negative {
    place: Place,
    /// How many of the claimed bytes have not been read yet.
    missing: u64,
}

#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "facts that hold apart from each other")]
pub(crate) struct Measure {
    start: Vec<u8>,
    game: Option<Game>,
    /// Whether it is an MVD2.
    is_mvd2: bool,
    /// Whether it is an MVD.
    is_mvd: bool,
    judge: Judge,
    /// Whether engines are judged as if they continued after the place where they stop.
    goes_on: bool,
    ending: Ending,
    raw: Vec<Remainder>,
    /// How many bytes remain of a block whose length is probably wrong.
    raw_left: u64,
    /// A negative length that the reader does not skip.
    negative: Option<Negative>,
    /// Whether no engine reads this block, or the rest of it.
    unseen: bool,
    /// Whether the block's last messages follow the recording's end.
    behind_end: bool,
    /// The protocol that was announced last.
    protocol: Option<i32>,
    commands: Commands,
    quake: quake::State,
    quake2: quake2::State,
    quakeworld: quakeworld::State,
    /// A copy of this state from before the first block after the end. It is restored if those blocks are junk.
    before: Option<Box<Self>>,
}

impl Measure {
    pub(crate) fn new(start: Vec<u8>) -> Self {
        Self {
            start,
            game: None,
            is_mvd2: false,
            is_mvd: false,
            judge: Judge::new(None),
            goes_on: false,
            ending: Ending::default(),
            raw: Vec::new(),
            raw_left: 0,
            negative: None,
            unseen: false,
            behind_end: false,
            protocol: None,
            commands: Commands::default(),
            quake: quake::State::default(),
            quake2: quake2::State::default(),
            quakeworld: quakeworld::State::default(),
            before: None,
        }
    }

    /// Makes this measure treat engines as if they continued after the place where they stop.
    pub(crate) fn without_stopping(self) -> Self {
        Self { goes_on: true, ..self }
    }

    pub(crate) fn close(self) -> (Vec<Remainder>, Judge) {
        (self.raw, self.judge)
    }

    /// Called when bytes in the form of a block follow the end. Engines do not read past the end, and only later blocks
    /// show whether it was the end, so all findings from here on can be revoked.
    fn go_on(&mut self) {
        let Some((place, _)) = self.ending.announced().filter(|_| self.before.is_none()) else { return };
        if self.ending.may_be_junk() {
            self.before = Some(Box::new(self.clone()));
        }
        self.judge.observe(CheckCode::EarlyEnd, 0, place);
    }

    fn header(&mut self, length: usize) {
        let header = Header::of(&self.start, length);
        if !header.is_usual() {
            self.judge.observe(CheckCode::OddHeader, 0, Place::default());
        }
        for (reader, view) in HeaderReader::ALL.into_iter().zip(header.readers) {
            if !view.plays {
                self.judge.observe(CheckCode::HeaderUnreadable, header_number(reader), Place::default());
            }
        }
    }

    /// Reports bytes of QuakeWorld that are not a block; after the end mark they are not a part of the recording.
    fn report_unframed(&mut self, here: &ReaderPosition, bytes: &[u8]) {
        if self.raw_left > 0 || self.ending.is_over() {
            return;
        }
        self.raw_left = u64::MAX;
        match Stamp::head_fault(self.is_mvd, bytes) {
            Some(HeadFault::Kind(kind)) => {
                self.judge.observe(CheckCode::UnknownBlock, kind.into(), here.piece());
            }
            Some(HeadFault::Length(..0)) => self.judge.observe(CheckCode::NegativeBlock, 0, here.piece()),
            Some(HeadFault::Length(length)) => {
                self.judge.observe(CheckCode::HugeBlock, length.into(), here.piece());
            }
            // The finding about the file's end explains this.
            Some(HeadFault::Cut) | None => {}
        }
    }

    /// Reports bytes that are not a block.
    fn report_stray_bytes(&mut self, here: &ReaderPosition, bytes: &[u8]) {
        if self.game == Some(Game::QuakeWorld) {
            return self.report_unframed(here, bytes);
        }
        let Some(game) = self.game.filter(|_| !self.is_mvd2) else { return };
        let begins = self.raw_left == 0;
        if begins {
            let head = game.block_head();
            let Some(length) = bytes.first_chunk().filter(|_| bytes.len() >= head) else { return };
            let length = i32::from_le_bytes(*length);
            self.go_on();
            if length < 0 {
                self.raw_left = u64::MAX;
                let claimed = head as u64 + u64::from(length as u32 & i32::MAX as u32);
                self.negative = Some(Negative { place: here.piece(), missing: claimed });
            } else {
                self.raw_left = head as u64 + length as u64;
                self.judge.observe(CheckCode::HugeBlock, i64::from(length), here.piece());
            }
        }
        self.raw_left = self.raw_left.saturating_sub(bytes.len() as u64);
        if let Some(negative) = &mut self.negative {
            negative.missing = negative.missing.saturating_sub(bytes.len() as u64);
        }
    }

    /// Reports a negative length after which nothing was readable.
    fn end_negative(&mut self) {
        let Some(Negative { place, missing }) = self.negative else { return };
        self.judge.observe(CheckCode::NegativeBlock, number(missing), place);
        if missing == 0 {
            // An engine that skips the claimed number of bytes continues after them.
            self.judge.unread(CheckCode::NegativeBlock, 0, place);
        }
    }

    /// Measures a string as engines read it.
    fn string(judge: &mut Judge, seen: &SeenMessage<'_>, string: Str<'_>) {
        let bytes = string.bytes();
        judge.number(CheckCode::LongString, bytes.len() as i64, || seen.here.message());
        if bytes.contains(&0xFF) {
            judge.observe(CheckCode::HighByteInString, 0, seen.here.message());
        }
        if !string.is_terminated() {
            judge.observe(CheckCode::UnterminatedString, 0, seen.here.message());
        }
    }

    /// Engines read no message after this one, neither in this block nor in a later one.
    fn disconnect(&mut self) {
        self.ending.disconnect();
        (self.unseen, self.behind_end) = (true, true);
    }

    /// The end of a block could not be read.
    fn remainder<D: Dialect>(&mut self, here: &ReaderPosition, rest: &BlockRest<'_>, fault: Fault) {
        let at = rest.block.data.len() - rest.raw.len();
        let (mut code, value) = judged(fault);
        if rest.block.stamp.is_hidden() {
            code = CheckCode::OddHidden;
        } else if code == CheckCode::RawProtocol && rest.context_after.fte {
            code = CheckCode::Extended;
        } else if code == CheckCode::ShortMessage
            && D::GAME == Game::Quake
            && rest.raw.first() == Some(&dem::Time::OP)
        {
            code = CheckCode::ShortTime;
        }
        let fault_at = (fault.at as usize).clamp(at, rest.block.data.len());
        if let FaultKind::Extended(protocol) = fault.kind {
            self.protocol = Some(protocol);
        }
        if let FaultKind::RawProtocol(protocol) = fault.kind
            && self.protocol.replace(protocol) != Some(protocol)
        {
            // The announcement of the protocol could not be read either.
            self.judge.observe(CheckCode::ProtocolSpoken, value, here.byte(at));
            if rest.context_after.is_rerelease() {
                self.judge.observe(CheckCode::Rerelease, 0, here.byte(at));
            }
        }
        self.quake.unread();
        if rest.block.is_truncated() && matches!(code, CheckCode::ShortMessage | CheckCode::ShortTime) {
            // The finding about the file's end explains this.
        } else if self.behind_end {
            self.judge.unseen(code, value, here.byte(at));
        } else {
            let stopped_by =
                rest.raw.first().map(|op| i64::from(if D::UNICAST { op & !UNICAST } else { *op }));
            if let Some(op) = stopped_by
                && matches!(code, CheckCode::ImpossibleValue | CheckCode::Undecided)
            {
                // An engine that does not know the id stops there, so the bytes after it do not matter.
                self.judge.observe_as(CheckCode::UnknownMessage, CheckCode::MessageKnown, op, here.byte(at));
            }
            self.judge.observe(code, value, here.byte(at));
            if matches!(code, CheckCode::UnknownMessage | CheckCode::UnknownTempEntity) {
                self.judge.unread(code, value, here.byte(at));
            }
        }
        if self.raw.len() < MAX_LISTED {
            let story = trace_read::<D>(rest.block.data, at, *rest.context_after);
            self.raw.push(Remainder {
                place: here.byte(fault_at),
                message_at: at,
                message: story.message.map(|row| row.name),
                field: story.field_at(fault_at),
                code,
                why: fault.to_string(),
                bytes: rest.raw.len() as u64,
                window: ByteWindow::around(rest.block.data, fault_at, here.data),
            });
        }
    }
}

/// A fault as a finding.
fn judged(fault: Fault) -> (CheckCode, i64) {
    match fault.kind {
        FaultKind::End => (CheckCode::ShortMessage, 0),
        FaultKind::UnknownMessage(op) => (CheckCode::UnknownMessage, i64::from(op)),
        FaultKind::UnknownTempEntity(kind) => (CheckCode::UnknownTempEntity, i64::from(kind)),
        FaultKind::RawProtocol(protocol) => (CheckCode::RawProtocol, i64::from(protocol)),
        FaultKind::Extended(protocol) => (CheckCode::Extended, i64::from(protocol)),
        FaultKind::FrameShape => (CheckCode::FrameShape, 0),
        FaultKind::DarkPlaces => (CheckCode::DarkPlacesUpdate, 0),
        FaultKind::GameCode(op) => (CheckCode::GameCode, i64::from(op)),
        FaultKind::Value(value) => (CheckCode::ImpossibleValue, i64::from(value)),
        FaultKind::Extension(bits) => (CheckCode::UnknownExtension, i64::from(bits)),
        _ => (CheckCode::Undecided, 0),
    }
}

impl Watch for Measure {
    fn take_format(&mut self, format: Format) {
        self.game = format.game();
        let judge = Judge::new(self.game);
        self.judge = if self.goes_on { judge.without_stopping() } else { judge };
        self.ending.begin(self.game);
        match format {
            Format::Quake { header } => self.header(header),
            Format::Mvd2 => {
                self.is_mvd2 = true;
                self.judge.observe(CheckCode::Mvd2Recording, 0, Place::default());
            }
            Format::Quake2 | Format::Qwd => {}
            Format::Mvd => self.is_mvd = true,
            _ => self.judge.observe(CheckCode::NoRecording, 0, Place::default()),
        }
    }

    fn take_piece(&mut self, here: &ReaderPosition, piece: &Piece<'_>, _: &Context) {
        match piece {
            Piece::Block(block) => {
                self.go_on();
                self.raw_left = 0;
                self.behind_end = false;
                self.unseen = block.is_truncated() || block.is_from_client();
                self.quake2.begin_block();
                if self.game == Some(Game::QuakeWorld) {
                    self.quakeworld.begin_block(&mut self.judge, block, here);
                }
                if block.is_from_client() {
                    self.judge.observe(CheckCode::NegativeBlock, 0, here.piece());
                } else if block.is_truncated() {
                    // The finding about the file's end explains this.
                } else if self.is_mvd2 {
                    // Q2PRO reads blocks of every length that 16 bits can state.
                } else if block.length == 0 && self.game == Some(Game::QuakeWorld) {
                    // QuakeWorld's servers write empty blocks, and all engines accept them.
                } else if block.length == 0 {
                    self.judge.observe(CheckCode::EmptyBlock, 0, here.piece());
                } else {
                    self.judge.number(CheckCode::BlockSize, block.data.len() as i64, || here.piece());
                }
            }
            Piece::Raw(bytes) => self.report_stray_bytes(here, bytes),
            Piece::Header(_) => self.raw_left = 0,
            Piece::End | Piece::EndOfMvd2 => (self.raw_left, self.before) = (0, None),
        }
        self.ending.take_piece(here, piece);
    }

    fn quake(&mut self, seen: &SeenMessage<'_>, message: &dem::Message<'_>) {
        if let dem::Message::Disconnect(_) = message {
            self.disconnect();
        }
        if let dem::Message::ServerInfo(it) = message {
            self.protocol = Some(it.protocol.version());
        }
        if !self.unseen {
            self.quake.measure_message(&mut self.judge, seen, message);
            if let dem::Message::StuffText(it) = message {
                self.commands.measure_text(&mut self.judge, seen.here, it.string);
            }
        }
    }

    fn quake2(&mut self, seen: &SeenMessage<'_>, message: &dm2::Message<'_>) {
        if let dm2::Message::Disconnect(_) = message {
            self.disconnect();
        }
        if let dm2::Message::ServerData(it) = message {
            self.protocol = Some(it.serverversion);
        }
        if !self.unseen {
            self.quake2.measure_message(&mut self.judge, seen, message);
            if let dm2::Message::StuffText(it) = message {
                self.commands.measure_text(&mut self.judge, seen.here, it.string);
            }
        }
    }

    fn quakeworld(&mut self, seen: &SeenMessage<'_>, message: &qw::Message<'_>) {
        match message {
            qw::Message::StuffText(it) => self.commands.measure_text(&mut self.judge, seen.here, it.string),
            qw::Message::Disconnect(_) => self.disconnect(),
            qw::Message::Connless(it) if it.packet.ends() => self.disconnect(),
            qw::Message::ServerData(it) => self.protocol = Some(it.flags.0),
            _ => {}
        }
        if !self.unseen {
            self.quakeworld.measure_message(&mut self.judge, seen, message);
        }
    }

    fn mvd2(&mut self, _: &SeenMessage<'_>, message: &mvd2::Message<'_>) {
        if let mvd2::Message::ServerData(_) = message {
            self.protocol = Some(mvd2::PROTOCOL);
        }
    }

    fn hidden(&mut self, seen: &SeenMessage<'_>, message: &hidden::Message<'_>) {
        quakeworld::measure_hidden(&mut self.judge, seen, message);
    }

    fn client_message(&mut self, _: &SeenMessage<'_>, message: &client::Message<'_>) {
        self.quakeworld.record(message);
    }

    fn block_end<D: Dialect>(&mut self, here: &ReaderPosition, rest: &BlockRest<'_>) {
        if !self.ending.block_end(here, rest) {
            self.before = None;
        }
        match rest.fault {
            Some(fault) if !rest.block.is_from_client() => self.remainder::<D>(here, rest, fault),
            None if !self.unseen && D::GAME == Game::Quake2 && !D::MVD2 => {
                self.quake2.end_block(&mut self.judge, here);
            }
            _ => {}
        }
    }

    fn end(&mut self, here: &ReaderPosition) {
        let Some(game) = self.game else { return };
        if let Some(before) = self.before.take() {
            let ending = std::mem::take(&mut self.ending);
            *self = Self { ending, ..*before };
        }
        self.end_negative();
        self.quake.close(&mut self.judge, true);
        if !self.is_mvd2 {
            self.quake2.close(&mut self.judge, !self.raw.is_empty());
        }
        let end = self.ending.at(here.offset);
        let place = self
            .ending
            .truncated()
            .or(self.ending.stray_bytes().map(|(place, _)| place))
            .unwrap_or(here.piece());
        if self.protocol.is_none() {
            self.judge.observe(CheckCode::NoLevel, 0, Place::default());
        }
        match end {
            RecordingEnd::Trailing { after_end: true, bytes } => {
                let behind = self.ending.announced().map_or(here.offset, |(_, behind)| behind);
                let place = Place { offset: behind, ..here.piece() };
                self.judge.observe(CheckCode::BytesAfterEnd, number(bytes), place);
            }
            RecordingEnd::Truncated { bytes, .. } => {
                self.judge.observe(CheckCode::TruncatedBlock, number(bytes), place);
            }
            _ => {}
        }
        let is_open = matches!(
            end,
            RecordingEnd::Open
                | RecordingEnd::Truncated { .. }
                | RecordingEnd::Trailing { after_end: false, .. }
        );
        if is_open && !self.is_mvd2 {
            let missing = if game == Game::Quake2 { CheckCode::MissingMark } else { CheckCode::MissingEnd };
            self.judge.observe(missing, 0, here.piece());
        }
    }
}

fn number(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
