//! Every example in the documentation is compiled, formatted and, if it says so, compared with bytes.
//!
//! A fence `moviola` is a whole text; `moviola,quake` and `moviola,quake2` are statements of a block of that game,
//! `quake=999:8` of that protocol and those flags. The example must compile, and `fmt` must leave it unchanged.
//! Further tags: `untidy`, `fmt` changes it; `same`, it gives the bytes of the example before it; `fails(T006)`, it
//! has this mistake and no other; `lmpc`, it is read in LMPC's mode; `times(9)`, it is repeated nine times;
//! `stretch(9)`, `...` stands for nine letters; `warns(T024)`, it compiles with this warning. A fence `bytes` behind
//! it contains the compiled bytes, in hexadecimal.
use moviola_text::{CompileError, CompileOptions, DecompileOptions, TextCode, compile, decompile, format};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A fenced block of a page.
struct Fence {
    line: usize,
    tag: String,
    body: String,
}

#[test]
fn examples_of_the_papers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut papers: Vec<PathBuf> =
        std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    papers.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    papers.push(root.join("README.md"));
    papers.sort();
    let (mut wrong, mut count) = (String::new(), 0);
    for path in papers {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut made: Option<Vec<u8>> = None;
        for fence in fences(&std::fs::read_to_string(&path).unwrap()) {
            let outcome = if fence.tag == "bytes" {
                same(made.as_deref().unwrap_or_default(), &bytes(&fence.body))
            } else if fence.tag == "moviola" || fence.tag.starts_with("moviola,") {
                count += 1;
                let before = made.take();
                example(&fence, before.as_deref()).map(|bytes| made = bytes)
            } else {
                continue;
            };
            if let Err(why) = outcome {
                writeln!(wrong, "{name}:{}: {why}\n{}", fence.line, fence.body).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 50, "only {count} examples were found");
}

/// Every mistake has an example on its page.
#[test]
fn every_mistake_has_an_example() {
    let paper = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    let fences = fences(&std::fs::read_to_string(paper).unwrap());
    for code in TextCode::ALL {
        let tags = [format!("fails({})", code.number()), format!("warns({})", code.number())];
        assert!(
            fences.iter().any(|fence| tags.iter().any(|tag| fence.tag.ends_with(tag))),
            "{}",
            code.number()
        );
    }
}

fn fences(paper: &str) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    let mut inside = false;
    for (number, line) in paper.lines().enumerate() {
        match (line.strip_prefix("```"), inside) {
            (Some(_), true) => inside = false,
            (Some(tag), false) => {
                inside = true;
                fences.push(Fence { line: number + 1, tag: tag.trim().to_owned(), body: String::new() });
            }
            (None, true) => {
                let body = &mut fences.last_mut().unwrap().body;
                body.push_str(line);
                body.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!inside, "a fence is open");
    fences
}

/// The text around statements that makes a whole text of them.
fn around(game: &str) -> (String, &'static str) {
    let (game, protocol) = game.split_once('=').unwrap_or((game, ""));
    let (protocol, flags) = protocol.split_once(':').unwrap_or((protocol, ""));
    let flags = if flags.is_empty() { String::new() } else { format!("  protocolflags {flags};\n") };
    let head = match (game, protocol) {
        ("quake", "") => String::new(),
        ("quake", _) => format!(
            "block {{\n camera 0.0 0.0 0.0;\n serverinfo {{\n  serverversion {protocol};\n{flags}  maxclients 1;\n  \
             multi 0;\n  mapname \"\";\n  models \"maps/start.bsp\";\n  sounds;\n }}\n}}\n"
        ),
        (_, "") => String::new(),
        (_, _) => format!(
            "block {{\n serverdata {{\n  serverversion {protocol};\n  key 1;\n  isdemo 1;\n  game \"\";\n  \
             client 0;\n  mapname \"\";\n }}\n}}\n"
        ),
    };
    let (track, camera) =
        if game == "quake" { ("track \"-1\\n\";\n", " camera 0.0 0.0 0.0;\n") } else { ("", "") };
    (format!("{track}{head}block {{\n{camera}"), "}\n")
}

/// Runs an example; returns the bytes that it compiles to, for statements those of their block.
fn example(fence: &Fence, before: Option<&[u8]>) -> Result<Option<Vec<u8>>, String> {
    let tags: Vec<&str> = fence.tag.split(',').skip(1).collect();
    let has = |tag: &str| tags.contains(&tag);
    let game = tags.iter().find(|tag| tag.starts_with("quake"));
    let (head, tail) = game.map_or_else(Default::default, |game| around(game));
    let indent = if game.is_some() { " " } else { "" };
    let mut text = head;
    let stretch =
        argument(&tags, "stretch").map_or("...".into(), |length| "x".repeat(length.parse().unwrap()));
    let times = argument(&tags, "times").map_or(1, |times| times.parse().unwrap());
    for _ in 0..times {
        fence
            .body
            .replace("...", &stretch)
            .lines()
            .for_each(|line| writeln!(text, "{indent}{line}").unwrap());
    }
    text.push_str(tail);
    let options = CompileOptions { lmpc: has("lmpc"), ..CompileOptions::default() };
    let mut recording = Vec::new();
    let outcome = compile(text.as_bytes(), &mut recording, &options);
    let expected = argument(&tags, "fails");
    match (outcome, expected) {
        (Ok(_), Some(code)) => return Err(format!("should fail with {code}")),
        (Ok(summary), None) => {
            let codes: Vec<&str> = summary.warnings.iter().map(|warning| warning.code.number()).collect();
            if codes.first().copied() != argument(&tags, "warns") {
                return Err(format!("warns of {codes:?}"));
            }
        }
        (Err(CompileError::Mistakes(mistakes)), expected) => {
            let codes: Vec<&str> = mistakes.iter().map(|mistake| mistake.code.number()).collect();
            return if expected.is_some_and(|code| codes == [code]) {
                Ok(None)
            } else {
                Err(format!("{mistakes:#?}"))
            };
        }
        (Err(CompileError::Io(error)), _) => return Err(error.to_string()),
    }
    if !has("untidy") && !has("lmpc") {
        let mut tidy = Vec::new();
        format(text.as_bytes(), &mut tidy).map_err(|error| format!("fmt: {error:?}"))?;
        let tidy = String::from_utf8_lossy(&tidy);
        if tidy != text {
            return Err(format!("fmt makes of it:\n{tidy}"));
        }
    }
    check_round_trip(&recording)?;
    let data = if game.is_some() {
        last_block(&recording, game.is_some_and(|game| !game.starts_with("quake2")))
    } else {
        recording
    };
    if has("same") {
        same(&data, before.unwrap_or_default())?;
    }
    Ok(Some(data))
}

/// The text in the brackets after a tag.
fn argument<'a>(tags: &[&'a str], name: &str) -> Option<&'a str> {
    tags.iter().find_map(|tag| tag.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')'))
}

