//! The arguments of `dupfind scan`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dupfind_read::source::walk::STDIN;
use dupfind_report::formats::{LIST, TABLE};

use crate::args::documents::input::InputArgs;
use crate::args::group::{Conflict, Group, Words, groups};
use crate::args::pairs::comparing::ComparingArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::report::{IndexArgs, ListArgs, ReportArgs};
use crate::args::run::RunningArgs;

groups! {
    /// The arguments.
    pub(crate) struct ScanArgs {
        comparing: ComparingArgs,
        index: IndexArgs,
        scope: ScopeArgs,
        report: ReportArgs,
        list: ListArgs,
        running: RunningArgs,
    }
    beside {
        /// The typed options, for the commands that go on.
        #[arg(skip)]
        pub(crate) typed: TypedFor,
    }
    own {
        fn conflict(&self) -> Option<Conflict> {
            let mut parts = self.parts().into_iter();
            parts.find_map(|part| part.conflict()).or_else(|| of_formats(self))
        }

        fn typed(&mut self) {
            let index = self.index.words();
            self.typed = TypedFor::of(&self.comparing, &self.scope, index, Vec::new());
        }
    }
}

/// The typed options, as words of the command lines of other commands.
#[derive(Debug, Default)]
pub(crate) struct TypedFor {
    pub(crate) paths: Vec<OsString>,
    /// The same command.
    pub(crate) again: Vec<OsString>,
    pub(crate) plan: Vec<OsString>,
    pub(crate) dedup: Vec<OsString>,
    pub(crate) accept: Vec<OsString>,
    compare: Vec<OsString>,
}

impl TypedFor {
    /// Returns the words of the options of a command that finds pairs. `others` are those of its other groups, and
    /// `of_accept` those of them that `dupfind accept` has too.
    pub(crate) fn of(
        comparing: &ComparingArgs,
        scope: &ScopeArgs,
        others: Vec<Words>,
        of_accept: Vec<Words>,
    ) -> Self {
        let all = |words: Vec<Words>| -> Vec<OsString> {
            words.into_iter().flat_map(|(_, words)| words).collect()
        };
        let ComparingArgs { input, engine } = comparing;
        let (comparing, scope) = (comparing.words(), scope.words());
        let against = scope
            .clone()
            .into_iter()
            .filter(|(name, _)| name == "against");
        let of_records = [input.reading.content.words(), engine.text.words()].concat();
        let pairs = [comparing, scope].concat();
        let read = [input.walk.words(), input.reading.words()].concat();
        Self {
            paths: input.paths.iter().map(word).collect(),
            again: all([pairs.clone(), others].concat()),
            dedup: all(of_records.into_iter().chain(against).collect()),
            accept: all([pairs.clone(), of_accept].concat()),
            plan: all(pairs),
            compare: all([read, engine.words()].concat()),
        }
    }

    /// Returns the options with which `dupfind compare` judges two documents among those of the paths; `None` if standard
    /// input or a list has them.
    pub(crate) fn among(&self, (input, scope): (&InputArgs, &ScopeArgs)) -> Option<Vec<OsString>> {
        if input.files_from.is_some() || input.paths.iter().any(|path| path.as_os_str() == STDIN) {
            return None;
        }
        let here = [PathBuf::from(".")];
        let own = match input.paths.as_slice() {
            [] => &here,
            paths => paths,
        };
        let among = own.iter().chain(&scope.against);
        let among = among.map(word);
        Some(among.chain(self.compare.iter().cloned()).collect())
    }
}

/// Returns a path as a word of a command line. One that begins with a hyphen is no option.
fn word(path: &PathBuf) -> OsString {
    match path.as_os_str().as_encoded_bytes() {
        [b'-', _, ..] => Path::new(".").join(path).into_os_string(),
        _ => path.into(),
    }
}

/// Returns why options about pairs do not go together with the formats, if they do not.
fn of_formats(args: &ScanArgs) -> Option<Conflict> {
    let formats = args.report.formats(&LIST).unwrap_or_default();
    let of_pairs = formats.iter().find(|to| to.format.is_of_pairs());
    if let (true, Some(to)) = (args.list.no_pairs, of_pairs) {
        let name = to.format.name;
        return Some(Conflict {
            options: &["no-pairs", "format"],
            reason: format!("--no-pairs leaves nothing for {name}, which is made of pairs only"),
        });
    }
    let has_list = args
        .report
        .have(&LIST, |format| format == &LIST || format == &TABLE);
    (args.list.top.is_some() && !has_list).then(|| Conflict {
        options: &["top", "format"],
        reason: "--top is for list and table: the other formats hold every pair".into(),
    })
}
