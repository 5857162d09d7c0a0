//! Removes from a source the parts that are not Markdown, before it is parsed: front matter, comments, and those that site
//! generators add.
//!
//! Every line of the source becomes one line, so both have the same lines. Fenced and indented code stays as it is,
//! since a reader sees it so. Jekyll and Hugo replace shortcodes in there too, but a page may also be about
//! them, and losing text is worse than keeping a little markup.
//!
//! How deep blocks can nest is limited as well, because the parser looks at all open blocks for every line.

use memchr::memchr_iter;

use crate::extract::markdown::block::{Directive, text_of, title_of_box};
use crate::extract::markdown::inline::{Inline, MARK};
use crate::extract::markdown::jsx;
use crate::extract::markdown::prefix::{Prefix, column_of, run_of, without_indent};
use crate::extract::rst::{self, Shown};
use crate::extract::{front_matter, has_word};

/// How many columns the markers of a line may have. Text further to the right belongs to the line before.
const MAX_COLUMNS: usize = 200;

/// How many declarations may have brackets that nothing closes, until their ends are no longer looked for.
const MAX_UNCLOSED: usize = 8;

/// How many boxes of MkDocs may be in each other.
const MAX_BOXES: usize = 16;

/// The fence that replaces a block shortcode for code. Nothing in the code closes it.
const FENCE: &str = "````````````````";

/// Returns whether the blocks of a source nest no deeper than the parser can bear.
pub(super) fn is_shallow(source: &str) -> bool {
    let columns = |line| Prefix::of(line).column;
    source.lines().all(|line| columns(line) <= MAX_COLUMNS)
}

/// Returns the rest of a document, which may be MDX, for the parser of Markdown.
pub(super) fn prepare(content: &str, is_mdx: bool) -> String {
    let mut prepare = Prepare {
        source: content,
        is_mdx,
        inline: Inline::of(content, is_mdx),
        out: String::with_capacity(content.len()),
        line_at: 0,
        goes_on: front_matter::end(content),
        fence: None,
        boxes: Vec::new(),
        lists: Vec::new(),
        directives: Vec::new(),
        options: None,
        is_after_blank: true,
        is_declared: false,
        unclosed: 0,
    };
    let mut start = 0;
    for end in memchr_iter(b'\n', content.as_bytes()) {
        prepare.line(start, without_returns(&content[start..end]));
        prepare.out.push('\n');
        prepare.line_at = prepare.out.len();
        start = end + 1;
    }
    if start < content.len() {
        prepare.line(start, without_returns(&content[start..]));
    }
    prepare.out
}

/// Returns a line without the carriage returns at its end.
fn without_returns(line: &str) -> &str {
    match line.as_bytes().last() {
        Some(b'\r') => line.trim_end_matches('\r'),
        _ => line,
    }
}

/// Code between two lines.
#[derive(Debug)]
struct Fence {
    closed_by: ClosedBy,
    /// How many quotes and boxes are around it, and its least indent. It ends with them.
    quotes: usize,
    boxes: usize,
    column: usize,
    /// Whether a reader sees it.
    is_shown: bool,
}

#[derive(Debug)]
enum ClosedBy {
    Run(u8, usize),
    Word(&'static str),
}

#[derive(Debug)]
struct Prepare<'s> {
    source: &'s str,
    is_mdx: bool,
    inline: Inline<'s>,
    out: String,
    /// Where the current line begins in it.
    line_at: usize,
    /// Everything before this place is removed.
    goes_on: usize,
    fence: Option<Fence>,
    /// The columns where the contents of open boxes begin.
    boxes: Vec<usize>,
    /// The columns where the contents of open lists begin.
    lists: Vec<usize>,
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
    fn line(&mut self, start: usize, line: &str) {
        let end = start + line.len();
        if start < self.goes_on && end <= self.goes_on {
            self.is_after_blank = !self.inline.write_shown(end, &mut self.out);
            return;
        }
        let is_cut = start < self.goes_on;
        let from = if is_cut { self.goes_on } else { start };
        if is_cut {
            self.inline.write_shown(from, &mut self.out);
            // Behind a comment no indent makes code.
            return self.rest(from, end, 0);
        }
        if line.trim_start().is_empty() {
            self.is_after_blank = true;
            if self.options == Some(false) {
                self.options = None;
            }
            return;
        }
        let line = self.in_boxes(line);
        let prefix = Prefix::of(line);
        if self.option(&line[prefix.len..]) || self.in_fence(line, &prefix) {
            return;
        }
        let from = end - line.len();
        self.text(from, line, &prefix);
        self.is_after_blank = false;
    }

