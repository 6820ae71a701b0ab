//! The settings of picture and music that a recording makes by console commands. An engine keeps them from level to
//! level.

use crate::Text;
use crate::hash::{Fold, Hash64};
use moviola_format::{Command, commands};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The settings of the picture and the music that a recording has made. Commands under names that the
/// recording itself defines (`alias`), and commands whose result depends on the setting before (`toggle`,
/// `sizedown`), are not followed.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// head.step(&Block::new(b"\x09bf; v_cshift 9 0 0 \0\x092\n\0"));
/// let settings: Vec<_> = head.world.console.settings().collect();
/// assert_eq!(settings[0], (&b"v_cshift"[..], &b"9 0 0 2"[..]));
/// assert_eq!(head.world.console.get("fov"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Console {
    settings: Arc<BTreeMap<Text, Text>>,
    /// The beginning of a command whose end was not sent yet.
    open: Text,
}

/// Commands and variables that change the picture or the sound, by their whole names.
// not from SCHEMA, all words: words of the console
const NAMES: &[&str] = &[
    "bgmvolume",
    "contrast",
    "crosshair",
    "fov",
    "gamma",
    "viewsize",
    "volume",
    CD,
    MUSIC,
    MUSIC_PAUSE,
    MUSIC_RESUME,
    MUSIC_STOP,
    FOG,
    SKY,
    LOAD_SKY,
    STAT,
    LIGHT_STYLE,
];
/// Further settings of this kind, by the beginnings of their names, each for a family of variables.
const FAMILIES: &[&str] = &["chase_", "cl_bob", "cl_roll", "crosshair_", "gl_", "r_", "scr_", "v_"];

const CD: &str = "cd";
/// The name under which the pause of a CD is kept.
const CD_PAUSE: &str = "cd pause";
const MUSIC: &str = "music";
const MUSIC_PAUSE: &str = "music_pause";
const MUSIC_RESUME: &str = "music_resume";
const MUSIC_STOP: &str = "music_stop";
const FOG: &str = "fog";
const SKY: &str = "sky";
const LOAD_SKY: &str = "loadsky";
/// Ironwail's command for a value of the status bar. Other engines read it as a comment. The value's number is a part
/// of the setting's name.
const STAT: &str = "//st";
/// QuakeSpasm-Spiked's command for a light style. Other engines read it as a comment.
const LIGHT_STYLE: &str = "//ls";

/// The settings that each new level resets.
const OF_A_LEVEL: &[&str] = &[FOG, SKY, LOAD_SKY, STAT, LIGHT_STYLE];

/// The greatest length of a command (`MAXCMDLINE` of the largest engine).
const LONGEST: usize = 1024;

/// A limit on the number of settings kept, far above any real recording.
const MAX_SETTINGS: usize = 512;

impl Console {
    /// The names of the settings that were made, each with its arguments.
    pub fn settings(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.settings.iter().map(|(name, words)| (name.bytes(), words.bytes()))
    }

    /// The arguments of a setting, if it was made.
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<&[u8]> {
        self.settings.get(name.as_ref()).map(Text::bytes)
    }

    /// The commands that the message `fog` replaces.
    pub const FOGS: &[&str] = &[FOG];
    /// The commands that the message `skybox` replaces.
    pub const SKIES: &[&str] = &[SKY, LOAD_SKY];
    /// The commands that the message `cdtrack` replaces.
    pub const TRACKS: &[&str] = &[CD, CD_PAUSE, MUSIC, MUSIC_PAUSE, MUSIC_STOP];

    /// Whether one of these commands is in effect.
    pub fn has(&self, commands: &[&str]) -> bool {
        commands.iter().any(|it| self.get(it).is_some())
    }

    /// The number of seconds that a text stays in the middle of the screen.
    ///
    /// ```
    /// assert_eq!(moviola_state::quake::Console::default().center_time(), 2.0);
    /// ```
    pub fn center_time(&self) -> f64 {
        let words = self.get("scr_centertime").and_then(|words| std::str::from_utf8(words).ok());
        words.and_then(|words| words.trim_matches('"').parse().ok()).unwrap_or(2.0)
    }

    /// Whether a text for the console can change a setting, alone or together with the text sent after it.
    ///
    /// ```
    /// use moviola_state::quake::Console;
    /// assert!(Console::can_change_settings(b"fov 90\n") && Console::can_change_settings(b"f") && !Console::can_change_settings(b"echo hi\n"));
    /// ```
    pub fn can_change_settings(text: &[u8]) -> bool {
        !text.ends_with(b"\n") || commands(text).any(|command| is_setting(command.name()))
    }

