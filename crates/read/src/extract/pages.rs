//! Where a passage is: on which lines of its text, or on which pages of its file.

use crate::format::Format;

/// The lines or pages of a passage: the first and the last one, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Lines of the text.
    Lines(usize, usize),
    /// Pages of the file.
    Pages(usize, usize),
}

impl Extent {
    /// Returns the extent from the first to the last of two passages of one document.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        match (self, other) {
            (Self::Pages(a, b), Self::Pages(c, d)) => Self::Pages(a.min(c), b.max(d)),
            (Self::Lines(a, b) | Self::Pages(a, b), Self::Lines(c, d) | Self::Pages(c, d)) => {
                Self::Lines(a.min(c), b.max(d))
            }
        }
    }
}

/// The places in a text where its pages begin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageBreaks {
    /// The first line of each page but the first.
    lines: Box<[usize]>,
}

impl PageBreaks {
    /// Returns the breaks in the text of a document. The text of a PDF, or of a program of the user, has some if it has
    /// form feeds, which are before each page but the first.
    pub fn of(text: &str, format: Format) -> Self {
        let mut lines = Vec::new();
        if matches!(format, Format::Pdf | Format::Pre) {
            let mut line = 1;
            for at in memchr::memchr2_iter(b'\n', b'\x0c', text.as_bytes()) {
                match text.as_bytes()[at] {
                    b'\n' => line += 1,
                    _ => lines.push(line),
                }
            }
        }
        Self {
            lines: lines.into(),
        }
    }

    /// Returns the first and the last page, from 1, that some lines are on; `None` if the text has no pages.
    pub fn pages(&self, (first, last): (usize, usize)) -> Option<(usize, usize)> {
        let page = |line| 1 + self.lines.partition_point(|&start| start <= line);
        (!self.lines.is_empty()).then(|| (page(first), page(last)))
    }

    /// Returns the pages that some lines are on; the lines if the text has no pages.
    pub fn extent(&self, lines: (usize, usize)) -> Extent {
        match self.pages(lines) {
            Some((first, last)) => Extent::Pages(first, last),
            None => Extent::Lines(lines.0, lines.1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::pages::Extent::{Lines, Pages};

    #[test]
    fn a_form_feed_begins_a_page() {
        let text = "one\ntwo\n\x0c\x0cthree\nfour\n\x0c";
        for (format, lines, expected) in [
            (Format::Pdf, (1, 2), Pages(1, 1)),
            (Format::Pdf, (2, 3), Pages(1, 3)),
            (Format::Pdf, (4, 4), Pages(3, 3)),
            (Format::Pre, (3, 4), Pages(3, 3)),
            (Format::Text, (3, 4), Lines(3, 4)),
            (Format::Docx, (4, 4), Lines(4, 4)),
        ] {
            let extent = PageBreaks::of(text, format).extent(lines);
            assert_eq!(extent, expected, "{lines:?} of {format:?}");
        }
        let without = PageBreaks::of("one\ntwo\n", Format::Pdf);
        assert_eq!(without.extent((1, 2)), Lines(1, 2));
    }

    #[test]
    fn two_passages_are_from_the_first_to_the_last() {
        assert_eq!(Pages(3, 3).to(Pages(1, 2)), Pages(1, 3));
        assert_eq!(Lines(1, 5).to(Lines(3, 4)), Lines(1, 5));
    }
}
