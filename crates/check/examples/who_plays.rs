//! Prints for each file its kind, whether it comes back exactly, and which engines play it.

use std::fs::File;
use std::io::BufReader;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let report = moviola_check::check(BufReader::new(File::open(&path)?))?;
        let it = report.summary.columns();
        println!("{path}: {}", if report.exact { "exact" } else { "DIFFERS" });
        println!("  {} {} {} [{}] [{}]", it.format, it.protocol, it.kind, it.maps, it.players);
        println!("  {} in {} blocks, {} bytes; {}", it.length, it.blocks, it.bytes, it.end);
        for finding in &report.findings {
            let severity = finding.severity.word();
            println!("  {severity} {}: {} ({} times)", finding.code.number(), finding.message, finding.count);
        }
        for verdict in &report.engines {
            let why = verdict.reasons.iter().map(|it| format!("{} at byte {}", it.message, it.place.offset));
            println!(
                "  {:<12}{}  {}",
                verdict.engine,
                verdict.plays.word(),
                why.collect::<Vec<_>>().join("; ")
            );
        }
    }
    Ok(())
}
