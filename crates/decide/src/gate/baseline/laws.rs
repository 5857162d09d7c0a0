//! The laws of baselines, on made-up folders.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::{Index, subsequence};

use crate::gate::baseline::content::{BaselineContent, Family};
use crate::gate::baseline::names::Names;
use crate::gate::baseline::update::UpdateCounts;
use crate::gate::baseline::{Baseline, Standing};
use dupfind_engine::detect::Agreeing;
use dupfind_engine::verdict::SetMeasures;
use dupfind_engine::{Detector, DocId, Document, Pair, Relation, Relations, Rule, Weighted};
use dupfind_scan::Sources;

/// A text: its subject, and how often it was edited. Texts about the same thing are pairs, the more alike the closer
/// their numbers.
type Text = (u8, u8);

/// The texts of a folder by name.
type Folder = BTreeMap<String, Text>;

/// A folder of some documents.
fn folders() -> impl Strategy<Value = Folder> {
    prop::collection::btree_map("[a-c]/[a-h]", (0_u8..3, 0_u8..10), 0..12)
}

fn document(name: &str, (about, edits): Text) -> Document {
    // Ten versions within a few bits of each other, and far from texts about other subjects.
    let fingerprint = [0, u64::MAX, 0xffff_ffff][usize::from(about)] ^ u64::from(edits);
    let mut document = Document::sample(name);
    document.text_hash = 1 + u64::from(about) * 100 + u64::from(edits);
    document.signatures = [fingerprint].into();
    document.fingerprint_at = 0..1;
    document
}

/// The relation of two texts, and their similarity in ten-thousandths.
fn measured(x: Text, y: Text) -> Option<(Relation, u32)> {
    let apart = u32::from(x.1.abs_diff(y.1));
    let relation = match apart {
        0 => Relation::Exact,
        1..=5 => Relation::Near,
        6..=7 => Relation::Contains,
        _ => Relation::Template,
    };
    (x.0 == y.0).then_some((relation, 10_000 - 600 * apart))
}

/// Documents in this order, and their pairs.
fn run_of(documents: &[(String, Text)]) -> (Vec<Document>, Vec<Pair>) {
    let mut pairs = Vec::new();
    for (b, (_, text)) in documents.iter().enumerate() {
        for (a, (_, other)) in documents[..b].iter().enumerate() {
            if let Some((relation, similarity)) = measured(*text, *other) {
                pairs.push(Pair {
                    a: DocId::new(a).unwrap(),
                    b: DocId::new(b).unwrap(),
                    hamming: Some(0),
                    sets: SetMeasures::new(similarity, 10_000, Weighted::EQUAL),
                    rule: Rule::of(relation),
                    found_by: Detector::Shingle.into(),
                    agreeing: Agreeing::default(),
                });
            }
        }
    }
    let document = |(name, text): &(String, Text)| document(name, *text);
    (documents.iter().map(document).collect(), pairs)
}

fn empty() -> BaselineContent {
    BaselineContent::new(Relations::DUPLICATES, Vec::new())
}

/// The result of comparing a folder with a baseline.
#[derive(Debug, PartialEq)]
struct Checked {
    /// The open pairs, by name.
    open: BTreeMap<(String, String), Standing>,
    stale: usize,
    updated: BaselineContent,
    changes: UpdateCounts,
}

fn check_in_order(content: BaselineContent, documents: &[(String, Text)]) -> Checked {
    let (documents, pairs) = run_of(documents);
    let mut baseline = Baseline::new(content, Names::default());
    baseline.documents(&documents, &Sources::sample(documents.len()));
    let name = |id: DocId| documents[id.index()].name.clone();
    let mut open = BTreeMap::new();
    for pair in &pairs {
        let standing = baseline.meet(pair);
        assert_eq!(standing, baseline.standings().of(pair));
        // Others make no check fail.
        let standing = standing.filter(|_| Relations::DUPLICATES.have(pair.relation()));
        if let Some(standing) = standing.filter(|standing| standing.is_open()) {
            let (a, b) = (name(pair.a), name(pair.b));
            open.insert((a.clone().min(b.clone()), a.max(b)), standing);
        }
    }
    let (updated, changes) = baseline.updated(&pairs, Relations::DUPLICATES);
    Checked {
        open,
        stale: baseline.stale().count(),
        updated,
        changes,
    }
}

