//! Honest players are not accused, and cheaters are found, even after all texts were removed.

use crate::common::{corpus, cut, of_several, recordings, retimed, rewritten, shaken, without_words};
use moviola_audit::{AuditCode, AuditReport, AuditSeverity, FindingSubject, audit};
use std::fs;
use std::path::{Path, PathBuf};

fn of(bytes: &[u8]) -> AuditReport {
    audit(bytes).expect("bytes are read without errors")
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The codes of the findings about the player that are more than notes.
fn codes(report: &AuditReport) -> Vec<AuditCode> {
    let counts = report
        .findings
        .iter()
        .filter(|it| it.about == FindingSubject::Player && it.severity > AuditSeverity::Note);
    counts.map(|it| it.code).collect()
}

/// The recordings of the corpus that show cheats, according to the game's own texts. All others are honest.
const KNOWN: [&str; 2] = ["LibreQuake__demo.dem", "LibreQuake__demo2.dem"];

#[test]
fn no_honest_recording_is_accused() {
    let (folders, least) = match corpus() {
        Some(folder) => (vec![folder.join("dem"), folder.join("dm2")], 80),
        None => (vec![samples()], 4),
    };
    let cheats: Vec<&str> = KNOWN.into_iter().chain(CHEATS.map(|(name, _)| name)).collect();
    let mut judged = 0;
    for path in folders.iter().flat_map(|folder| recordings(folder)).filter(|path| is_recording(path)) {
        let report = of(&fs::read(&path).unwrap());
        let accused = report.cheating.is_some();
        assert_eq!(accused, cheats.contains(&&*name(&path)), "{}: {:?}", name(&path), report.findings);
        judged += 1;
    }
    assert!(judged > least, "only {judged}");
}

/// The folder of the bundled recordings.
fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

fn is_recording(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("dem") || it.eq_ignore_ascii_case("dm2"))
}

/// The labeled recordings, and the codes that must be found in them without texts. An empty list means that
/// the recording has no trace of the cheat except the texts; docs/audit.md gives the reason.
const CHEATS: [(&str, &[AuditCode]); 19] = {
    use AuditCode::*;
    [
        ("qs_15_lq_e0m9.dem", &[AllWeapons]),
        ("qs_666_lq_e0m9.dem", &[AllWeapons]),
        ("qs_999_lq_e0m9.dem", &[AllWeapons]),
        ("qs_15_secret.dem", &[Jump, BlowsWithoutLoss, AllWeapons]),
        ("quake0.91_COOP1.dem", &[AmmoGiven]),
        ("quake1.01_COOP1.dem", &[AmmoGiven]),
        ("quake1.06_COOP1.dem", &[AmmoGiven]),
        ("quake1.07_COOP1.dem", &[AmmoGiven]),
        // id's game code refuses `impulse 9` in deathmatch, which these are.
        ("quake0.91_SP1.dem", &[]),
        ("quake1.01_SP1.dem", &[]),
        ("quake1.06_SP1.dem", &[]),
        ("quake1.07_SP1.dem", &[]),
        // This recording is not labeled, but contains `give h 9`: a loss without a blow, which is not an advantage.
        ("quakespasm_15.dem", &[]),
        ("quakespasm_666.dem", &[]),
        ("quakespasm_999.dem", &[]),
        // In protocols with lists of entities, only texts are judged.
        ("qss_FTE15.dem", &[]),
        ("yq_sp.dm2", &[GodShell, WhiteBlow, ArmorLeap, SpectatorMove]),
        ("yq_cl2.dm2", &[GodShell, WhiteBlow, ArmorLeap, SpectatorMove]),
        // The same session recorded by the server, which has the shells of all players but no texts.
        ("yq_srv.dm2", &[GodShell]),
    ]
};

#[test]
fn cheats_are_found_with_and_without_words() {
    let (folder, least) = corpus().map_or_else(|| (samples(), 3), |it| (it.join("ours"), CHEATS.len()));
    let there: Vec<_> = CHEATS.into_iter().filter(|(name, _)| folder.join(name).is_file()).collect();
    assert!(there.len() >= least, "only {}", there.len());
    for (name, expected) in there {
        let bytes = fs::read(folder.join(name)).unwrap();
        let (with_words, without) = (codes(&of(&bytes)), codes(&of(&without_words(&bytes))));
        let is_word = |it: &AuditCode| it.number().starts_with("C1");
        let speaks = !name.ends_with("SP1.dem") && name != "yq_srv.dm2";
        assert_eq!(with_words.iter().any(is_word), speaks, "{name}: {with_words:?}");
        assert!(!without.iter().any(is_word), "{name}: {without:?}");
        for code in expected {
            assert!(with_words.contains(code), "{name}: {code:?} of {with_words:?}");
            assert!(without.contains(code), "{name} without words: {code:?} of {without:?}");
        }
        assert_eq!(without.is_empty(), expected.is_empty(), "{name}: {without:?}");
    }
}

#[test]
fn our_honest_recordings_stay_honest_with_and_without_words() {
    let Some(folder) = corpus() else { return };
    let index = fs::read_to_string(folder.join("ours/INDEX.tsv")).unwrap();
    let mut honest = 0;
    for line in index.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (name, label) = (columns[0], columns[5]);
        let known = CHEATS.iter().any(|(it, _)| *it == name);
        assert!(known || !label.starts_with("cheat"), "{name} is not in the list");
        if known {
            continue;
        }
        honest += 1;
        let bytes = fs::read(folder.join("ours").join(name)).unwrap();
        let report = of(&bytes);
        assert!(report.is_clean(), "{name}: {:?}", report.findings);
        let report = of(&without_words(&bytes));
        assert_eq!(report.cheating, None, "{name}: {:?}", report.findings);
    }
    assert!(honest > 10, "only {honest}");
}

