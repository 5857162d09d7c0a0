//! The pages: their blocks, headings, links, and the options that they name.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A page of Markdown of this project.
pub(crate) struct Page {
    /// Its path from the root of the project.
    pub(crate) name: PathBuf,
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn read(name: impl Into<PathBuf>) -> Self {
        let name = name.into();
        let text = fs::read_to_string(root().join(&name)).unwrap();
        // Git for Windows ends lines its own way.
        let text = text.replace("\r\n", "\n");
        Self { name, text }
    }

    /// Writes another text. The same one is not written: other tests read the page meanwhile.
    pub(crate) fn rewrite(&self, text: &str) {
        if text != self.text {
            fs::write(root().join(&self.name), text).unwrap();
        }
    }

    pub(crate) fn events(&self) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
        Parser::new_ext(&self.text, Options::ENABLE_TABLES).into_offset_iter()
    }

    /// Returns the languages of the code blocks, and where their texts are.
    pub(crate) fn code_blocks(&self) -> Vec<(String, Range<usize>)> {
        let mut blocks = Vec::new();
        for (event, range) in self.events() {
            if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) = event {
                let block = &self.text[range.clone()];
                let begin = range.start + block.find('\n').unwrap() + 1;
                let end = range.start + block.rfind("```").unwrap();
                blocks.push((language.to_string(), begin..end));
            }
        }
        blocks
    }

    /// Returns whether a code block has a text.
    pub(crate) fn shows(&self, text: &str) -> bool {
        let mut blocks = self.code_blocks().into_iter();
        blocks.any(|(_, range)| self.text[range].contains(text))
    }

    /// Returns the anchors of the headings, as GitHub makes them.
    pub(crate) fn anchors(&self) -> BTreeSet<String> {
        let mut heading = None;
        let mut anchors = BTreeSet::new();
        for (event, _) in self.events() {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor(&heading.take().unwrap());
                    let further = (1..).map(|number| format!("{anchor}-{number}"));
                    let mut names = std::iter::once(anchor.clone()).chain(further);
                    anchors.insert(names.find(|name| !anchors.contains(name)).unwrap());
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        anchors
    }

    /// Returns the targets of links and images.
    pub(crate) fn links(&self) -> Vec<String> {
        let links = self.events().filter_map(|(event, _)| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(dest_url.to_string())
            }
            _ => None,
        });
        links.collect()
    }

    /// Returns the options of dupfind that the page names: in its text, and in commands.
    pub(crate) fn options(&self) -> BTreeSet<String> {
        let mut texts: Vec<String> = Vec::new();
        for (event, _) in self.events() {
            if let Event::Code(code) = event
                && (code.starts_with("--") || code.starts_with("dupfind "))
            {
                texts.push(code.to_string());
            }
        }
        for (language, range) in self.code_blocks() {
            let block = &self.text[range];
            if ["sh", "yaml"].contains(&language.as_str()) {
                let block = block.replace("\\\n", " ").replace("\n      --", " --");
                let commands = block.lines().flat_map(|line| line.split('|'));
                let commands = commands.filter(|command| command.contains("dupfind "));
                texts.extend(commands.map(str::to_owned));
            }
        }
        let options = texts.iter().flat_map(|text| {
            // Words before the name of the program are another program.
            let text = text
                .split_once("dupfind ")
                .map_or(&**text, |(_, args)| args);
            options_in(text)
        });
        options.collect()
    }
}

/// Returns the words of a text that are long options.
pub(crate) fn options_in(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let options = words.filter(|word| {
        let name = word.strip_prefix("--");
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
    });
    options.map(str::to_owned)
}

/// The name of a heading in an address of GitHub.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars();
    let kept = kept.filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The front pages and all pages of the guide, in both languages.
pub(crate) fn pages() -> Vec<Page> {
    let mut names = ["README.md", "README.zh-CN.md"].map(PathBuf::from).to_vec();
    for folder in ["docs", "docs/zh"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = Path::new(folder).join(entry.unwrap().file_name());
            // python/tests runs the notebook.
            let is_notebook = name
                .extension()
                .is_some_and(|extension| extension == "ipynb");
            // Skills are for agents.
            let is_folder = ["docs/zh", "docs/skills"].contains(&&*name.to_string_lossy());
            if !is_folder && !is_notebook {
                assert_eq!(name.extension().unwrap(), "md", "{}", name.display());
                names.push(name);
            }
        }
    }
    names.sort();
    names.into_iter().map(Page::read).collect()
}
