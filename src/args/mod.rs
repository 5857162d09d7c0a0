//! Groups of options: structs that commands flatten, each beside what becomes of it.
//!
//! Every field is an option of the command line and a key of `dupfind.toml`, with one name, one parser and one meaning.

pub(crate) mod comparing;
pub(crate) mod gate;
pub(crate) mod input;
pub(crate) mod keep;
pub(crate) mod output;
pub(crate) mod reading;
pub(crate) mod running;
pub(crate) mod values;

pub(crate) use comparing::{
    CollectionArgs, ComparingArgs, DetectArgs, EngineArgs, LiveArgs, TextArgs,
};
pub(crate) use gate::{AcrossArgs, BaselineArgs, FailOnArgs, GateArgs, ScopeArgs, WithinArgs};
pub(crate) use input::{IndexArgs, InputArgs, WalkArgs};
pub(crate) use keep::{KeepArgs, LinkedArgs};
pub(crate) use output::{AnswerArgs, ColorArgs, ListArgs, OutputArgs, Reader, ReportArgs};
pub(crate) use reading::{ContentArgs, ReadingArgs};
pub(crate) use running::{ConfigArgs, LangArgs, MemoryArgs, QuietArgs, RunArgs, RunningArgs};

// The headings that the help groups options by.
pub(crate) const INPUT: &str = "Input";
pub(crate) const TEXT: &str = "Text";
pub(crate) const DETECTION: &str = "Detection";
pub(crate) const SCOPE: &str = "Scope";
pub(crate) const DECISION: &str = "Decision";
pub(crate) const OUTPUT: &str = "Output";
pub(crate) const GATE: &str = "Gate";
pub(crate) const RUNNING: &str = "Running";

/// Options that do not go together because of their values. clap checks what depends on no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// The names of the options.
    pub(crate) options: &'static [&'static str],
    pub(crate) reason: String,
}

impl Conflict {
    pub(crate) fn new(options: &'static [&'static str], reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { options, reason }
    }

    /// Returns the first of these that is there: each has whether it is, the names of its options, and its reason.
    pub(crate) fn first<const N: usize>(
        all: [(bool, &'static [&'static str], String); N],
    ) -> Option<Self> {
        let mut found = all.into_iter().filter(|(is_there, ..)| *is_there);
        found
            .next()
            .map(|(_, options, reason)| Self::new(options, reason))
    }
}
