"""Runs the statement of `dupfind sql` in DuckDB, and compares its pairs with those of a scan."""

import json
import random
import re

import duckdb
from trial_site import ROOT, expect

THRESHOLDS = ("0.2", "0.5", "0.8", "0.07", "1")


def made_up(site):
    """Records that share sets, are equal, are near to a threshold, or have no shingles."""
    chance = random.Random(7)
    lines = []
    for group in range(12):
        words = [f"w{chance.randrange(400)}" for _ in range(chance.randrange(3, 90))]
        for copy in range(chance.randrange(1, 9)):
            changed = [word if chance.random() > 0.06 * copy else f"v{chance.randrange(400)}" for word in words]
            lines.append(" ".join(changed if chance.random() < 0.8 else words))
    lines += ["水乃冰之母。" * 3, "水乃冰之母" * 4, "冰", "", "two words", "...", "the same words again and again"] * 2
    # Sets of which the shared part is a threshold to the shingle.
    lines += [" ".join(f"n{number}" for number in range(first, first + 37)) for first in (0, 7, 14, 21)]
    path = site.top / "made-up.jsonl"
    path.write_text("".join(json.dumps({"id": f"№{at}", "text": text}) + "\n" for at, text in enumerate(lines)))
    return path


def pairs_of_scan(site, documents, least):
    command = ["scan", "-q", str(documents), "--id-field", "id", "--detectors", "shingle", "--format", "json"]
    status, printed = site.run("dupfind", *command, "--min-weighted", "off", "--min-jaccard", least)
    expect(printed, status, 0)
    return {(pair["a"], pair["b"]): pair["jaccard"] for pair in json.loads(printed)["pairs"]}


def pairs_of_duckdb(site, table, least):
    status, statement = site.run("dupfind", "sql", "--dialect", "duckdb", "--min-jaccard", least, "--table", table)
    expect(statement, status, 0)
    return duckdb.sql(statement).fetchall()


def expect_estimate(site, documents, table):
    """The rows that are joined are about as many as the program says from frozen frequencies."""
    parts = [str(site.top / name) for name in ("part", "frequencies")]
    for command in (["features", str(documents), "--id-field", "id", "-o", parts[0]], ["freeze", parts[0], "-o", parts[1]]):
        status, printed = site.run("dupfind", *command, "-q", "--detectors", "shingle")
        expect(printed, status, 0)
    command = ["sql", "--dialect", "duckdb", "--table", table, "--frequencies", parts[1], "-o", str(site.top / "pairs.sql")]
    status, said = site.run("dupfind", *command)
    expect(said, status, 0)
    estimated = int(re.search(r"about ([\d,]+) joined rows", said)[1].replace(",", ""))
    statement = (site.top / "pairs.sql").read_text()
    before, _, rest = statement.partition("candidates AS (")
    joined = rest.partition("  FROM ")[2].partition("  GROUP BY")[0]
    [[counted]] = duckdb.sql(f"{before}joined AS (SELECT count(*) AS n FROM {joined}) SELECT n FROM joined").fetchall()
    expect(f"{estimated} joined rows, in truth {counted}", 0.8 < estimated / counted < 1.25, True)


def databases(site):
    """The pairs of DuckDB are those of a scan."""
    table = site.top / "table.jsonl"
    for documents in (ROOT / "fixtures", made_up(site)):
        command = ["features", "-q", str(documents), "--id-field", "id", "--format", "jsonl", "-o", str(table)]
        status, printed = site.run("dupfind", *command, "--detectors", "shingle")
        expect(printed, status, 0)
        columns = "columns = {id: 'VARCHAR', shingles: 'BIGINT[]'}"
        rows = f"read_json('{table}', {columns})"
        expect_estimate(site, documents, rows)
        counts = []
        for least in THRESHOLDS:
            found = pairs_of_duckdb(site, rows, least)
            wanted = pairs_of_scan(site, documents, least)
            expect(f"{documents}: pairs from {least} on", sorted(row[:2] for row in found), sorted(wanted))
            for a, b, shared, total, jaccard in found:
                # A report has four decimals, rounded down.
                expect(f"{a} and {b}", (jaccard, shared * 10_000 // total), (shared / total, round(wanted[a, b] * 10_000)))
            counts.append(len(found))
        expect(f"{documents}: pairs are found: {counts}", min(counts) > 0, True)
