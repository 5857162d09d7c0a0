//! Words for reasons not to read a file, where a caller may have advice.

/// The words for these reasons, in the details of skipped entries. The default is the reason alone. A program adds
/// which of its options helps.
#[derive(Debug, Clone)]
pub struct Wording {
    /// The file is a PDF.
    pub pdf: &'static str,
    /// The file is a document of Office 97 to 2003, or an encrypted one.
    pub old_office: &'static str,
    /// The file has a name with this ending, that of a document of another program.
    pub foreign: fn(&str) -> String,
    /// The text of an office file has more bytes than a document may have.
    pub expanded: &'static str,
    /// A table has none of the columns that hold texts by default. The value names the columns that it has.
    pub no_column: fn(String) -> String,
}

impl Default for Wording {
    fn default() -> Self {
        Self {
            pdf: "a PDF",
            old_office: "a document of Office 97 to 2003, or an encrypted one",
            foreign: |ending| format!("a .{ending} file"),
            expanded: "its text is larger than a document may be when it is expanded",
            no_column: |words| words,
        }
    }
}
