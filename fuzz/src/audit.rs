//! The audit: any bytes as a file, and any messages as blocks of one.

use moviola_audit::{AuditSeverity, audit as audited};
use moviola_format::entropy::{Entropy, EntropyBytes};
use moviola_format::{Block, Context, Dialect, Game, Piece, Quake, Quake2};

/// The first byte decides whether the others are a file or entropy for messages. In both cases the report is small, and
/// a second audit gives the same.
pub fn audit(bytes: &[u8]) {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let file = match choice % 4 {
        0 => bytes.to_vec(),
        1 => [b"-1\n", bytes].concat(),
        2 => recording_from::<Quake>(bytes),
        _ => recording_from::<Quake2>(bytes),
    };
    let report = audited(&file[..]).expect("the source never fails");
    let mut codes: Vec<_> = report.findings.iter().map(|finding| finding.code).collect();
    codes.sort();
    assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "a finding is there twice");
    for finding in &report.findings {
        assert!((1..=5).contains(&finding.evidence.len()) && finding.count >= finding.evidence.len() as u64);
    }
    let counts = report.findings.iter().any(|finding| finding.severity > AuditSeverity::Note);
    assert_eq!(counts, !report.is_clean());
    assert_eq!(Ok(report), audited(&file[..]).map_err(|_| ()));
}

/// A file of blocks of random messages.
fn recording_from<D: Dialect>(bytes: &[u8]) -> Vec<u8> {
    let game = D::GAME;
    let mut file = if game == Game::Quake { b"-1\n".to_vec() } else { Vec::new() };
    let context = Context::of(game);
    for part in bytes.chunks(bytes.len().div_ceil(8).max(1)) {
        let (kept, mut block) = (EntropyBytes::default(), Vec::new());
        drop(Entropy::new(part, &kept, context).block::<D>(&mut block));
        Piece::Block(Block::new(&block)).write(game, &mut file).expect("memory can be written");
    }
    file
}
