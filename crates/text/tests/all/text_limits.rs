//! Time and memory grow with the text and no faster, for any text and any size of the pieces that are read.

use crate::common::{compiled, same, text_of};
use moviola_text::*;
use std::fs;
use std::io::{self, Read};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A reader that returns this number of bytes at a time.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let some = self.0.len().min(self.1).min(buffer.len());
        let (now, later) = self.0.split_at(some);
        buffer[..some].copy_from_slice(now);
        self.0 = later;
        Ok(some)
    }
}

fn outcome(text: impl Read, options: &CompileOptions) -> (Vec<u8>, String) {
    let mut out = Vec::new();
    let result = compile(text, &mut out, options);
    (out, format!("{result:?}"))
}

/// The shortest of a few times, so that other work on the machine matters little.
fn quickest(mut job: impl FnMut()) -> Duration {
    let timed = |_| {
        let start = Instant::now();
        job();
        start.elapsed()
    };
    (0..5).map(timed).min().unwrap()
}

fn block_of(message: &str, count: usize) -> Vec<u8> {
    format!("track \"-1\\n\";\nblock {{\n camera 0.0 0.0 0.0;\n{}}}\n", message.repeat(count)).into_bytes()
}

#[test]
fn a_message_costs_the_same_in_every_block() {
    for message in
        [" updatefrags {\n  frags 1;\n  player 2;\n }\n", " nop;\n", " print \"a\\nb\";\n", " raw 0x01;\n"]
    {
        let (few, many) = (block_of(message, 64), block_of(message, 64_000));
        let recording = compiled(&many);
        let small = compiled(&few);
        let ratio = |few: Duration, many: Duration| many.as_secs_f64() / few.as_secs_f64().max(1e-9) / 10.0;
        // A hundred small blocks, compared with ten times as many messages in one block.
        let ratios = || {
            [
                ratio(
                    quickest(|| (0..100).for_each(|_| drop(compiled(&few)))),
                    quickest(|| drop(compiled(&many))),
                ),
                ratio(
                    quickest(|| (0..100).for_each(|_| drop(text_of(&small)))),
                    quickest(|| drop(text_of(&recording))),
                ),
            ]
        };
        // Quadratic time would be a thousand times as long in every attempt. Smaller factors come from
        // caches, and from other work on the machine, which may interrupt a long attempt but none of the
        // short ones.
        let soon = (0..5).any(|_| ratios().iter().all(|ratio| *ratio < 8.0));
        assert!(soon, "{message:?}: {:?} times as long", ratios());
    }
}

