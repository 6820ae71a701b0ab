//! Explains the words of input recordings from the tables of this crate: games, versions, keys of headers, texts of
//! footers, words of tics, engines. A few terms are in no table.
// not from SCHEMA, all words: terms of players

use crate::footer::LUMPS;
use crate::form::{FORMS, HeaderForm, KEYS, VERSIONS};
use crate::record::{RecordForm, SHORT};
use crate::verdicts::engines;
use std::fmt::Write;

/// Terms that are explained although they are not words of a text.
const TERMS: &[(&str, &str)] = &[
    (
        "tic",
        "a step of the game: 35 a second in DOOM and its kin, 30 in Duke Nukem 3D. A recording has the input of each \
             player in each tic",
    ),
    (
        "footer",
        "the data that ports write after the byte that ends a recording: a small WAD file with the port, its command line \
                and more. Engines ignore it",
    ),
    (
        "complevel",
        "the compatibility level: which engine's behavior a port copies. The version in the header decides, or \
                   `-complevel` on the command line in the footer. Version 1.9 is 2 for DOOM II, 3 for Ultimate DOOM, 4 for \
                   Final DOOM",
    ),
    (
        "longtics",
        "turns in 16 bits in place of 8, as version 111 and the later ports have them; Heretic and Hexen by a \
                  flag in the first player's byte",
    ),
    (
        "SR40",
        "running forward or backward at 50 and sideways at 40, as with one strafe key: faster than straight ahead",
    ),
    (
        "SR50",
        "running ahead or back at 50 and to the side at 50, the fastest run: two keys to the side at once give it, \
              or a mouse",
    ),
    (
        "EndMark",
        "the byte 0x80 in place of a record, which ends DOOM's recordings. `EndMark: none` says that it is missing",
    ),
    (
        "DSDA",
        "the wrapper of dsda-doom: `Wrapper: DSDA 2` is its second kind, with the end's offset and the number of tics",
    ),
    ("port", "a program that descends from a game's own engine; its name stands in the footer as PORTNAME"),
    (
        "category",
        "the rules of a run by its header and footer, as `find` names them: respawn, fast, nomonsters, solo-net",
    ),
    ("WT", "a tic without any input: the player waits"),
    ("DemoEXT", "the footer of an older port of Heretic: this word and one byte"),
    ("lmp", "a recording of DOOM or its kin: the input of the players, not the game itself"),
    ("dmo", "a recording of Duke Nukem 3D: the input of the players, in packed blocks"),
    (
        "Bytes",
        "bytes of a header or footer that no other line gives. `Bytes[16]` are those of the header from its byte 16",
    ),
    (
        "Between",
        "in a footer, the bytes between two texts of the small WAD file that ports write there: mostly a line's end",
    ),
    ("Format", "in a footer, `Format: PWAD` says that the lines after it make up a WAD file"),
    (
        "Packed",
        "the packed bytes of the records after this line, in Duke Nukem 3D. The line is there if packing them again \
                   would give other bytes; if the records were changed, it is ignored",
    ),
    ("Damaged", "bytes of a block of Duke Nukem 3D that could not be unpacked, kept as they were"),
    ("255", "the first byte of a header before the ordinary one: dsda-doom's, PrBoom+um's, or Eternity's"),
    ("IWAD", "the WAD file that is the game itself, such as doom2.wad; the others add to it"),
    ("PWAD", "a WAD file that adds to a game; the form of the footers that ports write"),
    (
        "wrapper",
        "a header before the ordinary one: dsda-doom's with the number of tics, PrBoom+um's with the map's name",
    ),
];

/// The topics that can be explained, for a shell to offer.
///
/// ```
/// assert!(moviola_input::topics().all(|topic| moviola_input::explain(topic).is_some()));
/// ```
pub fn topics() -> impl Iterator<Item = &'static str> {
    let terms = TERMS.iter().chain(KEYS).chain(LUMPS).map(|(name, _)| *name);
    let games =
        FORMS.iter().filter(|form| !form.fields.is_empty()).flat_map(|form| form.words.iter().copied());
    terms
        .chain(engines().map(|(name, _)| name))
        .chain(games.filter(|game| game.len() > 1 && !game.contains(' ')))
}

