//! The worklist in the table.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::formats::columns::{NARROWEST, Table, leading};
use crate::language::phrase;
use crate::model::{Plan, Report};
use crate::say;
use crate::style::escape::{legible, shortened, visible};
use crate::style::wrap::{LongWords, lines};
use crate::style::{FAINT, HEADING, amount, relation_style};
use crate::worklist::{Entry, Kind, Worklist};
use dupfind_decide::Standing;
use dupfind_engine::{Pair, Relation};

/// How many documents of an entry a terminal shows.
const MEMBERS: usize = 12;

/// The columns before a sentence or a name.
const INDENT: usize = 4;

/// The worklist of a report, and how much of it is shown.
pub(super) struct Entries<'t> {
    table: &'t Table,
    report: &'t Report<'t>,
    list: Worklist<'t>,
    /// How many entries are shown that do not only sum pairs up, and how many that do.
    shown: (usize, usize),
}

impl<'t> Entries<'t> {
    /// Makes the worklist of the pairs to be looked at.
    pub(super) fn new(report: &'t Report<'t>, table: &'t Table) -> dupfind_engine::Result<Self> {
        let mut list = Worklist::new(report);
        let single = list.single();
        let (most, most_sums) = match table.style.top {
            Some(top) => (top, top),
            None if table.style.is_terminal => (20, 5),
            None => (usize::MAX, usize::MAX),
        };
        let sums = list.entries.len() - single;
        let shown = (single.min(most), sums.min(most_sums));
        list.read(shown)?;
        Ok(Self {
            table,
            report,
            list,
            shown,
        })
    }

    /// Writes the entries, and how many are left out.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (single, sums) = self.list.entries.split_at(self.list.single());
        for (at, entry) in single[..self.shown.0].iter().enumerate() {
            self.write_entry(entry, &format!("{}.", at + 1), out)?;
        }
        let rest = single.len() - self.shown.0;
        if rest > 0 {
            let all = single.len().max(sums.len());
            let more = amount(rest, "more entry");
            let text = match self.table.style.is_terminal {
                true => say!(
                    "… and {}; --top {} shows all, or a pipe ('| less')",
                    more,
                    all
                ),
                false => say!("… and {}", more),
            };
            writeln!(out, "{}\n", self.table.paint(FAINT, &text))?;
        }
        for entry in &sums[..self.shown.1] {
            self.write_sum(entry, out)?;
        }
        let rest = sums.len() - self.shown.1;
        if rest > 0 {
            let text = say!("… and {}", amount(rest, "more such line"));
            writeln!(out, "{}", self.table.paint(FAINT, &text))?;
        }
        if !sums.is_empty() {
            writeln!(out)?;
        }
        Ok(())
    }

    /// Writes an entry behind a number.
    fn write_entry(&self, entry: &Entry, number: &str, out: &mut dyn Write) -> io::Result<()> {
        let relations = entry
            .members
            .iter()
            .map(|member| self.list.pair(member).relation());
        let style = relation_style(relations.min().unwrap_or(Relation::Short));
        let sentence = legible(&self.list.sentence(entry));
        let text = format!("{sentence}{}", self.standing(entry));
        let width = self.table.style.width.unwrap_or(usize::MAX);
        let lines = lines(&text, width.saturating_sub(INDENT), LongWords::Whole);
        for (at, line) in lines.iter().enumerate() {
            let number = match at {
                0 => self
                    .table
                    .paint(HEADING, &format!("{number:<WIDTH$}", WIDTH = INDENT - 1)),
                _ => " ".repeat(INDENT - 1),
            };
            writeln!(out, "{number} {}", self.table.paint(style, line))?;
        }
        self.write_documents(entry, out)?;
        writeln!(out)
    }

    /// Writes the documents of an entry, each on a line of its own. A name is never cut.
    fn write_documents(&self, entry: &Entry, out: &mut dyn Write) -> io::Result<()> {
        let outcome = self.report.outcome;
        let most = match self.table.style.is_terminal {
            true => MEMBERS,
            false => usize::MAX,
        };
        let shown = entry.documents().take(most);
        let names: Vec<String> = shown.clone().map(|id| leading(outcome.name(id))).collect();
        let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
        for (name, id) in names.iter().zip(shown) {
            let gap = " ".repeat(widest - name.width());
            let title = outcome.documents[id.index()].title.shown().map(visible);
            // Behind the indent, the name and two spaces.
            let room = match self.table.style.width {
                Some(width) => width.saturating_sub(INDENT + widest + 2),
                None => usize::MAX,
            };
            match title.filter(|_| room >= NARROWEST) {
                Some(title) => {
                    let title = self.table.paint(FAINT, &shortened(&title, room));
                    writeln!(out, "    {name}{gap}  {title}")?;
                }
                None => writeln!(out, "    {name}")?,
            }
        }
        match (entry.members.len() + 1).saturating_sub(most) {
            0 => Ok(()),
            more => {
                let text = say!("… and {} more", more);
                writeln!(out, "    {}", self.table.paint(FAINT, &text))
            }
        }
    }

    /// Writes the line of an entry that sums pairs up; its documents too, if no other entry is shown.
    fn write_sum(&self, entry: &Entry, out: &mut dyn Write) -> io::Result<()> {
        let text = legible(&self.list.sentence(entry));
        writeln!(out, "{}", self.table.paint(FAINT, &text))?;
        let folder = self.list.family(entry).filter(|_| !self.is_accepted(entry));
        if let Some(accept) = folder.and_then(|folder| self.report.accept_family(folder)) {
            writeln!(out, "    {}", self.table.paint(FAINT, &accept))?;
        }
        if self.shown.0 == 0 && entry.kind != Kind::Short {
            self.write_documents(entry, out)?;
        }
        Ok(())
    }

    /// Returns whether the pairs of an entry are accepted, though the report shows them.
    fn is_accepted(&self, entry: &Entry) -> bool {
        let Some(accepted) = &self.report.typed.accepted else {
            return false;
        };
        let mut pairs = entry.members.iter().map(|member| self.list.pair(member));
        pairs.all(|pair| accepted.of(pair) == Some(Standing::Accepted))
    }

    /// Returns the words on pairs that were accepted once.
    fn standing(&self, entry: &Entry) -> &'static str {
        let pairs = entry.members.iter().map(|member| self.list.pair(member));
        let mut standings = pairs.filter_map(|pair| self.report.gate.standing(pair));
        match standings.any(|standing| standing == Standing::Worse) {
            true => phrase(" (accepted once; more alike now)"),
            false => "",
        }
    }

    /// Returns the command that goes on from here, if there is one, and how many pages go by it: a plan if it has something
    /// to do. Else the first two documents are compared.
    pub(super) fn next(&self) -> Option<(String, Option<usize>)> {
        let report = self.report;
        let is_copy = |pair: &Pair| pair.relation() == Relation::Exact && report.gate.is_open(pair);
        if let Some(Plan { command, pages }) = &report.typed.plan
            && report.shown.have(Relation::Exact)
            && report.pairs.unwrap_or_default().iter().any(is_copy)
        {
            return Some((command.clone(), *pages));
        }
        let first = self.list.entries.first()?;
        let member = first.members.first().filter(|_| !first.kind.is_sum())?;
        let compare = report.compare([first.first, member.document])?;
        Some((compare, None))
    }
}