/// The processor time of this thread, which other programs do not affect. On systems that do not provide it,
/// the clock.
fn at_work() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let schedule = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = schedule.and_then(|it| it.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Texts of a megabyte that repeat a single element.
#[test]
fn long_nonsense_ends_soon() {
    let long =
        |start: &str, again: &str| format!("{start}{}", again.repeat((1 << 20) / again.len())).into_bytes();
    let block = "track \"\"; block { camera 0.0 0.0 0.0; ";
    let inside = |again: &str| long(block, again);
    let texts = [
        long("", "{"),
        long("", "}"),
        long("", "block {"),
        long("", "raw "),
        long("", "\""),
        long("", "\\"),
        long("", "*"),
        long("", ";"),
        long("", "//\n"),
        long("//", "x"),
        long("", "endblock"),
        long("", "\u{e9}"),
        inside("{"),
        inside("}"),
        inside("*"),
        inside("\""),
        inside("nop "),
        inside("nop{"),
        inside("sound {"),
        inside("sound { vol "),
        inside("unknown {"),
        inside("unknown { id 1; id 1;"),
        long(&format!("{block} print \""), "x"),
        long(&format!("{block} print \""), "\\"),
        long(&format!("{block} print \""), "\\t"),
        inside("print \"\\t\";"),
        inside("print \"\u{e9}\";"),
        inside("nop {}"),
        inside("orgin 1;"),
        inside("updateentity { entity 1; alpha 1; }"),
        long("\r", "//\r"),
        long(&format!("{block} setview "), "1"),
        long(&format!("{block} setview "), "1."),
        long(&format!("{block} setview "), "*"),
        long(&format!("{block} setview 1 "), "*"),
        long(&format!("{block} setview "), "x "),
        long(&format!("{block} setview "), "-"),
        long(&format!("{block} setview 0x"), "F"),
        long(&format!("{block} unknown {{ data "), "1 "),
        long(&format!("{block} updatefrags {{ frags "), "1 "),
        long(&format!("{block} updatefrags {{ "), "frags 1; "),
        long(&format!("{block} updatefrags {{ "), "frogs 1; "),
        long(&format!("{block} updatefrags {{ frags 1 "), "player "),
        long("block { playerinfo { stats { ", "stat { index 1; value 1; } "),
        long("block { playerinfo { stats { ", "stat { "),
        long("block { packetentities { ", "packetentity { frame 1; entity 1; } "),
        long("block { packetentities { ", "packetentity { frame 1; } "),
        long("block { packetentities { end ", "1 "),
        long("block { ", "unicast 1; "),
    ];
    for text in texts {
        for (lmpc, limit) in [(false, 20), (true, 20), (false, 200)] {
            let time = |text: &[u8]| {
                let start = at_work();
                drop(compile(text, io::sink(), &CompileOptions { lmpc, limit }));
                at_work().saturating_sub(start)
            };
            // Quadratic time would be 64 times as long in every attempt; very short times are too inexact to
            // compare.
            let eighth = || time(&text[..text.len() / 8]).max(Duration::from_millis(5));
            let soon = (0..5).any(|_| time(&text) < 24 * eighth());
            assert!(soon, "{}: {:?}", String::from_utf8_lossy(&text[..60.min(text.len())]), time(&text));
        }
    }
}

#[test]
fn pieces_of_text_make_no_difference() {
    let mut texts = vec![
        block_of(" nop;\n", 3),
        b"block { print { level 2; string \"a\\n\\377\"; } } // the end".to_vec(),
        b"track \"\"; block { camera 0.0 0.0 0.0; updatefrags { frags x; player 300; } setview +5; } }"
            .to_vec(),
        b"block { nop; ".to_vec(),
        b"track \"-1".to_vec(),
        b"// nothing".to_vec(),
    ];
    texts.extend(
        crate::common::scribe_samples().iter().filter(|(_, it)| it.len() < 1500).map(|(_, it)| text_of(it)),
    );
    for text in texts {
        for lmpc in [false, true] {
            let options = CompileOptions { lmpc, ..CompileOptions::default() };
            let whole = outcome(&text[..], &options);
            for size in [1, 2, 7, 1000] {
                assert!(
                    outcome(Pieces(&text, size), &options) == whole,
                    "{}",
                    String::from_utf8_lossy(&text)
                );
            }
        }
    }
}

/// Statements longer than the window.
#[test]
fn statements_longer_than_the_window() {
    let data = "0x2A ".repeat(200_000);
    let long = format!("block {{ unknown {{ id 0x3C; data {data}; }} }}\nblock {{ nop; }}\nendblock;\n");
    let found = compiled(long.as_bytes());
    assert_eq!(found.len(), 4 + 200_001 + 5 + 4);
    let string = format!("block {{ stufftext \"{}\"; }}\n", "x".repeat(900_000));
    assert_eq!(compiled(string.as_bytes()).len(), 4 + 1 + 900_000 + 1);
    let comment = format!("// {}\nblock {{ nop; }}\n", "x".repeat(900_000));
    assert_eq!(compiled(comment.as_bytes()), b"\x01\0\0\0\x06");
    let blank = format!("{}block {{ nop; }}{}", " \n".repeat(400_000), " ".repeat(900_000));
    assert_eq!(compiled(blank.as_bytes()), b"\x01\0\0\0\x06");
    // A mistake far from the start of the text has the right place.
    let late = format!("{}block {{ nop; }} ?", "\n".repeat(600_000));
    let mistakes = crate::common::try_compile(late.as_bytes(), &CompileOptions::default()).unwrap_err();
    assert_eq!((mistakes[0].line, mistakes[0].column, mistakes[0].offset), (600_001, 16, Some(600_015)));
}

/// The middle of a long comment is dropped, in any place; the places after it are still right.
#[test]
fn mistakes_after_long_comments_have_the_right_place() {
    let long = format!("// {}\n", "x".repeat(3_000_000));
    let texts = [
        format!("{long}{long}block {{ camera 0 0 0; nop; }} ?"),
        format!("block {{ camera 0 0 0;\n{long}{long} setview ?1; }}\n"),
        format!("block {{ camera 0 0 0; damage {{ save 1; {long} take 2; {long} origin ? 1 2 3; }} }}\n"),
        format!("block {{ camera 0 0 0; nop; }} {long} block {{ {long} camera 0 0 0; nop; ? }}\n"),
    ];
    for text in texts {
        let mistakes = crate::common::try_compile(text.as_bytes(), &CompileOptions::default()).unwrap_err();
        let mistake = &mistakes[0];
        assert_eq!(
            (mistakes.len(), mistake.code),
            (1, TextCode::StrayCharacter),
            "{}",
            crate::common::shown(&mistakes)
        );
        assert_eq!(text.as_bytes()[mistake.offset.unwrap() as usize], b'?');
        assert_eq!(mistake.line as usize, 1 + text[..mistake.offset.unwrap() as usize].matches('\n').count());
        assert_eq!(mistake.fix.as_ref().map(|fix| fix.offset), mistake.offset);
    }
}

/// The marks and line ends that editors add to a text.
#[test]
fn marks_of_editors() {
    let text = "track \"-1\\n\";\r\nblock {\r\n\tcamera 0.0 0.0 0.0;\r\n\tnop;\r\n}\r\n";
    let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    assert_eq!(compiled(&marked), compiled(text.as_bytes()));
    let mut tidy = Vec::new();
    format(&marked[..], &mut tidy).unwrap();
    let expected = b"track \"-1\\n\";\nblock {\n camera 0.0 0.0 0.0;\n nop;\n}\n";
    assert_eq!(tidy, expected);
    let returns = text.replace("\r\n", "\r").replacen('\r', "\r// a comment\r", 1);
    assert_eq!(compiled(returns.as_bytes()), compiled(text.as_bytes()));
    let mistakes =
        crate::common::try_compile(format!("{returns}?").as_bytes(), &CompileOptions::default()).unwrap_err();
    assert_eq!((mistakes[0].line, mistakes[0].column), (7, 1));
    let mut tidied = Vec::new();
    format(returns.as_bytes(), &mut tidied).unwrap();
    assert_eq!(String::from_utf8(tidied).unwrap().replace("// a comment\n", "").as_bytes(), expected);
    // In LMPC's texts a carriage return may stand in comments, because names contain it.
    let odd = text.replace("nop;", "nop; // odd\rname }");
    assert_eq!(compiled(odd.as_bytes()), compiled(text.as_bytes()));
    let late = [&marked[..], b"?"].concat();
    let mistakes = crate::common::try_compile(&late, &CompileOptions::default()).unwrap_err();
    assert_eq!(late[mistakes[0].offset.unwrap() as usize], b'?');
    for order in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
        let wide: Vec<u8> = std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(order).collect();
        let mistakes = crate::common::try_compile(&wide, &CompileOptions::default()).unwrap_err();
        assert_eq!((mistakes.len(), &mistakes[0].message[..]), (1, "this text is in UTF-16"));
    }
}

