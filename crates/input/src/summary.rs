//! Facts about a recording of input, and counts of its key presses, collected in one pass.

use crate::evidence::is_boom_signed;
use crate::footer::{self, Footer, LARGEST};
use crate::form::{MBF_DOOM, complevel_named};
use crate::header::{HERETIC_FLAGS, Header, Line, Wrapper};
use crate::print::{duration, rate, real_counts};
use crate::reader::{InputPiece, Recording};
use crate::record::{RecordForm, TicInput, TicPlace};
use serde::Serialize;
use std::io::{self, Read};

/// The facts about a recording of input.
///
/// ```
/// use moviola_input::InputSummary;
/// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80";
/// let summary = InputSummary::read(&recording[..], None).unwrap();
/// assert_eq!((summary.format, summary.version_byte, summary.skill, summary.tics), ("lmp", Some(109), Some(4), 1));
/// assert_eq!(summary.map(), "E1M1 or MAP01");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct InputSummary {
    /// `lmp`, `dmo`, or `unknown` for a file that is not read.
    pub format: &'static str,
    /// The game.
    pub game: String,
    /// The reason for this game, if the first bytes do not decide.
    pub reason: Option<&'static str>,
    /// Whether the game is a guess.
    pub guess: bool,
    /// The version in a text.
    pub version: String,
    /// The version byte.
    pub version_byte: Option<u8>,
    /// The programs that write this version.
    pub version_name: &'static str,
    /// The outer header: dsda-doom's or `PrBoom+um`'s.
    pub wrapper: Option<&'static str>,
    /// The compatibility level that plays it, by its version or by the command line in the footer.
    pub complevel: Option<u8>,
    /// The skill, counted from 1.
    pub skill: Option<i64>,
    /// The name of the first map; two names if the recording may be of DOOM or of DOOM II.
    pub maps: Vec<String>,
    /// The rules that are set: respawn, fast, no monsters, deathmatch and others.
    pub rules: Vec<&'static str>,
    /// The run's category as far as the header and the footer show it, in the words of archives: skill,
    /// rules, solo-net.
    pub category: Vec<&'static str>,
    /// The number of players.
    pub players: usize,
    /// The players' names, if the header has them.
    pub names: Vec<String>,
    /// The number of tics.
    pub tics: u64,
    /// The duration in seconds.
    pub seconds: f64,
    /// The size in bytes.
    pub bytes: u64,
    /// Whether the end mark is present; Duke's recordings have none.
    pub end_mark: bool,
    /// The number of bytes after the records.
    pub footer_bytes: u64,
    /// The number of bytes of damaged runs between Duke's records.
    pub damaged_bytes: u64,
    /// Whether the last tic lacks players.
    pub incomplete: bool,
    /// Whether the counts in the header are right.
    pub true_counts: bool,
    /// Whether dsda-doom's outer header says that the records end past the end of the file.
    pub end_beyond: bool,
    /// Whether the footer begins like a WAD file but is not a valid one.
    pub broken_footer: bool,
    /// Whether the player who recorded does not play.
    pub strange_view: bool,
    /// Whether the game has no map of this number, and the footer names no WAD file that could have it.
    pub strange_map: bool,
    /// Whether the header has more flags of compatibility than MBF21 knows.
    pub many_flags: bool,
    /// Whether the header has MBF's layout and version, and Boom's signature.
    pub strange_signature: bool,
    /// Whether dsda-doom's outer header is newer than those that engines were measured with.
    pub new_wrapper: bool,
    /// Whether dsda-doom's outer header says that the recording begins at a key frame.
    pub from_key_frame: bool,
    /// The port that recorded, by the footer.
    pub port: Option<String>,
    /// The port's command line, by the footer.
    pub command_line: Option<String>,
    /// The game's own WAD file, from the command line in the footer.
    pub iwad: Option<String>,
    /// The added WAD files and patches, by the command line.
    pub wads: Vec<String>,
    /// The bit mask of dsda-doom's features that were used, in hexadecimal.
    pub features: Option<String>,
    /// The key presses of each player.
    pub pressed: Vec<PressedKeys>,
    /// The lines of the header.
    #[serde(skip)]
    pub(crate) lines: Vec<Line>,
}

