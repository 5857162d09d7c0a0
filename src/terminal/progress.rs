//! The progress bar on standard error. Short runs show none.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dupfind_engine::{Observer, PairSink, Stage};
use dupfind_scan::{Scan, ScanJudge, ScanOptions, scan_judged};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::messages;

/// The bar appears after this time.
const PATIENCE: Duration = Duration::from_millis(400);

/// A bar that shows the stage of the run and how much of it is done.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    is_shown: AtomicBool,
    may_show: bool,
}

impl Progress {
    /// Returns a bar; `may_show` allows it to appear, unless `--quiet` does not. indicatif draws nothing if standard error is not
    /// a terminal.
    pub(crate) fn new(may_show: bool) -> Self {
        Self {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            start: Instant::now(),
            is_shown: AtomicBool::new(false),
            may_show: may_show && !messages::is_quiet(),
        }
    }

    /// Shows a bar during an action.
    pub(crate) fn during<T>(action: impl FnOnce(&Self) -> T) -> T {
        let bar = Self::new(true);
        let done = action(&bar);
        bar.clear();
        done
    }

    /// Scans documents, and prints what was not read. The judge decides which pairs the sink gets.
    ///
    /// # Errors
    ///
    /// Those of the scan.
    pub(crate) fn of_scan<'t>(
        options: &ScanOptions,
        judge: &'t mut (dyn ScanJudge + 't),
        sink: &'t mut (dyn PairSink + 't),
    ) -> dupfind_engine::Result<Scan> {
        let scan = |progress: &Self| scan_judged(options, progress, Some(judge), Some(sink));
        let outcome = Self::during(scan)?;
        messages::of_scan(&options.walk, &outcome);
        Ok(outcome)
    }

    /// Removes the bar from the terminal.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn show_when_due(&self) {
        if self.may_show
            && !self.is_shown.load(Ordering::Relaxed)
            && self.start.elapsed() > PATIENCE
            && !self.is_shown.swap(true, Ordering::Relaxed)
        {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Observer for Progress {
    fn stage(&self, stage: Stage, total: Option<u64>) {
        self.show_when_due();
        let template = match (total, stage) {
            (Some(_), _) => "{msg} {bar:30} {human_pos}/{human_len} {eta}",
            (None, Stage::Read) => "{msg} {spinner} {human_pos}, {elapsed}",
            (None, _) => "{msg} {spinner}",
        };
        let style = ProgressStyle::with_template(template).expect("a valid template");
        self.bar.set_style(style);
        self.bar.set_message(stage.as_str());
        self.bar.set_position(0);
        match total {
            Some(total) => self.bar.set_length(total),
            None => self.bar.unset_length(),
        }
        self.bar.tick();
    }

    fn advance(&self) {
        self.show_when_due();
        self.bar.inc(1);
    }
}
