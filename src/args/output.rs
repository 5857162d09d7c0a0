//! The options about reports: their formats, where they go, and how they look.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command, Error};
use dupfind_engine::{Relation, Relations};
use dupfind_report::{FORMATS, Format, LIST, TABLE, TableStyle};

use crate::args::values::{self, choice, named};
use crate::args::{Conflict, OUTPUT};
use crate::terminal::Output;
use crate::terminal::output::{self, Color};

/// The reports, and where they go.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct ReportArgs {
    /// Format of the report; FORMAT=FILE names its file [default: list] (repeatable)
    ///
    /// One run can write several reports: '--format list --format sarif=dupfind.sarif'. A format without a
    /// file goes to standard output, or to the file of --output. A check on GitHub writes annotations by itself.
    #[arg(short, long, value_name = "FORMAT", value_parser = FormatParser)]
    pub(crate) format: Vec<FormatTo>,

    /// Write to FILE; its ending, such as .html, is the format ('-': standard output)
    ///
    /// Without --format its ending is the format: .html, .json, .jsonl, .csv, .sarif or .md; .txt is the list. The file is
    /// replaced when the result is complete, and untouched if the run fails.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    color: ColorArgs,
}

/// Which part of the pairs a scan shows, and how.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct ListArgs {
    /// Show only pairs of these relations [default: all]
    ///
    /// The relations are exact, near, contains, variant, related, template and short; 'all' means every one. Separate
    /// them with commas. Every format leaves the other pairs out. They are found and counted nevertheless.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = choice(shown()), hide_possible_values = true)]
    pub(crate) show: Vec<Relations>,

    /// Show only the first N entries of the list, or lines of the table
    ///
    /// Those that are left out are counted. By default a terminal shows 20 entries, and a pipe all.
    #[arg(long, value_name = "N", value_parser = values::count::<usize>)]
    pub(crate) top: Option<usize>,

    /// Report the clusters without the pairs; these are counted only
    ///
    /// A thousand copies of one document are half a million pairs and one cluster.
    #[arg(hide_short_help = true, long)]
    pub(crate) no_pairs: bool,
}

/// When to use colours.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct ColorArgs {
    /// When to colour the output [default: auto]
    ///
    /// By default on a terminal only, and not if NO_COLOR is set.
    #[arg(hide_short_help = true, long, value_name = "WHEN")]
    pub(crate) color: Option<Color>,
}

/// Where the result goes.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct OutputArgs {
    /// Write to FILE instead of standard output ('-' is standard output)
    ///
    /// The file is replaced when the result is complete, and untouched if the run fails.
    #[arg(id = "own_output", short = 'o', long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// Returns the file, or `-`, if one is named.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref()
    }
}

impl ColorArgs {
    /// Returns when to use colours.
    pub(crate) fn when(&self) -> Color {
        self.color.unwrap_or_default()
    }
}

/// A format, and the file it goes to: `FORMAT` or `FORMAT=FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormatTo {
    pub(crate) format: &'static Format,
    /// None for the place that `--output` names.
    pub(crate) file: Option<PathBuf>,
}

/// The parser of a format and its file. Its help and its errors list the formats.
#[derive(Debug, Clone)]
struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = FormatTo;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<FormatTo, Error> {
        let text = value.to_string_lossy();
        let (name, file) = match text.split_once('=') {
            Some((name, file)) => (name, Some(file)),
            None => (&*text, None),
        };
        if file == Some("") {
            let reason = format!("--format: {name}= names no file");
            return Err(command.clone().error(ErrorKind::InvalidValue, reason));
        }
        Ok(FormatTo {
            format: choice(known_formats()).parse_ref(command, arg, OsStr::new(name))?,
            file: file.map(PathBuf::from),
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(known_formats().map(|(_, known)| known)))
    }
}

