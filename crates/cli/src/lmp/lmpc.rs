//! LMPC's options for a recording of DOOM's or Duke's, or for a text of one.

// not from SCHEMA, all words: LMPC's words for games

use super::{can_be, is_ours, is_read_once};
use crate::failure::Outcome;
use crate::input::{self, PEEK, is_dash, printable};
use crate::inside;
use crate::output::{Destination, Kind, Output};
use crate::render;
use anyhow::{Result, anyhow, bail};
use moviola::container::Spill;
use moviola::input::{
    InputEdit, InputSummary, InputTextOptions, MISTAKES, compile, decompile, edit, format, games, text_kind,
};
use moviola::text::CompileError;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// LMPC's options.
#[derive(Default)]
pub(crate) struct LmpcWords<'a> {
    pub(crate) to_text: bool,
    pub(crate) to_recording: bool,
    pub(crate) step: Option<&'a str>,
    pub(crate) tics: Option<&'a str>,
    pub(crate) game: Option<&'a str>,
    pub(crate) edit: InputEdit,
    pub(crate) files: &'a [PathBuf],
}

/// A recording made as an intermediate step, to be read from its beginning.
type StepResult = Box<dyn Spill>;

/// Does the same as LMPC with DOOM's and Duke's recordings and their texts; `None` if the first file is
/// neither.
pub(crate) fn lmpc(words: &LmpcWords<'_>) -> Result<Option<Outcome>> {
    let Some(first) = words.files.first() else { return Ok(None) };
    let game = words.game.and_then(lmpc_game);
    let has_changes = words.edit != InputEdit::default();
    let is_nothing = !has_changes && !words.to_text && !words.to_recording;
    if is_nothing || is_dash(first) || is_read_once(first) {
        return Ok(None);
    }
    let Ok(mut input) = inside::recording_or_text(first) else { return Ok(None) };
    let is_text = text_kind(input.peek(PEEK)?.0).is_some();
    if !is_text && !is_ours(&mut input)? && game.is_none() {
        return Ok(None);
    }
    can_be(&mut input, game)?;
    let [texts @ .., to] = words.files else { bail!("name two files: the input and the output") };
    if texts.is_empty() || texts.len() > 1 && !(is_text && words.to_recording && !has_changes) {
        bail!("name two files: the input and the output; only texts can be several, for one recording");
    }
    let kind = if words.to_text { Kind::Text } else { Kind::Recording };
    let mut writer = Destination::replace(to).open(kind)?.buffered();
    let name = input.name().to_owned();
    if is_text && words.to_text && !has_changes {
        format(input, &mut writer)?;
        Output::finish(writer)?;
        return Ok(Some(Outcome::Good));
    }
    let source: Box<dyn Read> = if is_text {
        let text: Box<dyn Read> = if texts.len() > 1 {
            let Some(joined) = joined(texts)? else { return Ok(Some(Outcome::Bad)) };
            Box::new(joined)
        } else {
            Box::new(input)
        };
        let Some(made) = compiled(text, &name)? else { return Ok(Some(Outcome::Bad)) };
        Box::new(made)
    } else {
        Box::new(input)
    };
    if is_text && !has_changes && !words.to_text {
        io::copy(&mut { source }, &mut writer)?;
        Output::finish(writer)?;
        return Ok(Some(Outcome::Good));
    }
    let change = InputEdit { game: game.map(str::to_owned), ..words.edit.clone() };
    if !words.to_text {
        edit(source, &mut writer, input::spill()?, &change)?;
    } else if has_changes {
        let mut made = input::spill()?;
        edit(source, &mut made, input::spill()?, &change)?;
        made.rewind()?;
        decompile(made, &mut writer, &text_options(words, &name, None)?)?;
    } else {
        decompile(source, &mut writer, &text_options(words, &name, game)?)?;
    }
    Output::finish(writer)?;
    Ok(Some(Outcome::Good))
}

/// The recording of a text; `None` after the text's mistakes were printed.
fn compiled(text: impl Read, name: &str) -> Result<Option<StepResult>> {
    let mut recording = input::spill()?;
    match compile(text, &mut recording, input::spill()?) {
        Ok(_) => {}
        Err(CompileError::Io(error)) => return Err(error.into()),
        Err(CompileError::Mistakes(mistakes)) => {
            render::mistakes(&mistakes, name, false, true, MISTAKES, "no recording was made");
            return Ok(None);
        }
    }
    recording.rewind()?;
    Ok(Some(recording))
}

