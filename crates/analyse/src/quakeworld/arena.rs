//! KTX's Rocket Arena: the line about a death names only the victim. The next line names the surviving player, or says
//! that the victim caused the death.

use crate::events::queue::EventQueue;
use crate::obituary::Class;
use crate::{EventKind, EventPlayer, Evidence};

/// The end of the line about the survivor: "Al had [75] health and [100] armor left".
const LINE_END: &[u8] = b" armor left";
const HAD: &[u8] = b" had \x10";

/// The lines after the death of a player by himself.
const BY_ONESELF: [&[u8]; 4] = [
    b"by himself!",
    b"by herself!",
    b"because he became bored with life!",
    b"because she became bored with life!",
];

/// Handles a line without bit 7; returns whether it belongs to the last death.
pub(super) fn ends_death(line: &[u8], name: impl Fn(&[u8]) -> EventPlayer, out: &mut EventQueue) -> bool {
    let is_own = BY_ONESELF.contains(&line);
    let at = line.windows(HAD.len()).position(|part| part == HAD).filter(|_| line.ends_with(LINE_END));
    let left = at.and_then(|at| line.get(..at)).map(name);
    if !is_own && left.is_none() {
        return false;
    }
    out.amend(|event| {
        let EventKind::Kill { attacker: attacker @ None, class, weapon: "", .. } = &mut event.kind else {
            return false;
        };
        if is_own {
            *class = Class::Suicide.word();
        } else {
            attacker.clone_from(&left);
        }
        event.evidence |= Evidence::PRINT;
        true
    })
}
