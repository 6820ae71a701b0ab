//! The view from above, which needs no file of the game: the places where players walked during the whole recording are
//! drawn as floor, and over it their paths so far and their positions.
//!
//! All of it is computed from the recording's story and the game's clock, so that a picture of a moment does not
//! depend on how the moment was reached.

use crate::canvas::{Mask, Pen, Rgb, fill};
use crate::floors::draw_floors;
use crate::growth::Growth;
use crate::map::{MapScale, Walk, bounds};
use moviola_assets::GameFiles;
use moviola_export::{Story, StoryLevel};
use moviola_format::clock_text;
use moviola_format::names::Glyph;
use moviola_render::RenderedFrame;
use moviola_scene::{Draw, Hud, Moment, NoFiles, Reel, Scene, SceneOptions, Vec3};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The view of a recording from above.
///
/// ```
/// use moviola_export::Story;
/// use moviola_film::{OverheadRecording, OverheadMoment};
/// let above = OverheadRecording::new(Story::default());
/// assert!(above.missing().is_empty());
/// assert_eq!(above.frame(&OverheadMoment::default(), [16, 9]).rgba.len(), 16 * 9 * 4);
/// ```
#[derive(Debug)]
pub struct OverheadRecording {
    story: Story,
    /// The most recently used charts, the newest at the end. All frames of a film use one; a page alternates between
    /// the sizes of moving and resting pictures.
    charts: Mutex<Vec<(Key, Arc<Chart>)>>,
    missing: Mutex<BTreeSet<String>>,
}

/// The number of a level, and the size of the picture.
type Key = (u32, [u32; 2]);

/// The parts of a level's picture, in one size, that do not depend on the moment.
#[derive(Debug)]
struct Chart {
    /// `None` if no player was seen anywhere.
    scale: Option<MapScale>,
    /// The picture without players: the places where any player walked in the whole level.
    floor: RenderedFrame,
    /// The paths of the players, in the order of [`walks`].
    ways: Vec<Growth>,
}

/// The greatest memory of all charts together, in bytes. The current one is kept even if it needs more.
const MOST_CHARTS: usize = 64 << 20;

/// A moment that is drawn from above.
///
/// ```
/// assert_eq!(moviola_film::OverheadMoment::default().block, 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct OverheadMoment {
    /// The moment as a scene: the level, and the texts over the picture.
    pub scene: Scene,
    /// The block that it shows.
    pub block: u64,
    /// The moment on the game's clock, by which the story knows where the players are.
    pub time: f64,
    /// The time that is written below the map.
    pub clock: f64,
}

pub(crate) const PAPER: Rgb = [17, 19, 23];
const INK: Rgb = [232, 232, 228];
const DIM: Rgb = [150, 154, 160];
/// The second color of the games' fonts.
const BRONZE: Rgb = [214, 158, 92];

/// The colors of players. The first one is the recorder's.
const PLAYERS: [Rgb; 8] = [
    [255, 178, 60],
    [92, 182, 238],
    [70, 205, 140],
    [238, 104, 140],
    [240, 228, 80],
    [186, 146, 255],
    [255, 122, 72],
    [170, 226, 230],
];

/// A player who was not seen for this many seconds is drawn as an empty ring at the last known position.
const LOST: f64 = 1.0;

/// The least height of a picture in dots. In larger pictures dots have several pixels, as in the games' own texts.
const SCREEN: u32 = 360;

/// Smaller pictures have no names and no clock, which would cover them.
const SMALLEST: u32 = 120;

/// The left, top, right and bottom margins around the map, in dots. The line with the clock is below the map.
const MARGINS: [i64; 4] = [16, 14, 16, 26];

impl OverheadRecording {
    /// The view of a recording from above.
    pub fn new(story: Story) -> Self {
        // Events are not drawn, and may be many.
        let story = Story { events: Vec::new(), ..story };
        Self { story, charts: Mutex::default(), missing: Mutex::default() }
    }

