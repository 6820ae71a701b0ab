//! Turns a server's or a Relay recording of Quake II into one player's, which engines can play.
//!
//! A server records every entity in full and no player's own state, so that is rebuilt from the player's
//! entity. Relay has each client's state, and the messages that each client alone was sent.

mod quakeworld;

use crate::machinery::bridge::{self, Blocks};
use crate::machinery::players::Players;
use crate::machinery::rewrite::as_relay;
use crate::{BlockWriter, EditOutput, Error, Rewrite, rewrite};
use moviola_format::dm2::{self, Message};
use moviola_format::names::quake2::{CS_NAME, PLAYER_FRAME, RECORD_CLIENT, RECORD_RELAY, RECORD_SERVER};
use moviola_format::names::range_name;
use moviola_format::{
    Angle16, Demo, Entry, Fault, Format, FrameForm, Game, Piece, Quarters, Short8, Str, qw,
};
use moviola_state::World as _;
use moviola_state::quake2::{Entity, Frame, PlayerState, World};
use std::io::{self, Read};

/// Makes the recording of one player of a server's or a Relay recording.
///
/// ```
/// use moviola_edit::{View, rewrite};
/// let mut view = View::of("2");
/// // Quake has no such recordings.
/// let quake = &b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"[..];
/// assert!(view.find(quake).is_err());
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that hold apart from each other")]
pub struct View {
    /// The player as requested.
    who: String,
    /// The player's number, counted from 0.
    player: u8,
    world: World,
    /// The protocol that was announced, if today's engines do not speak it.
    old_protocol: Option<i32>,
    /// The last frame that was written.
    sent: Option<Frame>,
    /// Whether the command to load the level was written.
    is_loaded: bool,
    is_relay: bool,
    /// Whether a level was announced and has no frame yet.
    begins: bool,
    /// The level, if the recording does not announce it: servers before 3.17 recorded no announcement.
    unannounced: Option<ServerLevel>,
    /// Messages that did not fit into the last block.
    late: Vec<Vec<u8>>,
    /// The kept messages of the block.
    kept_messages: Vec<Vec<u8>>,
    frames: u64,
    /// The number of messages that come later than in the input.
    delayed: u64,
    ended: bool,
    /// The state of the edit for an MVD.
    viewer: Option<Box<quakeworld::Viewer>>,
}

/// A level that a server recorded without announcing it: its title, and the protocol under which all of it
/// can be read.
#[derive(Clone, Debug)]
struct ServerLevel {
    title: Vec<u8>,
    protocol: i32,
}

/// The size of a block at which no further message is added, with a margin for messages that are not counted one by
/// one.
const LIMIT: usize = bridge::quake2::LIMIT;

impl View {
    /// The view of a player, given by the number, counted from 1, or by a part of the name.
    pub fn of(who: impl Into<String>) -> Self {
        Self {
            who: who.into(),
            player: 0,
            world: World::new(),
            sent: None,
            is_loaded: false,
            is_relay: false,
            begins: false,
            unannounced: None,
            old_protocol: None,
            late: Vec::new(),
            kept_messages: Vec::new(),
            frames: 0,
            delayed: 0,
            ended: false,
            viewer: None,
        }
    }

    /// Reads the recording to its end and looks for the player.
    ///
    /// # Errors
    /// When there is no such player, or the recording has one player's view already.
    pub fn find<R: Read>(&mut self, source: R) -> Result<(), Error> {
        let mut survey = Survey::default();
        rewrite(source, &mut survey, io::sink())?;
        if survey.is_mvd {
            survey.players.forget_spectators();
        }
        let player = survey.players.find(&self.who, 0..self.who.len())?;
        self.player = player;
        if survey.is_mvd {
            self.viewer = Some(Box::new(quakeworld::Viewer::new(player)));
            return Ok(());
        }
        let Survey { title, protocol, .. } = survey;
        self.unannounced = (!survey.is_announced).then_some(ServerLevel { title, protocol });
        Ok(())
    }

