//! The keys of a configuration: the options of all groups.

use crate::args::config::QuietArgs;
use crate::args::documents::input::InputArgs;
use crate::args::documents::text::TextArgs;
use crate::args::group::{Group, Key};
use crate::args::lang::LangArgs;
use crate::args::pairs::detect::DetectArgs;
use crate::args::pairs::gate::GateArgs;
use crate::args::pairs::keep::KeepArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::report::{IndexArgs, ListArgs, ReportArgs};
use crate::args::run::{MemoryArgs, RunArgs};

/// The options that are not keys, with the reason.
const NOT_KEYS: [(&str, &str); 5] = [
    ("config", "a file does not name another one"),
    ("no-config", "a file that is not to be used is not read"),
    (
        "since",
        "it belongs on the command line: a configuration makes no run ask git",
    ),
    ("help", "it belongs on the command line"),
    (
        "ignore",
        "dupfind accept A B accepts a pair, dupfind accept --family FOLDER a family, and no-ignore = true switches off \
         ignore files",
    ),
];

/// Returns why an option is not a key, if it is not.
pub(crate) fn why_not(name: &str) -> Option<&'static str> {
    let mut all = NOT_KEYS.iter();
    all.find(|(known, _)| *known == name).map(|(_, why)| *why)
}

/// Returns all groups, with nothing set.
pub(crate) fn groups() -> Vec<Box<dyn Group>> {
    vec![
        Box::new(InputArgs::default()),
        Box::new(IndexArgs::default()),
        Box::new(TextArgs::default()),
        Box::new(DetectArgs::default()),
        Box::new(ScopeArgs::default()),
        Box::new(ReportArgs::default()),
        Box::new(ListArgs::default()),
        Box::new(GateArgs::default()),
        Box::new(KeepArgs::default()),
        Box::new(RunArgs::default()),
        Box::new(MemoryArgs::default()),
        Box::new(QuietArgs::default()),
        Box::new(LangArgs::default()),
    ]
}

/// Returns all keys, in the order of the help.
pub(crate) fn all() -> Vec<Key> {
    let keys = groups().into_iter().flat_map(|group| group.keys());
    keys.filter(|key| why_not(&key.name).is_none()).collect()
}

/// Returns the message about a key that does not exist. It names the key that was probably meant.
pub(crate) fn unknown(name: &str, keys: &[Key]) -> String {
    let unknown = format!("there is no key '{name}'");
    let near = keys
        .iter()
        .map(|key| (strsim::jaro(name, &key.name), &key.name))
        // The same limit as clap has for options.
        .filter(|(similarity, _)| *similarity > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match near {
        Some((_, meant)) => format!("{unknown}: did you mean '{meant}'?"),
        None => format!("{unknown}; dupfind --help lists all keys"),
    }
}
