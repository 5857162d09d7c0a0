//! Plans that are carried out by the advice of the program, and undone.

use crate::advice::{advised, follow, follow_all, texts};
use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Says, records};

#[test]
fn a_plan_keeps_every_text() {
    for (case, scan) in [
        "dupfind scan .",
        "dupfind scan 'the docs'",
        "dupfind scan . -g '*.md' --min-jaccard 0.5",
        "dupfind scan . -t md",
        "dupfind scan . -t txt -t md --shingle-size 5",
        "dupfind scan 'the docs' --detectors shingle",
        "dupfind scan . --show exact,near",
        "dupfind scan . --exclude none.md --lang en",
    ]
    .into_iter()
    .enumerate()
    {
        let env = Env::new()
            .file("the docs/park.md", PARK)
            .file("the docs/it's a copy.md", PARK)
            .file("the docs/edited.md", PARK_EDITED)
            .file("the docs/bread.md", BREAD)
            .file("the docs/zh/公园.md", PARK_ZH)
            .file("the docs/zh/公园 2.md", PARK_ZH);
        let before = texts(&env.path("."));
        let followed = follow_all(&env, scan);
        assert_eq!(followed.len(), 2, "{case}: {followed:?}");
        followed[0].begins("dupfind plan ");
        followed[1].begins("dupfind apply ");
        assert!(
            before.is_subset(&texts(&env.path("."))),
            "{scan}: a text is gone"
        );
        assert!(env.path("the docs/edited.md").exists(), "{scan}");
        let copies = ["park.md", "it's a copy.md"].map(|name| env.path("the docs").join(name));
        let left = copies.iter().filter(|path| path.exists()).count();
        assert_eq!(left, 1, "{scan}: one of two copies goes");
    }
}

#[test]
fn a_plan_against_a_collection_leaves_that_as_it_is() {
    let env = Env::of(
        "PARK: published/park.md published/again.md drafts/park.md; BREAD: drafts/bread.md",
    );
    let followed = follow_all(&env, "dupfind scan drafts --against published");
    let expected = [
        "dupfind plan drafts --against published -o plan.jsonl",
        "dupfind apply plan.jsonl",
    ];
    assert_eq!(followed, expected);
    assert!(env.path("published/park.md").exists() && env.path("published/again.md").exists());
    assert!(!env.path("drafts/park.md").exists() && env.path("drafts/bread.md").exists());
}

#[test]
fn what_a_copy_has_in_its_file_alone_is_shown() {
    for names in [&["it's b.md"][..], &["b.md", "c.md"]] {
        let mut env = Env::new().file("the docs/a.md", PARK);
        for name in names {
            env = env.file(
                format!("the docs/{name}"),
                format!("{PARK}\n![](map.png)\n"),
            );
        }
        let printed = follow(&env, "dupfind plan --keep path -o plan.jsonl");
        let line = advised(&printed, "look first: ").expect(&printed);
        follow(&env, &line).says("\nOnly in the file of B: 1 line\n  7  ![](map.png)\n");
    }
}

#[test]
fn undo_is_printed_and_moves_files_back() {
    for to in ["", " --to 'my pages'"] {
        let env = Env::of("PARK: docs/a.md docs/b.md; BREAD: docs/bread.md");
        let before = texts(&env.path("docs"));
        follow(&env, "dupfind plan docs -o 'the plan.jsonl'");
        let printed = follow(&env, &format!("dupfind apply 'the plan.jsonl' --yes{to}"));
        assert!(!env.path("docs/b.md").exists(), "{printed}");
        let at = printed.find("dupfind apply ").unwrap();
        let line = printed[at..].split(" moves them back").next().unwrap();
        follow(&env, line);
        assert_eq!(texts(&env.path("docs")), before);
        assert!(env.path("docs/b.md").exists());
    }
}

#[test]
fn names_that_look_like_options_are_advised_as_paths() {
    let env = Env::new().file("-a.md", PARK).file("--help", PARK_EDITED);
    let advice = follow_all(&env, "dupfind scan -- -a.md --help");
    let expected = ["dupfind compare ./-a.md ./--help ./-a.md ./--help"];
    assert_eq!(advice, expected);
    env.write("--help", PARK);
    let advice = follow_all(&env, "dupfind scan -- -a.md --help");
    assert_eq!(advice[0], "dupfind plan ./-a.md ./--help -o plan.jsonl");
    let left = ["-a.md", "--help"].into_iter();
    assert_eq!(left.filter(|name| env.path(name).exists()).count(), 1);
}

#[test]
fn a_file_named_like_standard_input_is_advised_as_a_path() {
    let env = Env::new().file("-", PARK).file("b.md", PARK_EDITED);
    let printed = follow(&env, "dupfind scan . --no-ignore -g '*'");
    let line = advised(&printed, "Next: ").unwrap();
    assert_eq!(line, "dupfind compare ./- b.md . --glob '*' --no-ignore");
    follow(&env, &line).says("forty");
    // What comes through a pipe cannot be read again.
    let printed = follow(&env, "dupfind scan . - < /dev/null");
    assert_eq!(advised(&printed, "Next: "), None);
}

#[test]
fn a_plan_proposes_no_option_that_lets_pages_with_text_of_their_own_go() {
    let env = Env::of("PARK: docs/a.md docs/b.md; PARK_EDITED: docs/c.md");
    for options in ["", "--drop near,contains"] {
        let printed = follow(&env, &format!("dupfind plan docs {options} -o plan.jsonl"));
        printed.says("left alone: ");
        assert!(!printed.contains("--drop"), "{options}: {printed}");
        assert!(!printed.contains("--min"), "{options}: {printed}");
    }
}

#[test]
fn what_dedup_says_of_pairs_that_it_leaves_alone_is_right() {
    let env = Env::new().file("r.jsonl", records(&[PARK, PARK, PARK_EDITED]));
    let kept = |options: &str| {
        let printed = follow(
            &env,
            &format!("dupfind dedup r.jsonl {options} -o kept.jsonl"),
        );
        (printed, env.read("kept.jsonl").lines().count())
    };
    let way = "--drop exact,near,contains";
    let (printed, before) = kept("--drop contains --min-similarity 0.4");
    let advice = format!("(exact or near); {way} decides about them too");
    printed.says(&advice);
    let (printed, now) = kept(&format!("{way} --min-similarity 0.4"));
    assert_eq!((before, now), (3, 1), "{printed}");
    printed.omits("left alone");
}
