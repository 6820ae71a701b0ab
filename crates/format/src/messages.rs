//! The messages of one block, one by one, together with the context for each next one.
//!
//! If the bytes leave a [`Question`] open, the rest of the block is read both ways and the way that reaches
//! its end is taken; the number of such trials in a block is limited.

use crate::context::{Answer, Context, DarkPlaces, Habit, Question};
use crate::game::Game;
use crate::table::{FastReader, Message, write_message};
use crate::wire::{Fault, FaultKind, Reader, Stop};

/// A game's table, and the effects of its messages on the context.
///
/// ```
/// use moviola_format::{Block, Context, Dialect, Quake, Quake2};
/// /// The number of messages in a block of any game.
/// fn count<D: Dialect>(block: &Block<'_>) -> usize {
///     block.messages::<D>(Context::of(D::GAME)).count()
/// }
/// assert_eq!(count::<Quake>(&Block::new(b"\x01\x01")), 2);
/// assert_eq!(count::<Quake2>(&Block::new(b"\x06")), 1);
/// ```
pub trait Dialect {
    /// The table.
    type Message<'a>: Message<'a>;
    /// The game.
    const GAME: Game;
    /// Whether a message's id can contain the number of the only client that it was for (Relay).
    const UNICAST: bool = false;
    /// Whether other bytes precede the id, or the id is not a single byte.
    const PREFIXED: bool = false;
    /// Whether it is the table of MVD2, whose blocks and those of `.dm2` belong to one game.
    const MVD2: bool = false;
    /// Reads the bytes before a message's fields and returns the message's id.
    #[inline(always)]
    fn open(reader: &mut Reader<'_, '_>) -> Result<u8, Stop> {
        reader.byte()
    }
    /// Applies the effect of a message on the way in which the messages after it are read.
    fn observe(message: &Self::Message<'_>, context: &mut Context) {
        let _ = (message, context);
    }
    /// Whether messages of this id can change the context, so that [`observe`](Dialect::observe) must be
    /// called.
    #[inline(always)]
    fn can_change_context(op: u8) -> bool {
        let _ = op;
        true
    }
    /// Whether a server may have sent the message. A trial's wrong answer often makes messages that no server
    /// sends.
    fn is_plausible(message: &Self::Message<'_>) -> bool {
        let _ = message;
        true
    }
    /// Whether messages of this id never change the context.
    #[inline(always)]
    fn leaves(op: u8, context: &Context) -> bool {
        let _ = context;
        !Self::can_change_context(op)
    }
    /// Looks at the first bytes of a block for a protocol, before any is known and a message can be read.
    fn announced(block: &[u8], context: &mut Context) {
        let _ = (block, context);
    }
    /// Whether messages of this id have the same form in every protocol, even in protocols that are kept raw.
    fn is_plain(op: u8) -> bool {
        let _ = op;
        true
    }
}

/// A message and its place in the block.
///
/// ```
/// use moviola_format::{Context, Messages, Quake2, dm2::Message};
/// // A message to client 3 alone, as Relay records it.
/// let block = b"\x86\x03";
/// let mut messages = Messages::<Quake2>::new(block, Context::quake2());
/// let entry = messages.next().unwrap();
/// assert!(matches!(entry.message, Message::Nop(_)));
/// assert_eq!((entry.at, entry.unicast), (0, Some(3)));
/// let mut out = Vec::new();
/// entry.write(&mut out, messages.context());
/// assert_eq!(out, block);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<M> {
    /// Its offset in the block.
    pub at: usize,
    /// The only client that it was for (Relay).
    pub unicast: Option<u8>,
    /// The message.
    pub message: M,
}

/// The mark on an id that is followed by the number of the client that the message was for (Relay).
///
/// ```
/// use moviola_format::{UNICAST, dm2::Nop};
/// assert_eq!(Nop::OP | UNICAST, 0x86);
/// ```
pub const UNICAST: u8 = 0x80;

impl<M> Entry<M> {
    /// Writes the message with the bytes that it had in its block.
    #[inline]
    pub fn write<'a>(&self, out: &mut Vec<u8>, context: &Context)
    where
        M: Message<'a>,
    {
        let at = out.len();
        write_message(&self.message, out, context);
        if let Some(client) = self.unicast {
            if let Some(op) = out.get_mut(at) {
                *op |= UNICAST;
            }
            out.insert(at + 1, client);
        }
    }
}

