//! How far a match is: the lines in which KTX says that it goes into overtime, is stopped, or stands still.

// schema-once, all words: what a match does

/// A phase of the match that a line announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The match changes: `overtime` or `break`.
    Match(&'static str),
    /// The game stops, or goes on.
    Pause(bool),
}

/// The words of such lines, from which bit 7 of each byte was taken. KTX is the source (`match.c`, `vote.c`,
/// `commands.c`); a player's name may stand before the words.
const LINES: &[(&str, Phase)] = &[
    ("overtime follows", Phase::Match("overtime")),
    ("overtime begins", Phase::Match("overtime")),
    ("Match stopped by majority vote", Phase::Match("break")),
    (" stops the countdown", Phase::Match("break")),
    (" paused the game", Phase::Pause(true)),
    ("game unpaused", Phase::Pause(false)),
];

/// Reads a line without bit 7.
pub(super) fn phase(line: &[u8]) -> Option<Phase> {
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
        assert_eq!(phase(b"Bob paused the game."), Some(Phase::Pause(true)));
        assert_eq!(phase(b"game unpaused"), Some(Phase::Pause(false)));
        assert_eq!(phase(b"Bob unpaused the game (will resume in 3 seconds)"), None);
    }
}
