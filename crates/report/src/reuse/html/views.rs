//! The matrix of the folders and the classes of repetition.

use std::io::{self, Write};

use crate::formats::html::embed::html;
use crate::language::phrase;
use crate::reuse::model::{ReuseReport, percent};
use crate::reuse::records::ClassRecord;
use crate::style::escape::visible;
use crate::style::numbers::grouped;

/// The least share, in tenths of a percent, of each colour of the heat map.
const HEAT: [u64; 5] = [1, 20, 50, 150, 400];

pub(super) fn write_folders(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let matrix = report.folders;
    writeln!(
        out,
        "<section id=\"folders\"><h2>{}</h2>",
        phrase("Folders")
    )?;
    writeln!(
        out,
        "<p class=\"note\">{}</p>\n<div class=\"scroll\"><table>\
         <thead><tr><th scope=\"col\"></th><th scope=\"col\">{}</th><th scope=\"col\">{}</th>",
        phrase("How much of the folder on the left stands in the folder above too."),
        phrase("pages"),
        phrase("units"),
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
    let heads = ["blocks", "units", "share"];
    let heads = heads.map(|head| format!("<th scope=\"col\">{}</th>", phrase(head)));
    writeln!(
        out,
        "<section id=\"translation\"><h2>{}</h2><div class=\"scroll\"><table><thead><tr><th scope=\"col\"></th>\
         {}</tr></thead><tbody>",
        phrase("Translation"),
        heads.concat(),
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
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>",
            phrase(class),
            grouped(blocks),
            grouped(units),
            percent(units, all)
        )?;
    }
    writeln!(out, "</tbody></table></div></section>")
}