    /// The files of levels that were missing so far.
    pub fn missing(&self) -> Vec<String> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The view of a moment from above, if the file of its level is missing.
    pub fn look(
        &self,
        reel: &Reel,
        moment: Moment,
        options: &SceneOptions,
        files: &GameFiles,
    ) -> Option<OverheadMoment> {
        let seen = Self::moment(reel, moment, options);
        let level = seen.scene.level.as_ref().filter(|level| files.bsp(&level.file).is_none())?;
        self.missing.lock().unwrap_or_else(PoisonError::into_inner).insert(level.file.to_string());
        Some(seen)
    }

    /// The view of a moment from above. It shows the game's clock.
    ///
    /// ```
    /// use moviola_film::OverheadRecording;
    /// use moviola_scene::{Moment, Reel};
    /// let reel = Reel::new(moviola_format::Game::Quake);
    /// assert_eq!(OverheadRecording::moment(&reel, Moment::At(0.0), &Default::default()).block, 0);
    /// ```
    pub fn moment(reel: &Reel, moment: Moment, options: &SceneOptions) -> OverheadMoment {
        // The status bar is made of pictures of the game, which may be missing.
        let options = SceneOptions { hud: Hud::Off, ..options.clone() };
        // Models are not drawn, so missing ones must not be reported.
        let mut scene = reel.scene(moment, &options, &NoFiles);
        let [_, height] = &mut scene.view.size;
        *height = (*height - MARGINS[3] as i32).max(1);
        let time = reel.game_time(moment).unwrap_or_default();
        OverheadMoment { scene, block: reel.shown_block(moment).unwrap_or_default(), time, clock: time }
    }

    /// Draws a moment.
    pub fn frame(&self, seen: &OverheadMoment, size: [u32; 2]) -> RenderedFrame {
        let dot = i64::from(size[1] / SCREEN).max(1);
        let Some(level) = self.level(seen) else {
            let mut frame = paper(size);
            texts(&seen.scene, &mut frame);
            return frame;
        };
        let chart = self.chart(level, size);
        let mut frame = RenderedFrame::clone(&chart.floor);
        let Some(scale) = chart.scale else { return frame };
        let time = if seen.time.is_finite() { seen.time } else { 0.0 };
        let walks = walks(level);
        let drawn: Vec<_> = walks.iter().zip(PLAYERS.into_iter().cycle()).collect();
        for ((walk, color), way) in drawn.iter().zip(&chart.ways) {
            let on_the_way = walk.place(time).filter(|place| place.is_on_the_way);
            way.draw(time, on_the_way.map(|place| scale.pixel(place.at)), dot as f64, &mut frame, *color);
        }
        for (walk, color) in drawn.iter().rev() {
            draw_player(walk, time, &scale, dot, &mut frame, *color);
        }
        if size[1] >= SMALLEST {
            draw_names(&drawn, time, &scale, dot, &mut frame);
        }
        if size[1] >= SMALLEST {
            draw_footer(level, seen.clock, &scale, dot, &mut frame);
        }
        texts(&seen.scene, &mut frame);
        frame
    }

    /// The pixel of a place in the level, with fractions; `None` if the level has no map.
    ///
    /// ```
    /// use moviola_film::{OverheadMoment, OverheadRecording};
    /// let above = OverheadRecording::new(moviola_export::Story::default());
    /// assert_eq!(above.pixel(&OverheadMoment::default(), [16, 9], [0.0; 3]), None);
    /// ```
    pub fn pixel(&self, seen: &OverheadMoment, size: [u32; 2], place: Vec3) -> Option<[f64; 2]> {
        Some(self.chart(self.level(seen)?, size).scale?.pixel(place))
    }

    /// The level of a moment: the last level that began, if its file is the one that the scene shows.
    fn level(&self, seen: &OverheadMoment) -> Option<&StoryLevel> {
        let file = seen.scene.level.as_ref()?.file.rsplit('/').next()?;
        let first = |level: &StoryLevel| {
            let ways =
                level.other_paths().map(|way| way.samples.as_slice()).chain([level.samples.as_slice()]);
            ways.filter_map(|samples| samples.first()).map(|sample| sample.block).min()
        };
        let is_it = |level: &&StoryLevel| file.strip_suffix(".bsp") == Some(level.map.as_str());
        let all = || self.story.levels.iter().filter(is_it);
        let begun = all().rev().find(|level| first(level).is_some_and(|first| first <= seen.block));
        // A level is shown even before its first sample.
        begun.or_else(|| all().next())
    }

