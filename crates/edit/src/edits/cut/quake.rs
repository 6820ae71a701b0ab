//! Quake: the sign-on of a level, then parts of it, each after a bridge that sets the whole state.

use super::{Beginning, pass};
use crate::machinery::bridge::quake::{bridge, settings};
use crate::machinery::span::Run;
use crate::{BlockWriter, EditOutput, Error};
use moviola_format::{Block, Context, Float, Lasts, Message as _, Quake, Str, dem, write_message};
use moviola_state::Playhead;
use moviola_state::quake::{Clock, Console, LAST_STAGE, World};

/// Cuts a recording of Quake.
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says another thing of what was written, and all mix")]
pub(super) struct Cutter {
    /// The state before the current block.
    head: Playhead<World>,
    /// The current level; 0 before the first one.
    level: u32,
    signon: Beginning,
    is_playing: bool,
    /// Whether the sign-on was written.
    is_begun: bool,
    /// The last state of the audience, if blocks after it were left out.
    seen: Option<World>,
    /// The picture settings that the audience received, in this level or in one before it.
    known: Console,
    /// Whether the last block that was read was also written.
    goes_on: bool,
    /// Whether anything of an earlier level was written.
    has_past: bool,
    /// Whether the last block that was written sends a client to the next level, and whether it ends the
    /// recording.
    reconnects: bool,
    ends: bool,
    angles: [u32; 3],
}

impl Cutter {
    /// Handles a block that was read. Returns true if the next blocks need not be read, once it is known whether they
    /// are kept.
    pub(super) fn block(
        &mut self,
        writer: &mut BlockWriter<'_>,
        is_kept: bool,
        out: &mut EditOutput<'_>,
    ) -> Result<bool, Error> {
        let block = *writer.block();
        if block.is_from_client() {
            if is_kept && self.goes_on {
                writer.write(out)?;
            }
            return Ok(false);
        }
        if block.data.is_empty() {
            return Ok(false);
        }
        if writer.place().level != self.level {
            self.turn_to(writer.place().level, out)?;
        }
        if !self.is_playing {
            let old_head = self.head.clone();
            self.head.step(&block);
            // A recording without stages plays from its first entity on, whether anything is visible or not.
            let is_over = old_head.world.signon >= LAST_STAGE && !self.signon.is_empty();
            let world = &self.head.world;
            let has_begun = world.clock != Clock::default() && world.entities().next().is_some();
            let is_signon = !is_over && !has_begun;
            if is_signon && !self.signon.is_full() {
                self.signon.push(&block, is_kept);
                return Ok(false);
            }
            self.head = old_head;
            self.is_playing = true;
            self.seen = Some(self.head.world.clone());
            if is_kept {
                self.begin(out)?;
                self.goes_on = true;
                let (mut audience, world) = (World::default(), &self.head.world);
                audience.console.clone_from(&self.known);
                let blocks = settings(&audience, world, &self.head.context);
                blocks.iter().try_for_each(|messages| out.block(block.angles, messages))?;
            } else {
                self.take_beginning(&block);
            }
        }
        if is_kept {
            if !self.goes_on {
                if !self.is_begun && !self.signon.any {
                    self.quiet();
                }
                self.begin(out)?;
                self.bridge(&block, out)?;
            }
            writer.write(out)?;
            self.angles = block.angles;
            self.reconnects = block.data.ends_with(&reconnect());
        } else if self.goes_on {
            self.seen = Some(self.head.world.clone());
        }
        self.goes_on = is_kept;
        let context = self.head.context;
        self.head.step(&block);
        if is_kept {
            self.ends = self.head.world.disconnected && says_goodbye(&block, context);
            self.known.clone_from(&self.head.world.console);
        }
        Ok(true)
    }

    /// The first block of the game may also hold the end of the level's beginning, or all of it.
    fn take_beginning(&mut self, block: &Block<'_>) {
        let mut messages = block.messages::<Quake>(self.head.context);
        let mut end = 0;
        while let Some(entry) = messages.next() {
            if matches!(entry.message, dem::Message::ServerInfo(_) | dem::Message::SignonNum(_)) {
                end = messages.pos();
            }
        }
        let data = block.data.get(..end).unwrap_or_default();
        if !data.is_empty() {
            let beginning = Block { angles: block.angles, ..Block::new(data) };
            self.signon.push(&beginning, false);
            let mut head = self.head.clone();
            head.step(&beginning);
            self.seen = Some(head.world);
        }
    }

