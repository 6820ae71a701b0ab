//! Formats a text of a recording of input: in the layout of `decompile`, with the writer's own comments.

use crate::compile::{Section, pair, without_comment};
use crate::header::{Header, Line};
use crate::print::key_width;
use crate::record::{RecordForm, RecordText, SHORT};
use std::io::{self, BufRead, BufReader, Read, Write};

/// Formats a text that compiles; lines that are not part of the language stay unchanged.
///
/// ```
/// let text = b"headerstart\ngame: HERETIC\nskill:4\nepisode:1\nmap:2\nheaderend\ndatastart\nfw gf50#go\ndataend\n";
/// let mut tidy = Vec::new();
/// moviola_input::format(&text[..], &mut tidy).unwrap();
/// let tidy = String::from_utf8(tidy).unwrap();
/// assert!(tidy.starts_with("HeaderStart\n Game:         HERETIC\n") && tidy.contains("GF50 FW                 # go\n"));
/// ```
pub fn format<R: Read, W: Write>(text: R, mut out: W) -> io::Result<()> {
    let mut text = BufReader::new(text);
    let (mut part, mut record, mut lines): (Section, RecordForm, Vec<Line>) =
        (Section::Before, SHORT, Vec::new());
    let (mut whole, mut words) = (Vec::new(), RecordText::default());
    let (mut paused, mut wide, mut keys) = (false, 24, key_width(false));
    while {
        whole.clear();
        text.by_ref().take(1 << 20).read_until(b'\n', &mut whole)? > 0
    } {
        let line = without_comment(&whole);
        let rest = whole.get(
            whole.windows(line.len().max(1)).position(|it| it == line).unwrap_or_default() + line.len()..,
        );
        let comment = rest.unwrap_or_default().trim_ascii();
        let comment = comment.strip_prefix(b"#").unwrap_or_default().trim_ascii();
        let mut tidy = Vec::new();
        let is_opening = part.open(line).is_some();
        if let Some((next, _)) = part.open(line) {
            tidy = opening(next, part).into();
            if next == Section::Between {
                record = Header::parse(&lines).map_or(SHORT, |header| header.record());
                wide = if record.keys { 40 } else { 24 };
            }
            part = next;
        } else if let (Section::Header | Section::Footer, Some((key, value))) = (part, pair(line)) {
            let name = crate::form::FORMS.iter().flat_map(|form| form.fields).map(|field| field.key);
            let known = name.chain([
                "Game",
                "Version",
                "Wrapper",
                "Count",
                "EndMark",
                "EndOffset",
                "Bytes",
                "Format",
            ]);
            // A lump of a footer may have the name of a header's field; capitals are part of a lump's name.
            let is_lump = part == Section::Footer && crate::footer::is_name(&key);
            let known = known.into_iter().find(|it| !is_lump && it.eq_ignore_ascii_case(&key));
            let key = known.map_or(key, str::to_owned);
            if key == "Game" {
                keys = key_width(
                    crate::form::FORMS.iter().any(|form| form.is_named(&value) && form.is_packed()),
                );
            }
            tidy = if part == Section::Header {
                format!(" {:<keys$} {value}", key.clone() + ":")
            } else {
                format!(" {key}: {value}")
            }
            .into();
            lines.push((key, value, String::new()));
        } else if part == Section::Data && !line.is_empty() && pair(line).is_none() {
            let parts = || line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            tidy = line.to_vec();
            if let Ok(packed) = record.parse(parts().filter(|word| !word.starts_with(b"*"))) {
                record.print(packed.bytes(), paused, &mut words);
                paused ^= record.is_pause(packed.bytes());
                tidy = words.bytes().to_vec();
                for times in parts().filter(|word| word.starts_with(b"*")) {
                    tidy.push(b' ');
                    tidy.extend_from_slice(times);
                }
            }
        } else {
            tidy.extend_from_slice(line);
        }
        if !comment.is_empty() || rest.is_some_and(|it| it.trim_ascii().starts_with(b"#")) {
            if !tidy.is_empty() {
                let least = match part {
                    Section::Data => wide,
                    // The column after the key and a value of eight letters.
                    Section::Header if !is_opening => keys + 11,
                    _ => 0,
                };
                tidy.resize(least.max(tidy.len() + 1), b' ');
            }
            tidy.push(b'#');
            if !comment.is_empty() {
                tidy.push(b' ');
                // LMPC aligns the numbers in its comments, so leading blanks stay.
                tidy.extend_from_slice(if comment.starts_with(b"#") {
                    comment
                } else {
                    spaced(&whole, comment)
                });
            }
        }
        tidy.push(b'\n');
        out.write_all(&tidy)?;
    }
    out.flush()
}

/// The comment with its leading blanks, except for the first.
fn spaced<'l>(whole: &'l [u8], comment: &'l [u8]) -> &'l [u8] {
    let end = whole.trim_ascii_end().len();
    let start = whole
        .iter()
        .take(end - comment.len())
        .rposition(|byte| *byte == b'#')
        .map_or(end - comment.len(), |at| at + 1);
    let rest = whole.get(start..end).unwrap_or(comment);
    rest.strip_prefix(b" ").unwrap_or(rest)
}

fn opening(next: Section, before: Section) -> &'static str {
    match (next, before) {
        (Section::Header, _) => "HeaderStart",
        (Section::Between, _) => "HeaderEnd",
        (Section::Data, _) => "DataStart",
        (Section::Footer, _) => "FooterStart",
        (_, Section::Footer) => "FooterEnd",
        _ => "DataEnd",
    }
}
