//! The progress bar on standard error. Short runs show none.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use dupfind_engine::{Observer, PairSink, Stage};
use dupfind_scan::{Scan, ScanJudge, ScanOptions, scan_judged};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::messages;

/// The bar appears after this time.
const PATIENCE: Duration = Duration::from_millis(400);

/// A bar that shows the stage of the run and how much of it is done.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    is_shown: AtomicBool,
    may_show: bool,
    /// How many steps of the stage are done.
    steps: AtomicU64,
    /// Whether the bar counts bytes instead of steps.
    is_of_bytes: AtomicBool,
}

/// A bar of bytes, with the number of documents in its message.
const BYTES: &str = "{msg} {bar:30} {bytes} of {total_bytes}, {eta} left";

impl Progress {
    /// Returns a bar; `may_show` allows it to appear, unless `--quiet` does not. indicatif draws nothing if standard error is not
    /// a terminal.
    pub(crate) fn new(may_show: bool) -> Self {
        Self {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            start: Instant::now(),
            is_shown: AtomicBool::new(false),
            may_show: may_show && !messages::is_quiet(),
            steps: AtomicU64::new(0),
            is_of_bytes: AtomicBool::new(false),
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
            (None, Stage::Read) => "{msg} {spinner} {human_pos}, {per_sec}, {elapsed}",
            (None, _) => "{msg} {spinner}",
        };
        self.steps.store(0, Ordering::Relaxed);
        self.is_of_bytes.store(false, Ordering::Relaxed);
        self.bar.set_style(style(template));
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
        self.steps.fetch_add(1, Ordering::Relaxed);
        if !self.is_of_bytes.load(Ordering::Relaxed) {
            self.bar.inc(1);
        }
    }

    fn bytes_read(&self, read: u64, all: u64) {
        self.show_when_due();
        if !self.is_of_bytes.swap(true, Ordering::Relaxed) {
            self.bar.set_style(style(BYTES));
            self.bar.set_length(all);
        }
        let documents = HumanCount(self.steps.load(Ordering::Relaxed));
        let message = format!("{}: {documents}", Stage::Read.as_str());
        self.bar.set_message(message);
        self.bar.set_position(read);
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("a valid template")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_with_the_number_of_documents() {
        let progress = Progress::new(true);
        progress.stage(Stage::Read, None);
        (0..1_718).for_each(|_| progress.advance());
        progress.bytes_read(3 << 20, 8 << 20);
        assert_eq!(progress.bar.message(), "reading documents: 1,718");
        assert_eq!(progress.bar.position(), 3 << 20);
        assert_eq!(progress.bar.length(), Some(8 << 20));
        progress.stage(Stage::JaccardJoin, Some(5));
        progress.advance();
        assert_eq!(progress.bar.position(), 1);
        assert_eq!(progress.bar.length(), Some(5));
    }
}
