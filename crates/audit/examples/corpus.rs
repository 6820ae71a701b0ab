//! Lists the audit's findings in recordings, one a line: `cargo run -p moviola-audit --example corpus --
//! FILES`.

use moviola_audit::audit;

fn main() -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        let report = audit(std::fs::File::open(&path)?)?;
        for it in report.findings {
            let first = it.evidence.first().map_or("", |proof| proof.description.as_str());
            println!(
                "{}\t{}\t{}\t{}\t{first}",
                std::path::Path::new(&path).display(),
                it.code.number(),
                it.severity.word(),
                it.count
            );
        }
    }
    Ok(())
}
