//! The changes of a worklist since it was shown.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};

use crate::formats::table::columns::Table;
use crate::formats::table::entries::{Listed, most};
use crate::formats::table::{entries, summed_up, write_parts};
use crate::language::phrase;
use crate::model::Report;
use crate::say;
use crate::style::TableStyle;
use crate::style::numbers::amount;
use crate::style::paint::{FAINT, HEADING};
use dupfind_engine::{Error, Result};

/// How many documents two entries have in common if they are the earlier and the present state of one entry.
const SAME: usize = 2;

/// Reports of one scan after the other, each with the changes since the one before.
#[derive(Debug, Default)]
pub struct Changes {
    /// The entries of the report before; `None` if there was none.
    before: Option<Vec<Listed>>,
}

impl Changes {
    /// Writes a report: the first time as a table, and after that the entries that are new, changed or gone, and the line that
    /// sums up; nothing if there are no such entries.
    ///
    /// # Errors
    ///
    /// Threads cannot be started, or `out` fails.
    pub fn write(
        &mut self,
        report: &Report<'_>,
        style: TableStyle,
        out: &mut dyn Write,
    ) -> Result<()> {
        let table = Table { style };
        let entries = entries(report, &table)?;
        let listed = entries.as_ref().map(|entries| entries.listed(report));
        let now = listed.transpose().map_err(Error::Sink)?.unwrap_or_default();
        let written = match &self.before {
            None => write_parts(report, &table, entries.as_ref(), out),
            Some(before) => write_changes(before, &now, report, &table, out),
        };
        self.before = Some(now);
        written.map_err(Error::Sink)
    }
}

fn write_changes(
    before: &[Listed],
    now: &[Listed],
    report: &Report<'_>,
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let most = most(table.style).0;
    let changes = changes(before, now).into_iter();
    let mut changes = changes
        .filter(|(_, entries)| !entries.is_empty())
        .peekable();
    if changes.peek().is_none() {
        return Ok(());
    }
    for (heading, entries) in changes {
        writeln!(out, "{}", table.paint(HEADING, phrase(heading)))?;
        for entry in entries.iter().take(most) {
            write!(out, "{}", entry.lines)?;
        }
        let rest = entries.len().saturating_sub(most);
        if rest > 0 {
            let text = say!("… and {}", amount(rest, "more entry"));
            writeln!(out, "{}\n", table.paint(FAINT, &text))?;
        }
    }
    writeln!(out, "{}", table.paint(HEADING, &summed_up(report)))
}

/// Returns the entries that are new, those that have changed, and those that are gone, each list with its heading.
fn changes<'e>(before: &'e [Listed], now: &'e [Listed]) -> [(&'static str, Vec<&'e Listed>); 3] {
    fn look(entry: &Listed) -> (&[String], &str) {
        (&entry.names, &entry.sentence)
    }
    let others = |own: &'e [Listed], other: &[Listed]| -> Vec<&'e Listed> {
        let known: HashSet<_> = other.iter().map(look).collect();
        let own = own.iter().filter(|entry| !known.contains(&look(entry)));
        own.collect()
    };
    let (old, now) = (others(before, now), others(now, before));
    let mut with: HashMap<&String, Vec<usize>> = HashMap::new();
    for (at, entry) in old.iter().enumerate() {
        for name in &entry.names {
            with.entry(name).or_default().push(at);
        }
    }
    let mut is_gone = vec![true; old.len()];
    let (mut new, mut changed) = (Vec::new(), Vec::new());
    for entry in now {
        let mut common: BTreeMap<usize, usize> = BTreeMap::new();
        for &at in entry
            .names
            .iter()
            .filter_map(|name| with.get(name))
            .flatten()
        {
            *common.entry(at).or_default() += 1;
        }
        let is_it = |&(&at, &count): &(&usize, &usize)| is_gone[at] && count >= SAME;
        let found = common.iter().find(is_it).map(|(&at, _)| at);
        match found {
            Some(at) => {
                is_gone[at] = false;
                changed.push(entry);
            }
            None => new.push(entry),
        }
    }
    let gone = old.into_iter().zip(is_gone).filter(|(_, is_gone)| *is_gone);
    let gone = gone.map(|(entry, _)| entry).collect();
    [("New", new), ("Changed", changed), ("Gone", gone)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Canned, canned, empty, rendered};
    use std::cell::RefCell;

    fn listed(names: &[&str], sentence: &str) -> Listed {
        Listed {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            sentence: sentence.to_owned(),
            lines: String::new(),
        }
    }

    #[test]
    fn entries_are_distinguished_by_their_documents() {
        let before = [
            listed(&["a", "b"], "alike"),
            listed(&["c", "d"], "copies"),
            listed(&["e", "f"], "alike"),
        ];
        let now = [
            listed(&["a", "b"], "alike"),
            listed(&["c", "d", "g"], "copies"),
            listed(&["e", "h"], "alike"),
        ];
        let found = changes(&before, &now).map(|(heading, entries)| {
            let names = entries.iter().map(|entry| entry.names.join(" "));
            (heading, names.collect::<Vec<_>>().join(", "))
        });
        let expected = [("New", "e h"), ("Changed", "c d g"), ("Gone", "e f")];
        assert_eq!(
            found,
            expected.map(|(heading, names)| (heading, names.to_owned()))
        );
    }

    #[test]
    fn unchanged_entries_are_not_shown_again() {
        let changes = RefCell::new(Changes::default());
        let write = |canned: Canned| {
            rendered(&canned, |report, out| {
                let written = (changes.borrow_mut()).write(report, TableStyle::default(), out);
                written.map_err(io::Error::other)
            })
        };
        let first = write(canned());
        assert!(
            first.starts_with("1.  3 pages: 1 copy") && first.contains("\nNext: "),
            "{first}"
        );
        assert_eq!(write(canned()), "");
        let entry = concat!(
            "    3 pages: 1 copy of the first; 50 % of the other is in the first\n",
            "    docs/a.md\n    docs/城市公园.md\n    docs/evil\\n\\u{1b}[31m.md\n\n",
        );
        let nothing = "0 documents compared: there was nothing to compare\n";
        assert_eq!(write(empty()), format!("Gone\n{entry}{nothing}"));
        let again = write(canned());
        let begin = format!("New\n{entry}4 documents compared");
        assert!(
            again.starts_with(&begin) && again.lines().count() == 7,
            "{again}"
        );
    }
}
