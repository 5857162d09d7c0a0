//! Redirects from pages that go to pages that stay, as site generators and servers want them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::clean::site::{Addresses, address, encoded, inside};

/// Who is to send readers on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// The key `aliases` in the front matter of the pages that stay.
    Hugo,
    /// `@docusaurus/plugin-client-redirects`.
    Docusaurus,
    /// The plugin `redirects` of MkDocs.
    Mkdocs,
    /// The file `_redirects`.
    Netlify,
    /// Locations of a server.
    Nginx,
    /// Directives of `mod_alias`.
    Apache,
}

/// A page that goes, and the one that stays for it, in the words of the format.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Redirect {
    from: String,
    to: String,
    keep: PathBuf,
}

/// Redirects, and the pages that get none.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The text for the file of the format. Empty if there are no redirects.
    pub text: String,
    /// For [`Redirects::Hugo`], the aliases of each page that stays.
    pub aliases: Vec<(PathBuf, Vec<String>)>,
    /// The pages that get no redirect, with the reason.
    pub without: Vec<(PathBuf, String)>,
}

impl Redirects {
    /// Returns the addresses of pages that this format has.
    #[must_use]
    pub fn addresses(self) -> Addresses {
        match self {
            Self::Hugo => Addresses::Hugo,
            Self::Docusaurus => Addresses::Docusaurus,
            _ => Addresses::Folders,
        }
    }

    /// Returns the redirects of pages `(keep, drop)`. `root` is the folder with the pages of the site.
    #[must_use]
    pub fn write<'p>(
        self,
        pages: impl Iterator<Item = (&'p Path, &'p Path)>,
        root: &Path,
    ) -> Written {
        let mut written = Written::default();
        let mut redirects: Vec<Redirect> = Vec::new();
        // Servers and file systems may take `A` for `a`.
        let mut known: HashMap<String, String> = HashMap::new();
        let place = |path: &Path| match self {
            Self::Mkdocs => inside(path, root).filter(|_| is_markdown(path)),
            _ => address(path, root, self.addresses()),
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
            redirects.push(Redirect {
                from,
                to,
                keep: keep.to_owned(),
            });
        }
        redirects.sort_by(|a, b| a.from.cmp(&b.from));
        if self == Self::Hugo {
            written.aliases = aliases(&redirects);
        }
        if !redirects.is_empty() {
            written.text = match self {
                Self::Hugo => hugo(&written.aliases),
                Self::Docusaurus => docusaurus(&redirects),
                Self::Mkdocs => mkdocs(&redirects),
                Self::Netlify => netlify(&redirects),
                Self::Nginx => nginx(&redirects),
                Self::Apache => apache(&redirects),
            };
        }
        written
    }
}

fn is_markdown(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}

fn aliases(redirects: &[Redirect]) -> Vec<(PathBuf, Vec<String>)> {
    let mut all: Vec<(PathBuf, Vec<String>)> = Vec::new();
    for Redirect { from, keep, .. } in redirects {
        match all.iter_mut().find(|(page, _)| page == keep) {
            Some((_, own)) => own.push(from.clone()),
            None => all.push((keep.clone(), vec![from.clone()])),
        }
    }
    all.sort();
    all
}

/// Returns a string of JSON, which is one of YAML, TOML and JavaScript too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns a list of strings of JSON, which is one of YAML and TOML too.
#[must_use]
pub fn list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", quoted.join(", "))
}

fn hugo(aliases: &[(PathBuf, Vec<String>)]) -> String {
    let page = |(keep, own): &(PathBuf, Vec<String>)| {
        format!(
            "# front matter of {}\naliases: {}\n",
            keep.display(),
            list(own)
        )
    };
    aliases.iter().map(page).collect()
}

fn docusaurus(redirects: &[Redirect]) -> String {
    let line = |r: &Redirect| {
        format!(
            "  {{ from: {}, to: {} }},\n",
            quoted(&r.from),
            quoted(&r.to)
        )
    };
    let lines: String = redirects.iter().map(line).collect();
    format!(
        "// docusaurus.config.js: plugins: [['@docusaurus/plugin-client-redirects', {{ redirects }}]]\nconst redirects = [\n{lines}];\n"
    )
}

