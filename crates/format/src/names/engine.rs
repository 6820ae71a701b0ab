//! Names the engine that made a recording, by the first text that its server prints.

use super::readable;

/// The engine that a server's first print names, with its version.
///
/// Quake prints `VERSION 1.09 SERVER (5927 CRC)`; FitzQuake and its descendants put their own name there;
/// `DarkPlaces` prints `Server: DarkPlaces-Quake build 20180908 (progs 24778 crc)`.
///
/// ```
/// use moviola_format::names::engine;
/// assert_eq!(engine(b"\x02\nVERSION 1.09 SERVER (5927 CRC)").as_deref(), Some("Quake 1.09"));
/// ```
pub fn engine(print: &[u8]) -> Option<String> {
    let text = readable(trim(print));
    if let Some(rest) = text.strip_prefix("Server: ") {
        let (name, _) = rest.split_once(" (progs ")?;
        return Some(name.to_owned());
    }
    let (head, tail) = text.split_once('(')?;
    if !tail.to_ascii_uppercase().contains("CRC)") {
        return None;
    }
    let head = head.trim_end();
    let name = head.strip_suffix("SERVER").or_else(|| head.strip_suffix("Server"))?.trim_end();
    Some(match name.split_once(' ') {
        Some(("VERSION", version)) => format!("Quake {version}"),
        // QuakeSpasm still prints FitzQuake's name.
        Some(("FITZQUAKE", version)) => format!("QuakeSpasm/FitzQuake {version}"),
        _ => name.to_owned(),
    })
}

/// Without the mark of colored text and the line breaks before it.
fn trim(print: &[u8]) -> &[u8] {
    let start = print.iter().position(|byte| !matches!(byte, 1..=3 | b'\n')).unwrap_or(print.len());
    print.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_of_engines() {
        let engine_of = |print: &str| engine(print.as_bytes());
        assert_eq!(engine_of("\u{2}\nVERSION 1.09 SERVER (5927 CRC)").unwrap(), "Quake 1.09");
        assert_eq!(
            engine_of("\u{2}\nFITZQUAKE 0.85 SERVER (60019 CRC)\n").unwrap(),
            "QuakeSpasm/FitzQuake 0.85"
        );
        assert_eq!(engine_of("\u{2}\nQSS 0.93.2 Server (24778 CRC)\n").unwrap(), "QSS 0.93.2");
        let build = "\nServer: DarkPlaces-Quake build 0~20180908 Debian (progs 24778 crc)\n";
        assert_eq!(engine_of(build).unwrap(), "DarkPlaces-Quake build 0~20180908 Debian");
        assert_eq!(engine_of("hello (CRC)"), None);
        assert_eq!(engine_of(""), None);
    }
}
