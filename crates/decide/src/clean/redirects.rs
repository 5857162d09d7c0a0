//! Redirects from pages that go to pages that stay, a line for each.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use dupfind_read::{Format, Kind};

/// The characters that a path of a URL may have as they are.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The characters that mean something else in a quoted string, a regular expression or a configuration.
const SPECIAL: &str = "\"'`\\$^*+?()[]{}|<>;#";

/// The line of a redirect, with placeholders for two addresses: `{from}` and `{to}` as in a URL, `{from:text}` and
/// `{to:text}` as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectLine(String);

/// Redirects, and the pages that get none.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The lines.
    pub text: String,
    /// The pages that get no redirect, with the reason.
    pub without: Vec<(PathBuf, String)>,
}

impl FromStr for RedirectLine {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let has = |name: &str| {
            [format!("{{{name}}}"), format!("{{{name}:text}}")]
                .iter()
                .any(|placeholder| line.contains(placeholder))
        };
        match has("from") && has("to") {
            true => Ok(Self(line.to_owned())),
            false => {
                Err("a redirect is a line with {from} and {to}, such as '{from} {to} 301'".into())
            }
        }
    }
}

impl RedirectLine {
    /// Returns the redirects of pages `(keep, drop)`. `root` is the folder with the pages of the site.
    pub fn write<'p>(
        &self,
        pages: impl Iterator<Item = (&'p Path, &'p Path)>,
        root: &Path,
    ) -> Written {
        let mut written = Written::default();
        let mut lines: Vec<String> = Vec::new();
        // Servers and file systems may treat `A` as `a`.
        let mut known: HashMap<String, String> = HashMap::new();
        for (keep, drop) in pages {
            match self.line(keep, drop, root, &mut known) {
                Ok(line) => lines.extend(line),
                Err(why) => written.without.push((drop.to_owned(), why)),
            }
        }
        lines.sort_unstable();
        written.text = lines.concat();
        written
    }

    /// Returns the line for a page; `None` if there is one already. `known` has the redirects so far.
    fn line(
        &self,
        keep: &Path,
        drop: &Path,
        root: &Path,
        known: &mut HashMap<String, String>,
    ) -> Result<Option<String>, String> {
        let (Some(to), Some(from)) = (address(keep, root), address(drop, root)) else {
            let (keep, root) = (keep.display(), root.display());
            return Err(format!("it or {keep} is no page below {root}"));
        };
        if from.to_lowercase() == to.to_lowercase() {
            return Err(match from == to {
                true => format!("it has the address of {}, {to}", keep.display()),
                false => format!("its address differs from {to} only in capitals"),
            });
        }
        match known.get(&from.to_lowercase()) {
            Some(other) if *other == to => return Ok(None),
            Some(other) => {
                return Err(format!(
                    "another page with the address {from} is sent to {other}"
                ));
            }
            None => known.insert(from.to_lowercase(), to.clone()),
        };
        let mut line = self.0.clone();
        for (name, address) in [("from", &from), ("to", &to)] {
            let as_text = format!("{{{name}:text}}");
            if line.contains(&as_text) {
                if address.contains(|c: char| c.is_control() || SPECIAL.contains(c)) {
                    return Err("its address or the other one has special characters".into());
                }
                line = line.replace(&as_text, address);
            }
            // An address in a URL has no braces.
            let encoded = utf8_percent_encode(address, IN_PATH).to_string();
            line = line.replace(&format!("{{{name}}}"), &encoded);
        }
        Ok(Some(line + "\n"))
    }
}

/// Returns the address of a page, decoded and from the root of the site: `a/page.md` is `/a/page/`, and a page in HTML has
/// its own name. `None` if the file is not below the folder `root`, or is no page.
fn address(path: &Path, root: &Path) -> Option<String> {
    let below = below(path, root)?;
    let name = Path::new(below.rsplit('/').next()?);
    let [stem, end] = [name.file_stem()?.to_str()?, name.extension()?.to_str()?];
    let folder = &below[..below.len() - stem.len() - end.len() - 1];
    let kind = Kind::of(name);
    let is_html = matches!(kind.format, Format::Html | Format::Xhtml);
    let is_text = kind.format.is_source_of_page() || end.eq_ignore_ascii_case("txt");
    match stem {
        _ if kind.compression.is_some() || !(is_html || is_text) => None,
        "index" | "_index" | "README" | "readme" => Some(format!("/{folder}")),
        _ if is_html => Some(format!("/{below}")),
        _ => Some(format!("/{folder}{stem}/")),
    }
}

