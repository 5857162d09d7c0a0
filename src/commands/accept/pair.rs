//! Two documents of a scan, and their pair.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use dupfind_decide::gate::Gate;
use dupfind_engine::features::document::Document;
use dupfind_engine::pairing::sink::PairSink;
use dupfind_engine::verdict::pair::Pair;
use dupfind_read::source::name::display_name;
use dupfind_scan::{Scan, ScanJudge, scan_judged};

use crate::args::group::groups;
use crate::args::pairs::comparing::ComparingArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::run::RunningArgs;
use crate::decision::scope::scope;
use crate::input::options::options_of_sides;
use crate::terminal::messages;
use crate::terminal::progress::Progress;

groups! {
    /// Two documents, and the scan that decides their relation.
    pub(crate) struct PairArgs {
        comparing: ComparingArgs,
        scope: ScopeArgs,
        running: RunningArgs,
    }
    beside {
        /// The first document, as reports name it: a file, or FILE#ID for a record
        #[arg(value_name = "A", required_unless_present_any = ["family", "all"])]
        a: Option<PathBuf>,

        /// The second document
        #[arg(value_name = "B", required_unless_present_any = ["family", "all"])]
        b: Option<PathBuf>,
    }
}

impl PairArgs {
    /// Takes the words that stand for two documents as paths.
    pub(crate) fn take_paths(&mut self) {
        let named = self.a.take().into_iter().chain(self.b.take());
        self.comparing.input.paths.splice(..0, named);
    }

    /// Returns the names of the two documents, as reports have them.
    pub(crate) fn names(&self, base: &Path) -> [String; 2] {
        [&self.a, &self.b].map(|path| display_name(path.as_deref().unwrap_or(Path::new("")), base))
    }

    /// Scans the documents and returns the pair. `written` are the files that the command writes.
    ///
    /// # Errors
    ///
    /// The scan fails, it does not have one of the documents, or they are no pair, or one that does not count.
    pub(crate) fn find(&self, written: &Path) -> Result<(Pair, Scan)> {
        let options = options_of_sides(&self.comparing, &self.scope, &self.running, vec![written])?;
        let names = self.names(&options.walk.base);
        let scope = scope(&self.scope, &self.running.config, &options)?;
        let mut gate = Gate::new(scope, None);
        let mut wanted = Wanted {
            names: &names,
            found: None,
        };
        let outcome = Progress::during(|progress| {
            let judge: Option<&mut dyn ScanJudge> = Some(&mut gate);
            scan_judged(&options, progress, judge, Some(&mut wanted))
        });
        let (outcome, found) = (outcome?, wanted.found);
        messages::of_scan(&options.walk, &outcome);
        let has = |name: &String| outcome.documents.iter().any(|known| known.name == *name);
        let [a, b] = &names;
        if let Some(missing) = names.iter().find(|name| !has(name)) {
            bail!("{missing} is none of the documents that were compared");
        }
        match found {
            Some(pair) => Ok((pair, outcome)),
            None if gate.left_out() > 0 => bail!(
                "{a} and {b} are no pair that counts: they are not alike, or --against or --within leaves them out"
            ),
            None => bail!(
                "{a} and {b} are no pair: a scan does not report them; 'dupfind compare' shows what they share"
            ),
        }
    }
}

/// Keeps the pair of two documents.
struct Wanted<'n> {
    names: &'n [String; 2],
    found: Option<Pair>,
}

impl PairSink for Wanted<'_> {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        let [a, b] = self.names;
        let is_it = |pair: &&Pair| {
            let [x, y] = [pair.a, pair.b].map(|id| &documents[id.index()].name);
            (x, y) == (a, b) || (x, y) == (b, a)
        };
        if let Some(pair) = pairs.iter().find(is_it) {
            self.found = Some(*pair);
        }
        Ok(())
    }
}