/// Iterates over the messages of a block.
///
/// ```
/// use moviola_format::{dem, Context, Messages, Quake};
/// let block = b"\x01\x08hello\0\x3c?";
/// let mut messages = Messages::<Quake>::new(block, Context::quake());
/// let names: Vec<&str> = messages.by_ref().map(|entry| moviola_format::Message::schema(&entry.message).name).collect();
/// assert_eq!(names, ["nop", "print"]);
/// assert_eq!(messages.rest(), b"\x3c?");
/// assert!(messages.fault().is_some());
/// ```
#[derive(Debug)]
pub struct Messages<'a, D> {
    block: &'a [u8],
    rest: &'a [u8],
    context: Context,
    habit: Habit,
    fault: Option<Fault>,
    trials_left: u8,
    turns: u32,
    dialect: std::marker::PhantomData<D>,
}

/// The number of open questions in one block that are tried both ways.
const TRIALS: u8 = 8;

impl<'a, D: Dialect> Messages<'a, D> {
    /// The messages of `block`, read under `context`.
    pub fn new(block: &'a [u8], mut context: Context) -> Self {
        context = context.next_block();
        if context.protocol == 0 {
            D::announced(block, &mut context);
        }
        Self {
            block,
            rest: block,
            context,
            habit: context.habit(),
            fault: None,
            trials_left: TRIALS,
            turns: 0,
            dialect: std::marker::PhantomData,
        }
    }

    /// For a block with messages of another kind: no message is read, and the whole block is the raw remainder.
    pub(crate) fn foreign(block: &'a [u8], context: Context, kind: FaultKind) -> Self {
        let mut it = Self::new(block, context);
        it.fault = (!block.is_empty()).then_some(Fault { kind, at: 0 });
        it.habit = Habit::Other;
        it
    }

    /// The context after the messages read so far: the next block's, once all are read.
    #[inline]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// A counter of the possible changes of [`context`](Messages::context): while it stays the same, so does
    /// the context.
    ///
    /// ```
    /// use moviola_format::{Context, Messages, Quake};
    /// let mut messages = Messages::<Quake>::new(b"\x01\x08\x02\nVERSION 1.09 SERVER\0", Context::quake());
    /// messages.next();
    /// assert_eq!((messages.turns(), messages.context().server_version), (0, 0));
    /// messages.next();
    /// assert_eq!((messages.turns(), messages.context().server_version), (1, 109));
    /// ```
    #[inline]
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// The reason if reading stopped before the end of the block.
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// The bytes not read yet: after the last message, the raw remainder.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The offset of the first byte not read yet.
    #[inline]
    pub fn pos(&self) -> usize {
        self.block.len() - self.rest.len()
    }

    /// Continues after the next message, which the caller has read through a source of its own under
    /// [`context`](Messages::context); `rest` is the bytes after it.
    ///
    /// ```
    /// use moviola_format::{Context, Message as _, Messages, Quake, Reader, dem};
    /// let mut messages = Messages::<Quake>::new(b"\x01\x02", Context::quake());
    /// let (op, rest) = messages.rest().split_first().unwrap();
    /// let mut reader = Reader::new(rest, messages.context());
    /// let nop = dem::Message::build(*op, &mut reader).unwrap();
    /// let rest = reader.rest();
    /// messages.step_over(&nop, rest);
    /// assert_eq!(messages.pos(), 1);
    /// ```
    #[inline(always)]
    pub fn step_over(&mut self, message: &D::Message<'a>, rest: &'a [u8]) {
        self.rest = rest;
        if D::can_change_context(message.op()) {
            let mut context = self.context;
            D::observe(message, &mut context);
            if context != self.context {
                self.turn_to(context);
            }
        }
    }

    /// Reads the next message with the fast reader, if it is of bounded length and cannot change the context,
    /// as most are.
    #[inline(always)]
    fn read_fast(&mut self, context: &'static Context) -> Option<Entry<D::Message<'a>>> {
        let op = *self.rest.first()?;
        // The lowest bit of an update's id says whether it has a second byte of flags. Compiled for both
        // cases, half of the fields are known to be absent from most updates.
        // not from SCHEMA: both ways are right for every id
        if op & 1 == 0 { self.read_as::<0>(op, context) } else { self.read_as::<1>(op, context) }
    }

    #[inline(always)]
    fn read_as<const LOWEST: u8>(
        &mut self,
        op: u8,
        context: &'static Context,
    ) -> Option<Entry<D::Message<'a>>> {
        let (_, rest) = self.rest.split_first()?;
        let (op, at) = (op & !1 | LOWEST, self.pos());
        let mut reader = Reader::resume(self.block, rest, context);
        reader.set_op(op);
        D::Message::build_into(
            op,
            &mut FastReader(reader),
            #[inline(always)]
            |fast, built| match built {
                Ok(message) if !D::can_change_context(op) => {
                    self.rest = fast.0.rest();
                    Some(Entry { at, unicast: None, message })
                }
                _ => None,
            },
        )
    }

