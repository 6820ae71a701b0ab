//! The phases of a match, from the lines in which KTX announces a round, an overtime, the end of a match by its
//! players, or a pause.

// not from SCHEMA, all words: the phases of a match

/// A phase of the match that a line announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The match changes: `round`, `overtime` or `break`.
    Match(&'static str),
    /// The game is paused, or continues.
    Pause(bool),
}

/// The words of such lines, without bit 7 of each byte. They are from KTX (`match.c`, `vote.c`, `commands.c`); a
/// player's name may precede them.
const LINES: &[(&str, Phase)] = &[
    ("overtime follows", Phase::Match("overtime")),
    ("overtime begins", Phase::Match("overtime")),
    ("Match stopped by majority vote", Phase::Match("break")),
    (" stops the countdown", Phase::Match("break")),
    (" paused the game", Phase::Pause(true)),
    ("game unpaused", Phase::Pause(false)),
];

/// The words around a round's number, which is in brackets of the game's font: "round [2] starts in 5 seconds."
const ROUND: [&str; 2] = ["round \x10", "\x11 starts in "];

/// Reads a line without bit 7.
pub(super) fn phase(line: &[u8]) -> Option<Phase> {
    if let Some(rest) = line.strip_prefix(ROUND[0].as_bytes()) {
        let digits = rest.iter().take_while(|sign| sign.is_ascii_digit()).count();
        let begins = rest.get(digits..).is_some_and(|rest| rest.starts_with(ROUND[1].as_bytes()));
        // not from SCHEMA: an event of a match
        return begins.then_some(Phase::Match("round"));
    }
    let has = |words: &str| line.windows(words.len()).any(|part| part == words.as_bytes());
    LINES.iter().find(|(words, _)| has(words)).map(|(_, phase)| *phase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_match_are_read() {
        assert_eq!(phase(b"[5] minutes overtime follows"), Some(Phase::Match("overtime")));
        assert_eq!(phase(b"Match stopped by majority vote"), Some(Phase::Match("break")));
        assert_eq!(phase(b"round \x1012\x11 starts in 5 seconds."), Some(Phase::Match("round")));
        assert_eq!(phase(b"round \x102\x11 is over"), None);
        assert_eq!(phase(b"Bob paused the game."), Some(Phase::Pause(true)));
        assert_eq!(phase(b"game unpaused"), Some(Phase::Pause(false)));
        assert_eq!(phase(b"Bob unpaused the game (will resume in 3 seconds)"), None);
    }
}