    /// The view of the first player of an MVD or MVD2, for edits that need the screen of a player; `None` of any other
    /// recording, which `open` opens anew each time it is asked.
    ///
    /// ```
    /// use moviola_edit::View;
    /// let quake = &b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"[..];
    /// assert!(View::of_match(|| Ok(quake)).unwrap().is_none());
    /// ```
    ///
    /// # Errors
    /// When nobody plays in it, or reading fails.
    pub fn of_match<R: Read>(mut open: impl FnMut() -> io::Result<R>) -> Result<Option<Self>, Error> {
        if !matches!(Demo::new(open()?)?.format(), Format::Mvd | Format::Mvd2) {
            return Ok(None);
        }
        let mut survey = Survey::default();
        rewrite(open()?, &mut survey, io::sink())?;
        let Some(player) = survey.players.first() else {
            return Err(Error::Impossible("nobody plays in this recording".into()));
        };
        let viewer = survey.is_mvd.then(|| Box::new(quakeworld::Viewer::new(player)));
        Ok(Some(Self { player, viewer, ..Self::of(player.saturating_add(1).to_string()) }))
    }

    /// Announces the level, where the recording does not.
    fn announce(&mut self, level: &ServerLevel, writer: &BlockWriter<'_>) {
        let title = bridge::wire(&level.title);
        let message = Message::from(dm2::ServerData {
            serverversion: level.protocol,
            key: 0,
            isdemo: RECORD_CLIENT,
            game: Str::new(b"\0"),
            client: i16::from(self.player),
            mapname: Str::new(&title),
        });
        let mut bytes = Vec::new();
        moviola_format::write_message(&message, &mut bytes, writer.context());
        self.kept_messages.push(bytes);
    }

    /// Writes the kept messages, in blocks that engines accept.
    fn flush(&mut self, writer: &BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let mut blocks = Blocks::new(*writer.context(), LIMIT);
        self.kept_messages.drain(..).for_each(|message| blocks.put_bytes(&message));
        for block in blocks.finish() {
            out.block([0; 3], &block)?;
        }
        Ok(())
    }

    /// The player's frame for the current frame of the recording.
    fn frame(&self) -> Option<Frame> {
        let world = self.world.frame();
        let player_entity = u16::from(self.player) + 1;
        let mut frame = world.clone();
        frame.form = FrameForm::Client;
        frame.connected.clear();
        frame.players.clear();
        let state = if self.is_relay {
            world.player(Some(self.player)).copied()
        } else {
            world.entity(player_entity).map(state_of)
        };
        let last = || self.sent.as_ref().and_then(|sent| sent.player(None)).copied();
        frame.players.push((None, state.or_else(last)?));
        if frame.areas.is_empty() {
            // A server does not record which doors are open.
            frame.areas = vec![u8::MAX; AREAS];
        }
        Some(frame)
    }

    /// A frame that fits into a block: entities that are new and far away wait for later frames.
    fn fit(&self, frame: &Frame, writer: &BlockWriter<'_>) -> (Frame, Vec<u8>) {
        let mut frame = frame.clone();
        loop {
            let mut bytes = Vec::new();
            bridge::quake2::frame(&frame, self.sent.as_ref(), &self.world, writer.context(), &mut bytes);
            let old = |number| self.sent.as_ref().is_some_and(|sent| sent.entity(number).is_some());
            let eye = frame.player(None).map_or([0.0; 3], |state| state.origin.map(Short8::value));
            let distance_to = |entity: &Entity| {
                let place = entity.origin.map(Short8::value);
                place.iter().zip(eye).map(|(one, other)| (one - other).powi(2)).sum::<f64>()
            };
            let farthest = frame
                .entities
                .iter()
                .enumerate()
                .filter(|(_, entity)| !old(entity.number) && entity.number != u16::from(self.player) + 1)
                .max_by(|(_, one), (_, other)| distance_to(one).total_cmp(&distance_to(other)))
                .map(|(at, _)| at);
            match farthest {
                Some(at) if bytes.len() > LIMIT => drop(frame.entities.remove(at)),
                _ => return (frame, bytes),
            }
        }
    }
}