/// The input of a player, counted in tics; it does not show its effect in the game.
///
/// ```
/// use moviola_input::InputSummary;
/// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\x32\0\x01\x32\x32\0\x1c\x80";
/// let pressed = &InputSummary::read(&recording[..], None).unwrap().pressed[0];
/// assert_eq!((pressed.fire, pressed.shots, pressed.sr50, pressed.weapons[0]), (1, 1, 2, (2, 4)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PressedKeys {
    /// Tics with movement ahead.
    pub forward: u64,
    /// Tics with movement back.
    pub back: u64,
    /// Tics with movement to a side.
    pub side: u64,
    /// Tics with a turn to the left.
    pub left: u64,
    /// Tics with a turn to the right.
    pub right: u64,
    /// Tics at the speeds that only strafing at 50 gives: 50 ahead or back, and 50 to a side.
    pub sr50: u64,
    /// Tics ahead or back at 50 and to a side at 40.
    pub sr40: u64,
    /// Tics with fire.
    pub fire: u64,
    /// Tics with use.
    pub uses: u64,
    /// The number of times that fire was pressed.
    pub shots: u64,
    /// Tics in which nothing is pressed.
    pub idle: u64,
    /// Tics with a turn that no keyboard gives.
    pub mouse: u64,
    /// Tics that begin or end a pause.
    pub pauses: u64,
    /// Saved games.
    pub saves: u64,
    /// The number of weapon changes.
    pub weapon_changes: u64,
    /// Weapon changes: the tic and the weapon, both counted from 1. Only the first thousand are listed.
    pub weapons: Vec<(u64, u32)>,
    #[serde(skip)]
    fired: bool,
}

/// The number of compatibility flags in MBF21.
const MBF21_FLAGS: usize = 25;

/// The most weapon changes that are listed.
const CHANGES: usize = 1000;

impl PressedKeys {
    /// The counts with their names.
    ///
    /// ```
    /// assert_eq!(moviola_input::PressedKeys::default().counts()[0], ("forward", 0));
    /// ```
    pub fn counts(&self) -> [(&'static str, u64); 12] {
        [
            ("forward", self.forward),
            ("back", self.back),
            ("side", self.side),
            ("left", self.left),
            ("right", self.right),
            ("SR50", self.sr50),
            ("SR40", self.sr40),
            ("fire", self.fire),
            ("use", self.uses),
            ("nothing", self.idle),
            ("turns of a mouse", self.mouse),
            ("pauses", self.pauses),
        ]
    }

    pub(crate) fn add(&mut self, tic: u64, record: &RecordForm, bytes: &[u8]) {
        let input = record.input(bytes);
        let is_special = !record.keys && input.buttons & 0x80 != 0;
        let (fire, uses) = if record.keys { (4, 1 << 29) } else { (1, 2) };
        let has = |bit: u32| !is_special && input.buttons & bit != 0;
        let plus = |count: &mut u64, yes: bool| *count += u64::from(yes);
        plus(&mut self.forward, input.forward > 0);
        plus(&mut self.back, input.forward < 0);
        plus(&mut self.side, input.side != 0);
        plus(&mut self.left, input.turn > 0);
        plus(&mut self.right, input.turn < 0);
        plus(&mut self.sr50, input.forward.abs() == 50 && input.side.abs() == 50);
        plus(&mut self.sr40, input.forward.abs() == 50 && input.side.abs() == 40);
        plus(&mut self.fire, has(fire));
        plus(&mut self.uses, has(uses));
        plus(&mut self.shots, has(fire) && !self.fired);
        plus(&mut self.idle, input == TicInput::default());
        // Keys turn by 640 or 1280 units of 65536, and by 320 in the first tics. In a byte these are 1 to 5.
        let keyboard: &[i32] = if record.wide == 2 { &[0, 320, 640, 1280] } else { &[0, 1, 2, 3, 5] };
        plus(&mut self.mouse, !record.keys && !keyboard.contains(&input.turn.abs()));
        plus(&mut self.pauses, record.is_pause(bytes));
        plus(&mut self.saves, record.is_save(bytes));
        self.fired = has(fire);
        plus(&mut self.weapon_changes, input.weapon > 0);
        if input.weapon > 0 && self.weapons.len() < CHANGES {
            self.weapons.push((tic + 1, input.weapon.into()));
        }
    }
}

impl InputSummary {
    /// Reads a recording to its end. `game` forces a layout.
    ///
    /// ```
    /// use moviola_input::InputSummary;
    /// assert_eq!(InputSummary::read(&b"a text"[..], None).unwrap().format, "unknown");
    /// ```
    pub fn read(source: impl Read, game: Option<&str>) -> io::Result<Self> {
        Self::watched(source, game, |_, _| {})
    }

