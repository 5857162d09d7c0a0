//! What the elements of a page are: which nobody sees, which belong to the site.

use crate::read::extract::html::blocks::is_block;
use crate::read::extract::html::tokens::Tag;

/// The name of an element: its first 16 bytes, which is all that names of the standard have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name(u128);

impl Name {
    /// Takes a name in lower case.
    pub(super) const fn new(bytes: &[u8]) -> Self {
        let mut packed = 0;
        let mut at = 0;
        while at < bytes.len() && at < 16 {
            packed = packed << 8 | bytes[at] as u128;
            at += 1;
        }
        Self(packed)
    }

    /// A number below `of` that is the same for the same name, to count names by.
    pub(super) fn bucket(self, of: usize) -> usize {
        let mixed = (self.0 ^ self.0 >> 64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let [.., byte, _, _, _, _, _, _, _, _] = mixed.to_le_bytes();
        usize::from(byte) % of
    }
}

/// Elements that have no content.
const VOID: &[&[u8]] = &[
    b"area",
    b"base",
    b"basefont",
    b"bgsound",
    b"br",
    b"col",
    b"embed",
    b"frame",
    b"hr",
    b"img",
    b"input",
    b"keygen",
    b"link",
    b"meta",
    b"param",
    b"source",
    b"track",
    b"wbr",
];

/// Elements whose text no reader of the page sees. Readings of characters (`rt`) stand between the characters
/// of a word, so they are left out as well.
const UNSEEN: &[&[u8]] = &[
    b"audio",
    b"canvas",
    b"datalist",
    b"iframe",
    b"noembed",
    b"noframes",
    b"noscript",
    b"rp",
    b"rt",
    b"rtc",
    b"script",
    b"style",
    b"template",
    b"video",
];

/// Elements around an article, and what readers fill in.
const AROUND: &[&[u8]] = &[
    b"button",
    b"dialog",
    b"footer",
    b"nav",
    b"search",
    b"select",
    b"textarea",
];

/// Roles that say the same of any other element. An `alert` is none of them: manuals call their notes so.
const AROUND_ROLES: &[&str] = &[
    "alertdialog",
    "banner",
    "complementary",
    "contentinfo",
    "dialog",
    "menu",
    "menubar",
    "navigation",
    "search",
    "tablist",
    "toolbar",
];

/// Classes and ids that say so in pages older than these elements. Only whole words count: `menu`, not
/// `menu-of-the-day`.
const AROUND_WORDS: &[&str] = &[
    "breadcrumb",
    "breadcrumbs",
    "footer",
    "masthead",
    "menu",
    "nav",
    "navbar",
    "navigation",
    "page-footer",
    "page-header",
    "pagination",
    "sidebar",
    "site-footer",
    "site-header",
    "site-nav",
    "skip-link",
    "toc",
    "topbar",
    "topnav",
];

/// Elements that such a word does not make a part of the site: it says what else is on the page.
const NEVER_AROUND: &[&[u8]] = &[b"article", b"body", b"html", b"main"];

/// Takes the name of an element and says whether it has no content.
pub(crate) fn is_void(name: &[u8]) -> bool {
    VOID.contains(&name)
}

/// Takes the name of an element and says whether SVG and MathML end before it: it is text, and somebody forgot
/// an end tag.
pub(super) fn ends_foreign(name: &[u8]) -> bool {
    const INLINE: [&[u8]; 9] = [
        b"b", b"code", b"em", b"i", b"ruby", b"small", b"span", b"strong", b"u",
    ];
    let is_of_both = matches!(name, b"title" | b"video" | b"iframe");
    (is_block(name) && !is_of_both) || INLINE.contains(&name)
}

/// Takes a start tag and says whether no reader sees what is in it.
pub(super) fn is_unseen(tag: &Tag) -> bool {
    let name = tag.name.as_slice();
    // Found by a search in the page, and shown then.
    let is_hidden = || {
        tag.get("hidden")
            .is_some_and(|value| value != b"until-found")
    };
    let is_styled_away = || tag.get("style").is_some_and(hides);
    UNSEEN.binary_search(&name).is_ok()
        || (name == b"dialog" && tag.get("open").is_none())
        || is_hidden()
        || is_styled_away()
}

/// Takes a start tag within SVG or MathML and says whether no reader sees what is in it: names and descriptions, which
/// are shown on demand at most and say on every page again what an icon is, what is defined to be used elsewhere, and
/// what a formula is in another language, which says the same again.
pub(super) fn is_unseen_of_foreign(tag: &Tag) -> bool {
    let is_html = || {
        let encoding = tag.get("encoding").unwrap_or_default();
        [&b"text/html"[..], b"application/xhtml+xml"]
            .iter()
            .any(|html| encoding.eq_ignore_ascii_case(html))
    };
    match tag.name.as_slice() {
        b"annotation" | b"clippath" | b"defs" | b"desc" | b"metadata" | b"symbol" | b"title" => {
            true
        }
        b"annotation-xml" => !is_html(),
        _ => false,
    }
}

/// Takes a start tag within SVG and says whether its text stands at a place of its own, as a label does.
pub(super) fn is_label(tag: &Tag) -> bool {
    let name = tag.name.as_slice();
    name == b"text" || (name == b"tspan" && tag.get("x").is_some())
}

/// Whether declarations of style hide an element.
fn hides(style: &[u8]) -> bool {
    let style: Vec<u8> = style
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(u8::to_ascii_lowercase)
        .collect();
    style.split(|&byte| byte == b';').any(|declaration| {
        [&b"display:none"[..], b"visibility:hidden"]
            .iter()
            .any(|hidden| declaration.starts_with(hidden))
    })
}

/// Takes a start tag, whether it is within an article or any section, and whether it is within an article; says
/// whether what is in it belongs to the site rather than to the article. An `aside` of an article is a note in it, and
/// any other a sidebar.
pub(super) fn is_around(tag: &Tag, in_section: bool, in_article: bool) -> bool {
    let name = tag.name.as_slice();
    let is_around = match name {
        b"header" => !in_section,
        b"aside" => !in_article,
        _ => AROUND.binary_search(&name).is_ok(),
    };
    if is_around {
        return true;
    }
    let says = |attribute: &str, words: &[&str]| {
        tag.get(attribute).is_some_and(|value| {
            let mut said = value.split(u8::is_ascii_whitespace);
            said.any(|said| {
                words
                    .iter()
                    .any(|w| said.eq_ignore_ascii_case(w.as_bytes()))
            })
        })
    };
    if says("role", AROUND_ROLES) || tag.get("aria-hidden") == Some(b"true") {
        return true;
    }
    !NEVER_AROUND.contains(&name) && (says("class", AROUND_WORDS) || says("id", AROUND_WORDS))
}

/// Ids of the main part of pages that have no element for it.
const MAIN_IDS: &[&str] = &[
    "content",
    "main",
    "main-content",
    "main_content",
    "maincontent",
    "page-content",
];

/// Takes a start tag and says whether what is in it is the main part of its page.
pub(super) fn is_main(tag: &Tag) -> bool {
    let has = |attribute: &str, words: &[&str]| {
        let value = tag.get(attribute).unwrap_or_default();
        words
            .iter()
            .any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
    };
    tag.name.as_slice() == b"main" || has("role", &["main"]) || has("id", MAIN_IDS)
}

/// HTML within SVG.
pub(super) const FOREIGN_OBJECT: Name = Name::new(b"foreignobject");

/// Whether an end tag for something else stops at this element: what is open in a cell is closed in the cell.
pub(super) fn is_scope(name: Name) -> bool {
    const SCOPES: [Name; 7] = [
        FOREIGN_OBJECT,
        Name::new(b"td"),
        Name::new(b"th"),
        Name::new(b"caption"),
        Name::new(b"table"),
        Name::new(b"template"),
        Name::new(b"object"),
    ];
    SCOPES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_searched_are_sorted() {
        for list in [UNSEEN, AROUND] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }

    #[test]
    fn styles_that_hide() {
        for (style, is_hidden) in [
            ("display:none", true),
            ("color: red; Display : None !important", true),
            ("visibility: hidden", true),
            ("display: block", false),
            ("--display: none", false),
            ("", false),
        ] {
            assert_eq!(hides(style.as_bytes()), is_hidden, "{style}");
        }
    }
}
