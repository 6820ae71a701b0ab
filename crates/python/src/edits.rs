//! Edits, given by their names and words.

use moviola_edit::{Chain, Cut, FoundSpans, Mistake, Retime, Set, Spans, Speed, Squeeze, Strip, Subtitle};
use std::rc::Rc;

/// The bytes of a recording after all of these edits.
pub(crate) fn edited(data: &[u8], edits: &[(String, Vec<String>)]) -> Result<Vec<u8>, String> {
    let mut chain = Chain::of(Rc::new(move || Ok(Box::new(data))));
    for (name, words) in edits {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        add(&mut chain, name, &words)?;
    }
    let mut out = Vec::new();
    chain.write(&mut out).map_err(|failed| failed.error.to_string())?;
    Ok(out)
}

fn mistake_text(mistake: &Mistake) -> String {
    let help = mistake.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("{}: {}{help}", mistake.code.number(), mistake.message)
}

fn add(chain: &mut Chain<'_>, name: &str, words: &[&str]) -> Result<(), String> {
    let wrong = |mistake: Mistake| mistake_text(&mistake);
    let find = |chain: &Chain<'_>, spans: &str| -> Result<FoundSpans, String> {
        let open = chain.open().map_err(|why| why.to_string())?;
        Spans::parse(spans).map_err(wrong)?.find(open).map_err(|why| why.to_string())
    };
    match (name, words) {
        ("cut", [spans]) => {
            let found = find(chain, spans)?;
            chain.then(Cut::keep(found));
        }
        ("drop", [spans]) => {
            let found = find(chain, spans)?;
            chain.then(Cut::drop(found));
        }
        ("strip", [what]) => chain.then(Strip::parse(what).map_err(wrong)?),
        ("squeeze", []) => chain.then(Squeeze::default()),
        ("retime", [speed]) => {
            chain.then(Retime::new(Speed::parse(speed).map_err(wrong)?, FoundSpans::all()));
        }
        ("retime", [speed, spans]) => {
            let found = find(chain, spans)?;
            chain.then(Retime::new(Speed::parse(speed).map_err(wrong)?, found));
        }
        ("subtitle", [text]) => {
            let subtitle = Subtitle::parse(text.as_bytes());
            let list = |list: Vec<Mistake>| list.iter().map(mistake_text).collect::<Vec<_>>().join("\n");
            chain.then(subtitle.map_err(list)?);
        }
        ("set", settings) => {
            let mut set = Set::parse(settings).map_err(wrong)?;
            set.find(chain.open().map_err(|why| why.to_string())?).map_err(|why| why.to_string())?;
            chain.then(set);
        }
        _ => return Err(format!("no edit is called `{name}` with {} words", words.len())),
    }
    Ok(())
}
