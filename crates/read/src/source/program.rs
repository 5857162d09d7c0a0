//! Started programs: git, those that read PDF, and those of the user. Each has a process group of its own, so that the programs that
//! it has started end with it, where the system has process groups.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The process groups of the programs that have not ended; none once no program may start any more.
static RUNNING: Mutex<Option<Vec<u32>>> = Mutex::new(Some(Vec::new()));

fn running() -> MutexGuard<'static, Option<Vec<u32>>> {
    // No panic can leave the list half changed.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all programs, and lets no other one start. Waits a moment until they are gone, so that they write no more
/// files.
pub fn stop() {
    let groups = running().take().unwrap_or_default();
    groups.iter().copied().for_each(kill_group);
    for _ in 0..200 {
        if !groups.iter().copied().any(is_there) {
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The longest pause before looking again whether a program has ended.
const LONGEST_PAUSE: Duration = Duration::from_millis(10);

/// A program that was started. It is ended when this value is dropped.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) child: Child,
    has_ended: bool,
}

impl Program {
    /// Starts a program.
    ///
    /// # Errors
    ///
    /// It cannot be started, or [`stop`] was called.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        in_own_group(command);
        // Locked while the program starts, so that `stop` ends it too.
        let mut running = running();
        let Some(groups) = running.as_mut() else {
            return Err(io::ErrorKind::Interrupted.into());
        };
        let child = command.spawn()?;
        groups.push(child.id());
        Ok(Self {
            child,
            has_ended: false,
        })
    }

    /// Waits for the end of the program. Returns nothing if it does not end in time.
    pub(crate) fn end(&mut self, timeout: Duration) -> io::Result<Option<ExitStatus>> {
        let start = Instant::now();
        let mut pause = Duration::from_micros(100);
        loop {
            let status = self.child.try_wait()?;
            self.has_ended = status.is_some();
            if self.has_ended || start.elapsed() >= timeout {
                return Ok(status);
            }
            thread::sleep(pause);
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let id = self.child.id();
        if !self.has_ended {
            kill_group(id);
            // Where the system has no process groups, only the program itself is ended.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        for groups in running().iter_mut() {
            groups.retain(|&known| known != id);
        }
    }
}

/// Reads a pipe on another thread, by `read`. Nothing waits for the end of this thread: programs that it has started may
/// keep the pipe open for ever.
pub(crate) fn read_pipe<P: Send + 'static>(
    pipe: Option<P>,
    read: impl FnOnce(P) -> io::Result<Vec<u8>> + Send + 'static,
) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let pipe = pipe.expect("asked for a pipe");
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        // The receiver may be gone.
        let _ = sender.send(read(pipe));
    })?;
    Ok(receiver)
}

#[cfg(unix)]
fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn in_own_group(_: &mut Command) {}

/// Ends a program and all programs that it has started, if they still run.
#[cfg(unix)]
fn kill_group(id: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(id) = i32::try_from(id) {
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// Returns whether a process group has a process.
#[cfg(unix)]
fn is_there(id: u32) -> bool {
    use nix::sys::signal::killpg;
    use nix::unistd::Pid;
    i32::try_from(id).is_ok_and(|id| killpg(Pid::from_raw(id), None).is_ok())
}

#[cfg(not(unix))]
fn is_there(_: u32) -> bool {
    false
}
