//! Puts the comments inside of a statement at their places in the statement's canonical form.
//!
//! Each comment has an anchor: the field or brace beside it. One on a line of its own goes before its anchor,
//! one at the end of a line after it. If a field contains several, only the last can be at the line's end.

use super::Trivia;
use crate::scan::{Origin, Scanner, Span, is_word};
use std::collections::{HashMap, HashSet};

/// Appends the printed lines of a statement with the comments of its source.
pub(super) fn merge(source: &[u8], lines: &[u8], out: &mut Vec<u8>) {
    if !source.windows(2).any(|pair| pair == b"//") {
        return out.extend_from_slice(lines);
    }
    let lines = printed(lines);
    let mut notes = handed_on(anchors(source), &lines);
    for line in &lines {
        let indent =
            line.text.iter().take_while(|byte| **byte == b' ').count() + usize::from(line.key.closes);
        let note = notes.remove(&line.key).unwrap_or_default();
        let (before, last) = match note.comments.split_last() {
            Some((last, before)) if note.trails => (before, Some(last)),
            _ => (&note.comments[..], None),
        };
        for comment in before {
            own_line(indent, comment, out);
        }
        out.extend_from_slice(line.text.trim_ascii_end());
        if let Some(last) = last {
            out.push(b' ');
            out.extend_from_slice(last);
        }
        out.push(b'\n');
    }
}

/// Appends a comment as a line of its own.
pub(super) fn own_line(indent: usize, comment: &[u8], out: &mut Vec<u8>) {
    // A comment with a file offset is indented by one more blank, as `decompile` prints it.
    let more = usize::from(indent == 1 && is_offset(comment));
    out.resize(out.len() + indent + more, b' ');
    out.extend_from_slice(comment);
    out.push(b'\n');
}

/// Whether a comment is one of those with a message's offset in the file.
fn is_offset(comment: &[u8]) -> bool {
    let digits = comment.strip_prefix(b"// 0x").unwrap_or_default();
    digits.len() >= 8 && digits.iter().all(u8::is_ascii_hexdigit)
}

/// A field, message or brace: its keyword, and the number of earlier ones of that name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Key<'t> {
    word: &'t [u8],
    nth: usize,
    /// Whether it is the closing brace.
    closes: bool,
}

/// Gives every keyword of a statement its key.
#[derive(Default)]
struct Keys<'t> {
    seen: HashMap<&'t [u8], usize>,
    open: Vec<Key<'t>>,
    last: Key<'t>,
}

impl<'t> Keys<'t> {
    fn next(&mut self, word: &'t [u8]) -> Key<'t> {
        let nth = self.seen.entry(word).or_default();
        self.last = Key { word, nth: *nth, closes: false };
        *nth += 1;
        self.last
    }

    fn open(&mut self) {
        self.open.push(self.last);
    }

    fn close(&mut self) -> Key<'t> {
        Key { closes: true, ..self.open.pop().unwrap_or_default() }
    }
}

/// The comments of an anchor, in order.
#[derive(Debug, Default)]
struct Note<'t> {
    comments: Vec<&'t [u8]>,
    /// Whether the last comment is at the end of a line.
    trails: bool,
}

/// Finds the anchors and comments of a statement.
fn anchors(source: &[u8]) -> Vec<(Key<'_>, Note<'_>)> {
    let mut scan = Scanner::new(source, Origin::START, true);
    let mut keys = Keys::default();
    let mut anchors: Vec<(Key<'_>, Note<'_>)> = Vec::new();
    let mut waiting: Vec<&[u8]> = Vec::new();
    // Whether a field is at its end.
    let mut fresh = true;
    loop {
        let start = scan.pos;
        scan.skip();
        let mut own_line = false;
        for piece in Trivia::of(scan.slice(Span { offset: start, len: scan.pos - start })) {
            match (piece, anchors.last_mut()) {
                (Trivia::Newline, _) => own_line = true,
                (Trivia::Comment(text), Some((_, note))) if !fresh || !own_line => {
                    note.comments.push(text);
                    note.trails = true;
                }
                (Trivia::Comment(text), _) => waiting.push(text),
            }
        }
        let token = scan.token();
        let word = scan.slice(token);
        let key = match word.first() {
            None => break,
            Some(b'}') => Some(keys.close()),
            Some(b';' | b'{') => None,
            Some(_) if fresh => Some(keys.next(word)),
            Some(_) => None,
        };
        if word == b"{" {
            keys.open();
        }
        if let Some(key) = key {
            anchors.push((key, Note { comments: std::mem::take(&mut waiting), trails: false }));
            fresh = false;
        }
        fresh |= matches!(word, b";" | b"{" | b"}");
        scan.pos += token.len.max(1);
    }
    anchors
}

/// A printed line; a list over several lines counts as one.
struct Line<'t> {
    text: &'t [u8],
    key: Key<'t>,
}

fn printed(mut lines: &[u8]) -> Vec<Line<'_>> {
    let mut keys = Keys::default();
    let mut lines_found = Vec::new();
    while !lines.is_empty() {
        let ends = |pair: &[u8]| matches!(pair, [b';' | b'{' | b'}', b'\n']);
        let len = lines.windows(2).position(ends).map_or(lines.len(), |at| at + 2);
        let (text, rest) = lines.split_at_checked(len).unwrap_or((lines, &[]));
        lines = rest;
        let words = text.trim_ascii();
        let len = words.iter().position(|byte| !is_word(*byte)).unwrap_or(words.len());
        let key = if words == b"}" { keys.close() } else { keys.next(words.get(..len).unwrap_or_default()) };
        if words.ends_with(b"{") {
            keys.open();
        }
        lines_found.push(Line { text, key });
    }
    lines_found
}

/// The comments by printed anchors; those of other anchors go to the next printed one.
fn handed_on<'t>(anchors: Vec<(Key<'t>, Note<'t>)>, lines: &[Line<'t>]) -> HashMap<Key<'t>, Note<'t>> {
    let known: HashSet<Key<'_>> = lines.iter().map(|line| line.key).collect();
    let mut notes: HashMap<Key<'t>, Note<'t>> = HashMap::new();
    let mut carried: Vec<&[u8]> = Vec::new();
    for (key, mut note) in anchors {
        if known.contains(&key) {
            carried.append(&mut note.comments);
            note.comments = std::mem::take(&mut carried);
            notes.insert(key, note);
        } else {
            carried.append(&mut note.comments);
        }
    }
    if let Some(last) = lines.last().filter(|_| !carried.is_empty()) {
        let note = notes.entry(last.key).or_default();
        note.comments.append(&mut carried);
        note.trails = true;
    }
    notes
}
