//! The elements that stand in lines of their own, and what else follows from that.

/// An open paragraph ends before it.
const ENDS: u8 = 1;

/// Outlines of pages have it.
const OUTLINED: u8 = 2;

/// Elements that stand in a line of their own, or in a cell.
const BLOCKS: &[(&[u8], u8)] = &[
    (b"address", ENDS | OUTLINED),
    (b"article", ENDS | OUTLINED),
    (b"aside", ENDS),
    (b"blockquote", ENDS | OUTLINED),
    (b"body", 0),
    (b"br", 0),
    (b"button", 0),
    (b"caption", OUTLINED),
    (b"center", ENDS | OUTLINED),
    (b"dd", ENDS | OUTLINED),
    (b"details", ENDS | OUTLINED),
    (b"dialog", ENDS),
    (b"dir", ENDS),
    (b"div", ENDS | OUTLINED),
    (b"dl", ENDS | OUTLINED),
    (b"dt", ENDS | OUTLINED),
    (b"fieldset", ENDS),
    (b"figcaption", ENDS | OUTLINED),
    (b"figure", ENDS | OUTLINED),
    (b"footer", ENDS),
    (b"form", ENDS),
    (b"frame", 0),
    (b"frameset", 0),
    (b"h1", ENDS),
    (b"h2", ENDS | OUTLINED),
    (b"h3", ENDS | OUTLINED),
    (b"h4", ENDS | OUTLINED),
    (b"h5", ENDS | OUTLINED),
    (b"h6", ENDS | OUTLINED),
    (b"head", 0),
    (b"header", ENDS | OUTLINED),
    (b"hgroup", ENDS | OUTLINED),
    (b"hr", ENDS),
    (b"html", 0),
    (b"iframe", 0),
    (b"img", 0),
    (b"input", 0),
    (b"legend", 0),
    (b"li", ENDS | OUTLINED),
    (b"listing", ENDS),
    (b"main", ENDS | OUTLINED),
    (b"menu", ENDS),
    (b"nav", ENDS),
    (b"ol", ENDS | OUTLINED),
    (b"optgroup", 0),
    (b"option", 0),
    (b"p", ENDS | OUTLINED),
    (b"plaintext", ENDS),
    (b"pre", ENDS | OUTLINED),
    (b"search", ENDS),
    (b"section", ENDS | OUTLINED),
    (b"select", 0),
    (b"summary", ENDS | OUTLINED),
    (b"table", ENDS | OUTLINED),
    (b"tbody", OUTLINED),
    (b"td", OUTLINED),
    (b"textarea", 0),
    (b"tfoot", OUTLINED),
    (b"th", OUTLINED),
    (b"thead", OUTLINED),
    (b"title", 0),
    (b"tr", OUTLINED),
    (b"ul", ENDS | OUTLINED),
    (b"video", 0),
    (b"xmp", ENDS),
];

/// Takes the name of an element and returns what is true of it; nothing of one that is no block.
fn of(name: &[u8]) -> Option<u8> {
    let place = BLOCKS.binary_search_by_key(&name, |&(block, _)| block);
    place.ok().map(|place| BLOCKS[place].1)
}

/// Takes the name of an element and says whether it separates what is before, in and after it.
pub(crate) fn is_block(name: &[u8]) -> bool {
    of(name).is_some()
}

/// Takes the name of an element and says whether an open paragraph ends before it.
pub(super) fn ends_paragraph(name: &[u8]) -> bool {
    of(name).is_some_and(|block| block & ENDS > 0)
}

/// Takes the name of an element and says whether it is one of those that tell where in a page an article is.
/// Formatting does not.
pub(super) fn is_outlined(name: &[u8]) -> bool {
    of(name).is_some_and(|block| block & OUTLINED > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_sorted() {
        assert!(BLOCKS.is_sorted_by_key(|&(name, _)| name));
        for (name, expected) in [
            ("p", (true, true, true)),
            ("aside", (true, true, false)),
            ("td", (true, false, true)),
            ("br", (true, false, false)),
            ("a", (false, false, false)),
        ] {
            let name = name.as_bytes();
            let found = (is_block(name), ends_paragraph(name), is_outlined(name));
            assert_eq!(found, expected, "{name:?}");
        }
    }
}
