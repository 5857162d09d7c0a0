//! The forms of redirects: the presets, and the templates that they and users write lines by.

use std::str::FromStr;

use crate::clean::redirects::address::{Addresses, encoded};

/// A form of redirects: one of the presets, or a template of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectForm {
    /// The addresses that its pages have.
    pub addresses: Addresses,
    /// Whether redirects name the files of pages, from the folder of the site on, and not their addresses.
    pub names_files: bool,
    /// Whether there is one line for each page that stays, with all addresses that lead to it.
    pub is_by_page: bool,
    /// The text before the lines.
    pub header: &'static str,
    /// The line of a redirect.
    pub line: Template,
    /// The text after the lines.
    pub footer: &'static str,
}

/// A preset: a form with a name.
struct Preset {
    name: &'static str,
    addresses: Addresses,
    names_files: bool,
    is_by_page: bool,
    header: &'static str,
    /// The template of a line.
    line: &'static str,
    footer: &'static str,
}

/// A preset whose lines need nothing around them.
const PLAIN: Preset = Preset {
    name: "",
    addresses: Addresses::Folders,
    names_files: false,
    is_by_page: false,
    header: "",
    line: "",
    footer: "",
};

const PRESETS: [Preset; 6] = [
    Preset {
        name: "hugo",
        addresses: Addresses::Hugo,
        is_by_page: true,
        line: "aliases: [{from:json}]  # of {to}",
        ..PLAIN
    },
    Preset {
        name: "docusaurus",
        addresses: Addresses::Docusaurus,
        header: "// docusaurus.config.js: plugins: [['@docusaurus/plugin-client-redirects', { redirects }]]\n\
                 const redirects = [\n",
        line: "  { from: {from:json}, to: {to:json} },",
        footer: "];\n",
        ..PLAIN
    },
    Preset {
        name: "mkdocs",
        names_files: true,
        header: "plugins:\n  - redirects:\n      redirect_maps:\n",
        line: "        {from:json}: {to:json}",
        ..PLAIN
    },
    Preset {
        name: "netlify",
        line: "{from} {to} 301",
        ..PLAIN
    },
    // A location matches the decoded path.
    Preset {
        name: "nginx",
        line: "location = {from:quoted} { return 301 {to}; }",
        ..PLAIN
    },
    // `Redirect` would also send on every address below this one, so a pattern matches the whole address. It matches
    // the decoded path. In the other address, `$1` would be the match of a group; percent signs are no special
    // characters.
    Preset {
        name: "apache",
        line: r#"RedirectMatch 301 "^{from:regex}$" "{to}""#,
        ..PLAIN
    },
];

impl FromStr for RedirectForm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = PRESETS.iter().find(|preset| preset.name == text);
        let (preset, line) = named.map_or((&PLAIN, text), |preset| (preset, preset.line));
        Ok(Self {
            addresses: preset.addresses,
            names_files: preset.names_files,
            is_by_page: preset.is_by_page,
            header: preset.header,
            line: line.parse()?,
            footer: preset.footer,
        })
    }
}

/// A line with placeholders for two addresses, `{from}` and `{to}`: each with its `Escape` behind a colon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    From(Escape),
    To(Escape),
}

/// How an address is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// As in a URL: `/a%20b/`. No colon.
    Url,
    /// As a string of JSON, with its quotes, which is one of YAML, TOML and JavaScript too.
    Json,
    /// In double quotes, with a backslash before quotes and backslashes.
    Quoted,
    /// As a regular expression for this text alone.
    Regex,
}

impl Escape {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Url, ""),
        (Self::Json, ":json"),
        (Self::Quoted, ":quoted"),
        (Self::Regex, ":regex"),
    ];

    fn written(self, address: &str) -> String {
        let escaped = |special: &str| {
            let mut text = String::new();
            for c in address.chars() {
                if special.contains(c) {
                    text.push('\\');
                }
                text.push(c);
            }
            text
        };
        match self {
            Self::Url => encoded(address),
            Self::Json => json_string(address),
            Self::Quoted => format!("\"{}\"", escaped("\\\"")),
            Self::Regex => escaped("\\.+*?()[]{}|^$\""),
        }
    }
}

/// Returns a string of JSON, which is one of YAML, TOML and JavaScript too.
fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find("{from").into_iter().chain(rest.find("{to")).min() {
            let (before, placeholder) = rest.split_at(at);
            parts.push(Part::Text(before.to_owned()));
            let unknown = |name: &str| {
                format!(
                    "there is no placeholder '{name}': expected {{from}}, {{from:json}}, {{from:quoted}} or \
                     {{from:regex}}, and the same of {{to}}"
                )
            };
            let (placeholder, behind) = placeholder
                .split_once('}')
                .ok_or_else(|| unknown(placeholder))?;
            let known = Escape::ALL.iter().find_map(|&(escape, name)| match name {
                _ if placeholder.strip_prefix("{from") == Some(name) => Some(Part::From(escape)),
                _ if placeholder.strip_prefix("{to") == Some(name) => Some(Part::To(escape)),
                _ => None,
            });
            parts.push(known.ok_or_else(|| unknown(&format!("{placeholder}}}")))?);
            rest = behind;
        }
        parts.push(Part::Text(rest.to_owned()));
        let has = |is: fn(&Part) -> bool| parts.iter().any(is);
        if !has(|part| matches!(part, Part::From(_))) || !has(|part| matches!(part, Part::To(_))) {
            let names = PRESETS.map(|preset| preset.name).join(", ");
            return Err(format!(
                "'{text}' is neither a preset ({names}) nor a line with {{from}} and {{to}}, such as \
                 '{{from}} {{to}} 301'"
            ));
        }
        Ok(Self(parts))
    }
}

impl Template {
    /// Returns the line of redirects from some addresses to another one. None of them is encoded.
    pub(super) fn line(&self, from: &[&str], to: &str) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::From(escape) => {
                let all: Vec<String> = from.iter().map(|from| escape.written(from)).collect();
                all.join(", ")
            }
            Part::To(escape) => escape.written(to),
        };
        self.0.iter().map(part).chain(["\n".to_owned()]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_can_be_read() {
        for preset in PRESETS {
            RedirectForm::from_str(preset.name).unwrap();
        }
    }

    #[test]
    fn placeholders_are_filled_and_all_else_stays() {
        for (template, expected) in [
            ("{from} {to}", "/a%20%22b%22/ /%E8%8C%B6/\n"),
            (
                "x{{to:json}} {from:json}",
                "x{\"/茶/\"} \"/a \\\"b\\\"/\"\n",
            ),
            ("{from:quoted}{to}", "\"/a \\\"b\\\"/\"/%E8%8C%B6/\n"),
            ("^{from:regex}$ {to}!", "^/a \\\"b\\\"/$ /%E8%8C%B6/!\n"),
        ] {
            let template = Template::from_str(template).unwrap();
            assert_eq!(template.line(&["/a \"b\"/"], "/茶/"), expected);
        }
    }

    #[test]
    fn faulty_templates_are_refused() {
        for (text, part) in [
            (
                "nginz",
                "'nginz' is neither a preset (hugo, docusaurus, mkdocs, netlify, nginx, apache)",
            ),
            ("{from} 301", "is neither a preset"),
            (
                "{from:josn} {to}",
                "there is no placeholder '{from:josn}': expected {from},",
            ),
            ("{from} {together}", "there is no placeholder '{together}'"),
            ("{from} {to", "there is no placeholder '{to'"),
        ] {
            let error = RedirectForm::from_str(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