    /// Reads the next message, of any kind.
    #[inline(never)]
    fn read(&mut self) -> Option<Entry<D::Message<'a>>> {
        if self.rest.is_empty() || self.fault.is_some() {
            return None;
        }
        let mut reader = Reader::resume(self.block, self.rest, &self.context);
        let at = reader.pos();
        let Ok(mut op) = D::open(&mut reader) else { return self.recover(reader.fault()) };
        let mut unicast = None;
        if D::UNICAST && op & UNICAST != 0 {
            op &= !UNICAST;
            let Ok(client) = reader.byte() else { return self.recover(reader.fault()) };
            unicast = Some(client);
        }
        if self.context.raw && (self.context.foreign_ids() || !D::is_plain(op)) {
            let Stop = reader.stop(FaultKind::RawProtocol(self.context.protocol));
            return self.recover(reader.fault());
        }
        reader.set_op(op);
        let block = self.block;
        let (mut rest, mut fault, mut changed) = (self.rest, None, None);
        let entry = D::Message::build_into(
            op,
            &mut reader,
            #[inline(always)]
            |reader, built| {
                let Ok(message) = built else {
                    fault = reader.fault();
                    return None;
                };
                rest =
                    if D::PREFIXED { block.get(reader.pos()..).unwrap_or_default() } else { reader.rest() };
                if D::can_change_context(op) {
                    let mut context = *reader.context();
                    D::observe(&message, &mut context);
                    changed = Some(context);
                }
                Some(Entry { at, unicast, message })
            },
        );
        if entry.is_none() {
            return self.recover(fault);
        }
        self.rest = rest;
        if let Some(context) = changed {
            self.turn_to(context);
        }
        entry
    }

    fn turn_to(&mut self, context: Context) {
        self.turns = self.turns.wrapping_add(1);
        self.context = context;
        self.habit = context.habit();
    }

    /// Handles a message that could not be read, and reads it again if that can help.
    #[cold]
    #[inline(never)]
    fn recover(&mut self, fault: Option<Fault>) -> Option<Entry<D::Message<'a>>> {
        let mut fault = fault?;
        match fault.kind {
            FaultKind::Undecided(question) => match self.decide(question, fault.at as usize) {
                Ok(()) => return self.next(),
                Err(kind) => fault.kind = kind,
            },
            FaultKind::RawProtocol(protocol) => {
                self.turn_to(Context { protocol, raw: true, ..self.context });
            }
            // A new level has begun in an unknown form, so its messages are kept raw.
            FaultKind::Extension(_) => self.turn_to(Context { raw: true, ..self.context }),
            FaultKind::Extended(protocol) => {
                self.turn_to(Context { protocol, raw: true, fte: true, ..self.context });
            }
            _ if D::GAME == Game::QuakeWorld && !self.context.raw => {
                if let Some(bits) = self.context.extensions.unnamed() {
                    fault.kind = FaultKind::Extension(bits);
                }
            }
            _ => {}
        }
        self.fault = Some(fault);
        self.habit = Habit::Other;
        None
    }

    /// Takes the answer under which the rest of the block can be read to its end; otherwise returns the
    /// fault.
    // Some rules are not on the wire: whether this server sends the byte of a weapon, or which form a frame's
    // head has. The version that a server prints would answer them, but editors leave the prints of other
    // versions in, and recordings without a beginning have none. So a version only orders the answers, and the
    // rest of the block is read once under each. The answer stays in the context, so that most questions come up
    // once in a level. A hostile block could ask in every message, with new trials inside each trial: therefore a
    // trial has no trials of its own, and a block has few of them. Further questions get the likeliest answer.
    fn decide(&mut self, question: Question, asked_at: usize) -> Result<(), FaultKind> {
        let mut answers = self.context.answers(question);
        if question == Question::Weapon {
            // The number of a bit is below 32; of the others, only the bits of two weapons are likelier than
            // the next message.
            let byte = self.block.get(asked_at);
            if !matches!(byte, Some(0..=32 | 64)) {
                answers.reverse();
            }
        }
        let mut chosen = None;
        if self.trials_left > 0 {
            self.trials_left -= 1;
            chosen = self.best(&answers, question);
        }
        // For most forms of a frame's head, not even one message can be read.
        let fits = |it: &&Context| question != Question::Frame || self.attempt(**it).next().is_some();
        let guess = |it: &Context| if question == Question::Items { it.for_this_block() } else { *it };
        // A player's state and a frame are worth reading whatever bytes follow them; a guess about lengths is
        // not.
        let keeps = !matches!(question, Question::Nehahra | Question::StaticSound);
        match chosen.or_else(|| answers.iter().filter(|_| keeps).find(fits).map(guess)) {
            // A text does not say that its protocol 15 has these additions.
            Some(context) if context.darkplaces == DarkPlaces::Quake => Err(FaultKind::DarkPlaces),
            Some(context) => {
                self.turn_to(context);
                Ok(())
            }
            None => Err(FaultKind::Undecided(question)),
        }
    }

    /// The first answer under which the rest is read to its end, preferably without messages that no server
    /// sends. For frames and Quake II's layouts, the answer that reads furthest if none reaches the end.
    // The end of the block alone does not prove an answer: under a wrong one, the rest often turns into other
    // messages that end there too. Most of these have values that no server sends, such as a text without an
    // end, and `is_plausible` rejects them. Where several answers stay plausible, the questions differ in the cost
    // of an error, so each has its own rule; an uncertain one holds for this block only, or stays marked as a guess.
    fn best(&self, answers: &[Context], question: Question) -> Option<Context> {
        let mut trials: Vec<(Trial, Context)> = Vec::with_capacity(answers.len());
        for answer in answers {
            let trial = self.trial(*answer);
            trials.push((trial, *answer));
            // This question comes up in every block, and a second fitting answer would not be taken.
            if question == Question::Weapon && trial.is_complete && trial.plausible {
                break;
            }
        }
        let plausible = trials.iter().find(|(it, _)| it.is_complete && it.plausible).map(|(_, it)| *it);
        let complete = trials.iter().find(|(it, _)| it.is_complete).map(|(_, it)| *it);
        let fitting = trials.iter().filter(|(it, _)| it.is_complete && it.plausible).count();
        let furthest = || trials.iter().rev().max_by_key(|(trial, _)| trial.reached).map(|(_, it)| *it);
        match question {
            Question::Nehahra => {
                if plausible.is_some_and(|it| it.nehahra == Answer::Yes) {
                    return plausible;
                }
                // If a reading with DarkPlaces' additions fits as well as one without, the question stays open.
                let added = DarkPlaces::Quake;
                let darkplaces = Context { darkplaces: added, nehahra: Answer::No, ..self.context };
                let own = self.trial(darkplaces);
                let sound = own.is_complete && own.plausible;
                match (plausible, complete) {
                    (Some(it), _) => Some(it).filter(|_| !sound),
                    (None, Some(it)) if !sound => Some(it).filter(|_| !own.is_complete),
                    _ => Some(darkplaces).filter(|_| own.is_complete),
                }
            }
            Question::Frame => plausible.or_else(furthest),
            Question::Items => plausible
                .filter(|_| fitting == 1)
                .or_else(|| plausible.or(complete).map(Context::for_this_block)),
            Question::Layout => {
                let sure = |it: Context| Context { layout: it.layout.surely(), ..it };
                plausible.map(|it| if fitting == 1 { sure(it) } else { it }).or_else(furthest)
            }
            // A wrong answer soon leads to a fault, so of two answers that fail the one that reads further is
            // right.
            Question::StaticSound => {
                let begun = trials.iter().any(|(it, _)| it.reached > 0);
                plausible.or(complete).or_else(|| furthest().filter(|_| begun))
            }
            Question::Weapon => plausible.or(complete),
        }
    }

    /// A copy that reads the rest under an answer.
    fn attempt(&self, context: Context) -> Self {
        let mut attempt = Self::new(self.rest, context);
        // The copy continues the same block.
        attempt.turn_to(context);
        attempt.trials_left = 0;
        attempt
    }

    /// Reads the rest under an answer and measures how well it fits.
    fn trial(&self, context: Context) -> Trial {
        let mut attempt = self.attempt(context);
        let mut trial = Trial { is_complete: false, plausible: true, reached: 0 };
        while let Some(entry) = attempt.next() {
            trial.plausible = trial.plausible && D::is_plausible(&entry.message);
            if trial.plausible {
                trial.reached = attempt.pos();
            }
        }
        trial.is_complete = attempt.fault.is_none();
        trial
    }
}

/// The result of reading the rest of a block under an answer.
#[derive(Clone, Copy, Debug)]
struct Trial {
    /// It was read to its end.
    is_complete: bool,
    /// Only messages that a server may have sent were read.
    plausible: bool,
    /// The offset up to which it is plausible.
    reached: usize,
}

impl<'a, D: Dialect> Iterator for Messages<'a, D> {
    type Item = Entry<D::Message<'a>>;

    // As a function that is not inlined, this writes the message directly into the caller's place. A message
    // built elsewhere and copied takes twice the time, because the processor cannot forward many small stores
    // to one large load.
    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let entry = match self.habit {
            Habit::Quake => self.read_fast(const { &Context::quake() }),
            Habit::Fitz => self.read_fast(const { &Context::fitz() }),
            Habit::Other => None,
        };
        if entry.is_some() { entry } else { self.read() }
    }
}
