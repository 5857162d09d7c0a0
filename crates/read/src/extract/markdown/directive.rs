//! The directives of MyST in Markdown: which are text, and which are not shown.

use crate::extract::has_word;
use crate::extract::markdown::prefix::run_of;
use crate::extract::rst::{self, Shown};

/// The first line of a directive of MyST: `` ```{name} argument ``, `:::{name} argument`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Directive<'l> {
    /// The length of its fence; 0 if colons are one.
    pub(super) fence: usize,
    pub(super) content: Shown,
    /// Its argument, if that is text.
    pub(super) argument: &'l str,
}

/// Directives with text in them. The names of others may be languages: R Markdown writes code so.
const DIRECTIVES: &str = "admonition algorithm aside assumption attention axiom card caution conjecture container corollary \
                          danger definition deprecated details div dropdown epigraph error example exercise figure figure-md \
                          glossary grid grid-item grid-item-card hint image important lemma list-table margin note observation \
                          proof property proposition pull-quote remark rubric seealso sidebar solution tab-item tab-set table \
                          theorem tip todo topic versionadded versionchanged warning";

impl<'l> Directive<'l> {
    /// Returns the directive that a line begins; `None` if it begins none, or one whose name may be a language.
    pub(super) fn of(content: &'l str) -> Option<Self> {
        let byte = *content
            .as_bytes()
            .first()
            .filter(|byte| b"`~:".contains(byte))?;
        let run = run_of(byte, content);
        let (name, argument) = content[run..].strip_prefix('{')?.split_once('}')?;
        // The domain of theorems and proofs.
        let name = name.strip_prefix("prf:").unwrap_or(name);
        let has_text = has_word(DIRECTIVES, name);
        let content = match has_text {
            true => Shown::Text,
            false => rst::content(name),
        };
        let is_known = run >= 3 && (content != Shown::Text || has_text);
        let argument = argument.trim();
        is_known.then_some(Self {
            fence: if byte == b':' { 0 } else { run },
            content,
            argument: if rst::shows_argument(name, content) {
                argument
            } else {
                ""
            },
        })
    }
}
