//! Settings as people write them: `cdtrack=4`, `player.2.name="Bob"`.

// not from SCHEMA, all words: the names of settings

use crate::machinery::players;
use crate::{EditCode, Mistake};
use moviola_format::names::unmarked;
use moviola_text::nearest;
use std::ops::Range;

/// A setting.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    /// The setting as the user wrote it.
    pub(super) text: String,
    /// The range of its key in the text.
    pub(super) key: Range<usize>,
    /// The range of the player in the text; the player's number, counted from 0, as soon as it is known.
    pub(super) who: Range<usize>,
    pub(super) player: Option<u8>,
    /// The number of the entity that is set.
    pub(super) entity: Option<u16>,
    pub(super) value: Value,
}

impl Setting {
    /// Whether it is a setting of a player whose number is not known yet.
    pub(super) fn needs_player(&self) -> bool {
        self.player.is_none() && !self.who.is_empty()
    }
}

/// The new value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// The CD track; `None` removes the line.
    Track(Option<i32>),
    /// A name in the games' font.
    Name(Vec<u8>),
    /// Shirt and trousers.
    Colors(u8),
    /// Quake II: model and skin, with a slash between. QuakeWorld: the name of a skin.
    Skin(Vec<u8>),
    /// The file of an entity's model.
    Model(Vec<u8>),
}

/// The longest name that all engines have room for.
const NAME: usize = 31;

/// The longest name of a skin that all engines have room for.
const LONGEST_SKIN: usize = 15;

/// The longest name of a file that engines take (`MAX_QPATH`, with the NUL).
const LONGEST_FILE: usize = 63;

const HELP: &str = "settings are cdtrack=4, cdtrack=none, player.1.name=\"Bob\", player.1.colors=13,4, player.1.skin=female/athena and entity.12.model=progs/ogre.mdl";

/// The last parts of a setting's key, for a guess at a misspelled one.
const PARTS: [&str; 3] = ["name", "colors", "skin"];
const KEYS: [&str; 5] = ["cdtrack", "player.1.name", "player.1.colors", "player.1.skin", "entity.1.model"];

pub(super) fn setting(text: &str) -> Result<Setting, Mistake> {
    let mistake = |at: Range<usize>, message: String| Mistake::new(EditCode::Setting, message, text, at);
    let Some((key, value)) = text.split_once('=') else {
        return Err(mistake(0..text.len(), "a setting has a `=`".into()).help(HELP));
    };
    let value_range = key.len() + 1..text.len();
    let key = key.trim_end();
    let mut setting = Setting {
        text: text.to_owned(),
        key: 0..key.len(),
        who: 0..0,
        player: None,
        entity: None,
        value: Value::Track(None),
    };
    if key == "cdtrack" {
        setting.value = track(value).ok_or_else(|| {
            mistake(value_range, format!("`{value}` is not a track"))
                .help("give a number from -1 to 255, or none")
        })?;
        return Ok(setting);
    }
    if let Some((number, "model")) = key.strip_prefix("entity.").and_then(|it| it.split_once('.')) {
        let place = "entity.".len().."entity.".len() + number.len();
        setting.entity = number.parse().ok().filter(|number| *number > 0);
        if setting.entity.is_none() {
            return Err(mistake(place, format!("`{number}` is not the number of an entity"))
                .help("`moviola decompile` shows the entities with their numbers"));
        }
        setting.value = model(value)
            .map(Value::Model)
            .map_err(|(message, help)| mistake(value_range, message).help(help))?;
        return Ok(setting);
    }
    // A name may have points in it.
    let parts = key.strip_prefix("player.").and_then(|it| it.rsplit_once('.'));
    let Some((who, what)) = parts.filter(|(who, _)| !who.is_empty()) else {
        let meant = nearest(key, KEYS.into_iter()).map(|it| format!("did you mean `{it}`?"));
        let message = format!("there is no setting `{key}`");
        return Err(mistake(0..key.len(), message).help(meant.unwrap_or_else(|| HELP.into())));
    };
    setting.who = "player.".len().."player.".len() + who.len();
    setting.player = players::number(who);
    let value = value.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(value);
    setting.value = match what {
        "name" => name(value).map(Value::Name),
        // Both spellings, in the singular and the plural.
        "colors" | "color" | "colours" => colors(value).map(Value::Colors),
        "skin" => skin(value).map(Value::Skin),
        _ => {
            let message = format!("players have no `{what}` that can be set");
            let meant = nearest(what, PARTS.into_iter()).map(|it| format!("did you mean `{it}`?"));
            let help = meant.unwrap_or_else(|| "they have name, colors and skin".into());
            return Err(mistake(setting.who.end + 1..key.len(), message).help(help));
        }
    }
    .map_err(|(message, help)| mistake(value_range, message).help(help))?;
    Ok(setting)
}

fn track(value: &str) -> Option<Value> {
    if value == "none" {
        return Some(Value::Track(None));
    }
    let track = value.parse().ok().filter(|track| (-1..=255).contains(track))?;
    Some(Value::Track(Some(track)))
}