    /// Reads a recording to its end, and calls `see` with each record.
    ///
    /// ```
    /// use moviola_input::InputSummary;
    /// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80";
    /// let mut seen = 0;
    /// InputSummary::watched(&recording[..], None, |_, _| seen += 1).unwrap();
    /// assert_eq!(seen, 1);
    /// ```
    pub fn watched(
        source: impl Read,
        game: Option<&str>,
        mut see: impl FnMut(TicPlace, TicInput),
    ) -> io::Result<Self> {
        let mut recording = Recording::open(source, game)?;
        let header = recording.header().clone();
        let record = recording.record_form();
        let mut pressed = vec![PressedKeys::default(); recording.players().min(64)];
        let (mut length, mut tail, mut footer_bytes, mut damaged) = (0u64, Vec::new(), 0u64, 0u64);
        while let Some(piece) = recording.next_piece()? {
            match piece {
                InputPiece::Record { tic, player, bytes } => {
                    length += bytes.len() as u64;
                    if let Some(pressed) = pressed.get_mut(player) {
                        pressed.add(tic, &record, bytes);
                    }
                    see(TicPlace { tic, player, rate: rate(&header) }, record.input(bytes));
                }
                InputPiece::Packing(_) | InputPiece::End => {}
                InputPiece::Damaged(bytes) => damaged += bytes.len() as u64,
                InputPiece::Tail(bytes) => {
                    footer_bytes += bytes.len() as u64;
                    if tail.len() + bytes.len() <= LARGEST {
                        tail.extend_from_slice(bytes);
                    }
                }
            }
        }
        let records = recording.records;
        let truth = real_counts(&header, length, recording.tics(), records);
        // Engines stop at the end of a recording, so they do not play a last tic that lacks players.
        let tics = records / recording.players().max(1) as u64;
        let verdict = &recording.verdict;
        let (version, version_name) = header.version();
        let mut summary = Self {
            format: match () {
                () if !crate::evidence::is_known(&header) => "unknown",
                () if header.form.is_packed() => "dmo",
                () => "lmp", // not from SCHEMA: a file extension
            },
            game: verdict.unread_format.unwrap_or(header.game()).to_owned(),
            reason: verdict.reason.map(|it| it.0),
            guess: verdict.reason.is_some_and(|it| it.1),
            version,
            version_byte: header.version_byte(),
            version_name,
            wrapper: match header.wrapper {
                Wrapper::None => None,
                Wrapper::Dsda(_) => Some("dsda-doom"),
                Wrapper::Um => Some("PrBoom+um"),
            },
            complevel: header.version_byte().and_then(|byte| header.form.version(byte)?.complevel),
            skill: header.value("Skill").map(|skill| skill + i64::from(!header.form.is_packed())),
            rules: rules(&header),
            category: category(&header),
            players: header.players(),
            names: header
                .lines()
                .iter()
                .filter(|it| it.0.starts_with("Name"))
                .filter_map(|it| crate::escape::unquoted(&it.1))
                .map(|it| String::from_utf8_lossy(&it).into_owned())
                .collect(),
            tics,
            seconds: tics as f64 / rate(&header) as f64,
            bytes: recording.read_bytes(),
            end_mark: recording.ended,
            footer_bytes,
            damaged_bytes: damaged,
            incomplete: recording.players() > 0 && records % recording.players() as u64 != 0,
            true_counts: header.claims() == truth,
            end_beyond: header.claims().end.is_some_and(|end| u64::from(end) >= recording.read_bytes()),
            // If the header does not have that field, the first player is the recorder.
            strange_view: !header.form.is_packed()
                && !header.active().contains(&(header.value("ViewOfPlayer").unwrap_or_default() as usize)),
            from_key_frame: header.is_from_key_frame(),
            strange_map: header
                .value("Map")
                .is_some_and(|map| !header.form.is_packed() && map > i64::from(header.form.last_map())),
            many_flags: header.form.counted(header.inner()) > MBF21_FLAGS,
            strange_signature: header.form == &MBF_DOOM
                && header.version_byte() == Some(203)
                && is_boom_signed(header.inner()),
            new_wrapper: matches!(header.wrapper, Wrapper::Dsda(3..)),
            pressed,
            lines: header.lines(),
            ..Self::default()
        };
        summary.read_footer(&tail);
        let game = summary.iwad.as_deref().and_then(crate::form::game_of_wad);
        summary.maps = header.maps(game);
        // DOOM II came after version 1.5.
        let is_old = header.version_byte().is_some_and(|byte| byte < 106);
        if let Some(game) = game.filter(|_| header.form.game.starts_with("DOOM or") && !is_old) {
            game.clone_into(&mut summary.game);
        }
        Ok(summary)
    }

