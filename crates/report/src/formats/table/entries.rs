//! The worklist in the table.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::formats::table::columns::{NARROWEST, Table, leading};
use crate::formats::worklist::{Details, sentence, worklist};
use crate::language::phrase;
use crate::model::Report;
use crate::model::layout::Proposal;
use crate::say;
use crate::style::TableStyle;
use crate::style::escape::{shortened, visible};
use crate::style::numbers::amount;
use crate::style::paint::{FAINT, HEADING, relation_style};
use crate::style::wrap::{LongWords, lines};
use dupfind_decide::clean::worklist::{Entry, Kind, Member, Worklist, common_folder};
use dupfind_decide::gate::baseline::Standing;
use dupfind_engine::DocId;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Pair;

/// How many entries a terminal shows, and how many sums of pairs.
const ON_TERMINAL: (usize, usize) = (20, 5);

/// How many documents of an entry a terminal shows.
const MEMBERS: usize = 12;

/// The columns before a sentence or a name.
const INDENT: usize = 4;

/// The worklist of a report, and how much of it is shown.
pub(super) struct Entries<'t> {
    table: &'t Table,
    list: Worklist,
    details: Details,
    /// How many entries are shown that do not only sum pairs up, and how many that do.
    shown: (usize, usize),
}

impl<'t> Entries<'t> {
    /// Makes the worklist of the pairs to be looked at.
    pub(super) fn new(report: &Report<'_>, table: &'t Table) -> dupfind_engine::Result<Self> {
        let list = worklist(report);
        let sums = list
            .entries()
            .iter()
            .filter(|entry| entry.kind.is_sum())
            .count();
        let (most, most_sums) = most(table.style);
        let shown = ((list.entries().len() - sums).min(most), sums.min(most_sums));
        let details = Details::read(report, &list, shown)?;
        Ok(Self {
            table,
            list,
            details,
            shown,
        })
    }

    /// Writes the entries, and how many are left out.
    pub(super) fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        let entries = self.list.entries();
        let count = entries.partition_point(|entry| !entry.kind.is_sum());
        for (at, entry) in entries[..self.shown.0].iter().enumerate() {
            let number = format!("{}.", at + 1);
            self.write_entry(report, at, entry, &number, out)?;
        }
        let rest = count - self.shown.0;
        if rest > 0 {
            let all = count.max(entries.len() - count);
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
        for (at, entry) in entries.iter().enumerate().skip(count).take(self.shown.1) {
            self.write_sum(report, at, entry, out)?;
        }
        let rest = entries.len() - count - self.shown.1;
        if rest > 0 {
            let text = say!("… and {}", amount(rest, "more such line"));
            writeln!(out, "{}", self.table.paint(FAINT, &text))?;
        }
        if count < entries.len() {
            writeln!(out)?;
        }
        Ok(())
    }

    /// Writes an entry behind a number, which may be empty.
    fn write_entry(
        &self,
        report: &Report<'_>,
        at: usize,
        entry: &Entry,
        number: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let members = self.list.members(entry);
        let relation = |member: &Member| report.pairs.unwrap_or_default()[member.pair].relation();
        let relation = members.iter().map(relation).min();
        let text = sentence(report, &self.list, at, &self.details);
        let standing = self.standing(report, members);
        let style = relation_style(relation.unwrap_or(Relation::Short));
        let width = self.table.style.width.unwrap_or(usize::MAX);
        let columns = width.saturating_sub(INDENT);
        let lines = lines(&format!("{text}{standing}"), columns, LongWords::Whole);
        for (at, line) in lines.iter().enumerate() {
            let number = match at {
                0 => self
                    .table
                    .paint(HEADING, &format!("{number:<WIDTH$}", WIDTH = INDENT - 1)),
                _ => " ".repeat(INDENT - 1),
            };
            writeln!(out, "{number} {}", self.table.paint(style, line))?;
        }
        self.write_documents(report, entry, members, out)?;
        writeln!(out)
    }

    /// Writes the documents of an entry, each on a line of its own. A name is never cut.
    fn write_documents(
        &self,
        report: &Report<'_>,
        entry: &Entry,
        members: &[Member],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let most = match self.table.style.is_terminal {
            true => MEMBERS,
            false => usize::MAX,
        };
        let others = members.iter().map(|member| member.document);
        let ids: Vec<DocId> = [entry.document]
            .into_iter()
            .chain(others)
            .take(most)
            .collect();
        let names: Vec<String> = ids
            .iter()
            .map(|&id| leading(report.outcome.name(id)))
            .collect();
        let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
        for (name, id) in names.iter().zip(ids) {
            let gap = " ".repeat(widest - name.width());
            let title = report.outcome.documents[id.index()]
                .title
                .shown()
                .map(visible);
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
        match (members.len() + 1).saturating_sub(most) {
            0 => Ok(()),
            more => {
                let text = say!("… and {} more", more);
                writeln!(out, "    {}", self.table.paint(FAINT, &text))
            }
        }
    }

    /// Writes the line of an entry that sums pairs up; its documents too, if no other entry is shown.
    fn write_sum(
        &self,
        report: &Report<'_>,
        at: usize,
        entry: &Entry,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let members = self.list.members(entry);
        let mut text = visible(&sentence(report, &self.list, at, &self.details));
        let is_family = entry.kind != Kind::Short;
        if is_family {
            let ids = [entry.document].into_iter();
            let ids = ids.chain(members.iter().map(|member| member.document));
            if let Some(folder) = common_folder(ids.map(|id| report.outcome.name(id))) {
                text = say!("{}, in {}", text, visible(folder));
            }
        }
        writeln!(out, "{}", self.table.paint(FAINT, &text))?;
        if self.shown.0 == 0 && is_family {
            self.write_documents(report, entry, members, out)?;
        }
        Ok(())
    }

    /// Returns the words on pairs that were accepted once.
    fn standing(&self, report: &Report<'_>, members: &[Member]) -> &'static str {
        let pairs = report.pairs.unwrap_or_default();
        let standing = |member: &Member| report.gate.standing(&pairs[member.pair]);
        match members
            .iter()
            .filter_map(standing)
            .any(|standing| standing == Standing::Worse)
        {
            true => phrase(" (accepted once, and worse since)"),
            false => "",
        }
    }

    /// Returns the command that goes on from here, if there is one: a plan if there are copies, as only copies go unless the
    /// user says otherwise. Else the first two documents are compared. Nothing goes for its copy in another language or version.
    pub(super) fn next_command(
        &self,
        report: &Report<'_>,
        proposal: Option<&Proposal>,
    ) -> Option<String> {
        let is_copy = |pair: &Pair| {
            pair.relation() == Relation::Exact
                && report.gate.is_open(pair)
                && !proposal.is_some_and(|proposal| proposal.is_between(pair))
        };
        if let Some(plan) = &report.typed.plan
            && report.shown.have(Relation::Exact)
            && report.pairs.unwrap_or_default().iter().any(is_copy)
        {
            let within = proposal.map(|proposal| format!(" {}", proposal.option()));
            return Some(format!("{plan}{}", within.unwrap_or_default()));
        }
        let first = self.list.entries().first()?;
        if first.kind.is_sum() {
            return None;
        }
        let member = self.list.members(first).first()?;
        report.compare([first.document, member.document])
    }
}

/// Returns how many entries are shown, and how many sums of pairs.
fn most(style: TableStyle) -> (usize, usize) {
    match style.top {
        Some(top) => (top, top),
        None if style.is_terminal => ON_TERMINAL,
        None => (usize::MAX, usize::MAX),
    }
}
