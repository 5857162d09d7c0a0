//! Lines that site generators know and Markdown does not.
//!
//! | program | markup | its text |
//! |---|---|---|
//! | Docusaurus, VitePress, Pandoc | `:::note Title`, `:::tip[Title]{#id}`, `::: {.class}`, `:::` | the title |
//! | mkdocstrings | `::: package.object` | the name; the indented options below do not count |
//! | Learn, Azure DevOps | `::: moniker range=">=2019"` | nothing |
//! | Learn | `:::image source="x" alt-text="text":::` | the alternative text |
//! | MkDocs | `!!! note "Title"`, `??? note`, `=== "Tab"` | the title; the indented lines below are its content |
//! | GitHub, Obsidian, Learn | `> [!NOTE] Title`, `[!INCLUDE [a](b)]` | the title |
//! | VitePress, Python-Markdown, GitLab | `[[toc]]`, `[TOC]`, `[[_TOC_]]` | nothing |
//! | MyST | `(label)=`, `+++ {"part": "end"}` | nothing |
//! | MkDocs, VitePress, kramdown | `--8<-- "file"`, `<<< @/file`, `{::options /}` | nothing |

use crate::extract::has_word;
use crate::extract::markdown::prefix::run_of;
use crate::extract::rst::{self, Shown};

/// The longest name of an included file, in bytes.
const MOST: usize = 400;

/// Returns the text in a line, if it is a line of a site generator. The markers of quotes and lists are removed.
pub(super) fn text_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let first = line.as_bytes().first()?;
    if !matches!(first, b':' | b'[' | b'-' | b';' | b'<' | b'{' | b'(' | b'+') {
        return None;
    }
    let line = line.trim_end();
    match first {
        b':' => container(line),
        b'[' => alert(line).or_else(|| contents(line)),
        b'-' | b';' => line
            .trim_start_matches(';')
            .starts_with("--8<--")
            .then_some(""),
        b'<' => (line.starts_with("<<< ") || line.starts_with("<<<@")).then_some(""),
        b'{' => (line.starts_with("{::") && line.ends_with('}')).then_some(""),
        b'(' => (line.ends_with(")=") && !line.contains(' ')).then_some(""),
        b'+' => line.starts_with("+++ {").then_some(""),
        _ => None,
    }
}

/// Returns the title of the box that a line without its indent opens in MkDocs.
pub(super) fn title_of_box(line: &str) -> Option<&str> {
    if !line.starts_with(['!', '?', '=']) {
        return None;
    }
    let line = line.trim_end();
    let rest = if let Some(rest) = line
        .strip_prefix("!!!")
        .or_else(|| line.strip_prefix("???"))
    {
        let rest = rest.strip_prefix('+').unwrap_or(rest);
        // The kind of the box, in one word or several.
        let kind = rest
            .strip_prefix(' ')
            .filter(|kind| kind.starts_with(|c: char| c.is_alphanumeric() || c == '"'))?;
        &kind[kind.find('"').unwrap_or(kind.len())..]
    } else {
        let rest = line.strip_prefix("===")?;
        let rest = rest.trim_start_matches(['!', '+']);
        rest.strip_prefix(' ')?.strip_prefix('"')?;
        &rest[1..]
    };
    let inner = rest.strip_prefix('"').unwrap_or(rest);
    Some(inner.strip_suffix('"').unwrap_or(inner))
}

/// `:::note Title`
fn container(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(':');
    if line.len() - rest.len() < 3 {
        return None;
    }
    if let Some(whole) = rest.strip_suffix(":::") {
        let (_, text) = whole.split_once("alt-text=\"").unwrap_or_default();
        return Some(text.split('"').next().unwrap_or(""));
    }
    let rest = rest.trim_start();
    let name = rest.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
    let name = name.unwrap_or(rest.len());
    // The name of an object of a program has dots in it.
    if name > 0 && rest[name..].starts_with('.') {
        return Some(rest);
    }
    let rest = rest[name..].trim();
    let title = match rest.strip_prefix('[') {
        Some(title) => title.split(']').next().unwrap_or(title),
        None => rest,
    };
    let title = title.trim_start_matches('|').trim();
    // Attributes come last, and of Pandoc's containers first.
    let title = title.split('{').next().unwrap_or(title);
    let title = match title.find("=\"") {
        Some(value) => title[..value].rsplit_once(' ').unwrap_or_default().0,
        None => title,
    };
    Some(title.trim_end())
}

/// `[!NOTE] Title`
fn alert(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("[!")?;
    let name = rest.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')?;
    if name == 0 {
        return None;
    }
    match rest[name..].strip_prefix(']') {
        Some(title) => Some(title.trim_start_matches(['+', '-']).trim_start()),
        None => Some(line[bracketed(line)?..].trim_start()),
    }
}

/// Returns the place behind the bracket that closes the one with which a text begins.
pub(super) fn bracketed(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let brackets = text.bytes().enumerate().take(MOST);
    for (at, byte) in brackets {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.checked_sub(1)?,
            _ => continue,
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// `[[toc]]`
fn contents(line: &str) -> Option<&str> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let name = inner.trim_matches(['[', ']', '_']);
    name.eq_ignore_ascii_case("toc").then_some("")
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    #[test]
    fn lines_of_generators_have_titles() {
        for [line, text] in table(
            r#":::note 小心 this               | Some("小心 this")
               :::                             | Some("")
               ::::                            | Some("")
               :::tip[A title]{#id .c}         | Some("A title")
               ::: details Click me {open}     | Some("Click me")
               ::: {.callout-note}             | Some("")
               ::: moniker range=">=2019"      | Some("")
               ::: zone A title pivot="a b"    | Some("A title")
               ::: pkg.alpha                   | Some("pkg.alpha")
               :::image type="content" source="a.png" alt-text="A map"::: | Some("A map")
               :::row:::                       | Some("")
               [!NOTE]                         | Some("")
               [!warning]- 折叠                | Some("折叠")
               [!INCLUDE [a b](../c.md)]       | Some("")
               [!INCLUDE[a](../c.md)] 文 [text](d.md) | Some("文 [text](d.md)")
               [!INCLUDE[a](../c.md) 文        | None
               [!div class="x"]                | Some("")
               [[toc]]                         | Some("")
               [TOC]                           | Some("")
               [[_TOC_]]                       | Some("")
               --8<-- "a.md"                   | Some("")
               <<< @/snippets/a.js{2}          | Some("")
               {::options parse="true" /}      | Some("")
               (a-label)=                      | Some("")
               +++ {"tags": []}              | Some("")
               (a b)=                          | None
               +++                             | None
               [!](x)                          | None
               [topic]                         | None
               ::                              | None
               --8                             | None
               <<<                             | None"#,
        ) {
            assert_eq!(format!("{:?}", text_of(line)), text, "{line}");
        }
        for (line, title) in [
            ("!!! note", Some("")),
            ("!!! note inline \"标题 one\"", Some("标题 one")),
            ("??? tip", Some("")),
            ("???+ tip \"x\"", Some("x")),
            ("=== \"Linux\"", Some("Linux")),
            ("=====", None),
            ("!!!", None),
            ("??? ", None),
            ("!!! !", None),
        ] {
            assert_eq!(title_of_box(line), title, "{line}");
        }
    }
}