fn check(content: BaselineContent, folder: &Folder) -> Checked {
    let documents: Vec<(String, Text)> = folder.clone().into_iter().collect();
    check_in_order(content, &documents)
}

/// The baseline of a folder.
fn accepted(folder: &Folder) -> BaselineContent {
    check(empty(), folder).updated
}

/// The names of the pairs that a document is in, of relations that a baseline holds.
fn pairs_of(folder: &Folder, name: &str) -> BTreeSet<(String, String)> {
    let text = folder[name];
    let others = folder.iter().filter(|(other, _)| *other != name);
    others
        .filter(|(_, other)| {
            measured(text, **other).is_some_and(|(r, _)| Relations::DUPLICATES.have(r))
        })
        .map(|(other, _)| {
            let (a, b) = (name.to_owned(), other.clone());
            (a.clone().min(b.clone()), a.max(b))
        })
        .collect()
}

fn lines(content: &BaselineContent) -> Vec<String> {
    let text = String::from_utf8(content.bytes()).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn read_lines(lines: &[String]) -> BaselineContent {
    BaselineContent::read(lines.join("\n").as_bytes()).unwrap()
}

/// The same entries with reasons on some of them.
fn annotated(content: &BaselineContent, reasons: &[Index]) -> BaselineContent {
    let mut entries = content.pairs().to_vec();
    for index in reasons
        .iter()
        .filter(|_| !entries.is_empty())
        .collect::<Vec<_>>()
    {
        let at = index.index(entries.len());
        entries[at].reason = Some(format!("reason {at}"));
    }
    BaselineContent::new(content.relations, entries)
}

#[test]
fn pairs_within_one_of_two_sides_are_kept() {
    let names = ["drafts/a", "drafts/b", "published/a"];
    let folder: Folder = names.map(|name| (name.to_owned(), (0, 0))).into();
    let (documents, mut pairs) = run_of(&folder.clone().into_iter().collect::<Vec<_>>());
    let mut sources = Sources::sample(documents.len());
    sources.documents[2].is_against = true;
    // The pairs that a run of one collection against another sees.
    pairs.retain(|pair| sources.of(pair.a).is_against != sources.of(pair.b).is_against);
    assert_eq!(pairs.len(), 2);
    let content = accepted(&folder);
    let mut baseline = Baseline::new(content.clone(), Names::default());
    baseline.documents(&documents, &sources);
    let standings: Vec<_> = pairs.iter().map(|pair| baseline.meet(pair)).collect();
    assert_eq!(standings, [Some(Standing::Accepted); 2]);
    assert_eq!(baseline.stale().count(), 0);
    assert_eq!(baseline.updated(&pairs, Relations::DUPLICATES).0, content);
    // Without sides it would be gone.
    let mut baseline = Baseline::new(content, Names::default());
    baseline.documents(&documents, &Sources::sample(documents.len()));
    for pair in &pairs {
        baseline.meet(pair);
    }
    assert_eq!(baseline.stale().count(), 1);
}

#[test]
fn other_documents_do_not_make_a_pair_worse() {
    let entry = |relation| {
        let folder: Folder = ["a", "b"].map(|name| (name.to_owned(), (0, 0))).into();
        let mut entry = accepted(&folder).pairs()[0].clone();
        entry.relation = relation;
        entry
    };
    // The relation of the pair has become a stronger one, and both texts are unchanged.
    let content = BaselineContent::new(Relations::DUPLICATES, vec![entry(Relation::Template)]);
    let folder: Folder = ["a", "b"].map(|name| (name.to_owned(), (0, 0))).into();
    assert_eq!(check(content, &folder).open, BTreeMap::new());
    // It has become a weaker one that is not held: the entry stays for the day when it is strong again.
    let content = BaselineContent::new(Relations::DUPLICATES, vec![entry(Relation::Near)]);
    let (documents, mut pairs) = run_of(&folder.into_iter().collect::<Vec<_>>());
    pairs[0].rule = Rule::Template;
    let mut baseline = Baseline::new(content.clone(), Names::default());
    baseline.documents(&documents, &Sources::sample(documents.len()));
    assert_eq!(baseline.meet(&pairs[0]), Some(Standing::Accepted));
    assert_eq!(baseline.updated(&pairs, Relations::DUPLICATES).0, content);
}

#[test]
fn pages_of_a_family_may_be_alike_but_no_copies() {
    // Texts with other numbers of edits are alike, and those with equal ones are copies.
    let pages = [
        ("a/x", 0),
        ("a/b/y", 1),
        ("a/z", 1),
        ("c/x", 2),
        ("../a/x", 3),
    ];
    let folder = pages.map(|(name, edits)| (name.to_owned(), (0, edits)));
    let folder: Folder = folder.into();
    for (family, accepts) in [
        ("a/**", &["a/b/y a/x", "a/x a/z"][..]),
        ("/a/*", &["a/b/y a/x", "a/x a/z"]),
        ("a/x", &[]),
        ("a", &["a/b/y a/x", "a/x a/z"]),
        ("*/x", &["a/x c/x"]),
        ("nowhere/**", &[]),
    ] {
        let content = empty().with_families([Family {
            family: family.into(),
            reason: "one each".into(),
        }]);
        let checked = check(content.clone(), &folder);
        let all = check(empty(), &folder).open.into_keys();
        let closed = all.filter(|pair| !checked.open.contains_key(pair));
        let closed: Vec<String> = closed.map(|(a, b)| format!("{a} {b}")).collect();
        assert_eq!(closed, accepts, "{family}");
        // They are in no line of their own.
        let listed = checked.changes.new;
        assert_eq!(listed, checked.open.len(), "{family}");
        assert_eq!(checked.updated.families, content.families);
    }
}

proptest! {
    #[test]
    fn after_an_update_all_is_well(
        before in folders(),
        now in folders(),
        reasons in prop::collection::vec(any::<Index>(), 0..4),
    ) {
        let old = annotated(&accepted(&before), &reasons);
        let first = check(old.clone(), &now);
        let UpdateCounts { pairs, new, gone, .. } = first.changes;
        prop_assert_eq!(pairs, first.updated.pairs().len());
        prop_assert_eq!(old.pairs().len() + new - gone, pairs);
        let second = check(first.updated.clone(), &now);
        prop_assert_eq!(second.open, BTreeMap::new());
        prop_assert_eq!(second.stale, 0);
        prop_assert_eq!(second.updated, first.updated);
        prop_assert_eq!(second.changes, UpdateCounts { pairs, ..UpdateCounts::default() });
    }

    #[test]
    fn order_does_not_matter(
        (before, lines) in folders().prop_flat_map(|folder| {
            let lines = lines(&accepted(&folder));
            (Just(folder), Just(lines).prop_shuffle())
        }),
        (now, shuffled) in folders().prop_flat_map(|folder| {
            let documents: Vec<(String, Text)> = folder.clone().into_iter().collect();
            (Just(folder), Just(documents).prop_shuffle())
        }),
    ) {
        let content = read_lines(&lines);
        prop_assert_eq!(&content, &accepted(&before));
        prop_assert_eq!(check_in_order(content.clone(), &shuffled), check(content, &now));
    }

    #[test]
    fn renamed_documents_stay_accepted(
        (folder, names) in folders().prop_flat_map(|folder| {
            // Any new names, those of other documents included.
            let old: Vec<String> = folder.keys().cloned().collect();
            let fresh = (0..folder.len()).map(|number| format!("new/{number}"));
            let names: Vec<String> = old.iter().cloned().chain(fresh).collect();
            let some = subsequence(names, folder.len()).prop_shuffle();
            (Just(folder), some)
        }),
    ) {
        // A document without a pair that takes the name of one with a pair looks like an edit of that.
        let has_pairs = |name: &str| folder.contains_key(name) && !pairs_of(&folder, name).is_empty();
        let renamed = folder.iter().zip(names).map(|((old, text), name)| {
            let is_mistaken = !has_pairs(old) && has_pairs(&name);
            (if is_mistaken { format!("other/{old}") } else { name }, *text)
        });
        let renamed: Folder = renamed.collect();
        let checked = check(accepted(&folder), &renamed);
        prop_assert_eq!(checked.open, BTreeMap::new());
        prop_assert_eq!(checked.stale, 0);
        prop_assert_eq!((checked.changes.new, checked.changes.gone), (0, 0));
        prop_assert_eq!(checked.updated, accepted(&renamed));
    }

    #[test]
    fn a_copy_opens_its_own_pairs(folder in folders(), which in any::<Index>(), name in "[a-c]/[a-z]") {
        prop_assume!(!folder.is_empty() && !folder.contains_key(&name));
        let (original, text) = folder.iter().nth(which.index(folder.len())).unwrap();
        let mut with_copy = folder.clone();
        with_copy.insert(name.clone(), *text);
        let checked = check(accepted(&folder), &with_copy);
        let open: BTreeSet<_> = checked.open.keys().cloned().collect();
        prop_assert_eq!(open, pairs_of(&with_copy, &name));
        prop_assert!(checked.open.values().all(|standing| *standing == Standing::New));
        prop_assert_eq!(checked.stale, 0);

        // The same with the original renamed: one of the two is the old one.
        with_copy.remove(original);
        with_copy.insert("renamed".into(), *text);
        let checked = check(accepted(&folder), &with_copy);
        prop_assert_eq!(checked.open.len(), pairs_of(&with_copy, &name).len());
        prop_assert_eq!(checked.stale, 0);
    }

    #[test]
    fn an_edit_opens_only_pairs_that_become_copies(
        folder in folders(), which in any::<Index>(), edits in 0_u8..10,
    ) {
        prop_assume!(!folder.is_empty());
        let (name, was) = folder.iter().nth(which.index(folder.len())).unwrap();
        let mut edited = folder.clone();
        let is = (was.0, edits);
        edited.insert(name.clone(), is);
        let worse = |other: Text| {
            let (was, is) = (measured(*was, other).unwrap(), measured(is, other).unwrap());
            was.0 != Relation::Exact && is.0 == Relation::Exact
        };
        let checked = check(accepted(&folder), &edited);
        for pair in pairs_of(&edited, name) {
            let other = if pair.0 == *name { &pair.1 } else { &pair.0 };
            let expected = if !pairs_of(&folder, name).contains(&pair) {
                Some(Standing::New)
            } else if worse(folder[other]) {
                Some(Standing::Worse)
            } else {
                None
            };
            prop_assert_eq!(checked.open.get(&pair).copied(), expected, "{:?}", pair);
        }
        prop_assert!(checked.open.keys().all(|pair| pair.0 == *name || pair.1 == *name));
    }

    #[test]
    fn a_merge_accepts_what_either_side_accepts(base in folders(), one in folders(), other in folders()) {
        // Two branches that each add documents of their own.
        let added = |prefix: &str, folder: Folder| {
            let named = folder.into_iter().map(|(name, text)| (format!("{prefix}/{name}"), text));
            named.chain(base.clone()).collect::<Folder>()
        };
        let (ours, theirs) = (added("ours", one), added("theirs", other));
        let mut both = lines(&accepted(&ours));
        both.extend(lines(&accepted(&theirs)));
        both.insert(1, String::new());
        let merged = read_lines(&both);
        for side in [&ours, &theirs] {
            prop_assert_eq!(check(merged.clone(), side).open, BTreeMap::new());
        }
        // Nobody has seen the documents of one branch together with those of the other.
        let all: Folder = ours.into_iter().chain(theirs).collect();
        let pairs = all.keys().flat_map(|name| pairs_of(&all, name));
        let unseen = pairs.filter(|(a, b)| a.starts_with("ours/") && b.starts_with("theirs/"));
        let checked = check(merged, &all);
        prop_assert_eq!(checked.open.into_keys().collect::<BTreeSet<_>>(), unseen.collect());
        prop_assert_eq!(checked.stale, 0);
    }

    #[test]
    fn another_run_is_a_baseline_without_a_file(before in folders(), now in folders()) {
        let (documents, pairs) = run_of(&before.clone().into_iter().collect::<Vec<_>>());
        let mut baseline = Baseline::from_run(&documents, &pairs, Relations::DUPLICATES);
        let (documents, pairs) = run_of(&now.clone().into_iter().collect::<Vec<_>>());
        baseline.documents(&documents, &Sources::sample(documents.len()));
        let is_same = before == now;
        for pair in &pairs {
            let standing = baseline.meet(pair);
            let both = [pair.a, pair.b].map(|id| baseline.knows(id));
            prop_assert!(both == [true, true] || standing != Some(Standing::Accepted));
            prop_assert!(!is_same || standing == Some(Standing::Accepted));
        }
        for (id, (name, text)) in (0..).zip(&now) {
            // Documents without a pair too.
            prop_assert!(before.get(name) != Some(text) || baseline.knows(DocId::from(id)));
        }
    }
}
