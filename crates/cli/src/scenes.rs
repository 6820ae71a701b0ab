//! The options that `still` and `film` share: the games' files, the view and the look.

use crate::cli::choice;
use crate::failure;
use crate::input::{Input, ReopenableInput, printable};
use crate::maps;
use crate::units::counted;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use moviola::analyse::Report;
use moviola::assets::GameFiles;
use moviola::edit::{BlockRun, SpanEnd, Spans};
use moviola::export::Story;
use moviola::film::OverheadRecording;
use moviola::format::FaultKind;
use moviola::render::{LookKind, LookOptions, Renderer};
use moviola::scene::{Hud, Moment, SceneOptions, Seeker, UnreadParts};
use std::collections::BTreeSet;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A recording that can go to any moment.
pub(crate) type Projector<'i> = Seeker<Box<dyn FnMut() -> io::Result<Input> + 'i>, Input>;

/// On or off.
const SWITCH: &[bool] = &[true, false];

fn switch(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// Where the games' files are.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GamePlaces {
    /// Take levels, models, pictures and sounds from this folder, .pak, .pk3 or .zip; may be repeated, and the last one
    /// wins.
    #[arg(long, value_name = "PLACE")]
    game: Vec<PathBuf>,
}

impl GamePlaces {
    /// Opens all of them.
    pub(crate) fn open(&self) -> Result<GameFiles> {
        maps::open(&self.game)
    }
}

/// The options for the view and the look.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is seen")]
pub(crate) struct ViewOptions {
    #[command(flatten)]
    game: GamePlaces,
    /// The size of the picture in pixels [default: 1280x720].
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,
    /// The field of view in degrees, for a 4:3 screen.
    #[arg(long, value_name = "DEGREES", value_parser = field_of_view)]
    fov: Option<f32>,
    /// The kind of renderer to imitate: GL or software.
    #[arg(long, value_name = "LOOK", value_parser = choice(&[LookKind::Gl, LookKind::Software], look_name))]
    look: Option<LookKind>,
    /// Draw textures in hard squares, without smoothing.
    #[arg(long)]
    nearest: bool,
    /// Draw this many samples across and down for each pixel.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4))]
    ssaa: Option<u32>,
    /// Use colored light (.lit) where the level has it; on if left out.
    #[arg(long, value_name = "ON|OFF", num_args = 0..=1, default_missing_value = "on", value_parser = choice(SWITCH, switch))]
    lit: Option<bool>,
    /// The status bar and texts: on, minimal or off.
    #[arg(long, value_name = "HUD", value_parser = choice(&[Hud::On, Hud::Minimal, Hud::Off], hud_name))]
    hud: Option<Hud>,
    /// Console lines and centered texts, for as long as engines show them.
    #[arg(long, value_name = "ON|OFF", value_parser = choice(SWITCH, switch))]
    texts: Option<bool>,
    /// The weapon in hand.
    #[arg(long, value_name = "ON|OFF", value_parser = choice(SWITCH, switch))]
    viewmodel: Option<bool>,
    /// Particles.
    #[arg(long, value_name = "ON|OFF", value_parser = choice(SWITCH, switch))]
    particles: Option<bool>,
    /// Color tints over the view: water, damage, powerups.
    #[arg(long, value_name = "ON|OFF", value_parser = choice(SWITCH, switch))]
    tints: Option<bool>,
    /// Fog; the software look never has it.
    #[arg(long, value_name = "ON|OFF", value_parser = choice(SWITCH, switch))]
    fog: Option<bool>,
    /// Bobbing, rolling and kicks of the view.
    #[arg(long, value_name = "ON|OFF", value_parser = choice(SWITCH, switch))]
    sway: Option<bool>,
    /// Interpolate positions and poses between those of the recording.
    #[arg(long, value_name = "ON|OFF", value_parser = choice(SWITCH, switch))]
    interpolate: Option<bool>,
    /// The position of the eye.
    #[arg(long, value_name = "X,Y,Z", value_parser = three, allow_hyphen_values = true)]
    eye: Option<[f32; 3]>,
    /// The direction of the eye; positive pitch looks down.
    #[arg(long, value_name = "PITCH,YAW,ROLL", value_parser = three, allow_hyphen_values = true)]
    angles: Option<[f32; 3]>,
    /// A free camera: position and direction. The recorder is visible, and the recorder's HUD is not.
    // not from SCHEMA: an option of the program
    #[arg(long, value_name = "X,Y,Z,PITCH,YAW", value_parser = five, allow_hyphen_values = true, conflicts_with_all = ["eye", "angles"])]
    free: Option<[f32; 5]>,
}

