//! LaTeX to its text: commands and settings are left out, and the text that a reader sees stays on its line.
//!
//! Titles, captions, items, notes, formulas without their commands and code count. Comments, labels, references, files,
//! and everything before `\begin{document}` but the title, and behind `\end{document}`, do not. No command is defined or
//! expanded. The groups of unknown commands are text.

use crate::extract::MarkedText;
use crate::extract::lined::Lined;
use dupfind_engine::text::blocks::BlockKind;

/// Commands, each with how many of the groups behind it are no text.
const COMMANDS: [(usize, &str); 3] = [
    (
        1,
        "label ref eqref pageref autoref nameref cref Cref cite citep citet citeauthor citeyear parencite textcite autocite nocite \
         usepackage RequirePackage documentclass input include includeonly includegraphics bibliography bibliographystyle \
         addbibresource url path href color textcolor colorbox index glossary pagestyle thispagestyle vspace hspace \
         bibitem hyphenation graphicspath end selectlanguage foreignlanguage fontsize linespread vskip hskip pagenumbering phantom \
         hphantom vphantom raisebox makebox parbox texorpdfstring setcounter addtocounter stepcounter refstepcounter \
         hypertarget hyperlink arabic roman Roman alph Alph",
    ),
    (
        2,
        "def setlength addtolength newcounter definecolor newtheorem newcommand renewcommand providecommand DeclareMathOperator \
         DeclareRobustCommand resizebox multicolumn multirow addcontentsline numberwithin rule",
    ),
    (3, "newenvironment renewenvironment"),
];

/// Environments whose `\begin` has a group that is no text, and those in which no command is looked for.
const WITH_GROUP: &str = "tabular tabular* tabularx longtable array minipage multicols wrapfigure thebibliography list adjustwidth";
const VERBATIM: &str = "verbatim verbatim* Verbatim lstlisting minted alltt comment tikzpicture";

/// Returns the text of a document. Code may be left out.
pub(super) fn extract(content: &str, skips_code: bool) -> MarkedText {
    let mut reader = Reader {
        content,
        at: 0,
        skips_code,
        text: Lined::beside(content),
    };
    const BEGIN: &str = "\\begin{document}";
    if let Some(begin) = content.find(BEGIN) {
        if let Some(title) = content[..begin].find("\\title") {
            reader.at = title + "\\title".len();
            let end = reader.group_end().unwrap_or(reader.at);
            reader.text.begin(BlockKind::Heading);
            reader.read(end);
        }
        reader.at = begin + BEGIN.len();
    }
    reader.begin(BlockKind::Paragraph);
    reader.read(content.len());
    reader.text.finish()
}

struct Reader<'c> {
    content: &'c str,
    at: usize,
    skips_code: bool,
    text: Lined<'c>,
}

impl<'c> Reader<'c> {
    fn begin(&mut self, kind: BlockKind) {
        self.text.reach(self.at);
        self.text.begin(kind);
    }

