//! Did the player cheat, was the file edited? Findings with their evidence and their limits.
//!
//! The audit of the player watches the game's state and momentary messages, and checks of other messages only whether
//! they occur. The forensics of the file examine all messages. The first rule is that no honest player is accused: a
//! finding that can have an honest cause in the recorded game weighs less, or is not reported at all.

#![forbid(unsafe_code)]

mod book;
mod findings;
mod forensics;
mod pace;
mod quake;
mod quake2;
mod quakeworld;
mod rules;
mod words;

pub use book::{AuditFinding, FindingNumbers, Proof};
pub use findings::{AuditCode, FindingSubject};
pub use moviola_analyse::AuditSeverity;
pub use rules::GameCode;

use book::FindingList;

use forensics::Forensics;
use moviola_analyse::{PassPosition, Reporter, Watch, watch};
use moviola_format::{Game, Piece};
use serde::Serialize;
use std::io::{self, Read};

/// The result of the audit of a recording.
///
/// ```
/// use moviola_audit::{AuditSeverity, audit};
/// let file = b"-1\n\x0d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08godmode ON\n\0";
/// let report = audit(&file[..]).unwrap();
/// assert_eq!((report.game, report.cheating, report.editing), (Some("quake"), Some(AuditSeverity::Strong), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AuditReport {
    /// The game, "quake" or "quake2"; `None` if the file is not a recording.
    pub game: Option<&'static str>,
    /// Whether there was anything to judge. If not, the absence of findings means nothing.
    pub audited: bool,
    /// The weight of the heaviest finding about the player; `None` without one.
    pub cheating: Option<AuditSeverity>,
    /// The weight of the heaviest finding about the file; `None` without one.
    pub editing: Option<AuditSeverity>,
    /// The findings, heaviest first.
    pub findings: Vec<AuditFinding>,
    /// The amount of material that was judged.
    pub looked: Coverage,
}

/// The amount of material that was judged. If it is small, the absence of findings means little.
///
/// ```
/// use moviola_audit::audit;
/// // A recording without a block: nothing was found, and there was nothing to judge.
/// let report = audit(&b"-1\n"[..]).unwrap();
/// assert!(report.is_clean());
/// assert_eq!((report.looked.frames, report.looked.blows, report.looked.shots), (0, 0, 0));
/// assert!(!report.audited);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The number of blocks from the server.
    pub blocks: u64,
    /// The number of these blocks that could not be read to their end; the rest of them was not judged.
    pub unread: u64,
    /// Whether such a block has blocks after it, so that the state after it is in doubt. At the end it is where a recording
    /// was cut off.
    #[serde(skip)]
    pub is_damaged: bool,
    /// The number of frames.
    pub frames: u64,
    /// The number of blows that the recorder took while alive.
    pub blows: u64,
    /// The number of the recorder's shots with another player in sight.
    pub shots: u64,
    /// Whether it is a server's or a Relay recording of Quake II: of its players only the models were judged.
    pub models_only: bool,
    /// The number of levels in which only texts were judged, since a network brought their frames in any
    /// order.
    pub lossy_levels: u64,
    /// The origin of the game code: the rules of a modified game are not known.
    pub game_code: GameCode,
}

impl Coverage {
    fn block(&mut self, here: &PassPosition) {
        if !here.from_client {
            self.is_damaged |= self.unread > 0;
            self.blocks = self.blocks.saturating_add(1);
            self.unread = self.unread.saturating_add(u64::from(here.fault.is_some()));
        }
    }
}

impl AuditReport {
    /// Whether no finding weighs more than a note.
    pub fn is_clean(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity == AuditSeverity::Note)
    }

    fn of(book: FindingList, game: Option<Game>, looked: Coverage) -> Self {
        let findings = book.findings(looked.is_damaged);
        let most = |about| {
            let of = findings.iter().filter(|it| it.about == about && it.severity > AuditSeverity::Note);
            of.map(|it| it.severity).max()
        };
        let game = game.map(|game| match game {
            Game::Quake => "quake",
            Game::Quake2 => "quake2",
            Game::QuakeWorld => "quakeworld",
        });
        let (cheating, editing) = (most(FindingSubject::Player), most(FindingSubject::File));
        Self { game, audited: looked.frames > 0, cheating, editing, findings, looked }
    }
}

/// Audits a recording.
///
/// ```
/// use moviola_audit::{AuditCode, audit};
/// // A block that tells the player of god mode.
/// let file = b"-1\n\x0d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08godmode ON\n\0";
/// let report = audit(&file[..]).unwrap();
/// assert_eq!(report.findings[0].code, AuditCode::GodSaid);
/// assert!(!report.is_clean());
/// ```
pub fn audit(source: impl Read) -> io::Result<AuditReport> {
    let mut audit = Audit::default();
    watch(source, &mut [&mut audit])?;
    Ok(audit.report())
}

/// Reads a recording once for both the report and the audit; the report contains the audit's verdict.
///
/// ```
/// use moviola_audit::{AuditSeverity, audited_report};
/// let file = b"-1\n\x0d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08godmode ON\n\0";
/// let report = audited_report(&file[..]).unwrap();
/// assert_eq!((report.blocks, report.cheating), (1, Some(AuditSeverity::Strong)));
/// ```
pub fn audited_report(source: impl Read) -> io::Result<moviola_analyse::Report> {
    let mut audit = Audit { reporter: Some(Reporter::new()), ..Audit::default() };
    watch(source, &mut [&mut audit])?;
    let (AuditReport { audited, cheating, editing, .. }, report) = audit.finish_both();
    Ok(moviola_analyse::Report { audited, cheating, editing, ..report })
}

