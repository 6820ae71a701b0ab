//! The messages of one block, one by one, with what was learnt from each for the next.
//!
//! Where the bytes leave a [`Question`] open, the rest of the block is read both ways and the way that
//! reaches its end is taken; the number of such trials in a block is bounded.

use crate::context::{Context, Game, Question};
use crate::table::{Message, write_message};
use crate::wire::{Fault, FaultKind, Reader};

/// A game's table, and what its messages do to the context.
pub trait Dialect {
    /// The table.
    type Message<'a>: Message<'a>;
    /// The game.
    const GAME: Game;
    /// Whether a message's id can carry the number of the one client that it was for (Relay).
    const UNICAST: bool = false;
    /// What a message changes about the reading of the next ones.
    fn observe(message: &Self::Message<'_>, context: &mut Context) {
        let _ = (message, context);
    }
    /// What the first bytes of a block say before a message can be read.
    fn announced(block: &[u8], context: &mut Context) {
        let _ = (block, context);
    }
    /// Whether every protocol, also one that is kept raw, sends messages of this id alike.
    fn is_plain(op: u8) -> bool {
        let _ = op;
        true
    }
}

/// A message where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<M> {
    /// Its offset in the block.
    pub at: usize,
    /// The one client that it was for (Relay).
    pub unicast: Option<u8>,
    /// The message.
    pub message: M,
}

/// The mark on an id that is followed by the number of the client that the message was for.
const UNICAST: u8 = 0x80;

impl<M> Entry<M> {
    /// Writes the message as it stood in its block.
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
    reader: Reader<'a>,
    fault: Option<Fault>,
    trials_left: u8,
    dialect: std::marker::PhantomData<D>,
}

/// How many open questions of one block are tried both ways.
const TRIALS: u8 = 8;

impl<'a, D: Dialect> Messages<'a, D> {
    /// The messages of `block`, read under `context`.
    pub fn new(block: &'a [u8], mut context: Context) -> Self {
        if context.protocol == 0 {
            D::announced(block, &mut context);
        }
        Self {
            reader: Reader::new(block, context),
            fault: None,
            trials_left: TRIALS,
            dialect: std::marker::PhantomData,
        }
    }

    /// The context behind the messages read so far: the next block's, when all were read.
    pub fn context(&self) -> &Context {
        self.reader.context()
    }

    /// Why reading stopped before the end of the block.
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// What was not read: after the last message, the raw remainder.
    pub fn rest(&self) -> &'a [u8] {
        self.reader.rest()
    }

    /// The offset behind the messages read so far.
    pub fn pos(&self) -> usize {
        self.reader.pos()
    }

    #[inline]
    fn read(&mut self) -> Result<(Option<u8>, D::Message<'a>), Fault> {
        let mut op = self.reader.byte()?;
        let mut unicast = None;
        if D::UNICAST && op & UNICAST != 0 {
            op &= !UNICAST;
            unicast = Some(self.reader.byte()?);
        }
        if self.reader.context().raw && (self.reader.context().foreign_ids() || !D::is_plain(op)) {
            return Err(self.reader.fault(FaultKind::RawProtocol(self.reader.context().protocol)));
        }
        self.reader.set_op(op);
        self.reader.set_flags(0);
        Ok((unicast, D::Message::build(op, &mut self.reader)?))
    }

    /// Deals with a message that could not be read; true is "read it again".
    #[cold]
    fn recover(&mut self, fault: Fault, at: usize) -> bool {
        self.reader.seek(at);
        match fault.kind {
            FaultKind::Undecided(question) if self.decide(question) => return true,
            FaultKind::RawProtocol(protocol) => {
                let context = self.reader.context_mut();
                context.protocol = protocol;
                context.raw = true;
            }
            _ => {}
        }
        self.fault = Some(fault);
        false
    }

    /// Takes the answer under which the rest of the block can be read to its end.
    fn decide(&mut self, question: Question) -> bool {
        let answers = self.reader.context().answers(question);
        let [first, _] = answers;
        let mut chosen = None;
        if self.trials_left > 0 {
            self.trials_left -= 1;
            chosen = answers.into_iter().find(|answer| self.reads_to_the_end(*answer));
        }
        // A player's state is worth keeping whatever follows it; a guess about lengths is not.
        let fallback = matches!(question, Question::Items | Question::Weapon).then_some(first);
        let Some(context) = chosen.or(fallback) else { return false };
        *self.reader.context_mut() = context;
        true
    }

    fn reads_to_the_end(&self, context: Context) -> bool {
        let mut attempt = Self::new(self.reader.rest(), context);
        attempt.trials_left = 0;
        attempt.by_ref().for_each(drop);
        attempt.fault.is_none()
    }
}

impl<'a, D: Dialect> Iterator for Messages<'a, D> {
    type Item = Entry<D::Message<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.reader.is_empty() || self.fault.is_some() {
            return None;
        }
        let at = self.reader.pos();
        loop {
            match self.read() {
                Ok((unicast, message)) => {
                    D::observe(&message, self.reader.context_mut());
                    return Some(Entry { at, unicast, message });
                }
                Err(fault) => {
                    if !self.recover(fault, at) {
                        return None;
                    }
                }
            }
        }
    }
}