type WrongWord = (String, &'static str);

fn name(value: &str) -> Result<Vec<u8>, WrongWord> {
    let name = unmarked(value);
    if name.is_empty() || name.len() > NAME {
        let message = format!("a name has 1 to {NAME} characters, this one {}", name.len());
        return Err((
            message,
            "use a name such as Bob or '**The** Ranger'; engines have no room for longer ones",
        ));
    }
    if name.iter().any(|byte| matches!(byte, 0 | b'\n' | b'\r' | b'\\' | b'"' | b';' | 0xFF)) {
        return Err(("a name has no \\, no \", no ; and no line break".into(), "engines end it there"));
    }
    Ok(name)
}

fn colors(value: &str) -> Result<u8, WrongWord> {
    let both: Option<Vec<u8>> = value.split(',').map(|it| it.trim().parse().ok()).collect();
    match both.as_deref() {
        Some([shirt @ 0..=13, pants @ 0..=13]) => Ok(shirt << 4 | pants),
        _ => {
            Err((format!("`{value}` is not a pair of colors"), "give shirt and trousers, each 0 to 13: 13,4"))
        }
    }
}

fn model(value: &str) -> Result<Vec<u8>, WrongWord> {
    let value = value.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(value);
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\\\";".contains(&byte);
    let is_model = !value.is_empty() && value.len() <= LONGEST_FILE && value.bytes().all(is_plain);
    if is_model && (value.contains('.') || value.starts_with('*')) {
        return Ok(value.as_bytes().to_vec());
    }
    Err((
        format!("`{value}` is not the file of a model"),
        "write it as the game does: progs/ogre.mdl, or models/monsters/tank/tris.md2 in Quake II",
    ))
}

fn skin(value: &str) -> Result<Vec<u8>, WrongWord> {
    let is_plain = |part: &str| {
        !part.is_empty()
            && part.len() <= LONGEST_SKIN
            && part.bytes().all(|it| it.is_ascii_alphanumeric() || b"_-".contains(&it))
    };
    if value.split('/').count() <= 2 && value.split('/').all(is_plain) {
        return Ok(value.as_bytes().to_vec());
    }
    Err((
        format!("`{value}` is not a skin"),
        "give the model and the skin in Quake II: female/athena; in QuakeWorld the skin: base",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let value = |text| setting(text).unwrap().value;
        assert_eq!(value("cdtrack=4"), Value::Track(Some(4)));
        assert_eq!(value("cdtrack=none"), Value::Track(None));
        assert_eq!(value("player.2.name=\"Zoë\""), Value::Name(b"Zoe".to_vec()));
        assert_eq!(value("player.2.name=a=b"), Value::Name(b"a=b".to_vec()));
        assert_eq!(value("player.16.colors=13,4"), Value::Colors(0xD4));
        assert_eq!(value("player.1.skin=female/athena"), Value::Skin(b"female/athena".to_vec()));
        assert_eq!(value("player.1.skin=base"), Value::Skin(b"base".to_vec()));
        assert_eq!(value("entity.12.model=progs/ogre.mdl"), Value::Model(b"progs/ogre.mdl".to_vec()));
        assert_eq!(setting("entity.12.model=*3").unwrap().entity, Some(12));
        let whose = |text| setting(text).map(|it| (it.player, text[it.who].to_owned())).unwrap();
        assert_eq!(whose("player.2.name=x"), (Some(1), "2".to_owned()));
        assert_eq!(whose("player.Dr. No.name=x"), (None, "Dr. No".to_owned()));
    }

    #[test]
    fn mistakes_have_their_place() {
        let place = |text: &str| setting(text).map_err(|it| (it.column, it.length)).unwrap_err();
        assert_eq!(place("cdtrack"), (1, 7));
        assert_eq!(place("cdtrack=x"), (9, 1));
        assert_eq!(place("cdtrack=256"), (9, 3));
        assert_eq!(place("cd=4"), (1, 2));
        assert_eq!(place("player..name=x"), (1, 12));
        assert_eq!(place("player.name=x"), (1, 11));
        assert_eq!(place("player.1.nam=x"), (10, 3));
        assert_eq!(place("player.1.name="), (15, 0));
        assert_eq!(place("entity.0.model=progs/ogre.mdl"), (8, 1));
        assert_eq!(place("entity.ogre.model=progs/ogre.mdl"), (8, 4));
        assert_eq!(place("entity.4.model=ogre"), (16, 4));
        assert_eq!(place("entity.4.skin=1"), (1, 13));
        let long = format!("player.1.name={}", "x".repeat(32));
        assert_eq!(place(&long), (15, 32));
        assert_eq!(place("player.1.name=a\\b"), (15, 3));
        assert_eq!(place("player.1.colors=16,0"), (17, 4));
        assert_eq!(place("player.1.skin=../x/y"), (15, 6));
        assert_eq!(place("player.1.skin=a/b/c"), (15, 5));
    }
}