/// Several texts as one: the first, with the tics of the others after its own, as LMPC joins them. `None` after a
/// mistake in one of the texts was printed.
fn joined(texts: &[PathBuf]) -> Result<Option<StepResult>> {
    let mut joined = input::spill()?;
    let (mut rest, mut first) = (Vec::new(), None);
    for (number, path) in texts.iter().enumerate() {
        // A mistake is reported with the text's own name and line, not with those of the joined text.
        let Some(mut made) = compiled(inside::recording_or_text(path)?, &printable(path))? else {
            return Ok(None);
        };
        let layout = moviola::input::layout(&mut made)?;
        if *first.get_or_insert_with(|| layout.clone()) != layout {
            bail!(
                "{}: its tics cannot follow those of {}: game, version and players must be the same",
                printable(path),
                texts.first().map_or_else(String::new, |first| printable(first))
            );
        }
        let (mut is_data, mut is_over) = (false, false);
        for line in BufReader::new(inside::recording_or_text(path)?).split(b'\n') {
            let mut line = line?;
            let is = |word: &str| line.trim_ascii().eq_ignore_ascii_case(word.as_bytes());
            let starts = is("DataStart");
            is_over |= is("DataEnd");
            line.push(b'\n');
            match number {
                0 if is_over => rest.extend_from_slice(&line),
                0 => joined.write_all(&line)?,
                _ if is_data && !is_over => joined.write_all(&line)?,
                _ => {}
            }
            is_data |= starts;
        }
    }
    joined.write_all(&rest)?;
    joined.rewind()?;
    Ok(Some(joined))
}

/// Describes a file in LMPC's words; false if it is not a recording of DOOM or Duke Nukem 3D.
pub(crate) fn lmpc_info(file: &Path, game: Option<&str>) -> Result<bool> {
    let game = game.and_then(lmpc_game);
    if is_dash(file) || is_read_once(file) {
        return Ok(false);
    }
    let mut input = inside::recording_or_text(file)?;
    let name = input.name().to_owned();
    let is_text = text_kind(input.peek(PEEK)?.0).is_some();
    if !is_text && !is_ours(&mut input)? && game.is_none() {
        return Ok(false);
    }
    let (source, sort): (Box<dyn Read>, _) = if is_text {
        let Some(made) = compiled(input, &name)? else { bail!("{name} could not be compiled") };
        (Box::new(made), "txt")
    } else {
        (Box::new(input), "bin")
    };
    let summary = InputSummary::read(source, game)?;
    let kind = summary.format.to_ascii_uppercase();
    let guess = if summary.guess { ", a guess" } else { "" };
    writeln!(io::stdout(), "{name}: {} ({kind} {sort}{guess}), {} tics", summary.game, summary.tics)?;
    Ok(true)
}

fn text_options(words: &LmpcWords<'_>, name: &str, game: Option<&str>) -> Result<InputTextOptions> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    // A missing beginning or end is that of the recording.
    let end = |text: &str, usual: u64| if text.trim().is_empty() { Some(usual) } else { number(text) };
    let part = |text: &str| {
        let (from, to) = text.split_once([',', ':'])?;
        Some((end(from, 1)?, end(to, u64::MAX)?))
    };
    let tics = words
        .tics
        .map(|it| part(it).ok_or_else(|| anyhow!("-t {it}: give two tics, FROM,TO")))
        .transpose()?;
    if let Some((from, to)) = tics.filter(|(from, to)| from > to) {
        bail!("-t {from},{to}: the first tic is after the last");
    }
    let step =
        words.step.map_or(Ok(1), |it| number(it).ok_or_else(|| anyhow!("-m {it}: not a number of tics")))?;
    let (source, game) = (Some(name.to_owned()), game.map(str::to_owned));
    Ok(InputTextOptions { step, tics, source, game, ..InputTextOptions::default() })
}

/// Our name of a game for LMPC's.
pub(crate) fn lmpc_game(name: &str) -> Option<&'static str> {
    const LONG: [(&str, &str); 8] = [
        ("doom", "doom"),
        ("doom2", "doom"),
        ("heretic", "heretic"),
        ("hexen", "hexen"),
        ("strife", "strife"),
        ("duke", "duke"),
        ("n", "duke"),
        ("d", "doom"),
    ];
    let lower = name.to_ascii_lowercase();
    let known = LONG.iter().find(|(word, _)| *word == lower).map(|(_, game)| *game);
    known.or_else(|| games().find(|game| *game == lower))
}
