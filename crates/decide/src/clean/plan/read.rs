//! Reads a plan that may have been edited.

use crate::clean::plan::line::{Drop, Line, SCHEMA_VERSION};

/// A fault of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault, in words.
    pub what: String,
    /// Whether the plan itself is wrong. Otherwise a file has changed, and only this line cannot be carried out.
    pub is_of_plan: bool,
}

impl Fault {
    pub(super) fn of_plan(line: usize, what: impl Into<String>) -> Self {
        Self {
            line,
            what: what.into(),
            is_of_plan: true,
        }
    }

    pub(super) fn of_file(line: usize, what: impl Into<String>) -> Self {
        Self {
            line,
            what: what.into(),
            is_of_plan: false,
        }
    }
}

/// The lines of a plan that are carried out, with their numbers, and the faults of others.
#[derive(Debug, Default)]
pub struct ReadPlan {
    /// The documents that go.
    pub drops: Vec<(usize, Drop)>,
    /// The errors.
    pub faults: Vec<Fault>,
    /// The folder of the pages, if the plan names one.
    pub folder: Option<String>,
}

/// How many lines are named that are no lines of a plan, beside the last one: a file of another kind has very many.
const NAMED: usize = 10;

/// How lines of a plan begin, damaged ones too.
const BEGINNINGS: [&str; 3] = [
    r#"{"type":"plan""#,
    r#"{"type":"drop""#,
    r#"{"type":"unresolved""#,
];

/// Reads the lines of a plan; `None` if no line is one of a plan, as in a file of another kind.
#[must_use]
pub fn read(text: &str) -> Option<ReadPlan> {
    let ReadPlan {
        mut drops,
        mut faults,
        mut folder,
    } = ReadPlan::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut is_plan = text.trim().is_empty();
    let mut strange = 0;
    let mut last: Option<Fault> = None;
    let numbered = (1..).zip(text.lines());
    for (number, line) in numbered.filter(|(_, line)| !line.trim().is_empty()) {
        let read = serde_json::from_str(line);
        is_plan |= read.is_ok() || BEGINNINGS.iter().any(|known| line.starts_with(known));
        match read {
            Ok(Line::Drop(drop)) => drops.push((number, drop)),
            Ok(Line::Unresolved(_)) => {}
            Ok(Line::Plan(header)) if header.schema_version == SCHEMA_VERSION => {
                folder = header.folder;
            }
            Ok(Line::Plan(header)) => {
                let version = header.schema_version;
                let what =
                    format!("a plan of version {version}; this program knows {SCHEMA_VERSION}");
                faults.push(Fault::of_plan(number, what));
            }
            Err(error) if error.is_eof() => {
                faults.push(Fault::of_plan(number, "the line is cut off"));
            }
            Err(error) => {
                let words = error.to_string();
                // The number of the line is that of the file.
                let words = words.split(" at line ").next().unwrap_or_default();
                let fault = Fault::of_plan(number, format!("no line of a plan: {words}"));
                strange += 1;
                match strange > NAMED {
                    true => last = Some(fault),
                    false => faults.push(fault),
                }
            }
        }
    }
    if let Some(mut fault) = last {
        let before = strange - NAMED - 1;
        if before > 0 {
            fault.what.push_str(&format!(
                "; {before} more lines before it are no lines of a plan either"
            ));
        }
        faults.push(fault);
    }
    is_plan.then_some(ReadPlan {
        drops,
        faults,
        folder,
    })
}
