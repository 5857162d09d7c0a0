use super::write_json;
use dupfind_decide::clean::plan::line::because;
use dupfind_decide::finished_scan::{of_files, of_rows, select};
use dupfind_decide::{ChosenDrops, Drops};
use dupfind_engine::{DocId, Options, Relation, Relations, Silent};
use dupfind_scan::{RowScan, Scan, ScanOptions};

fn json(scanned: &Scan) -> String {
    let mut out = Vec::new();
    write_json(scanned, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns the options of a scan of rows.
fn options_of_rows(engine: Options) -> ScanOptions {
    ScanOptions {
        engine,
        ..ScanOptions::for_paths([""; 0])
    }
}

#[test]
fn pairs_of_code_are_set_apart_as_in_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "knead flour water and salt until the dough no longer sticks to the bowl and cover it";
    for name in ["a.js", "b.js", "c.md", "d.md"] {
        let own = ["the bread", "the park"][usize::from(name.ends_with("md"))].repeat(9);
        std::fs::write(folder.path().join(name), format!("{own} {text}")).unwrap();
    }
    let options = ScanOptions::for_paths([folder.path()]);
    let report = json(&of_files(options, &Silent).unwrap());
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let pairs = report["pairs"].as_array().unwrap();
    let apart = pairs.iter().filter(|pair| pair["apart"] == "code").count() as u64;
    assert!(apart > 0 && apart < pairs.len() as u64, "{report}");
    assert_eq!(report["summary"]["apart"], apart);
}

const PAGE: &str = "the old park by the river opened to the public thirty years ago today";

/// Four rows with a text and two without.
fn rows() -> Scan {
    let mut scan = RowScan::new(options_of_rows(Options::default()));
    let revised = PAGE.replace("thirty", "fifty");
    let row = |id: Option<&str>, text| (id.map(str::to_owned), text);
    let named = [("a", Some(PAGE)), ("b", None), ("a", Some(PAGE))];
    let named = named.map(|(id, text)| row(Some(id), text));
    scan.add(named, false, &Silent).unwrap();
    let others = [&*revised, "?!", "tea at five"].map(|text| row(None, Some(text)));
    scan.add(others, false, &Silent).unwrap();
    of_rows(scan, &Silent).unwrap()
}

#[test]
fn rows_keep_their_numbers() {
    let scanned = rows();
    let names: Vec<(&str, u64)> = (0_u32..)
        .zip(&scanned.documents)
        .map(|(id, document)| (document.name.as_str(), scanned.row(id.into())))
        .collect();
    assert_eq!(names, [("3", 3), ("5", 5), ("a", 0), ("a@2", 2)]);
    let skipped = scanned.skipped.iter();
    let skipped = skipped.map(|skipped| (skipped.path.as_str(), skipped.detail.as_str()));
    let skipped: Vec<(&str, &str)> = skipped.collect();
    assert_eq!(skipped, [("4", ""), ("b", "null")]);
    let skipped = &scanned.skipped;
    let found = [0, 1].map(|at| scanned.row_of_skipped(&skipped[at]));
    assert_eq!(found, [Some(4), Some(1)]);
    assert_eq!(scanned.document_of_row(1), None);
    assert_eq!(scanned.document_of_row(2), scanned.id_of("a@2"));
    assert_eq!(scanned.pairs.len(), 3);
    let [a, b] = [0, 3].map(|row| scanned.document_of_row(row).unwrap());
    assert!(scanned.explain(a, b).unwrap().unwrap().is_pair);
}

fn drops(relations: Relations) -> ChosenDrops {
    ChosenDrops {
        relations: Some(relations),
        by_similarity: false,
        least: Some(Drops::LEAST),
    }
}

#[test]
fn rows_stay_and_go_by_the_rules_of_plans() {
    let scanned = rows();
    let no_field = |_: &str| Ok(Vec::new());
    let exact = drops([Relation::Exact].into_iter().collect());
    let selection = select(&scanned, Vec::new(), exact, &no_field).unwrap();
    let rows = |ids: &[DocId]| ids.iter().map(|&id| scanned.row(id)).collect::<Vec<_>>();
    assert_eq!(rows(&selection.kept), [0, 3, 5]);
    let (removed, rule) = &selection.removed[0];
    assert_eq!(scanned.row(removed.document), 2);
    assert_eq!(scanned.row(removed.other), 0);
    assert_eq!(rule.to_string(), "path");

    let all = drops(Relations::DUPLICATES);
    let by_field = |name: &str| {
        assert_eq!(name, "stars");
        Ok(["1", "2", "1", "5", "1", "1"]
            .map(|value| Some(value.to_owned()))
            .into())
    };
    let rule = vec!["field:stars".parse().unwrap()];
    let selection = select(&scanned, rule, all, &by_field).unwrap();
    assert_eq!(rows(&selection.kept), [3, 5]);
    let expected = "75 % of it is in the one that stays, 75 % of that one is here";
    let removed = &selection.removed[0].0;
    assert_eq!(because(removed.relation, removed.measures), expected);

    let rule = vec!["newest".parse().unwrap()];
    let refused = select(&scanned, rule, all, &no_field).unwrap_err();
    let expected = "the rule 'newest' is about files, and these are texts";
    assert_eq!(refused.to_string(), expected);
}