/// The audit as a watcher, for programs that run several watchers in one pass.
///
/// ```
/// use moviola_analyse::{Reporter, watch};
/// use moviola_audit::Audit;
/// let (mut audit, mut reporter) = (Audit::default(), Reporter::new());
/// watch(&b"-1\n"[..], &mut [&mut audit, &mut reporter]).unwrap();
/// assert!(audit.report().is_clean());
/// ```
#[derive(Debug, Default)]
pub struct Audit {
    game: Option<Game>,
    book: FindingList,
    quake: quake::QuakeAudit,
    quake2: quake2::Quake2Audit,
    quakeworld: quakeworld::Forensics,
    forensics: Forensics,
    looked: Coverage,
    /// The report on the game, where it is wanted; `QuakeWorld`'s statistics are compared with it.
    reporter: Option<Reporter>,
}

impl Audit {
    /// The result; call it after the end of the recording.
    pub fn report(self) -> AuditReport {
        self.finish_both().0
    }

    fn finish_both(mut self) -> (AuditReport, moviola_analyse::Report) {
        let report = self.reporter.map(Reporter::report).unwrap_or_default();
        quakeworld::statistics(&report, &mut self.book);
        (AuditReport::of(self.book, self.game, self.looked), report)
    }
}

impl Watch for Audit {
    fn begin(&mut self, format: moviola_format::Format) {
        self.game = format.game();
        if self.game == Some(Game::QuakeWorld) {
            self.reporter.get_or_insert_default();
        }
        if let Some(reporter) = &mut self.reporter {
            reporter.begin(format);
        }
    }

    fn wants_messages(&self) -> bool {
        true
    }

    fn file_piece(&mut self, piece: &Piece<'_>, here: &PassPosition) {
        if let Some(reporter) = &mut self.reporter {
            reporter.file_piece(piece, here);
        }
        if let Piece::Block(block) = piece
            && block.is_from_client()
            && let Some(text) = words::sent(block.data)
            && let Some(weight) = self.quake.weigh_command(text)
        {
            self.book.weigh(AuditCode::CheatCommand, weight, || quake::text_proof(here, text));
        }
        if let (Piece::Block(block), Some(Game::QuakeWorld)) = (piece, self.game) {
            self.quakeworld.block(block, here, &mut self.book, &mut self.looked);
        }
        self.forensics.piece(piece, here);
    }

    fn quakeworld_message(
        &mut self,
        entry: &moviola_format::Entry<moviola_format::qw::Message<'_>>,
        here: &PassPosition,
    ) {
        self.quakeworld.message(entry, here, &mut self.book);
    }

    fn quake_message(
        &mut self,
        entry: &moviola_format::Entry<moviola_format::dem::Message<'_>>,
        here: &PassPosition,
    ) {
        self.quake.message(&entry.message);
        self.forensics.quake_message(entry, here, &mut self.book);
    }

    fn quake2_message(
        &mut self,
        entry: &moviola_format::Entry<moviola_format::dm2::Message<'_>>,
        here: &PassPosition,
    ) {
        self.forensics.quake2_message(entry, here, &mut self.book);
    }

    fn quake(&mut self, world: &moviola_state::quake::World, here: &PassPosition) {
        if let Some(reporter) = &mut self.reporter {
            reporter.quake(world, here);
        }
        self.looked.block(here);
        self.quake.look(world, here, &mut self.book, &mut self.looked);
        // For protocols with lists of entities it is not known in which order servers send their messages.
        if !world.level.lists_entities {
            self.forensics.quake(world, here, &mut self.book);
        }
    }

    fn quake2(&mut self, world: &moviola_state::quake2::World, here: &PassPosition) {
        if let Some(reporter) = &mut self.reporter {
            reporter.quake2(world, here);
        }
        self.looked.block(here);
        self.quake2.examine(world, here, &mut self.book, &mut self.looked);
        self.forensics.quake2(world, here, &mut self.book);
    }

    fn quakeworld(&mut self, world: &moviola_state::quakeworld::World, here: &PassPosition) {
        self.looked.block(here);
        if let Some(reporter) = &mut self.reporter {
            reporter.quakeworld(world, here);
        }
    }

    fn leave_quake(&mut self, world: &moviola_state::quake::World, here: &PassPosition) {
        if let Some(reporter) = &mut self.reporter {
            reporter.leave_quake(world, here);
        }
    }

    fn leave_quake2(&mut self, world: &moviola_state::quake2::World, here: &PassPosition) {
        if let Some(reporter) = &mut self.reporter {
            reporter.leave_quake2(world, here);
        }
    }

    fn leave_quakeworld(&mut self, world: &moviola_state::quakeworld::World, here: &PassPosition) {
        if let Some(reporter) = &mut self.reporter {
            reporter.leave_quakeworld(world, here);
        }
    }

    fn end(&mut self, here: &PassPosition) {
        if let Some(reporter) = &mut self.reporter {
            reporter.end(here);
        }
        match self.game {
            Some(Game::Quake2) => self.quake2.end(&mut self.book),
            _ => self.quake.end(&mut self.book, &mut self.looked),
        }
        self.forensics.end(&mut self.book);
    }
}