    fn rest(&self) -> &'c str {
        &self.content[self.at..]
    }

    /// Writes text on its line.
    fn push(&mut self, text: &str) {
        self.text.reach(self.at);
        self.text.push(text);
    }

    /// Reads up to a place.
    fn read(&mut self, end: usize) {
        while self.at < end {
            let rest = self.rest();
            let Some(c) = rest.chars().next() else {
                return;
            };
            match c {
                '\\' => self.command(),
                '%' => self.at += rest.find('\n').unwrap_or(rest.len()),
                '{' | '}' | '$' => self.at += 1,
                '~' | '&' => {
                    self.push(" ");
                    self.at += 1;
                }
                '\n' => {
                    self.at += 1;
                    let line = self.rest().split('\n').next().unwrap_or_default();
                    if line.trim().is_empty() {
                        self.begin(BlockKind::Paragraph);
                    }
                }
                _ => {
                    let special = |c: char| "\\%{}$~&\n".contains(c);
                    let length = rest.find(special).unwrap_or(rest.len());
                    self.push(&rest[..length]);
                    self.at += length;
                }
            }
        }
    }

    /// Reads a command, which begins with a backslash.
    fn command(&mut self) {
        let rest = &self.rest()[1..];
        let letters = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let (name, is_word) = match letters {
            0 => (
                rest.get(..rest.chars().next().map_or(0, char::len_utf8))
                    .unwrap_or_default(),
                false,
            ),
            _ => (&rest[..letters], true),
        };
        if let Some(accent) = accent(name) {
            let open = |c: char| c == '{' || (is_word && c.is_whitespace());
            let behind = rest[name.len()..].trim_start_matches(open);
            if let Some(letter) = behind.chars().next().filter(|c| c.is_alphabetic()) {
                self.push(&format!("{letter}{accent}"));
                self.at += 1 + (rest.len() - behind.len()) + letter.len_utf8();
                return;
            }
        }
        self.at += 1 + name.len();
        if !is_word {
            match name {
                "&" | "%" | "$" | "#" | "_" | "{" | "}" => self.push(name),
                "\\" | "," | ";" | ":" | " " | "\n" => self.push(" "),
                _ => {}
            }
            // The line end of `\` at the end of a line.
            if name == "\n" {
                self.at -= 1;
            }
            return;
        }
        self.at += usize::from(self.rest().starts_with('*'));
        match name {
            "begin" => return self.environment(),
            "item" => self.begin(BlockKind::ListItem),
            "part" | "chapter" | "section" | "subsection" | "subsubsection" | "paragraph"
            | "title" => {
                self.begin(BlockKind::Heading);
            }
            "caption" => self.begin(BlockKind::Caption),
            "end" if self.rest().starts_with("{document}") => {
                self.at = self.content.len();
                return;
            }
            "par" => self.begin(BlockKind::Paragraph),
            "verb" => return self.verb(),
            "footnote" | "thanks" | "quad" | "qquad" | "newline" | "linebreak" => self.push(" "),
            "textbackslash" => self.push("\\"),
            "ss" => self.push("ß"),
            "ae" => self.push("æ"),
            "oe" => self.push("œ"),
            "o" => self.push("ø"),
            "l" => self.push("ł"),
            "i" => self.push("i"),
            name if name.ends_with("TeX") => self.push(name),
            // Their groups are text, also `\texttt{PATH=/bin}`. Pandoc writes code with commands such as `\StringTok`.
            name if name.starts_with("text") || name.ends_with("Tok") || name == "emph" => {}
            _ => {
                self.skip_options();
                let end = self.group_end();
                if let Some(end) = end.filter(|&end| is_settings(&self.content[self.at + 1..end])) {
                    self.at = end;
                    return;
                }
            }
        }
        // In brackets are options, but for the words of an item.
        if name != "item" {
            self.skip_options();
        }
        let mut known = COMMANDS
            .iter()
            .filter(|(_, names)| super::has_word(names, name));
        for _ in 0..known.next().map_or(0, |(groups, _)| *groups) {
            self.skip_options();
            match self.group_end() {
                Some(end) => self.at = end,
                // `\newcommand\name{...}`
                None if self.rest().starts_with('\\') => {
                    let rest = &self.rest()[1..];
                    self.at += 1 + rest
                        .find(|c: char| !c.is_alphabetic())
                        .unwrap_or(rest.len());
                }
                None => break,
            }
        }
    }

    /// Reads the rest of a `\begin`.
    fn environment(&mut self) {
        let Some(end) = self.group_end() else {
            return;
        };
        let name = self.content[self.at..end].trim_matches(['{', '}']);
        self.at = end;
        self.skip_options();
        if super::has_word(VERBATIM, name) {
            let close = format!("\\end{{{name}}}");
            let end = self
                .rest()
                .find(&close)
                .map_or(self.content.len(), |at| self.at + at);
            if !self.skips_code && !matches!(name, "comment" | "tikzpicture") {
                self.begin(BlockKind::Code);
                self.text.copy(self.at, end);
            }
            self.at = (end + close.len()).min(self.content.len());
            self.begin(BlockKind::Paragraph);
        } else if super::has_word(WITH_GROUP, name) {
            while let Some(end) = self.group_end() {
                self.at = end;
            }
        }
    }

    /// Reads the rest of a `\verb`.
    fn verb(&mut self) {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or_default();
        let Some(mark) = line.chars().next() else {
            return;
        };
        let inner = &line[mark.len_utf8()..];
        if let Some(end) = inner.find(mark) {
            self.push(&inner[..end]);
            self.at += end + 2 * mark.len_utf8();
        }
    }

    /// Skips `[options]`.
    fn skip_options(&mut self) {
        let head = super::head(self.rest(), MOST);
        if head.starts_with('[')
            && let Some(end) = head.find(']')
            && !head[..end].contains("\n\n")
        {
            self.at += end + 1;
        }
    }

    /// Returns where a group ends that begins here, behind its brace.
    fn group_end(&self) -> Option<usize> {
        let head = super::head(self.rest(), MOST);
        if !head.starts_with('{') {
            return None;
        }
        let (mut depth, mut is_escaped) = (0_usize, false);
        for (at, byte) in head.bytes().enumerate() {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(self.at + at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// Returns whether the content of a group is `key = value`, behind white space.
fn is_settings(group: &str) -> bool {
    let (key, _) = group.split_once('=').unwrap_or_default();
    let key = key.trim();
    key.len() > 1
        && key
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || b" -_/.".contains(&c))
}

/// How many bytes a group that is no text may have.
const MOST: usize = 4 << 10;

/// Returns the accent of a command, which follows its letter in Unicode.
fn accent(name: &str) -> Option<char> {
    Some(match name {
        "'" => '\u{301}',
        "`" => '\u{300}',
        "^" => '\u{302}',
        "\"" => '\u{308}',
        "~" => '\u{303}',
        "=" => '\u{304}',
        "." => '\u{307}',
        "u" => '\u{306}',
        "v" => '\u{30c}',
        "H" => '\u{30b}',
        "c" => '\u{327}',
        "k" => '\u{328}',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::extract::cases::check;
    use crate::format::Format;

    #[test]
    fn commands_are_left_out_and_text_stays() {
        let table = r##"
the title counts, and what is between begin and end
\documentclass[a4paper]{article}⏎\title{The \emph{old} pier}⏎\begin{document}⏎text⏎\end{document} →⏎The old pier⏎⏎text⏎
what is behind the end
\begin{document}⏎\verb|\end{document}| a % \end{document}⏎b⏎\end{document}⏎hidden →⏎\end{document} a⏎b⏎⏎
names of programs
\LaTeX{} and Xe\TeX{} with \LuaLaTeX → LaTeX and XeTeX with LuaLaTeX
settings
\newgeometry{⏎  left = 2in,⏎}a →⏎⏎a
\section{Work = force by way} → Work = force by way
\texttt{PATH=/bin} and \emph{long = wide} → PATH=/bin and long = wide
groups that are no text
\section{Ferries}\label{sec:x}⏎see \ref{x} and~\cite[p.~3]{y} → Ferries⏎see  and
\href{http://a.b}{the page} \textcolor{red}{is red} → the page is red
\newcommand{\x}[1]{hidden #1}a \newcommand\y{hidden} b → a  b
\hypertarget{hidden}{%⏎\section{Ferries}} →⏎Ferries
\def\labelenumi{\arabic{enumi}.}a \arabic{hidden}b → a b
comments
a % hidden⏎b 5\% → a⏎b 5%
accents
Caf\'e na\"{\i}ve \v Skoda → Café naive Škoda
lists and tables
\begin{itemize}⏎\item one⏎\item[two] 2⏎\end{itemize} →⏎ one⏎[two] 2⏎
\begin{tabular}{l|r}⏎a & b \\⏎\end{tabular} →⏎a   b⏎
code
\begin{verbatim}⏎\x{y}⏎\end{verbatim}⏎a →⏎\x{y}⏎⏎a
\verb|\x{y}| a → \x{y} a
\begin{comment}⏎hidden⏎\end{comment}⏎a →⏎⏎⏎a
"##;
        check(Format::Latex, false, table);
        check(
            Format::Latex,
            true,
            r"\begin{lstlisting}[language=C]⏎x⏎\end{lstlisting}⏎a →⏎⏎⏎a",
        );
    }
}
