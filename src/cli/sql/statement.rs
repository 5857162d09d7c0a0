//! The statement that finds all similar pairs of shingle sets.
//!
//! It is the prefix filter of Chaudhuri, Ganti and Kaushik, "A primitive operator for similarity joins in data cleaning"
//! (ICDE 2006), with counting. The shingles of each set are put in order, the rarest first. Two sets x and y that are
//! similar share at least t max(|x|, |y|) shingles, so they share one of their prefixes, which are all but the last
//! ceil(t |x|) - 1. What the prefixes share is counted. Let the prefix of x end first in the order of all shingles: then
//! every shared one that was not counted lies in the rest of x behind its prefix, and in y behind the last counted one. A
//! pair of which the count and the larger of both bounds are too few is left out. What is left is compared as a whole.
//!
//! Equal sets are compared once. All numbers but the similarity itself are integers.

use crate::cli::sql::args::DialectName;
use crate::join::threshold::Threshold;

/// Where the statement finds the documents.
pub(super) struct Table<'a> {
    /// What stands behind FROM.
    pub(super) name: &'a str,
    pub(super) id: &'a str,
    pub(super) shingles: &'a str,
}

/// What databases call differently.
struct Dialect {
    /// Makes a row of each element of an array.
    explode: &'static str,
    /// Makes an array of all values of a group.
    collect: &'static str,
    /// Returns how many elements an array has.
    length: &'static str,
    /// Returns the elements that two arrays share.
    intersect: &'static str,
    /// Divides integers, and drops what is behind the point.
    divide: &'static str,
    /// Stands before a named part that is computed once.
    once: &'static str,
    /// Stands before and behind a name.
    quote: char,
}

const SPARK: Dialect = Dialect {
    explode: "explode",
    collect: "collect_list",
    length: "size",
    intersect: "array_intersect",
    divide: "div",
    once: "",
    quote: '`',
};

const DUCKDB: Dialect = Dialect {
    explode: "unnest",
    collect: "list",
    length: "len",
    intersect: "list_intersect",
    divide: "//",
    once: "MATERIALIZED ",
    quote: '"',
};

/// Returns the statement that finds all pairs of this Jaccard similarity or more.
pub(super) fn statement(dialect: DialectName, table: &Table<'_>, least: Threshold) -> String {
    let Dialect {
        explode,
        collect,
        length,
        intersect,
        divide,
        once,
        quote,
    } = match dialect {
        DialectName::Spark => SPARK,
        DialectName::Duckdb => DUCKDB,
    };
    let quoted = |name: &str| {
        let twice = format!("{quote}{quote}");
        format!("{quote}{}{quote}", name.replace(quote, &twice))
    };
    let (id, shingles) = (quoted(table.id), quoted(table.shingles));
    let table = table.name;
    let (numerator, denominator) = least.fraction();
    let sum = numerator + denominator;
    format!(
        "\
-- Pairs of documents with a Jaccard similarity of at least {least}, the most similar first.
WITH documents_with_shingles AS (
  SELECT CAST({id} AS STRING) AS id, {shingles} AS shingles FROM {table}
  WHERE {length}({shingles}) > 0
),
-- Equal sets are compared once.
sets AS {once}(
  SELECT min(id) AS set_id, {collect}(id) AS ids, shingles, CAST({length}(shingles) AS BIGINT) AS set_size
  FROM documents_with_shingles GROUP BY shingles
),
elements AS (
  SELECT set_id, set_size, {explode}(shingles) AS shingle FROM sets
),
frequencies AS (
  SELECT shingle, count(*) AS frequency FROM elements GROUP BY shingle HAVING count(*) > 1
),
-- The place of each shingle in its set, the rarest first. Those of one set only come first and are left out.
ordered AS (
  SELECT e.set_id, e.set_size, e.shingle,
    e.set_size - count(*) OVER (PARTITION BY e.set_id)
      + row_number() OVER (PARTITION BY e.set_id ORDER BY f.frequency, e.shingle) AS place
  FROM elements e JOIN frequencies f ON f.shingle = e.shingle
),
-- Two sets that are similar share a shingle of their prefixes.
prefixes AS {once}(
  SELECT set_id, set_size, shingle, place, ({numerator} * set_size - 1) {divide} {denominator} AS rest
  FROM ordered WHERE (set_size - place + 1) * {denominator} >= {numerator} * set_size
),
-- A pair is left out if what the prefixes share, and what else the sets may share, is too little.
candidates AS (
  SELECT x.set_id AS x_id, y.set_id AS y_id
  FROM prefixes x JOIN prefixes y ON y.shingle = x.shingle
    AND (x.set_size < y.set_size OR x.set_size = y.set_size AND x.set_id < y.set_id)
    AND x.set_size * {denominator} >= {numerator} * y.set_size
  GROUP BY x.set_id, y.set_id
  HAVING {sum} * (count(*) + greatest(
      least(max(x.rest), max(y.set_size) - max(y.place)),
      least(max(x.set_size) - max(x.place), max(y.rest))
    )) >= {numerator} * (max(x.set_size) + max(y.set_size))
),
compared AS (
  SELECT x.ids AS x_ids, y.ids AS y_ids, x.set_size + y.set_size AS sizes,
    CAST({length}({intersect}(x.shingles, y.shingles)) AS BIGINT) AS shared, false AS is_one_set
  FROM candidates c JOIN sets x ON x.set_id = c.x_id JOIN sets y ON y.set_id = c.y_id
  UNION ALL
  SELECT ids, ids, 2 * set_size, set_size, true FROM sets WHERE {length}(ids) > 1
),
of_x AS (
  SELECT {explode}(x_ids) AS x_id, y_ids, sizes - shared AS total, shared, is_one_set
  FROM compared WHERE shared * {denominator} >= {numerator} * (sizes - shared)
),
of_both AS (
  SELECT x_id, {explode}(y_ids) AS y_id, total, shared, is_one_set FROM of_x
)
SELECT least(x_id, y_id) AS a, greatest(x_id, y_id) AS b, shared AS shared_shingles, total AS all_shingles,
  CAST(shared AS DOUBLE) / total AS jaccard
FROM of_both WHERE NOT is_one_set OR x_id < y_id
ORDER BY jaccard DESC, a, b;
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_and_thresholds_are_integers() {
        let table = Table {
            name: "crawl.pages",
            id: "the \"id\"",
            shingles: "a`b",
        };
        let least: Threshold = "0.25".parse().unwrap();
        let duckdb = statement(DialectName::Duckdb, &table, least);
        assert!(duckdb.contains(
            "CAST(\"the \"\"id\"\"\" AS STRING) AS id, \"a`b\" AS shingles FROM crawl.pages\n"
        ));
        assert!(duckdb.contains("shared * 100 >= 25 * (sizes - shared)"));
        let spark = statement(DialectName::Spark, &table, least);
        assert!(spark.contains("`the \"id\"`"));
        assert!(spark.contains("`a``b` AS shingles FROM crawl.pages\n"));
        assert!(!spark.contains("MATERIALIZED"));
    }
}
