//! Which elements end by what begins behind them: their end tags may be left out.

use crate::read::extract::html::blocks::ends_paragraph;
use crate::read::extract::html::elements::Name;

/// Which open elements end, and what they are only searched within: an `li` ends an `li`, but not the one that the
/// list is in.
pub(super) struct Ending {
    pub(super) ended: &'static [Name],
    pub(super) within: &'static [Name],
}

const fn n(name: &str) -> Name {
    Name::new(name.as_bytes())
}

static ITEMS: Ending = Ending {
    ended: &[n("li")],
    within: &[n("ul"), n("ol"), n("menu"), n("dir"), n("table"), n("td")],
};

static TERMS: Ending = Ending {
    ended: &[n("dt"), n("dd")],
    within: &[n("dl"), n("table"), n("td")],
};

static CELLS: Ending = Ending {
    ended: &[n("td"), n("th")],
    within: &[n("tr"), n("table"), n("template"), n("html")],
};

static ROWS: Ending = Ending {
    ended: &[n("tr"), n("caption")],
    within: &[n("table"), n("template"), n("html")],
};

static PARTS_OF_TABLES: Ending = Ending {
    ended: &[n("tbody"), n("thead"), n("tfoot"), n("caption")],
    within: &[n("table"), n("template"), n("html")],
};

static OPTIONS: Ending = Ending {
    ended: &[n("option")],
    within: &[n("select"), n("datalist")],
};

static READINGS: Ending = Ending {
    ended: &[n("rt"), n("rp")],
    within: &[n("ruby")],
};

static HEAD: Ending = Ending {
    ended: &[n("head")],
    within: &[],
};

static PARAGRAPHS: Ending = Ending {
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
};

/// Takes the name of an element that begins; returns what that ends, one after the other: an item ends an item, and
/// a paragraph.
pub(super) fn ended_by(name: &[u8]) -> impl Iterator<Item = &'static Ending> {
    let of_its_kind = match name {
        b"li" => Some(&ITEMS),
        b"dt" | b"dd" => Some(&TERMS),
        b"td" | b"th" => Some(&CELLS),
        b"tr" => Some(&ROWS),
        b"tbody" | b"thead" | b"tfoot" => Some(&PARTS_OF_TABLES),
        b"option" | b"optgroup" => Some(&OPTIONS),
        b"rt" | b"rp" => Some(&READINGS),
        b"body" => Some(&HEAD),
        _ => None,
    };
    let paragraph = ends_paragraph(name).then_some(&PARAGRAPHS);
    of_its_kind.into_iter().chain(paragraph)
}
