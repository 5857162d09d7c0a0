//! The options about the report of a scan.

use std::path::{Path, PathBuf};

use dupfind_engine::verdict::Relations;

use crate::args::format::FormatTo;
use crate::args::group::group;
use crate::args::output::ColorArgs;
use crate::args::pairs::detect::Shown;

group! {
    /// The index that a scan reads.
    pub(crate) struct IndexArgs in INPUT {
        /// Read unchanged documents from an index, and bring it up to date
        ///
        /// The report is the same as without, but only changed documents are read. If there is no index, one is made. Files
        /// below the paths that are gone are removed from it.
        #[arg(hide_short_help = true, long, value_name = "INDEX")]
        pub(crate) index: Option<PathBuf>,
    }
}

group! {
    /// What the report shows, and where it goes.
    pub(crate) struct ReportArgs in OUTPUT {
        /// Format of the report, and a file for it [default: table] (repeatable)
        ///
        /// One scan can write several reports: '--format table --format sarif=dupfind.sarif'. A format without a
        /// file goes to standard output, or to the file of --output.
        #[arg(short, long, value_name = "FORMAT[=FILE]")]
        pub(crate) format: Vec<FormatTo>,

        /// Write to FILE instead of standard output ('-' is standard output)
        ///
        /// The file is replaced when the result is complete, and untouched if the run fails.
        #[arg(short, long, value_name = "FILE")]
        pub(crate) output: Option<PathBuf>,

        /// Show only pairs of these relations [default: all]
        ///
        /// Separate them with commas. Every format leaves the other pairs out. They are found and counted nevertheless.
        /// --fail-on and baselines look at all pairs, and reports for CI also list pairs that make the run fail.
        #[arg(long, value_name = "LIST")]
        show: Vec<Shown>,

        /// List all pairs with their measures, and the clusters, in the table
        ///
        /// Without it, the table lists what to look at first, and sums pairs up.
        #[arg(short, long)]
        pub(crate) verbose: bool,

        /// Show only the first N entries of the table, or pairs and clusters
        ///
        /// The table counts those that are left out. By default a terminal shows 20 entries, and a pipe all.
        #[arg(long, value_name = "N")]
        pub(crate) top: Option<usize>,

        /// Report the clusters without the pairs; these are counted only
        ///
        /// A thousand copies of one document are half a million pairs and one cluster.
        #[arg(hide_short_help = true, long)]
        pub(crate) no_pairs: bool,
    }
    with {
        pub(crate) color: ColorArgs,
    }
}

impl ReportArgs {
    /// Returns the files that reports go to.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let formats = self.format.iter().filter_map(|to| to.file.as_deref());
        self.output.as_deref().into_iter().chain(formats)
    }

    /// Returns the relations whose pairs are shown.
    pub(crate) fn shown(&self) -> Relations {
        match self.show.as_slice() {
            [] => Relations::ALL,
            shown => shown
                .iter()
                .flat_map(|Shown(relations)| relations.iter())
                .collect(),
        }
    }
}
