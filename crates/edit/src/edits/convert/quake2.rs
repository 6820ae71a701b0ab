//! Quake II's messages under protocol 34, and in the form that an engine reads.

use super::losses::Losses;
use super::target::Target;
use super::text;
use crate::machinery::bridge::quake2::FIELD_OF_VIEW;
use crate::machinery::bridge::reencode::short_blocks;
use crate::machinery::bridge::wire;
use crate::{BlockWriter, EditOutput, Error};
use moviola_check::CheckCode;
use moviola_format::names::quake2::MAX_CONFIGSTRINGS;
use moviola_format::q2pro::AsPlain;
use moviola_format::{Context, Entry, Flags, FrameForm, FrameHead, Message as _, SoundBits, Str, dm2};

/// The conversion of one recording of Quake II.
#[derive(Clone, Default)]
pub(super) struct Quake2Converter {
    target: Target,
    /// The context in which this level is written; `None` while the protocol stays.
    context: Option<Context>,
    /// Turns the messages into those of protocol 34, if they have Q2PRO's extended limits.
    plain: Option<Box<AsPlain>>,
    /// Whether the current frame is sent in full.
    is_whole: bool,
    spare: Vec<u8>,
}

impl Quake2Converter {
    pub(super) fn new(target: Target) -> Self {
        Self { target, ..Self::default() }
    }

    /// Whether unreadable bytes may stay: they are of the same protocol, and the engine does not stop at them.
    pub(super) fn keeps_unread(&self, code: CheckCode, value: i64) -> bool {
        self.context.is_none() && !self.target.rejects(code, value)
    }

    pub(super) fn message(
        &mut self,
        entry: &Entry<dm2::Message<'_>>,
        writer: &mut BlockWriter<'_>,
        losses: &mut Losses,
    ) {
        if let dm2::Message::ServerData(it) = &entry.message {
            let mut from = *writer.context();
            from.set_quake2_protocol(it.serverversion, it.isdemo);
            let to = self.target.context(&from);
            self.context = (to.protocol != from.protocol).then_some(to);
            let is_narrowed = self.context.is_some() && from.limits.is_extended();
            // The losses of all levels are counted together.
            self.plain = is_narrowed.then(|| self.plain.take().unwrap_or_default());
        }
        if let dm2::Message::FrameMessage(it) = &entry.message {
            self.is_whole = it.head.seq2 <= 0;
        }
        let context = self.context.unwrap_or(*writer.context());
        let mut spare = std::mem::take(&mut self.spare);
        spare.clear();
        match self.plain.take() {
            Some(mut plain) => {
                plain.message(&entry.message, |message| {
                    self.convert(&Entry { message: *message, ..*entry }, &context, losses, &mut spare);
                });
                self.plain = Some(plain);
            }
            None => self.convert(entry, &context, losses, &mut spare),
        }
        if spare == writer.bytes() {
            writer.keep();
        } else if !spare.is_empty() {
            writer.put_bytes(&spare);
        }
        self.spare = spare;
    }

    /// Ends the recording: counts what only Q2PRO's extended limits can express.
    pub(super) fn end(&mut self, losses: &mut Losses) {
        for (loss, count) in self.plain.iter().flat_map(|plain| plain.losses()) {
            losses.add_losses(format!("left out: {}", loss.words()), count);
        }
    }