    fn read_footer(&mut self, tail: &[u8]) {
        let Some(found) = Footer::read(tail) else {
            self.broken_footer = self.end_mark && footer::wad_at(tail).is_some();
            return;
        };
        self.port = found.text("PORTNAME");
        self.command_line = found.text("CMDLINE");
        // The lump has a verse, and then a line with the bits and a signature of the tics.
        let bits = |it: &str| Some(it.strip_prefix("0x")?.split_once('-')?.0.to_owned());
        self.features =
            found.text("FEATURES").and_then(|it| it.lines().find_map(bits)).map(|it| format!("0x{it}"));
        let words = footer::words(self.command_line.as_deref().unwrap_or_default());
        self.iwad = found.iwad();
        self.wads = ["-file", "-merge", "-deh", "-dehacked", "-bex"]
            .iter()
            .flat_map(|name| footer::option(&words, name))
            .cloned()
            .collect();
        if words.iter().any(|word| word == "-solo-net") {
            self.category.push("solo-net");
        }
        let level = footer::option(&words, "-complevel").next();
        let level =
            level.and_then(|it| it.parse().ok().or_else(|| complevel_named(it, self.iwad.as_deref())));
        self.complevel = self.complevel.or(level);
        // The footer names WAD files, which may contain the map.
        self.strange_map &= self.wads.is_empty();
    }

    /// The first map in a few words: `MAP07`, or `E1M7 or MAP07` if both are possible; `-` if it is unknown.
    ///
    /// ```
    /// use moviola_input::InputSummary;
    /// let recording = b"\x6d\x03\x02\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80";
    /// assert_eq!(InputSummary::read(&recording[..], None).unwrap().map(), "E2M1");
    /// ```
    pub fn map(&self) -> String {
        if self.maps.is_empty() { "-".to_owned() } else { self.maps.join(" or ") }
    }

    /// The game as questions name it: `doom2` for LMPC's `DOOM ][`.
    ///
    /// ```
    /// use moviola_input::InputSummary;
    /// let recording = b"\x6d\x03\x01\x0f\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80";
    /// assert_eq!(InputSummary::read(&recording[..], None).unwrap().game_word(), "doom2");
    /// ```
    pub fn game_word(&self) -> String {
        self.game.to_lowercase().replace("doom ][", "doom2").replace(" nukem 3d", "")
    }

    /// The duration in LMPC's notation.
    ///
    /// ```
    /// use moviola_input::InputSummary;
    /// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80";
    /// assert_eq!(InputSummary::read(&recording[..], None).unwrap().length(), "0.02s");
    /// ```
    pub fn length(&self) -> String {
        duration(self.tics, if self.format == "dmo" { 30 } else { 35 })
    }

