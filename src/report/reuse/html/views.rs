//! The matrix of the folders and the classes of repetition.

use std::io::{self, Write};

use crate::report::html::embed::html;
use crate::report::reuse::model::{ReuseReport, percent};
use crate::report::reuse::records::ClassRecord;
use crate::report::style::escape::visible;
use crate::report::style::numbers::grouped;

/// The least share, in tenths of a percent, of each colour of the heat map.
const HEAT: [u64; 5] = [1, 20, 50, 150, 400];

pub(super) fn write_folders(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let matrix = report.folders;
    writeln!(out, "<section id=\"folders\"><h2>Folders</h2>")?;
    writeln!(
        out,
        "<p class=\"note\">How much of the folder on the left stands in the folder above too.</p>\n<div class=\"scroll\"><table>\
         <thead><tr><th scope=\"col\"></th><th scope=\"col\">pages</th><th scope=\"col\">units</th>"
    )?;
    let name = |path: &str| html(&visible(path));
    for folder in &matrix.folders {
        let last = folder.path.rsplit('/').next().unwrap_or_default();
        writeln!(
            out,
            "<th scope=\"col\" class=\"folder\" title=\"{}\">{}</th>",
            name(&folder.path),
            name(last)
        )?;
    }
    writeln!(out, "</tr></thead><tbody>")?;
    for (row, folder) in matrix.folders.iter().enumerate() {
        writeln!(
            out,
            "<tr><th scope=\"row\" title=\"{0}\">{0}</th><td>{1}</td><td>{2}</td>",
            name(&folder.path),
            folder.pages,
            grouped(folder.units)
        )?;
        for column in 0..matrix.folders.len() {
            let units = matrix.shared.get(&(row, column)).copied().unwrap_or(0);
            let tenths = units * 1000 / folder.units.max(1);
            let heat = HEAT.iter().filter(|&&least| tenths >= least).count();
            let text = match units {
                0 => "&middot;".to_owned(),
                _ => percent(units, folder.units),
            };
            writeln!(out, "<td class=\"h{heat}\">{text}</td>")?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody></table></div></section>")
}

pub(super) fn write_translation(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<section id=\"translation\"><h2>Translation</h2><div class=\"scroll\"><table><thead><tr><th scope=\"col\"></th>\
         <th scope=\"col\">blocks</th><th scope=\"col\">units</th><th scope=\"col\">share</th></tr></thead><tbody>"
    )?;
    let all: u64 = report.classes().map(|class| class.units).sum();
    for ClassRecord {
        class,
        blocks,
        units,
    } in report.classes()
    {
        writeln!(
            out,
            "<tr><th scope=\"row\">{class}</th><td>{}</td><td>{}</td><td>{}</td></tr>",
            grouped(blocks),
            grouped(units),
            percent(units, all)
        )?;
    }
    writeln!(out, "</tbody></table></div></section>")
}
