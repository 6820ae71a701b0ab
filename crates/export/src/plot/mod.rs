//! Charts of recordings as SVG, and as PNG.

mod frame;
mod heat;
mod marks;
mod path;
mod plan;
#[cfg(feature = "png")]
mod png;
mod svg;
mod timeline;
mod vitals;

use crate::{RecorderSample, Story};
pub(crate) use frame::{clock, file_name};
pub(crate) use marks::place;
use moviola_assets::{Bsp, FloorPlan};

#[cfg(feature = "png")]
pub use png::{PngError, png};
use std::fmt;

/// A kind of chart.
///
/// ```
/// use moviola_export::Chart;
/// let names: Vec<&str> = Chart::ALL.iter().map(|chart| chart.name()).collect();
/// assert_eq!(names, ["path", "heat", "vitals", "speed", "timeline"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Chart {
    /// The path of the recorder through a level, seen from above.
    Path,
    /// Where recording players were in a level, over many recordings.
    Heat,
    /// Health and armor over time.
    Vitals,
    /// Speed over time.
    Speed,
    /// The events over time, kind by kind.
    Timeline,
}

impl Chart {
    /// All kinds of charts.
    pub const ALL: &[Self] = &[Self::Path, Self::Heat, Self::Vitals, Self::Speed, Self::Timeline];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Heat => "heat",
            Self::Vitals => "vitals",
            // not from SCHEMA: a kind of plot.
            Self::Speed => "speed",
            Self::Timeline => "timeline",
        }
    }
}

/// Options for drawing.
///
/// ```
/// let manner = moviola_export::PlotOptions { dark: true, ..Default::default() };
/// assert!(manner.level.is_none() && !manner.by_speed);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlotOptions {
    /// Whether the picture is always dark; otherwise an SVG follows the reader's settings, and a PNG is
    /// light.
    pub dark: bool,
    /// The level, counted from 1; `None` for the one with the most to see.
    pub level: Option<u32>,
    /// A path by speed, not by time.
    pub by_speed: bool,
    /// The player whose path or health is drawn, in a recording of several players.
    pub player: Option<String>,
}

/// The reason why there is no picture.
///
/// ```
/// use moviola_export::{Chart, PlotOptions, NoPicture, Story, plot};
/// let refused = plot(&[Story::default()], Chart::Path, &PlotOptions::default()).unwrap_err();
/// assert!(matches!(refused, NoPicture::NoWay(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPicture {
    /// The level does not exist; the second value is the number of levels.
    NoLevel(u32, usize),
    /// The recording does not contain a player's places.
    NoWay(String),
    /// The recording has no times.
    NoTime(String),
    /// The player is only seen by others, so health and armor are unknown.
    NoVitals(String),
    /// No player has this name; the second text lists the players.
    NoPlayer(String, String),
    /// Several recordings were given for a chart that shows a single one.
    Several(&'static str),
}

impl fmt::Display for NoPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLevel(number, 1) => write!(f, "there is no level {number}: the recording has 1 level"),
            Self::NoLevel(number, count) => {
                write!(f, "there is no level {number}: the recording has {count} levels")
            }
            Self::NoWay(file) => write!(f, "nothing in {file} tells where its player was"),
            Self::NoTime(file) => {
                write!(f, "nothing in {file} has a time, so there is no chart of it")
            }
            Self::NoVitals(file) => write!(
                f,
                "{file} is a server's recording, which tells where players are and not how they are: try --kind path"
            ),
            Self::NoPlayer(name, names) if names.is_empty() => {
                write!(f, "nobody in it is called {name}: the recording shows one player's way")
            }
            Self::NoPlayer(name, names) => write!(f, "nobody in it is called {name}: there are {names}"),
            Self::Several(name) => write!(f, "a {name} chart is of one recording: only `heat` takes several"),
        }
    }
}

impl std::error::Error for NoPicture {}

