//! Removes from a source the parts that are not Markdown, before it is parsed: front matter, and those that site generators
//! add.
//!
//! Every line of the source becomes one line, so both have the same lines. Only the parser knows what is code. A reader sees
//! code as it was written, so the lines that are changed are kept, and code has them again. Jekyll and Hugo replace
//! shortcodes in there too, but a page may also be about them, and losing text is worse than keeping a little markup.
//!
//! How deep blocks can nest is limited as well, because the parser looks at all open blocks for every line.

use std::ops::Range;

use memchr::memchr_iter;

use crate::extract::front_matter::FrontMatter;
use crate::extract::has_word;
use crate::extract::markdown::block::{Directive, text_of, title_of_box};
use crate::extract::markdown::inline::{Inline, MARK};
use crate::extract::markdown::jsx;
use crate::extract::markdown::prefix::{Prefix, column_of, is_fence, run_of, without_indent};
use crate::extract::rst::{self, Shown};

/// How many columns the markers of a line may have. Text further to the right belongs to the line before.
const MAX_COLUMNS: usize = 200;

/// How many declarations may have brackets that nothing closes. After them no declarations are looked for.
const MAX_UNCLOSED: usize = 8;

/// How many boxes of MkDocs may be in each other.
const MAX_BOXES: usize = 16;

/// The fence that replaces a block shortcode for code. It closes no code between backticks, and nothing in the code closes it.
const FENCE: &str = "~~~~~~~~~~~~~~~~";

/// Returns whether the blocks of a source nest no deeper than the parser can bear.
pub(super) fn is_shallow(source: &str) -> bool {
    let columns = |line| Prefix::of(line).column;
    source.lines().all(|line| columns(line) <= MAX_COLUMNS)
}

/// A document for the parser of Markdown.
#[derive(Debug)]
pub(super) struct Prepared<'s> {
    pub(super) text: String,
    /// The places of the lines that are not the same as in the source, and how these are in code.
    pub(super) replaced: Vec<(Range<usize>, &'s str)>,
}

/// Returns the rest of a document, which may be MDX, for the parser of Markdown.
pub(super) fn prepare(content: &str, is_mdx: bool) -> Prepared<'_> {
    let mut prepare = Prepare {
        source: content,
        is_mdx,
        inline: Inline::of(content, is_mdx),
        out: String::with_capacity(content.len()),
        replaced: Vec::new(),
        line_at: 0,
        goes_on: FrontMatter::of(content).end(),
        is_highlighted: false,
        boxes: Vec::new(),
        directives: Vec::new(),
        options: None,
        is_after_blank: true,
        is_declared: false,
        unclosed: 0,
    };
    let mut start = 0;
    for end in memchr_iter(b'\n', content.as_bytes()).chain([content.len()]) {
        prepare.line(start, content[start..end].trim_end_matches('\r'));
        if end < content.len() {
            prepare.out.push('\n');
        }
        prepare.line_at = prepare.out.len();
        start = end + 1;
    }
    Prepared {
        text: prepare.out,
        replaced: prepare.replaced,
    }
}

#[derive(Debug)]
struct Prepare<'s> {
    source: &'s str,
    is_mdx: bool,
    inline: Inline<'s>,
    out: String,
    replaced: Vec<(Range<usize>, &'s str)>,
    /// Where the current line begins in it.
    line_at: usize,
    /// Everything before this place is removed.
    goes_on: usize,
    /// Whether a block shortcode for code is open.
    is_highlighted: bool,
    /// The columns where the contents of open boxes begin.
    boxes: Vec<usize>,
    /// The fences of open directives of MyST that have text in them.
    directives: Vec<&'s str>,
    /// Whether the options of a directive may follow, and whether they are YAML.
    options: Option<bool>,
    is_after_blank: bool,
    /// Whether the line before was a declaration.
    is_declared: bool,
    /// How many declarations nothing closed.
    unclosed: usize,
}

impl<'s> Prepare<'s> {
    /// Reads a line, by the place where it begins.
    fn line(&mut self, start: usize, line: &'s str) {
        if let Some(original) = self.write(start, line)
            && self.out[self.line_at..] != *original
        {
            self.replaced.push((self.line_at..self.out.len(), original));
        }
    }

