//! Tables in notebooks.

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use dupfind_report::formats::scanned::escaped_html;

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
    for row in 0..batch.num_rows().min(MOST) {
        html.push_str("<tr>");
        for column in batch.columns() {
            html.push_str(&format!("<td>{}</td>", escaped_html(&value(column, row))));
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table>");
    if batch.num_rows() > MOST {
        html.push_str(&format!("<p>{MOST} of {} rows</p>", batch.num_rows()));
    }
    html
}

/// Returns a value of a column in words; none of null.
fn value(column: &ArrayRef, row: usize) -> String {
    if column.is_null(row) {
        return String::new();
    }
    match column.data_type() {
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).to_string(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).to_string(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Boolean => column.as_boolean().value(row).to_string(),
        DataType::List(_) => {
            let list = column.as_list::<i32>().value(row);
            let values: Vec<String> = (0..list.len()).map(|at| value(&list, at)).collect();
            values.join(", ")
        }
        _ => column.as_string::<i32>().value(row).to_owned(),
    }
}
