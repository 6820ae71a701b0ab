//! The game's own statistics of a `QuakeWorld` match, compared with the recording's events.

use moviola_audit::{AuditCode, AuditSeverity, audit, audited_report};

fn block(kind: u8, data: &[u8]) -> Vec<u8> {
    [&[10, kind][..], &(data.len() as u32).to_le_bytes(), data].concat()
}

/// A match in which Al kills Bob, and the statistics that the game wrote.
fn recording(statistics: &str) -> Vec<u8> {
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let players = b"\x28\0\x01\0\0\0\\name\\Al\0\x28\x01\x02\0\0\0\\name\\Bob\0\x09skins\n\0";
    let hidden =
        [&(statistics.len() as u32 + 2).to_le_bytes()[..], b"\x03\0\0\0", statistics.as_bytes()].concat();
    [
        block(6, &level),
        block(6, players),
        block(6, b"\x09//ktx matchstart\n\0"),
        block(6, b"\x08\x01Bob rides Al's rocket\n\0\x0e\0\x01\0"),
        [&[0, 3, 0, 0, 0, 0][..], &(hidden.len() as u32).to_le_bytes(), &hidden].concat(),
        block(6, b"\x02EndOfDemo\0"),
    ]
    .concat()
}

#[test]
fn a_difference_is_a_note() {
    let agree = r#"{"players": [{"name": "Al", "stats": {"frags": 1, "kills": 1}}, {"name": "Bob", "stats": {"deaths": 1}}]}"#;
    let report = audit(&recording(agree)[..]).unwrap();
    assert_eq!(report.findings, []);
    let file = recording(&agree.replace("\"deaths\": 1", "\"deaths\": 3"));
    let report = audit(&file[..]).unwrap();
    let finding = &report.findings[0];
    assert_eq!(
        (finding.code, finding.severity, finding.count),
        (AuditCode::StatisticsDiffer, AuditSeverity::Note, 1)
    );
    assert_eq!(finding.evidence[0].description, "Bob: deaths 1, the game says 3");
    assert!(report.is_clean() && report.editing.is_none());
    let report = audited_report(&file[..]).unwrap();
    assert_eq!((report.matches[0].differences.len(), report.matches[0].players.len()), (1, 2));
    assert!(report.to_string().contains("Bob: deaths 1, the game says 3"), "{report}");
}
