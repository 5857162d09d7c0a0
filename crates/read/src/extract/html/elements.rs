//! The elements of HTML: one table of their properties, which ones a start tag ends, which are blocks and of which kind, and
//! what the attributes of a tag mean for its element: hidden, of the site, or the main part of the page.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::extract::has_any_case;
use crate::extract::html::consent::asks_for_consent;
use crate::extract::html::tokens::Tag;
use dupfind_engine::text::blocks::BlockKind;

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
    /// No reader of the page sees its text. Readings of characters (`rt`) are between the characters of a word,
    /// so they are among these elements.
    pub(super) const UNSEEN: Self = Self(1 << 4);
    /// It belongs to the site and not to the article, or readers fill it in.
    pub(super) const AROUND: Self = Self(1 << 5);
    /// It is a table or a part of one: its end tag closes whatever is open in a cell.
    pub(crate) const TABLE: Self = Self(1 << 6);
    /// End tags in it close no element outside of it.
    pub(super) const SCOPE: Self = Self(1 << 7);

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
        (LINES, "address article aside blockquote center dd details dir div dl dt fieldset figcaption figure form h1 h2 h3 h4 \
            h5 h6 header hgroup li listing main menu ol p plaintext pre section summary ul xmp"),
        (LINES.and(P::TABLE).and(P::SCOPE), "table"),
        (BLOCK.and(P::TABLE), "tbody tfoot thead tr"),
        (BLOCK.and(P::TABLE).and(P::SCOPE), "caption td th"),
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

/// Roles of elements that belong to the site. An `alert` is not among them: manuals call their notes so.
const AROUND_ROLES: &str = "alertdialog banner complementary contentinfo dialog menu menubar navigation search \
                            tablist toolbar";

/// Classes and ids of such elements, in pages older than the elements of HTML 5, and in pages of WeChat, MediaWiki, WordPress and
/// Hexo. Only whole words count: `menu`, not `menu-of-the-day`.
const AROUND_WORDS: &str = "breadcrumb breadcrumbs footer masthead menu nav navbar navigation page-footer \
                            page-header pagination sidebar site-footer site-header site-nav skip-link toc topbar \
                            topnav rich_media_meta_list rich_media_tool weui-dialog weui-mask catlinks \
                            mw-editsection printfooter jp-relatedposts sharedaddy post-copyright";

/// Elements that no class and no id makes a part of the site: there the words name other parts of the page.
const NEVER_AROUND: [&[u8]; 4] = [b"article", b"body", b"html", b"main"];

/// Returns whether an element is one of these, by its name.
pub(super) fn is_never_around(name: Name) -> bool {
    NEVER_AROUND.iter().any(|never| Name::new(never) == name)
}

/// Parts of classes and ids of what is beside an article.
const BESIDE: [&str; 8] = [
    "comment",
    "footer",
    "newsletter",
    "related",
    "share",
    "sidebar",
    "social",
    "teaser",
];

/// Parts of classes and ids of text of the article, although they have one of [`BESIDE`], too.
const NOT_BESIDE: [&str; 8] = [
    "article",
    "body",
    "commentary",
    "content",
    "main",
    "shared-",
    "shared_",
    "shareholder",
];

/// Ids of the main part of pages that have no element for it.
const MAIN_IDS: &str = "content main main-content main_content maincontent page-content js_content";

/// The id of the article of a page of WeChat. A script shows it, however short it is.
const SHOWN_BY_SCRIPT: &str = "js_content";

/// Returns whether no reader ever sees the content of an element, by its start tag and its properties. A template with a shadow
/// root is shown.
pub(super) fn is_unseen(tag: &Tag, properties: Properties) -> bool {
    (properties.has(Properties::UNSEEN)
        && ["shadowrootmode", "shadowroot"]
            .iter()
            .all(|mode| tag.get(mode).is_none()))
        || (tag.name == b"dialog" && tag.get("open").is_none())
}

/// Classes of the numbers beside lines of code, by the programs that highlight it.
const LINE_NUMBERS: &str = "crayon-nums gutter hljs-ln-numbers line-number line-numbers lineno linenos ln lnt rouge-gutter";

/// Returns whether an element has the numbers of lines of code: a cell of a table, or a part of such a line.
pub(super) fn is_line_number(tag: &Tag, in_code: bool) -> bool {
    let is_place = tag.name == b"td" || (in_code && tag.name == b"span");
    is_place && has_word(tag, "class", LINE_NUMBERS)
}

/// Returns whether an element is hidden by its attributes, as long as no script shows it.
pub(super) fn is_hidden(tag: &Tag) -> bool {
    // A search in the page finds and shows `until-found`, and a reader opens another tab.
    let is_hidden = |value: &[u8]| value != b"until-found" && !has_value(tag, "role", "tabpanel");
    let has_mark = tag.get("hidden").is_some_and(is_hidden) || tag.get("style").is_some_and(hides);
    has_mark && !has_value(tag, "id", SHOWN_BY_SCRIPT)
}

/// Returns whether no reader sees the content of an element of SVG or MathML: names and descriptions, which are shown on
/// demand at most; definitions for use elsewhere; and a formula in a second language.
pub(super) fn is_unseen_of_foreign(tag: &Tag) -> bool {
    match tag.name.as_slice() {
        b"annotation" | b"clippath" | b"defs" | b"desc" | b"metadata" | b"symbol" | b"title" => {
            true
        }
        b"annotation-xml" => !has_value(tag, "encoding", "text/html application/xhtml+xml"),
        _ => false,
    }
}

/// Returns whether the text of an element of SVG is at a place of its own, as a label is.
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

