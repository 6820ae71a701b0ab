//! Findings of QuakeWorld's recordings: blocks and hidden messages that engines do not read.

use moviola_check::{CheckReport, Playability, check};

/// A block of an MVD.
fn block(kind: u8, data: &[u8]) -> Vec<u8> {
    [&[10, kind][..], &(data.len() as u32).to_le_bytes(), data].concat()
}

/// An MVD of a level, these bytes, and a line and the end.
fn around(bytes: &[u8]) -> Vec<u8> {
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let end = [block(6, b"\x08\x02hello\n\0"), block(6, b"\x02EndOfDemo\0")].concat();
    [block(6, &level), block(6, b"\x08\x02hello\n\0"), bytes.to_vec(), end].concat()
}

fn report(file: &[u8]) -> CheckReport {
    check(file).unwrap()
}

/// The numbers of the findings with their places in the file, and whether ezQuake plays it.
fn found(file: &[u8]) -> (Vec<(&'static str, u64)>, Playability) {
    let report = report(file);
    let findings = report.findings.iter().map(|it| (it.code.number(), it.place.offset)).collect();
    (findings, report.engines.iter().find(|it| it.engine == "ezquake").unwrap().plays)
}

#[test]
fn a_block_of_no_type_stops_engines() {
    assert_eq!(found(&around(b"")), (vec![], Playability::Yes));
    let at = around(b"").len() as u64 - block(6, b"\x08\x02hello\n\0").len() as u64 - 17;
    for (bytes, code) in [
        (&b"\x0a\x07\x05\0\0\0hello"[..], "M016"),
        (b"\x0a\x00\x05\0\0\0hello", "M016"),
        (b"\x0a\x06\xfb\xff\xff\xffhello", "M008"),
        (b"\x0a\x06\0\0\0\x70hello", "M009"),
    ] {
        let (findings, plays) = found(&around(bytes));
        assert_eq!(
            (findings.first(), plays),
            (Some(&(code, at)), Playability::No),
            "{}",
            bytes.escape_ascii()
        );
    }
    // Bytes after the end mark are not a part of the recording.
    let behind = [around(b""), b"\x0a\x07\x05\0\0\0hello".to_vec()].concat();
    assert_eq!(found(&behind).0, [("M004", around(b"").len() as u64)]);
}

#[test]
fn engines_skip_hidden_messages() {
    let hidden = |data: &[u8]| [&[0, 3][..], &[0; 4], &(data.len() as u32).to_le_bytes(), data].concat();
    let message =
        |kind: u16, data: &[u8]| [&(data.len() as u32).to_le_bytes()[..], &kind.to_le_bytes(), data].concat();
    for (bytes, code, title) in [
        (message(99, b"secret"), "M113", "a hidden message of the unknown type 99"),
        (message(300, b""), "M113", "a hidden message of the unknown type 300"),
        (message(7, b"\x01\0"), "M114", "a hidden message of an odd size"),
        (b"\x09\0\0\0\x07\0".to_vec(), "M114", "a hidden message of an odd size"),
    ] {
        let file = around(&hidden(&bytes));
        let found = found(&file);
        assert_eq!((found.0[0].0, found.0.len(), found.1), (code, 1, Playability::Yes));
        assert_eq!(report(&file).findings[0].message, title);
    }
    // The messages after one of an unknown type are read. The type has 32 bits if the first 16 are set.
    let longer = [&b"\x02\0\0\0\xff\xff\x05\0"[..], b"ab"].concat();
    let all = [message(99, b"secret"), message(7, &[0; 8]), longer, message(7, b"\x01\0")].concat();
    let report = report(&around(&hidden(&all)));
    let found: Vec<_> = report.findings.iter().map(|it| &it.message[..]).collect();
    let unknown = ["a hidden message of the unknown type 99", "a hidden message of the unknown type 65540"];
    assert_eq!(found, [unknown[0], unknown[1], "a hidden message of an odd size"]);
    assert_eq!(report.summary.raw.bytes, 0);
}

#[test]
fn unknown_extensions_leave_known_messages_readable() {
    let level =
        |pairs: &[u8]| [&[11][..], pairs, b"\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0", &[0; 40]].concat();
    let with_extensions = |pairs: &[u8], more: &[u8]| {
        let end = [block(6, b"\x08\x02hello\n\0"), block(6, b"\x02EndOfDemo\0")].concat();
        [block(6, &level(pairs)), block(6, more), end].concat()
    };
    let title = "unknown extensions of QuakeWorld, as a number 4096";
    let fine = report(&with_extensions(b"MVD1\0\x10\0\0", b"\x08\x02hello\n\0"));
    let messages =
        |report: &CheckReport| report.findings.iter().map(|it| it.message.clone()).collect::<Vec<_>>();
    assert_eq!((messages(&fine), fine.summary.raw.bytes), (vec![title.to_owned()], 0));
    // An unknown message: the rest of its block is raw and names the extensions.
    let odd = report(&with_extensions(b"MVD1\0\x10\0\0", b"\x08\x02hello\n\0\xf0\x01\x02"));
    assert_eq!((messages(&odd), odd.summary.raw.bytes), (vec![title.to_owned()], 3));
    assert_eq!(
        odd.raw[0].why,
        "the extensions 0x1000 were announced, and how they change messages is not known"
    );
}