/// The compiled recording must survive a round trip through its text.
fn check_round_trip(made: &[u8]) -> Result<(), String> {
    let (mut text, mut back) = (Vec::new(), Vec::new());
    decompile(made, &mut text, &DecompileOptions::default()).map_err(|error| error.to_string())?;
    compile(&text[..], &mut back, &CompileOptions::default())
        .map_err(|error| format!("its own text: {error:?}\n{}", String::from_utf8_lossy(&text)))?;
    same(&back, made)
}

/// The last block's bytes, without the head that blocks of its game have.
fn last_block(made: &[u8], quake: bool) -> Vec<u8> {
    let (mut rest, camera) = if quake { (made.strip_prefix(b"-1\n").unwrap_or(made), 12) } else { (made, 0) };
    let mut last: &[u8] = &[];
    while let Some((length, after)) = rest.split_first_chunk() {
        let (_, data) = after.split_at(camera);
        let length = (u32::from_le_bytes(*length) & 0x7FFF_FFFF) as usize;
        (last, rest) = data.split_at(length.min(data.len()));
    }
    last.to_vec()
}

fn bytes(body: &str) -> Vec<u8> {
    body.split_whitespace().map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

fn same(made: &[u8], expected: &[u8]) -> Result<(), String> {
    let hex = |bytes: &[u8]| {
        bytes.iter().fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02X} ").unwrap();
            hex
        })
    };
    if made == expected { Ok(()) } else { Err(format!("makes  {}\nexpect {}", hex(made), hex(expected))) }
}