/// Returns the path of a file from the folder `root` on, with `/`; `None` if it is not below it.
fn below(path: &Path, root: &Path) -> Option<String> {
    let plain = |path: &Path| -> PathBuf {
        let parts = path.components().filter(|part| *part != Component::CurDir);
        parts.collect()
    };
    let path = plain(path);
    let below = path.strip_prefix(plain(root)).ok()?;
    let name = |part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    };
    let names: Option<Vec<&str>> = below.components().map(name).collect();
    Some(names?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    fn written(line: &str, pages: &[(&str, &str)]) -> Written {
        let pages = pages.iter();
        let pages = pages.map(|(keep, drop)| (Path::new(*keep), Path::new(*drop)));
        let line = RedirectLine::from_str(line).unwrap();
        line.write(pages, Path::new("docs"))
    }

    #[test]
    fn addresses_of_pages() {
        for (path, expected) in [
            ("content/index.md", Some("/")),
            ("content/a/README.md", Some("/a/")),
            ("./content/a/page.md", Some("/a/page/")),
            ("content/a/page.html", Some("/a/page.html")),
            ("content/a/page.qmd", Some("/a/page/")),
            ("content/a/v1.2.md", Some("/a/v1.2/")),
            ("content/a/page.md.gz", None),
            ("content/logo.svg", None),
            ("other/page.md", None),
            ("content/../page.md", None),
        ] {
            let found = address(Path::new(path), Path::new("content"));
            assert_eq!(found.as_deref(), expected, "{path}");
        }
        let found = address(Path::new("a.md"), Path::new("."));
        assert_eq!(found.as_deref(), Some("/a/"));
    }

    #[test]
    fn placeholders_are_filled_and_all_else_stays() {
        let pages = [
            ("docs/x/index.md", "docs/茶.md"),
            ("docs/a.md", "docs/old/b c.md"),
        ];
        for [line, expected] in table(
            r#"{from} {to} 301                               | /%E8%8C%B6/ /x/ 301\n/old/b%20c/ /a/ 301\n
               location = "{from:text}" { return 301 {to}; } | location = "/old/b c/" { return 301 /a/; }\nlocation = "/茶/" { return 301 /x/; }\n"#,
        ) {
            let written = written(line, &pages);
            assert_eq!(written.text, expected);
            assert_eq!(written.without, []);
        }
        for line in ["netlify", "{from} 301", "{from:json} {to}"] {
            let error = RedirectLine::from_str(line).unwrap_err();
            assert!(error.contains("'{from} {to} 301'"), "{error}");
        }
    }

    #[test]
    fn no_name_makes_another_line() {
        for name in ["b\nInjected: x", "b\u{85}", "b\"; x", "b$1", "{to}"] {
            let pages = [("docs/a.md", &*format!("docs/{name}.md"))];
            let quoted = written("\"{from:text}\" {to}", &pages);
            assert_eq!(quoted.text, "", "{name}");
            assert!(quoted.without[0].1.contains("special"), "{name}");
            let encoded = written("{from} {to}", &pages).text;
            let plain = |c: char| c.is_ascii_alphanumeric() || "/%. -_~\n".contains(c);
            assert!(encoded.chars().all(plain), "{encoded}");
            assert_eq!(encoded.lines().count(), 1, "{encoded}");
        }
    }

    #[test]
    fn addresses_that_would_lead_in_circles_are_left_out() {
        for (keep, drop, why) in [
            ("docs/A.md", "docs/a.md", "only in capitals"),
            ("docs/a/index.md", "docs/a/README.md", "has the address"),
            ("docs/a.md", "other/a.md", "no page below docs"),
            ("docs/a.md", "docs/a.png", "no page below docs"),
        ] {
            let written = written("{from} {to} 301", &[(keep, drop)]);
            assert_eq!(written.text, "", "{drop}");
            assert!(written.without[0].1.contains(why), "{:?}", written.without);
        }
        // Two pages that a server treats as one are sent to one place.
        let two = [("docs/a.md", "docs/x.md"), ("docs/b.md", "docs/X.md")];
        let written = written("{from} {to} 301", &two);
        assert_eq!(written.text, "/x/ /a/ 301\n");
        assert_eq!(written.without.len(), 1);
    }
}
