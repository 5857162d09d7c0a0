//! The findings about one page, as an editor shows them.

use std::collections::HashSet;
use std::path::Path;

use dupfind_decide::Elsewhere;
use dupfind_decide::elsewhere::{Kind, Lines, Passage};
use dupfind_engine::Relation;
use dupfind_report::listings::elsewhere::{Asked, advice, is_well, is_whole, verdict};
use dupfind_report::style::escape::uri_of;
use dupfind_report::{phrase, say};
use serde_json::{Value, json};

use crate::commands::lsp::wire::{Position, Range};

/// The page of the guide that explains the codes of diagnostics.
const RELATIONS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/relations.md");

/// The most diagnostics of a page.
const MAX_FOUND: usize = 5;

/// The fewest units of a passage that is more than a hint.
const LEAST_TOLD: usize = 24;

/// What is shown has so many units, or such a share of its page, in hundredths, or is most of it.
const LEAST_SHOWN: usize = 40;
const LEAST_SHARE: u64 = 5;
const MOST: u64 = 50;

/// A passage of pages that are no duplicates has so many units of running text in a row, and more if several pages have it: pages of
/// one form have headings, tables and half sentences in common.
const RUN: usize = 24;
const RUN_OF_SEVERAL: usize = 40;
const SEVERAL: usize = 3;

/// The most pages that a hover names.
const MAX_NAMED: usize = 5;

/// How much a reader should look at a diagnostic, as the protocol numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    Warning = 2,
    Information = 3,
    Hint = 4,
}

/// What an editor shows of a page.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) elsewhere: Elsewhere,
    /// The passages that are shown, the worst one first, each with its place in the page.
    pub(super) found: Vec<(Range, Passage)>,
    /// How many passages are not shown.
    more: usize,
    /// Whether the page is on disk. A draft that never was saved is no variant yet.
    is_there: bool,
}

fn relation(elsewhere: &Elsewhere, passage: &Passage) -> Option<Relation> {
    let pair = elsewhere.place(&passage.twins[0]).pair;
    pair.map(|pair| pair.relation())
}

/// Returns whether a passage tells what two pages are to each other as a whole.
fn is_of_pages(elsewhere: &Elsewhere, passage: &Passage) -> bool {
    relation(elsewhere, passage).is_some_and(|relation| relation < Relation::Related)
}

fn severity(elsewhere: &Elsewhere, passage: &Passage) -> Severity {
    match relation(elsewhere, passage) {
        _ if passage.units < LEAST_TOLD => Severity::Hint,
        Some(Relation::Exact | Relation::Near | Relation::Contains) => Severity::Warning,
        _ => Severity::Information,
    }
}

impl Shown {
    /// Returns what is shown of a page. Without lines in its format all passages are at its first line.
    pub(super) fn new(page: Asked<'_>, elsewhere: Elsewhere, text: &str, has_lines: bool) -> Self {
        let mut passages = elsewhere.passages.clone();
        passages.retain(|passage| {
            let (units, share) = (passage.units, passage.share.percent());
            let is_long = units >= LEAST_SHOWN || units >= LEAST_TOLD && share >= LEAST_SHARE;
            let is_of_few = passage.copies() <= SEVERAL;
            let run = if is_of_few { RUN } else { RUN_OF_SEVERAL };
            let is_one_text = passage.twins[0].run >= run;
            let is_told = is_of_few && passage.kind != Kind::Code;
            let is_more = is_one_text || is_told && is_of_pages(&elsewhere, passage);
            let is_shown = (is_long || share >= MOST) && is_more;
            let is_duplicate = elsewhere.place(&passage.twins[0]).is_duplicate();
            (is_duplicate || is_shown) && !is_well(&elsewhere, passage, page)
        });
        // What is said of two pages as a whole is said once.
        let mut said = HashSet::new();
        passages.retain(|passage| {
            !is_of_pages(&elsewhere, passage) || said.insert(passage.twins[0].place)
        });
        passages.sort_by_key(|passage| severity(&elsewhere, passage));
        let more = passages.len().saturating_sub(MAX_FOUND);
        passages.truncate(MAX_FOUND);
        let range = |mine: Lines| Range::of_lines(text, if has_lines { mine } else { (1, 1) });
        let found = passages
            .into_iter()
            .map(|passage| (range(passage.mine), passage));
        Self {
            found: found.collect(),
            elsewhere,
            more,
            is_there: page.is_there,
        }
    }

