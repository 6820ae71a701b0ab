//! Work on many things over all cores, the results in the order of the things.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Does `work` on every item; `sink` gets the results in order and says whether to go on.
///
/// Items are taken in order too, so that few results wait for their turn.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut sink: impl FnMut(R) -> bool,
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
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if sender.send((at, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut turn = 0;
        for (at, result) in receiver {
            waiting.insert(at, result);
            while let Some(result) = waiting.remove(&turn) {
                turn += 1;
                if !sink(result) {
                    // Dropping the receiver ends the workers that wait to send.
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
}

/// Does `work` on all that an iterator gives, the results in order. Whoever has nothing else to do helps: within the
/// work of [`in_order`], that are the cores that found no other item.
pub(crate) fn together<T: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let items = Mutex::new(items.enumerate());
    let results = Mutex::new(Vec::new());
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| {
                // The items are let go of before the work begins.
                let take = || lock(&items).next();
                while let Some((at, item)) = take() {
                    let result = work(item);
                    lock(&results).push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{in_order, together};
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
    fn nothing_is_nothing() {
        in_order(&[] as &[u8], |_| (), |()| panic!("there is nothing"));
    }

    #[test]
    fn what_is_in_an_item_is_shared() {
        assert_eq!(together(0..200, |item| item * 2), (0..200).map(|item| item * 2).collect::<Vec<_>>());
        // One item, and as many in it as there are threads: all must be at work at the same time.
        let threads = rayon::current_num_threads();
        let all = Barrier::new(threads);
        let mut sum = 0;
        in_order(
            &[1],
            |_| {
                together(0..threads, |inner| {
                    all.wait();
                    inner
                })
            },
            |inner| {
                sum += inner.len();
                true
            },
        );
        assert_eq!(sum, threads);
    }
}
