//! The arguments of `dupfind check`.

use crate::args::group::groups;
use crate::args::pairs::comparing::ComparingArgs;
use crate::args::pairs::gate::GateArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::report::{IndexArgs, ReportArgs};
use crate::args::run::RunningArgs;
use crate::commands::scan::args::TypedFor;

pub(crate) const EXAMPLES: &str = "\
Examples:
  A branch:   dupfind check docs --since origin/main
  A commit:   dupfind check --since HEAD
  A folder:   dupfind check docs --fail-on near
  Accepted:   dupfind accept --all docs && dupfind check docs
  In CI:      dupfind check docs --since origin/main -f sarif=dupfind.sarif -f html=dupfind.html
              dupfind check docs --since \"$CI_MERGE_REQUEST_DIFF_BASE_SHA\" -f gitlab=gl-code-quality-report.json

Exit status:
  0  nothing new
  1  something new: each page is listed, with its twin and the command that accepts the two
  2  an error: a wrong option, a file that cannot be read, nothing to compare";

groups! {
    /// The arguments.
    pub(crate) struct CheckArgs {
        comparing: ComparingArgs,
        index: IndexArgs,
        scope: ScopeArgs,
        gate: GateArgs,
        report: ReportArgs,
        running: RunningArgs,
    }
    beside {
        /// The typed options, for the commands that go on.
        #[arg(skip)]
        pub(crate) typed: TypedFor,
    }
    own {
        fn typed(&mut self) {
            let accept = [self.gate.fail_on.words(), self.gate.baseline.words()].concat();
            let others = [self.index.words(), self.gate.words()].concat();
            self.typed = TypedFor::of(&self.comparing, &self.scope, others, accept);
        }
    }
}
