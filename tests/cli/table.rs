//! Cases of a test, as a table.

/// Returns the rows of a table: a line each, with `|` between its cells. Spaces around a cell do not count, and `\n`, `\r`
/// and `\t` in a cell are what they are in Rust.
#[track_caller]
pub(crate) fn table<const CELLS: usize>(text: &str) -> Vec<[&'static str; CELLS]> {
    let cell = |cell: &str| -> &'static str {
        let signs = [("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t")];
        let text = signs
            .iter()
            .fold(cell.trim().to_owned(), |text, (sign, means)| {
                text.replace(sign, means)
            });
        // A test has few of them, and they last as long as constants would.
        text.leak()
    };
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(cell).collect();
        cells.try_into().expect(line)
    };
    text.lines().map(row).collect()
}
