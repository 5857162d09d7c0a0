//! The file of a stream's state: read at the start, and saved now and then.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use dupfind_report::language::phrase;
use dupfind_report::say;
use dupfind_report::style::numbers::amount;
use dupfind_scan::stream::seen::settings::SeenOptions;
use dupfind_scan::stream::seen::state::{Position, State};

use crate::commands::stream::args::Often;
use crate::process::memory;
use crate::terminal::messages;
use crate::terminal::output;
use crate::terminal::output::Output;
use dupfind_files::lock::Lock;

/// Saves a state to its file.
#[derive(Debug)]
pub(crate) struct Keeper {
    /// The path as it was typed, for messages.
    name: String,
    /// The file that is locked and written.
    place: PathBuf,
    often: Often,
    last: Instant,
    /// The number of records at the last save.
    records: u64,
    _lock: Lock,
}

impl Keeper {
    /// Returns the state in the file, if the file exists, and the keeper that saves to it.
    ///
    /// # Errors
    ///
    /// Another stream saves to the file, it cannot be read or written, or its state was made with other options.
    pub(crate) fn open(
        path: &Path,
        often: Often,
        settings: &SeenOptions,
    ) -> Result<(Option<State>, Self)> {
        let Some(place) = output::written(path)? else {
            bail!("--state -: a state is kept in a file");
        };
        let name = path.display().to_string();
        let Some(lock) = Lock::of(&place)? else {
            bail!("another stream is saving to {name}");
        };
        let state = State::open(&place, settings, memory::total());
        let state = state
            .with_context(|| format!("cannot go on from {name}; the file is left as it is"))?;
        if let Some(state) = &state {
            messages::note(&say!("{}: {}", name, goes_on(state.position)));
        }
        // A file that cannot be written is an error before anything is read.
        Output::open(Some(&place)).map(drop)?;
        let keeper = Self {
            name,
            place,
            often,
            last: Instant::now(),
            records: state.as_ref().map_or(0, |state| state.position.records),
            _lock: lock,
        };
        Ok((state, keeper))
    }

    /// Returns whether it is time to save.
    pub(crate) fn is_due(&self, position: Position) -> bool {
        match self.often {
            Often::Records(records) => position.records - self.records >= records.get(),
            Often::Time(time) => position.records > self.records && self.last.elapsed() >= time,
        }
    }

    /// Returns how long to wait for records until it is time to save; none if there is nothing to save.
    pub(crate) fn patience(&self, position: Position) -> Option<Duration> {
        match self.often {
            Often::Time(time) if position.records > self.records => {
                Some(time.saturating_sub(self.last.elapsed()))
            }
            _ => None,
        }
    }

    /// Saves the state.
    pub(crate) fn save(&mut self, state: &State) -> Result<()> {
        let mut output = Output::open(Some(&self.place))?;
        let written = state.write(&mut output).map_err(anyhow::Error::from);
        written.map_err(|error| output.explained(error))?;
        output.finish_durably()?;
        self.last = Instant::now();
        self.records = state.position.records;
        let line = state.position.line;
        messages::note(&say!("{}: saved after line {}", self.name, line));
        Ok(())
    }

    /// Saves while the stream goes on. A failure is a warning, and the next save is due at the usual time.
    pub(crate) fn try_save(&mut self, state: &State) {
        if let Err(error) = self.save(state) {
            messages::error(&format!(
                "{error:#}; the stream goes on, what it sees is not saved"
            ));
            self.last = Instant::now();
            self.records = state.position.records;
        }
    }
}

/// Returns a sentence with the position where a stream goes on.
fn goes_on(position: Position) -> String {
    let Position {
        records,
        line,
        is_end,
        ..
    } = position;
    let where_to = if is_end {
        phrase("the last stream was read to its end").to_owned()
    } else {
        say!(
            "the last stream was left after line {}: tail -n +{} has what follows",
            line,
            line + 1
        )
    };
    say!("goes on after {}; {}", amount(records, "record"), where_to)
}