    /// The chart of a level, from the cache if possible.
    fn chart(&self, level: &StoryLevel, size: [u32; 2]) -> Arc<Chart> {
        let key = (level.number, size);
        let mut charts = self.charts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = charts.iter().position(|(known, _)| *known == key) {
            let known = charts.remove(at);
            charts.push(known);
        } else {
            charts.push((key, Arc::new(Chart::of(level, size))));
            let fits = |room: &mut usize, (_, chart): &(Key, Arc<Chart>)| {
                *room = room.checked_sub(chart.bytes())?;
                Some(())
            };
            let kept = 1 + charts.iter().rev().skip(1).scan(MOST_CHARTS, fits).count();
            let old = charts.len() - kept;
            charts.drain(..old);
        }
        charts.last().map_or_else(|| Arc::new(Chart::of(level, size)), |(_, chart)| Arc::clone(chart))
    }
}

impl Chart {
    fn of(level: &StoryLevel, size: [u32; 2]) -> Self {
        let (scale, walks, mut floor) = (scale(level, size), walks(level), paper(size));
        let dot = (size[1] / SCREEN).max(1);
        let ways = scale.map(|scale| {
            draw_floors(&walks, &scale, &mut floor);
            walks.iter().map(|walk| Growth::of(walk, &scale, f64::from(dot), size)).collect()
        });
        Self { scale, floor, ways: ways.unwrap_or_default() }
    }

    /// The memory that the chart takes, in bytes.
    fn bytes(&self) -> usize {
        self.floor.rgba.len() + self.ways.iter().map(Growth::bytes).sum::<usize>()
    }
}

fn paper(size: [u32; 2]) -> RenderedFrame {
    let [red, green, blue] = PAPER;
    RenderedFrame { size, rgba: [red, green, blue, 255].repeat(size[0] as usize * size[1] as usize) }
}

/// The players of a level: the player of the main path, and the others.
fn walks(level: &StoryLevel) -> Vec<Walk<'_>> {
    let recorder = level.players.iter().find(|player| player.is_recorder).map(|player| &player.name);
    let name = level.seen.as_ref().or(recorder).map_or("", |name| name.as_str());
    let first = Walk { name, samples: &level.samples };
    let others = level.other_paths().map(|way| Walk { name: way.name.as_str(), samples: &way.samples });
    [first].into_iter().chain(others).collect()
}

/// The scale of a level in a picture, which is the same for all of its moments.
fn scale(level: &StoryLevel, size: [u32; 2]) -> Option<MapScale> {
    let dot = i64::from(size[1] / SCREEN).max(1);
    let margins = if size[1] < SMALLEST { [3; 4] } else { MARGINS.map(|margin| (margin * dot) as u32) };
    let points = walks(level).into_iter().flat_map(|walk| walk.samples.iter().filter_map(|sample| sample.at));
    bounds(points).map(|bounds| MapScale::fitting(bounds, size, margins))
}

/// Draws where a player is, and the direction of the view.
fn draw_player(
    walk: &Walk<'_>,
    time: f64,
    scale: &MapScale,
    dot: i64,
    frame: &mut RenderedFrame,
    color: Rgb,
) {
    let Some(place) = walk.place(time) else { return };
    let [x, y] = scale.pixel(place.at);
    let size = dot as f64;
    let is_lost = place.age > LOST;
    let angle = f64::from(place.yaw).to_radians();
    let ahead = [x + libm::cos(angle) * 11.0 * size, y - libm::sin(angle) * 11.0 * size];
    let mut mask = Mask::around(frame.size, [[x, y]], 11.0 * size);
    mask.line([x, y], [x, y], 11.0 * size, 1.0);
    mask.paint(frame, PAPER, 1.0);
    let mut mask = Mask::around(frame.size, [[x, y], ahead], 8.0 * size);
    if is_lost {
        mask.line([x, y], [x, y], 7.0 * size, 1.0);
        mask.paint(frame, color, 0.45);
    } else {
        mask.line([x, y], ahead, 2.0 * size, 1.0);
        mask.line([x, y], [x, y], 8.0 * size, 1.0);
        mask.paint(frame, color, 1.0);
    }
}

