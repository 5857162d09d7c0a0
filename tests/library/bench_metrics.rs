//! The measures by which the bench of quality judges, against cases worked out by hand, and the tables it
//! prints them in. A bench that is a program of its own holds no tests.

use metrics::{
    Decision, adjusted_rand_index, average_precision, recall_at_precision, roc_area, share,
};
use table::{Format, Table};

#[path = "../../benches/quality/metrics.rs"]
mod metrics;
#[path = "../../benches/quality/table.rs"]
mod table;

fn close(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
}

#[test]
fn a_decision_by_hand() {
    let mut decision = Decision::default();
    for (taken, positive, times) in [
        (true, true, 6),
        (true, false, 2),
        (false, true, 4),
        (false, false, 9),
    ] {
        for _ in 0..times {
            decision.add(taken, positive);
        }
    }
    assert_eq!((decision.positives(), decision.negatives()), (10, 11));
    close(decision.precision(), 6.0 / 8.0);
    close(decision.recall(), 6.0 / 10.0);
    close(decision.f1(), 2.0 / 3.0);
}

#[test]
fn a_decision_about_nothing() {
    let mut decision = Decision::default();
    assert_eq!(decision.precision(), None);
    assert_eq!(decision.recall(), None);
    assert_eq!(decision.f1(), None);
    decision.add(true, false);
    close(decision.precision(), 0.0);
    assert_eq!(decision.recall(), None);
    close(decision.f1(), 0.0);
}

#[test]
fn a_ranking_by_hand() {
    // + - + + -, given out of order: precision at the positives is 1, 2/3, 3/4.
    let items = [
        (0.7, true),
        (0.1, false),
        (0.9, true),
        (0.8, false),
        (0.5, true),
    ];
    close(
        average_precision(&items),
        (1.0 + 2.0 / 3.0 + 3.0 / 4.0) / 3.0,
    );
    // Of six duels the first positive wins two, the others one each.
    close(roc_area(&items), 4.0 / 6.0);
}

#[test]
fn ties_have_no_order() {
    // One positive above, then two positives and one negative tied, then one tied pair at 0.
    let items = [
        (0.9, true),
        (0.5, false),
        (0.5, true),
        (0.5, true),
        (0.0, false),
        (0.0, true),
    ];
    let mut reversed = items;
    reversed.reverse();
    for items in [items, reversed] {
        close(
            average_precision(&items),
            (1.0 + 2.0 * 3.0 / 4.0 + 4.0 / 6.0) / 4.0,
        );
        // Against the negative at 0.5: 1 + 2/2; against the one at 0: 3 + 1/2; of eight duels.
        close(roc_area(&items), 5.5 / 8.0);
    }
}

#[test]
fn one_class_only() {
    let negative = [(1.0, false), (0.0, false)];
    assert_eq!(average_precision(&negative), None);
    assert_eq!(roc_area(&negative), None);
    let positive = [(1.0, true), (0.0, true)];
    close(average_precision(&positive), 1.0);
    assert_eq!(roc_area(&positive), None);
    assert_eq!(average_precision(&[]), None);
    assert_eq!(roc_area(&[]), None);
}

#[test]
fn recall_where_the_ranking_is_precise() {
    // Precision is 1 down to 0.9, 2/3 at 0.7 and 3/4 at 0.6.
    let items = [(0.9, true), (0.8, false), (0.7, true), (0.6, true)];
    close(recall_at_precision(&items, 0.99), 1.0 / 3.0);
    close(recall_at_precision(&items, 0.75), 1.0);
    close(recall_at_precision(&[(1.0, false), (0.5, true)], 0.9), 0.0);
    assert_eq!(recall_at_precision(&[(1.0, false)], 0.9), None);
}

#[test]
fn clusters_next_to_groups() {
    let index = |clusters: [u8; 6]| {
        let groups = [0, 0, 0, 1, 1, 1];
        adjusted_rand_index(&groups.into_iter().zip(clusters).collect::<Vec<_>>())
    };
    close(index([5, 5, 5, 7, 7, 7]), 1.0);
    // Hubert and Arabie: of 15 pairs 6 are within groups, 3 within clusters, and 2 within both.
    close(index([0, 0, 1, 1, 2, 2]), (2.0 - 1.2) / (4.5 - 1.2));
    close(index([0; 6]), 0.0);
    assert_eq!(adjusted_rand_index(&[(0, 0), (1, 0)]), None);
    assert_eq!(adjusted_rand_index::<u8, u8>(&[]), None);
}

#[test]
fn shares() {
    close(share(1, 4), 0.25);
    assert_eq!(share(0, 0), None);
}

#[test]
fn columns_are_aligned() {
    let mut table = Table::new(["set", "n"]);
    table.add(vec!["汉".into(), "10".into()]);
    table.add(vec!["words".into(), "1".into()]);
    let text = "  set     n\n  汉     10\n  words   1\n\n";
    assert_eq!(table.print(Format::named("text")), text);
    let markdown = "| set | n |\n|---|---:|\n| 汉 | 10 |\n| words | 1 |\n\n";
    assert_eq!(table.print(Format::named("markdown")), markdown);
}
