//! Notebooks of Jupyter: cells with Markdown are text, cells with code are code, and the output of the code is left
//! out.

use serde::Deserialize;

use crate::extract::{MarkedText, markdown};

#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<Cell>,
    /// Where the cells were up to version 3 of the format.
    #[serde(default)]
    worksheets: Vec<Worksheet>,
}

#[derive(Deserialize)]
struct Worksheet {
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Cell {
    cell_type: String,
    #[serde(default, alias = "input")]
    source: CellText,
}

/// A text, or its lines with their ends.
#[derive(Deserialize)]
#[serde(untagged)]
enum CellText {
    Text(String),
    Lines(Vec<String>),
}

impl Default for CellText {
    fn default() -> Self {
        Self::Lines(Vec::new())
    }
}

/// Returns the text of a notebook; `None` if the content is none.
pub(super) fn extract(content: &str) -> Option<MarkedText> {
    let notebook: Notebook = serde_json::from_str(content).ok()?;
    let sheets = notebook
        .worksheets
        .into_iter()
        .flat_map(|sheet| sheet.cells);
    let mut markdown = String::new();
    for cell in notebook.cells.into_iter().chain(sheets) {
        let source = match cell.source {
            CellText::Text(text) => text,
            CellText::Lines(lines) => lines.concat(),
        };
        let source = source.trim_end();
        match &*cell.cell_type {
            "code" if source.is_empty() => {}
            "code" => {
                let fence = fence(source);
                markdown.extend([&fence, "\n", source, "\n", &fence, "\n\n"]);
            }
            // Text for one output format alone.
            "raw" => {}
            _ => markdown.extend([source, "\n\n"]),
        }
    }
    Some(markdown::extract(&markdown, false))
}

/// Returns a fence that no line of a code ends.
fn fence(code: &str) -> String {
    let longest = code.split(|c| c != '~').map(str::len).max().unwrap_or(0);
    "~".repeat(longest.max(2) + 1)
}

#[cfg(test)]
mod tests {
    use crate::extract::{WebPart, extract};
    use crate::format::Format;

    fn text(notebook: &str) -> String {
        let text = extract(notebook, Format::Notebook, WebPart::Main).text;
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    const NOTEBOOK: &str = r##"{"cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Ferries\n", "\n", "They leave at *seven*."]},
        {"cell_type": "code", "execution_count": 1, "source": ["ferry = 1\n", "~~~~\n", "pier = 2"],
         "outputs": [{"output_type": "stream", "text": ["printed"]}]},
        {"cell_type": "raw", "source": "hidden"},
        {"cell_type": "markdown", "source": "The end."}
    ], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}"##;

    #[test]
    fn cells_are_text_and_code() {
        let prose = "Ferries They leave at seven.";
        let whole = format!("{prose} ferry = 1 ~~~~ pier = 2 The end.");
        assert_eq!(text(NOTEBOOK), whole);
    }

    #[test]
    fn older_ones_are_read_and_others_are_text() {
        let old = r#"{"worksheets": [{"cells": [{"cell_type": "code", "input": "x = 1", "outputs": []}]}]}"#;
        assert_eq!(text(old), "x = 1");
        assert_eq!(text("no notebook"), "no notebook");
    }
}
