//! Which elements end by what begins behind them: their end tags may be left out.

use crate::extract::html::elements::Name;

/// Elements before which an open paragraph ends.
const END_PARAGRAPHS: &[&[u8]] = &[
    b"address",
    b"article",
    b"aside",
    b"blockquote",
    b"center",
    b"dd",
    b"details",
    b"dialog",
    b"dir",
    b"div",
    b"dl",
    b"dt",
    b"fieldset",
    b"figcaption",
    b"figure",
    b"footer",
    b"form",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"header",
    b"hgroup",
    b"hr",
    b"li",
    b"listing",
    b"main",
    b"menu",
    b"nav",
    b"ol",
    b"p",
    b"plaintext",
    b"pre",
    b"search",
    b"section",
    b"summary",
    b"table",
    b"ul",
    b"xmp",
];

/// Elements that end others whose own end tags may be left out, and within what: `li` ends an `li`, but not the
/// one that the list is in.
struct Ending {
    before: &'static [&'static [u8]],
    ended: &'static [Name],
    within: &'static [Name],
}

const fn n(name: &str) -> Name {
    Name::new(name.as_bytes())
}

static ENDINGS: [Ending; 9] = [
    Ending {
        before: &[b"li"],
        ended: &[n("li")],
        within: &[n("ul"), n("ol"), n("menu"), n("dir"), n("table"), n("td")],
    },
    Ending {
        before: &[b"dt", b"dd"],
        ended: &[n("dt"), n("dd")],
        within: &[n("dl"), n("table"), n("td")],
    },
    Ending {
        before: &[b"td", b"th"],
        ended: &[n("td"), n("th")],
        within: &[n("tr"), n("table"), n("template"), n("html")],
    },
    Ending {
        before: &[b"tr"],
        ended: &[n("tr"), n("caption")],
        within: &[n("table"), n("template"), n("html")],
    },
    Ending {
        before: &[b"tbody", b"thead", b"tfoot"],
        ended: &[n("tbody"), n("thead"), n("tfoot"), n("caption")],
        within: &[n("table"), n("template"), n("html")],
    },
    Ending {
        before: &[b"option", b"optgroup"],
        ended: &[n("option")],
        within: &[n("select"), n("datalist")],
    },
    Ending {
        before: &[b"rt", b"rp"],
        ended: &[n("rt"), n("rp")],
        within: &[n("ruby")],
    },
    Ending {
        before: &[b"body"],
        ended: &[n("head")],
        within: &[],
    },
    Ending {
        before: END_PARAGRAPHS,
        ended: &[n("p")],
        within: &[
            n("table"),
            n("td"),
            n("th"),
            n("caption"),
            n("button"),
            n("object"),
            n("template"),
        ],
    },
];

/// Takes the name of an element that begins; returns which open elements that ends, and what they are only
/// searched within, for one kind of elements after the other: an item ends an item, and a paragraph.
pub(super) fn ended_by(name: &[u8]) -> impl Iterator<Item = (&'static [Name], &'static [Name])> {
    let endings = ENDINGS.iter();
    let endings = endings.filter(move |ending| ending.before.contains(&name));
    endings.map(|ending| (ending.ended, ending.within))
}
