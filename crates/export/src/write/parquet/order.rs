//! The order of the rows in a group. Most tables are in the order of time. In the table of entities, the rows of each
//! entity are together, so that an unchanged entity is one run in each column.

/// The number of rows in a page, and so the smallest number that a reader must decode.
const PAGE: usize = 1 << 14;

/// Means that there is no run.
const NONE: u32 = u32::MAX;

/// The rows of a group that is not complete yet.
pub(super) enum PendingRows {
    /// For each row, the number of its line and the number of its instant.
    InTime([Vec<u32>; 2]),
    /// The runs of all entities in the order of their beginnings, and for each place in a small cache the last run of
    /// its entity.
    ByEntity(Vec<Run>, Vec<u32>),
}

/// Consecutive rows of an entity with the same line of cells and consecutive instants.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// The number of the entity.
    entity: u16,
    line: u32,
    instant: u32,
    count: u32,
}

impl PendingRows {
    pub(super) fn new(by_entity: bool) -> Self {
        if by_entity {
            Self::ByEntity(Vec::new(), Vec::new())
        } else {
            Self::InTime([Vec::new(), Vec::new()])
        }
    }

    /// Adds a row of an entity. Its last run is found at this place, unless another entity with the same place has
    /// replaced it.
    #[inline]
    pub(super) fn add(&mut self, entity: u16, place: usize, line: u32, instant: u32) {
        match self {
            Self::InTime([lines, instants]) => {
                lines.push(line);
                instants.push(instant);
            }
            Self::ByEntity(runs, last) => {
                if last.len() <= place {
                    last.resize(place + 1, NONE);
                }
                let Some(last) = last.get_mut(place) else { return };
                match runs.get_mut(*last as usize) {
                    Some(run)
                        if run.line == line
                            && run.entity == entity
                            && run.instant.wrapping_add(run.count) == instant =>
                    {
                        run.count += 1;
                    }
                    _ => {
                        *last = runs.len() as u32;
                        runs.push(Run { entity, line, instant, count: 1 });
                    }
                }
            }
        }
    }

    /// The lines and the instants in the order of the rows.
    pub(super) fn finish(&self) -> [Order<'_>; 2] {
        match self {
            Self::InTime(all) => all
                .each_ref()
                .map(|rows| Order { pages: rows.chunks(PAGE).map(Page::Each).collect(), rows: rows.len() }),
            Self::ByEntity(runs, _) => {
                let sorted = sorted(runs);
                let all = || sorted.iter().filter_map(|number| runs.get(*number as usize));
                let rows = all().map(|run| run.count as usize).sum();
                let mut instants = Vec::with_capacity(rows);
                for run in all() {
                    instants.extend(run.instant..run.instant + run.count);
                }
                // Each thing has nearly all instants of the group, so that a page of them would help no reader.
                [Order { pages: pages(all()), rows }, Order { pages: vec![Page::Made(instants)], rows }]
            }
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Self::InTime(all) => all.iter_mut().for_each(Vec::clear),
            Self::ByEntity(runs, last) => {
                runs.clear();
                last.clear();
            }
        }
    }
}

/// The indexes of the runs, sorted by entity; those of one entity keep their order.
fn sorted(runs: &[Run]) -> Vec<u32> {
    let most = runs.iter().map(|run| usize::from(run.entity) + 1).max().unwrap_or_default();
    // The place of the next run of each entity.
    let mut places = vec![0; most];
    for run in runs {
        if let Some(count) = places.get_mut(usize::from(run.entity)) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for place in &mut places {
        sum += std::mem::replace(place, sum);
    }
    let mut sorted = vec![0; runs.len()];
    for (number, run) in (0u32..).zip(runs) {
        let Some(place) = places.get_mut(usize::from(run.entity)) else { continue };
        if let Some(to) = sorted.get_mut(*place) {
            *to = number;
        }
        *place += 1;
    }
    sorted
}

/// Divides runs into pages. A run that does not fit into a page continues on the next.
fn pages<'r>(runs: impl Iterator<Item = &'r Run>) -> Vec<Page<'static>> {
    let (mut pages, mut page, mut room) = (Vec::new(), Vec::new(), PAGE as u32);
    for run in runs {
        let mut left = run.count;
        while left > 0 {
            let count = left.min(room);
            page.push((run.line, count));
            (left, room) = (left - count, room - count);
            if room == 0 {
                pages.push(Page::Runs(std::mem::take(&mut page)));
                room = PAGE as u32;
            }
        }
    }
    if !page.is_empty() {
        pages.push(Page::Runs(page));
    }
    pages
}

