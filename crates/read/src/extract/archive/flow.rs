//! The text of paragraphs, a line for each.

/// How deep text boxes may lie in each other. The text of deeper ones is read as paragraphs of the one around them.
const DEEPEST: usize = 8;

/// Paragraphs, one a line. A text box or a note is beside the text: it is written behind the paragraph that it is anchored
/// in.
#[derive(Debug)]
pub(super) struct Flow {
    /// The text itself, then the text beside it, then the text beside that.
    levels: Vec<FlowLevel>,
    /// How many parts are open beyond the deepest level.
    deeper: usize,
}

#[derive(Debug, Default)]
struct FlowLevel {
    text: String,
    /// How many paragraphs are open.
    open: usize,
    /// The text behind the paragraph.
    beside: String,
}

impl Flow {
    pub(super) fn new() -> Self {
        Self {
            levels: vec![FlowLevel::default()],
            deeper: 0,
        }
    }

    fn level(&mut self) -> &mut FlowLevel {
        self.levels.last_mut().expect("one is always there")
    }

    /// Begins a paragraph.
    pub(super) fn begin(&mut self) {
        let level = self.level();
        if level.open > 0 {
            level.end_line();
        }
        level.open += 1;
    }

    /// Ends the paragraph.
    pub(super) fn end(&mut self) {
        let level = self.level();
        level.open = level.open.saturating_sub(1);
        level.end_line();
        if level.open == 0 {
            level.text.push_str(&level.beside);
            level.beside.clear();
        }
    }

    /// Begins a text box or a note.
    pub(super) fn begin_beside(&mut self) {
        if self.levels.len() <= DEEPEST {
            self.levels.push(FlowLevel::default());
        } else {
            self.deeper += 1;
        }
    }

    /// Ends it.
    pub(super) fn end_beside(&mut self) {
        if self.deeper > 0 {
            self.deeper -= 1;
        } else if self.levels.len() > 1
            && let Some(mut beside) = self.levels.pop()
        {
            beside.end_line();
            let level = self.level();
            let target = match level.open {
                0 => &mut level.text,
                _ => &mut level.beside,
            };
            target.push_str(&beside.text);
            target.push_str(&beside.beside);
        }
    }

    /// Returns whether a paragraph is open. Text outside of paragraphs does not count.
    pub(super) fn is_open(&self) -> bool {
        self.levels.last().is_some_and(|level| level.open > 0)
    }

    /// Adds text to the paragraph.
    pub(super) fn push(&mut self, text: &str) {
        if self.is_open() {
            self.level().text.push_str(text);
        }
    }

    /// Returns the text.
    pub(super) fn finish(mut self) -> String {
        while self.levels.len() > 1 || self.deeper > 0 {
            self.end_beside();
        }
        let level = self.level();
        level.end_line();
        let beside = std::mem::take(&mut level.beside);
        std::mem::take(&mut level.text) + &beside
    }
}

impl FlowLevel {
    /// Begins a new line, unless the text is at the beginning of one.
    fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_beside_a_paragraph_is_behind_it() {
        let mut flow = Flow::new();
        flow.push("no paragraph");
        flow.begin();
        flow.push("o");
        flow.begin_beside();
        flow.push("none either");
        flow.begin();
        flow.push("box");
        flow.end();
        flow.end_beside();
        flow.push("ne");
        flow.end();
        flow.begin();
        flow.push("two");
        flow.begin();
        flow.push("within");
        flow.end();
        flow.end();
        assert_eq!(flow.finish(), "one\nbox\ntwo\nwithin\n");
    }

    #[test]
    fn any_depth_is_bounded() {
        let mut flow = Flow::new();
        for number in 0..100 {
            flow.begin();
            flow.push(&number.to_string());
            flow.begin_beside();
        }
        assert!(flow.levels.len() < 10);
        let text = flow.finish();
        assert!(text.starts_with("0\n"), "{text}");
        assert!(text.lines().count() == 100, "{text}");
    }
}