    /// Returns the page as one that is asked about.
    fn asked<'a>(&self, name: &'a str) -> Asked<'a> {
        let is_there = self.is_there;
        Asked { name, is_there }
    }

    /// Returns whether the advice about a passage lets the other page stay.
    pub(super) fn may_go(&self, name: &str, passage: &Passage) -> bool {
        !is_whole(&self.elsewhere, passage, self.asked(name))
    }

    /// Returns the diagnostics. `name` is that of the page, and `root` is the folder of the pages.
    pub(super) fn diagnostics(&self, name: &str, root: &Path) -> Vec<Value> {
        let last = self.found.len().saturating_sub(1);
        let found = self.found.iter().enumerate();
        let diagnostics = found.map(|(at, (range, passage))| {
            let mut message = self.message(name, passage);
            if at == last && self.more > 0 {
                message.push('\n');
                message += &say!(
                    "{} more passages of this page are elsewhere, too",
                    self.more
                );
            }
            self.diagnostic(name, root, *range, passage, &message)
        });
        diagnostics.collect()
    }

    fn message(&self, name: &str, passage: &Passage) -> String {
        let twin = &passage.twins[0];
        let place = self.elsewhere.place(twin);
        let (page, others) = (&place.page, passage.copies() - 1);
        let advice = advice(&self.elsewhere, passage, self.asked(name));
        if is_of_pages(&self.elsewhere, passage) {
            return say!(
                "{} % of this page is in {}. {}",
                place.share.percent(),
                page,
                advice
            );
        }
        match others {
            0 => say!("This is also in {}. {}", page, advice),
            1 => say!("This is also in {} and one more page. {}", page, advice),
            _ => say!(
                "This is also in {} and {} more pages. {}",
                page,
                others,
                advice
            ),
        }
    }

    fn diagnostic(
        &self,
        name: &str,
        root: &Path,
        range: Range,
        passage: &Passage,
        message: &str,
    ) -> Value {
        let related = passage.twins.iter().map(|twin| {
            let place = self.elsewhere.place(twin);
            json!({
                "location": {"uri": uri_of(&root.join(&place.page)), "range": there(twin.its)},
                "message": place.title.as_ref().unwrap_or(&place.page),
            })
        });
        let mut diagnostic = json!({
            "range": range,
            "severity": severity(&self.elsewhere, passage) as u8,
            "code": verdict(&self.elsewhere, passage, self.asked(name)),
            "source": "dupfind",
            "message": message,
            "relatedInformation": related.collect::<Vec<_>>(),
        });
        // A program that was built without the address of its repository has no page to lead to.
        if RELATIONS.starts_with("https://") {
            diagnostic["codeDescription"] = json!({"href": RELATIONS});
        }
        diagnostic
    }

    /// Returns how much of the page is elsewhere, in Markdown; nothing if nothing is.
    pub(super) fn summary(&self) -> Option<String> {
        let elsewhere = &self.elsewhere;
        elsewhere.passages.first()?;
        let mut lines = vec![
            phrase("This page is written elsewhere, too:").to_owned(),
            String::new(),
        ];
        for place in elsewhere.places.iter().take(MAX_NAMED) {
            lines.push(format!("* `{}`: {}", place.page, place.share));
        }
        Some(lines.join("\n"))
    }
}

/// Returns where a passage is in the other page.
pub(super) fn there((first, last): Lines) -> Range {
    let at = |line| Position { line, character: 0 };
    Range {
        start: at(first - 1),
        end: at(last),
    }
}
