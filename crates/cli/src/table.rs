//! Lines in aligned columns.

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alignment {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Aligns rows; columns never get narrower from one call to the next.
pub(crate) struct Table {
    sides: Vec<Alignment>,
    widths: Vec<usize>,
}

impl Table {
    /// A table with such columns.
    pub(crate) fn new(sides: impl IntoIterator<Item = Alignment>) -> Self {
        let sides: Vec<Alignment> = sides.into_iter().collect();
        let widths = vec![0; sides.len()];
        Self { sides, widths }
    }

    /// Makes room for a row.
    pub(crate) fn fit(&mut self, row: &[String]) {
        for (width, cell) in self.widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }

    /// A row as a line, without blanks at its end.
    pub(crate) fn line(&self, row: &[String]) -> String {
        let mut line = String::new();
        for ((cell, width), side) in row.iter().zip(&self.widths).zip(&self.sides) {
            let between = if line.is_empty() { "" } else { "  " };
            line.push_str(between);
            let blanks = " ".repeat(width.saturating_sub(cell.chars().count()));
            let (first, second) = if *side == Alignment::Left { (cell, &blanks) } else { (&blanks, cell) };
            line.push_str(first);
            line.push_str(second);
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// A cell shortened to `most` characters. `keeps` is the side that stays: the beginning of a text, the end of
/// a path.
pub(crate) fn shortened(cell: String, most: usize, keeps: Alignment) -> String {
    let length = cell.chars().count();
    if length <= most {
        return cell;
    }
    let kept = most.saturating_sub(1);
    match keeps {
        Alignment::Left => cell.chars().take(kept).chain(['…']).collect(),
        Alignment::Right => std::iter::once('…').chain(cell.chars().skip(length - kept)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new([Alignment::Left, Alignment::Right, Alignment::Left]);
        let rows = [["a", "5", "x"], ["bcd", "10", ""]].map(|row| row.map(String::from));
        for row in &rows {
            table.fit(row);
        }
        assert_eq!(rows.each_ref().map(|row| table.line(row)), ["a     5  x", "bcd  10"]);
        let short = |side| shortened("demos/run.dem".into(), 8, side);
        assert_eq!([short(Alignment::Left), short(Alignment::Right)], ["demos/r…", "…run.dem"]);
    }
}
