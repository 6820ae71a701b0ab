//! What commands to the client's console change about the picture, until others change it again. An engine keeps it
//! from level to level.

use crate::Text;
use crate::hash::{Fold, Hash64};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The settings of the picture that a recording has made.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// head.step(&Block::new(b"\x09bf; v_cshift 9 0 0 \0\x092\n\0"));
/// let settings: Vec<_> = head.world.console.settings().collect();
/// assert_eq!(settings[0], ("v_cshift", &b"9 0 0 2"[..]));
/// assert_eq!(head.world.console.get("fov"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Console {
    settings: Arc<BTreeMap<&'static str, Text>>,
    /// The beginning of a command whose end was not sent yet.
    open: Text,
}

/// Commands and variables on which the picture depends.
// schema-once: words of the console
const NAMES: &[&str] = &["chase_active", "crosshair", "fov", "r_drawviewmodel", "v_cshift", "viewsize"];

/// No command is longer (`MAXCMDLINE` of the largest engine).
const LONGEST: usize = 1024;

impl Console {
    /// The names of the settings that were made, each with its words.
    pub fn settings(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        self.settings.iter().map(|(name, words)| (*name, words.bytes()))
    }

    /// The words of a setting, if it was made.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.settings.get(name).map(Text::bytes)
    }

    /// Whether a text for the console may change a setting, by itself or with what is sent before and after it.
    ///
    /// ```
    /// use moviola_state::quake::Console;
    /// assert!(Console::heeds(b"fov 90\n") && Console::heeds(b"f") && !Console::heeds(b"echo hi\n"));
    /// ```
    pub fn heeds(text: &[u8]) -> bool {
        let lower = text.to_ascii_lowercase();
        let has = |name: &&str| lower.windows(name.len()).any(|part| part == name.as_bytes());
        !text.ends_with(b"\n") || NAMES.iter().any(has)
    }

    /// Takes in what a server puts into the console.
    pub(super) fn hear(&mut self, text: &[u8]) {
        let all = [self.open.bytes(), text].concat();
        let mut rest = &all[..];
        let mut is_quoted = false;
        while let Some(end) = rest.iter().position(|byte| {
            is_quoted ^= *byte == b'"';
            *byte == b'\n' || *byte == b';' && !is_quoted
        }) {
            let (command, more) = rest.split_at_checked(end).unwrap_or_default();
            self.obey(command.trim_ascii());
            (rest, is_quoted) = (more.get(1..).unwrap_or_default(), false);
        }
        self.open = Text::new(rest.get(..rest.len().min(LONGEST)).unwrap_or_default());
    }

    fn obey(&mut self, command: &[u8]) {
        let end = command.iter().position(u8::is_ascii_whitespace).unwrap_or(command.len());
        let (name, words) = command.split_at_checked(end).unwrap_or_default();
        let words = words.trim_ascii();
        // A variable alone says what it is set to.
        let Some(name) = NAMES.iter().find(|known| name.eq_ignore_ascii_case(known.as_bytes())) else {
            return;
        };
        if !words.is_empty() && self.get(name) != Some(words) {
            Arc::make_mut(&mut self.settings).insert(name, Text::new(words));
        }
    }

    pub(super) fn fold_settings(&self, hash: &mut Hash64) {
        hash.add(self.settings.len() as u64);
        for (name, words) in self.settings.iter() {
            hash.bytes(name.as_bytes());
            words.fold(hash);
        }
    }
}

impl Fold for Console {
    fn fold(&self, hash: &mut Hash64) {
        self.fold_settings(hash);
        self.open.fold(hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_put_together() {
        let mut console = Console::default();
        for text in ["echo \"a;fov 3\"; FOV", " 1", "10\nviewsize\nname x", "\ncrosshair \"1\""] {
            console.hear(text.as_bytes());
        }
        assert_eq!(console.settings().collect::<Vec<_>>(), [("fov", &b"110"[..])]);
        assert!(Console::heeds(b"fOv") && Console::heeds(b"bf; Fov 9\n") && !Console::heeds(b"bf\n"));
        console.hear(b"\n");
        assert_eq!(console.get("crosshair"), Some(&b"\"1\""[..]));
    }

    #[test]
    fn an_endless_command_takes_no_room() {
        let mut console = Console::default();
        (0..100).for_each(|_| console.hear(&[b'x'; 1000]));
        assert!(console.open.bytes().len() <= LONGEST);
    }
}