/// Honest recordings stay clean also without their texts.
#[test]
fn honest_recordings_stay_honest_without_words() {
    let Some(folder) = corpus() else { return };
    for path in recordings(&folder.join("dem")) {
        let report = of(&without_words(&fs::read(&path).unwrap()));
        assert!(
            report.cheating.is_none() || KNOWN.contains(&&*name(&path)),
            "{}: {:?}",
            name(&path),
            report.findings
        );
    }
}

/// Removing other messages than texts from a recording accuses its file, not its player.
#[test]
fn honest_recordings_stay_honest_with_parts_removed() {
    const WORDS: [&str; 3] = ["print", "centerprint", "stufftext"];
    const OTHER_MESSAGES: [&[&str]; 4] =
        [&["sound"], &["damage"], &["temp_entity"], &["setangle", "particle", "killedmonster"]];
    let Some(folder) = corpus() else { return };
    for path in recordings(&folder.join("dem")) {
        let bytes = fs::read(&path).expect("a file");
        if bytes.len() > 500_000 || KNOWN.contains(&&*name(&path)) {
            continue;
        }
        for others in OTHER_MESSAGES {
            let report = of(&rewritten(&bytes, |name| !WORDS.contains(&name) && !others.contains(&name)));
            assert_eq!(report.cheating, None, "{} without {others:?}: {:?}", name(&path), report.findings);
        }
    }
}

/// Networks lose frames of multiplayer games, and deliver some of them late.
#[test]
fn honest_recordings_stay_honest_when_frames_are_lost_or_late() {
    let Some(folder) = corpus() else { return };
    let mut judged = 0;
    for path in recordings(&folder.join("dem")) {
        let bytes = fs::read(&path).expect("a file");
        if bytes.len() > 1_000_000 || KNOWN.contains(&&*name(&path)) || !of_several(&bytes) {
            continue;
        }
        judged += 1;
        for (late, every) in [(false, 11), (false, 53), (true, 47), (true, 997)] {
            let report = of(&shaken(&bytes, late, every));
            assert_eq!(report.cheating, None, "{} {late} {every}: {:?}", name(&path), report.findings);
        }
    }
    assert!(judged > 10, "only {judged}");
}

/// The honest Quake recordings that are small enough for many variations.
fn honest(folder: &Path) -> impl Iterator<Item = (String, Vec<u8>, AuditReport)> {
    let all = ["dem", "ours"].into_iter().flat_map(|part| recordings(&folder.join(part)));
    let small = all.map(|path| (name(&path), fs::read(&path).expect("a file")));
    let small =
        small.filter(|(name, bytes)| bytes.len() < 400_000 && name.to_ascii_lowercase().ends_with("dem"));
    let judged = small.map(|(name, bytes)| {
        let report = of(&bytes);
        (name, bytes, report)
    });
    judged.filter(|(_, _, report)| report.cheating.is_none() && report.audited)
}

/// Slow motion and fast motion are edits of films, and so is a clock rewritten for a better time: never a
/// cheat of the player.
#[test]
fn honest_recordings_stay_honest_with_another_clock() {
    let Some(folder) = corpus() else { return };
    let mut judged = 0;
    for (name, bytes, _) in honest(&folder) {
        for times in [10.0, 4.0, 2.0, 1.25, 0.5, 0.25, 0.1] {
            for blocks in [0..usize::MAX, 100..200, 400..700] {
                let report = of(&retimed(&bytes, times, blocks.clone()));
                assert_eq!(report.cheating, None, "{name} {times} {blocks:?}: {:?}", report.findings);
                judged += 1;
            }
        }
    }
    assert!(judged > 500, "only {judged}");
}

/// A cut-out block may contain an item or a blow.
#[test]
fn honest_recordings_stay_honest_when_blocks_are_cut_out() {
    let Some(folder) = corpus() else { return };
    let mut judged = 0;
    for (name, bytes, report) in honest(&folder) {
        let blocks = report.looked.blocks as usize;
        for first in (40..blocks).step_by(blocks / 24 + 1) {
            for count in [1, 2, 4, 9] {
                let report = of(&cut(&bytes, first..first + count));
                assert_eq!(report.cheating, None, "{name} {first} {count}: {:?}", report.findings);
                judged += 1;
            }
        }
    }
    assert!(judged > 1000, "only {judged}");
}

/// A player in noclip starts and stops at once, and hovers in the air, which is noticed without texts.
#[test]
fn noclip_is_seen() {
    let Some(folder) = corpus() else { return };
    for name in KNOWN {
        let without = codes(&of(&without_words(&fs::read(folder.join("dem").join(name)).expect("a file"))));
        assert!(
            without.contains(&AuditCode::Noclip) && without.contains(&AuditCode::AtOnce),
            "{name}: {without:?}"
        );
    }
}

#[test]
fn a_report_does_not_grow_with_the_file() {
    let Some(folder) = corpus() else { return };
    let bytes = fs::read(folder.join("ours/qs_15_secret.dem")).unwrap();
    let many = [&bytes[..], &bytes[3..].repeat(30)].concat();
    let report = of(&many);
    assert!(report.findings.len() <= AuditCode::ALL.len());
    assert!(report.findings.iter().all(|it| it.evidence.len() <= 5));
    assert!(report.findings.iter().any(|it| it.count > 100));
}
