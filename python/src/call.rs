//! Calls of the library: on a thread of their own, so that the interpreter goes on, an interrupt is noticed, and
//! progress is reported.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use dupfind_engine::{Observer, Stage};
use pyo3::exceptions::{PyKeyboardInterrupt, PySystemExit};
use pyo3::import_exception;
use pyo3::prelude::*;

/// How often an interrupt is looked for.
const TICK: Duration = Duration::from_millis(25);

/// How long the end of the interpreter waits for calls.
const LAST_WAIT: Duration = Duration::from_secs(10);

/// The thread that ends the interpreter. What runs at the end may still call the library there.
static CLOSER: OnceLock<ThreadId> = OnceLock::new();

/// How many calls are running.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// What a call does at the moment, and whether it must stop.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    is_stopped: AtomicBool,
    stage: Mutex<Option<(Stage, Option<u64>)>>,
    done: AtomicU64,
}

impl Observer for Watch {
    fn stage(&self, stage: Stage, total: Option<u64>) {
        if let Ok(mut now) = self.stage.lock() {
            *now = Some((stage, total));
        }
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

/// A call, or several ones that follow each other and are one run for the user.
pub(crate) struct Call {
    watch: Arc<Watch>,
    /// Hears of the progress.
    callback: Option<Py<PyAny>>,
    _running: Running,
}

impl Call {
    /// Returns a call. `progress` is true, false, none or a function.
    pub(crate) fn new(py: Python<'_>, progress: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let callback = match progress {
            None => None,
            Some(progress) => {
                let module = py.import("dupfind._progress")?;
                let callback = module.getattr("callback")?.call1((progress,))?;
                (!callback.is_none()).then(|| callback.unbind())
            }
        };
        Ok(Self {
            callback,
            ..Self::silent()?
        })
    }

    /// Returns a call that reports no progress.
    pub(crate) fn silent() -> PyResult<Self> {
        goes_on()?;
        Ok(Self {
            watch: Arc::default(),
            callback: None,
            _running: Running::new(),
        })
    }

    /// Returns whether somebody hears of the progress.
    pub(crate) fn is_followed(&self) -> bool {
        self.callback.is_some()
    }

    /// Runs a part of the call on a thread of its own. After an interrupt the thread is told to stop, and nobody waits for
    /// it.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        task: impl FnOnce(&Watch) -> dupfind_engine::Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let (sender, mut receiver) = sync_channel(1);
        let watch = Arc::clone(&self.watch);
        let work = move || {
            let result = catch_unwind(AssertUnwindSafe(|| task(&watch)));
            let _ = sender.send(result);
        };
        let thread = thread::Builder::new().name("dupfind".into()).spawn(work);
        thread.map_err(|error| Error::new_err(format!("cannot start a thread: {error}")))?;
        loop {
            // The interpreter is left alone while this waits.
            let (returned, received) = py.detach(move || {
                let received = receiver.recv_timeout(TICK);
                (receiver, received)
            });
            receiver = returned;
            match received {
                Ok(Ok(result)) => {
                    self.tell(py)?;
                    return result.map_err(|error| exception(&error));
                }
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::new_err(
                        "the call panicked; this is a mistake in dupfind",
                    ));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let heard = self.check(py);
                    if heard.is_err() {
                        self.watch.is_stopped.store(true, Ordering::Relaxed);
                    }
                    heard?;
                }
            }
        }
    }

    /// Checks for interrupts, and reports the progress.
    pub(crate) fn check(&self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        goes_on()?;
        self.tell(py)
    }

    /// Says that reading begins.
    pub(crate) fn begin_reading(&self, total: Option<u64>) {
        self.watch.stage(Stage::Read, total);
    }

    fn tell(&self, py: Python<'_>) -> PyResult<()> {
        let Some(callback) = &self.callback else {
            return Ok(());
        };
        let stage = self.watch.stage.lock().ok().and_then(|stage| *stage);
        if let Some((stage, total)) = stage {
            let done = self.watch.done.load(Ordering::Relaxed);
            callback.call1(py, (stage.as_str(), done, total))?;
        }
        Ok(())
    }

    /// Ends the progress.
    pub(crate) fn end(&self, py: Python<'_>) -> PyResult<()> {
        if let Some(callback) = &self.callback
            && callback.bind(py).hasattr("close")?
        {
            callback.call_method0(py, "close")?;
        }
        Ok(())
    }
}

/// Fails if another thread ends the interpreter. Then the thread of the call ends too, and Python prints nothing about it.
fn goes_on() -> PyResult<()> {
    let is_other = |closer: &ThreadId| *closer != thread::current().id();
    match CLOSER.get().is_some_and(is_other) {
        true => Err(PySystemExit::new_err("the interpreter ends")),
        false => Ok(()),
    }
}

/// Counts a running call: all that it does, as Python ends a thread in any of its functions, and nothing of Rust may be
/// on its stack then.
struct Running;

impl Running {
    fn new() -> Self {
        CALLS.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        CALLS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends the calls of other threads, and waits for them a moment. The interpreter calls it when it ends.
#[pyfunction]
pub(crate) fn close(py: Python<'_>) {
    let _ = CLOSER.set(thread::current().id());
    let end = Instant::now() + LAST_WAIT;
    py.detach(|| {
        while CALLS.load(Ordering::SeqCst) > 0 && Instant::now() < end {
            thread::sleep(Duration::from_millis(5));
        }
    });
}

import_exception!(dupfind._errors, Error);
import_exception!(dupfind._errors, IndexFileError);
import_exception!(dupfind._errors, InputError);
import_exception!(dupfind._errors, OptionError);

/// Returns the exception of an error, with its causes.
pub(crate) fn exception(error: &dupfind_engine::Error) -> PyErr {
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        message.push_str(&format!(": {error}"));
        cause = error.source();
    }
    match error {
        dupfind_engine::Error::Stopped => PyKeyboardInterrupt::new_err(message),
        dupfind_engine::Error::Index { .. } | dupfind_engine::Error::IndexIo { .. } => {
            IndexFileError::new_err(message)
        }
        dupfind_engine::Error::Option(_) => OptionError::new_err(message),
        _ => Error::new_err(message),
    }
}

/// Turns errors of the library into exceptions.
pub(crate) trait OrRaise<T> {
    /// Returns the value, or the exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for dupfind_engine::Result<T> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| exception(&error))
    }
}