/// Explains a word of input recordings; `None` for any other word.
///
/// ```
/// use moviola_input::explain;
/// assert!(explain("GF50").unwrap().contains("movement forward"));
/// assert!(explain("complevel").unwrap().contains("  21  MBF21"));
/// assert!(explain("portname").unwrap().contains("footer"));
/// assert!(explain("heretic").unwrap().contains("records of 6 bytes"));
/// assert_eq!(explain("no such thing"), None);
/// ```
pub fn explain(what: &str) -> Option<String> {
    let (what, mut text) = (what.trim(), String::new());
    let named =
        |table: &'static [(&str, &str)]| table.iter().filter(|(name, _)| name.eq_ignore_ascii_case(what));
    // Writing into a string cannot fail.
    for (name, about) in named(TERMS) {
        let _ = writeln!(text, "{name}: {about}");
    }
    for (name, about) in named(KEYS) {
        let fits = |form: &&&HeaderForm| form.fields.iter().any(|field| field.key == *name);
        let _ = writeln!(text, "{name}, of a header: {about}{}", games(FORMS.iter().filter(fits).copied()));
    }
    for (name, about) in named(LUMPS) {
        let _ = writeln!(text, "{name}, a text of a footer: {about}");
    }
    for (name, versions) in engines().filter(|(name, _)| name.eq_ignore_ascii_case(what)) {
        let versions: Vec<String> = versions.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "{name}, an engine of DOOM: it plays the versions {}", versions.join(", "));
    }
    words(what, &mut text);
    for form in FORMS.iter().filter(|form| !form.fields.is_empty() && form.is_named(what)) {
        layout(form, &mut text);
    }
    let levels = what.eq_ignore_ascii_case("complevel");
    for version in VERSIONS {
        match version.complevel {
            Some(level) if levels => {
                let _ = writeln!(text, "  {level:>2}  {}", version.about);
            }
            _ if what == version.byte.to_string() => {
                let level = version.complevel.map(|level| format!(", complevel {level}")).unwrap_or_default();
                let _ = writeln!(text, "{what}, a version: {}{level}", version.about);
                layout(version.form, &mut text);
            }
            _ => {}
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The words of a tic, each with the games that have it.
fn words(what: &str, text: &mut String) {
    let actions = RecordForm { words: &[], actions: true, ..SHORT };
    let mut found: Vec<(&str, &str, Vec<&'static HeaderForm>)> = Vec::new();
    for form in FORMS.iter().filter(|form| !form.fields.is_empty()) {
        for (name, about) in form.record.named(what) {
            match found.iter_mut().find(|it| (it.0, it.1) == (name, about)) {
                Some((.., forms)) => forms.push(form),
                None => found.push((name, about, vec![form])),
            }
        }
    }
    found.extend(actions.named(what).map(|(name, about)| (name, about, Vec::new())));
    for (name, about, forms) in found {
        let _ = writeln!(text, "{name}, a word of a tic: {about}{}", games(forms.into_iter()));
    }
}

/// The names of the games of these layouts, each once.
fn games(forms: impl Iterator<Item = &'static HeaderForm>) -> String {
    let mut names: Vec<&str> = Vec::new();
    forms.for_each(|form| names.extend(Some(form.game).filter(|game| !names.contains(game))));
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}

fn layout(form: &'static HeaderForm, text: &mut String) {
    let long = if form.record.wide == 2 { ", turns in 16 bits" } else { "" };
    let _ = writeln!(
        text,
        "{}, a game: {}\n  a header of {} bytes, records of {} bytes{long}",
        form.game,
        form.about.trim().replace('`', ""),
        form.length,
        form.record.length
    );
    let keys: Vec<&str> = form.fields.iter().map(|field| field.key).collect();
    let _ = writeln!(text, "  {}", keys.join(", "));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_explained() {
        let keys = FORMS.iter().flat_map(|form| form.fields).map(|field| field.key);
        for key in keys {
            assert!(KEYS.iter().any(|(name, _)| *name == key), "{key}");
        }
    }
}