/// The number of bytes of areas that engines accept.
const AREAS: usize = 32;

/// A player's state as far as the player's entity shows it.
fn state_of(entity: &Entity) -> PlayerState {
    let [pitch, yaw, roll] = entity.angles.map(moviola_format::Angle8::value);
    let doing = range_name(PLAYER_FRAME, i64::from(entity.frame)).unwrap_or_default();
    let is_dead = doing.contains("death");
    PlayerState {
        origin: entity.origin,
        // The height of the eyes, in quarters (`viewheight`).
        view_offset: [0, 0, if doing.starts_with("crouch") { -8 } else { 88 }].map(Quarters),
        // A body leans by a third of the pitch of its eyes; a dead player sees the world aslant (`DeadView`).
        view_angles: (if is_dead { [-15.0, yaw, 40.0] } else { [pitch * 3.0, yaw, roll] })
            .map(Angle16::nearest),
        fov: 90,
        gravity: 800,
        ..PlayerState::default()
    }
}

impl Rewrite for View {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("seen by one player")
    }

    fn needs_updates(&self) -> Option<&'static str> {
        Some("seen by one player")
    }

    fn source<'s>(&self, source: Box<dyn Read + 's>) -> Box<dyn Read + 's> {
        as_relay(source)
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        only_of_servers(format)
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.ended |= *piece == Piece::End;
        out.piece(piece)
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let Some(viewer) = &mut self.viewer {
            viewer.message(entry, writer);
        }
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        if let Some(viewer) = &mut self.viewer {
            return viewer.begin(writer.block());
        }
        self.world.begin_block(writer.block());
        self.kept_messages.clear();
    }

    fn quake2(&mut self, entry: &Entry<Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let Some(level) = self.unannounced.take() {
            self.announce(&level, writer);
            self.old_protocol = Some(level.protocol).filter(|protocol| *protocol < dm2::NEWEST);
        }
        self.world.apply(entry);
        if entry.unicast.is_some_and(|client| client != self.player) {
            return;
        }
        let mut bytes = Vec::new();
        let mut write =
            |message: Message<'_>| moviola_format::write_message(&message, &mut bytes, writer.context());
        match entry.message {
            Message::ServerData(it) => {
                self.is_relay = it.isdemo & RECORD_RELAY != 0;
                (self.sent, self.is_loaded, self.begins) = (None, false, true);
                self.late.clear();
                write(Message::from(dm2::ServerData {
                    isdemo: RECORD_CLIENT,
                    client: i16::from(self.player),
                    ..it
                }));
            }
            Message::FrameMessage(_) | Message::PlayerInfo(_) | Message::PacketEntities(_) => return,
            // not from SCHEMA: a console command of Quake II.
            Message::StuffText(it) if it.string.bytes().starts_with(b"precache") => {
                self.is_loaded = true;
                write(entry.message);
            }
            message => write(message),
        }
        self.kept_messages.push(bytes);
    }

    fn remainder(&mut self, _: Fault, _: &mut BlockWriter<'_>) {}

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if let Some(viewer) = &mut self.viewer {
            return viewer.block(out);
        }
        let before = self.world.frame().number;
        self.world.end_block();
        let is_frame = self.world.frame().number != before && self.world.frame().validity.is_drawn();
        if std::mem::take(&mut self.begins) || !is_frame {
            self.flush(writer, out)?;
        }
        if !is_frame {
            return Ok(());
        }
        // Before the player's first frame nothing is visible, but the level's texts change.
        let Some(frame) = self.frame() else {
            return if self.is_relay { self.flush(writer, out) } else { Ok(()) };
        };
        if !self.is_loaded {
            self.is_loaded = true;
            let mut bytes = Vec::new();
            let string = Str::new(b"precache\n\0");
            moviola_format::write_message(
                &Message::from(dm2::StuffText { string }),
                &mut bytes,
                writer.context(),
            );
            out.block([0; 3], &bytes)?;
        }
        let (frame, mut bytes) = self.fit(&frame, writer);
        self.sent = Some(frame);
        self.frames += 1;
        let mut messages = std::mem::take(&mut self.late);
        messages.append(&mut self.kept_messages);
        for message in messages {
            if self.late.is_empty() && bytes.len() + message.len() <= LIMIT {
                bytes.extend_from_slice(&message);
            } else {
                self.late.push(message);
            }
        }
        self.delayed += self.late.len() as u64;
        out.block([0; 3], &bytes)
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if let Some(viewer) = &mut self.viewer {
            viewer.end(out)?;
            self.frames = viewer.frames;
            return Ok(());
        }
        if self.frames == 0 {
            return Err(Error::Impossible("no frame of the recording has this player".into()));
        }
        if !self.ended {
            // Servers do not write the end mark, and some engines require it.
            out.piece(&Piece::End)?;
        }
        if self.delayed > 0 {
            out.note(format!("{} messages were moved to the next frame: the blocks were full", self.delayed));
        }
        if let Some(protocol) = self.old_protocol {
            out.note(format!(
                "its messages are of protocol {protocol}: for current engines, use `moviola convert --to {}`",
                dm2::NEWEST
            ));
        }
        if !self.is_relay {
            out.note(
                "a server does not record the weapons, health and fades of a player, so they are missing",
            );
        }
        Ok(())
    }

    fn outcome(&self) -> String {
        format!("{} frames of player {}", self.frames, u16::from(self.player) + 1)
    }
}

