//! Tables of text, to be read as they are or pasted into a page of Markdown.

use unicode_width::UnicodeWidthStr;

/// How tables are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Markdown,
}

impl Format {
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "text" => Self::Text,
            "markdown" => Self::Markdown,
            _ => panic!("--format text or markdown, not {name}"),
        }
    }
}

/// Rows below a heading. The first column names a row, the others hold numbers.
#[derive(Debug)]
pub(crate) struct Table {
    /// The heading is the first.
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<C: Into<String>>(heading: impl IntoIterator<Item = C>) -> Self {
        Self {
            rows: vec![heading.into_iter().map(Into::into).collect()],
        }
    }

    pub(crate) fn add(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The table as text, with a blank line behind it.
    pub(crate) fn print(&self, format: Format) -> String {
        let mut out = String::new();
        for (at, row) in self.rows.iter().enumerate() {
            match format {
                Format::Text => out.push_str(self.aligned(row).trim_end()),
                Format::Markdown => out.push_str(&format!("| {} |", row.join(" | "))),
            }
            out.push('\n');
            if at == 0 && format == Format::Markdown {
                out.push_str("|---|");
                out.push_str(&"---:|".repeat(row.len() - 1));
                out.push('\n');
            }
        }
        out.push('\n');
        out
    }

    fn aligned(&self, row: &[String]) -> String {
        let mut out = String::new();
        for (column, cell) in row.iter().enumerate() {
            let widths = self.rows.iter().map(|row| row[column].width());
            let padding = " ".repeat(widths.max().unwrap_or(0) - cell.width());
            let (before, after) = if column == 0 {
                ("", &*padding)
            } else {
                (&*padding, "")
            };
            out.push_str(&format!("  {before}{cell}{after}"));
        }
        out
    }
}
