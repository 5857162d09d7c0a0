//! Web pages: a stub.

/// Takes a fragment of HTML and returns its text, every line of it on the line where it stood.
pub(super) fn fragment(html: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for c in html.chars() {
        match c {
            '<' => is_tag = true,
            '>' => is_tag = false,
            '\n' => text.push('\n'),
            c if !is_tag => text.push(c),
            _ => {}
        }
    }
    text
}