    /// The ending in a few words: an end mark, a footer, or neither.
    ///
    /// ```
    /// use moviola_input::InputSummary;
    /// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01";
    /// assert_eq!(InputSummary::read(&recording[..], None).unwrap().ending(), "no end mark");
    /// ```
    pub fn ending(&self) -> String {
        let count = |bytes: u64| format!("{bytes} {}", if bytes == 1 { "byte" } else { "bytes" });
        match (self.format, self.end_mark, self.footer_bytes) {
            ("unknown", ..) => "-".to_owned(),
            ("dmo", _, 0) => "end of the records".to_owned(),
            (_, true, 0) => "end mark".to_owned(),
            ("dmo", _, bytes) => format!("{} after the records", count(bytes)),
            (_, true, bytes) => format!("{} of a footer", count(bytes)),
            (_, false, 0) => "no end mark".to_owned(),
            (_, false, bytes) => format!("no end mark, {} of a record", count(bytes)),
        }
    }

    /// The lines of the header, the evidence, the length, the ending and the texts of the footer, as names
    /// and values.
    ///
    /// ```
    /// use moviola_input::InputSummary;
    /// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80";
    /// let facts = InputSummary::read(&recording[..], None).unwrap().facts();
    /// assert!(facts.contains(&("Skill".to_owned(), "4".to_owned())));
    /// ```
    pub fn facts(&self) -> Vec<(String, String)> {
        let mut facts: Vec<(String, String)> = Vec::new();
        for (key, value, remark) in &self.lines {
            let remark = if remark.is_empty() { String::new() } else { format!(" ({remark})") };
            // The footer may show the game where the header does not.
            let value = if key == "Game" { &self.game } else { value };
            facts.push((key.clone(), format!("{value}{remark}")));
        }
        let mut add =
            |key: &str, value: Option<String>| facts.extend(value.map(|value| (key.to_owned(), value)));
        add("Made by", (!self.version_name.is_empty()).then(|| self.version_name.to_owned()));
        add(
            "Evidence",
            self.reason.map(|why| if self.guess { format!("a guess: {why}") } else { why.to_owned() }),
        );
        add("Category", (!self.category.is_empty()).then(|| self.category.join(", ")));
        add("Complevel", self.complevel.map(|it| it.to_string()));
        add("Length", Some(format!("{} ({} tics)", self.length(), self.tics)));
        add("End", Some(self.ending()));
        add("Port", self.port.clone());
        add("Command line", self.command_line.clone());
        add("IWAD", self.iwad.clone());
        add("WADs", (!self.wads.is_empty()).then(|| self.wads.join(" ")));
        add("Features", self.features.clone());
        facts
    }
}

/// The category: the skill in runners' words, if the game is DOOM, and the rules.
fn category(header: &Header) -> Vec<&'static str> {
    let is_doom = !header.form.is_packed() && !header.form.record.more;
    let skill = header.value("Skill").filter(|_| is_doom).and_then(|it| usize::try_from(it).ok());
    let named = skill.and_then(|it| ["itytd", "hntr", "hmp", "uv", "nm"].get(it).copied());
    let short = |rule: &'static str| if rule == NO_MONSTERS { "nomo" } else { rule };
    named.into_iter().chain(rules(header).into_iter().map(short)).collect()
}

/// The rule for which runners have a shorter word.
const NO_MONSTERS: &str = "no monsters";

/// The rules that are set, in words.
fn rules(header: &Header) -> Vec<&'static str> {
    let mut rules = Vec::new();
    match header.value("MultiRule") {
        Some(1) => rules.push("deathmatch"),
        Some(2) => rules.push("altdeath"),
        Some(0) if header.players() > 1 => rules.push("cooperative"),
        _ => {}
    }
    let named =
        [("Respawn", "respawn"), ("Fast", "fast"), ("NoMonsters", NO_MONSTERS), ("FFire", "friendly fire")];
    rules.extend(
        named.iter().filter(|(key, _)| header.value(key).is_some_and(|it| it != 0)).map(|(_, name)| *name),
    );
    let flags =
        if matches!(header.form.game, "HERETIC" | "HEXEN") { header.inner().get(3).copied() } else { None };
    rules.extend(
        HERETIC_FLAGS.iter().filter(|(bit, _)| flags.unwrap_or_default() & bit != 0).map(|(_, name)| *name),
    );
    rules
}
