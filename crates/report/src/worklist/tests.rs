//! Worklists of few pairs.

use super::*;
use crate::model::PairRecord;
use crate::tests::sets;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dupfind_decide::Gate;
use dupfind_engine::detect::Agreeing;
use dupfind_engine::{Detectors, Relations, Rule};
use dupfind_read::Editions;
use dupfind_scan::{Scan, Source};
use proptest::prelude::*;

/// Returns documents `0.md`, `1.md`, ... with so many shingles each.
fn documents(shingles: &[u32]) -> Vec<Document> {
    let numbered = shingles.iter().enumerate();
    let document = |(at, &shingles): (usize, &u32)| {
        let mut document = Document::sample(format!("{at:02}.md"));
        (document.shingles, document.length) = (shingles, shingles as usize);
        document
    };
    numbered.map(document).collect()
}

/// Returns a pair that shares half of its union.
pub(super) fn pair(a: u32, b: u32, relation: Relation, weighted: u16) -> Pair {
    Pair {
        a: a.into(),
        b: b.into(),
        hamming: Some(3),
        sets: sets(60, 120, weighted, weighted),
        rule: Rule::of(relation),
        found_by: Detectors::USUAL,
        agreeing: Agreeing::default(),
    }
}

/// Copies.
fn copy(a: u32, b: u32) -> Pair {
    pair(a, b, Relation::Exact, 10_000)
}

fn near(a: u32, b: u32) -> Pair {
    pair(a, b, Relation::Near, 5_000)
}

fn related(a: u32, b: u32) -> Pair {
    pair(a, b, Relation::Related, 5_000)
}

fn template(a: u32, b: u32) -> Pair {
    pair(a, b, Relation::Template, 1_000)
}

fn scan(documents: &[Document], pairs: &[Pair]) -> Scan {
    let mut scan = Scan {
        documents: documents.to_vec(),
        pairs: pairs.to_vec(),
        ..Scan::sample()
    };
    let files = documents.iter();
    let files = files.map(|document| PathBuf::from(&*document.name));
    let files: Vec<PathBuf> = files.collect();
    let editions = Editions::of(&files, Path::new("no such folder"));
    for document in scan.documents.iter_mut().filter(|_| editions.is_some()) {
        let edition = editions.as_ref().map(|all| all.edition(&document.name));
        document.edition = edition.unwrap_or_default();
    }
    scan.sources.documents = vec![Source::of_file(0); documents.len()];
    scan.sources.editions = editions.map(Arc::new);
    scan
}

/// Returns the entries of some pairs, and the folders that each is in too.
fn listed(scan: &Scan, gate: &Gate, failing: Relations) -> Vec<(Entry, Vec<String>)> {
    let list = Worklist::new(&Report {
        failing,
        ..Report::new(scan, gate)
    });
    let values = |at: &usize| list.editions[*at].clone();
    let also = |entry: &Entry| entry.also.iter().map(values).collect();
    let entries = list.entries.iter();
    entries.map(|entry| (entry.clone(), also(entry))).collect()
}

fn made(documents: &[Document], pairs: &[Pair]) -> Vec<Entry> {
    failing(documents, pairs, Relations::NONE)
}

/// Returns the entries if pairs of some relations make the run fail.
fn failing(documents: &[Document], pairs: &[Pair], relations: Relations) -> Vec<Entry> {
    let found = listed(&scan(documents, pairs), &Gate::default(), relations);
    found.into_iter().map(|(entry, _)| entry).collect()
}