    /// Keeps or drops a block by the known facts about its run, without reading its messages.
    pub(super) fn pass(
        &mut self,
        run: &Run,
        writer: &mut BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        if run.keeps && !block.data.is_empty() {
            writer.write(out)?;
            self.angles = if block.is_from_client() { self.angles } else { block.angles };
        }
        pass(run, writer, &mut self.head);
        Ok(())
    }

    pub(super) fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.leave(out)?;
        if !self.ends && out.blocks() > 0 {
            out.block(self.angles, &bytes(&dem::Disconnect {}.into()))?;
        }
        Ok(())
    }

    /// Begins another level.
    fn turn_to(&mut self, level: u32, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.leave(out)?;
        self.has_past |= self.is_begun;
        self.level = level;
        self.signon = Beginning::new();
        self.seen = None;
        (self.is_playing, self.is_begun, self.goes_on) = (false, false, false);
        Ok(())
    }

    /// A level is over: its sign-on is written now if it is kept although no part needs it.
    fn leave(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.signon.any { self.begin(out) } else { Ok(()) }
    }

    /// Writes the sign-on, unless it was written already. A client that comes from another level gets a `reconnect`
    /// first.
    fn begin(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        if self.has_past && !self.reconnects {
            out.block(self.angles, &reconnect())?;
        }
        self.ends = false;
        let console = std::mem::take(&mut self.known);
        self.known = self.behind_signon(console).console;
        self.signon.write(out)
    }

    /// The state of an audience with these settings after the sign-on.
    fn behind_signon(&self, console: Console) -> World {
        let mut audience = Playhead::<World>::new();
        audience.world.console = console;
        for (_, data) in &self.signon.blocks {
            audience.step(&Block::new(data));
        }
        audience.world
    }

    /// Removes sounds, texts and effects from the sign-on, since they happened long before the first kept
    /// moment.
    fn quiet(&mut self) {
        let mut context = Context::quake();
        for (_, data) in &mut self.signon.blocks {
            let (mut kept, mut at) = (Vec::with_capacity(data.len()), 0);
            let mut messages = Block::new(data).messages::<Quake>(context);
            // A server prints its version in the block that announces a level, and readers need that print.
            let announces = Block::new(data)
                .messages::<Quake>(context)
                .any(|entry| matches!(entry.message, dem::Message::ServerInfo(_)));
            while let Some(entry) = messages.next() {
                let bytes = data.get(at..messages.pos()).unwrap_or_default();
                at = messages.pos();
                if !happens(&entry.message, announces) {
                    kept.extend_from_slice(bytes);
                }
            }
            kept.extend_from_slice(messages.rest());
            context = *messages.context();
            *data = kept;
        }
        self.signon.blocks.retain(|(_, data)| !data.is_empty());
        self.seen = Some(self.behind_signon(Console::default()));
    }

    /// Takes the audience from its last state to the state before the current block.
    fn bridge(&mut self, next: &Block<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let Some(seen) = &mut self.seen else { return Ok(()) };
        seen.console.clone_from(&self.known);
        let world = &self.head.world;
        let angles = world.view.angles.map(|Float(bits)| bits);
        let mut messages = next.messages::<Quake>(self.head.context);
        #[allow(clippy::float_cmp, reason = "engines compare the floats")]
        let stays = !messages.any(|entry| {
            matches!(entry.message, dem::Message::Time(it) if it.time.value() != world.clock.now.value())
        });
        let blocks = bridge(seen, world, stays, &self.head.context);
        blocks.iter().try_for_each(|messages| out.block(angles, messages))
    }
}

/// The message by which a server sends its clients to the next level.
pub(crate) fn reconnect() -> Vec<u8> {
    bytes(&dem::StuffText { string: Str::new(b"reconnect\n\0") }.into())
}

/// Whether a block has the `disconnect` that ends the recording.
fn says_goodbye(block: &Block<'_>, context: Context) -> bool {
    block.messages::<Quake>(context).any(|entry| matches!(entry.message, dem::Message::Disconnect(_)))
}

/// Whether the effect of a message is over after its moment.
fn happens(message: &dem::Message<'_>, announces: bool) -> bool {
    match message {
        dem::Message::Print(_) => !announces,
        // not from SCHEMA: a word of the console, the flash of an item
        dem::Message::StuffText(it) => it.string.bytes().trim_ascii() == b"bf",
        _ => message.schema().properties.lasts == Lasts::Moment,
    }
}

/// A message as every protocol writes it.
pub(crate) fn bytes(message: &dem::Message<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_message(message, &mut bytes, &Context::quake());
    bytes
}
