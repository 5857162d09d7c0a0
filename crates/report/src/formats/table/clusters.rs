//! The clusters in the table.

use std::io::{self, Write};

use crate::formats::table::columns::{Table, leading};
use crate::model::{ClusterRecord, Report};
use crate::say;
use crate::style::paint::{FAINT, HEADING};

/// How many members of a cluster are shown.
const MEMBERS: usize = 20;

/// Writes the clusters with anything to be looked at, and a blank line behind them, if there are any.
pub(super) fn write_clusters(
    report: &Report<'_>,
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_open = open_clusters(report);
    let open = is_open.iter().filter(|&&is_open| is_open).count();
    if open == 0 {
        return Ok(());
    }
    let clusters = report.clusters().filter(|cluster| is_open[cluster.id]);
    let top = table.style.top.unwrap_or(usize::MAX);
    for cluster in clusters.take(top) {
        write_cluster(&cluster, table, out)?;
    }
    table.write_not_shown(open.saturating_sub(top) as u64, "cluster", out)?;
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

/// Returns for each cluster whether there is anything to be looked at in it. That is so of all clusters
/// without a baseline, or if the pairs are not kept.
fn open_clusters(report: &Report<'_>) -> Vec<bool> {
    let outcome = report.outcome;
    let (Some(pairs), Some(_)) = (report.pairs, report.gate.baseline()) else {
        return vec![true; outcome.clusters.len()];
    };
    let mut cluster_of = vec![None; outcome.documents.len()];
    for (at, cluster) in outcome.clusters.iter().enumerate() {
        for id in &cluster.documents {
            cluster_of[id.index()] = Some(at);
        }
    }
    let mut is_open = vec![false; outcome.clusters.len()];
    for pair in pairs.iter().filter(|pair| report.gate.is_open(pair)) {
        let [a, b] = [pair.a, pair.b].map(|id| cluster_of[id.index()]);
        if let Some(at) = a.filter(|_| a == b) {
            is_open[at] = true;
        }
    }
    is_open
}
