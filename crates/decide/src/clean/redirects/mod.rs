//! Redirects from pages that go to pages that stay, as site generators and servers want them.

pub mod address;
pub mod form;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::clean::redirects::address::{address, inside};
use crate::clean::redirects::form::RedirectForm;

/// A page that goes, and the one that stays for it, by their addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Redirect {
    from: String,
    to: String,
}

/// Redirects, and the pages that get none.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The lines. Empty if there are no redirects.
    pub text: String,
    /// The pages that get no redirect, with the reason.
    pub without: Vec<(PathBuf, String)>,
}

impl RedirectForm {
    /// Returns the redirects of pages `(keep, drop)`. `root` is the folder with the pages of the site.
    #[must_use]
    pub fn write<'p>(
        &self,
        pages: impl Iterator<Item = (&'p Path, &'p Path)>,
        root: &Path,
    ) -> Written {
        let mut written = Written::default();
        let mut redirects: Vec<Redirect> = Vec::new();
        // Servers and file systems may treat `A` as `a`.
        let mut known: HashMap<String, String> = HashMap::new();
        let place = |path: &Path| match self.names_files {
            true => inside(path, root).filter(|_| is_markdown(path)),
            false => address(path, root, self.addresses),
        };
        for (keep, drop) in pages {
            let (Some(to), Some(from)) = (place(keep), place(drop)) else {
                let why = format!(
                    "it or {} is no page below {}",
                    keep.display(),
                    root.display()
                );
                written.without.push((drop.to_owned(), why));
                continue;
            };
            if from.to_lowercase() == to.to_lowercase() {
                let why = match from == to {
                    true => format!("it has the address of {}, {to}", keep.display()),
                    false => format!("its address differs from {to} only in capitals"),
                };
                written.without.push((drop.to_owned(), why));
                continue;
            }
            if let Some(other) = known.insert(from.to_lowercase(), to.clone()) {
                if other != to {
                    let why = format!("another page with the address {from} is sent to {other}");
                    written.without.push((drop.to_owned(), why));
                    known.insert(from.to_lowercase(), other);
                }
                continue;
            }
            redirects.push(Redirect { from, to });
        }
        redirects.sort_by(|a, b| a.from.cmp(&b.from));
        if !redirects.is_empty() {
            if self.is_by_page {
                redirects.sort_by(|a, b| a.to.cmp(&b.to));
            }
            let lines = redirects.chunk_by(|a, b| self.is_by_page && a.to == b.to);
            let lines = lines.map(|some| {
                let from: Vec<&str> = some.iter().map(|redirect| &*redirect.from).collect();
                self.line.line(&from, &some[0].to)
            });
            let lines = lines.collect::<String>();
            written.text = format!("{}{lines}{}", self.header, self.footer);
        }
        written
    }
}

fn is_markdown(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    fn written(form: &str, pages: &[(&str, &str)]) -> Written {
        let pages = pages
            .iter()
            .map(|(keep, drop)| (Path::new(*keep), Path::new(*drop)));
        RedirectForm::from_str(form)
            .unwrap()
            .write(pages, Path::new("docs"))
    }

    #[test]
    fn every_preset_has_its_own_words() {
        let pages = [
            ("docs/a.md", "docs/old/b c.md"),
            ("docs/x/index.md", "docs/茶.md"),
        ];
        let two = [pages[0], ("docs/a.md", "docs/old/a.md")];
        assert_eq!(
            written("hugo", &two).text,
            "aliases: [\"/old/a/\", \"/old/b-c/\"]  # of /a/\n"
        );
        for (form, expected) in [
            (
                "hugo",
                "aliases: [\"/old/b-c/\"]  # of /a/\naliases: [\"/茶/\"]  # of /x/\n",
            ),
            (
                "docusaurus",
                "// docusaurus.config.js: plugins: [['@docusaurus/plugin-client-redirects', { redirects }]]\n\
                 const redirects = [\n  { from: \"/old/b c\", to: \"/a\" },\n  { from: \"/茶\", to: \"/x/\" },\n];\n",
            ),
            (
                "mkdocs",
                "plugins:\n  - redirects:\n      redirect_maps:\n        \"old/b c.md\": \"a.md\"\n        \
                 \"茶.md\": \"x/index.md\"\n",
            ),
            ("netlify", "/old/b%20c/ /a/ 301\n/%E8%8C%B6/ /x/ 301\n"),
            (
                "nginx",
                "location = \"/old/b c/\" { return 301 /a/; }\nlocation = \"/茶/\" { return 301 /x/; }\n",
            ),
            (
                "apache",
                "RedirectMatch 301 \"^/old/b c/$\" \"/a/\"\nRedirectMatch 301 \"^/茶/$\" \"/x/\"\n",
            ),
        ] {
            let written = written(form, &pages);
            assert_eq!(
                (written.text.as_str(), &written.without[..]),
                (expected, &[][..]),
                "{form}"
            );
        }
        let own = written("{from} -> {to:json}", &pages);
        assert_eq!(own.text, "/old/b%20c/ -> \"/a/\"\n/%E8%8C%B6/ -> \"/x/\"\n");
        let html = written("apache", &[("docs/a.html", "docs/b+(1).html")]);
        assert_eq!(
            html.text,
            "RedirectMatch 301 \"^/b\\+\\(1\\)\\.html$\" \"/a.html\"\n"
        );
    }

    #[test]
    fn addresses_that_would_lead_in_circles_are_left_out() {
        for (keep, drop, why) in [
            ("docs/A.md", "docs/a.md", "only in capitals"),
            ("docs/a/index.md", "docs/a/README.md", "has the address"),
            ("docs/a.md", "other/a.md", "no page below docs"),
            ("docs/a.md", "docs/a.png", "no page below docs"),
        ] {
            let written = written("netlify", &[(keep, drop)]);
            assert_eq!(written.text, "", "{drop}");
            assert!(written.without[0].1.contains(why), "{:?}", written.without);
        }
        // Two pages that a server treats as one are sent to one place.
        let two = [("docs/a.md", "docs/x.md"), ("docs/b.md", "docs/X.md")];
        let written = written("netlify", &two);
        assert_eq!(written.text, "/x/ /a/ 301\n");
        assert_eq!(written.without.len(), 1);
    }
}
