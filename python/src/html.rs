//! Tables in notebooks.

use arrow_array::RecordBatch;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use dupfind::scanned::escaped_html;

/// How many rows are shown.
const MOST: usize = 10;

/// Returns the first rows of a table as HTML.
pub(crate) fn table(batch: &RecordBatch) -> String {
    let mut html = String::from("<table><thead><tr>");
    let schema = batch.schema();
    for field in schema.fields() {
        html.push_str(&format!("<th>{}</th>", escaped_html(field.name())));
    }
    html.push_str("</tr></thead><tbody>");
    let options = FormatOptions::default();
    let columns = batch.columns().iter();
    let columns: Vec<ArrayFormatter<'_>> = columns
        .filter_map(|column| ArrayFormatter::try_new(column, &options).ok())
        .collect();
    for row in 0..batch.num_rows().min(MOST) {
        html.push_str("<tr>");
        for column in &columns {
            html.push_str(&format!(
                "<td>{}</td>",
                escaped_html(&column.value(row).to_string())
            ));
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table>");
    if batch.num_rows() > MOST {
        html.push_str(&format!("<p>{MOST} of {} rows</p>", batch.num_rows()));
    }
    html
}
