//! A self-contained page about a recording: the path, the events and the scores, with a scrubber.

// not from SCHEMA, all words: charts have words of their own for colors, axes and kinds.

mod folder;
mod ground;

pub use folder::FolderPage;

use crate::plot::{clock as short_clock, file_name, place};
use crate::{MapFiles, RecorderSample, ScoreboardPlayer, Story, StoryLevel};
use moviola_analyse::{Event, EventKind, Listed, MatchReport, MatchTable, Report};
use moviola_assets::FloorPlan;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");

/// The mark in a page that is replaced by a player of the recording, if there is one.
///
/// ```
/// use moviola_export::{PLAYER, Story, page};
/// assert!(page(&Story::default(), &Default::default()).contains(PLAYER));
/// ```
pub const PLAYER: &str = "<!--moviola:player-->";

/// The largest size of a page in bytes, small enough to be sent as a file.
const MOST_BYTES: usize = 5 << 20;

/// The limits on the contents of a page.
#[derive(Clone, Copy, Debug)]
struct PageLimits {
    /// The samples of a level: more than the page has pixels for.
    samples: usize,
    /// The samples of all levels together.
    all_samples: usize,
    /// The events of all levels together.
    events: usize,
    levels: usize,
}

impl PageLimits {
    const WHOLE: Self = Self { samples: 8000, all_samples: 64_000, events: 16_000, levels: 512 };

    fn halved(self) -> Self {
        let Self { samples, all_samples, events, levels } = self;
        Self { samples, all_samples: all_samples / 2, events: events / 2, levels: (levels / 2).max(1) }
    }
}

/// The distance in a tenth of a second that no player walks.
const JUMP: f64 = 160.0;

/// The kinds of events that the log shows on request.
fn quiet() -> Vec<&'static str> {
    EventKind::ROWS.iter().filter(|row| row.listed != Listed::Always).map(|row| row.name).collect()
}

/// A page about a recording, as one text: HTML with its data, style and script.
///
/// ```
/// use moviola_analyse::Report;
/// use moviola_export::{Story, page};
/// let demo = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let story = Story::read(&demo[..], "run <1>.dem").unwrap();
/// let page = page(&story, &Report::read(&demo[..]).unwrap());
/// assert!(page.starts_with("<!DOCTYPE html>") && page.contains("run &lt;1&gt;.dem"));
/// ```
pub fn page(story: &Story, report: &Report) -> String {
    page_on_maps(story, report, &mut |_| None)
}

/// Like [`page`], with the level's floor plan under the path.
///
/// ```
/// use moviola_analyse::Report;
/// use moviola_export::{Story, page, page_on_maps};
/// let (story, report) = (Story::default(), Report::default());
/// assert_eq!(page_on_maps(&story, &report, &mut |_| None), page(&story, &report));
/// ```
pub fn page_on_maps(story: &Story, report: &Report, maps: &mut MapFiles<'_>) -> String {
    let shown = story.levels.get(..PageLimits::WHOLE.levels.min(story.levels.len())).unwrap_or_default();
    let plans = ground::plans(shown, maps);
    // Long names and texts can make the page larger than `MOST_BYTES`; then it is built again with half as much
    // content.
    let mut room = PageLimits::WHOLE;
    loop {
        let page = page_with(story, report, &plans, room);
        if page.len() <= MOST_BYTES || room.levels == 1 {
            return page;
        }
        room = room.halved();
    }
}

fn page_with(story: &Story, report: &Report, plans: &[Option<FloorPlan>], room: PageLimits) -> String {
    let maps: Vec<String> =
        story.levels.iter().map(StoryLevel::name).filter(|name| !name.is_empty()).collect();
    let title = match maps.as_slice() {
        [] => file_name(&story.file).to_owned(),
        [one] => one.clone(),
        [first, .., last] => format!("{first} … {last}"),
    };
    filled(PAGE, |mark, out| {
        match mark {
            "TITLE" => out.push_str(&escaped(&title)),
            "ABOUT" => out.push_str(&escaped(&summary_line(story, report))),
            "STYLE" => out.push_str(STYLE),
            "DATA" => data(story, report, plans, room, out),
            "SCRIPT" => out.push_str(SCRIPT),
            _ => return false,
        }
        true
    })
}

