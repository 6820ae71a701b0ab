//! An overview of the program: its dozen most frequent uses, and the commands by purpose.
// not from SCHEMA, all words: they are names of commands

use clap::builder::StyledStr;
use clap::{Command, builder::Styles};
use std::fmt::Write;

/// The most frequent uses; printed if the program is called without arguments.
pub(crate) const START: &str = "\
moviola: the editing deck for recordings of Quake, QuakeWorld and Quake II

  moviola info run.dem                    map, player, length and protocol
  moviola report run.dem                  times, scores, kills and secrets on one screen
  moviola events run.dem                  what happened: kills, chat, pickups, secrets
  moviola check demos                     is every byte understood? which engines play them?
  moviola decompile run.dem -o run.txt    a recording as text, to read and to edit
  moviola compile run.txt -o new.dem      the text as a recording again
  moviola diff run.dem new.dem            their differences, message by message
  moviola cut run.dem 1:00..1:30 -o x.dem keep half a minute, unchanged
  moviola subtitle run.dem run.srt -o film.dem
                                          texts in the middle of the screen
  moviola watch run.dem --game id1        play it in the browser, and cut it there
  moviola plot run.dem -o run.svg         a picture of the path through a level
  moviola audit run.dem                   did the player cheat? was the file edited?
  moviola find demos 'map=e1m1'           search an archive
  moviola explain clientdata              the meaning of a message, field, value or code

Every command also reads recordings inside .dz, .zip, .pak, .pk3 and .gz files.
`moviola run.dem` alone writes the text of a recording beside it; a text becomes a recording.

`moviola --help` lists all commands; `moviola help cut` explains one, with examples.
";

/// The commands, by purpose.
const GROUPS: &[(&str, &[&str])] = &[
    ("Look", &["info", "report", "events", "check", "audit", "diff", "explain"]),
    ("Text and back", &["decompile", "compile", "fmt", "lmpc", "new", "make"]),
    ("Cut", &["cut", "drop", "highlights", "split", "join", "edit"]),
    (
        "Change",
        &[
            "strip", "set", "copy", "subtitle", "insert", "replace", "camera", "retime", "ghost", "capture",
            "view", "repair", "squeeze", "convert",
        ],
    ),
    ("Collections", &["catalog", "find", "export", "index", "unpack"]),
    ("Pictures", &["watch", "still", "film", "plot"]),
    ("The network", &["record", "serve"]),
    ("This program", &["completions", "man", "help"]),
];

/// The groups of a command's subcommands, each with the subcommands it has.
pub(crate) fn groups(command: &Command) -> impl Iterator<Item = (&'static str, Vec<&Command>)> {
    GROUPS.iter().map(|(title, names)| {
        (*title, names.iter().filter_map(|name| command.find_subcommand(name)).collect())
    })
}

/// A template for the help of one command.
pub(crate) const PLAIN: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{all-args}{after-help}";

/// A template for `--help` that lists the commands in their groups.
pub(crate) fn template(command: &Command, styles: &Styles) -> StyledStr {
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut list = String::new();
    for (title, commands) in groups(command) {
        let _ = writeln!(list, "\n{header}{title}:{header:#}");
        for one in commands {
            let about = one.get_about().cloned().unwrap_or_default();
            let _ = writeln!(list, "  {literal}{:<12}{literal:#} {about}", one.get_name());
        }
    }
    format!("{{about}}\n\n{{usage-heading}} {{usage}}\n{list}\n{header}Options:{header:#}\n{{options}}{{after-help}}")
        .into()
}
