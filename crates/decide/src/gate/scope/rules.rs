//! The rules that leave out pairs, and which documents are in each rule.

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rayon::prelude::*;

use crate::gate::scope::ignore_rule::IgnoreRule;
use crate::gate::scope::{LeftOut, key, place};
use dupfind_engine::features::document::Document;
use dupfind_engine::verdict::Relation;
use dupfind_engine::{Error, Result};
use dupfind_read::source::name::display_name;
use dupfind_scan::sources::{Source, Sources};

/// The characters that make a pattern a glob. It may be the name of a file all the same.
const WILD: [char; 5] = ['*', '?', '[', '{', '\\'];

/// Rules, and the documents of a run in them.
#[derive(Debug, Default)]
pub(super) struct Rules {
    rules: Vec<Rule>,
    /// The positions of the rules that each document is in, ascending.
    members: Vec<Vec<usize>>,
}

#[derive(Debug)]
struct Rule {
    rule: IgnoreRule,
    /// The last one that a document matches decides about it.
    patterns: Vec<RulePattern>,
    /// How many pairs it has left out.
    pairs: u64,
}

/// A name or glob of a rule.
#[derive(Debug)]
struct RulePattern {
    /// Whether it removes documents from the rule.
    is_out: bool,
    /// The absolute paths that it may mean as a name, with `#ID` for a record.
    names: Vec<String>,
    /// The pattern as a glob, with the meaning of the only line of a `.gitignore`.
    glob: Option<Gitignore>,
}

impl RulePattern {
    fn new(text: &str, base: &Path) -> Result<Self> {
        let (plain, is_out) = match text.strip_prefix('!') {
            Some(plain) => (plain, true),
            None => (text, false),
        };
        let failed = |reason: String| Error::Glob {
            glob: text.to_owned(),
            reason,
        };
        if plain.trim().trim_matches('/').is_empty() {
            let reason = "it names nothing; '.' is the folder itself, '*.md' all files of a kind";
            return Err(failed(reason.into()));
        }
        let glob = plain.contains(WILD).then(|| {
            glob(plain, base).map_err(|error| match error {
                ignore::Error::Glob { err, .. } => failed(err),
                other => failed(other.to_string()),
            })
        });
        Ok(Self {
            is_out,
            names: names(plain, base).collect(),
            glob: glob.transpose()?,
        })
    }

    /// Whether it matches the absolute path of a file, a folder the file is in, or its record `FILE#ID`.
    fn matches(&self, file: &str, record: Option<&str>) -> bool {
        let is_it = |name: &String| {
            let rest = file.strip_prefix(name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                || record == Some(name)
        };
        self.names.iter().any(is_it)
            || self.glob.as_ref().is_some_and(|glob| {
                let is_match = |path: &str| {
                    let below = Path::new(path).strip_prefix(glob.path());
                    let mut below = below.into_iter().filter(|it| !it.as_os_str().is_empty());
                    below.any(|it| glob.matched_path_or_any_parents(it, false).is_ignore())
                };
                is_match(file) || record.is_some_and(is_match)
            })
    }
}

/// Returns the glob of a line that is relative to a folder.
fn glob(line: &str, base: &Path) -> std::result::Result<Gitignore, ignore::Error> {
    let (mut root, mut rest) = (PathBuf::from(key(base)), line);
    loop {
        if let Some(below) = rest.strip_prefix("../") {
            root.pop();
            rest = below;
        } else if let Some(below) = rest.strip_prefix("./") {
            rest = below;
        } else {
            break;
        }
    }
    // At the start of a line of a `.gitignore` these two mean something else.
    let escape = if rest.starts_with(['#', '!']) {
        "\\"
    } else {
        ""
    };
    let mut builder = GitignoreBuilder::new(root);
    builder.add_line(None, &format!("{escape}{rest}"))?;
    builder.build()
}

impl Rules {
    /// Adds a rule. `base` is the absolute path of the folder that its names and globs are relative to. Fails with
    /// [`Error::Glob`].
    pub(super) fn add(&mut self, rule: IgnoreRule, base: &Path) -> Result<()> {
        let patterns = rule.documents.iter();
        let patterns = patterns.map(|text| RulePattern::new(text, base));
        self.rules.push(Rule {
            patterns: patterns.collect::<Result<_>>()?,
            rule,
            pairs: 0,
        });
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Notes the documents of a run, and which rules each is in. `base` is the folder that the paths of files are
    /// relative to.
    pub(super) fn documents(&mut self, documents: &[Document], sources: &Sources, base: &Path) {
        if self.is_empty() {
            return;
        }
        let of_document = |(document, source): (&Document, &Source)| {
            let file = &sources.files[source.file as usize];
            let path = key(&place(file, base));
            let id = document.name.strip_prefix(&display_name(file, base));
            let record = id
                .filter(|id| !id.is_empty())
                .map(|id| format!("{path}{id}"));
            let is_in = |rule: &Rule| {
                let mut patterns = rule.patterns.iter().rev();
                let last = patterns.find(|it| it.matches(&path, record.as_deref()));
                last.is_some_and(|last| !last.is_out)
            };
            let rules = self.rules.iter().enumerate();
            rules
                .filter(|(_, rule)| is_in(rule))
                .map(|(at, _)| at)
                .collect()
        };
        let documents = documents.par_iter().zip(&sources.documents);
        self.members = documents.map(of_document).collect();
    }

    /// Whether a rule leaves out the pair of two documents, given by their positions and their relation. Counts the
    /// pair for each rule that both documents are in.
    pub(super) fn leave_out(&mut self, a: usize, b: usize, relation: Relation) -> bool {
        if self.is_empty() {
            return false;
        }
        let both = self.members[a]
            .iter()
            .filter(|rule| self.members[b].contains(rule));
        let mut is_left_out = false;
        for &rule in both {
            if relation == Relation::Exact && self.rules[rule].rule.copies {
                continue;
            }
            self.rules[rule].pairs += 1;
            is_left_out = true;
        }
        is_left_out
    }

    /// Returns how many pairs each rule has left out.
    pub(super) fn left_out(&self) -> impl Iterator<Item = LeftOut> {
        self.rules.iter().map(|Rule { rule, pairs, .. }| LeftOut {
            rule: rule.origin.clone(),
            reason: Some(rule.reason.clone()),
            pairs: *pairs,
        })
    }
}

/// Returns the absolute paths that a name may mean. A name with a leading `/` may begin at the folder, as in
/// ignore files, or be absolute.
fn names(pattern: &str, base: &Path) -> impl Iterator<Item = String> {
    let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
    let absolute = pattern
        .starts_with('/')
        .then(|| key(&place(Path::new(pattern), base)));
    let relative = Path::new(pattern.trim_start_matches('/'));
    [key(&place(relative, base))].into_iter().chain(absolute)
}