/// In LMPC's texts the games' own characters are bytes.
#[test]
fn bytes_of_the_games_font_cause_no_warning() {
    let text = b"block { print { level 2; string \"\xD2anger\"; } }\nendblock;\n";
    let result = compile(&text[..], io::sink(), &CompileOptions::default()).unwrap();
    assert!(result.warnings.is_empty(), "{}", crate::common::shown(&result.warnings));
}

/// Every place where a window can end inside a text.
#[test]
fn windows_that_end_anywhere() {
    const WINDOW: usize = 1 << 18;
    let tail = "track_ \"x\"; block { camera 0.0 -1.5 nan; time 1:1.5m; print \"a\\\"b\\377\"; // c\n setview 0x10; }\n";
    let tail = tail.replace("track_ \"x\"; ", "");
    for gap in 0..=tail.len() {
        let head = "track \"\";";
        let blanks = " ".repeat(WINDOW - head.len() - gap);
        let text = format!("{head}{blanks}{tail}{tail}");
        let expected = compiled(format!("{head}{tail}{tail}").as_bytes());
        same(&format!("{gap} bytes before the window's end"), &compiled(text.as_bytes()), &expected);
    }
}

/// A compiler keeps a statement whole, so raw bytes are printed as several statements.
#[test]
fn a_long_remainder_is_printed_in_pieces() {
    for length in [1usize, 2, 1 << 14, (1 << 14) + 1, (1 << 14) + 2, 200_000] {
        let rest: Vec<u8> = (0..length).map(|at| if at == 0 { 0x63 } else { (at % 251) as u8 }).collect();
        let block = |data: &[u8]| [&(data.len() as u32).to_le_bytes()[..], &[0; 12], data].concat();
        // A file that begins with a very long block is not taken for a recording, so a short block comes
        // first.
        let blocks = [vec![1], [&[1], &rest[..]].concat(), vec![2]].map(|data| block(&data)).concat();
        let file = [&b"-1\n"[..], &blocks].concat();
        let text = text_of(&file);
        let longest = text.split(|byte| *byte == b';').map(<[u8]>::len).max().unwrap();
        assert!(longest < 100_000, "{length} bytes in a statement of {longest}");
        assert_eq!(compiled(&text), file, "{length}");
    }
}