fn known_formats() -> impl Iterator<Item = (&'static Format, PossibleValue)> {
    let formats = FORMATS.iter().copied();
    formats.map(|format| named(format, format.name, format.help))
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

    /// Whether a scan writes a report for people: the list or the table.
    pub(crate) fn lists(&self) -> bool {
        self.have(&LIST, |format| format == &LIST || format == &TABLE)
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

    pub(crate) fn conflict(&self) -> Option<Conflict> {
        let reason = self.wrong_target()?;
        Some(Conflict::new(&["output", "format"], reason))
    }

    fn wrong_target(&self) -> Option<String> {
        if let Err(reason) = self.formats(&LIST) {
            return Some(reason);
        }
        let target = |to: &FormatTo| to.file.clone().or_else(|| self.output.clone());
        let place = |to: &FormatTo| target(to).and_then(|file| output::place(&file));
        for (at, one) in self.format.iter().enumerate() {
            let name = one.format.name;
            for other in &self.format[..at] {
                if place(one) == place(other) {
                    let file = place(one).and_then(|_| target(one));
                    let file =
                        file.map_or("standard output".into(), |file| file.display().to_string());
                    let other = other.format.name;
                    return Some(format!(
                        "--format: {other} and {name} both go to {file}; {name}=FILE writes to a file"
                    ));
                }
            }
        }
        let is_used = self.format.is_empty() || self.format.iter().any(|to| to.file.is_none());
        (self.output.is_some() && !is_used)
            .then(|| "--output names a file for nothing: every --format has one of its own".into())
    }
}

/// Returns the format that the ending of a file stands for; none for standard output. A file without an ending has the list.
fn of_ending(file: &Path) -> Result<Option<&'static Format>, String> {
    let Some(ending) = file.extension() else {
        return Ok((file != Path::new("-")).then_some(&LIST));
    };
    let ending = ending.to_string_lossy().to_lowercase();
    let found = FORMATS
        .iter()
        .find(|format| format.endings.contains(&ending.as_str()));
    found.map(|format| Some(*format)).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        format!(
            "--output {}: no format has this ending; --format names one of {}",
            file.display(),
            names.join(", ")
        )
    })
}

impl ListArgs {
    /// Returns the relations whose pairs are shown.
    pub(crate) fn shown(&self) -> Relations {
        match self.show.as_slice() {
            [] => Relations::ALL,
            shown => shown
                .iter()
                .flat_map(|relations| relations.iter())
                .collect(),
        }
    }

    /// Returns why options about pairs do not go together with the reports, if they do not.
    pub(crate) fn conflict(&self, report: &ReportArgs) -> Option<Conflict> {
        let formats = report.formats(&LIST).unwrap_or_default();
        let of_pairs = formats.iter().find(|to| to.format.is_of_pairs());
        if let (true, Some(to)) = (self.no_pairs, of_pairs) {
            let name = to.format.name;
            let reason =
                format!("--no-pairs leaves nothing for {name}, which is made of pairs only");
            return Some(Conflict::new(&["no-pairs", "format"], reason));
        }
        let reason = "--top is for list and table: the other formats hold every pair";
        (self.top.is_some() && !report.lists()).then(|| Conflict::new(&["top", "format"], reason))
    }
}

fn shown() -> Vec<(Relations, PossibleValue)> {
    let each = Relation::ALL.map(|relation| {
        let alone = std::iter::once(relation).collect();
        named(alone, relation.as_str(), meaning(relation))
    });
    let all = named(Relations::ALL, "all", "Every relation");
    each.into_iter().chain([all]).collect()
}

/// Returns the meaning of a relation, for the help of an option.
pub(super) fn meaning(relation: Relation) -> &'static str {
    match relation {
        Relation::Exact => "The same text, white space aside",
        Relation::Near => "Near-duplicates: copies, revisions, rewritten texts",
        Relation::Contains => "One contains most of the other, and much more",
        Relation::Variant => "The same page for another subject",
        Relation::Related => "They share something, and it is rare",
        Relation::Template => "What they share is common text",
        Relation::Short => "Too short to judge",
    }
}

/// How the answer of a command is written, and where it goes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct AnswerArgs {
    /// Format of the answer
    #[arg(
        id = "own_format",
        short = 'f',
        long = "format",
        value_name = "FORMAT",
        default_value = "table"
    )]
    pub(crate) format: Reader,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Who reads an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Reader {
    /// For people
    #[value(name = "table")]
    Person,
    /// One JSON object
    #[value(name = "json")]
    Program,
}
