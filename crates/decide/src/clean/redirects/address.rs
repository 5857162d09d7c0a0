//! The addresses of pages, which a site makes from the paths of its files.

use std::path::{Component, Path};

use dupfind_read::format::{Format, Kind};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that a path of a URL may have as they are.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// How a site makes addresses of paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addresses {
    /// `a/Some Page.md` is `/a/some-page/`, as Hugo has it.
    Hugo,
    /// `a/page.md` is `/a/page`, and `README.md` is the page of its folder, as Docusaurus has it.
    Docusaurus,
    /// `a/page.md` is `/a/page/`; a page in HTML has its own name.
    Folders,
}

/// Returns the address of a page, decoded and from the root of the site: `/guide/start/`. `None` if the file is not below
/// the folder `root`, or is no page.
#[must_use]
pub fn address(path: &Path, root: &Path, addresses: Addresses) -> Option<String> {
    let below = inside(path, root)?;
    let (folder, name) = below
        .rsplit_once('/')
        .map_or(("", &*below), |(folder, name)| (folder, name));
    let (stem, extension) = name.rsplit_once('.')?;
    let kind = Kind::of(Path::new(name));
    let is_html = matches!(kind.format, Format::Html | Format::Xhtml);
    let is_text = kind.format.is_source_of_page() || extension.eq_ignore_ascii_case("txt");
    if kind.compression.is_some() || !(is_html || is_text) {
        return None;
    }
    let folder = match folder {
        "" => "/".to_owned(),
        folder => format!("/{folder}/"),
    };
    let is_index = match addresses {
        Addresses::Hugo => matches!(stem, "index" | "_index"),
        Addresses::Docusaurus => matches!(stem, "index" | "README" | "readme"),
        Addresses::Folders => matches!(stem, "index" | "_index" | "README" | "readme"),
    };
    Some(match addresses {
        Addresses::Hugo => {
            let address = if is_index {
                folder
            } else {
                format!("{folder}{stem}/")
            };
            address.to_lowercase().replace(' ', "-")
        }
        Addresses::Docusaurus if is_index => folder,
        Addresses::Docusaurus => format!("{folder}{stem}"),
        Addresses::Folders if is_index => folder,
        Addresses::Folders if is_html => format!("{folder}{name}"),
        Addresses::Folders => format!("{folder}{stem}/"),
    })
}

/// Returns the path of a file from the folder `root` on, with `/`; `None` if it is not below it.
#[must_use]
pub fn inside(path: &Path, root: &Path) -> Option<String> {
    let plain = |path: &Path| -> std::path::PathBuf {
        path.components()
            .filter(|part| *part != Component::CurDir)
            .collect()
    };
    let (path, root) = (plain(path), plain(root));
    let below = path.strip_prefix(&root).ok()?;
    let mut names = Vec::new();
    for part in below.components() {
        match part {
            Component::Normal(name) => names.push(name.to_str()?),
            _ => return None,
        }
    }
    Some(names.join("/"))
}

/// Returns an address as it is in a URL.
#[must_use]
pub fn encoded(address: &str) -> String {
    utf8_percent_encode(address, IN_PATH).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_pages() {
        use Addresses::{Docusaurus, Folders, Hugo};
        for (path, addresses, expected) in [
            ("content/a/Some Page.md", Hugo, Some("/a/some-page/")),
            ("content/a/_index.md", Hugo, Some("/a/")),
            ("content/README.md", Hugo, Some("/readme/")),
            ("./content/a/page.mdx", Docusaurus, Some("/a/page")),
            ("content/a/README.md", Docusaurus, Some("/a/")),
            ("content/index.md", Folders, Some("/")),
            ("content/a/page.md", Folders, Some("/a/page/")),
            ("content/a/page.html", Folders, Some("/a/page.html")),
            ("content/a/page.qmd", Folders, Some("/a/page/")),
            ("content/a/page.shtml", Folders, Some("/a/page.shtml")),
            ("content/a/page.md.gz", Folders, None),
            ("content/logo.svg", Folders, None),
            ("other/page.md", Folders, None),
            ("content/../page.md", Folders, None),
        ] {
            let found = address(Path::new(path), Path::new("content"), addresses);
            assert_eq!(found.as_deref(), expected, "{path}");
        }
        assert_eq!(encoded("/茶 x/"), "/%E8%8C%B6%20x/");
        assert_eq!(
            address(Path::new("a.md"), Path::new("."), Folders).as_deref(),
            Some("/a/")
        );
    }
}
