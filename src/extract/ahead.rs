//! What closes a construct, found without reading the rest of a document once for each that opens one.

/// The next place of a pattern. Asked for places that only grow, it reads a text once.
#[derive(Debug)]
pub(super) struct Ahead {
    pattern: &'static str,
    /// The first place from where it was last looked for, if there is one.
    found: Option<usize>,
    looked_from: Option<usize>,
}

impl Ahead {
    pub(super) fn of(pattern: &'static str) -> Self {
        Self {
            pattern,
            found: None,
            looked_from: None,
        }
    }

    /// Takes a text, always the same, and a place in it. Returns where the pattern begins next.
    pub(super) fn from(&mut self, text: &str, at: usize) -> Option<usize> {
        let is_known = self.looked_from.is_some_and(|from| from <= at)
            && self.found.is_none_or(|found| found >= at);
        if !is_known {
            self.found = text[at..].find(self.pattern).map(|found| at + found);
            self.looked_from = Some(at);
        }
        self.found
    }

    /// As [`Self::from`], behind the pattern.
    pub(super) fn behind(&mut self, text: &str, at: usize) -> Option<usize> {
        self.from(text, at).map(|found| found + self.pattern.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_place_is_found() {
        let mut ahead = Ahead::of("%}");
        let text = "%} a %} b";
        for (at, found) in [
            (0, Some(0)),
            (1, Some(5)),
            (3, Some(5)),
            (6, None),
            (7, None),
            (0, Some(0)),
        ] {
            assert_eq!(ahead.from(text, at), found, "{at}");
        }
        assert_eq!(ahead.behind(text, 3), Some(7));
    }
}