fn look_name(look: LookKind) -> &'static str {
    match look {
        LookKind::Gl => "gl",
        LookKind::Software => "software",
    }
}

fn hud_name(hud: Hud) -> &'static str {
    match hud {
        Hud::On => "on",
        Hud::Minimal => "minimal",
        Hud::Off => "off",
    }
}

/// Larger sizes are refused as mistakes.
const MAX_SIDE: u32 = 8192;

fn size(word: &str) -> Result<[u32; 2], String> {
    let sides = word
        .split_once(['x', 'X'])
        .and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    match sides {
        Some(sides @ [16..=MAX_SIDE, 16..=MAX_SIDE]) => Ok(sides),
        _ => Err("a size is two numbers from 16 to 8192 with an x between, 1280x720".to_owned()),
    }
}

/// Engines limit the field of view to these degrees.
const FIELDS_OF_VIEW: RangeInclusive<f32> = 1.0..=170.0;

fn field_of_view(word: &str) -> Result<f32, String> {
    let degrees = word.parse().ok().filter(|degrees| FIELDS_OF_VIEW.contains(degrees));
    degrees.ok_or_else(|| {
        let (least, most) = (FIELDS_OF_VIEW.start(), FIELDS_OF_VIEW.end());
        format!("a field of view goes from {least} to {most} degrees")
    })
}

fn numbers<const N: usize>(word: &str) -> Result<[f32; N], String> {
    let numbers: Option<Vec<f32>> = word.split(',').map(|it| it.trim().parse().ok()).collect();
    let numbers = numbers.filter(|all| all.iter().all(|it| it.is_finite()));
    numbers.and_then(|all| all.try_into().ok()).ok_or_else(|| format!("{N} numbers with commas between"))
}

fn three(word: &str) -> Result<[f32; 3], String> {
    numbers(word)
}

fn five(word: &str) -> Result<[f32; 5], String> {
    numbers(word)
}

impl ViewOptions {
    /// The look of the pictures.
    pub(crate) fn look(&self, usual: [u32; 2], plain: bool) -> LookOptions {
        LookOptions {
            kind: self.look.unwrap_or_default(),
            size: self.size.unwrap_or(usual),
            samples: self.ssaa.unwrap_or(1),
            color_light: self.lit.unwrap_or(!plain),
            threads: 1,
            nearest: self.nearest,
        }
    }

    /// The parts of the scene to draw.
    pub(crate) fn options(&self, look: &LookOptions, plain: bool) -> SceneOptions {
        let base_options = if plain { SceneOptions::plain() } else { SceneOptions::default() };
        let free = self.free.map(|[x, y, z, pitch, yaw]| ([x, y, z], [pitch, yaw, 0.0]));
        SceneOptions {
            screen: SceneOptions::screen_for(look.size),
            fov: self.fov,
            interpolate: self.interpolate.unwrap_or(base_options.interpolate),
            particles: self.particles.unwrap_or(base_options.particles),
            tints: self.tints.unwrap_or(base_options.tints),
            fog: self.fog.unwrap_or(base_options.fog),
            sway: self.sway.unwrap_or(base_options.sway),
            weapon: self.viewmodel.unwrap_or(base_options.weapon),
            hud: self.hud.unwrap_or(base_options.hud),
            texts: self.texts.unwrap_or(base_options.texts),
            eye: free.map(|(eye, _)| eye).or(self.eye),
            angles: free.map(|(_, angles)| angles).or(self.angles),
            free: free.is_some(),
            ..base_options
        }
    }

    /// Whether the eye has a place or a direction of its own.
    pub(crate) fn places_camera(&self) -> bool {
        self.free.is_some() || self.eye.is_some() || self.angles.is_some()
    }

    /// Whether the option for the status bar was given.
    pub(crate) fn names_hud(&self) -> bool {
        self.hud.is_some()
    }

    /// Where the games' files are.
    pub(crate) fn game(&self) -> &GamePlaces {
        &self.game
    }

    /// The games' files, ready to be drawn.
    pub(crate) fn renderer(&self) -> Result<Renderer> {
        Ok(Renderer::new(Arc::new(self.game.open()?)))
    }
}

/// The view of a recording from above.
pub(crate) fn above(recording: &ReopenableInput) -> Result<OverheadRecording> {
    Ok(OverheadRecording::new(Story::read_paths(recording.open()?, recording.name())?))
}

