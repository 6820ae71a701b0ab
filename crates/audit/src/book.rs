//! What was found so far: each code once, with its first pieces of evidence. It does not grow with the file.

use super::findings::{About, Code};
use moviola_analyse::Here;
use moviola_analyse::Severity;
use moviola_analyse::digits::{self, Short};
use serde::{Serialize, Serializer, ser::SerializeMap};

/// Something that was found, once or often.
///
/// ```
/// use moviola_audit::{Code, Severity, audit};
/// // A block that tells the player that god mode is on, and then off.
/// let file = b"-1\n\x1b\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08godmode ON\n\0\x08godmode OFF\n\0";
/// let finding = &audit(&file[..]).unwrap().findings[0];
/// assert_eq!((finding.code, finding.severity, finding.count), (Code::GodSaid, Severity::Strong, 2));
/// assert_eq!(finding.cannot_know, "whether it was of any use");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// What.
    pub code: Code,
    /// Whether it is about the player or about the file.
    pub about: About,
    /// How much it weighs here: less than usual where the game is modified.
    pub severity: Severity,
    /// What, in a line.
    pub title: &'static str,
    /// What it cannot know.
    pub cannot_know: &'static str,
    /// How often.
    pub count: u64,
    /// The first places, with their numbers.
    pub evidence: Vec<Proof>,
}

/// A place in the recording that shows what was found.
///
/// ```
/// use moviola_audit::audit;
/// let file = b"-1\n\x0d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08godmode ON\n\0";
/// let report = audit(&file[..]).unwrap();
/// let proof = &report.findings[0].evidence[0];
/// assert_eq!((proof.block, proof.says.as_str()), (0, "\"godmode ON\""));
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
    /// What is to be seen there.
    pub says: String,
    /// The numbers.
    pub numbers: Numbers,
}

/// Numbers by their names.
///
/// ```
/// use moviola_audit::Numbers;
/// let numbers = Numbers(vec![("before", 25.0), ("after", 100.0)]);
/// assert_eq!(serde_json::to_string(&numbers).unwrap(), r#"{"before":25.0,"after":100.0}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers(pub Vec<(&'static str, f64)>);

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, &Short(*value))?;
        }
        map.end()
    }
}

impl Proof {
    /// What is to be seen at a place.
    pub(crate) fn new(here: &Here, says: String, numbers: &[(&'static str, f64)]) -> Self {
        Self {
            block: here.block,
            time: here.time,
            level: here.level,
            says,
            numbers: Numbers(numbers.to_vec()),
        }
    }
}

/// How many places a finding names.
const PROOFS: usize = 5;

/// All findings so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Book(Vec<Finding>);

impl Book {
    /// Writes something down with the weight of the table.
    pub(crate) fn add(&mut self, code: Code, proof: impl FnOnce() -> Proof) {
        self.weigh(code, code.severity(), proof);
    }

    /// Writes something down with a weight of its own.
    pub(crate) fn weigh(&mut self, code: Code, severity: Severity, proof: impl FnOnce() -> Proof) {
        let known = self.0.iter().position(|finding| finding.code == code);
        let place = known.unwrap_or_else(|| {
            self.0.push(Finding {
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
            if finding.evidence.len() < PROOFS {
                finding.evidence.push(proof());
            }
        }
    }

    /// Takes in what was held back: so many, of which these are the first.
    pub(crate) fn add_all(&mut self, code: Code, severity: Severity, count: u64, proofs: Vec<Proof>) {
        let shown = proofs.len() as u64;
        for proof in proofs {
            self.weigh(code, severity, || proof);
        }
        if let Some(finding) = self.0.iter_mut().find(|finding| finding.code == code) {
            finding.count = finding.count.saturating_add(count.saturating_sub(shown));
        }
    }

    /// The findings: what weighs most comes first, then what came first.
    pub(crate) fn findings(mut self) -> Vec<Finding> {
        self.0.sort_by_key(|finding| {
            let first = finding.evidence.first().map_or(u64::MAX, |proof| proof.block);
            (std::cmp::Reverse(finding.severity), first, finding.code)
        });
        self.0
    }
}

/// Evidence of one finding that waits, apart by its weight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graded([Held; 3]);

impl Graded {
    pub(crate) fn add(&mut self, severity: Severity, proof: impl FnOnce() -> Proof) {
        let [note, suspicious, strong] = &mut self.0;
        match severity {
            Severity::Note => note,
            Severity::Suspicious => suspicious,
            Severity::Strong => strong,
        }
        .add(proof);
    }

    /// How many pieces of evidence there are, of any weight.
    pub(crate) fn count(&self) -> u64 {
        self.0.iter().fold(0, |sum, held| sum.saturating_add(held.count))
    }

    /// Hands it over to the book, in which the greatest weight counts.
    pub(crate) fn enter(&mut self, book: &mut Book, code: Code) {
        let [note, suspicious, strong] = &mut self.0;
        strong.enter(book, code, Severity::Strong);
        suspicious.enter(book, code, Severity::Suspicious);
        note.enter(book, code, Severity::Note);
    }
}

/// Evidence that waits for a verdict: a number of places, of which the first are kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held {
    pub(crate) count: u64,
    proofs: Vec<Proof>,
}

impl Held {
    pub(crate) fn add(&mut self, proof: impl FnOnce() -> Proof) {
        self.count = self.count.saturating_add(1);
        if self.proofs.len() < PROOFS {
            self.proofs.push(proof());
        }
    }

    /// Forgets it.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.proofs.clear();
    }

    /// Takes over what another one holds.
    pub(crate) fn take(&mut self, other: &mut Self) {
        self.count = self.count.saturating_add(other.count);
        let room = PROOFS.saturating_sub(self.proofs.len());
        self.proofs.extend(other.proofs.drain(..).take(room));
        other.clear();
    }

    /// Hands it over to the book.
    pub(crate) fn enter(&mut self, book: &mut Book, code: Code, severity: Severity) {
        if self.count > 0 {
            book.add_all(code, severity, self.count, std::mem::take(&mut self.proofs));
            self.count = 0;
        }
    }
}