/// Statements in the printed form, several times the same, and then under another protocol.
#[test]
fn repeated_statements_compile_to_the_same_bytes() {
    let recording = |gap: &str| {
        let update = |gap: &str| {
            format!(" updateentity {{{gap}\n  entity 7;\n  origin_x -12.5;{gap}\n  angles_2 90.0;\n }}\n")
        };
        let updates: String = (0..6).map(|n| update(&gap.repeat(n))).collect();
        let body = format!(" camera 0.0 0.0 0.0;\n{updates} protocol 999 132;\n{updates}");
        let mut out = Vec::new();
        compile(
            format!("track \"\\n\";\nblock {{\n{body}}}\n").as_bytes(),
            &mut out,
            &CompileOptions::default(),
        )
        .unwrap();
        out
    };
    // With these gaps, no two of them have the same letters.
    assert_eq!(recording(""), recording(" "));
    assert_eq!(recording(""), recording("\n"));
}

/// A text that the printer never writes is a mistake, even amid text that it writes.
#[test]
fn a_small_deviation_from_printed_text_is_a_mistake() {
    let rest = " setview 1;\n".repeat(100);
    for (camera, message) in [("camera0.0", "nop;"), ("camera 0.0", "nop {}"), ("camera 0.0", "setview1;")] {
        let text = format!("track \"\\n\";\nblock {{\n {camera} 0.0 0.0;\n {message}\n{rest}}}\n");
        let result = compile(text.as_bytes(), io::sink(), &CompileOptions::default());
        assert!(matches!(result, Err(CompileError::Mistakes(it)) if it.len() == 1), "{camera} {message}");
    }
}

/// A message with more text than the printer's sheet holds, after others on the sheet.
#[test]
fn messages_longer_than_the_sheet() {
    for (entities, fields) in [(300, "frame 3; effects 5; renderfx 6; origin_x 1.0;"), (1000, "frame 3;")] {
        for before in [0, 1, 700, 1400, 2800] {
            let entity = |n| format!("packetentity {{ entity {}; {fields} }}\n", n % 1000 + 1);
            let list: String = (0..entities * 8).map(entity).collect();
            let nops = "layout \"x\";\n".repeat(before);
            let text = format!("block {{\n{nops}packetentities {{ {list} }}\n nop;\n}}\nendblock;\n");
            let recording = compiled(text.as_bytes());
            for bare in [false, true] {
                let options = DecompileOptions { bare, ..DecompileOptions::default() };
                let mut again = Vec::new();
                decompile(&recording[..], &mut again, &options).unwrap();
                assert!(
                    compiled(&again) == recording,
                    "{entities} of {fields} behind {before}, bare: {bare}"
                );
            }
        }
    }
}
