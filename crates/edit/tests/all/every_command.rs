//! Each edit with each kind of recording: the result plays in the engine for which the recording was made, or the edit
//! refuses the kind with a reason.

use moviola_check::{CheckCode, Engine, Playability, check};
use moviola_edit::{
    Camera, Capture, Chain, Convert, Cut, Error, FixMulti, FoundSpans, Ghost, Highlights, Insert, OpenInput,
    Repair, Retime, Rewrite, Set, Spans, Speed, Squeeze, Strip, Subtitle, View, join,
};
use std::rc::Rc;

/// A kind of recording, with a sample and the engine that plays it. No engine plays recordings of servers and of Relay.
struct Kind {
    name: &'static str,
    file: Vec<u8>,
    engine: Option<&'static str>,
}

fn kinds() -> Vec<Kind> {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/");
    let sample = |name: &str| std::fs::read(format!("{samples}{name}")).unwrap();
    let sample_of =
        |name: &str| moviola_scribe::samples().into_iter().find(|it| it.name == name).unwrap().bytes;
    let of = |name, file, engine| Kind { name, file, engine };
    let normal = sample("qs_15_lq_e0m9.dem");
    let mut to_666 = Convert::to(666);
    to_666.look(&normal[..]).unwrap();
    let mut larger = Vec::new();
    moviola_edit::rewrite(&normal[..], &mut to_666, &mut larger).unwrap();
    let mut kinds = vec![
        of("15", normal, Some("quakespasm")),
        of("666", larger, Some("quakespasm")),
        of("999", sample("qs_999_lq_e0m9.dem"), Some("quakespasm")),
        of("dm2", sample("yq_sp.dm2"), Some("yamagi")),
        of("relay", sample_of("dm2-34-relay"), None),
    ];
    kinds.extend(crate::common::real("ours/yq_srv.dm2").map(|file| of("server", file, None)));
    kinds
}

type Edit = fn(&mut Chain<'static>, &'static Kind) -> Result<(), Error>;

/// The kinds that a command refuses, each with a text that the error message contains.
type Refusals = &'static [(&'static str, &'static str)];

const ALL_TIMES: &str = "6..8, 10..12";

#[expect(clippy::unnecessary_wraps, reason = "with it a row ends")]
fn add(chain: &mut Chain<'static>, edit: impl Rewrite + Clone + 'static) -> Result<(), Error> {
    chain.then(edit);
    Ok(())
}

fn parts(kind: &Kind) -> &'static str {
    match kind.name {
        "dm2" => "#60..#100, #120..#140",
        "server" => "#20..#60, #80..#90",
        "relay" => "#3..#9",
        _ => ALL_TIMES,
    }
}

fn found(chain: &Chain<'static>, kind: &Kind) -> Result<FoundSpans, Error> {
    Spans::parse(parts(kind)).unwrap().find(chain.open()?)
}