/// A rectangle in the picture: left, top, right, bottom.
type Place = [i64; 4];

/// The area that two parts have in common.
fn overlap([left, top, right, bottom]: Place, other: Place) -> i64 {
    let [from_left, from_top, to_right, to_bottom] = other;
    let (wide, high) = (right.min(to_right) - left.max(from_left), bottom.min(to_bottom) - top.max(from_top));
    wide.max(0) * high.max(0)
}

/// The place where a name of this size covers the least of the taken places: beside a player, above, below, or some lines
/// away.
fn spot([x, y]: [i64; 2], [wide, high]: [i64; 2], dot: i64, size: [u32; 2], taken: &[Place]) -> Place {
    let gap = 14 * dot;
    let (left, middle, right) = (x - gap - wide, x - wide / 2, x + gap);
    let level = y - high / 2;
    let near = [(right, level), (left, level), (middle, y - gap - high), (middle, y + gap)];
    let lines = [-1, 1, -2, 2, -3, 3, -4, 4, -5, 5].map(|line| level + line * (high + dot));
    let all = near.into_iter().chain(lines.into_iter().flat_map(|top| [(right, top), (left, top)]));
    let places = all.map(|(left, top)| [left, top, left + wide, top + high]);
    let [width, height] = size.map(i64::from);
    let covers = |it: &Place| {
        let outside = wide * high - overlap(*it, [0, 0, width, height]);
        taken.iter().map(|other| overlap(*it, *other)).sum::<i64>() + 4 * outside
    };
    // If several places cover equally many pixels, the first one is taken.
    places.min_by_key(covers).unwrap_or_default()
}