/// Says which levels were drawn from above, because their files are missing.
pub(crate) fn say_from_above(levels: &BTreeSet<String>, files: &GameFiles, quiet: bool) {
    if quiet || levels.is_empty() {
        return;
    }
    let names: Vec<&str> = levels.iter().map(String::as_str).collect();
    let (is, places) = (if names.len() == 1 { "is" } else { "are" }, searched(files));
    failure::line(&format!(
        "note: {} {is} missing ({places}), so the view is from above; --game PLACE names the game's files",
        names.join(", "),
    ));
}

/// The places in which files were searched, in words.
fn searched(files: &GameFiles) -> String {
    let places = files.places();
    if places.is_empty() {
        "no --game PLACE was named".to_owned()
    } else {
        format!("looked for in {}", places.join(", "))
    }
}

/// Lists the missing files, after everything is drawn. Those that `already_named` has were named before.
pub(crate) fn say_missing(files: &GameFiles, already_named: &BTreeSet<String>, quiet: bool) {
    let mut troubles = files.troubles();
    troubles.retain(|it| !already_named.contains(&it.name));
    if quiet || troubles.is_empty() {
        return;
    }
    let places = searched(files);
    let mut lines = vec![format!("note: {} missing or damaged ({places}):", files_were(troubles.len()))];
    lines.extend(troubles.iter().take(MOST_LINES).map(|it| format!("  {}: {}", it.name, it.problem)));
    if troubles.len() > MOST_LINES {
        lines.push(format!("  and {} more", troubles.len() - MOST_LINES));
    }
    failure::line(&lines.join("\n"));
}

fn files_were(count: usize) -> String {
    if count == 1 { "1 file was".to_owned() } else { format!("{count} files were") }
}

/// Says how much of a recording could not be read, after its end was reached: a film does not show it.
pub(crate) fn say_unread(projector: &Projector<'_>, recording: &ReopenableInput, quiet: bool) {
    let UnreadParts { blocks, bytes, .. } = projector.unread();
    let name = printable(Path::new(recording.name()));
    let ends = format!("the ends of {blocks} of {}", counted(projector.reel().blocks(), "block"));
    let between = format!("{} outside of blocks", counted(bytes, "byte"));
    let lost = match (blocks, bytes) {
        (0, 0) => return,
        (_, 0) => ends,
        (0, _) => between,
        _ => format!("{ends}, and {between}"),
    };
    if !quiet {
        failure::line(&format!(
            "note: {name}: {lost} could not be read: what is in there is not shown; `moviola check` has the places"
        ));
    }
}

/// The most missing files that are listed.
const MOST_LINES: usize = 40;

/// A recording, ready to go to any moment.
pub(crate) fn projector(recording: &ReopenableInput) -> Result<Projector<'_>> {
    let open: Box<dyn FnMut() -> io::Result<Input> + '_> =
        Box::new(|| recording.open().map_err(|error| io::Error::other(error.to_string())));
    Seeker::new(open)?
        .ok_or_else(|| anyhow!("{} is not a recording of Quake, QuakeWorld or Quake II", recording.name()))
}

/// Looks through the eyes of a player, by name or number. Where nobody is named, a recording of all players is seen through
/// the eyes of one: in a match (.mvd, .mvd2) the one with the most frags, in a Quake II server's recording the first one.
/// Returns the player's entity if the recording does not have that player's screen. A camera with a place of its own
/// needs no player.
pub(crate) fn look_through(
    projector: &mut Projector<'_>,
    who: Option<&str>,
    recording: &ReopenableInput,
    (is_placed, quiet): (bool, bool),
) -> Result<Option<u16>> {
    let has_all = projector.has_all();
    if who.is_none() && !has_all {
        projector.go(Moment::At(0.0))?;
        let lacks_eyes = !is_placed && !projector.reel().has_screen();
        return if lacks_eyes {
            first_player(recording, quiet).map(|(player, _)| Some(player))
        } else {
            Ok(None)
        };
    }
    projector.walk(|_| {})?;
    let player = match who {
        Some(who) => match find(who, &projector.reel().players()) {
            Some(player) => player,
            None => named(who, &all_players(recording)?, recording)?,
        },
        None => match best_player(projector, recording)? {
            Some((number, name, count)) => {
                say_eyes(&format!("{name}, who has {count}"), quiet);
                number
            }
            None if is_placed => return Ok(None),
            None => first_player(recording, quiet)?.0,
        },
    };
    with_player(projector, player)
}

fn say_eyes(whose: &str, quiet: bool) {
    if !quiet {
        failure::line(&format!("through the eyes of {whose}; --who names another player"));
    }
}

