//! The keys of the configuration: the options of `dupfind scan`, as clap has them.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, Id};
use dupfind_engine::join::threshold::Threshold;

use crate::args::format::FormatTo;
use crate::args::values::program::Program;

/// The options that are not keys, with the reason.
const NOT_KEYS: [(&str, &str); 4] = [
    ("config", "a file does not name another one"),
    ("no-config", "a file that is not to be used is not read"),
    (
        "update-baseline",
        "it belongs on the command line: a run that always accepts every pair finds none",
    ),
    ("help", "it belongs on the command line"),
];

/// A key: the definition of its option.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key<'c>(pub(crate) &'c Arg);

/// The meaning of the values of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Text,
    /// A number, or a size such as `16M`.
    Number,
    Path,
    Glob,
    /// A revision of git.
    Revision,
    /// A format, with or without a path.
    Format,
    /// A path, or the name of a program.
    Program,
}

impl<'c> Key<'c> {
    /// Returns its name: the long name of the option.
    pub(crate) fn name(self) -> &'c str {
        // The paths have no long name.
        self.0.get_long().unwrap_or(self.0.get_id().as_str())
    }

    /// Returns whether its value is `true` or `false`.
    pub(crate) fn is_flag(self) -> bool {
        matches!(self.0.get_action(), ArgAction::SetTrue)
    }

    /// Returns whether its value is a list.
    pub(crate) fn is_list(self) -> bool {
        matches!(self.0.get_action(), ArgAction::Append)
    }

    pub(crate) fn holds(self) -> Holds {
        let held = self.0.get_value_parser().type_id();
        let is_number = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
            TypeId::of::<NonZeroUsize>(),
            TypeId::of::<Threshold>(),
        ]
        .into_iter()
        .any(|number| held == number);
        if is_number {
            Holds::Number
        } else if held == TypeId::of::<PathBuf>() {
            Holds::Path
        } else if held == TypeId::of::<FormatTo>() {
            Holds::Format
        } else if held == TypeId::of::<Program>() {
            Holds::Program
        } else {
            match self
                .0
                .get_value_names()
                .and_then(<[_]>::first)
                .map(AsRef::as_ref)
            {
                Some("GLOB" | "PATTERN") => Holds::Glob,
                Some("REF") => Holds::Revision,
                _ => Holds::Text,
            }
        }
    }

    /// Returns the id of the argument that cancels a flag.
    pub(crate) fn negation_id(self) -> String {
        format!("not {}", self.0.get_id())
    }
}

/// Returns why an option is not a key, if it is not.
pub(crate) fn why_not(name: &str) -> Option<&'static str> {
    let mut all = NOT_KEYS.iter();
    all.find(|(known, _)| *known == name).map(|(_, why)| *why)
}

/// Returns the definition of `dupfind scan`, whose options are the keys.
pub(crate) fn scan_of(root: &Command) -> &Command {
    root.find_subcommand("scan").expect("it is a command")
}

/// Returns the keys of a command in the order of its help.
pub(crate) fn keys(command: &Command) -> impl Iterator<Item = Key<'_>> {
    let all = command.get_arguments().map(Key);
    all.filter(|key| !key.0.is_hide_set() && why_not(key.name()).is_none())
}

/// Returns the name of the option that cancels a flag: `no-hidden`, and `ignore` for `no-ignore`.
pub(crate) fn negation(flag: &str) -> String {
    match flag.strip_prefix("no-") {
        Some(rest) => rest.to_owned(),
        None => format!("no-{flag}"),
    }
}

/// Returns the definition with a hidden option for every flag that a configuration may set. The option takes the flag
/// back. If both are typed, the last one counts.
pub(crate) fn with_negations(root: Command) -> Command {
    root.mut_subcommands(|command| {
        let flags: BTreeMap<Id, (String, String)> = keys(&command)
            .filter(|key| key.is_flag())
            .map(|key| {
                let names = (key.negation_id(), negation(key.name()));
                (key.0.get_id().clone(), names)
            })
            .collect();
        let command = command.mut_args(|arg| match flags.get(arg.get_id()) {
            Some((negation, _)) => arg.overrides_with(negation),
            None => arg,
        });
        command.args(flags.into_iter().map(|(flag, (negation, long))| {
            Arg::new(negation)
                .long(long)
                .action(ArgAction::SetTrue)
                .hide(true)
                .overrides_with(flag)
        }))
    })
}

/// Returns the message about a key that does not exist. It names the key that was probably meant.
pub(crate) fn unknown(name: &str, keys: &[Key<'_>]) -> String {
    let unknown = format!("there is no key '{name}'");
    let near = keys
        .iter()
        .map(|key| (strsim::jaro(name, key.name()), key.name()))
        // The same limit as clap has for options.
        .filter(|(similarity, _)| *similarity > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match near {
        Some((_, meant)) => format!("{unknown}: did you mean '{meant}'?"),
        None => format!("{unknown}; dupfind scan --help lists all keys"),
    }
}
