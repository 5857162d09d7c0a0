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

#[cfg(test)]
mod tests {
    use super::*;

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
