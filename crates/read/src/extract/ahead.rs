//! Searches ahead for the end of a construct, without reading the rest of a document again for each construct.

/// Finds the next place of a pattern. It reads a text once if the places only grow.
#[derive(Debug)]
pub(super) struct Ahead {
    pattern: &'static str,
    /// Whether a place of the pattern counts. To read the text once, it looks no further than the next such place or
    /// the last one.
    counts: fn(&str, usize) -> bool,
    /// The first place from where it was last looked for, if there is one.
    found: Option<usize>,
    looked_from: Option<usize>,
}

impl Ahead {
    pub(super) fn of(pattern: &'static str) -> Self {
        Self::where_it(pattern, |_, _| true)
    }

    /// Looks for the places of a pattern that count. `counts` is called with the text and a place.
    pub(super) fn where_it(pattern: &'static str, counts: fn(&str, usize) -> bool) -> Self {
        Self {
            pattern,
            counts,
            found: None,
            looked_from: None,
        }
    }

    /// Looks for the ends of lines before a blank line. A paragraph ends there, and most constructs with it.
    pub(super) fn of_blank_line() -> Self {
        Self::where_it("\n", |text, at| {
            let behind = text[at + 1..].trim_start_matches([' ', '\t', '\r']);
            behind.starts_with('\n')
        })
    }

    /// Returns where the pattern begins next, from a place on. The text has to be the same in all calls.
    pub(super) fn from(&mut self, text: &str, at: usize) -> Option<usize> {
        let is_known = self.looked_from.is_some_and(|from| from <= at)
            && self.found.is_none_or(|found| found >= at);
        if !is_known {
            let mut places = text[at..].match_indices(self.pattern);
            let place = places.find(|&(found, _)| (self.counts)(text, at + found));
            self.found = place.map(|(found, _)| at + found);
            self.looked_from = Some(at);
        }
        self.found
    }

    /// Returns the same place, behind the pattern.
    pub(super) fn behind(&mut self, text: &str, at: usize) -> Option<usize> {
        self.from(text, at).map(|found| found + self.pattern.len())
    }
}

#[cfg(test)]
mod tests;
