//! The findings so far, each code once with its first pieces of evidence, so that the size does not grow with
//! the file.

use super::findings::{AuditCode, FindingSubject};
use moviola_analyse::AuditSeverity;
use moviola_analyse::PassPosition;
use moviola_analyse::digits::{self, ShortFloat};
use serde::{Serialize, Serializer, ser::SerializeMap};

/// A finding, which may have occurred several times.
///
/// ```
/// use moviola_audit::{AuditCode, AuditSeverity, audit};
/// // A block that tells the player that god mode is on, and then off.
/// let file = b"-1\n\x1b\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08godmode ON\n\0\x08godmode OFF\n\0";
/// let finding = &audit(&file[..]).unwrap().findings[0];
/// assert_eq!((finding.code, finding.severity, finding.count), (AuditCode::GodSaid, AuditSeverity::Strong, 2));
/// assert_eq!(finding.cannot_know, "whether it was of any use");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditFinding {
    /// The code of the finding.
    pub code: AuditCode,
    /// Whether the finding concerns the player or the file.
    pub about: FindingSubject,
    /// The weight of the finding in this recording, which may be lower than usual if the game is modified.
    pub severity: AuditSeverity,
    /// The finding as a short sentence.
    pub title: &'static str,
    /// The question that the finding cannot answer.
    pub cannot_know: &'static str,
    /// The number of occurrences.
    pub count: u64,
    /// The first occurrences, with their numbers.
    pub evidence: Vec<Proof>,
}

/// A place in the recording that proves a finding.
///
/// ```
/// use moviola_audit::audit;
/// let file = b"-1\n\x0d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08godmode ON\n\0";
/// let report = audit(&file[..]).unwrap();
/// let proof = &report.findings[0].evidence[0];
/// assert_eq!((proof.block, proof.description.as_str()), (0, "\"godmode ON\""));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proof {
    /// The block, counted from 0 as in the text.
    pub block: u64,
    /// The game's time in seconds.
    #[serde(serialize_with = "digits::some")]
    pub time: Option<f64>,
    /// The level, counted from 1.
    pub level: u32,
    /// A description of the proof in words.
    pub description: String,
    /// The numbers of the proof.
    pub numbers: FindingNumbers,
}

/// Named numbers.
///
/// ```
/// use moviola_audit::FindingNumbers;
/// let numbers = FindingNumbers(vec![("before", 25.0), ("after", 100.0)]);
/// assert_eq!(serde_json::to_string(&numbers).unwrap(), r#"{"before":25.0,"after":100.0}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FindingNumbers(pub Vec<(&'static str, f64)>);

impl Serialize for FindingNumbers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, &ShortFloat(*value))?;
        }
        map.end()
    }
}

impl Proof {
    /// A proof at the current place.
    pub(crate) fn new(here: &PassPosition, description: String, numbers: &[(&'static str, f64)]) -> Self {
        Self {
            block: here.block,
            time: here.time,
            level: here.level,
            description,
            numbers: FindingNumbers(numbers.to_vec()),
        }
    }
}

/// The greatest number of proofs in a finding.
const MAX_PROOFS: usize = 5;

/// All findings so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct FindingList(Vec<AuditFinding>);

impl FindingList {
    /// Adds a proof with the usual weight of its code.
    pub(crate) fn add(&mut self, code: AuditCode, proof: impl FnOnce() -> Proof) {
        self.weigh(code, code.severity(), proof);
    }

    /// Adds a proof with another weight than usual.
    pub(crate) fn weigh(&mut self, code: AuditCode, severity: AuditSeverity, proof: impl FnOnce() -> Proof) {
        let known = self.0.iter().position(|finding| finding.code == code);
        let place = known.unwrap_or_else(|| {
            self.0.push(AuditFinding {
                code,
                about: code.about(),
                severity,
                title: code.title(),
                cannot_know: code.limit(),
                count: 0,
                evidence: Vec::new(),
            });
            self.0.len().saturating_sub(1)
        });
        if let Some(finding) = self.0.get_mut(place) {
            finding.count = finding.count.saturating_add(1);
            finding.severity = finding.severity.max(severity);
            if finding.evidence.len() < MAX_PROOFS {
                finding.evidence.push(proof());
            }
        }
    }

    /// Adds proofs that were held back: their number, and the first ones.
    pub(crate) fn add_all(
        &mut self,
        code: AuditCode,
        severity: AuditSeverity,
        count: u64,
        proofs: Vec<Proof>,
    ) {
        let shown = proofs.len() as u64;
        for proof in proofs {
            self.weigh(code, severity, || proof);
        }
        if let Some(finding) = self.0.iter_mut().find(|finding| finding.code == code) {
            finding.count = finding.count.saturating_add(count.saturating_sub(shown));
        }
    }

    /// The findings, heaviest first; those of equal weight in the order of their first proof.
    pub(crate) fn findings(mut self, is_damaged: bool) -> Vec<AuditFinding> {
        if is_damaged {
            // Damage may look like any mark, but it does not make the game say anything.
            let in_doubt = self.0.iter_mut().filter(|it| !it.code.is_of_words());
            in_doubt.for_each(|it| it.severity = AuditSeverity::Note);
        }
        self.0.sort_by_key(|finding| {
            let first = finding.evidence.first().map_or(u64::MAX, |proof| proof.block);
            (std::cmp::Reverse(finding.severity), first, finding.code)
        });
        self.0
    }
}

/// The evidence for a finding that is not certain yet, by weight.
#[derive(Clone, Debug, Default)]
pub(crate) struct WeighedEvidence([PendingEvidence; 3]);

impl WeighedEvidence {
    pub(crate) fn add(&mut self, severity: AuditSeverity, proof: impl FnOnce() -> Proof) {
        let [note, suspicious, strong] = &mut self.0;
        match severity {
            AuditSeverity::Note => note,
            AuditSeverity::Suspicious => suspicious,
            AuditSeverity::Strong => strong,
        }
        .add(proof);
    }

    /// The number of proofs of any weight.
    pub(crate) fn count(&self) -> u64 {
        self.0.iter().fold(0, |sum, held| sum.saturating_add(held.count))
    }

    /// Moves the evidence to the book, with its greatest weight.
    pub(crate) fn enter(&mut self, book: &mut FindingList, code: AuditCode) {
        let [note, suspicious, strong] = &mut self.0;
        strong.enter(book, code, AuditSeverity::Strong);
        suspicious.enter(book, code, AuditSeverity::Suspicious);
        note.enter(book, code, AuditSeverity::Note);
    }
}

/// The evidence for a finding that is not certain yet: the number of places, and the first ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct PendingEvidence {
    pub(crate) count: u64,
    proofs: Vec<Proof>,
}

impl PendingEvidence {
    pub(crate) fn add(&mut self, proof: impl FnOnce() -> Proof) {
        self.count = self.count.saturating_add(1);
        if self.proofs.len() < MAX_PROOFS {
            self.proofs.push(proof());
        }
    }

    /// Drops the evidence.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.proofs.clear();
    }

    /// Moves the evidence out of `other` into this one.
    pub(crate) fn take(&mut self, other: &mut Self) {
        self.count = self.count.saturating_add(other.count);
        let room = MAX_PROOFS.saturating_sub(self.proofs.len());
        self.proofs.extend(other.proofs.drain(..).take(room));
        other.clear();
    }

    /// Moves the evidence to the book.
    pub(crate) fn enter(&mut self, book: &mut FindingList, code: AuditCode, severity: AuditSeverity) {
        if self.count > 0 {
            book.add_all(code, severity, self.count, std::mem::take(&mut self.proofs));
            self.count = 0;
        }
    }
}
