//! Two texts side by side, as a piece of HTML for a notebook. The text that only one of them has is marked.
//!
//! It has no script, and its colours are those of the page, so that it looks like a part of it.

use crate::formats::html::page::{html as html_text, marked};
use crate::layout::Layout;
use dupfind_decide::compare::side::Side;
use dupfind_decide::find_passages;
use dupfind_engine::Options;

/// How much of a text is shown, in bytes.
const LONGEST: usize = 4 << 10;

/// The marks of text that only one of the two has, in each of them.
const MARKS: [&str; 2] = [
    "<mark style=\"background:light-dark(#ffdfb8,#6b4413);border-radius:3px;color:inherit\">",
    "<mark style=\"background:light-dark(#bfead9,#14533f);border-radius:3px;color:inherit\">",
];

const CARD: &str = "flex:1 1 20em;min-width:0;padding:8px 12px;border:1px solid light-dark(#e5e1da,#2d323b);\
                    border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;text-align:left";

/// Returns two texts with their names, side by side.
pub(crate) fn beside(options: &Options, names: [&str; 2], texts: [&str; 2]) -> String {
    let texts = texts.map(beginning);
    let [a, b] = texts.map(|text| Side::new(text, options));
    let shared = find_passages(&a, &b);
    let layout = Layout::new(&a, &b, &shared, true);
    let mut html = String::from("<div style=\"display:flex;flex-wrap:wrap;gap:12px\">");
    for which in 0..2 {
        let own = layout.own(which).into_iter();
        let own = own.filter(|place| !texts[which][place.clone()].trim().is_empty());
        let marks = own.map(|place| (place, MARKS[which]));
        html.push_str(&format!(
            "<div style=\"{CARD}\"><b>{}</b>\n{}</div>",
            html_text(names[which]),
            marked(texts[which], marks, html_text)
        ));
    }
    html.push_str("</div>");
    html
}

/// Returns the part of a text that is shown.
fn beginning(text: &str) -> &str {
    let mut end = LONGEST.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_only_one_has_is_marked() {
        let page = "the old park by the river opened to the public thirty years ago <today>";
        let other = page.replace("thirty", "fifty");
        let html = beside(&Options::default(), ["a", "b&"], [page, &other]);
        let marks = html.split("inherit\">").skip(1);
        let marks = marks.filter_map(|rest| rest.split("</mark>").next());
        let marks: Vec<&str> = marks.map(str::trim).collect();
        assert_eq!(marks, ["thirty", "fifty"]);
        assert!(html.contains("&lt;today&gt;") && html.contains("<b>b&amp;</b>"));
    }
}
