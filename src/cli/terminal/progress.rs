//! The progress bar on standard error. Short runs show none.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::engine::observer::{Observer, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
    /// Returns a bar; `may_show` allows it to appear. indicatif draws nothing if standard error is not a terminal.
    pub(crate) fn new(may_show: bool) -> Self {
        Self {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            start: Instant::now(),
            is_shown: AtomicBool::new(false),
            may_show,
        }
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
            // How many records there are is not known before they are read.
            (None, Stage::Read) => "{msg} {spinner} {human_pos}, {per_sec}, {elapsed}",
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
