//! Lists of pieces of text, for inputs that are nearly right. The reader's laws have them, too.

/// Returns the parts of a list, with `¦` between them, `⏎` for a line end, `␍` for a carriage return, `⇥` for a tab, `␛` for an
/// escape, `␀` for a NUL, `␡` for a delete and `␞` for a line separator.
pub(crate) fn list(parts: &str) -> Vec<String> {
    let parts = parts.replace("¦\n", "¦");
    let parts = parts.chars().map(|c| match c {
        '⏎' => '\n',
        '␍' => '\r',
        '⇥' => '\t',
        '␛' => '\u{1b}',
        '␀' => '\0',
        '␡' => '\u{7f}',
        '␞' => '\u{2028}',
        c => c,
    });
    let parts: String = parts.collect();
    parts.split('¦').map(str::to_owned).collect()
}
