//! Places in a text as a browser counts them: in UTF-16 code units.

/// The count is kept at every multiple of this many bytes.
const STEP: usize = 128;

/// A text with the data for turning places in bytes into UTF-16 code units.
#[derive(Debug)]
pub(super) struct Offsets<'t> {
    text: &'t str,
    /// A place at each multiple of [`STEP`] bytes, or as near behind it as a character begins: in bytes,
    /// and in code units.
    kept: Vec<(usize, usize)>,
}

impl<'t> Offsets<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut kept = Vec::with_capacity(text.len() / STEP + 1);
        let mut units = 0;
        let mut next = 0;
        for (at, c) in text.char_indices() {
            if at >= next {
                kept.push((at, units));
                next = at - at % STEP + STEP;
            }
            units += c.len_utf16();
        }
        Self { text, kept }
    }

    /// Returns a place between two characters, given in bytes, in code units.
    pub(super) fn of(&self, place: usize) -> usize {
        let before = self.kept.partition_point(|&(at, _)| at <= place);
        let (at, units) = match before {
            0 => (0, 0),
            _ => self.kept[before - 1],
        };
        let rest = self.text[at..place].chars().map(char::len_utf16);
        units + rest.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_as_the_browser_does(text in "[a中😀é]{0,400}") {
            let offsets = Offsets::new(&text);
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                prop_assert_eq!(offsets.of(at), text[..at].encode_utf16().count());
            }
        }
    }
}
