//! The extensions of protocols 15 and 250 by Nehahra and DarkPlaces, and which engines play them.

use crate::cut::{Cut, MIDDLE};
use moviola_check::CheckReport;

// The letters stand for id-1.06, id-1.09, quakespasm, darkplaces.

/// Appends an update of entity 50 with bit 15, and the bytes after its fields.
fn update(cut: Cut, more: &[u8]) -> Cut {
    cut.append(MIDDLE, &[&[0x81, 0x80, 50][..], more].concat())
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[track_caller]
fn codes(report: &CheckReport) -> Vec<&'static str> {
    report.findings.iter().map(|it| it.code.number()).collect()
}

/// Both results were seen on `DarkPlaces` and `QuakeSpasm`.
#[test]
fn nehahras_floats_are_darkplaces_own_in_protocol_250() {
    for transparency in [&[1.0, 0.5][..], &[2.0, 0.5, 1.0]] {
        let floats = floats(transparency);
        update(Cut::quake(), &floats).plays("NNYN");
        let mut nehahra = Cut::quake();
        let at = nehahra.blocks[0].windows(5).position(|it| it == b"\x0b\x0f\0\0\0").unwrap();
        nehahra.blocks[0][at + 1] = 250;
        update(nehahra, &floats).plays("NNNY");
    }
}

/// Lists of entities in place of updates: in `DarkPlaces`' own protocols, and with FTE's extensions.
#[test]
fn lists_of_entities_are_read() {
    // The other findings, without the one about the protocol itself, which not every engine plays.
    let others =
        |report: &CheckReport| codes(report).into_iter().filter(|code| *code != "M202").collect::<Vec<_>>();
    for name in ["dem-3502-darkplaces", "dem-3504-darkplaces"] {
        let cut = Cut::of(name);
        cut.plays("NNNY");
        let report = cut.report();
        assert!(report.raw.is_empty() && others(&report).is_empty(), "{name}: {:?}", report.findings);
    }
    for name in ["dem-666-fte", "dem-999-fte"] {
        let cut = Cut::of(name);
        cut.plays("NNNN");
        let report = cut.report();
        assert!(report.raw.is_empty(), "{name}: {:?}", report.raw);
        assert_eq!(others(&report), ["M109"], "{name}");
    }
    // A message that only the game's own code can read.
    let report = Cut::of("dem-3503-darkplaces").report();
    assert_eq!((report.raw.len(), others(&report)), (1, vec!["M111"]));
}

/// Played on `DarkPlaces`.
#[test]
fn updates_of_darkplaces_are_its_own() {
    // Alpha and scale after bit 15; glow and a high byte of the frame after bit 23. The last one could also be a light
    // style, whose string would have no end.
    for update in [
        &b"\x81\x80\x06\x07\xc8\x10"[..],
        b"\x81\x80\x90\x04\x07\x03\x01",
        b"\x81\x80\x86\x0c\x07\x80\x20\x01\x02",
    ] {
        let report = Cut::quake().append(MIDDLE, update).report();
        crate::cut::plays(&report, "NNNY");
        assert_eq!(codes(&report), ["M110"]);
        let [rest] = &report.raw[..] else { panic!("{:?}", report.raw) };
        assert_eq!(rest.why, "updates as DarkPlaces extends them are kept raw");
        assert!(report.summary.darkplaces && !report.summary.nehahra);
        assert_eq!(report.summary.columns().protocol, "15 NetQuake (DarkPlaces)");
    }
    let plain = Cut::quake().report().summary;
    assert!(!plain.darkplaces);
    assert_eq!(plain.columns().protocol, "15 NetQuake");
}

/// An editor left the wrong version print in the recording. The blocks contradict it, and count more.
#[test]
fn items_are_read_as_the_blocks_show_them() {
    for (name, own, other) in [("dem-15-v107", "1.07", "1.06"), ("dem-15-v106", "1.06", "1.09")] {
        let [own, other] = [own, other].map(|version| format!("VERSION {version}"));
        let cut = Cut::of(name);
        let claimed = cut.patch(0, own.as_bytes(), other.as_bytes()).report();
        assert_eq!(claimed.summary.raw.count, 0, "{name}");
        assert_eq!(codes(&claimed), codes(&Cut::of(name).report()), "{name}");
    }
}

/// If a block can also be read in another way than `DarkPlaces`', the verdict is unknown.
#[test]
fn a_block_that_can_be_read_in_two_ways_has_no_verdict() {
    // Read as an update without more bytes, of entity 4, and a `nop`; or with a byte of flags, of entity 1.
    let report = Cut::quake().append(MIDDLE, b"\x81\x80\x00\x01").report();
    assert_eq!(codes(&report), ["M107"]);
    crate::cut::plays(&report, "????");
    assert!(!report.summary.darkplaces);
}

/// One byte is missing: the messages before it are still read, in the way that gets further.
#[test]
fn a_cut_block_of_bjp_3_keeps_its_good_messages() {
    let mut cut = Cut::of("dem-10002-short-static");
    let at = cut.blocks.iter().position(|block| block.ends_with(b"\x19\x02")).unwrap();
    let whole = cut.report().summary;
    let messages = cut.blocks[at][16..cut.blocks[at].len() - 1].to_vec();
    cut.blocks[at] = [&(messages.len() as u32).to_le_bytes()[..], &[0; 12], &messages].concat();
    let report = cut.report();
    assert_eq!((report.summary.raw.count, report.summary.messages), (1, whole.messages - 1));
    assert_eq!(codes(&report), ["M202", "M102"], "{:?}", report.findings);
}

/// Damage is reported even at places that no engine reaches, since recordings are used not only for playback.
#[test]
fn damage_is_reported_after_the_place_where_engines_stop() {
    for name in ["dm2-34-server", "dm2-34-relay"] {
        for (damage, code) in [(&b"\0"[..], "M203"), (b"\x0a\x02cut off", "M217")] {
            let cut = Cut::of(name);
            assert!(!codes(&cut.report()).contains(&code), "{name}");
            let report = cut.append(MIDDLE, damage).report();
            let found = report.findings.iter().find(|it| it.code.number() == code).unwrap();
            assert_eq!((found.count, found.place.block), (1, Some(MIDDLE as u64)), "{name}");
        }
    }
}
