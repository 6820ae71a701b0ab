//! Edits, given by their names and words.

use crate::trouble::Trouble;
use moviola_check::Engine;
use moviola_edit::{
    Camera, Chain, Convert, Cut, FoundSpans, Ghost, Highlights, Insert, OpenInput, Repair, Retime, Set,
    Spans, Speed, Squeeze, Strip, Subtitle, View,
};
use pyo3::pybacked::PyBackedBytes;
use std::rc::Rc;

/// An edit: its name, its arguments, and the other recordings that it needs.
pub(crate) type Edit = (String, Vec<String>, Vec<PyBackedBytes>);

/// The bytes of a recording after all of these edits.
pub(crate) fn edited<'d>(data: &'d [u8], edits: &'d [Edit]) -> Result<Vec<u8>, Trouble> {
    let mut chain = Chain::of(Rc::new(move || Ok(Box::new(data))));
    for (name, words, others) in edits {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        add(&mut chain, name, &words, others)?;
    }
    let mut out = Vec::new();
    chain.write(&mut out).map_err(|failed| failed.error)?;
    Ok(out)
}

/// Several recordings joined into one.
pub(crate) fn joined(sources: &[PyBackedBytes]) -> Result<Vec<u8>, Trouble> {
    let mut out = Vec::new();
    moviola_edit::join(sources.iter().map(|it| &it[..]).collect(), &mut out)?;
    Ok(out)
}

fn find(chain: &Chain<'_>, spans: &str) -> Result<FoundSpans, Trouble> {
    Ok(Spans::parse(spans)?.find(chain.open()?)?)
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, Trouble> {
    word.parse().map_err(|_| Trouble::new(format!("`{word}` is no such number")))
}

fn add<'d>(
    chain: &mut Chain<'d>,
    name: &str,
    words: &[&str],
    others: &'d [PyBackedBytes],
) -> Result<(), Trouble> {
    match (name, words) {
        ("cut", [spans]) => {
            let found = find(chain, spans)?;
            chain.then(Cut::keep(found));
        }
        ("drop", [spans]) => {
            let found = find(chain, spans)?;
            chain.then(Cut::drop(found));
        }
        ("highlights", [before, after, top, kinds @ ..]) => {
            let mut wanted = Highlights::new(number(before)?, number(after)?).of_kinds(kinds.iter().copied());
            if !top.is_empty() {
                wanted = wanted.top(number(top)?);
            }
            let found = wanted.find(chain.open()?)?;
            chain.then(Cut::keep(found));
        }
        ("strip", [what]) => chain.then(Strip::parse(what)?),
        ("squeeze", []) => chain.then(Squeeze::default()),
        ("retime", [speed, spans, smooth]) => {
            let speed = Speed::parse(speed)?;
            let found = if spans.is_empty() { FoundSpans::all() } else { find(chain, spans)? };
            let retime = Retime::new(speed, found);
            chain.then(if smooth.is_empty() { retime } else { retime.smoothed() });
        }
        ("subtitle", [text]) => chain.then(Subtitle::parse(text.as_bytes())?),
        ("insert", [when, what]) => {
            let insert = Insert::parse(what)?;
            // A time alone means the span that begins there, as in `moviola insert`.
            let open = format!("{when}..");
            let is_time = Spans::parse(when).is_err() && Spans::parse(&open).is_ok();
            let found = find(chain, if is_time { &open } else { when })?;
            chain.then(insert.at(found));
        }
        ("camera", [script]) => {
            let mut camera = Camera::parse(script)?;
            camera.find(|| chain.open())?;
            chain.then(camera);
        }
        ("convert", [protocol, engine, player]) => {
            let mut convert =
                if protocol.is_empty() { Convert::default() } else { Convert::to(number(protocol)?) };
            if !engine.is_empty() {
                let found = Engine::find(engine);
                convert = convert
                    .engine(found.ok_or_else(|| Trouble::new(format!("no engine is called `{engine}`")))?);
            }
            if !player.is_empty() {
                convert = convert.of_player(*player);
            }
            convert.look(chain.open()?)?;
            chain.then(convert);
        }
        ("repair", []) => {
            let repair = Repair::look(chain.open()?)?;
            chain.then(repair);
        }
        ("view", [player]) => {
            let mut view = View::of(*player);
            view.find(chain.open()?)?;
            chain.then(view);
        }
        ("ghost", [shift, gap]) => {
            let open = |other: &'d PyBackedBytes| -> OpenInput<'d> {
                Rc::new(move || Ok(Box::new(&other[..]) as Box<dyn std::io::Read + 'd>))
            };
            let named = others.iter().enumerate();
            let named = named.map(|(at, other)| (format!("recording {}", at + 1), open(other)));
            let ghost = Ghost::find(|| chain.open(), named.collect())?.shifted(number(shift)?);
            chain.then(if gap.is_empty() { ghost } else { ghost.with_gap() });
        }
        ("set", settings) => {
            let mut set = Set::parse(settings)?;
            set.find(chain.open()?)?;
            chain.then(set);
        }
        _ => return Err(Trouble::new(format!("no edit is called `{name}` with {} words", words.len()))),
    }
    Ok(())
}
