//! The heads of QuakeWorld's blocks in the words of the text: time and numbers of a packet, or step and audience.

use crate::FieldChange;
use moviola_format::{Audience, Stamp};
use moviola_text::StatementKind;

/// The bit of a packet's number that says that it is reliable.
const RELIABLE: u32 = 1 << 31;

/// The differences between the heads of two blocks.
pub(crate) fn changes(old: &Stamp, new: &Stamp) -> Vec<FieldChange> {
    let (old, new) = (fields(old), fields(new));
    let only_new = new.iter().filter(|(kind, _)| !old.iter().any(|(it, _)| it == kind));
    let kinds = old.iter().chain(only_new).map(|(kind, _)| *kind);
    let value = |list: &[(StatementKind, String)], kind| {
        list.iter().find(|(it, _)| *it == kind).map(|(_, value)| value.clone())
    };
    let change = |kind: StatementKind| FieldChange {
        name: kind.keyword().to_owned(),
        old: value(&old, kind),
        new: value(&new, kind),
    };
    kinds.map(change).filter(|it| it.old != it.new).collect()
}

/// The statements of a head with their values.
fn fields(stamp: &Stamp) -> Vec<(StatementKind, String)> {
    let mut fields = Vec::new();
    match *stamp {
        Stamp::None | Stamp::Mvd2 | Stamp::Record { .. } => {}
        Stamp::Qwd { time, numbers } => {
            let seconds = f32::from_bits(time);
            let words = if seconds.is_nan() { format!("nan:0x{time:08X}") } else { format!("{seconds:?}s") };
            fields.push((StatementKind::Time, words));
            if let Some([first, second]) = numbers {
                fields.push((StatementKind::Seq1, (first & !RELIABLE).to_string()));
                fields.push((StatementKind::Seq2, (second & !RELIABLE).to_string()));
                let reliable: Vec<&str> = [(first, "1"), (second, "2")]
                    .into_iter()
                    .filter(|(number, _)| number & RELIABLE != 0)
                    .map(|(_, word)| word)
                    .collect();
                if !reliable.is_empty() {
                    fields.push((StatementKind::Reliable, reliable.join(" ")));
                }
            }
        }
        Stamp::Mvd { msec, kind, players } => {
            fields.push((StatementKind::Msec, msec.to_string()));
            let (audience, upper) = (Audience::of(kind), Audience::player(kind));
            let word = Audience::ALL.iter().find(|(it, ..)| Some(*it) == audience).map_or("", |(.., it)| it);
            let is_of_one = matches!(audience, Some(Audience::Single | Audience::Stats));
            let slots: Vec<String> = match audience {
                Some(Audience::Multiple) => {
                    (0..32).filter(|slot| players >> slot & 1 == 1).map(|slot| slot.to_string()).collect()
                }
                _ if is_of_one => vec![upper.to_string()],
                _ => Vec::new(),
            };
            let to: Vec<&str> = std::iter::once(word).chain(slots.iter().map(String::as_str)).collect();
            fields.push((StatementKind::To, to.join(" ")));
            if !is_of_one && upper != 0 {
                fields.push((StatementKind::Spare, upper.to_string()));
            }
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_differ_in_the_words_of_the_text() {
        let words = |old: Stamp, new: Stamp| -> Vec<String> {
            let shown = |it: Option<String>| it.unwrap_or_else(|| "-".into());
            let line = |it: FieldChange| format!("{} {} {}", it.name, shown(it.old), shown(it.new));
            changes(&old, &new).into_iter().map(line).collect()
        };
        let packet = |time: f32, numbers| Stamp::Qwd { time: time.to_bits(), numbers };
        let reliable = Some([3 | RELIABLE, 2]);
        assert_eq!(
            words(packet(1.5, Some([3, 2])), packet(2.0, Some([4, 2]))),
            ["time 1.5s 2.0s", "seq1 3 4"]
        );
        assert_eq!(words(packet(1.5, reliable), packet(1.5, Some([3, 2]))), ["reliable 1 -"]);
        assert_eq!(words(packet(1.5, Some([3, 2])), packet(1.5, None)), ["seq1 3 -", "seq2 2 -"]);
        let block = |msec, kind, players| Stamp::Mvd { msec, kind, players };
        let single = Audience::Single.kind(3);
        let several = Audience::Multiple.kind(0);
        assert_eq!(
            words(block(10, single, 0), block(0, several, 5)),
            ["msec 10 0", "to single 3 multiple 0 2"]
        );
    }
}
