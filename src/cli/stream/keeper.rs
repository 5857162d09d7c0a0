//! The state of a stream in its file: taken from there, and saved there now and then.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::stream::seen::settings::{Difference, SeenOptions};
use crate::stream::seen::state::{Position, State};
use anyhow::{Context, Result, bail};

use crate::cli::output::{self, Output};
use crate::cli::stream::args::Often;
use crate::cli::stream::lock::Lock;
use crate::cli::{memory, messages};

/// Saves a state to its file.
#[derive(Debug)]
pub(crate) struct Keeper {
    /// As it was typed, for messages.
    name: String,
    /// The place it means, which is the one that is locked: a link may come to lead elsewhere.
    place: PathBuf,
    often: Often,
    last: Instant,
    /// How many records there were at the last save.
    records: u64,
    is_quiet: bool,
    _lock: Lock,
}

impl Keeper {
    /// Takes the file, how often to save and how the state is to be made. Returns what is in the file, if it is there,
    /// and what saves to it.
    pub(crate) fn open(
        path: &Path,
        often: Often,
        settings: &SeenOptions,
        is_quiet: bool,
    ) -> Result<(Option<State>, Self)> {
        let Some(place) = output::place(path) else {
            bail!("--state -: a state is kept in a file");
        };
        let name = path.display().to_string();
        let Some(lock) = Lock::of(&place)? else {
            bail!("another stream is saving to {name}");
        };
        let state = load(&place, &name, settings)?;
        if let (Some(state), false) = (&state, is_quiet) {
            messages::note(&format!("{name}: {}", goes_on(state.position)));
        }
        // That it cannot be written is said before anything is read.
        Output::open(Some(&place)).map(drop)?;
        let keeper = Self {
            name,
            place,
            often,
            last: Instant::now(),
            records: state.as_ref().map_or(0, |state| state.position.records),
            is_quiet,
            _lock: lock,
        };
        Ok((state, keeper))
    }

    /// Whether it is time to save a stream that is so far.
    pub(crate) fn is_due(&self, position: Position) -> bool {
        match self.often {
            Often::Records(records) => position.records - self.records >= records.get(),
            Often::Time(time) => position.records > self.records && self.last.elapsed() >= time,
        }
    }

    /// How long nothing may happen until it is time to save.
    pub(crate) fn patience(&self, position: Position) -> Option<Duration> {
        match self.often {
            Often::Time(time) if position.records > self.records => {
                Some(time.saturating_sub(self.last.elapsed()))
            }
            _ => None,
        }
    }

    /// Saves.
    pub(crate) fn save(&mut self, state: &State) -> Result<()> {
        let mut output = Output::open(Some(&self.place))?;
        let written = state.write(&mut output).map_err(anyhow::Error::from);
        written.map_err(|error| output.explained(error))?;
        output.finish_durably()?;
        self.last = Instant::now();
        self.records = state.position.records;
        if !self.is_quiet {
            let line = state.position.line;
            messages::note(&format!("{}: saved after line {line}", self.name));
        }
        Ok(())
    }

    /// Saves while the stream goes on. That it could not is said, and it is tried again.
    pub(crate) fn try_save(&mut self, state: &State) {
        if let Err(error) = self.save(state) {
            messages::warning(&format!(
                "{error:#}; the stream goes on, what it sees is not saved"
            ));
            self.last = Instant::now();
            self.records = state.position.records;
        }
    }
}

/// Where a stream goes on.
fn goes_on(position: Position) -> String {
    let Position {
        records,
        line,
        is_end,
        ..
    } = position;
    let s = if records == 1 { "" } else { "s" };
    let where_to = if is_end {
        "the last stream was read to its end".into()
    } else {
        let next = line + 1;
        format!("the last stream was left after line {line}: tail -n +{next} has what follows")
    };
    format!("goes on after {records} record{s}; {where_to}")
}

/// Takes where a state is and what that is called, and reads one that was made as it is to be; nothing if there is no
/// such file.
fn load(path: &Path, name: &str, settings: &SeenOptions) -> Result<Option<State>> {
    let untouched = "; the file is left as it is";
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        metadata => metadata.with_context(|| format!("cannot read {name}"))?,
    };
    if !metadata.is_file() {
        bail!("{name} is no file, so it can be no state");
    }
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let state = State::read(file, metadata.len(), memory::total())
        .with_context(|| format!("cannot go on from {name}{untouched}"))?;
    let differences = state.settings.differences(settings);
    if differences.is_empty() {
        return Ok(Some(state));
    }
    let differences: Vec<String> = differences
        .iter()
        .map(|Difference { name, kept, asked }| match kept {
            Some(kept) => format!("{name} {kept}, not {asked}"),
            None => format!("no {name}, not {asked}"),
        })
        .collect();
    bail!(
        "{name} was made with {}{untouched}",
        differences.join(", and ")
    );
}
