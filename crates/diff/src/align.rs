//! Aligns two lists: finds equal keys in the same order, as many as are cheap to find.
//!
//! As in "patience diff", keys that are unique in both lists are anchors. The stretches between anchors are aligned in
//! the same way, and short stretches without anchors are aligned exactly. Time and memory are nearly linear in the
//! lists.

use std::collections::HashMap;
use std::ops::Range;

/// A stretch of both lists, either with equal keys or not aligned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) a: Range<usize>,
    pub(crate) b: Range<usize>,
    pub(crate) same: bool,
}

/// Stretches with up to this many pairs of keys are aligned exactly.
const MAX_EXACT_PAIRS: usize = 1 << 20;

/// The greatest depth of anchors between anchors.
const DEPTH: u8 = 40;

/// Divides two lists into consecutive stretches.
pub(crate) fn align(a: &[u64], b: &[u64]) -> Vec<Stretch> {
    let mut out = Vec::new();
    let mut waiting = vec![(0..a.len(), 0..b.len(), DEPTH)];
    while let Some((a_range, b_range, depth)) = waiting.pop() {
        let (left, right) = (of(a, &a_range), of(b, &b_range));
        let head = left.iter().zip(right).take_while(|(x, y)| x == y).count();
        let (left, right) = (left.get(head..).unwrap_or_default(), right.get(head..).unwrap_or_default());
        let tail = left.iter().rev().zip(right.iter().rev()).take_while(|(x, y)| x == y).count();
        let (from_a, from_b) = (a_range.start + head, b_range.start + head);
        let (to_a, to_b) = (a_range.end - tail, b_range.end - tail);
        push(&mut out, a_range.start..from_a, b_range.start..from_b, true);
        // The last part is pushed first, because it is taken last.
        if tail > 0 {
            waiting.push((to_a..a_range.end, to_b..b_range.end, depth));
        }
        if to_a == from_a || to_b == from_b {
            push(&mut out, from_a..to_a, from_b..to_b, false);
            continue;
        }
        let (left, right) = (of(a, &(from_a..to_a)), of(b, &(from_b..to_b)));
        let pairs = if left.len().saturating_mul(right.len()) <= MAX_EXACT_PAIRS {
            in_full(left, right)
        } else if depth > 0 {
            anchors(left, right)
        } else {
            Vec::new()
        };
        if pairs.is_empty() {
            push(&mut out, from_a..to_a, from_b..to_b, false);
            continue;
        }
        let (mut end_a, mut end_b) = (to_a, to_b);
        for (x, y) in pairs.iter().rev() {
            let (x, y) = (from_a + x, from_b + y);
            waiting.push((x..end_a, y..end_b, depth.saturating_sub(1)));
            (end_a, end_b) = (x, y);
        }
        waiting.push((from_a..end_a, from_b..end_b, depth.saturating_sub(1)));
    }
    out
}

fn of<'l>(list: &'l [u64], range: &Range<usize>) -> &'l [u64] {
    list.get(range.clone()).unwrap_or_default()
}

fn push(out: &mut Vec<Stretch>, a: Range<usize>, b: Range<usize>, same: bool) {
    if a.is_empty() && b.is_empty() {
        return;
    }
    match out.last_mut() {
        Some(last) if last.same == same => (last.a.end, last.b.end) = (a.end, b.end),
        _ => out.push(Stretch { a, b, same }),
    }
}

/// The keys that are unique in both lists, as far as they are in the same order.
fn anchors(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let unique = |list: &[u64]| {
        let mut places: HashMap<u64, Option<usize>> = HashMap::with_capacity(list.len());
        for (at, key) in list.iter().enumerate() {
            places.entry(*key).and_modify(|place| *place = None).or_insert(Some(at));
        }
        places
    };
    let (in_a, in_b) = (unique(a), unique(b));
    let pairs = a.iter().enumerate().filter_map(|(x, key)| {
        in_a.get(key).copied().flatten()?;
        Some((x, in_b.get(key).copied().flatten()?))
    });
    rising(&pairs.collect::<Vec<_>>())
}

/// The longest rising run of the second numbers.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut predecessors: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let second = |at: usize| pairs.get(at).map_or(0, |pair| pair.1);
    for (at, (_, y)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| second(*end) < *y);
        predecessors.push(length.checked_sub(1).and_then(|last| ends.get(last).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(here) = at {
        run.extend(pairs.get(here));
        at = predecessors.get(here).copied().flatten();
    }
    run.reverse();
    run
}

/// The longest common run of two short lists.
fn in_full(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut lengths = vec![0_u32; (a.len() + 1) * width];
    let cell = |most: &[u32], x: usize, y: usize| most.get(x * width + y).copied().unwrap_or(0);
    for (x, left) in a.iter().enumerate().rev() {
        for (y, right) in b.iter().enumerate().rev() {
            let value = if left == right {
                cell(&lengths, x + 1, y + 1) + 1
            } else {
                cell(&lengths, x + 1, y).max(cell(&lengths, x, y + 1))
            };
            if let Some(place) = lengths.get_mut(x * width + y) {
                *place = value;
            }
        }
    }
    let (mut x, mut y, mut pairs) = (0, 0, Vec::new());
    while let (Some(left), Some(right)) = (a.get(x), b.get(y)) {
        if left == right {
            pairs.push((x, y));
            (x, y) = (x + 1, y + 1);
        } else if cell(&lengths, x + 1, y) >= cell(&lengths, x, y + 1) {
            x += 1;
        } else {
            y += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of aligned keys, and how many keys of each list are left.
    fn tally(a: &[u64], b: &[u64]) -> (usize, usize, usize) {
        let stretches = align(a, b);
        let (mut x, mut y, mut found) = (0, 0, (0, 0, 0));
        for it in &stretches {
            assert_eq!((it.a.start, it.b.start), (x, y), "{stretches:?}");
            (x, y) = (it.a.end, it.b.end);
            if it.same {
                assert_eq!(a[it.a.clone()], b[it.b.clone()]);
                found.0 += it.a.len();
            } else {
                found = (found.0, found.1 + it.a.len(), found.2 + it.b.len());
            }
        }
        assert_eq!((x, y), (a.len(), b.len()));
        found
    }

    #[test]
    fn insertions_and_deletions_are_found() {
        let list: Vec<u64> = (0..5000).map(|n| n * 7 % 4999).collect();
        assert_eq!(tally(&list, &list), (5000, 0, 0));
        assert_eq!(tally(&list, &[]), (0, 5000, 0));
        let cut = [&list[..1000], &list[3000..]].concat();
        assert_eq!(tally(&list, &cut), (3000, 2000, 0));
        let put = [&list[..10], &[1 << 40, 2 << 40], &list[10..]].concat();
        assert_eq!(tally(&list, &put), (5000, 0, 2));
    }

    #[test]
    fn repeated_keys_are_aligned_too() {
        let a: Vec<u64> = (0..3000).map(|n| n % 3).collect();
        let mut b = a.clone();
        b.remove(1500);
        let (same, removed, added) = tally(&a, &b);
        assert!((same, removed, added) == (2999, 1, 0), "{same} {removed} {added}");
        // Many equal keys in both lists must not be slow; the number of matches does not matter.
        tally(&vec![1; 20_000], &vec![2; 20_000]);
        let (a, b): (Vec<u64>, Vec<u64>) = ((0..20_000).collect(), (0..20_000).rev().collect());
        assert!(tally(&a, &b).0 >= 1);
    }
}
