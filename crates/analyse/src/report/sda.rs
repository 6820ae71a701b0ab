//! The block of text that goes with a run to the Speed Demos Archive.

use super::facts::Report;
use std::fmt::Write;

impl Report {
    /// The text of a run, a block for each level that was finished. Data that a recording does not contain,
    /// the date and usually the skill, are lines for the runner to fill in.
    ///
    /// ```
    /// use moviola_analyse::{LevelReport, Report, Tally};
    /// let level = LevelReport {
    ///     map: Some("e1m1".into()),
    ///     title: "the Slipgate Complex".into(),
    ///     seconds: Some(61.4),
    ///     kills: Some(Tally { done: 3, total: 24 }),
    ///     ..LevelReport::default()
    /// };
    /// let report = Report { recorder: Some("Ranger".into()), levels: vec![level], ..Report::default() };
    /// let text = report.sda();
    /// assert!(text.contains("Map     : e1m1 - the Slipgate Complex\n"));
    /// assert!(text.contains("Kills   : 3/24\n"));
    /// assert!(text.contains("Time    : 1:01.40000\n"));
    /// assert!(text.contains("Date    : ________\n"));
    /// ```
    pub fn sda(&self) -> String {
        const WIDTH: usize = 45;
        const BLANK: &str = "________";
        let mut text = String::new();
        let line = "-".repeat(WIDTH);
        let mut timed = 0;
        for level in &self.levels {
            let Some(seconds) = level.seconds else { continue };
            timed += 1;
            let tally = |tally: Option<super::Tally>| {
                tally.map(|tally| format!("{}/{}", tally.done, tally.total)).unwrap_or_default()
            };
            let map = match (level.map.as_deref(), level.title.as_str()) {
                (Some(map), "") => map.to_owned(),
                (Some(map), title) => format!("{map} - {title}"),
                (None, title) => title.to_owned(),
            };
            let rows = [
                ("Runner", self.recorder.clone().unwrap_or_default()),
                ("Map", map),
                ("Skill", level.skill.unwrap_or_default().to_owned()),
                ("Kills", tally(level.kills)),
                ("Secrets", tally(level.secrets)),
                ("Time", clock(seconds)),
                ("Date", String::new()),
            ];
            let _ = writeln!(text, "{line}");
            for (name, value) in rows {
                let value = if value.is_empty() { BLANK } else { &value };
                // Writing into a string cannot fail.
                let _ = writeln!(text, "{name:<8}: {value}");
            }
        }
        if let Some(seconds) = self.seconds.filter(|_| timed > 1) {
            let _ = writeln!(text, "{line}\n{:<8}: {}", "Total", clock(seconds));
        }
        text
    }
}

/// Minutes and seconds with five decimals, truncated and not rounded, so that no run gets a better time by
/// it.
pub(super) fn clock(seconds: f64) -> String {
    const PARTS_PER_SECOND: f64 = 100_000.0;
    // The addition keeps the error of a double from losing one of an exact number of parts.
    let parts = (seconds.max(0.0) * PARTS_PER_SECOND + 0.001).floor() as u64;
    let (minutes, rest) = (parts / (60 * PARTS_PER_SECOND as u64), parts % (60 * PARTS_PER_SECOND as u64));
    format!("{minutes}:{:02}.{:05}", rest / PARTS_PER_SECOND as u64, rest % PARTS_PER_SECOND as u64)
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn times_are_cut() {
        assert_eq!(clock(59.999_998), "0:59.99999");
        assert_eq!(clock(60.0), "1:00.00000");
        assert_eq!(clock(3_725.5), "62:05.50000");
        assert_eq!(clock(1069.6), "17:49.60000");
        assert_eq!(clock(-1.0), "0:00.00000");
        assert_eq!(clock(f64::NAN), "0:00.00000");
    }
}
