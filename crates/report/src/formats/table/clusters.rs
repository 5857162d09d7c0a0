//! The clusters in the table.

use std::io::{self, Write};

use crate::formats::table::columns::{Table, leading};
use crate::model::{ClusterRecord, Report};
use crate::say;
use crate::style::paint::{FAINT, HEADING};

/// How many members of a cluster are shown.
const MEMBERS: usize = 20;

/// Writes the clusters, and a blank line behind them, if there are any.
pub(super) fn write_clusters(
    report: &Report<'_>,
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let count = report.outcome.clusters.len();
    if count == 0 {
        return Ok(());
    }
    let top = table.style.top.unwrap_or(usize::MAX);
    for cluster in report.clusters().take(top) {
        write_cluster(&cluster, table, out)?;
    }
    table.write_not_shown(count.saturating_sub(top) as u64, "cluster", out)?;
    writeln!(out)
}

fn write_cluster(
    cluster: &ClusterRecord<'_>,
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let count = cluster.documents.len();
    let cohesion = cluster
        .cohesion
        .map_or(String::new(), |value| say!(", cohesion {}", value));
    let heading = say!(
        "Cluster {}: {} documents{} (* the longest)",
        cluster.id + 1,
        count,
        cohesion
    );
    writeln!(out, "{}", table.paint(HEADING, &heading))?;
    writeln!(out, "  * {}", leading(cluster.representative))?;
    let others = || {
        let documents = cluster.documents.iter();
        documents.filter(|&&document| document != cluster.representative)
    };
    for document in others().take(MEMBERS) {
        writeln!(out, "    {}", leading(document))?;
    }
    match others().count().saturating_sub(MEMBERS) {
        0 => Ok(()),
        more => {
            let more = say!("… and {} more", more);
            writeln!(out, "    {}", table.paint(FAINT, &more))
        }
    }
}