fn only_of_servers(format: Format) -> Result<(), Error> {
    match (Error::any_game(format)?, format) {
        (Game::Quake2, _) | (_, Format::Mvd) => Ok(()),
        (Game::QuakeWorld, _) => Err(Error::Impossible("this is one player's recording already".into())),
        _ => Err(Error::Impossible("recordings of Quake have one player's view already".into())),
    }
}

/// The config string with the level's title.
const TITLE: i16 = CS_NAME as i16;

/// The players of a recording.
#[derive(Default)]
struct Survey {
    players: Players,
    is_mvd: bool,
    is_client: bool,
    is_announced: bool,
    title: Vec<u8>,
    protocol: i32,
}

impl Rewrite for Survey {
    fn source<'s>(&self, source: Box<dyn Read + 's>) -> Box<dyn Read + 's> {
        as_relay(source)
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        self.is_mvd = format == Format::Mvd;
        only_of_servers(format)
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.players.quakeworld(entry, writer);
    }

    fn quake2(&mut self, entry: &Entry<Message<'_>>, _: &mut BlockWriter<'_>) {
        if let (Some(client), Message::PlayerInfo(_)) = (entry.unicast, &entry.message) {
            self.players.add(client);
        }
        self.players.read_quake2(&entry.message);
        match &entry.message {
            Message::ServerData(it) => {
                self.is_announced = true;
                self.is_client = it.isdemo & RECORD_RELAY == 0 && it.isdemo != RECORD_SERVER;
            }
            Message::ConfigString(it) if it.index == TITLE => self.title = it.string.bytes().to_vec(),
            _ => {}
        }
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, _: &mut EditOutput<'_>) -> Result<(), Error> {
        // The protocol may become clear only late: at the first message whose form shows it.
        self.protocol = writer.context().quake2_protocol();
        Ok(())
    }

    fn end(&mut self, _: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.is_client {
            return Err(Error::Impossible("this is one player's recording already".into()));
        }
        Ok(())
    }
}