/// Draws a chart as SVG.
///
/// ```
/// use moviola_export::{Chart, PlotOptions, RecorderSample, StoryLevel, Story, plot};
/// let way = |n: u16| RecorderSample { block: n.into(), time: f32::from(n), at: Some([f32::from(n) * 32.0, 0.0, 0.0]), ..RecorderSample::default() };
/// let level = StoryLevel { number: 1, map: "dm4".into(), samples: (0..9).map(way).collect(), ..StoryLevel::default() };
/// let story = Story { file: "run.dem".into(), levels: vec![level], ..Story::default() };
/// let svg = plot(&[story], Chart::Path, &PlotOptions::default()).unwrap();
/// assert!(svg.starts_with("<svg ") && svg.contains("dm4"));
/// ```
pub fn plot(stories: &[Story], chart: Chart, manner: &PlotOptions) -> Result<String, NoPicture> {
    plot_on_maps(stories, chart, manner, &mut |_| None)
}

/// Finds a level by the name of its file, for the floor plan under the paths. If it returns `None`, the chart has no
/// floor plan.
pub type MapFiles<'m> = dyn FnMut(&str) -> Option<Bsp> + 'm;

/// Draws a chart as SVG, with the level's floor plan under a path.
///
/// ```
/// use moviola_export::{Chart, PlotOptions, RecorderSample, StoryLevel, Story, plot_on_maps};
/// let way = |n: u16| RecorderSample { time: f32::from(n), at: Some([f32::from(n) * 32.0, 0.0, 0.0]), ..RecorderSample::default() };
/// let level = StoryLevel { number: 1, map: "dm4".into(), samples: (0..9).map(way).collect(), ..StoryLevel::default() };
/// let story = Story { levels: vec![level], ..Story::default() };
/// let mut asked = Vec::new();
/// let mut maps = |name: &str| {
///     asked.push(name.to_owned());
///     None
/// };
/// plot_on_maps(&[story], Chart::Path, &PlotOptions::default(), &mut maps).unwrap();
/// assert_eq!(asked, ["maps/dm4.bsp"]);
/// ```
pub fn plot_on_maps(
    stories: &[Story],
    chart: Chart,
    manner: &PlotOptions,
    maps: &mut MapFiles<'_>,
) -> Result<String, NoPicture> {
    if chart == Chart::Heat {
        return heat::draw(stories, manner, maps);
    }
    let [story] = stories else { return Err(NoPicture::Several(chart.name())) };
    let followed;
    let story = match &manner.player {
        Some(name) => {
            followed = follow(story, name)?;
            &followed
        }
        None => story,
    };
    match chart {
        Chart::Path | Chart::Heat => path::draw(story, manner, maps),
        Chart::Vitals => vitals::draw(story, manner),
        Chart::Speed => vitals::draw_speed(story, manner),
        Chart::Timeline => timeline::draw(story, manner),
    }
}

/// The floor plan of a level for these paths.
pub(crate) fn floor_plan<'s>(
    map: &str,
    ways: impl Iterator<Item = &'s [RecorderSample]>,
    most: usize,
    maps: &mut MapFiles<'_>,
) -> Option<FloorPlan> {
    if map.is_empty() {
        return None;
    }
    let level = maps(&format!("maps/{map}.bsp"))?;
    // Of positions that are near to each other one is enough to choose the floors.
    let places: Vec<[f32; 3]> = ways
        .flat_map(|way| way.iter().step_by(way.len() / 20_000 + 1))
        .filter_map(|sample| sample.at)
        .collect();
    FloorPlan::of(&level, &places, most)
}

/// The story with the path of one of its players as the main path.
fn follow(story: &Story, name: &str) -> Result<Story, NoPicture> {
    let mut story = story.clone();
    let mut found = false;
    for level in &mut story.levels {
        found |= level.follow(name);
    }
    if found || story.recorder() == Some(name) {
        return Ok(story);
    }
    let mut names: Vec<&str> =
        story.levels.iter().flat_map(|level| &level.ways).map(|way| way.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    Err(NoPicture::NoPlayer(name.to_owned(), names.join(", ")))
}
