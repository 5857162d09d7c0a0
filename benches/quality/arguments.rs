//! The command line of this bench.

use std::fmt::Debug;
use std::path::PathBuf;
use std::str::FromStr;

use dupfind_engine::Threshold;

use crate::plant::{Kind, PAGES};
use crate::sets::Sets;
use crate::table::Format;

/// What to do, and how to print it.
pub(crate) struct Arguments {
    pub(crate) task: Task,
    pub(crate) format: Format,
    /// The least containment, if that detector is to run.
    pub(crate) min_containment: Option<Threshold>,
}

pub(crate) enum Task {
    Plant {
        source: PathBuf,
        dest: PathBuf,
        seed: u64,
        pages: usize,
        kind: Kind,
    },
    Evaluate(Vec<PathBuf>),
    /// All detectors beside each other.
    Compare(Vec<PathBuf>),
    /// All labelled sets in one table, by a tool.
    Sets(Sets),
}

impl Arguments {
    /// Takes the words of the command line. Those of all benches go to each of them, so options that
    /// are none of this bench are left to the others.
    pub(crate) fn parse(words: impl Iterator<Item = String>) -> Self {
        let mut words = words;
        let (mut plants, mut compares, mut tabulates) = (false, false, false);
        let (mut tool, mut json, mut has_parts) = (None, None, false);
        let mut format = Format::Text;
        let mut min_containment = None;
        let (mut seed, mut pages, mut kind) = (1, PAGES, Kind::Edits);
        let mut paths: Vec<PathBuf> = Vec::new();
        while let Some(word) = words.next() {
            let mut value = || words.next().expect(&word);
            match word.as_str() {
                "--plant" => plants = true,
                "--detectors" => compares = true,
                "--sets" => tabulates = true,
                "--tool" => tool = Some(value()),
                "--json" => json = Some(value().into()),
                "--parts" => has_parts = true,
                "--seed" => seed = number(&value()),
                "--pages" => pages = number(&value()),
                "--scans" => kind = Kind::Scans(number(&value())),
                "--variants" => kind = Kind::Variants(number(&value())),
                "--min-containment" => min_containment = Some(value().parse().expect("a share")),
                "--format" => format = Format::named(&value()),
                option if option.starts_with("--") => {}
                path => paths.push(path.into()),
            }
        }
        let task = if plants {
            let [source, dest] = paths.try_into().expect("--plant SOURCE DEST");
            Task::Plant {
                source,
                dest,
                seed,
                pages,
                kind,
            }
        } else if compares {
            Task::Compare(paths)
        } else if tabulates {
            Task::Sets(Sets {
                folders: paths,
                tool,
                json,
                has_parts,
            })
        } else {
            Task::Evaluate(paths)
        };
        Self {
            task,
            format,
            min_containment,
        }
    }
}

fn number<N: FromStr<Err: Debug>>(word: &str) -> N {
    word.parse().expect("a number")
}
