//! The times in which a player is in sight through whose eyes a recording is seen: films leave the others out, and
//! stills move to the nearest one.

use crate::failure;
use crate::filming::piece;
use crate::scenes::Projector;
use anyhow::{Result, bail};
use moviola::edit::span_time;
use moviola::film::FilmPart;
use moviola::scene::Moment;

/// The most times that a note lists.
const MAX_LISTED: usize = 3;

/// The times in which a player is in sight, in seconds of the recording.
pub(crate) struct Sights {
    all: Vec<[f64; 2]>,
    name: String,
    quiet: bool,
}

impl Sights {
    /// The times for the player with this entity.
    ///
    /// # Errors
    /// There are none.
    pub(crate) fn of(
        projector: &mut Projector<'_>,
        (entity, name): (u16, Option<&str>),
        quiet: bool,
    ) -> Result<Self> {
        let spans = projector.sights(entity)?;
        let named = || projector.reel().players().into_iter().find(|(number, _)| *number == entity);
        let name = name.map(str::to_owned).or_else(|| Some(named()?.1));
        let name = name.unwrap_or_else(|| format!("player {entity}"));
        if spans.is_empty() {
            bail!(
                "{name} is never in sight: a recording has the other players only where its recorder may see them"
            );
        }
        Ok(Self { all: spans, name, quiet })
    }

    /// The parts of a film without the times in which the player is out of sight, with a note on these.
    pub(crate) fn film(&self, parts: &[FilmPart]) -> Result<Vec<FilmPart>> {
        let visible_parts = |part: &FilmPart| -> Vec<FilmPart> {
            let cut = |[from, to]: &[f64; 2]| (from.max(part.from), to.min(part.to));
            let pieces = self.all.iter().map(cut).filter(|(from, to)| from < to);
            pieces.map(|(from, to)| piece(*part, from, to)).collect()
        };
        let mut unseen = Vec::new();
        let mut filmed = Vec::new();
        for part in parts {
            let pieces = visible_parts(part);
            let ends = pieces.iter().map(|it| it.from).chain([part.to]);
            let starts = [part.from].into_iter().chain(pieces.iter().map(|it| it.to));
            unseen.extend(starts.zip(ends).filter(|(from, to)| from < to).map(|(from, to)| [from, to]));
            filmed.extend(pieces);
        }
        if filmed.is_empty() {
            bail!("{} is not in sight in that part, only at {}", self.name, listed(&self.all));
        }
        let seconds: f64 = unseen.iter().map(|[from, to]| to - from).sum();
        if !self.quiet && !unseen.is_empty() {
            let (name, times) = (&self.name, listed(&unseen));
            failure::line(&format!(
                "note: {name} is out of sight at {times}: the film leaves {seconds:.1} seconds out"
            ));
        }
        Ok(filmed)
    }

    /// A moment to which the projector has gone, or the nearest one at which the player is in sight, the next ones first,
    /// with a note.
    pub(crate) fn still(&self, projector: &mut Projector<'_>, moment: Moment) -> Result<Moment> {
        let time = match moment {
            Moment::At(time) => time,
            Moment::AfterBlock(_) => projector.reel().seconds(),
        };
        let next = self.all.iter().find(|[_, to]| time <= *to).or(self.all.last());
        let shown_time = next.map_or(time, |[from, to]| time.clamp(*from, *to));
        if (shown_time - time).abs() < f64::EPSILON {
            return Ok(moment);
        }
        if !self.quiet {
            failure::line(&format!(
                "note: {} is out of sight at {}: the picture is of {}",
                self.name,
                film_span_time(time),
                film_span_time(shown_time)
            ));
        }
        projector.go(Moment::At(shown_time))?;
        Ok(Moment::At(shown_time))
    }

    /// The moment after this part of all the times in which the player is in sight, from 0 to 1.
    pub(crate) fn share(&self, part: f64) -> f64 {
        let mut left = part * self.all.iter().map(|[from, to]| to - from).sum::<f64>();
        for [from, to] in &self.all {
            if left <= to - from {
                return from + left;
            }
            left -= to - from;
        }
        self.all.last().map_or(0.0, |[_, to]| *to)
    }
}

fn listed(times: &[[f64; 2]]) -> String {
    let mut words: Vec<String> = times
        .iter()
        .take(MAX_LISTED)
        .map(|[from, to]| format!("{}..{}", film_span_time(*from), film_span_time(*to)))
        .collect();
    if times.len() > MAX_LISTED {
        words.push(format!("{} more times", times.len() - MAX_LISTED));
    }
    words.join(", ")
}

/// A time since the first picture, in the words of spans.
pub(crate) fn film_span_time(seconds: f64) -> String {
    format!("+{}", span_time(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_keeps_the_times_in_sight() {
        let sights =
            Sights { all: vec![[1.0, 3.0], [5.0, 5.0], [7.0, 9.0]], name: "Bob".to_owned(), quiet: true };
        let whole = FilmPart { to: 8.0, ..FilmPart::default() };
        let filmed = sights.film(&[whole]).unwrap();
        let ends: Vec<[f64; 2]> = filmed.iter().map(|it| [it.from, it.to]).collect();
        assert_eq!(ends, [[1.0, 3.0], [7.0, 8.0]]);
        let error = sights.film(&[FilmPart { from: 3.5, to: 4.5, ..whole }]).unwrap_err().to_string();
        assert_eq!(
            error,
            "Bob is not in sight in that part, only at +1.00..+3.00, +5.00..+5.00, +7.00..+9.00"
        );
        for (part, at) in [(0.0, 1.0), (0.25, 2.0), (0.75, 8.0), (1.0, 9.0)] {
            assert!((sights.share(part) - at).abs() < 1e-9, "{part}");
        }
    }

    #[test]
    fn times_are_words_of_spans() {
        assert_eq!([0.0, 59.96, 61.25].map(film_span_time), ["+0.00", "+59.96", "+1:01.25"]);
    }
}
