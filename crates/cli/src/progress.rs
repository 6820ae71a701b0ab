//! A bar on standard error, for runs on a terminal that take longer than a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A bar that may or may not be seen.
#[derive(Clone)]
pub(crate) struct Bar(Option<Arc<Inner>>);

struct Inner {
    bar: ProgressBar,
    start: Instant,
    shown: AtomicBool,
}

const SHOW_AFTER: Duration = Duration::from_secs(1);

impl Bar {
    /// A bar over this many bytes.
    pub(crate) fn bytes(total: Option<u64>, quiet: bool) -> Self {
        let template = match total {
            Some(_) => "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
            None => "{spinner} {bytes} {bytes_per_sec}",
        };
        Self::new(total, template, quiet)
    }

    /// A bar over this many steps of any size.
    pub(crate) fn steps(total: u64, quiet: bool) -> Self {
        Self::new(Some(total), "{wide_bar} {percent}% {eta}", quiet)
    }

    /// A bar over the frames of a film.
    pub(crate) fn frames(total: u64, quiet: bool) -> Self {
        Self::new(Some(total), "{wide_bar} {pos}/{len} frames, {per_sec:0}, {eta} left", quiet)
    }

    fn new(total: Option<u64>, template: &str, quiet: bool) -> Self {
        if quiet || !stderr().is_terminal() {
            return Self(None);
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self(Some(Arc::new(Inner { bar, start: Instant::now(), shown: AtomicBool::new(false) })))
    }

    /// Advances the bar by this much.
    pub(crate) fn advance(&self, by: u64) {
        let Some(inner) = &self.0 else { return };
        inner.bar.inc(by);
        if inner.start.elapsed() >= SHOW_AFTER && !inner.shown.swap(true, Ordering::Relaxed) {
            inner.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Runs a function that prints, with the bar out of the way.
    pub(crate) fn aside<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.0 {
            Some(inner) => inner.bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Some(inner) = &self.0 {
            inner.bar.finish_and_clear();
        }
    }
}