    fn convert(
        &self,
        entry: &Entry<dm2::Message<'_>>,
        context: &Context,
        losses: &mut Losses,
        out: &mut Vec<u8>,
    ) {
        use dm2::Message as M;
        let mut write = |message: dm2::Message<'_>| Entry { message, ..*entry }.write(out, context);
        let name = entry.message.schema().name;
        let mut left = |why: &str| losses.add_loss(format!("left out: {name} {why}"));
        let unknown = "that is not known there";
        match &entry.message {
            _ if self.target.rejects(CheckCode::MessageKnown, entry.message.op()) => left(unknown),
            M::ServerData(it) => {
                write(
                    dm2::ServerData {
                        serverversion: self.context.map_or(it.serverversion, |to| to.protocol),
                        ..*it
                    }
                    .into(),
                );
            }
            M::FrameMessage(it) if self.context.is_some() && it.head.form != FrameForm::Server => {
                let uk_b1 = Some(it.head.uk_b1.unwrap_or_default());
                write(dm2::FrameMessage { head: FrameHead { uk_b1, ..it.head } }.into());
            }
            M::TempEntity(it) => {
                let flags = if self.context.is_some() { it.flags.today() } else { it.flags };
                if self.target.rejects(CheckCode::TempEntityKnown, flags.number()) {
                    left(unknown);
                } else {
                    write(dm2::TempEntity { flags, ..*it }.into());
                }
            }
            M::Reconnect(_) if self.target.rejects(CheckCode::Reconnect, 0) => {
                left("at which the engine stops");
            }
            // Before protocol 32 the bytes of the file were not in the message.
            M::Download(_) if self.context.is_some() || self.target.rejects(CheckCode::Download, 0) => {
                left("of a file");
            }
            M::Download(it) if self.target.rejects(CheckCode::DownloadSize, it.piece.size) => {
                left("of a size that no piece has");
            }
            M::PlayerInfo(it) if self.rejects_view_of(it) => {
                losses.add_loss("a field of view that cannot be drawn became the usual one");
                let flags = Flags::canonical(it.flags.bits() | dm2::PlayerInfo::fov, context);
                write(dm2::PlayerInfo { flags, fov: FIELD_OF_VIEW, ..*it }.into());
            }
            M::Sound(it)
                if it.flags.has(dm2::Sound::source)
                    && self.target.rejects(CheckCode::SoundEntity, it.source.entity()) =>
            {
                if !it.flags.has(dm2::Sound::origin) {
                    return left("of an entity for which there is no room");
                }
                losses
                    .add_loss("the sound of an entity for which there is no room comes from its place alone");
                let bits = it.flags.bits() & !dm2::Sound::source;
                write(dm2::Sound { flags: SoundBits::canonical(bits, context), ..*it }.into());
            }
            M::ConfigString(it) if self.target.rejects(CheckCode::ConfigIndex, it.index) => left(unknown),
            M::MuzzleFlash(it) if self.target.rejects(CheckCode::FlashEntity, it.entity) => {
                left("of no entity");
            }
            M::MuzzleFlash2(it) if self.target.rejects(CheckCode::FlashEntity, it.entity) => {
                left("of no entity");
            }
            M::Print(it) => {
                for part in text::parts(it.string, &self.target, true) {
                    write(dm2::Print { string: Str::new(&part), ..*it }.into());
                }
            }
            M::StuffText(it) => {
                for part in text::parts(it.string, &self.target, true) {
                    write(dm2::StuffText { string: Str::new(&part) }.into());
                }
            }
            M::CenterPrint(it) => {
                if let Some(part) = text::parts(it.string, &self.target, false).first() {
                    write(dm2::CenterPrint { string: Str::new(part) }.into());
                }
            }
            M::ConfigString(it)
                if over_the_end(it) > 0 && self.target.rejects(CheckCode::ConfigRoom, over_the_end(it)) =>
            {
                losses.add_loss("a config string is cut where the list of them ends");
                let over = usize::try_from(over_the_end(it)).unwrap_or_default();
                let text = it.string.bytes();
                let string = wire(text.get(..text.len().saturating_sub(over)).unwrap_or_default());
                write(dm2::ConfigString { string: Str::new(&string), ..*it }.into());
            }
            M::ConfigString(it) => {
                if let Some(part) = text::parts(it.string, &self.target, false).first() {
                    write(dm2::ConfigString { string: Str::new(part), ..*it }.into());
                }
            }
            other => write(*other),
        }
    }

    /// Whether the engine cannot draw the player's field of view, which is 0 in a frame sent in full without
    /// one.
    fn rejects_view_of(&self, it: &dm2::PlayerInfo<'_>) -> bool {
        let has_fov = it.flags.has(dm2::PlayerInfo::fov);
        let fov = if has_fov { it.fov } else { 0 };
        (has_fov || self.is_whole) && self.target.rejects(CheckCode::FieldOfView, fov)
    }

    /// Writes the block; in several where it is too long and its frame is not.
    pub(super) fn block_end(
        &mut self,
        writer: &mut BlockWriter<'_>,
        losses: &mut Losses,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        if writer.written().is_empty() && self.target.rejects(CheckCode::EmptyBlock, 0) {
            return Ok(());
        }
        let limit = self.target.engine.and_then(|it| it.most(CheckCode::BlockSize)).unwrap_or(i64::MAX);
        if writer.written().len() as i64 <= limit {
            return writer.write(out);
        }
        let context = self.context.unwrap_or(*writer.context());
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let (blocks, fits) = short_blocks(writer.written(), limit, &context);
        if !fits {
            losses.add_loss(format!("a frame is longer than {limit} bytes and stays so"));
        }
        blocks.iter().try_for_each(|messages| out.block([0; 3], messages))
    }
}

/// How many bytes a config string runs over the end of the list of them.
fn over_the_end(it: &dm2::ConfigString<'_>) -> i64 {
    const SLOT_BYTES: i64 = 64;
    let left = (i64::from(MAX_CONFIGSTRINGS) - i64::from(it.index)) * SLOT_BYTES;
    (it.string.bytes().len() as i64 + 1 - left).max(0)
}
