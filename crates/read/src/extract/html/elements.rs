//! The elements of HTML: one table of their properties, and which ones a start tag ends.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Properties of an element, as a set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Properties(u16);

impl Properties {
    /// It separates the texts before, in and after it: it is on lines of its own, or in a cell.
    pub(crate) const SEPARATES: Self = Self(1);
    /// It has no content and no end tag.
    pub(crate) const VOID: Self = Self(1 << 1);
    /// SVG and MathML have no such element: where it begins in one of them, an end tag was forgotten.
    pub(super) const HTML_ONLY: Self = Self(1 << 2);
    /// Its start tag ends an open paragraph.
    pub(super) const ENDS_PARAGRAPH: Self = Self(1 << 3);
    /// It is kept in the outline of a page, since it helps to find the article.
    pub(super) const IN_OUTLINE: Self = Self(1 << 4);
    /// No reader of the page sees its text. Readings of characters (`rt`) are between the characters of a word,
    /// so they are among these elements.
    pub(super) const UNSEEN: Self = Self(1 << 5);
    /// It belongs to the site and not to the article, or readers fill it in.
    pub(super) const AROUND: Self = Self(1 << 6);
    /// It is a table or a part of one: its end tag closes whatever is open in a cell.
    pub(crate) const TABLE: Self = Self(1 << 7);
    /// End tags in it close no element outside of it.
    pub(super) const SCOPE: Self = Self(1 << 8);

    /// Returns whether all of these properties are there.
    pub(crate) fn has(self, properties: Self) -> bool {
        self.0 & properties.0 == properties.0
    }

    const fn and(self, more: Self) -> Self {
        Self(self.0 | more.0)
    }
}

/// All elements that have a property. Each name is in one row.
#[rustfmt::skip]
const ELEMENTS: &[(Properties, &str)] = {
    use Properties as P;
    const BLOCK: P = P::SEPARATES.and(P::HTML_ONLY);
    const LINES: P = BLOCK.and(P::ENDS_PARAGRAPH);
    &[
        (LINES.and(P::IN_OUTLINE), "address article blockquote center dd details div dl dt figcaption figure h2 h3 h4 \
            h5 h6 header hgroup li main ol p pre section summary ul"),
        (LINES.and(P::IN_OUTLINE).and(P::TABLE).and(P::SCOPE), "table"),
        (BLOCK.and(P::IN_OUTLINE).and(P::TABLE), "tbody tfoot thead tr"),
        (BLOCK.and(P::IN_OUTLINE).and(P::TABLE).and(P::SCOPE), "caption td th"),
        (LINES, "aside dir fieldset form h1 listing menu plaintext xmp"),
        (LINES.and(P::AROUND), "dialog footer nav search"),
        (LINES.and(P::VOID), "hr"),
        (BLOCK, "body frameset head html legend optgroup option"),
        (BLOCK.and(P::AROUND), "button select textarea"),
        (BLOCK.and(P::VOID), "br frame img input"),
        (P::SEPARATES, "title"),
        (P::SEPARATES.and(P::UNSEEN), "iframe video"),
        (P::HTML_ONLY, "b code em i ruby small span strong u"),
        (P::VOID, "area base basefont bgsound col embed keygen link meta param source track wbr"),
        (P::UNSEEN, "audio canvas datalist noembed noframes noscript rp rt rtc script style"),
        (P::UNSEEN.and(P::SCOPE), "template"),
        (P::SCOPE, "foreignobject object"),
    ]
};

/// Elements that end where another one begins, since their end tags may be left out: the names of those that begin, of
/// those that end, and of those that bound the search. An `li` ends an `li`, but not the one around its list.
const ENDINGS: [(&str, &str, &str); 8] = [
    ("li", "li", "ul ol menu dir table td"),
    ("dt dd", "dt dd", "dl table td"),
    ("td th", "td th", "tr table template html"),
    ("tr", "tr caption", "table template html"),
    (
        "tbody thead tfoot",
        "tbody thead tfoot caption",
        "table template html",
    ),
    ("option optgroup", "option", "select datalist"),
    ("rt rp", "rt rp", "ruby"),
    ("body", "head", ""),
];

/// The same for the elements that end a paragraph.
static PARAGRAPHS: LazyLock<Ending> =
    LazyLock::new(|| Ending::of("p", "table td th caption button object template"));

static TABLE: LazyLock<HashMap<&[u8], Properties>> = LazyLock::new(|| {
    let rows = ELEMENTS.iter().flat_map(|&(properties, names)| {
        let names = names.split_ascii_whitespace();
        names.map(move |name| (name.as_bytes(), properties))
    });
    rows.collect()
});

static ENDED_BY: LazyLock<HashMap<&[u8], Ending>> = LazyLock::new(|| {
    let rows = ENDINGS.iter().flat_map(|&(begun, ended, within)| {
        let begun = begun.split(' ');
        begun.map(move |name| (name.as_bytes(), Ending::of(ended, within)))
    });
    rows.collect()
});

/// The name of an element, packed: its first 16 bytes, which is all that names of the standard have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Name(u128);

impl Name {
    /// Packs a name in lower case.
    pub(super) const fn new(bytes: &[u8]) -> Self {
        let mut packed = 0;
        let mut at = 0;
        while at < bytes.len() && at < 16 {
            packed = packed << 8 | bytes[at] as u128;
            at += 1;
        }
        Self(packed)
    }

    /// Returns a number below `of` that is the same for the same name, to count names by.
    pub(super) fn bucket(self, of: usize) -> usize {
        let mixed = (self.0 ^ self.0 >> 64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let [.., byte, _, _, _, _, _, _, _, _] = mixed.to_le_bytes();
        usize::from(byte) % of
    }
}

/// HTML within SVG.
pub(super) const FOREIGN_OBJECT: Name = Name::new(b"foreignobject");

/// Which open elements a start tag ends.
pub(super) struct Ending {
    pub(super) ended: Vec<Name>,
    /// The elements that bound the search.
    pub(super) within: Vec<Name>,
}

impl Ending {
    fn of(ended: &str, within: &str) -> Self {
        let names = |words: &str| {
            let words = words.split_ascii_whitespace();
            words.map(|word| Name::new(word.as_bytes())).collect()
        };
        Self {
            ended: names(ended),
            within: names(within),
        }
    }
}

/// Returns the properties of an element, by its name in lower case. An unknown one has none.
pub(crate) fn properties(name: &[u8]) -> Properties {
    TABLE.get(name).copied().unwrap_or_default()
}

/// Returns the elements that the start tag of an element with these properties ends, one after the other: an item ends
/// an item, and then a paragraph.
pub(super) fn ended_by(
    name: &[u8],
    properties: Properties,
) -> impl Iterator<Item = &'static Ending> {
    let ends_paragraph = properties.has(Properties::ENDS_PARAGRAPH);
    let paragraph = ends_paragraph.then(|| &*PARAGRAPHS);
    ENDED_BY.get(name).into_iter().chain(paragraph)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_is_in_one_row() {
        let names = ELEMENTS.iter().map(|(_, names)| names.split(' ').count());
        assert_eq!(TABLE.len(), names.sum::<usize>());
        let td = Properties::SEPARATES
            .and(Properties::TABLE)
            .and(Properties::SCOPE);
        assert!(properties(b"td").has(td) && !properties(b"tr").has(td));
        assert_eq!(properties(b"a"), Properties::default());
    }
}
