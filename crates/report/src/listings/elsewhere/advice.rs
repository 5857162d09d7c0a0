//! Advice about a passage that another document has: it depends on what the two documents are.

use crate::language::phrase;
use crate::say;
use dupfind_decide::Elsewhere;
use dupfind_decide::elsewhere::{Kind, Passage};
use dupfind_engine::Relation;
use dupfind_read::site::names::{is_history, is_instruction};

use super::anchor;

/// The share of a page from which on it is another one's text as a whole, in hundredths.
const MOST_OF_IT: u64 = 50;

/// A draft with fewer units is a note if this share of it is elsewhere, in hundredths.
const NOTE: usize = 40;
const MOST_OF_NOTE: u64 = 60;

/// How many documents have a passage that is made for all of them: a notice, a table of settings, the form of a section.
const MANY: usize = 10;

/// The page that is asked about.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// Its path; empty if it has none yet.
    pub name: &'a str,
    /// Whether it is on disk.
    pub is_there: bool,
}

/// What a page and another document with a passage of it are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Situation {
    /// A text without a path is all of a page: it may be that page.
    Itself,
    /// One of the two is a file of instructions, which an agent reads alone.
    Instructions,
    /// The passage is program code.
    Code,
    /// The passage is a licence.
    Licence,
    /// A draft is a note that is there, perhaps with another value in it, or has such a passage.
    Note,
    /// Both are notes about releases.
    History,
    /// Many documents have the passage.
    Everywhere,
    /// Two pages are the same.
    SamePage,
    /// A draft is a page that is there.
    SameDraft,
    /// Two pages have nearly the same text.
    NearPage,
    /// A draft has nearly the text of a page.
    NearDraft,
    /// Most of the other page is a part of this one.
    PartOfThis,
    /// The same page for another subject.
    Variant,
    /// The same form with other texts.
    Template,
    /// Two texts too short to tell.
    Short,
    /// The page has a passage that several others have.
    Several,
    /// They share a passage.
    Passage,
}

/// Returns the relation of the page and the document that has most of a passage; `passage` if they are no pair. The texts of a
/// draft are not known yet: it is no variant.
pub fn verdict(found: &Elsewhere, passage: &Passage, asked: Asked<'_>) -> &'static str {
    match found
        .place(&passage.twins[0])
        .pair
        .map(|pair| pair.relation())
    {
        None => "passage",
        Some(Relation::Variant) if !asked.is_there => Relation::Related.as_str(),
        Some(relation) => relation.as_str(),
    }
}

/// Returns advice about a passage, in a sentence.
pub fn advice(found: &Elsewhere, passage: &Passage, asked: Asked<'_>) -> String {
    let twin = &passage.twins[0];
    let place = found.place(twin);
    let (page, anchor) = (&place.page, anchor(place, twin));
    match Case::new(found, passage, asked).situation() {
        Situation::Itself => say!(
            "This is the text of {}: if it is that page, ask again with its path",
            page
        ),
        Situation::Instructions => {
            say!(
                "Remove it here, or keep it if this file is read without {}",
                page
            )
        }
        Situation::Code => say!(
            "The same code as in {}: keep it if readers need it here",
            anchor
        ),
        Situation::Licence => phrase("A licence or a notice: keep it").into(),
        Situation::History => phrase("Two notes about releases: keep both").into(),
        Situation::Note => say!(
            "It is in {} already: change it there if yours is newer, else write nothing",
            anchor
        ),
        Situation::Everywhere => say!(
            "{} pages have it: keep it, or include it from one file",
            passage.copies() + usize::from(asked.is_there)
        ),
        Situation::SamePage => say!(
            "Keep one of the two, and link to it: {} is the same text",
            page
        ),
        Situation::SameDraft => say!("Do not write it again: link to {}", page),
        Situation::NearPage => say!(
            "If both are for the same readers, merge them; else say here only what is new, and link to {}",
            anchor
        ),
        Situation::NearDraft => say!("Change {} instead of writing it again", page),
        Situation::PartOfThis => say!(
            "Most of {} is in this page: move here what only it has, and make it a link to this page",
            page
        ),
        Situation::Variant => say!(
            "Keep both if they are for two subjects, else merge them: {} is this page for another one",
            page
        ),
        Situation::Template => {
            phrase("Nothing to do: the two have one form, and other texts").into()
        }
        Situation::Short => phrase("Nothing to do, unless you expected a longer text").into(),
        Situation::Several => say!(
            "{} pages have it: say it in one of them and link to it, or include it from one file",
            passage.copies() + 1
        ),
        Situation::Passage => say!("Link to {} instead of saying it again", anchor),
    }
}

/// Returns whether nobody would do anything about a passage: the texts stay as they are.
pub fn is_well(found: &Elsewhere, passage: &Passage, asked: Asked<'_>) -> bool {
    use Situation::{Code, Everywhere, History, Licence, Short, Template, Variant};
    let situation = Case::new(found, passage, asked).situation();
    matches!(
        situation,
        Code | Everywhere | History | Licence | Short | Template | Variant
    )
}

/// Returns whether the other document is to become a link to this one.
pub fn is_whole(found: &Elsewhere, passage: &Passage, asked: Asked<'_>) -> bool {
    Case::new(found, passage, asked).situation() == Situation::PartOfThis
}

/// What the advice depends on.
struct Case<'a> {
    asked: Asked<'a>,
    /// The path of the other document.
    other: &'a str,
    relation: Option<Relation>,
    /// How much of the page is in the other document, in hundredths.
    percent: u64,
    /// Whether the passage is short, and most of what is asked about, or has another value there.
    is_note: bool,
    kind: Kind,
    /// How many documents have the passage.
    pages: usize,
}