/// The numbers of the rows' lines, or of their instants.
pub(super) struct Order<'a> {
    pub(super) pages: Vec<Page<'a>>,
    /// The number of rows.
    pub(super) rows: usize,
}

/// The rows of a page.
pub(super) enum Page<'a> {
    /// A number for each row.
    Each(&'a [u32]),
    /// A number for each row, in a list that was built for the page.
    Made(Vec<u32>),
    /// Numbers, and how many rows have each.
    Runs(Vec<(u32, u32)>),
}

impl Page<'_> {
    /// The number of its rows.
    pub(super) fn rows(&self) -> usize {
        match self {
            Page::Each(rows) => rows.len(),
            Page::Made(rows) => rows.len(),
            Page::Runs(runs) => runs.iter().map(|(_, count)| *count as usize).sum(),
        }
    }

    /// The numbers of the rows as a list; `None` if there are runs.
    pub(super) fn each(&self) -> Option<&[u32]> {
        match self {
            Page::Each(rows) => Some(rows),
            Page::Made(rows) => Some(rows),
            Page::Runs(_) => None,
        }
    }

    /// The numbers, and how many rows have each.
    pub(super) fn runs(&self) -> impl Iterator<Item = (u32, u32)> {
        let runs = if let Page::Runs(runs) = self { runs.as_slice() } else { &[] };
        let each = self.each().unwrap_or_default().iter();
        each.map(|line| (*line, 1)).chain(runs.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_an_entity_lie_together() {
        let mut coming = PendingRows::new(true);
        // The second entity changes after ten rows and is absent for one; the first and the third have the same place
        // in the cache.
        for instant in 0..10_000 {
            coming.add(9, 1, 0, instant);
            if instant != 20 {
                coming.add(2, 0, if instant < 10 { 1 } else { 2 }, instant);
            }
            coming.add(1, 1, 3, instant);
        }
        let [lines, instants] = coming.finish();
        assert_eq!((lines.rows, instants.rows), (29_999, 29_999));
        let runs: Vec<Vec<(u32, u32)>> = lines.pages.iter().map(|page| page.runs().collect()).collect();
        let merged = |page: &[(u32, u32)]| {
            let mut all: Vec<(u32, u32)> = Vec::new();
            for (line, count) in page {
                match all.last_mut() {
                    Some((last, sum)) if last == line => *sum += count,
                    _ => all.push((*line, *count)),
                }
            }
            all
        };
        assert_eq!(merged(&runs[0]), [(3, 10_000), (1, 10), (2, 6374)]);
        assert_eq!(merged(&runs[1]), [(2, 3615), (0, 10_000)]);
        assert_eq!(lines.pages.iter().map(Page::rows).collect::<Vec<_>>(), [PAGE, 29_999 - PAGE]);
        let of_two: Vec<u32> = (0..10_000).filter(|it| *it != 20).collect();
        let all: Vec<u32> = (0..10_000).chain(of_two).chain(0..10_000).collect();
        assert!(instants.pages[0].each() == Some(&all));
    }

    #[test]
    fn rows_in_time_stay_as_they_came() {
        let mut coming = PendingRows::new(false);
        for row in 0..20_000 {
            coming.add(3, 0, row % 7, row / 2);
        }
        let [lines, instants] = coming.finish();
        let all = |order: &Order<'_>| order.pages.iter().flat_map(Page::runs).collect::<Vec<_>>();
        assert!(all(&lines).iter().zip(0..).all(|(it, row)| *it == (row % 7, 1)));
        assert!(all(&instants).iter().zip(0..).all(|(it, row)| *it == (row / 2, 1)));
        assert_eq!((lines.pages.len(), lines.rows), (2, 20_000));
    }
}
