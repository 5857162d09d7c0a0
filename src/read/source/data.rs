//! Files of text that hold data and nothing to read: they are documents only if the user names them.

use std::path::Path;

/// How their names end.
const ENDS: [&str; 9] = [
    ".drawio",
    ".excalidraw",
    ".lock",
    ".map",
    ".min.css",
    ".min.js",
    ".min.json",
    ".svg",
    ".tfstate",
];

/// Their names.
const NAMES: [&str; 6] = [
    "bun.lockb",
    "go.sum",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "packages.lock.json",
    "pnpm-lock.yaml",
];

/// Whether a file holds data, by its name.
pub(super) fn is_data(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    NAMES.contains(&&*name) || ENDS.iter().any(|end| name.ends_with(end))
}

/// The longest line of JSON that people write, in bytes.
const LONGEST_LINE: usize = 1_000;

/// Of how many characters one is a sign of JSON or a digit in data. In JSON that holds a text one in twenty is.
const PER_SIGN: usize = 8;

/// Whether a text is JSON that was written by a program: one long line that is no prose.
pub(super) fn is_minified_json(text: &str) -> bool {
    let text = text.trim();
    if text.len() <= LONGEST_LINE || !text.starts_with(['{', '[']) || text.contains('\n') {
        return false;
    }
    let is_sign = |c: &char| "{}[]\":,".contains(*c) || c.is_ascii_digit();
    text.chars().filter(is_sign).count() * PER_SIGN >= text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minified_json_is_told_by_its_content() {
        let data = format!(
            "{{\"a\":[{}0]}}\n",
            "{\"x\":1.5,\"name\":\"city\"},".repeat(60)
        );
        let prose = format!(
            "{{\"title\":\"Parks\",\"body\":\"{}\"}}",
            "The old park, by the river. ".repeat(60)
        );
        for (text, expected) in [
            (&*data, true),
            (&data.replace("},", "},\n"), false),
            (&data[..900], false),
            (&prose, false),
            (&data.replace('{', "("), false),
        ] {
            assert_eq!(is_minified_json(text), expected, "{text}");
        }
    }

    #[test]
    fn data_is_told_by_names() {
        for (name, expected) in [
            ("a/Logo.SVG", true),
            ("Cargo.lock", true),
            ("package-lock.json", true),
            ("flow.drawio", true),
            ("app.min.js", true),
            ("lock.md", false),
            ("package.json", false),
            ("svg", false),
        ] {
            assert_eq!(is_data(Path::new(name)), expected, "{name}");
        }
    }
}