/// Whether a recording has all players, but no player's own view: a Quake II server's recording.
pub(crate) fn is_of_server(projector: &mut Projector<'_>) -> Result<bool> {
    if projector.has_all() {
        // Scenes can show any of its players without an edit.
        return Ok(false);
    }
    projector.go(Moment::At(0.0))?;
    Ok(projector.reel().recorder_entity().is_none())
}

/// The first player of a recording of all players.
pub(crate) fn first_player(recording: &ReopenableInput, quiet: bool) -> Result<(u16, String)> {
    let player = all_players(recording)?.into_iter().next();
    let player = player.ok_or_else(|| {
        anyhow!(
            "{}: nobody plays in it, so there are no eyes to look through; --free X,Y,Z,PITCH,YAW places a camera",
            recording.name()
        )
    })?;
    say_eyes(&player.1, quiet);
    Ok(player)
}

/// Looks through the eyes of the player with this entity. Returns the entity if the recording does not have that player's
/// screen.
fn with_player(projector: &mut Projector<'_>, player: u16) -> Result<Option<u16>> {
    if projector.has_all() {
        projector.follow(player)?;
        return Ok(None);
    }
    Ok(Some(player).filter(|player| projector.reel().recorder_entity() != Some(*player)))
}

/// All players that a recording ever names, also those who left before its end.
///
/// # Errors
/// It names none, because its messages cannot be read.
fn all_players(recording: &ReopenableInput) -> Result<Vec<(u16, String)>> {
    let mut all = BTreeSet::new();
    let mut projector = projector(recording)?;
    projector.walk(|reel| all.extend(reel.players()))?;
    match projector.unread().first_fault {
        Some(fault) if all.is_empty() && matches!(fault.kind, FaultKind::RawProtocol(_)) => {
            let name = printable(Path::new(recording.name()));
            bail!("{name}: nothing of it can be shown: {fault}")
        }
        _ => Ok(all.into_iter().collect()),
    }
}

/// The player with the most frags in a match, and how many these are. Some games count elsewhere than in the player's
/// stats: there the kills count that the recording announces.
fn best_player(
    projector: &Projector<'_>,
    recording: &ReopenableInput,
) -> Result<Option<(u16, String, String)>> {
    let Some((number, name, frags)) = projector.reel().leader() else { return Ok(None) };
    if frags <= 0 {
        let players = Report::read(recording.open()?)?.players;
        // Of several players with as many kills, the first one is taken.
        let killers = players.into_iter().rev().filter(|it| it.kills > 0);
        let best =
            killers.filter_map(|it| Some((u16::from(it.slot?) + 1, it))).max_by_key(|(_, it)| it.kills);
        if let Some((number, best)) = best {
            return Ok(Some((number, best.name, counted(best.kills, "kill"))));
        }
    }
    Ok(Some((number, name, counted(frags.max(0) as u64, "frag"))))
}

/// The player with this name, with this number, or with a part of the name that no other player has.
fn find(who: &str, players: &[(u16, String)]) -> Option<u16> {
    let whole =
        players.iter().find(|(number, name)| name.eq_ignore_ascii_case(who) || who.parse() == Ok(*number));
    let wanted = who.to_lowercase();
    let mut part = players.iter().filter(|(_, name)| name.to_lowercase().contains(&wanted));
    let one = part.next().filter(|_| part.next().is_none());
    whole.or(one).map(|(number, _)| *number)
}

fn named(who: &str, players: &[(u16, String)], recording: &ReopenableInput) -> Result<u16> {
    find(who, players).ok_or_else(|| {
        let names: Vec<&str> = players.iter().map(|(_, name)| name.as_str()).collect();
        anyhow!("{}: there is no player `{who}` in it: {}", recording.name(), names.join(", "))
    })
}

/// Reads spans, in the words of all edits.
pub(crate) fn parse_spans(words: &str) -> Result<Spans> {
    Spans::parse(words).map_err(|mistake| anyhow!("`{words}`: {}", mistake.message))
}

/// Finds spans in a recording.
pub(crate) fn runs(recording: &ReopenableInput, spans: &Spans) -> Result<Vec<BlockRun>> {
    let open = || recording.open().map_err(|error| io::Error::other(error.to_string()));
    spans.runs(open).map_err(|error| anyhow!("`{}`: {error}", spans.text()))
}

/// The game time with which the only span begins or ends.
pub(crate) fn time_of(spans: &Spans, end: bool) -> Option<f64> {
    let mut all = spans.iter();
    let (one, None) = (all.next()?, all.next()) else { return None };
    match if end { &one.to } else { &one.from } {
        Some(SpanEnd::Time(time)) => Some(*time),
        _ => None,
    }
}
