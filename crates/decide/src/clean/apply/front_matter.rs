//! Adds a key to the front matter of a page.

use std::path::Path;

use dupfind_read::extract::front_matter::{end, value};

/// The ends of the names of pages with front matter.
const PAGES: [&str; 4] = ["md", "mdx", "markdown", "mdown"];

/// Returns the line that a page gets, and the page with it. The line follows the opening fence, and all other bytes stay.
///
/// # Errors
///
/// Why the page cannot get it, in words.
pub fn with_key(
    path: &Path,
    content: &[u8],
    key: &str,
    text: &str,
) -> Result<(String, Vec<u8>), String> {
    let quoted = serde_json::to_string(text).map_err(|error| error.to_string())?;
    with_line(path, content, key, &quoted)
}

/// As [`with_key`], with the value as it is to be written: a string or a list in YAML and TOML alike.
///
/// # Errors
///
/// As [`with_key`].
pub fn with_line(
    path: &Path,
    content: &[u8],
    key: &str,
    written: &str,
) -> Result<(String, Vec<u8>), String> {
    let is_page = path.extension().is_some_and(|extension| {
        let mut pages = PAGES.iter();
        pages.any(|page| extension.eq_ignore_ascii_case(page))
    });
    if !is_page {
        return Err("it has no front matter: it is no Markdown".into());
    }
    let Ok(page) = std::str::from_utf8(content) else {
        return Err("it is not UTF-8".into());
    };
    let (mark, text) = match page.strip_prefix('\u{feff}') {
        Some(text) => ("\u{feff}", text),
        None => ("", page),
    };
    let line_end = match text.split_once('\n') {
        Some((first, _)) if first.ends_with('\r') => "\r\n",
        _ => "\n",
    };
    if end(page) == 0 {
        let line = format!("{key}: {written}");
        let edited = format!("{mark}---{line_end}{line}{line_end}---{line_end}{text}");
        return Ok((line, edited.into_bytes()));
    }
    let has_key = |line: &str| {
        let rest = line.strip_prefix(key).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with([':', '=']))
    };
    if value(page, key).is_some() || page[..end(page)].lines().any(has_key) {
        return Err(format!("its front matter has '{key}' already"));
    }
    let (fence, rest) = text
        .split_once('\n')
        .ok_or("its front matter does not end")?;
    let line = match fence.starts_with("+++") {
        true => format!("{key} = {written}"),
        false => format!("{key}: {written}"),
    };
    let edited = format!("{mark}{fence}\n{line}{line_end}{rest}");
    Ok((line, edited.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_get_a_line_and_keep_their_bytes() {
        let added = |page: &str| {
            with_key(Path::new("a.md"), page.as_bytes(), "canonical", "/b/")
                .map(|(_, page)| String::from_utf8(page).unwrap())
        };
        for (page, expected) in [
            ("Text\n", "---\ncanonical: \"/b/\"\n---\nText\n"),
            (
                "---\ntitle: A\n---\nText",
                "---\ncanonical: \"/b/\"\ntitle: A\n---\nText",
            ),
            (
                "+++\r\ntitle = \"A\"\r\n+++\r\n",
                "+++\r\ncanonical = \"/b/\"\r\ntitle = \"A\"\r\n+++\r\n",
            ),
            ("\u{feff}Text", "\u{feff}---\ncanonical: \"/b/\"\n---\nText"),
        ] {
            assert_eq!(added(page).as_deref(), Ok(expected), "{page}");
        }
        assert!(
            added("---\ncanonical: /c/\n---\n")
                .unwrap_err()
                .contains("already")
        );
        assert!(
            with_key(Path::new("a.txt"), b"x", "k", "v")
                .unwrap_err()
                .contains("Markdown")
        );
        assert!(
            with_key(Path::new("a.md"), b"\xff", "k", "v")
                .unwrap_err()
                .contains("UTF-8")
        );
    }
}
