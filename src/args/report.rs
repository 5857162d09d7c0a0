//! The options about the reports of a scan or a check.

use std::path::{Path, PathBuf};

use anyhow::Result;
use dupfind_engine::verdict::Relations;
use dupfind_report::formats::format::Format;
use dupfind_report::formats::{FORMATS, LIST};
use dupfind_report::style::TableStyle;
use dupfind_scan::ScanOptions;
use dupfind_scan::indexed::IndexOptions;

use crate::args::format::FormatTo;
use crate::args::group::{Conflict, group};
use crate::args::output::ColorArgs;
use crate::args::pairs::detect::Shown;
use crate::terminal::output;
use crate::terminal::output::Output;

group! {
    /// The index that is read instead of documents that have not changed.
    pub(crate) struct IndexArgs in INPUT {
        /// Read unchanged documents from an index, and bring it up to date
        ///
        /// The report is the same as without, but only changed documents are read. If there is no index, one is made. Files
        /// below the paths that are gone are removed from it.
        #[arg(hide_short_help = true, long, value_name = "INDEX")]
        pub(crate) index: Option<PathBuf>,
    }
}

impl IndexArgs {
    /// Uses the index, and brings it up to date.
    pub(crate) fn added_to(&self, options: &mut ScanOptions) {
        options.index = self.index.as_ref().map(|path| IndexOptions {
            path: path.clone(),
            is_frozen: false,
        });
        options.walk.outputs.extend(self.index.clone());
    }
}

group! {
    /// The reports, and where they go.
    pub(crate) struct ReportArgs in OUTPUT {
        /// Format of the report; FORMAT=FILE names its file [default: list] (repeatable)
        ///
        /// One run can write several reports: '--format list --format sarif=dupfind.sarif'. A format without a
        /// file goes to standard output, or to the file of --output. A check on GitHub writes annotations by itself.
        #[arg(short, long, value_name = "FORMAT")]
        pub(crate) format: Vec<FormatTo>,

        /// Write to FILE; its ending, such as .html, is the format ('-': standard output)
        ///
        /// Without --format its ending is the format: .html, .json, .jsonl, .csv, .sarif or .md; .txt is the list. The file is
        /// replaced when the result is complete, and untouched if the run fails.
        #[arg(short, long, value_name = "FILE")]
        pub(crate) output: Option<PathBuf>,
    }
    with {
        pub(crate) color: ColorArgs,
    }
    own {
    fn conflict(&self) -> Option<Conflict> {
        let reason = self.wrong_target()?;
        Some(Conflict {
            options: &["output", "format"],
            reason,
        })
    }
    }
}

impl ReportArgs {
    /// Returns the files that reports go to.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let formats = self.format.iter().filter_map(|to| to.file.as_deref());
        self.output.as_deref().into_iter().chain(formats)
    }

    /// Returns the formats, and the file of each. `usual` is the format if none is named.
    pub(crate) fn formats(&self, usual: &'static Format) -> Result<Vec<FormatTo>, String> {
        if !self.format.is_empty() {
            return Ok(self.format.clone());
        }
        let of_file = self.output.as_deref().map(of_ending).transpose()?;
        Ok(vec![FormatTo {
            format: of_file.flatten().unwrap_or(usual),
            file: None,
        }])
    }

    /// Whether a report of a kind is written. `usual` is the format if none is named.
    pub(crate) fn have(&self, usual: &'static Format, is_it: impl Fn(&Format) -> bool) -> bool {
        let formats = self.formats(usual).unwrap_or_default();
        formats.iter().any(|to| is_it(to.format))
    }

    /// Opens the outputs of the reports. `usual` is the format if none is named. `has_more` is whether the run has more to do
    /// than to write one report.
    ///
    /// # Errors
    ///
    /// One of them cannot be written.
    pub(crate) fn open(
        &self,
        usual: &'static Format,
        has_more: bool,
    ) -> Result<Vec<(&'static Format, Output)>> {
        let formats = self.formats(usual).map_err(anyhow::Error::msg)?;
        let has_more = has_more || formats.len() > 1;
        let open = |to: &FormatTo| {
            let file = to.file.as_deref().or(self.output.as_deref());
            let output = Output::open(file)?;
            Ok((to.format, output.going_on(has_more)))
        };
        formats.iter().map(open).collect()
    }

    /// Returns how a report for people looks in an output.
    pub(crate) fn style(&self, output: &Output, top: Option<usize>) -> TableStyle {
        TableStyle {
            width: output.columns(),
            is_terminal: output.is_terminal(),
            color: output.is_coloured(self.color.when()),
            top,
        }
    }

    fn wrong_target(&self) -> Option<String> {
        if let Err(reason) = self.formats(&LIST) {
            return Some(reason);
        }
        let (formats, named) = (&self.format, self.output.as_deref());
        for (at, one) in formats.iter().enumerate() {
            for other in &formats[..at] {
                if one.format == other.format {
                    return Some(format!("--format {} is given twice", one.format.name));
                }
                let target = |to: &FormatTo| to.file.clone().or_else(|| named.map(Path::to_owned));
                let place = |to: &FormatTo| target(to).and_then(|file| output::place(&file));
                if place(one) == place(other) {
                    let (one, other) = (one.format.name, other.format.name);
                    let target = target(&formats[at]).filter(|file| output::place(file).is_some());
                    let place =
                        target.map_or("standard output".into(), |file| file.display().to_string());
                    return Some(format!(
                        "--format: {other} and {one} both go to {place}; {one}=FILE writes to a file"
                    ));
                }
            }
        }
        let is_used = formats.is_empty() || formats.iter().any(|to| to.file.is_none());
        (named.is_some() && !is_used)
            .then(|| "--output names a file for nothing: every --format has one of its own".into())
    }
}

/// Returns the format that the ending of a file stands for; none for standard output. A file without an ending has the list.
fn of_ending(file: &Path) -> Result<Option<&'static Format>, String> {
    let ending = file
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    let name = match ending.as_deref() {
        None => return Ok((file != Path::new("-")).then_some(&LIST)),
        Some("txt") => "list",
        Some("htm") => "html",
        Some("md") => "markdown",
        Some("ndjson") => "jsonl",
        Some(ending) => ending,
    };
    let mut formats = FORMATS.iter().copied();
    let found = formats.find(|format| format.name == name);
    // A format that has no ending of its own, such as 'table'.
    let found =
        found.filter(|format| !["table", "csv-excel", "github", "gitlab"].contains(&format.name));
    found.map(Some).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        format!(
            "--output {}: no format has this ending; --format names one of {}",
            file.display(),
            names.join(", ")
        )
    })
}

group! {
    /// Which part of the pairs a scan shows, and how.
    pub(crate) struct ListArgs in OUTPUT {
        /// Show only pairs of these relations [default: all]
        ///
        /// The relations are exact, near, contains, variant, related, template and short; 'all' means every one. Separate
        /// them with commas. Every format leaves the other pairs out. They are found and counted nevertheless.
        #[arg(long, value_name = "LIST", hide_possible_values = true)]
        show: Vec<Shown>,

        /// Show only the first N entries of the list, or lines of the table
        ///
        /// Those that are left out are counted. By default a terminal shows 20 entries, and a pipe all.
        #[arg(long, value_name = "N")]
        pub(crate) top: Option<usize>,

        /// Report the clusters without the pairs; these are counted only
        ///
        /// A thousand copies of one document are half a million pairs and one cluster.
        #[arg(hide_short_help = true, long)]
        pub(crate) no_pairs: bool,
    }
}

impl ListArgs {
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