    /// Forgets these commands, because a message has replaced their effect.
    pub(super) fn forget(&mut self, names: &[&str]) {
        let is_one = |name: &Text| {
            let first = name.bytes().split(|byte| *byte == b' ').next().unwrap_or_default();
            names.iter().any(|it| it.as_bytes() == first || it.as_bytes() == name.bytes())
        };
        if self.settings.keys().any(is_one) {
            Arc::make_mut(&mut self.settings).retain(|name, _| !is_one(name));
        }
    }

    /// Begins a level, which resets the settings that belong to one.
    pub(super) fn enter(mut self) -> Self {
        self.forget(OF_A_LEVEL);
        self
    }

    /// Applies a text that a server sends to the console.
    pub(super) fn feed(&mut self, text: &[u8]) {
        if self.open.bytes().is_empty() {
            return self.feed_all(text);
        }
        let all = [self.open.bytes(), text].concat();
        self.open = Text::default();
        self.feed_all(&all);
    }

    /// Runs the finished commands, and keeps the last one if it is unfinished.
    fn feed_all(&mut self, text: &[u8]) {
        for command in commands(text) {
            if command.is_finished() {
                self.apply_command(command);
            } else {
                let open = command.bytes();
                self.open = Text::new(open.get(..LONGEST).unwrap_or(open));
            }
        }
    }

    /// Ends a frame: engines then run an unfinished command too. Some engines wait for its end, so it is also
    /// kept.
    pub(super) fn end_frame(&mut self) {
        if !self.open.bytes().is_empty() {
            let open = self.open.clone();
            commands(open.bytes()).for_each(|command| self.apply_command(command));
        }
    }

    fn apply_command(&mut self, command: Command<'_>) {
        let (name, words) = (command.name(), command.rest());
        match NAMES.iter().copied().find(|it| name.eq_ignore_ascii_case(it.as_bytes())) {
            Some(STAT | LIGHT_STYLE) => {
                let numbered = command.inner();
                self.set(&[&name.to_ascii_lowercase(), &b" "[..], numbered.name()].concat(), numbered.rest());
            }
            Some(FOG) => self.see_fog(words),
            Some(sky @ (SKY | LOAD_SKY)) if !words.is_empty() => self.replace(Self::SKIES, sky, words),
            Some(CD) => match &*command.inner().name().to_ascii_lowercase() {
                b"loop" | b"play" | b"stop" => self.replace(Self::TRACKS, CD, words),
                b"pause" => self.settle(CD_PAUSE.as_bytes(), b""),
                b"resume" => self.remove(CD_PAUSE),
                _ => {}
            },
            Some(MUSIC) if !words.is_empty() => self.replace(Self::TRACKS, MUSIC, words),
            Some(MUSIC_STOP) => self.replace(Self::TRACKS, MUSIC_STOP, b""),
            Some(MUSIC_PAUSE) => self.settle(MUSIC_PAUSE.as_bytes(), b""),
            Some(MUSIC_RESUME) => self.remove(MUSIC_PAUSE),
            Some(known) => self.set(known.as_bytes(), words),
            None if is_of_family(name) => self.set(&name.to_ascii_lowercase(), words),
            None => {}
        }
    }

    /// Sets a variable or a command's setting. A variable's name without a value only prints it, so it
    /// changes nothing.
    fn set(&mut self, name: &[u8], words: &[u8]) {
        if !words.is_empty() {
            self.settle(name, words);
        }
    }

    fn settle(&mut self, name: &[u8], words: &[u8]) {
        let was = self.settings.get(name).map(Text::bytes);
        if was != Some(words) && (was.is_some() || self.settings.len() < MAX_SETTINGS) {
            Arc::make_mut(&mut self.settings).insert(Text::new(name), Text::new(words));
        }
    }

    fn remove(&mut self, name: &str) {
        if self.settings.contains_key(name.as_bytes()) {
            Arc::make_mut(&mut self.settings).remove(name.as_bytes());
        }
    }

    /// Sets the command `name` and removes the others of `names`, because each replaces the others.
    fn replace(&mut self, names: &[&str], name: &str, words: &[u8]) {
        if self.get(name) != Some(words) {
            self.forget(names);
        }
        self.settle(name.as_bytes(), words);
    }

