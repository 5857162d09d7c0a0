//! The arguments of `dupfind scan`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dupfind_read::source::walk::STDIN;

use crate::args::config::ConfigArgs;
use crate::args::group::{Group, Words, groups};
use crate::args::pairs::comparing::ComparingArgs;
use crate::args::pairs::gate::GateArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::report::{IndexArgs, ReportArgs};
use crate::args::run::RunningArgs;
use crate::commands::scan::conflicts;
use crate::config::{Configured, Conflict};

/// The arguments.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct ScanArgs {
    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,
    #[command(flatten)]
    pub(crate) index: IndexArgs,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    #[command(flatten)]
    pub(crate) running: RunningArgs,

    /// The typed options, for the commands that go on.
    #[arg(skip)]
    pub(crate) typed: TypedFor,
    /// The words with which `dupfind compare` judges two of the documents; `None` if they cannot be read again.
    #[arg(skip)]
    pub(crate) compare: Option<Vec<OsString>>,
}
groups!(ScanArgs: comparing, index, scope, report, gate, running);

/// The typed options, as words of the command lines of other commands.
#[derive(Debug, Default)]
pub(crate) struct TypedFor {
    pub(crate) paths: Vec<OsString>,
    pub(crate) scan: Vec<OsString>,
    pub(crate) plan: Vec<OsString>,
    pub(crate) dedup: Vec<OsString>,
    pub(crate) accept: Vec<OsString>,
    compare: Vec<OsString>,
}

impl TypedFor {
    fn of(args: &ScanArgs) -> Self {
        let all = |words: Vec<Words>| -> Vec<OsString> {
            words.into_iter().flat_map(|(_, words)| words).collect()
        };
        let ComparingArgs { input, engine } = &args.comparing;
        let (comparing, scope) = (args.comparing.words(), args.scope.words());
        let gate = args.gate.words();
        let baseline = gate.iter().filter(|(name, _)| name == "baseline").cloned();
        let plan = all([comparing.clone(), scope.clone(), baseline.collect()].concat());
        let read = [input.walk.words(), input.reading.words()].concat();
        Self {
            paths: input.paths.iter().map(word).collect(),
            scan: all([comparing, args.index.words(), scope, gate].concat()),
            dedup: all([input.reading.content.words(), engine.words()].concat()),
            accept: plan.clone(),
            plan,
            compare: all([read, engine.words()].concat()),
        }
    }
}

/// Returns a path as a word of a command line. One that begins with a hyphen is no option.
fn word(path: &PathBuf) -> OsString {
    match path.as_os_str().as_encoded_bytes() {
        [b'-', _, ..] => Path::new(".").join(path).into_os_string(),
        _ => path.into(),
    }
}

impl Configured for ScanArgs {
    fn config(&mut self) -> &mut ConfigArgs {
        &mut self.running.config
    }

    fn start(&self) -> Option<&Path> {
        self.comparing.input.paths.first().map(PathBuf::as_path)
    }

    fn conflict(&self) -> Option<Conflict> {
        conflicts::conflict(self)
    }

    fn typed(&mut self) {
        self.typed = TypedFor::of(self);
    }

    fn finish(&mut self) {
        self.compare = self.among();
        self.gate.use_accepted(&self.running.config);
    }
}

impl ScanArgs {
    /// Returns the options with which `dupfind compare` judges two documents among those of the paths; `None` if standard
    /// input or a list has them.
    fn among(&self) -> Option<Vec<OsString>> {
        let input = &self.comparing.input;
        if input.files_from.is_some() || input.paths.iter().any(|path| path.as_os_str() == STDIN) {
            return None;
        }
        let here = [PathBuf::from(".")];
        let own = match input.paths.as_slice() {
            [] => &here,
            paths => paths,
        };
        let among = own.iter().chain(&self.scope.against);
        let among = among.flat_map(|path| ["--among".into(), word(path)]);
        Some(among.chain(self.typed.compare.iter().cloned()).collect())
    }

    /// Returns the files that the run writes.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &Path> {
        self.report.files().chain(self.gate.baseline.as_deref())
    }
}