    /// Reads a line that is neither blank nor code between fences.
    fn text(&mut self, from: usize, line: &str, prefix: &Prefix) {
        if self.is_indented_code(prefix) {
            self.out.push_str(line);
            // The next line of it is code too.
            self.is_after_blank = true;
            return;
        }
        if prefix.is_item {
            self.leave_lists(prefix.marker);
            self.lists.push(prefix.column);
        }
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
            if let Some(closed_by) = self.fence_of(at, content) {
                let is_shown =
                    directive.is_none_or(|directive| directive.content != Shown::Nothing);
                self.begin_fence(line, prefix, closed_by, is_shown);
                return;
            }
            self.text_of_generator(content, prefix).unwrap_or(content)
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
        if self
            .directives
            .last()
            .is_some_and(|open| line.starts_with(open))
            && is_run(line)
        {
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

    /// Returns whether a line is indented so far that it is code. Lists end before a line of a smaller indent.
    fn is_indented_code(&mut self, prefix: &Prefix) -> bool {
        if self.is_after_blank {
            self.leave_lists(prefix.indent);
        }
        let content = self.lists.last().copied().unwrap_or(0);
        !self.is_mdx && self.is_after_blank && prefix.quotes == 0 && prefix.indent >= content + 4
    }

    /// Ends the lists whose contents begin to the right of a column.
    fn leave_lists(&mut self, column: usize) {
        while self.lists.last().is_some_and(|&content| column < content) {
            self.lists.pop();
        }
    }

    /// Writes the first line of code between two lines.
    fn begin_fence(&mut self, line: &str, prefix: &Prefix, closed_by: ClosedBy, is_shown: bool) {
        if is_shown {
            self.mark(line, prefix, true);
            let is_replaced = matches!(closed_by, ClosedBy::Word(_));
            let content = &line[prefix.len..];
            self.out.push_str(if is_replaced { FENCE } else { content });
        }
        let mut lists = self.lists.iter().rev();
        let column = lists.find(|&&column| column <= prefix.column);
        self.fence = Some(Fence {
            closed_by,
            quotes: prefix.quotes,
            boxes: self.boxes.len(),
            column: column.copied().unwrap_or(0).min(prefix.column),
            is_shown,
        });
    }

    /// Returns the text in a line that has a meaning for a site generator and none in Markdown.
    fn text_of_generator<'l>(&mut self, content: &'l str, prefix: &Prefix) -> Option<&'l str> {
        let title =
            title_of_box(content).filter(|_| self.boxes.len() < MAX_BOXES && prefix.quotes == 0);
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
            let is_quoted = self.out[line..written].contains('>');
            self.out.truncate(if is_quoted { written } else { line });
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
        let markers = match (self.is_mdx, is_fence && prefix.quotes == 0) {
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

    /// Returns whether a line belongs to the code that is open, and writes it then. The code may end with it.
    fn in_fence(&mut self, line: &str, prefix: &Prefix) -> bool {
        let Some(fence) = &self.fence else {
            return false;
        };
        let is_within = prefix.quotes >= fence.quotes
            && self.boxes.len() >= fence.boxes
            && (fence.quotes > 0 || prefix.indent >= fence.column);
        if !is_within {
            self.fence = None;
            return false;
        }
        let marker = line.bytes().position(|b| !matches!(b, b' ' | b'\t' | b'>'));
        let content = &line[marker.unwrap_or(line.len())..];
        let last = match fence.closed_by {
            ClosedBy::Run(byte, least) => {
                let (run, rest) = content.split_at(run_of(byte, content));
                (run.len() >= least && rest.trim_start().is_empty()).then_some(run)
            }
            ClosedBy::Word(word) => {
                let is_last = content.starts_with('{') && content.contains(word);
                is_last.then_some(FENCE)
            }
        };
        let is_shown = fence.is_shown;
        if last.is_some() {
            self.fence = None;
        }
        match last {
            _ if !is_shown => {}
            None => self.out.push_str(line),
            Some(last) => {
                self.mark(line, prefix, true);
                self.out.push_str(last);
            }
        }
        true
    }

    /// Returns the end of the code that a line begins, if it begins any. Its markers are removed.
    fn fence_of(&mut self, at: usize, content: &str) -> Option<ClosedBy> {
        let byte = content.bytes().next()?;
        if matches!(byte, b'`' | b'~') {
            let run = run_of(byte, content);
            let info = &content[run..];
            return (run >= 3 && (byte == b'~' || !info.contains('`')))
                .then_some(ClosedBy::Run(byte, run));
        }
        if byte != b'{' {
            return None;
        }
        let content = content.trim_end();
        let name = content
            .strip_prefix("{%")
            .or_else(|| content.strip_prefix("{{<"))
            .or_else(|| content.strip_prefix("{{%"))?;
        if !name
            .trim_start_matches(['-', ' '])
            .starts_with("highlight ")
            || !content.ends_with('}')
        {
            return None;
        }
        let word = match content.starts_with("{%") {
            true => "endhighlight",
            false => "/highlight",
        };
        let end = self.inline.ahead.behind(word, at);
        end.map(|_| ClosedBy::Word(word))
    }

    /// Returns the end of the declaration of MDX that begins with a line, if there is one.
    fn declaration(&mut self, at: usize, line: &str) -> Option<usize> {
        let is_import = line.starts_with("import ");
        if !self.is_mdx {
            return (is_import && names_a_file(line)).then_some(at + line.len());
        }
        if !is_import && !line.starts_with("export ") {
            return None;
        }
        let lines = self.source[at..].split_inclusive('\n');
        let paragraph = lines.take_while(|line| !line.trim().is_empty());
        let end = || at + paragraph.map(str::len).sum::<usize>();
        if self.unclosed >= MAX_UNCLOSED {
            return Some(end());
        }
        let declared = jsx::declaration(self.source, at);
        self.unclosed += usize::from(declared.is_err());
        match declared {
            Ok(end) | Err(end) => Some(end),
        }
    }

    /// Returns the end of the options of an object of mkdocstrings, which are indented lines of YAML below its line.
    fn options_of_object(&self, content: &str, end: usize, prefix: &Prefix) -> Option<usize> {
        let mut below = self.source[end..].split_inclusive('\n');
        let line_end = below.next().filter(|_| content.starts_with(":::"))?;
        let column = prefix.column + 4 * self.boxes.len() + 4;
        let is_option = |line: &&str| !line.trim().is_empty() && column_of(line) >= column;
        let mut options = below.take_while(is_option).peekable();
        let (first, _) = options.peek()?.trim_start().split_once(':')?;
        has_word("handler options rendering selection", first)
            .then(|| end + line_end.len() + options.map(str::len).sum::<usize>())
    }
}

/// Returns whether a line is a run of one byte.
fn is_run(line: &str) -> bool {
    let mut bytes = line.bytes();
    bytes
        .next()
        .is_some_and(|first| bytes.all(|byte| byte == first))
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
