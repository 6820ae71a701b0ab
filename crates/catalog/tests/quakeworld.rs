//! Matches of QuakeWorld can be found by their players and servers.
#![allow(clippy::unwrap_used)]

use moviola_catalog::{Depth, Query, recording};

#[path = "../../format/tests/common/corpus.rs"]
mod corpus;

#[test]
fn a_match_is_found_by_its_teams_mode_server_date_and_score() {
    let Some(folder) = corpus::corpus() else { return };
    let row = |name: &str| {
        let bytes = std::fs::read(folder.join("qw").join(name)).unwrap();
        recording(&bytes[..], Depth::Full).unwrap().unwrap()
    };
    let duel = row("ours/duel.qwd");
    let takes = |query: &str, row| Query::parse(query).unwrap().takes(row);
    for (query, yes) in [
        ("game=quakeworld mode=1on1 host=qwkit team=red", true),
        ("player=hero score=0 scores=\"hero 0\" scores=\"anna -2\"", true),
        ("mode=2on2", false),
        ("team=green", false),
        ("score>0", false),
        ("map=lqdm2", true),
    ] {
        assert_eq!(takes(query, &duel), yes, "{query}: {duel:?}");
    }
    // The day of KTX's statistics.
    let basic = row("ours/basic.mvd");
    assert!(takes("date=2026-11-22", &basic) && !takes("date=2025", &basic), "{:?}", basic.played);
    let real = row("real/github_ParadokS81_quakeworld__2on2__sr__vs_red_dm4_20260327-1259.mvd");
    assert!(takes("date=2026-03-27 host~berlin team=red map=dm4", &real), "{real:?}");
    // Recordings of other games have none of these columns.
    let other = recording(&b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02"[..], Depth::Full).unwrap().unwrap();
    assert!(takes("team=none mode=none date=none score=none", &other));
}

/// An MVD2 is read as if it were a recording of Relay, with messages of an older protocol.
#[test]
fn a_match_of_quake2_has_its_game_and_one_protocol() {
    let Some(folder) = corpus::corpus() else { return };
    let bytes = std::fs::read(folder.join("qw/real/github_packetflinger_q2demo__test.mvd2")).unwrap();
    let row = recording(&bytes[..], Depth::Full).unwrap().unwrap();
    assert!(Query::parse("game=quake2 protocol=37").unwrap().takes(&row), "{row:?}");
    let mut reporter = moviola_analyse::Reporter::new();
    moviola_analyse::watch(&bytes[..], &mut [&mut reporter]).unwrap();
    assert_eq!(reporter.report().protocol, row.protocol);
    let mut files = moviola_export::Files::<Vec<u8>>::new(moviola_export::TableFormat::Jsonl);
    let id = moviola_export::Id::of(&bytes[..]).unwrap();
    let harvest = moviola_export::harvest(&bytes[..], id, "match", &mut files).unwrap();
    assert_eq!(harvest.recording.protocol, row.protocol);
    assert_eq!(harvest.recording.protocol_name, row.protocol_name);
}
