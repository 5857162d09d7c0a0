//! What is shown where scripts do not run: the first pairs as a plain table.

use std::io::{self, Write};

use crate::report::html::data::{Data, PairItem};
use crate::report::html::embed::html;

/// How many pairs are listed.
const SHOWN: usize = 100;

pub(super) fn write_noscript(data: &Data, out: &mut dyn Write) -> io::Result<()> {
    let pairs = data.pairs.as_deref().unwrap_or_default();
    write!(
        out,
        "<p>This report needs JavaScript to show documents side by side. {} documents were compared and {} \
         pairs found; the first {} are listed here.</p>\n<table>\n<tr><th>relation</th><th>document</th>\
         <th>other document</th><th>why</th></tr>\n",
        data.summary.documents,
        data.summary.pairs,
        pairs.len().min(SHOWN),
    )?;
    for PairItem(a, b, relation, .., because, _, _) in pairs.iter().take(SHOWN) {
        writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            relation.as_str(),
            html(data.name(*a)),
            html(data.name(*b)),
            html(because),
        )?;
    }
    out.write_all(b"</table>\n")
}
