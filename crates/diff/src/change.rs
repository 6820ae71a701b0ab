//! The data of a comparison.

use serde::Serialize;

/// A place in a recording.
///
/// ```
/// let (a, b) = (b"\x02\0\0\0\x06\x07\xff\xff\xff\xff", b"\x02\0\0\0\x06\x08\xff\xff\xff\xff");
/// let mut seen = Vec::new();
/// moviola_diff::diff(|| Ok(&a[..]), || Ok(&b[..]), &mut |change| { seen.push(change); Ok(()) }).unwrap();
/// assert_eq!((seen[0].a.unwrap().block, seen[0].a.unwrap().bytes), (Some(0), 6));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PiecePlace {
    /// The block, counted from 0; `None` for a piece that is not a block.
    pub block: Option<u64>,
    /// The offset in the file.
    pub offset: u64,
    /// How many bytes it has, with its head.
    pub bytes: u64,
    /// The game's time in seconds: of the level's clock in Quake, of the frame's number in Quake II.
    pub time: Option<f64>,
}

/// The kind of a difference between messages.
///
/// ```
/// use moviola_diff::ChangeKind;
/// let (a, b) = (b"\x02\0\0\0\x06\x07\xff\xff\xff\xff", b"\x02\0\0\0\x06\x08\xff\xff\xff\xff");
/// let mut seen = Vec::new();
/// moviola_diff::diff(|| Ok(&a[..]), || Ok(&b[..]), &mut |change| { seen.push(change); Ok(()) }).unwrap();
/// let how: Vec<ChangeKind> = seen[0].messages.iter().map(|it| it.how).collect();
/// assert_eq!(how, [ChangeKind::Removed, ChangeKind::Added]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// In both, with different values.
    Changed,
    /// Only the first has it.
    Removed,
    /// Only the second has it.
    Added,
}

/// A field with two values.
///
/// ```
/// use moviola_diff::FieldChange;
/// let change = FieldChange { name: "health".into(), old: Some("100".into()), new: Some("75".into()) };
/// assert_ne!(change.old, change.new);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    /// Its name, as in the text.
    pub name: String,
    /// Its value in the first recording, as in the text; `None` if the first recording does not have it.
    pub old: Option<String>,
    /// Its value in the second recording.
    pub new: Option<String>,
}

/// A message that differs between the recordings.
///
/// ```
/// let (a, b) = (b"\x02\0\0\0\x06\x07\xff\xff\xff\xff", b"\x02\0\0\0\x06\x08\xff\xff\xff\xff");
/// let mut seen = Vec::new();
/// moviola_diff::diff(|| Ok(&a[..]), || Ok(&b[..]), &mut |change| { seen.push(change); Ok(()) }).unwrap();
/// let names: Vec<&str> = seen[0].messages.iter().map(|it| it.message.as_str()).collect();
/// assert_eq!(names, ["disconnect", "reconnect"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MessageChange {
    /// The kind of the difference.
    pub how: ChangeKind,
    /// Its keyword.
    pub message: String,
    /// The fields that changed; all of them if only one recording has the message.
    pub fields: Vec<FieldChange>,
}

/// A piece that differs between the recordings.
///
/// ```
/// let (a, b) = (b"\x02\0\0\0\x06\x07\xff\xff\xff\xff", b"\x02\0\0\0\x06\x08\xff\xff\xff\xff");
/// let mut seen = Vec::new();
/// moviola_diff::diff(|| Ok(&a[..]), || Ok(&b[..]), &mut |change| { seen.push(change); Ok(()) }).unwrap();
/// assert_eq!((seen.len(), seen[0].piece, seen[0].messages.len()), (1, "block", 2));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The kind of piece: `block`, `header`, `end`, `raw`.
    pub piece: &'static str,
    /// Its place in the first recording; `None` if the first recording does not have it.
    pub a: Option<PiecePlace>,
    /// Its place in the second recording.
    pub b: Option<PiecePlace>,
    /// The differences in its head, or in bytes that are not a message.
    pub fields: Vec<FieldChange>,
    /// The messages that differ.
    pub messages: Vec<MessageChange>,
}

impl Change {
    /// Whether the messages have the same meaning and differ only in their bytes, for example because of another
    /// protocol.
    ///
    /// ```
    /// let change = moviola_diff::Change { piece: "block", a: None, b: None, fields: vec![], messages: vec![] };
    /// assert!(!change.is_in_bytes_only());
    /// ```
    pub fn is_in_bytes_only(&self) -> bool {
        self.a.is_some() && self.b.is_some() && self.fields.is_empty() && self.messages.is_empty()
    }
}

/// Counts of the equal and the different pieces.
///
/// ```
/// let (a, b) = (b"\x01\0\0\0\x06\xff\xff\xff\xff", b"\xff\xff\xff\xff");
/// let totals = moviola_diff::diff(|| Ok(&a[..]), || Ok(&b[..]), &mut |_| Ok(())).unwrap();
/// assert_eq!((totals.removed, totals.added), (1, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DiffTotals {
    /// Blocks that are equal in both.
    pub same: u64,
    /// Blocks and other pieces that are in both, with differences.
    pub changed: u64,
    /// The number of these that differ only in their bytes.
    pub in_bytes_only: u64,
    /// Blocks and other pieces that only the first recording has.
    pub removed: u64,
    /// Blocks and other pieces that only the second recording has.
    pub added: u64,
}

impl DiffTotals {
    /// Whether nothing differs.
    ///
    /// ```
    /// assert!(moviola_diff::DiffTotals { same: 3, ..Default::default() }.is_same());
    /// ```
    pub fn is_same(&self) -> bool {
        self.changed == 0 && self.removed == 0 && self.added == 0
    }
}
