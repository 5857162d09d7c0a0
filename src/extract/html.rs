//! Stand-in until the extractor of web pages is there.

/// Takes a fragment of a page and returns its text.
pub(crate) fn fragment(html: &str) -> String {
    let (mut text, mut is_tag) = (String::new(), false);
    for c in html.chars() {
        match c {
            '<' => is_tag = true,
            '>' => is_tag = false,
            c if !is_tag => text.push(c),
            _ => {}
        }
    }
    text
}