fn mkdocs(redirects: &[Redirect]) -> String {
    let line = |r: &Redirect| format!("        {}: {}\n", quoted(&r.from), quoted(&r.to));
    let lines: String = redirects.iter().map(line).collect();
    format!("plugins:\n  - redirects:\n      redirect_maps:\n{lines}")
}

fn netlify(redirects: &[Redirect]) -> String {
    let line = |r: &Redirect| format!("{} {} 301\n", encoded(&r.from), encoded(&r.to));
    redirects.iter().map(line).collect()
}

/// A location matches the decoded path. The address that is sent is encoded.
fn nginx(redirects: &[Redirect]) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let line = |r: &Redirect| {
        format!(
            "location = \"{}\" {{ return 301 {}; }}\n",
            escaped(&r.from),
            encoded(&r.to)
        )
    };
    redirects.iter().map(line).collect()
}

/// `Redirect` would also send on all that is below the address, so that the whole of it is matched. The pattern matches
/// the decoded path.
fn apache(redirects: &[Redirect]) -> String {
    let escaped = |text: &str| {
        let mut pattern = String::new();
        for c in text.chars() {
            if "\\.+*?()[]{}|^$\"".contains(c) {
                pattern.push('\\');
            }
            pattern.push(c);
        }
        pattern
    };
    // In the address, `$1` would be what a group matched; percent signs are no special characters.
    let line = |r: &Redirect| {
        format!(
            "RedirectMatch 301 \"^{}$\" \"{}\"\n",
            escaped(&r.from),
            encoded(&r.to)
        )
    };
    redirects.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(redirects: Redirects, pages: &[(&str, &str)]) -> Written {
        let pages = pages
            .iter()
            .map(|(keep, drop)| (Path::new(*keep), Path::new(*drop)));
        redirects.write(pages, Path::new("docs"))
    }

    #[test]
    fn every_format_has_its_own_words() {
        let pages = [
            ("docs/a.md", "docs/old/b c.md"),
            ("docs/x/index.md", "docs/茶.md"),
        ];
        for (redirects, expected) in [
            (
                Redirects::Hugo,
                "# front matter of docs/a.md\naliases: [\"/old/b-c/\"]\n\
                 # front matter of docs/x/index.md\naliases: [\"/茶/\"]\n",
            ),
            (
                Redirects::Docusaurus,
                "// docusaurus.config.js: plugins: [['@docusaurus/plugin-client-redirects', { redirects }]]\n\
                 const redirects = [\n  { from: \"/old/b c\", to: \"/a\" },\n  { from: \"/茶\", to: \"/x/\" },\n];\n",
            ),
            (
                Redirects::Mkdocs,
                "plugins:\n  - redirects:\n      redirect_maps:\n        \"old/b c.md\": \"a.md\"\n        \
                 \"茶.md\": \"x/index.md\"\n",
            ),
            (
                Redirects::Netlify,
                "/old/b%20c/ /a/ 301\n/%E8%8C%B6/ /x/ 301\n",
            ),
            (
                Redirects::Nginx,
                "location = \"/old/b c/\" { return 301 /a/; }\nlocation = \"/茶/\" { return 301 /x/; }\n",
            ),
            (
                Redirects::Apache,
                "RedirectMatch 301 \"^/old/b c/$\" \"/a/\"\nRedirectMatch 301 \"^/茶/$\" \"/x/\"\n",
            ),
        ] {
            let written = written(redirects, &pages);
            assert_eq!(
                (written.text.as_str(), &written.without[..]),
                (expected, &[][..]),
                "{redirects:?}"
            );
        }
        let html = written(Redirects::Apache, &[("docs/a.html", "docs/b+(1).html")]);
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
            let written = written(Redirects::Netlify, &[(keep, drop)]);
            assert_eq!(written.text, "", "{drop}");
            assert!(written.without[0].1.contains(why), "{:?}", written.without);
        }
        // Two pages that a server takes for one are sent to one place.
        let two = [("docs/a.md", "docs/x.md"), ("docs/b.md", "docs/X.md")];
        let written = written(Redirects::Netlify, &two);
        assert_eq!(written.text, "/x/ /a/ 301\n");
        assert_eq!(written.without.len(), 1);
    }
}