    /// Writes a line without markup of site generators. Returns it as it is in code, where it has no options.
    fn write(&mut self, start: usize, line: &'s str) -> Option<&'s str> {
        let end = start + line.len();
        if start < self.goes_on {
            if end <= self.goes_on {
                self.is_after_blank = !self.inline.write_shown(end, &mut self.out);
            } else {
                let from = self.goes_on;
                // So the line stays in its list, and is no code.
                let indent = line.len() - line.trim_start_matches(' ').len();
                self.out.push_str(&line[..indent.min(3)]);
                self.inline.write_shown(from, &mut self.out);
                self.rest(from, end, 0);
            }
            return Some(line);
        }
        if line.trim_start().is_empty() {
            self.is_after_blank = true;
            if self.options == Some(false) {
                self.options = None;
            }
            return None;
        }
        let line = self.in_boxes(line);
        let prefix = Prefix::of(line);
        if self.option(&line[prefix.len..]) {
            return None;
        }
        self.text(end - line.len(), line, &prefix);
        self.is_after_blank = false;
        Some(line)
    }

    /// Writes a line that is not blank.
    fn text(&mut self, from: usize, line: &str, prefix: &Prefix) {
        let content = &line[prefix.len..];
        let is_first = self.is_after_blank || self.is_declared;
        let declared = match is_first && prefix.len == 0 {
            true => self.declaration(from, content),
            false => None,
        };
        self.is_declared = declared.is_some();
        if let Some(close) = declared {
            self.goes_on = close;
            return;
        }
        let end = from + line.len();
        let at = from + prefix.len;
        let directive = Directive::of(content).filter(|_| !self.is_mdx);
        self.options = directive.is_some().then_some(false);
        let text = if let Some(text) = self.text_of_directive(at, content, directive) {
            text
        } else {
            if let Some(fence) = self.fence(at, content) {
                self.mark(line, prefix, true);
                self.out.push_str(fence);
                return;
            }
            self.text_of_generator(line, prefix).unwrap_or(content)
        };
        self.mark(line, prefix, false);
        let written = self.out.len();
        let at = match text {
            "" => end,
            text => at + (text.as_ptr().addr() - content.as_ptr().addr()),
        };
        let options = self.options_of_object(content, end, prefix);
        self.rest(at, at + text.len(), written);
        // A tag may go on behind the text that is read.
        self.inline.write_shown(end, &mut self.out);
        self.goes_on = self.goes_on.max(options.unwrap_or(0));
    }

    /// Reads an option of a directive: `:name: value`, or a line of YAML between `---`.
    fn option(&mut self, content: &str) -> bool {
        let Some(is_yaml) = self.options.take() else {
            return false;
        };
        let content = content.trim_end();
        let is_option = match content {
            "---" => {
                self.options = (!is_yaml).then_some(true);
                return true;
            }
            _ if is_yaml => !["```", "~~~", ":::"].contains(&content.get(..3).unwrap_or_default()),
            _ => rst::field(content).is_some(),
        };
        self.options = is_option.then_some(is_yaml);
        if let Some((_, shown)) =
            rst::field(content).filter(|(name, _)| has_word(rst::SHOWN_OPTIONS, name))
        {
            self.out.push_str(shown);
        }
        is_option
    }

    /// Returns the text in a line that begins or ends a directive with text in it.
    fn text_of_directive<'l>(
        &mut self,
        at: usize,
        content: &'l str,
        directive: Option<Directive<'l>>,
    ) -> Option<&'l str> {
        let line = content.trim_end();
        let closes =
            |open: &&str| line.starts_with(open) && run_of(open.as_bytes()[0], line) == line.len();
        if self.directives.last().is_some_and(closes) {
            self.directives.pop();
            return Some("");
        }
        let directive = directive.filter(|directive| directive.content == Shown::Text)?;
        // Lines of colons are no code, wherever they are.
        if directive.fence != 0 {
            self.directives.push(&self.source[at..at + directive.fence]);
        }
        Some(directive.argument)
    }

    /// Returns the text in a line that has a meaning for a site generator and none in Markdown.
    fn text_of_generator<'l>(&mut self, line: &'l str, prefix: &Prefix) -> Option<&'l str> {
        let (markers, content) = line.split_at(prefix.len);
        let title = title_of_box(content)
            .filter(|_| self.boxes.len() < MAX_BOXES && !markers.contains('>'));
        if title.is_some() {
            let removed = 4 * self.boxes.len();
            self.boxes.push(prefix.column + removed + 4);
        }
        title.or_else(|| text_of(content))
    }

    /// Writes the rest of a part of a line. `written` is the length of the text with the markers of the line.
    fn rest(&mut self, from: usize, end: usize, written: usize) {
        let line = self.line_at;
        let written = written.max(line);
        self.goes_on = self.inline.rewrite(from, end, &mut self.out).max(end);
        let is_blank = |c: char| c.is_whitespace() || MARK.starts_with(c);
        if self.out[written..].chars().all(is_blank) {
            // Quotes go on, and so does code, from which the parser removes the indent of the blocks around it.
            let markers = &self.out[line..written];
            let kept = markers.find(|c| ![' ', '\t', '>'].contains(&c));
            self.out.truncate(line + kept.unwrap_or(markers.len()));
            self.is_after_blank = true;
        }
    }

    /// Writes the markers of a line, unless they are too many.
    fn mark(&mut self, line: &str, prefix: &Prefix, is_fence: bool) {
        if prefix.column > MAX_COLUMNS {
            return;
        }
        let markers = &line[..prefix.len];
        // MDX has no indented code, so indents are left out. A fence then is outside of lists.
        let markers = match (self.is_mdx, is_fence && !markers.contains('>')) {
            (true, true) => "",
            (true, false) => markers.trim_start(),
            (false, _) => markers,
        };
        self.out.push_str(markers);
    }

    /// Returns a line without the indent of the boxes around it.
    fn in_boxes<'l>(&mut self, line: &'l str) -> &'l str {
        if self.boxes.is_empty() {
            return line;
        }
        let indent = column_of(line);
        while self.boxes.last().is_some_and(|&column| indent < column) {
            self.boxes.pop();
        }
        without_indent(line, 4 * self.boxes.len())
    }

    /// Returns the fence that a line is, or one for the block shortcode for code that it begins or ends.
    fn fence<'l>(&mut self, at: usize, content: &'l str) -> Option<&'l str> {
        if is_fence(content) {
            return Some(content.trim_end());
        }
        let (open, word) = match content.starts_with("{%") {
            true => ("{%", "endhighlight"),
            false => ("{{", "/highlight"),
        };
        let name = content.strip_prefix(open)?.trim_end().strip_suffix('}')?;
        let name = name.trim_start_matches(['<', '%', '-', ' ']);
        let is_part = match self.is_highlighted {
            true => name.starts_with(word),
            false => name.starts_with("highlight ") && self.inline.ahead.behind(word, at).is_some(),
        };
        self.is_highlighted ^= is_part;
        is_part.then_some(FENCE)
    }

    /// Returns the end of the declaration of MDX that begins with a line, if there is one.
    fn declaration(&mut self, at: usize, line: &str) -> Option<usize> {
        let is_import = line.starts_with("import ");
        if !self.is_mdx {
            return (is_import && names_a_file(line)).then_some(at + line.len());
        }
        let is_declared = is_import || line.starts_with("export ");
        if !is_declared || self.unclosed >= MAX_UNCLOSED {
            return None;
        }
        let declared = jsx::declaration(self.source, at);
        self.unclosed += usize::from(declared.is_err());
        Some(declared.unwrap_or_else(|end| end))
    }

    /// Returns the end of the options of an object of mkdocstrings, which are indented lines of YAML below its line.
    fn options_of_object(&self, content: &str, end: usize, prefix: &Prefix) -> Option<usize> {
        if !content.starts_with(":::") {
            return None;
        }
        let mut below = self.source[end..].split_inclusive('\n');
        let line_end = below.next()?;
        let column = prefix.column + 4 * self.boxes.len() + 4;
        let is_option = |line: &&str| !line.trim().is_empty() && column_of(line) >= column;
        let mut options = below.take_while(is_option).peekable();
        let (first, _) = options.peek()?.trim_start().split_once(':')?;
        has_word("handler options rendering selection", first)
            .then(|| end + line_end.len() + options.map(str::len).sum::<usize>())
    }
}

/// Returns whether a line that begins as an import of JavaScript also ends as one. No sentence does.
fn names_a_file(line: &str) -> bool {
    let line = line.trim_end().trim_end_matches(';');
    let mut parts = line.rsplitn(3, ['"', '\'']);
    let (last, file, before) = (parts.next(), parts.next(), parts.next());
    let before = before.unwrap_or("").trim_end();
    last == Some("")
        && file.is_some_and(|file| !file.contains(' '))
        && (before == "import" || before.ends_with(" from") || before.ends_with("}from"))
}
