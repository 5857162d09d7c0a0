//! The findings about one page, as an editor shows them.

use std::path::Path;

use dupfind_decide::elsewhere::{Elsewhere, Place, SharedPassage};
use dupfind_engine::verdict::Relation;
use dupfind_report::listings::elsewhere::{advice, verdict};
use dupfind_report::say;
use serde_json::{Value, json};

use crate::commands::lsp::position::{Encoding, Position, Range};
use crate::commands::lsp::uri_of;

/// The page of the guide that explains the codes of diagnostics.
const RELATIONS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/relations.md");

/// The most diagnostics of a page.
const MAX_FOUND: usize = 100;

/// The most other pages that one diagnostic names.
const MAX_TWINS: usize = 5;

/// The most pages that a hover names.
const MAX_NAMED: usize = 5;

/// A stretch of a page that is elsewhere too.
pub(super) struct Found {
    pub(super) range: Range,
    /// The other pages with the stretch, the closest one first.
    pub(super) twins: Vec<(Place, SharedPassage)>,
}

/// Returns the stretches of a page that are elsewhere too. Without lines in its format there is one, at its first line.
pub(super) fn found(
    elsewhere: &Elsewhere,
    text: &str,
    has_lines: bool,
    encoding: Encoding,
) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    let is_told = |place: &&Place| {
        let relation = place.pair.map(|pair| pair.relation());
        !matches!(relation, Some(Relation::Template | Relation::Short))
    };
    for place in elsewhere.places.iter().filter(is_told) {
        for passage in &place.passages {
            let lines = if has_lines { passage.mine } else { (1, 1) };
            let range = encoding.lines(text, lines);
            let twin = (place.clone(), passage.clone());
            let has_room = all.len() < MAX_FOUND;
            match all.iter_mut().find(|found| found.range == range) {
                Some(found) if found.twins.len() < MAX_TWINS => found.twins.push(twin),
                None if has_room => all.push(Found {
                    range,
                    twins: vec![twin],
                }),
                _ => {}
            }
        }
    }
    all.sort_by_key(|found| found.range.start);
    all
}

impl Found {
    /// Returns the diagnostic. `root` is the folder of the pages.
    pub(super) fn diagnostic(&self, root: &Path) -> Value {
        let place = &self.twins[0].0;
        let severity = match place.pair.map(|pair| pair.relation()) {
            Some(Relation::Exact | Relation::Near | Relation::Contains) => 2,
            _ => 3,
        };
        let (page, share) = (&place.page, place.share.percent());
        let message = match place.pair {
            Some(_) => say!("{} % of this page is in {}. {}", share, page, advice(place)),
            None => say!("This is also in {}. {}", page, advice(place)),
        };
        let related = self.twins.iter().map(|(place, passage)| {
            json!({
                "location": {"uri": uri_of(&root.join(&place.page)), "range": there(passage)},
                "message": place.title.as_ref().unwrap_or(&place.page),
            })
        });
        json!({
            "range": self.range,
            "severity": severity,
            "code": verdict(place),
            "codeDescription": {"href": RELATIONS},
            "source": "dupfind",
            "message": message,
            "relatedInformation": related.collect::<Vec<_>>(),
        })
    }
}

/// Returns where a passage is in the other page.
pub(super) fn there(passage: &SharedPassage) -> Range {
    let at = |line| Position { line, character: 0 };
    Range {
        start: at(passage.its.0 - 1),
        end: at(passage.its.1),
    }
}

/// Returns how much of a page is elsewhere, in Markdown; nothing if nothing is.
pub(super) fn summary(elsewhere: &Elsewhere) -> Option<String> {
    let first = elsewhere.places.first()?;
    let share = elsewhere.share.percent().max(first.share.percent());
    let mut lines = vec![
        say!("{} % of this page is written elsewhere, too:", share),
        String::new(),
    ];
    for place in elsewhere.places.iter().take(MAX_NAMED) {
        lines.push(format!(
            "* `{}`: {} ({})",
            place.page,
            place.share,
            verdict(place)
        ));
    }
    Some(lines.join("\n"))
}