/// Returns whether an element belongs to the site and not to the article, by its start tag, its properties, whether
/// it is within an article or any section, and whether it is within an article. An `aside` of an article is a note in
/// it, and any other is a sidebar.
pub(super) fn is_around(
    tag: &Tag,
    properties: Properties,
    in_section: bool,
    in_article: bool,
) -> bool {
    let name = tag.name.as_slice();
    let is_around = match name {
        b"header" => !in_section,
        b"aside" => !in_article,
        _ => properties.has(Properties::AROUND),
    };
    let says = |attribute, words| has_word(tag, attribute, words);
    is_around
        || says("role", AROUND_ROLES)
        || tag.get("aria-hidden") == Some(b"true")
        || tag.get("aria-modal") == Some(b"true")
        || (!NEVER_AROUND.contains(&name)
            && (says("class", AROUND_WORDS)
                || (says("id", AROUND_WORDS) && !is_titled(tag, in_section))
                || asks_for_consent(tag)))
}

/// Returns whether an element may be beside the article of a page that marks none, by its start tag.
pub(super) fn is_beside(tag: &Tag) -> bool {
    let of = |attribute: &str| str::from_utf8(tag.get(attribute).unwrap_or_default());
    let names = ["class", "id"].map(|name| of(name).unwrap_or_default());
    let has = |part: &&str| names.iter().any(|name| has_any_case(name, part));
    !NEVER_AROUND.contains(&tag.name.as_slice())
        // A paragraph that is called a teaser is the lead of the article.
        && !is_part(&tag.name)
        && BESIDE.iter().any(&has)
        && !NOT_BESIDE.iter().any(has)
}

/// Returns whether the id of an element is made of its title, which may be `Pagination`: that of a heading, of a section in
/// another one, or of what old programs write for a section.
fn is_titled(tag: &Tag, in_section: bool) -> bool {
    match tag.name.as_slice() {
        b"section" => in_section,
        [b'h', b'1'..=b'6'] => true,
        _ => has_word(tag, "class", "section"),
    }
}

/// Returns whether an element of this name is a paragraph or a heading.
pub(super) fn is_part(name: &[u8]) -> bool {
    matches!(name, b"p" | b"pre" | [b'h', b'1'..=b'6'])
}

/// Returns whether an element of this name is in a text and never all of it.
pub(super) fn is_in_text(name: &[u8]) -> bool {
    is_part(name) || matches!(name, b"blockquote" | b"details" | b"dl" | b"ol" | b"ul")
}

/// Returns whether the element of a start tag is the main part of its page.
pub(super) fn is_main(tag: &Tag) -> bool {
    says_main(tag) || has_value(tag, "id", MAIN_IDS)
}

/// Returns whether it is by its name or its role, so that nothing beside an article is in it.
pub(super) fn says_main(tag: &Tag) -> bool {
    tag.name == b"main" || has_value(tag, "role", "main")
}

/// Returns whether the value of an attribute is one of these words.
fn has_value(tag: &Tag, attribute: &str, words: &str) -> bool {
    is_one_of(words, tag.get(attribute).unwrap_or_default())
}

/// Returns whether one of the words of an attribute is one of these.
fn has_word(tag: &Tag, attribute: &str, words: &str) -> bool {
    tag.get(attribute).is_some_and(|value| {
        let mut own = value.split(u8::is_ascii_whitespace);
        own.any(|word| is_one_of(words, word))
    })
}

fn is_one_of(words: &str, value: &[u8]) -> bool {
    let mut words = words.split_ascii_whitespace();
    words.any(|word| word.as_bytes().eq_ignore_ascii_case(value))
}

/// Where in the blocks of a page an element is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BlockPlace {
    /// The kind of the text in it.
    pub(super) kind: BlockKind,
    /// Whether a block begins and ends with it.
    pub(super) is_block: bool,
    /// Whether it is in a row of a table, all cells of which are one block.
    pub(super) is_in_row: bool,
}

impl BlockPlace {
    /// Makes paragraphs of a part that was mistaken for a row of data.
    pub(super) fn leave_row(&mut self) {
        if std::mem::take(&mut self.is_in_row) {
            self.kind = BlockKind::Paragraph;
        }
    }
}

/// Returns whether an element is never in the cell of a table of data, so that the table lays out a page.
pub(super) fn ends_row(name: &[u8]) -> bool {
    matches!(
        name,
        b"h1" | b"h2" | b"h3" | b"table" | b"article" | b"main"
    )
}

/// Returns the place of an element, by its name and the place of the element around it.
pub(super) fn kind_of(name: &[u8], properties: Properties, above: BlockPlace) -> BlockPlace {
    use BlockKind::{Caption, Code, Heading, ListItem, Paragraph, Quotation, TableRow};
    let inherited = BlockPlace {
        is_block: false,
        ..above
    };
    if above.is_in_row && name != b"tr" {
        return inherited;
    }
    let kind = match name {
        b"tr" => TableRow,
        b"li" | b"dt" | b"dd" => ListItem,
        b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"title" => Heading,
        b"caption" | b"figcaption" => Caption,
        b"pre" | b"listing" | b"textarea" => Code,
        b"blockquote" => Quotation,
        b"td" | b"th" | b"br" | b"img" | b"input" | b"option" => return inherited,
        // A paragraph in an item or a quotation is of their kind.
        b"p" | b"div" => above.kind,
        b"ul" | b"ol" | b"table" | b"section" | b"article" | b"main" => Paragraph,
        _ if properties.has(Properties::SEPARATES) => above.kind,
        _ => return inherited,
    };
    BlockPlace {
        kind,
        is_block: true,
        is_in_row: name == b"tr",
    }
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