/// Fills a template: `put` writes the text for a mark, `@MARK@`, and returns `false` if it does not know the
/// mark.
fn filled(template: &str, mut put: impl FnMut(&str, &mut String) -> bool) -> String {
    let mut out = String::with_capacity(template.len() + STYLE.len() + SCRIPT.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('@') {
        out.push_str(before);
        let (mark, behind) = after.split_once('@').unwrap_or((after, ""));
        if put(mark, &mut out) {
            rest = behind;
        } else {
            out.push('@');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The data for the page's script, written piece by piece: a tree of all values would take ten times as much memory.
fn data(story: &Story, report: &Report, plans: &[Option<FloorPlan>], room: PageLimits, out: &mut String) {
    // A script's data must not contain `<`; JSON has another spelling of it.
    let put = |value: &Value, out: &mut String| out.push_str(&value.to_string().replace('<', "\\u003c"));
    let levels = story.levels.get(..room.levels.min(story.levels.len())).unwrap_or_default();
    let first = story.longest().and_then(|longest| levels.iter().position(|level| level == longest));
    let more = story.more_levels.saturating_add(story.levels.len()).saturating_sub(levels.len());
    let events: usize = levels.iter().map(|level| story.events_of(level).count()).sum();
    let every = events.div_ceil(room.events.max(1)).max(1);
    let facts = json!({
        "about": summary_line(story, report),
        "first": first.unwrap_or_default(),
        "quiet": quiet(),
        "more": more,
        "table": table(story, levels),
        "fighters": fighters(report),
        "weapons": weapons(report),
        "items": one_match(report, MatchReport::items),
        "facts": facts(report),
    });
    put(&facts, out);
    out.pop();
    out.push_str(",\"levels\":[");
    let most = (room.all_samples / levels.len().max(1)).min(room.samples).max(2);
    for (at, one) in levels.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        let plan = plans.get(at).and_then(Option::as_ref);
        put(&level(story, one, report, plan, [most, every]), out);
    }
    out.push_str("]}");
}

fn summary_line(story: &Story, report: &Report) -> String {
    let name = file_name(&story.file).to_owned();
    let mut parts = vec![name];
    // These parts are the same as in the report on a terminal.
    parts.extend(
        report.recorder.iter().filter(|name| !name.is_empty()).map(|name| format!("recorded by {name}")),
    );
    parts.extend(story.game.map(|game| game.title().to_owned()));
    parts.extend(finish_time(story));
    parts.extend(report.length.map(|length| format!("{} recorded", short_clock(length))));
    parts.extend(Some(report.unread()).filter(|unread| !unread.is_empty()).map(|unread| unread.to_string()));
    parts.join(" · ")
}

/// The time of the run: that of the one finished level, or the sum if there are several.
fn finish_time(story: &Story) -> Option<String> {
    let seconds = |event: &Event| match event.kind {
        EventKind::LevelEnd { seconds, .. } => seconds,
        _ => None,
    };
    let times: Vec<f64> = story.events.iter().filter_map(seconds).collect();
    match times.as_slice() {
        [] => None,
        [one] => Some(format!("finished in {}", clock(*one))),
        several => Some(format!("{} levels in {}", several.len(), clock(several.iter().sum()))),
    }
}

fn clock(seconds: f64) -> String {
    let hundredths = (seconds * 100.0).round() as i64;
    let (minutes, rest) = (hundredths / 6000, hundredths % 6000);
    format!("{minutes}:{:02}.{:02}", rest / 100, rest % 100)
}

/// Each level as it was played: name, time, kills and secrets of how many.
fn table(story: &Story, levels: &[StoryLevel]) -> Vec<[String; 4]> {
    let out_of = |done: Option<i32>, all: Option<i32>| match (done, all) {
        // The level has no monsters or secrets, or the recording does not have the number.
        (Some(0), Some(0)) | (None, _) => "–".to_owned(),
        (Some(done), Some(all)) => format!("{done} / {all}"),
        (Some(done), None) => done.to_string(),
    };
    let mut rows = Vec::new();
    let (mut sum, mut times) = (0.0, 0);
    for level in levels {
        let end = story.events_of(level).find_map(|event| match &event.kind {
            EventKind::LevelEnd { seconds, kills, total_kills, secrets, total_secrets, .. } => {
                Some((*seconds, out_of(*kills, *total_kills), out_of(*secrets, *total_secrets)))
            }
            _ => None,
        });
        let (seconds, kills, secrets) = end.unwrap_or((None, "–".into(), "–".into()));
        if let Some(seconds) = seconds {
            sum += seconds;
            times += 1;
        }
        let time = seconds.map_or_else(|| "not finished".to_owned(), clock);
        rows.push([level.name(), time, kills, secrets]);
    }
    if times > 1 {
        rows.push([format!("{times} levels"), clock(sum), String::new(), String::new()]);
    }
    rows
}

/// A table about the players of the first match, if there is one. A page shows only one match.
fn one_match(report: &Report, of: impl Fn(&MatchReport) -> MatchTable) -> Value {
    let MatchTable { head, rows } = report.matches.first().map(of).unwrap_or_default();
    json!({ "head": head, "rows": if head.len() > 1 { rows } else { Vec::new() } })
}

/// The players who killed or died, or those of the match.
fn fighters(report: &Report) -> Value {
    if !report.matches.is_empty() {
        return one_match(report, MatchReport::scores);
    }
    let rows = report.players.iter().filter(|player| player.kills > 0 || player.deaths > 0);
    let rows = rows.map(|player| {
        let numbers =
            [player.kills, player.deaths, player.suicides, player.streak].map(|number| number.to_string());
        let [kills, deaths, suicides, streak] = numbers;
        [player.name.clone(), kills, deaths, suicides, streak]
    });
    json!({ "head": ["name", "kills", "deaths", "suicides", "streak"], "rows": rows.collect::<Vec<_>>() })
}

/// The weapons that were used, with hits, kills and deaths if they are known.
fn weapons(report: &Report) -> Value {
    if report.weapons.is_empty() {
        return one_match(report, MatchReport::accuracy);
    }
    let fought = report.weapons.iter().any(|weapon| weapon.kills > 0 || weapon.deaths > 0);
    let head = ["weapon", "shots", "hits", "kills", "killed by"];
    let columns = if fought { head.len() } else { 3 };
    let row = |weapon: &moviola_analyse::WeaponReport| {
        let hits = match &weapon.pellets {
            Some(hits) if hits.pellets > 0 => format!("{} %", hits.hits.saturating_mul(100) / hits.pellets),
            _ => "–".to_owned(),
        };
        let shots = weapon.shots.map_or_else(|| "–".to_owned(), |number| number.to_string());
        let [kills, deaths] = [weapon.kills, weapon.deaths].map(|number| number.to_string());
        [weapon.weapon.clone(), shots, hits, kills, deaths]
    };
    let rows = report.weapons.iter().map(|weapon| row(weapon).into_iter().take(columns).collect());
    let rows: Vec<Vec<String>> = rows.collect();
    json!({ "head": head.iter().take(columns).collect::<Vec<_>>(), "rows": rows })
}

/// The facts about the file.
fn facts(report: &Report) -> Vec<[String; 2]> {
    let fact = |name: &str, value: Option<String>| value.map(|value| [name.to_owned(), value]);
    let audited = |found: Option<moviola_analyse::AuditSeverity>| {
        let word = found.map_or("none found", moviola_analyse::AuditSeverity::word);
        report.audited.then(|| word.to_owned())
    };
    let broken = (report.damaged_blocks > 0).then(|| report.damaged_blocks.to_string());
    let one = report.matches.first();
    let statistics = one.filter(|one| one.statistics.is_some()).map(|one| match one.differences.len() {
        0 => "agree".to_owned(),
        1 => "differ in one number".to_owned(),
        count => format!("differ in {count} numbers"),
    });
    [
        fact("match", one.map(MatchReport::summary)),
        fact("the game's own statistics", statistics),
        fact("protocol", report.protocol.map(|number| number.to_string())),
        fact("engine", report.engine.clone()),
        fact("size", Some(format!("{} bytes in {} blocks", report.bytes, report.blocks))),
        fact("frames", (report.frames > 0).then(|| report.frames.to_string())),
        fact("blocks with damage", broken),
        fact("signs of editing", audited(report.editing)),
        fact("signs of cheating", audited(report.cheating)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn level(
    story: &Story,
    level: &StoryLevel,
    report: &Report,
    plan: Option<&FloorPlan>,
    [most, every]: [usize; 2],
) -> Value {
    let others = ground::others(level, most);
    let (samples, begins) = thinned(&level.samples, most);
    let list = |of: &dyn Fn(&RecorderSample) -> f64| {
        samples.iter().map(|sample| short(of(sample), 10.0)).collect::<Vec<_>>()
    };
    let way = positions(level, &samples);
    let axis =
        |of: fn(&[f32; 3]) -> f32| way.iter().map(|at| short(f64::from(of(at)), 10.0)).collect::<Vec<_>>();
    let marks = story.events_of(level).filter_map(|event| Some(place(event, story, level)?.1));
    let positions = level.other_paths().flat_map(|way| &way.samples).filter_map(|it| it.at);
    let positions = positions.map(|[x, y, _]| [x, y].map(f64::from));
    let marks: Vec<[f64; 2]> = marks.chain(positions).collect();
    let (low, high) = corners(&way, &marks);
    // The health of a player whom only others see is not known, so the chart shows the speed.
    let most = if level.has_vitals() {
        level.most_vitals()
    } else {
        level.samples.iter().map(|sample| sample.speed as i16).max().unwrap_or_default()
    };
    let mut players: Vec<(Option<i32>, Value)> =
        level.players.iter().map(|it| player(it, level, report)).collect();
    players.sort_by_key(|(frags, _)| std::cmp::Reverse(*frags));
    let players: Vec<Value> = players.into_iter().map(|(_, player)| player).collect();
    json!({
        "number": level.number,
        "name": level.name(),
        "hex": level.title_hex.as_ref().map(crate::Word::as_str),
        "b": steps(&samples),
        "t": samples.iter().map(|sample| short(f64::from(sample.time), 100.0)).collect::<Vec<_>>(),
        "x": axis(|[x, _, _]| *x),
        "y": axis(|[_, y, _]| *y),
        "z": axis(|[_, _, z]| *z),
        "w": list(&|sample| f64::from(sample.yaw)),
        "s": list(&|sample| f64::from(sample.speed)),
        "h": samples.iter().map(|sample| sample.health).collect::<Vec<_>>(),
        "a": samples.iter().map(|sample| sample.armor).collect::<Vec<_>>(),
        "m": samples.iter().map(|sample| sample.ammo).collect::<Vec<_>>(),
        "box": [low[0], high[0], low[1], high[1]],
        "jump": JUMP,
        "begins": begins,
        "vitals": level.has_vitals(),
        "seen": level.seen.as_ref().map(crate::Word::as_str),
        "most": most.clamp(100, 1000),
        "players": players,
        "others": others,
        "plan": ground::layers(plan),
        "events": log(story, level, every),
    })
}

/// A player of a level with the score, from the last scores on the screen or else from the report.
fn player(player: &ScoreboardPlayer, level: &StoryLevel, report: &Report) -> (Option<i32>, Value) {
    let reported =
        usize::try_from(level.number).ok().and_then(|number| report.levels.get(number.checked_sub(1)?));
    let known = || reported?.scores.iter().find(|it| it.name == player.name.as_str())?.frags;
    let frags = player.frags.or_else(known);
    let player = json!({
        "name": player.name.as_str(),
        "hex": player.name_hex.as_ref().map(crate::Word::as_str),
        "frags": frags,
        "colors": player.colors,
        "recorder": player.is_recorder,
    });
    (frags, player)
}

/// A number without superfluous digits; a whole number has no point.
fn short(value: f64, parts: f64) -> Value {
    let value = (value * parts).round() / parts;
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

/// At most about `most` samples at even distances, and the indexes of those that no line connects with the sample
/// before.
fn thinned(samples: &[RecorderSample], most: usize) -> (Vec<&RecorderSample>, Vec<usize>) {
    let every = samples.len().div_ceil(most).max(1);
    let last = samples.last().filter(|_| samples.len() % every != 1 && every > 1);
    // If a left-out sample begins a new line, the next sample that is kept begins it.
    let pieces = samples.chunks(every).enumerate().skip(1);
    let torn = pieces.filter_map(|(number, piece)| {
        let from = number.saturating_sub(1).saturating_mul(every).saturating_add(1);
        let until = number.saturating_mul(every);
        let between = samples.get(from..=until).unwrap_or(piece);
        between.iter().any(|sample| sample.begins).then_some(number)
    });
    (samples.iter().step_by(every).chain(last).collect(), torn.collect())
}

/// The blocks of samples, in a short form: the first block, then the difference of each block to the one before.
fn steps(samples: &[&RecorderSample]) -> Vec<u64> {
    let mut last = 0;
    let step =
        |sample: &&RecorderSample| sample.block.saturating_sub(std::mem::replace(&mut last, sample.block));
    samples.iter().map(step).collect()
}

/// Where the player is in each sample, or was last; empty if no place is known.
fn positions(level: &StoryLevel, samples: &[&RecorderSample]) -> Vec<[f32; 3]> {
    let Some(mut at) = samples.iter().find_map(|sample| sample.at).filter(|_| level.is_placed()) else {
        return Vec::new();
    };
    samples
        .iter()
        .map(|sample| {
            at = sample.at.unwrap_or(at);
            at
        })
        .collect()
}

/// The corners of a map: of the path, and of the marks beside it.
fn corners(way: &[[f32; 3]], marks: &[[f64; 2]]) -> ([f32; 2], [f32; 2]) {
    let marks = marks.iter().map(|at| at.map(|value| value as f32));
    let mut all = way.iter().map(|[x, y, _]| [*x, *y]).chain(marks);
    let first = all.next().unwrap_or_default();
    all.fold((first, first), |(low, high), at| {
        ([low[0].min(at[0]), low[1].min(at[1])], [high[0].max(at[0]), high[1].max(at[1])])
    })
}

/// The number of times that a repeated line of the console is listed.
const REPEATS: usize = 5;

/// The kinds of event that are all kept on a page with very many events.
const KEPT_KINDS: &[&str] = &["level_start", "level_end", "secret", "flag"];

/// The longest text of an event, in characters.
const LONGEST: usize = 400;

/// The events of a level, or one in `every` of them if there are very many. A repeated console line is listed
/// [`REPEATS`] times, and the last of these has the count.
fn log(story: &Story, level: &StoryLevel, every: usize) -> Vec<Value> {
    let console =
        |event: &Event| matches!(event.kind, EventKind::Console { .. }).then(|| event.kind.to_string());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in story.events_of(level).filter_map(console) {
        *counts.entry(line).or_default() += 1;
    }
    let mut listed: BTreeMap<String, usize> = BTreeMap::new();
    let mut rows = Vec::new();
    for (number, it) in story.events_of(level).enumerate() {
        if !number.is_multiple_of(every) && !KEPT_KINDS.contains(&it.name()) {
            continue;
        }
        let mut row = event(it, story, level);
        if let Some(line) = console(it) {
            let count = counts.get(&line).copied().unwrap_or_default();
            let shown = listed.entry(line.clone()).or_default();
            *shown += 1;
            if *shown > REPEATS {
                continue;
            }
            if let (true, Some(row)) = (*shown == REPEATS && count > REPEATS, row.as_object_mut()) {
                row.insert("text".into(), format!("{line} (×{count} in all)").into());
            }
        }
        rows.push(row);
    }
    rows
}

/// An event of the log, with its position if the map shows one.
fn event(event: &Event, story: &Story, level: &StoryLevel) -> Value {
    let time = event.time.or_else(|| level.sample(event.block).map(|sample| f64::from(sample.time)));
    let mut row = json!({
        "t": time.map(|time| short(time, 100.0)),
        "kind": event.name(),
        "text": event.kind.to_string().chars().take(LONGEST).collect::<String>(),
    });
    if let (Some((_, [x, y], _)), Some(row)) = (place(event, story, level), row.as_object_mut()) {
        row.insert("x".into(), short(x, 10.0));
        row.insert("y".into(), short(y, 10.0));
    }
    row
}
