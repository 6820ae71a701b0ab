//! Every sample of the independent writer is written back exactly, and the summary agrees with the writer's counts.

use moviola_check::{RecordingEnd, Summary, check};
use moviola_scribe::{End as Written, samples};

/// Where the check means to differ from the writer, and why.
const DIFFERENT: [(&str, &str); 2] = [
    ("dem-open-strings", "an id without a byte of its string is not a message but a remainder"),
    ("dm2-34-early-mark", "blocks behind an end mark are read all the same"),
];

fn end_fits(written: Written, found: RecordingEnd) -> bool {
    match (written, found) {
        (Written::Disconnect, RecordingEnd::Disconnect)
        | (Written::Mark, RecordingEnd::Mark)
        | (Written::Open, RecordingEnd::Open) => true,
        (
            Written::Cut(bytes),
            RecordingEnd::Truncated { bytes: found, .. }
            | RecordingEnd::Trailing { after_end: false, bytes: found },
        )
        | (Written::Trailing(bytes), RecordingEnd::Trailing { after_end: true, bytes: found }) => {
            bytes as u64 == found
        }
        _ => false,
    }
}

#[test]
fn samples_are_exact_and_counted() {
    let mut wrong = Vec::new();
    for sample in samples() {
        let report = check(&sample.bytes[..]).unwrap();
        let it = &report.summary;
        let mut expect = |what: &str, fits: bool, found: String| {
            if !fits {
                wrong.push(format!("{}: {what}: {found}", sample.name));
            }
        };
        expect("exact", report.exact, format!("{:?}", report.difference));
        expect("bytes", it.bytes == sample.bytes.len() as u64, it.bytes.to_string());
        if DIFFERENT.iter().any(|(name, _)| *name == sample.name) {
            continue;
        }
        expect("blocks", it.blocks == sample.blocks as u64, format!("{} not {}", it.blocks, sample.blocks));
        expect("end", end_fits(sample.ends, it.end), format!("{:?} not {:?}", it.end, sample.ends));
        let protocol = it.protocol.as_ref().map_or(0, |protocol| protocol.number);
        expect("protocol", protocol == sample.protocol, format!("{protocol} not {}", sample.protocol));
        if sample.raw_blocks == 0 {
            expect("raw", it.raw.count == 0, format!("{:?} {:?}", it.raw, report.raw.first()));
            expect(
                "messages",
                it.messages == sample.messages as u64,
                format!("{} not {}", it.messages, sample.messages),
            );
            let maps: Vec<_> = it.levels.iter().filter_map(|level| level.map.clone()).collect();
            expect("maps", maps == sample.maps, format!("{maps:?} not {:?}", sample.maps));
            let titles: Vec<_> = it.levels.iter().map(|level| level.title.clone()).collect();
            expect("titles", titles == sample.titles, format!("{titles:?} not {:?}", sample.titles));
        }
        serde_json::to_string(&report).unwrap();
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The size of a summary is limited, however long and many the strings of a recording are.
#[test]
fn long_names_are_cut() {
    let block = |messages: &[u8]| [&(messages.len() as u32).to_le_bytes()[..], &[0; 12], messages].concat();
    let long = |letter: u8| vec![letter; 20_000];
    let info = [&b"\x0b\x0f\0\0\0\x10\0"[..], &long(b't'), b"\0maps/", &long(b'm'), b".bsp\0\0\0"].concat();
    let mut file = [&b"-1\n"[..], &block(&info)].concat();
    for slot in 0..16 {
        file.extend(block(&[&[0x0d, slot][..], &long(b'a' + slot), b"\0"].concat()));
    }
    let summary = check(&file[..]).unwrap().summary;
    let cut = |letter: &str| format!("{}...", letter.repeat(200));
    assert_eq!((summary.players.len(), &summary.players[1]), (16, &cut("b")));
    assert_eq!((&summary.levels[0].title, &summary.maps[..]), (&cut("t"), &[cut("m")][..]));
    assert!(serde_json::to_string(&summary).unwrap().len() < 10_000);
}

/// Moments are floats of 32 bits, and are printed with only as many digits as these have.
#[test]
fn moments_have_few_digits() {
    let level = b"\x0b\x0f\0\0\0\x01\0t\0maps/m.bsp\0\0\0";
    let clock = |time: f32| [&[7][..], &time.to_le_bytes()].concat();
    let block = |messages: &[u8]| [&(messages.len() as u32).to_le_bytes()[..], &[0; 12], messages].concat();
    let first = [&level[..], &clock(16.65)].concat();
    let file = [&b"-1\n"[..], &block(&first), &block(&[&clock(16.7), &b"\x63"[..]].concat())].concat();
    let json = serde_json::to_string(&check(&file[..]).unwrap()).unwrap();
    assert!(json.contains(r#""start":16.65,"end":16.7,"length":0.05"#), "{json}");
    assert!(json.contains(r#""time":16.7,"#) && !json.contains("0000"), "{json}");
}

/// Junk after the end may look like partly readable blocks: they do not count.
#[test]
fn junk_after_the_end_changes_no_verdict() {
    let level = b"\x0b\x0f\0\0\0\x01\0junk\0maps/junk.bsp\0\0\0";
    let quake = [&b"\x07\0\0\xfa\x45"[..], level, b"\x0d\0junk\0\x07\0\0\xfb\x45\x63"].concat();
    let quake2 = b"\x14\xff\x0f\0\0\x12\0\0\x0d\x21\0maps/junk.bsp\0\x0d\x20\x05junk\\x\0\xff\xff";
    for (name, head, junk) in [("dem-15-v109", 16, &quake[..]), ("dm2-34-client", 4, quake2)] {
        let sample = samples().into_iter().find(|sample| sample.name == name).unwrap();
        let mut block = (junk.len() as u32).to_le_bytes().to_vec();
        block.resize(head, 0);
        block.extend_from_slice(junk);
        let summary = |bytes: &[u8]| check(bytes).unwrap().summary;
        let (clean, tail) = (summary(&sample.bytes), 3 * block.len() as u64);
        let found = summary(&[&sample.bytes[..], &block, &block, &block].concat());
        assert_eq!(found.end, RecordingEnd::Trailing { after_end: true, bytes: tail }, "{name}");
        assert_eq!(Summary { end: clean.end, bytes: clean.bytes, ..found }, clean, "{name}");
    }
}
