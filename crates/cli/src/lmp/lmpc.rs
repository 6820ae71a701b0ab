//! LMPC's options where a recording of DOOM's or Duke's is named, or a text of one.

// schema-once, all words: LMPC's words for games

use super::{is_ours, is_read_once};
use crate::failure::Outcome;
use crate::input::{self, Input, PEEK, is_dash, printable};
use crate::output::{Destination, Kind, Output};
use crate::render;
use anyhow::{Result, anyhow, bail};
use moviola::input::{
    InputEdit, InputSummary, InputTextOptions, MISTAKES, compile, decompile, edit, format, games, is_text,
};
use moviola::text::CompileError;
use std::io::{self, Write};
use std::path::PathBuf;

/// What LMPC is asked by its options.
#[derive(Default)]
pub(crate) struct LmpcWords<'a> {
    pub(crate) to_text: bool,
    pub(crate) to_recording: bool,
    pub(crate) info: bool,
    pub(crate) step: Option<&'a str>,
    pub(crate) tics: Option<&'a str>,
    pub(crate) game: Option<&'a str>,
    pub(crate) edit: InputEdit,
    pub(crate) files: &'a [PathBuf],
}

/// Does what LMPC does with DOOM's and Duke's recordings and their texts; none where the first file is neither.
pub(crate) fn lmpc(words: &LmpcWords<'_>) -> Result<Option<Outcome>> {
    let Some(first) = words.files.first() else { return Ok(None) };
    let game = words.game.and_then(lmpc_game);
    if !is_dash(first) && is_read_once(first) {
        return Ok(None);
    }
    let Ok(mut input) = Input::open(first) else { return Ok(None) };
    let is_text = is_text(input.peek(PEEK)?.0);
    if !is_text && !is_ours(&mut input)? && game.is_none() {
        input.hand_back();
        return Ok(None);
    }
    let changes = words.edit != InputEdit::default();
    if words.info || !changes && !words.to_text && !words.to_recording {
        for file in words.files {
            let summary = InputSummary::read(Input::open(file)?, game)?;
            let kind = summary.format.to_ascii_uppercase();
            writeln!(
                io::stdout(),
                "{}: {} ({kind} bin), {} tics",
                printable(file),
                summary.game,
                summary.tics
            )?;
        }
        return Ok(Some(Outcome::Good));
    }
    let [_, to] = words.files else { bail!("name two files: what to read, and what to write") };
    let mut writer =
        Destination::replace(to).open(if words.to_text { Kind::Text } else { Kind::Recording })?.buffered();
    let name = input.name().to_owned();
    if is_text && words.to_text {
        format(input, &mut writer)?;
    } else if is_text {
        if let Err(error) = compile(input, &mut writer, input::spill()?) {
            return match error {
                CompileError::Io(error) => Err(error.into()),
                CompileError::Mistakes(mistakes) => {
                    render::mistakes(&mistakes, &name, false, true, MISTAKES, "no recording was made");
                    Ok(Some(Outcome::Bad))
                }
            };
        }
    } else if words.to_text {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let tics = words
            .tics
            .and_then(|it| it.split_once([',', ':']))
            .map(|(from, to)| (number(from).unwrap_or(1), number(to).unwrap_or(u64::MAX)));
        let step =
            words.step.map_or(Ok(1), |it| number(it).ok_or_else(|| anyhow!("-m {it}: no number of tics")))?;
        let options = InputTextOptions {
            step,
            tics,
            source: Some(name),
            game: game.map(str::to_owned),
            ..InputTextOptions::default()
        };
        decompile(input, &mut writer, &options)?;
    } else if changes || words.to_recording {
        let change = InputEdit { game: game.map(str::to_owned), ..words.edit.clone() };
        edit(input, &mut writer, input::spill()?, &change)?;
    } else {
        bail!("say what to do with the file: -s, -l, -i, -v, -p, -w, -r or -c");
    }
    Output::finish(writer)?;
    Ok(Some(Outcome::Good))
}

/// LMPC's word for a game as ours.
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