/// Writes the names beside their players, so that they do not cover each other.
fn draw_names(drawn: &[(&Walk<'_>, Rgb)], time: f64, scale: &MapScale, dot: i64, frame: &mut RenderedFrame) {
    let here = |(walk, color): &(&Walk<'_>, Rgb)| {
        let place = walk.place(time)?;
        let (is_lost, name) = (place.age > LOST, ascii(walk.name));
        let pen = Pen { dot, color: if is_lost { DIM } else { *color } };
        let size = [pen.width(&name), 8 * dot];
        Some((NamedPlayer { at: scale.pixel(place.at).map(|at| at as i64), size, is_lost }, name, pen))
    };
    let here: Vec<_> = drawn.iter().filter_map(here).collect();
    let players: Vec<NamedPlayer> = here.iter().map(|(player, ..)| *player).collect();
    for (place, (_, name, pen)) in spots(&players, dot, frame.size).into_iter().zip(&here) {
        if let Some([left, top, ..]) = place {
            pen.write(frame, [left, top], name);
        }
    }
}

/// A player in the picture, and the size of the name.
#[derive(Clone, Copy, Debug)]
struct NamedPlayer {
    at: [i64; 2],
    size: [i64; 2],
    is_lost: bool,
}

/// The places of the names. Players who are not visible now get theirs last, and only if there is room.
fn spots(players: &[NamedPlayer], dot: i64, size: [u32; 2]) -> Vec<Option<Place>> {
    let radius = 6 * dot;
    let around = |it: &NamedPlayer| {
        let [x, y] = it.at;
        [x - radius, y - radius, x + radius, y + radius]
    };
    let mut taken: Vec<Place> = players.iter().map(around).collect();
    let mut places = vec![None; players.len()];
    for is_lost in [false, true] {
        for (player, place) in players.iter().zip(&mut places).filter(|(it, _)| it.is_lost == is_lost) {
            let found = spot(player.at, player.size, dot, size, &taken);
            if !is_lost || taken.iter().all(|other| overlap(found, *other) == 0) {
                taken.push(found);
                *place = Some(found);
            }
        }
    }
    places
}

/// A name in the letters of the small font.
fn ascii(name: &str) -> String {
    let to_ascii = |sign: char| match sign {
        '⓪' => '0',
        '①'..='⑨' => char::from_digit(sign as u32 - '①' as u32 + 1, 10).unwrap_or('?'),
        '⟦' => '[',
        '⟧' => ']',
        ' '..='~' => sign,
        _ => '.',
    };
    name.replace("**", "").chars().map(to_ascii).collect()
}

/// The line below the map: the clock and the level's name, and the length of a distance.
fn draw_footer(level: &StoryLevel, clock: f64, scale: &MapScale, dot: i64, frame: &mut RenderedFrame) {
    let [width, height] = frame.size.map(i64::from);
    let top = height - 15 * dot;
    let (ink, dim) = (Pen { dot, color: INK }, Pen { dot, color: DIM });
    let clock = clock_text((clock.max(0.0) * 10.0).min(1e12) as u64);
    ink.write(frame, [MARGINS[0] * dot, top], &clock);
    let left = MARGINS[0] * dot + ink.width(&clock) + 16 * dot;
    let units = scale.round_units(width as f64 / 6.0);
    let length = (units * scale.factor) as i64;
    let bar = width - MARGINS[2] * dot - length;
    let label = format!("{units} units");
    let label_left = bar - 8 * dot - dim.width(&label);
    let letters = ((label_left - left) / ink.width(" ") - 2).max(0) as usize;
    let name: String = ascii(&level.name()).chars().take(letters).collect();
    dim.write(frame, [left, top], &name);
    dim.write(frame, [label_left, top], &label);
    fill(frame, [bar, top + 5 * dot], [bar + length, top + 6 * dot], DIM, 256);
    for end in [bar, bar + length - dot] {
        fill(frame, [end, top + 2 * dot], [end + dot, top + 6 * dot], DIM, 256);
    }
}

/// Writes the texts of a scene: lines of the console, texts in the middle, captions.
fn texts(scene: &Scene, frame: &mut RenderedFrame) {
    let [across, down] = scene.overlay.screen.map(i64::from);
    if across <= 0 || down <= 0 {
        return;
    }
    let [width, height] = frame.size.map(i64::from);
    let pixel = |[x, y]: [i64; 2]| [(x * width).div_euclid(across), (y * height).div_euclid(down)];
    let dot = (height / down).max(1);
    for draw in &scene.overlay.draws {
        match draw {
            Draw::Character { code, at } => {
                let glyph = Glyph::of(*code);
                let color = if glyph.bronze || !glyph.sign.is_ascii() { BRONZE } else { INK };
                Pen { dot, color }.write(frame, pixel(at.map(i64::from)), &ascii(&glyph.sign.to_string()));
            }
            // Only captions have a background, which is black.
            Draw::Fill { area, alpha, .. } => {
                let [at, size] = [area.at, area.size].map(|it| it.map(i64::from));
                let to = pixel([at[0].saturating_add(size[0]), at[1].saturating_add(size[1])]);
                fill(frame, pixel(at), to, [0; 3], (alpha.clamp(0.0, 1.0) * 256.0) as u32);
            }
            Draw::Picture { .. } | Draw::Tile { .. } => {}
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;
    use moviola_export::{PlayerPath, RecorderSample};
    use moviola_scene::{LevelView, Overlay};

    const SIZE: [u32; 2] = [160, 90];

    fn samples(north: f32) -> Vec<RecorderSample> {
        let sample = |block: u64| {
            let time = block as f32 / 10.0;
            RecorderSample { block, time, at: Some([time * 200.0, north, 0.0]), ..RecorderSample::default() }
        };
        (0..50).map(sample).collect()
    }

    fn story() -> Story {
        let other = PlayerPath { name: "Grue".into(), samples: samples(400.0) };
        let level = StoryLevel {
            number: 1,
            map: "dm4".into(),
            samples: samples(0.0),
            others: vec![other],
            ..StoryLevel::default()
        };
        Story { levels: vec![level], ..Story::default() }
    }

    fn moment(time: f64) -> OverheadMoment {
        let view = LevelView { file: "maps/dm4.bsp".into(), styles: Vec::new(), areas: None };
        let scene = Scene { level: Some(view), ..Scene::default() };
        OverheadMoment { scene, block: (time * 10.0) as u64, time, clock: time }
    }

    #[test]
    fn players_are_where_the_moment_has_them() {
        let above = OverheadRecording::new(story());
        let frame = above.frame(&moment(2.5), SIZE);
        let scale = scale(&above.story.levels[0], SIZE).unwrap();
        for (north, color) in [(0.0, PLAYERS[0]), (400.0, PLAYERS[1])] {
            let [x, y] = scale.pixel([500.0, north, 0.0]).map(|at| at as u32);
            let [red, green, blue, _] = frame.pixel(x, y).unwrap();
            let off = [red, green, blue].iter().zip(color).map(|(one, other)| one.abs_diff(other)).max();
            assert!(off.unwrap() < 4, "{red} {green} {blue} is not {color:?}");
            // The picture shows floor ahead of the player, who walks there later.
            let [x, y] = scale.pixel([900.0, north, 0.0]).map(|at| at as u32);
            assert_eq!(frame.pixel(x, y).unwrap()[..3], [48, 53, 62]);
        }
    }

    #[test]
    fn a_picture_does_not_depend_on_those_before() {
        let above = OverheadRecording::new(story());
        let first = above.frame(&moment(1.0), SIZE);
        above.frame(&moment(4.0), SIZE);
        above.frame(&moment(2.0), [320, 200]);
        assert_eq!(above.frame(&moment(1.0), SIZE), first);
        assert_eq!(OverheadRecording::new(story()).frame(&moment(1.0), SIZE), first);
    }

    #[test]
    fn names_of_players_close_together_do_not_cover_each_other() {
        let mut taken = Vec::new();
        for player in 0..8 {
            let place = spot([320, 180 + player], [64, 8], 1, [640, 360], &taken);
            assert_eq!(
                taken.iter().map(|other| overlap(place, *other)).sum::<i64>(),
                0,
                "{player}: {place:?}"
            );
            taken.push(place);
        }
        let [left, top, right, bottom] = spot([635, 2], [64, 8], 1, [640, 360], &[]);
        assert!(left >= 0 && top >= 0 && right <= 640 && bottom <= 360, "a name stays in the picture");
    }

    #[test]
    fn names_of_players_who_are_not_seen_give_way() {
        let player =
            |number: i64| NamedPlayer { at: [320, 180 + number % 3], size: [64, 8], is_lost: number > 0 };
        let players: Vec<NamedPlayer> = (0..60).map(player).rev().collect();
        let places = spots(&players, 1, [640, 360]);
        assert!(places.last().unwrap().is_some(), "the one who is seen has a name");
        let shown: Vec<Place> = places.into_iter().flatten().collect();
        assert!(shown.len() > 4 && shown.len() < 60, "{} names", shown.len());
        for (number, one) in shown.iter().enumerate() {
            assert!(shown.iter().skip(number + 1).all(|other| overlap(*one, *other) == 0), "{one:?}");
        }
    }

    #[test]
    fn texts_are_written_without_the_font_of_the_game() {
        let above = OverheadRecording::new(story());
        let mut with_text = moment(1.0);
        let draws = vec![Draw::Character { code: b'H', at: [8, 8] }];
        with_text.scene.overlay = Overlay { screen: [160, 90], draws };
        let frame = above.frame(&with_text, SIZE);
        assert_eq!(frame.pixel(9, 8).map(|[red, ..]| red), Some(INK[0]));
        assert_ne!(frame, above.frame(&moment(1.0), SIZE));
    }

    #[test]
    fn names_keep_the_digits_of_gold() {
        assert_eq!(ascii("⟦①⓪⟧ **Ranger**é"), "[10] Ranger.");
    }
}