/// One row for each command: the edit, and the kinds that it refuses. Commands that write a file but are no edits are
/// in the test below.
const ROWS: &[(&str, Edit, Refusals)] = &[
    ("cut", |chain, kind| add(chain, Cut::keep(found(chain, kind)?)), &[]),
    ("drop", |chain, kind| add(chain, Cut::drop(found(chain, kind)?)), &[]),
    (
        "split",
        |chain, _| {
            chain.then(Cut::keep(FoundSpans::level(1)));
            add(chain, FixMulti::default())
        },
        &[],
    ),
    ("highlights", |chain, _| add(chain, Cut::keep(Highlights::new(1.0, 1.0).find(chain.open()?)?)), &[]),
    ("strip", |chain, _| add(chain, Strip::parse("chat,prints,sounds,commands").unwrap()), &[]),
    (
        "subtitle",
        |chain, _| {
            let file = b"1\n00:00:01,000 --> 00:00:04,000\nIn **bronze**, and a line that is longer than 40 letters\n";
            add(chain, Subtitle::parse(file).unwrap())
        },
        &[],
    ),
    (
        "insert",
        |chain, kind| add(chain, Insert::parse("centerprint \"Look\"").unwrap().at(found(chain, kind)?)),
        &[],
    ),
    (
        "camera",
        |chain, kind| {
            let script = format!("[[shot]]\nat = \"{}\"\norbit = \"me\"\n", parts(kind));
            let mut camera = Camera::parse(&script).map_err(Error::Mistakes)?;
            camera.find(|| chain.open())?;
            add(chain, camera)
        },
        &[("relay", "only a client's recording"), ("server", "only a client's recording")],
    ),
    (
        "capture",
        |chain, _| add(chain, Capture::new(20.0, "screenshot").unwrap()),
        &[("server", "do not play a server's own")],
    ),
    ("set", |chain, _| add(chain, Set::parse(["player.1.name=Somebody"]).unwrap()), &[]),
    (
        "retime",
        |chain, kind| add(chain, Retime::new(Speed::parse("0.5").unwrap(), found(chain, kind)?)),
        &[("server", "do not play a server's own")],
    ),
    (
        "convert",
        |chain, kind| {
            let mut convert = Convert::for_engine(Engine::find(kind.engine.unwrap_or("yamagi")).unwrap());
            convert.look(chain.open()?)?;
            add(chain, convert)
        },
        &[],
    ),
    (
        "edit",
        |chain, kind| {
            // As a script of several lines does.
            add(chain, Cut::keep(found(chain, kind)?))?;
            add(chain, Strip::parse("prints,sounds").unwrap())?;
            add(chain, Set::parse(["player.1.name=Somebody"]).unwrap())?;
            add(chain, Squeeze::default())
        },
        &[],
    ),
    ("repair", |chain, _| add(chain, Repair::look(chain.open()?)?), &[]),
    ("squeeze", |chain, _| add(chain, Squeeze::default()), &[]),
    (
        "ghost",
        |chain, kind| {
            let other: OpenInput<'static> = Rc::new(|| Ok(Box::new(&kind.file[..])));
            add(chain, Ghost::find(|| chain.open(), vec![("other".into(), other)])?)
        },
        &[("relay", "only a client's recording"), ("server", "only a client's recording")],
    ),
    (
        "view",
        |chain, _| {
            let mut view = View::of("1");
            view.find(chain.open()?)?;
            add(chain, view)
        },
        &[
            ("15", "one player's view already"),
            ("666", "one player's view already"),
            ("999", "one player's view already"),
            ("dm2", "one player's recording already"),
        ],
    ),
];

/// The mistake in the result of a command.
fn judge(command: &str, kind: &Kind, made: &[u8]) -> Option<String> {
    let name = format!("{command} of {}", kind.name);
    let (before, report) = (check(&kind.file[..]).unwrap(), check(made).unwrap());
    if !report.exact || !report.raw.is_empty() {
        return Some(format!("{name}: {:?}", report.raw));
    }
    let engine = if command == "view" { Some("yamagi") } else { kind.engine };
    let Some(engine) = engine else {
        // A recording that plays nowhere has at least no new findings.
        let mut known: Vec<CheckCode> = before.findings.iter().map(|it| it.code).collect();
        if command == "capture" {
            // The edit's commands write files: the requested pictures.
            known.push(CheckCode::DangerousCommand);
        }
        let new: Vec<_> = report.findings.iter().filter(|it| !known.contains(&it.code)).collect();
        return (!new.is_empty()).then(|| format!("{name}: {new:?}"));
    };
    let verdict = report.engines.iter().find(|it| it.engine == engine).unwrap();
    let reasons: Vec<_> = verdict.reasons.iter().map(|it| (&it.message, it.code)).collect();
    (verdict.plays != Playability::Yes).then(|| format!("{name}: {reasons:?}"))
}

#[test]
fn the_result_of_every_command_plays() {
    let kinds: &'static [Kind] = Box::leak(kinds().into_boxed_slice());
    let (mut made, mut wrong) = (0, Vec::new());
    for (command, edit, refusals) in ROWS {
        for kind in kinds {
            let name = format!("{command} of {}", kind.name);
            let mut chain = Chain::of(Rc::new(|| Ok(Box::new(&kind.file[..]))));
            let mut out = Vec::new();
            let done = edit(&mut chain, kind).and_then(|()| chain.write(&mut out).map_err(|it| it.error));
            match (done, refusals.iter().find(|(of, _)| *of == kind.name)) {
                (Ok(_), None) => wrong.extend(judge(command, kind, &out)),
                (Err(why), Some((_, part))) if why.to_string().contains(part) => {}
                (Ok(_), Some((_, part))) => wrong.push(format!("{name} is refused no more: {part}")),
                (Err(why), _) => wrong.push(format!("{name}: {why}")),
            }
            made += 1;
        }
    }
    for kind in kinds {
        let mut out = Vec::new();
        join(vec![&kind.file[..], &kind.file[..]], &mut out).unwrap();
        wrong.extend(judge("join", kind, &out));
        made += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(made >= (ROWS.len() + 1) * 5);
}
