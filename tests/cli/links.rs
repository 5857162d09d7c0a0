//! Which page stays of several, and what becomes of the links to those that go.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::env::{BREAD, Env, PARK, Run, lines};
use crate::git::git_in;

/// The lines of a plan without the first one.
#[track_caller]
fn plan(env: &Env, args: &[&str]) -> Vec<Value> {
    let run = env.run(&[&["plan", "--quiet"], args].concat());
    lines::<Value>(run.ok()).split_off(1)
}

/// Which page goes for which one, by which rule and reason.
#[track_caller]
fn decided(env: &Env, args: &[&str]) -> [String; 4] {
    let lines = plan(env, args);
    let mut drops = lines.iter().filter(|line| line["type"] == "drop");
    let (line, more) = (drops.next().unwrap(), drops.next());
    assert_eq!(more, None);
    ["drop", "keep", "rule", "reason"].map(|key| line[key].as_str().unwrap().to_owned())
}

const NEAR: &str = "--drop=exact,near";

/// The same text, and a sentence more.
fn longer() -> String {
    format!("{PARK}\nDogs may run free until nine.\n")
}

#[track_caller]
fn went_well(run: &Run) {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

/// Two copies. Five other pages name the second one in five ways, and one page names the first one.
fn site() -> Env {
    Env::new()
        .file("docs/a/copy.md", PARK)
        .file("docs/guide/park.md", format!("---\naliases:\n  - /old/park/\n---\n{PARK}"))
        .file("docs/index.md", "# Site\n\n[The park](guide/park.md#trees) and [its copy][copy].\n\n[copy]: </a/copy> 'x'\n")
        .file("docs/guide/b.md", "<a class=x href=\"../../guide/park/\">park</a>, [twice](park.md)\n")
        .file("docs/c.html", "<!doctype html><p><a href='/guide/park.html?x=1&amp;y#b'>harbour</a>")
        .file("docs/d.md", "[old name](/old/park)\n")
        .file("docs/e.md", "[park](./guide/p%61rk.md)\n")
        .file("docs/f.md", "`[park](guide/park.md)` [else](https://example.org/guide/park.md) [none](none.md)\n")
}

#[test]
fn the_page_that_others_link_to_stays_and_then_the_longest() {
    let env = site();
    let [drop, keep, rule, reason] = decided(&env, &[]);
    assert_eq!(
        [&*drop, &*keep, &*rule],
        ["docs/a/copy.md", "docs/guide/park.md", "linked"]
    );
    assert_eq!(reason, "pages that link to it: 5, to the other: 1");
    // Another order is requested, and the links are listed nevertheless.
    let all = plan(&env, &["--keep", "shortest-path,longest"]);
    assert_eq!(
        [&all[0]["drop"], &all[0]["rule"]],
        ["docs/guide/park.md", "shortest-path"]
    );
    let from = [
        "docs/c.html",
        "docs/d.md",
        "docs/e.md",
        "docs/guide/b.md",
        "docs/index.md",
    ];
    assert_eq!(all[0]["linked_from"], serde_json::json!(from));
    let links: Vec<(&str, &str, &str)> = all
        .iter()
        .filter(|line| line["type"] == "links")
        .flat_map(|line| {
            line["links"]
                .as_array()
                .unwrap()
                .iter()
                .map(move |link| (line, link))
        })
        .map(|(line, link)| {
            (
                line["page"].as_str().unwrap(),
                link["link"].as_str().unwrap(),
                link["to"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        links,
        [
            (
                "docs/c.html",
                "/guide/park.html?x=1&amp;y#b",
                "docs/guide/park.md"
            ),
            ("docs/d.md", "/old/park", "docs/guide/park.md"),
            ("docs/e.md", "./guide/p%61rk.md", "docs/guide/park.md"),
            ("docs/guide/b.md", "../../guide/park/", "docs/guide/park.md"),
            ("docs/guide/b.md", "park.md", "docs/guide/park.md"),
            ("docs/index.md", "guide/park.md#trees", "docs/guide/park.md"),
            ("docs/index.md", "/a/copy", "docs/a/copy.md"),
        ]
    );
    // Nobody links to either: the longer text, and then the path.
    let env = Env::new()
        .file("a.md", PARK)
        .file("b.md", longer())
        .file("c.md", PARK);
    let said = env.run(&["plan", "--drop", "exact,near", "-o", "p.jsonl"]);
    for part in [
        "; their age decided nothing, as git does not know it",
        "a.md goes for b.md: it has",
        "c.md goes for b.md: it has",
    ] {
        assert!(said.stderr.contains(part), "{part}: {}", said.stderr);
    }
    let env = Env::new().file("b.md", PARK).file("a.md", PARK);
    let [drop, keep, rule, reason] = decided(&env, &[]);
    assert_eq!(
        [&*drop, &*keep, &*rule, &*reason],
        ["b.md", "a.md", "path", "its path comes first"]
    );
    // Copies that link to each other, and to themselves.
    let env = Env::new()
        .file("a.md", format!("{PARK}[b](b.md) [a](a.md)\n"))
        .file("b.md", format!("{PARK}[b](a.md) [a](b.md)\n"));
    assert_eq!(decided(&env, &[])[..3], ["b.md", "a.md", "path"]);
}

/// Commits all there is on a day.
fn commit(root: &Path, day: &str) {
    git_in(root, &["add", "--all"]);
    let date = format!("{day}T12:00:00Z");
    let made = std::process::Command::new("git")
        .args([
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@example.org",
            "commit",
            "--quiet",
            "-m",
            day,
        ])
        .current_dir(root)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_COMMITTER_DATE", &date)
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .status();
    assert!(made.unwrap().success());
}

#[test]
fn the_page_that_was_made_first_stays_whatever_its_name_was() {
    let env = Env::new().folder("site");
    let root = env.path("site");
    git_in(&root, &["init", "--quiet"]);
    env.write("site/drafts/page.md", PARK);
    commit(&root, "2020-01-01");
    env.write("site/docs/a-copy.md", PARK);
    commit(&root, "2021-01-01");
    fs::rename(root.join("drafts/page.md"), root.join("docs/z.md")).unwrap();
    commit(&root, "2022-01-01");
    env.write("site/docs/a-copy.md", longer());
    commit(&root, "2023-01-01");
    let of = |folder: &str, args: &[&str]| {
        let run = env.run_in(folder, &[&["plan"], args].concat());
        let text = run.stdout.lines().nth(1).unwrap_or_default().to_owned();
        let line: Value = serde_json::from_str(&text).unwrap();
        (
            ["drop", "keep", "rule", "reason"].map(|key| line[key].as_str().unwrap().to_owned()),
            run.stderr,
        )
    };
    let (found, said) = of("site", &["docs", NEAR]);
    assert_eq!(found[..3], ["docs/a-copy.md", "docs/z.md", "oldest"]);
    assert_eq!(
        found[3],
        "made 2020-01-01 12:00:00, the other 2021-01-01 12:00:00"
    );
    assert!(!said.contains("warning"), "{said}");
    // A page that no commit has is younger than all others.
    env.write("site/docs/0.md", PARK);
    let (found, _) = of("site", &["docs/0.md", "docs/a-copy.md", NEAR]);
    assert_eq!(found[..3], ["docs/0.md", "docs/a-copy.md", "oldest"]);
    fs::remove_file(env.path("site/docs/0.md")).unwrap();
    // A shallow clone knows only that a page is older than its first commit.
    env.write("site/docs/new.md", PARK);
    commit(&root, "2024-01-01");
    git_in(
        &env.path(""),
        &[
            "clone",
            "--quiet",
            "--depth",
            "2",
            &format!("file://{}", root.display()),
            "shallow",
        ],
    );
    let (found, said) = of("shallow", &["docs/a-copy.md", "docs/z.md", NEAR]);
    assert_eq!(found[..3], ["docs/z.md", "docs/a-copy.md", "longest"]);
    assert!(
        said.contains("this clone is shallow, and of files that are older"),
        "{said}"
    );
    let (found, _) = of("shallow", &["docs/new.md", "docs/z.md"]);
    assert_eq!(found[..3], ["docs/new.md", "docs/z.md", "oldest"]);
    assert_eq!(found[3], "made -, the other 2024-01-01 12:00:00");
}

#[test]
fn pages_of_folders_go_only_if_they_are_named() {
    let env = Env::new()
        .file("docs/README.md", PARK)
        .file("docs/guide/index.md", PARK)
        .file("docs/guide/park.md", PARK)
        .file("docs/leaf/index.md", PARK);
    let all = plan(&env, &["docs"]);
    let gone: Vec<&str> = all
        .iter()
        .filter_map(|line| line["drop"].as_str())
        .collect();
    assert_eq!(gone, ["docs/guide/park.md", "docs/leaf/index.md"]);
    assert_eq!(all[0]["rule"], "home");
    let left: Vec<&Value> = all
        .iter()
        .filter(|line| line["type"] == "unresolved")
        .collect();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["document"], "docs/guide/index.md");
    assert_eq!(
        left[0]["because"],
        "it is the page of its folder, which goes only if it is named"
    );
    // A rule that prefers another page does not make one go.
    let all = plan(&env, &["docs", "--keep", "in:docs/leaf"]);
    let gone: Vec<&str> = all
        .iter()
        .filter_map(|line| line["drop"].as_str())
        .collect();
    assert_eq!(gone, ["docs/guide/park.md"]);
    let all = plan(
        &env,
        &[
            "docs",
            "docs/README.md",
            "docs/guide/index.md",
            "--keep",
            "in:docs/leaf",
        ],
    );
    assert_eq!(all.iter().filter(|line| line["type"] == "drop").count(), 3);
    // In the plan, too: somebody exchanged the names.
    let text = env.run(&["plan", "docs/guide", "--quiet"]).ok().to_owned();
    let swapped = text
        .replace("index.md", "@")
        .replace("park.md", "index.md")
        .replace('@', "park.md");
    env.write("plan.jsonl", swapped);
    went_well(&env.run(&["apply", "plan.jsonl", "--delete", "--yes"]));
    assert!(!env.path("docs/guide/index.md").exists());
}

#[test]
fn links_are_changed_and_changed_back() {
    let env = site();
    env.run(&[
        "plan",
        "docs",
        "--keep",
        "shortest-path",
        "-o",
        "plan.jsonl",
        "-q",
    ])
    .ok();
    let apply = |args: &[&str]| env.run(&[&["apply", "plan.jsonl"], args].concat());
    let pages = [
        "docs/index.md",
        "docs/guide/b.md",
        "docs/c.html",
        "docs/d.md",
        "docs/e.md",
        "docs/f.md",
        "docs/a/copy.md",
        "docs/guide/park.md",
    ];
    let read = || pages.map(|page| fs::read_to_string(env.path(page)).ok());
    let before = read();
    // It warns, and names the way.
    let warned = apply(&["--delete"]);
    went_well(&warned);
    let words = "5 pages link to docs/guide/park.md (docs/c.html, docs/d.md, docs/e.md, …); --rewrite-links changes that";
    assert!(warned.stderr.contains(words), "{}", warned.stderr);
    // An alias is no path that could be changed: this page and the one that it links to are left alone.
    let refused = apply(&["--delete", "--rewrite-links", "--yes"]);
    refused.complains("docs/d.md: '/old/park' is no path that could be changed");
    assert_eq!(read(), before);
    env.write("docs/d.md", "no link any more\n");
    let before = read();
    let shown = apply(&["--delete", "--rewrite-links"]);
    assert!(
        shown
            .stderr
            .contains("docs/index.md: 1 link would change: a/copy.md#trees"),
        "{}",
        shown.stderr
    );
    assert_eq!(read(), before);
    let done = apply(&["--delete", "--rewrite-links", "--yes"]);
    went_well(&done);
    let after = read().map(Option::unwrap_or_default);
    assert_eq!(
        after[0],
        "# Site\n\n[The park](a/copy.md#trees) and [its copy][copy].\n\n[copy]: </a/copy> 'x'\n"
    );
    assert_eq!(
        after[1],
        "<a class=x href=\"../../a/copy/\">park</a>, [twice](../a/copy.md)\n"
    );
    assert_eq!(
        after[2],
        "<!doctype html><p><a href='/a/copy.html?x=1&amp;y#b'>harbour</a>"
    );
    assert_eq!(after[4], "[park](a/copy.md)\n");
    assert_eq!(after[5], before[5].clone().unwrap());
    assert_eq!(after[7], "");
    // Once more there is nothing to do; and back.
    let again = apply(&["--delete", "--rewrite-links", "--yes"]);
    went_well(&again);
    assert!(
        again.stderr.contains("there is nothing to do"),
        "{}",
        again.stderr
    );
    let shown = apply(&["--delete", "--rewrite-links"]);
    assert!(
        shown.stderr.contains("there is nothing to do") && !shown.stderr.contains("--yes does it"),
        "{}",
        shown.stderr
    );
    went_well(&env.run(&["apply", "--undo", "plan.jsonl.undo"]));
    assert_eq!(read(), before);
    // When the pages have gone, their links can still be changed. A page that was changed since is not changed back.
    went_well(&apply(&["--delete", "--yes", "--journal", "first"]));
    went_well(&apply(&["--rewrite-links", "--yes"]));
    assert_eq!(read()[4].as_deref(), Some("[park](a/copy.md)\n"));
    env.write("docs/e.md", "a new text");
    let undone = env.run(&["apply", "--undo", "plan.jsonl.undo"]);
    undone.complains("docs/e.md: something else is there now, and stays");
    assert_eq!(env.read("docs/e.md"), "a new text");
    assert_eq!(read()[0], before[0]);
    went_well(&env.run(&["apply", "--undo", "first"]));
    assert_eq!(read()[7], before[7]);
}

#[test]
fn the_links_of_a_page_that_stays_after_all_change_too() {
    let env = Env::new()
        .file("a.md", "[p](p.md)\n")
        .file("k.md", format!("{PARK}\n[q](q.md)\n"))
        .file("p.md", format!("{PARK}\n[q](q.md)\n"))
        .file("q.md", BREAD)
        .file("b.md", BREAD);
    env.run(&["plan", "--keep", "path", "-o", "plan.jsonl", "-q"])
        .ok();
    env.write("a.md", "another text [p](p.md)\n");
    let run = env.run(&[
        "apply",
        "plan.jsonl",
        "--delete",
        "--rewrite-links",
        "--yes",
    ]);
    run.complains("a.md was changed since the plan was made");
    assert!(!env.path("q.md").exists());
    assert_eq!(env.read("p.md"), format!("{PARK}\n[q](b.md)\n"));
    assert_eq!(env.read("k.md"), env.read("p.md"));
}

#[test]
fn a_page_that_was_changed_since_is_left_alone_and_so_is_what_it_links_to() {
    let env = Env::new()
        .file("a.md", format!("{PARK}[c](c.md)\n"))
        .file("b.md", format!("{PARK}[c](d.md)\n"))
        .file("c.md", BREAD)
        .file("d.md", BREAD)
        .file("x.md", "[b](b.md)\n")
        .file("y.md", "[d](d.md)\n");
    env.run(&["plan", "--keep", "path", "-o", "plan.jsonl", "-q"])
        .ok();
    env.write("y.md", "another text [d](d.md)\n");
    let run = env.run(&[
        "apply",
        "plan.jsonl",
        "--delete",
        "--rewrite-links",
        "--yes",
    ]);
    run.complains(
        "y.md was changed since the plan was made: it and what it links to are left alone",
    );
    assert_eq!(env.read("y.md"), "another text [d](d.md)\n");
    assert_eq!(env.read("d.md"), BREAD);
    assert!(!env.path("b.md").exists());
    assert_eq!(env.read("x.md"), "[b](a.md)\n");
    went_well(&env.run(&["apply", "--undo", "plan.jsonl.undo"]));
    // The page that stays links to the one that goes.
    let env = Env::new()
        .file("a.md", format!("{PARK}[other](b.md)\n"))
        .file("b.md", format!("{PARK}[other](a.md)\n"));
    let env = env.file("z.md", "[b](b.md) [a](a.md)");
    env.run(&["plan", "--keep", "path", "-o", "plan.jsonl", "-q"])
        .ok();
    went_well(&env.run(&[
        "apply",
        "plan.jsonl",
        "--move",
        "old",
        "--rewrite-links",
        "--yes",
    ]));
    assert_eq!(env.read("a.md"), format!("{PARK}[other](a.md)\n"));
    assert_eq!(env.read("z.md"), "[b](a.md) [a](a.md)");
    assert!(env.path("old/b.md").exists());
    went_well(&env.run(&["apply", "--undo", "plan.jsonl.undo"]));
    assert_eq!(env.read("a.md"), format!("{PARK}[other](b.md)\n"));
}

#[test]
fn no_plan_writes_text_that_is_no_link() {
    let env = Env::new()
        .file("a.md", PARK)
        .file("b.md", PARK)
        .file("x.md", "[b](b.md) and more\n")
        .file("bytes.md", b"[b](b.md) \xff\xfe");
    env.run(&["plan", "--keep", "path", "-o", "plan.jsonl", "-q"])
        .ok();
    let text = env.read("plan.jsonl");
    assert!(text.contains("\"at\":[4,8]"), "{text}");
    let apply = |plan: String| {
        env.write("edited.jsonl", plan);
        env.run(&[
            "apply",
            "edited.jsonl",
            "--delete",
            "--rewrite-links",
            "--yes",
        ])
    };
    let bytes = apply(text.clone());
    bytes.complains("bytes.md is not UTF-8");
    fs::remove_file(env.path("bytes.md")).unwrap();
    let lines = || {
        text.lines()
            .filter(|line| !line.contains("bytes.md\",\"hash"))
            .map(|line| format!("{line}\n"))
    };
    let text: String = lines().collect();
    for at in ["[0,9]", "[4,9000]", "[9,4]"] {
        apply(text.replace("[4,8]", at)).complains("is no path that could be changed");
    }
    apply(text.replace("[4,8]", "[-1,8]")).fails("no line of a plan");
    assert_eq!(env.read("x.md"), "[b](b.md) and more\n");
    #[cfg(unix)]
    {
        // A linking page that became a link leads nobody out of the folder.
        let outside = tempfile::tempdir().unwrap();
        let target = outside.path().join("x.md");
        fs::rename(env.path("x.md"), &target).unwrap();
        std::os::unix::fs::symlink(&target, env.path("x.md")).unwrap();
        apply(text.clone()).complains("x.md");
        assert_eq!(fs::read_to_string(&target).unwrap(), "[b](b.md) and more\n");
        fs::remove_file(env.path("x.md")).unwrap();
    }
    // A page that is gone has no links.
    let run = apply(text.clone());
    run.complains("x.md");
    assert!(env.path("b.md").exists());
}
