//! Writes `docs/findings.md`: everything that `check`, `audit` and the commands of the cutting room can find,
//! from the codes.

use moviola::{audit, check, edit, input};
use std::fmt::Write;

fn main() {
    print!("{}", page());
}

fn page() -> String {
    let mut page = String::from(
        "# Findings of check, audit and edits\n\n`moviola explain M101` prints the same for one code. Mistakes in *texts* \
         are in [another chapter](diagnostics.md).\n\n## check\n",
    );
    for code in check::CheckCode::ALL {
        add_finding(&mut page, code.number(), code.title(), code.explanation());
    }
    page.push_str("\n## check, of recordings of input\n\nDOOM's `.lmp` and its kin, and Duke's `.dmo`.\n");
    for code in input::InputCode::ALL {
        add_finding(&mut page, code.number(), code.title(), code.explanation());
    }
    page.push_str(
        "\n## audit\n\n[A paper of its own](audit.md) explains how the audit judges, and how sure it is.\n",
    );
    for code in audit::AuditCode::ALL {
        add_finding(&mut page, code.number(), code.title(), code.explanation());
        let _ = writeln!(page, "\n*{}*. The audit cannot know {}.", code.severity().word(), code.limit());
    }
    page.push_str("\n## Mistakes in the arguments of edits\n\nThey are reported with the place in the spans, arguments or script.\n");
    for code in edit::EditCode::ALL {
        add_finding(&mut page, code.number(), code.title(), code.explanation());
    }
    page
}

fn add_finding(page: &mut String, number: &str, title: &str, explanation: &str) {
    let title = title.replace("{}", "N");
    let lines: Vec<&str> = explanation.lines().map(str::trim).collect();
    let _ = writeln!(page, "\n### {number}: {title}\n\n{}", lines.join("\n"));
}