    /// Reads the arguments of `fog`: one number is the density, three are the color, four are both; a
    /// duration may follow each form.
    fn see_fog(&mut self, words: &[u8]) {
        let words: Vec<&[u8]> =
            words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let was = self.get(FOG).unwrap_or_default().to_vec();
        let was: Vec<&[u8]> = was.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).collect();
        let (old_density, old_color) = match was.len() {
            1 => (was.get(..1), None),
            3 => (None, was.get(..)),
            4 => (was.get(..1), was.get(1..)),
            _ => (None, None),
        };
        let (density, color) = match words.len() {
            1 | 2 => (words.get(..1), old_color),
            3 => (old_density, words.get(..)),
            4 | 5 => (words.get(..1), words.get(1..4)),
            _ => return,
        };
        let all = [density.unwrap_or_default(), color.unwrap_or_default()].concat();
        self.settle(FOG.as_bytes(), &all.join(&b' '));
    }

    pub(super) fn fold_settings(&self, hash: &mut Hash64) {
        hash.add(self.settings.len() as u64);
        for (name, words) in self.settings.iter() {
            name.fold(hash);
            words.fold(hash);
        }
    }
}

/// Whether this command or variable changes the picture or the sound, so that the world keeps it.
fn is_setting(name: &[u8]) -> bool {
    NAMES.iter().any(|it| name.eq_ignore_ascii_case(it.as_bytes())) || is_of_family(name)
}

fn is_of_family(name: &[u8]) -> bool {
    let is_of = |family: &&str| {
        name.get(..family.len()).is_some_and(|start| start.eq_ignore_ascii_case(family.as_bytes()))
    };
    FAMILIES.iter().any(is_of)
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
            console.feed(text.as_bytes());
        }
        assert_eq!(console.settings().collect::<Vec<_>>(), [(&b"fov"[..], &b"110"[..])]);
        assert!(
            Console::can_change_settings(b"fOv")
                && Console::can_change_settings(b"bf; Fov 9\n")
                && !Console::can_change_settings(b"bf\n")
        );
        console.feed(b"\n");
        assert_eq!(console.get("crosshair"), Some(&b"\"1\""[..]));
    }

    #[test]
    fn a_level_has_settings_of_its_own() {
        let mut console = Console::default();
        console.feed(b"fog 0.1 1 1 1\n//ST 15 0\n//st  16 1\nr_wateralpha .5\nbf\ncd loop 3\nr_fullbright\n");
        assert_eq!(console.get("//st 16"), Some(&b"1"[..]));
        console.forget(Console::FOGS);
        assert_eq!(console.settings().count(), 4);
        let left: Vec<_> = console.enter().settings().map(|(name, _)| name.to_vec()).collect();
        assert_eq!(left, [&b"cd"[..], b"r_wateralpha"]);
    }

    #[test]
    fn commands_take_each_others_places() {
        let kept_of = |text: &str| {
            let mut console = Console::default();
            console.feed(text.as_bytes());
            let all = console.settings().map(|(name, words)| [name, words].join(&b' '));
            all.map(|it| String::from_utf8(it).unwrap().trim().to_owned()).collect::<Vec<_>>().join("; ")
        };
        for (line, kept) in [
            ("fog 0.5\nfog 0.1 0.2 0.3\n", "fog 0.5 0.1 0.2 0.3"),
            ("fog 0.1 1 0 0 9\nfog  0.3 2\n", "fog 0.3 1 0 0"),
            ("fog 1 2 3\nfog 4 5 6\nfog\nfog 1 2 3 4 5 6 7\n", "fog 4 5 6"),
            ("cd loop 9\ncd pause\ncd volume 5\ncd info\n", "cd loop 9; cd pause"),
            ("cd loop 9\ncd pause\ncd resume\n", "cd loop 9"),
            ("cd pause\ncd Play 3\nmusic dark\nMUSIC_pause\n", "music dark; music_pause"),
            ("music dark\nmusic_stop\n", "music_stop"),
            ("sky foo\nloadsky bar\n", "loadsky bar"),
            ("loadsky bar\nsky foo\nsky\n", "sky foo"),
        ] {
            assert_eq!(kept_of(line), kept, "{line:?}");
        }
    }

    #[test]
    fn a_command_without_an_end_is_done_with_the_frame() {
        let mut console = Console::default();
        console.feed(b"v_cshift 0 0 0 255");
        assert_eq!(console.get("v_cshift"), None);
        console.end_frame();
        assert_eq!(console.get("v_cshift"), Some(&b"0 0 0 255"[..]));
        console.feed(b"\nfov 1");
        console.end_frame();
        console.feed(b"10\n");
        assert_eq!(console.get("fov"), Some(&b"110"[..]));
    }

    #[test]
    fn an_endless_command_takes_no_room() {
        let mut console = Console::default();
        (0..100).for_each(|_| console.feed(&[b'x'; 1000]));
        assert!(console.open.bytes().len() <= LONGEST);
        (0..9999).for_each(|number| console.feed(format!("\nr_{number} 1\n").as_bytes()));
        assert_eq!(console.settings().count(), MAX_SETTINGS);
    }
}