impl<'a> Case<'a> {
    fn new(found: &'a Elsewhere, passage: &Passage, asked: Asked<'a>) -> Self {
        let place = found.place(&passage.twins[0]);
        Self {
            asked,
            other: &place.page,
            relation: place.pair.map(|pair| pair.relation()),
            percent: place.share.percent(),
            is_note: passage.twins[0].tells_other && passage.kind != Kind::Code
                || passage.units < NOTE && passage.share.percent() >= MOST_OF_NOTE,
            kind: passage.kind,
            pages: passage.copies(),
        }
    }

    fn situation(&self) -> Situation {
        let is_there = self.asked.is_there;
        let is_instruction = is_instruction(self.asked.name) || is_instruction(self.other);
        match (self.relation, self.kind) {
            (Some(Relation::Exact), _) if self.asked.name.is_empty() => Situation::Itself,
            _ if is_instruction => Situation::Instructions,
            (Some(Relation::Exact), _) if is_there => Situation::SamePage,
            (Some(Relation::Exact), _) => Situation::SameDraft,
            (_, Kind::Licence) => Situation::Licence,
            _ if is_history(self.asked.name) && is_history(self.other) => Situation::History,
            (Some(Relation::Near), _) if is_there => Situation::NearPage,
            (Some(Relation::Near), _) => Situation::NearDraft,
            (Some(Relation::Template), _) => Situation::Template,
            (Some(Relation::Short), _) => Situation::Short,
            (Some(Relation::Contains), _) if is_there && self.percent < MOST_OF_IT => {
                Situation::PartOfThis
            }
            _ if self.is_note && !is_there => Situation::Note,
            (_, Kind::Code) => Situation::Code,
            (Some(Relation::Variant), _) if is_there => Situation::Variant,
            _ if self.pages >= MANY => Situation::Everywhere,
            _ if self.pages > 1 && is_there => Situation::Several,
            _ => Situation::Passage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_situation_has_its_advice() {
        use Relation as R;
        use Situation as S;
        const NEW: (&str, bool) = ("new.md", false);
        const OLD: (&str, bool) = ("old.md", true);
        /// The share of a note.
        const NOTED: u64 = 61;
        const SKILL: &str = ".claude/skills/tea/SKILL.md";
        let text = |relation, percent| (relation, percent, Kind::Text, 1);
        for (asked, other, (relation, percent, kind, pages), expected) in [
            (("", false), "b.md", text(Some(R::Exact), 100), S::Itself),
            (("", false), "b.md", text(Some(R::Near), 90), S::NearDraft),
            (("", false), "b.md", text(None, 100), S::Passage),
            (NEW, "b.md", text(Some(R::Exact), 100), S::SameDraft),
            (OLD, "b.md", text(Some(R::Exact), 100), S::SamePage),
            (NEW, "b.md", text(Some(R::Near), 90), S::NearDraft),
            (OLD, "b.md", text(Some(R::Near), 90), S::NearPage),
            (NEW, "b.md", text(Some(R::Variant), 70), S::Passage),
            (OLD, "b.md", text(Some(R::Variant), 70), S::Variant),
            (NEW, "b.md", text(Some(R::Contains), 30), S::Passage),
            (OLD, "b.md", text(Some(R::Contains), 30), S::PartOfThis),
            (OLD, "b.md", text(Some(R::Contains), 90), S::Passage),
            (OLD, "b.md", text(Some(R::Template), 60), S::Template),
            (OLD, "b.md", text(Some(R::Short), 60), S::Short),
            (
                ("releases/2.0.md", true),
                "releases/2.1.md",
                text(Some(R::Near), 90),
                S::History,
            ),
            (OLD, "releases/2.1.md", text(None, 30), S::Passage),
            (("", false), "b.md", text(None, NOTED), S::Note),
            (NEW, "b.md", text(Some(R::Related), NOTED), S::Note),
            (NEW, "b.md", text(Some(R::Near), NOTED), S::NearDraft),
            (OLD, "b.md", text(None, NOTED), S::Passage),
            (NEW, SKILL, text(None, NOTED), S::Instructions),
            (OLD, "b.md", text(Some(R::Related), 30), S::Passage),
            // Nothing is merged with instructions, whatever the two are.
            (
                ("AGENTS.md", true),
                "b.md",
                text(Some(R::Exact), 100),
                S::Instructions,
            ),
            (
                ("docs/CLAUDE.md", false),
                "b.md",
                text(Some(R::Near), 90),
                S::Instructions,
            ),
            (OLD, SKILL, text(None, 30), S::Instructions),
            (OLD, "skills.md", text(None, 30), S::Passage),
            (OLD, "b.md", (None, 30, Kind::Code, 1), S::Code),
            (OLD, "b.md", (Some(R::Variant), 70, Kind::Code, 1), S::Code),
            (NEW, "b.md", (None, 30, Kind::Licence, 99), S::Licence),
            (OLD, "b.md", (None, 30, Kind::Text, MANY), S::Everywhere),
            (OLD, "b.md", (None, 30, Kind::Text, MANY - 1), S::Several),
            (NEW, "b.md", (None, 30, Kind::Text, MANY - 1), S::Passage),
        ] {
            let (name, is_there) = asked;
            let case = Case {
                asked: Asked { name, is_there },
                other,
                relation,
                percent,
                is_note: percent == NOTED,
                kind,
                pages,
            };
            let found = case.situation();
            assert_eq!(found, expected, "{asked:?} {other} {relation:?} {kind:?}");
        }
    }
}