/// Returns the kind and the documents of each entry, as in `Group 0 1, Short 2 3`.
fn entries(list: &[Entry]) -> String {
    let of = |entry: &Entry| {
        let documents = entry
            .documents()
            .map(|document| format!(" {}", document.index()));
        format!("{:?}{}", entry.kind, documents.collect::<String>())
    };
    list.iter().map(of).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_chain_is_a_star_around_the_longest_and_a_rest() {
    let documents = documents(&[90, 80, 70, 60]);
    let pairs = [near(0, 1), near(1, 2), near(2, 3)];
    let made = |pairs| entries(&made(&documents, pairs));
    assert_eq!(made(&pairs), "Group 2 3, Group 0 1");
    assert_eq!(made(&pairs[..2]), "Group 1 2, Group 0 1");
}

#[test]
fn copies_of_a_later_document_are_a_group_apart_from_similar_documents() {
    let documents = documents(&[90, 80, 80, 90]);
    let pairs = [
        copy(1, 2),
        copy(0, 3),
        pair(0, 1, Relation::Near, 2_000),
        pair(0, 2, Relation::Near, 2_000),
        pair(1, 3, Relation::Near, 2_000),
        pair(2, 3, Relation::Near, 2_000),
    ];
    let list = made(&documents, &pairs);
    assert_eq!(entries(&list), "Group 0 3 1, Group 1 2");
    assert_eq!(list[1].gain, 80 * STEPS);
}

#[test]
fn a_new_copy_of_copies_makes_one_group() {
    // The pair of the first two is accepted, so that it is not listed.
    let documents = documents(&[80, 80, 80, 90]);
    let pairs = [copy(0, 2), copy(1, 2), near(2, 3)];
    let list = made(&documents, &pairs);
    assert_eq!(entries(&list), "Group 2 0 1, Group 3 2");
}

#[test]
fn kinds_come_in_order_and_sums_come_last() {
    let documents = documents(&[900, 800, 70, 60, 50, 40, 30, 9]);
    let pairs = [
        // It saves less than the related pair.
        near(0, 1),
        related(2, 3),
        template(3, 4),
        template(4, 5),
        pair(4, 6, Relation::Variant, 3_000),
        pair(6, 7, Relation::Short, 9_000),
    ];
    let list = made(&documents, &pairs);
    let expected = "Group 0 1, Related 2 3, Family 3 4 5 6, Short 6 7";
    assert_eq!(entries(&list), expected);
    let counts: Vec<u64> = list.iter().map(|entry| entry.pairs).collect();
    assert_eq!(counts, [1, 1, 3, 1]);
    assert!(made(&documents, &[]).is_empty());
}

#[test]
fn copies_gain_all_of_their_text_and_similar_texts_the_shared_part() {
    let documents = documents(&[100, 80]);
    // 60 shingles are three quarters of the smaller document.
    let of = |relation| gain(&documents, &pair(0, 1, relation, 5_000));
    assert_eq!(of(Relation::Exact), 80 * STEPS);
    assert_eq!(of(Relation::Near), 60 * (STEPS * 9 / 16));
    assert_eq!(of(Relation::Contains), 60 * (STEPS * 9 / 16));
    assert_eq!(of(Relation::Related), 60 * (STEPS * 9 / 16));
    assert_eq!(of(Relation::Short), 0);
}

#[test]
fn related_pages_of_a_family_are_a_line_unless_they_make_the_run_fail() {
    let documents = documents(&[100, 80, 80]);
    let of_family = |a, b| Pair {
        rule: Rule::RelatedSubjects,
        ..pair(a, b, Relation::Related, 1_000)
    };
    let pairs = [of_family(0, 1), of_family(1, 2)];
    let listed = |relations| entries(&failing(&documents, &pairs, relations));
    assert_eq!(listed(Relations::NONE), "Family 0 1 2");
    let related = listed([Relation::Related].into_iter().collect());
    assert_eq!(related, "Related 0 1, Related 1 2");
}

#[test]
fn generated_pages_are_a_line_for_each_folder_unless_they_are_copies_or_make_the_run_fail() {
    let mut documents = documents(&[90; 4]);
    for document in &mut documents {
        document.is_generated = true;
    }
    let pairs = [copy(2, 3), near(0, 1)];
    for (relations, expected) in [
        (Relations::NONE, Kind::Generated),
        (Relations::DUPLICATES, Kind::Group),
    ] {
        let list = failing(&documents, &pairs, relations);
        assert_eq!(list[0].kind, Kind::Group);
        assert_eq!(list[1].kind, expected);
    }
}

#[test]
fn files_of_code_are_a_line_for_each_folder_behind_all_others() {
    let mut documents = documents(&[90; 6]);
    let names = ["a/x.md", "a/y.md", "c/1.js", "c/2.js", "c/d/3.js", "e.js"];
    for (document, name) in documents.iter_mut().zip(names) {
        document.name = name.into();
        document.is_code = name.ends_with(".js");
    }
    let pairs = [copy(2, 3), near(3, 4), template(0, 1), near(1, 5)];
    let list = made(&documents, &pairs);
    assert_eq!(entries(&list), "Family 0 1, Code 2 3 4, Code 1 5");
    assert_eq!(list[1].pairs, 2);
}

proptest! {
    #[test]
    fn every_duplicate_is_in_an_entry_and_each_member_is_compared_with_its_first(
        sizes in prop::collection::vec(20_u32..90, 2..14),
        seeds in prop::collection::vec((any::<u32>(), any::<u32>(), 0_usize..6, 0_u16..10_000), 0..40),
    ) {
        let documents = documents(&sizes);
        let count = u32::try_from(sizes.len()).unwrap();
        let mut pairs: Vec<Pair> = Vec::new();
        for (a, b, relation, weighted) in seeds {
            let (a, b) = (a % count, b % count);
            let is_known = |pair: &Pair| (pair.a, pair.b) == (DocId::from(a), DocId::from(b));
            if a < b && !pairs.iter().any(is_known) {
                pairs.push(pair(a, b, Relation::ALL[relation], weighted));
            }
        }
        let list = made(&documents, &pairs);
        let is_group = |entry: &&Entry| entry.kind == Kind::Group;
        let mut is_in = vec![false; documents.len()];
        for entry in list.iter().filter(is_group) {
            for member in &entry.members {
                let pair = &pairs[member.pair];
                let ends = [pair.a, pair.b];
                prop_assert!(ends.contains(&entry.first) && ends.contains(&member.document));
                prop_assert!(entry.first != member.document);
                is_in[entry.first.index()] = true;
                is_in[member.document.index()] = true;
            }
        }
        for pair in pairs.iter().filter(|pair| pair.relation() <= Relation::Contains) {
            prop_assert!(is_in[pair.a.index()] && is_in[pair.b.index()]);
        }
        let sums = list.iter().filter(|entry| entry.kind.is_sum());
        prop_assert_eq!(sums.count(), list.iter().rev().take_while(|e| e.kind.is_sum()).count());
        // The order of the pairs matters only where two are equally similar.
        let again = made(&documents, &pairs);
        prop_assert_eq!(list, again);
    }
}

/// Returns documents of these names, the longer ones first.
fn named(names: &str) -> Vec<Document> {
    let sizes = (0..=100).rev();
    let document = |(name, shingles): (&str, u32)| {
        let mut document = Document::sample(name);
        (document.shingles, document.length) = (shingles, shingles as usize);
        document
    };
    names.split(' ').zip(sizes).map(document).collect()
}

#[test]
fn the_same_pages_in_several_languages_are_one_entry() {
    let names = "de/forms.md de/files.md en/forms.md en/files.md en/other.md ja/files.md ja/forms.md ja/other.md";
    let documents = named(names);
    let pairs = [near(0, 1), related(2, 3), related(5, 6), related(6, 7)];
    let scan = scan(&documents, &pairs);
    let found = listed(&scan, &Gate::default(), Relations::NONE);
    let [(forms, in_others), (other, in_none)] = found.as_slice() else {
        panic!("two entries")
    };
    let expected = "Group 0 1, Related 6 7";
    assert_eq!(entries(&[forms.clone(), other.clone()]), expected);
    assert_eq!(*in_others, ["en", "ja"]);
    assert_eq!((forms.pairs, other.pairs), (3, 1));
    assert!(in_none.is_empty());
    // Pairs that make the run fail are listed one by one.
    let related = Relations::up_to(Relation::Related);
    assert_eq!(failing(&documents, &pairs, related).len(), 4);
}

#[test]
fn a_copy_and_a_similar_page_are_no_two_versions_of_one_entry() {
    let documents = named("x.md v1/a.md v2/a.md v3/a.md v1/b.md v2/b.md v3/b.md");
    let found = |pairs: &[Pair]| {
        let found = listed(&scan(&documents, pairs), &Gate::default(), Relations::NONE);
        let one = |(entry, also): &(Entry, Vec<String>)| {
            format!(
                "{} {}",
                entries(std::slice::from_ref(entry)),
                also.join(" ")
            )
        };
        found.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let pairs = [copy(0, 1), copy(0, 3), near(0, 2)];
    assert_eq!(found(&pairs), "Group 0 1 2 v3");
    let pairs = [copy(1, 4), copy(3, 6), near(2, 5)];
    assert_eq!(found(&pairs), "Group 1 4 v3, Group 2 5 ");
}

#[test]
fn versions_are_no_entry_and_pages_without_a_translation_are_one() {
    let versions = named("v1/a.md v1/b.md v2/a.md v2/b.md v1/old.md v2/new.md");
    let pairs = [copy(0, 2), near(1, 3), near(0, 1), near(4, 5)];
    let one = "Group 0 1";
    assert_eq!(entries(&made(&versions, &pairs)), one);
    assert_eq!(entries(&failing(&versions, &pairs, Relations::EXACT)), one);
    let mut languages = named("en/a.md en/b.md en/c.md fr/a.md fr/b.md fr/d.md");
    let nearly_equal = Pair {
        sets: sets(95, 100, 9_500, 9_500),
        ..near(1, 4)
    };
    let pairs = [copy(0, 3), nearly_equal, related(1, 3), related(0, 1)];
    // A page without a title is for other pages.
    assert_eq!(entries(&made(&languages, &pairs)), "Related 0 1");
    for document in &mut languages {
        document.title.hash = 16;
    }
    let expected = "Related 0 1, Untranslated 0 3 1 4";
    assert_eq!(entries(&made(&languages, &pairs)), expected);
    assert!(made(&languages, &[near(1, 4)]).is_empty());
    let (scan, gate) = (scan(&languages, &pairs), Gate::default());
    let list = Worklist::new(&Report::new(&scan, &gate));
    let said = "untranslated: 2 pages of fr with the text of another language, such as a.md";
    assert_eq!(list.sentence(&list.entries[1]), said);
}

#[test]
fn a_family_has_an_example() {
    for (names, expected) in [
        ("api/a.md api/b.md", "in api, such as a.md and b.md"),
        ("a/i.md b/i.md", "such as a/i.md and b/i.md"),
        ("c/a/i.md c/b/i.md", "in c, such as a/i.md and b/i.md"),
    ] {
        let (scan, gate) = (scan(&named(names), &[template(0, 1)]), Gate::default());
        let list = Worklist::new(&Report::new(&scan, &gate));
        let expected = format!("family: 2 pages of one form, {expected}");
        assert_eq!(list.sentence(&list.entries[0]), expected);
    }
}

#[test]
fn siblings_of_a_family_are_one_entry() {
    let mut documents =
        named("api/a.md api/b.md api/c.md api/d.md api/e.md x/One.md x/Two.md x/y.md");
    for (number, document) in (1..).zip(&mut documents) {
        document.title.hash = number * 16;
    }
    for (document, title) in documents[5..].iter_mut().zip(["x.One", "x.Two", "Why"]) {
        document.title.shown = title.into();
    }
    // The first two are both like two others, and the next two are named as their titles. No rule says that they are of a family.
    let related = |a, b| pair(a, b, Relation::Related, 1_000);
    let pairs = [
        related(0, 1),
        related(5, 6),
        near(6, 7),
        template(0, 2),
        template(1, 2),
        template(0, 3),
        template(1, 3),
        template(3, 4),
    ];
    let expected = "Group 6 7, Related 5 6, Related 0 1, Family 0 2 1 3 4";
    assert_eq!(entries(&made(&documents, &pairs)), expected);
    let first = |pairs: &[Pair]| made(&documents, pairs)[0].kind;
    assert_eq!(first(&pairs[..1]), Kind::Related);
    // A rule may say so, but pairs that make the run fail are listed one by one.
    let told = [Pair {
        rule: Rule::RelatedSubjects,
        ..pairs[0]
    }];
    assert_eq!(first(&told), Kind::Family);
    let related = Relations::up_to(Relation::Related);
    assert_eq!(failing(&documents, &told, related)[0].kind, Kind::Related);
    // Near-duplicates are entries of their own.
    let pairs = [&[near(0, 1), near(5, 6)], &pairs[2..]].concat();
    let expected = "Group 6 7, Group 5 6, Group 0 1, Family 0 2 1 3 4";
    assert_eq!(entries(&made(&documents, &pairs)), expected);
    // The folder is a family, but not if two pages in it are duplicates or most pages are like no other.
    let is_family = |documents: &[Document], pairs: &[Pair]| {
        let (scan, gate) = (scan(documents, pairs), Gate::default());
        let list = Worklist::new(&Report::new(&scan, &gate));
        list.entries
            .iter()
            .any(|entry| list.family(entry) == Some("api"))
    };
    assert!(is_family(&documents, &pairs));
    assert!(!is_family(
        &documents,
        &[&[near(2, 4)], &pairs[..]].concat()
    ));
    documents.extend((0..6).map(|at| Document::sample(format!("api/other/{at}.md"))));
    assert!(!is_family(&documents, &pairs));
}

#[test]
fn the_list_has_a_pair_in_a_line_of_a_family_if_json_has_family() {
    let rules = [
        Rule::SameText,
        Rule::TooFewWords,
        Rule::VariantCloser,
        Rule::VariantTitles,
        Rule::VariantSubjects,
        Rule::VariantReleases,
        Rule::VariantTemplate,
        Rule::Related,
        Rule::RelatedSubjects,
        Rule::RelatedBySignatures,
        Rule::RelatedCode,
        Rule::RelatedRepeated,
        Rule::Template,
    ];
    let mut of_family = 0;
    for (rule, at) in rules
        .into_iter()
        .flat_map(|rule| [(rule, 0), (rule, 1), (rule, 2)])
    {
        // They are named as their titles.
        let mut documents = named("x/One.md x/Two.md");
        for (document, (hash, title)) in documents.iter_mut().zip([(16, "x.One"), (32, "x.Two")]) {
            (document.title.hash, document.title.shown) = (hash, title.into());
            (document.is_generated, document.is_code) = (at == 1, at == 2);
        }
        let pair = Pair { rule, ..near(0, 1) };
        let is_listed = made(&documents, &[pair])[0].kind == Kind::Family;
        let is_in_json = PairRecord::new(&documents, &pair).family;
        assert_eq!(is_listed, is_in_json, "{rule:?} {at}");
        of_family += u8::from(is_listed);
    }
    assert_eq!(of_family, 14);
}

#[test]
fn the_same_pages_of_two_folders_are_one_entry() {
    let mut documents = named(
        "web/mvc/a.md web/flux/a.md web/mvc/x/b.md web/flux/b.md web/mvc/mvc-c.md web/flux/c.md",
    );
    let pairs = [near(0, 1), near(2, 3), near(4, 5)];
    assert_eq!(made(&documents, &pairs).len(), 3);
    documents[4].title.hash = 16;
    documents[5].title.hash = 16;
    let list = made(&documents, &pairs);
    assert_eq!(entries(&list), "Parallel 4 5 2 3 0 1");
    assert_eq!(list[0].pairs, 3);
    assert_eq!(failing(&documents, &pairs, Relations::DUPLICATES).len(), 3);
}
