//! Work on many items over all cores, with the results in the order of the items.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs `work` on every item; `sink` gets the results in order and returns whether to go on.
///
/// Items are taken in order too, so that few results wait for their turn.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut sink: impl FnMut(R) -> bool,
) {
    let only = |item: &T, parts: &Parts<'_, R>| {
        parts.give(0, work(item));
    };
    parts_in_order(items, only, |_, result| sink(result));
}

/// Runs `work`, which may have several results, on every item. `sink` gets each result as soon as all results before
/// it are there.
pub(crate) fn parts_in_order<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T, &Parts<'_, R>) + Sync,
    mut sink: impl FnMut(&T, R) -> bool,
) {
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let workers = rayon::current_num_threads().min(items.len());
    let (sender, receiver) = sync_channel(4 * workers.max(1));
    rayon::in_place_scope(|scope| {
        for _ in 0..workers {
            let (sender, work, next, stopped) = (sender.clone(), &work, &next, &stopped);
            scope.spawn(move |_| {
                while !stopped.load(Ordering::Relaxed) {
                    let item = next.fetch_add(1, Ordering::Relaxed);
                    let Some(what) = items.get(item) else { return };
                    work(what, &Parts { item, sender: &sender, stopped });
                    if sender.send((item, None)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut ended) = (BTreeMap::new(), BTreeSet::new());
        let mut turn = (0, 0);
        for (item, part) in receiver {
            match part {
                Some((part, result)) => {
                    waiting.insert((item, part), result);
                }
                None => {
                    ended.insert(item);
                }
            }
            while let Some(what) = items.get(turn.0) {
                if let Some(result) = waiting.remove(&turn) {
                    turn.1 += 1;
                    if !sink(what, result) {
                        // Dropping the receiver ends the workers that wait to send.
                        stopped.store(true, Ordering::Relaxed);
                        return;
                    }
                } else if ended.remove(&turn.0) {
                    turn = (turn.0 + 1, 0);
                } else {
                    break;
                }
            }
        }
    });
}

/// The receiver of the results of an item.
pub(crate) struct Parts<'a, R> {
    item: usize,
    sender: &'a SyncSender<(usize, Option<(usize, R)>)>,
    stopped: &'a AtomicBool,
}

impl<R> Parts<'_, R> {
    /// Passes on the result of this number, counted from 0 without gaps, in any order; returns whether more
    /// are wanted.
    pub(crate) fn give(&self, at: usize, result: R) -> bool {
        self.sender.send((self.item, Some((at, result)))).is_ok() && !self.stopped.load(Ordering::Relaxed)
    }
}

/// Runs `work` on all items of an iterator; `done` gets each result with its number, and returns whether to
/// go on. Idle threads help: within the work of [`in_order`], these are the cores that found no other item.
pub(crate) fn together<T: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    done: impl Fn(usize, R) -> bool + Sync,
) {
    let items = Mutex::new(items.enumerate());
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| {
                // The lock on the items is released before the work begins.
                let take = || lock(&items).next();
                while let Some((at, item)) = take() {
                    if !done(at, work(item)) {
                        return;
                    }
                }
            });
        }
    });
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{AtomicBool, AtomicUsize, Ordering, in_order, parts_in_order, sync_channel, together};
    use std::sync::Barrier;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..200).collect();
        let mut seen = Vec::new();
        in_order(
            &items,
            |item| item * 2,
            |result| {
                seen.push(result);
                true
            },
        );
        assert_eq!(seen, items.iter().map(|item| item * 2).collect::<Vec<_>>());
    }

    #[test]
    fn the_sink_can_stop_it() {
        let mut count = 0;
        in_order(
            &[1; 1000],
            |item| *item,
            |_| {
                count += 1;
                count < 3
            },
        );
        assert_eq!(count, 3);
    }

    #[test]
    fn no_items_give_no_results() {
        in_order(&[] as &[u8], |_| (), |()| panic!("there is nothing"));
    }

    #[test]
    fn the_parts_of_an_item_are_shared_among_threads() {
        // One item, and as many parts in it as there are threads: all must be at work at the same time.
        let threads = rayon::current_num_threads();
        let all = Barrier::new(threads);
        let mut seen = Vec::new();
        parts_in_order(
            &[1],
            |_, parts| {
                let wait = |inner| {
                    all.wait();
                    inner
                };
                together(0..threads, wait, |at, inner| parts.give(at, inner));
            },
            |_, inner| {
                seen.push(inner);
                true
            },
        );
        assert_eq!(seen, (0..threads).collect::<Vec<_>>());
    }

    #[test]
    fn parts_come_when_they_are_ready() {
        // The second part is made only after the first came out; the end of the item does not matter.
        let first_is_out = Barrier::new(2);
        let mut seen = Vec::new();
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(0);
            scope.spawn(|| {
                let receiver = receiver;
                assert_eq!(receiver.recv(), Ok(1));
                first_is_out.wait();
            });
            parts_in_order(
                &["a"],
                |_, parts| {
                    parts.give(0, 1);
                    first_is_out.wait();
                    parts.give(1, 2);
                },
                |item, part| {
                    seen.push((*item, part));
                    if part == 1 {
                        sender.send(part).unwrap();
                    }
                    true
                },
            );
        });
        assert_eq!(seen, [("a", 1), ("a", 2)]);
    }

    #[test]
    fn nothing_more_is_made_when_nothing_is_wanted() {
        let (is_over, late) = (AtomicBool::new(false), AtomicUsize::new(0));
        let work = |number| {
            late.fetch_add(usize::from(is_over.load(Ordering::SeqCst)), Ordering::SeqCst);
            number
        };
        parts_in_order(
            &[0],
            |_, parts| together(0..1_000_000, work, |at, number| parts.give(at, number)),
            |_, number| {
                is_over.store(number >= 10, Ordering::SeqCst);
                number < 10
            },
        );
        // From then on no results are taken: at most four of one item wait, and each core holds one.
        let most = 4 + rayon::current_num_threads();
        assert!(late.load(Ordering::SeqCst) <= most, "{late:?} of {most}");
    }
}
