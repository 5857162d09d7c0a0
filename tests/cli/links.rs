//! Which page stays of several, by the links to them, their ages and their folders.

use std::fs;

use serde_json::Value;

use crate::env::{Args, Env, PARK, Says};
use crate::plan::plan;

/// Which page goes for which one, by which rule and reason.
#[track_caller]
fn decided(env: &Env, args: impl Args) -> [String; 4] {
    let lines = plan(env, args);
    let mut drops = lines.iter().filter(|line| line["type"] == "drop");
    let (line, more) = (drops.next().unwrap(), drops.next());
    assert_eq!(more, None);
    ["drop", "keep", "rule", "reason"].map(|key| line[key].as_str().unwrap().to_owned())
}

const NEAR: &str = "--drop=exact,near";

/// The same text with other words, and a sentence more.
fn longer() -> String {
    let park = PARK
        .replace("thirty", "forty")
        .replace("maples", "young limes");
    format!("{park}\nDogs may run free until nine.\n")
}

/// Two copies. Six other pages name the second one in six ways; code counts, as a page too many that stays is no loss.
fn site() -> Env {
    Env::new()
        .file("docs/a/copy.md", PARK)
        .file(
            "docs/guide/park.md",
            format!("---\naliases:\n  - /old/park/\n---\n{PARK}"),
        )
        .file(
            "docs/index.md",
            "# Site\n\n[The park](guide/park.md#trees).\n",
        )
        .file(
            "docs/guide/b.md",
            "<a class=x href=\"../../guide/park/\">park</a>, [twice](park.md)\n",
        )
        .file(
            "docs/c.html",
            "<!doctype html><p><a href='/guide/park.html?x=1&amp;y#b'>harbour</a>",
        )
        .file("docs/d.md", "[old name](/old/park)\n")
        .file("docs/e.md", "[park](./guide/p%61rk.md)\n")
        .file(
            "docs/f.md",
            "`[park](guide/park.md)` [else](https://example.org/guide/park.md) [none](none.md)\n",
        )
}

#[test]
fn the_page_that_others_link_to_stays_and_then_the_longest() {
    let env = site();
    let [drop, keep, rule, reason] = decided(&env, "");
    let expected = ["docs/a/copy.md", "docs/guide/park.md", "linked"];
    assert_eq!([&*drop, &*keep, &*rule], expected);
    assert_eq!(reason, "pages that link to it: 6, to the other: 0");
    // A word of code is no link.
    let content = "Set `park`, then \"park\" and (park).\n";
    env.write("docs/guide/code.md", content);
    let [.., reason] = decided(&env, "");
    assert_eq!(reason, "pages that link to it: 6, to the other: 0");
    fs::remove_file(env.path("docs/guide/code.md")).unwrap();
    // Another order is requested: what is named stays nevertheless.
    let all = plan(&env, "--keep shortest-path,longest");
    let because = all[0]["because"].as_str().unwrap();
    let named = "it stays, as it is named in docs/c.html:1, docs/d.md:1, docs/e.md:1 and 3 more";
    let expected = ["\"unresolved\"", named];
    assert_eq!([&*all[0]["type"].to_string(), because], expected);
    let all = plan(&env, "--keep shortest-path --even-if-linked");
    let expected = ["docs/guide/park.md", "shortest-path"];
    assert_eq!([&all[0]["drop"], &all[0]["rule"]], expected);
    let args = "plan --keep shortest-path --even-if-linked -o 'p q.jsonl'";
    let said = env.run(args).stderr;
    said.ends("then: dupfind apply 'p q.jsonl' --even-if-linked\n");
    let from =
        "docs/c.html:1 docs/d.md:1 docs/e.md:1 docs/f.md:1 docs/guide/b.md:1 docs/index.md:3";
    let from: Vec<&str> = from.split(' ').collect();
    assert_eq!(all[0]["linked_from"], serde_json::json!(from));
    // Nobody links to either: the longer text, and then the path.
    let env = Env::new()
        .file("a.md", PARK)
        .file("b.md", longer())
        .file("c.md", PARK);
    let said = env.run("plan --drop exact,near -o p.jsonl");
    said.says("; their age decided nothing, as git does not know it");
    said.says("a.md goes for b.md: it has");
    said.says("c.md goes for b.md: it has");
    let env = Env::new().file("b.md", PARK).file("a.md", PARK);
    let [drop, keep, rule, reason] = decided(&env, "");
    let expected = ["b.md", "a.md", "path", "its path comes first"];
    assert_eq!([&*drop, &*keep, &*rule, &*reason], expected);
    // Copies that link to themselves.
    let env = Env::new()
        .file("a.md", format!("{PARK}[here](a.md)\n"))
        .file("b.md", format!("{PARK}[here](b.md)\n"));
    assert_eq!(decided(&env, "")[..3], ["b.md", "a.md", "path"]);
}

#[test]
fn the_page_that_was_made_first_stays_whatever_its_name_was() {
    let env = Env::new().folder("site");
    let root = env.path("site");
    env.git_in("site", "init --quiet");
    let commit = |day: &str| env.commit_at("site", &format!("{day}T12:00:00Z"));
    env.write("site/drafts/page.md", PARK);
    commit("2020-01-01");
    env.write("site/docs/a-copy.md", PARK);
    commit("2021-01-01");
    fs::rename(root.join("drafts/page.md"), root.join("docs/z.md")).unwrap();
    commit("2022-01-01");
    env.write("site/docs/a-copy.md", longer());
    commit("2023-01-01");
    let of = |folder: &str, args: &str| {
        let run = env.run_in(folder, ("plan", args));
        let text = run.stdout.lines().nth(1).unwrap_or_default().to_owned();
        let line: Value = serde_json::from_str(&text).unwrap();
        (
            ["drop", "keep", "rule", "reason"].map(|key| line[key].as_str().unwrap().to_owned()),
            run.stderr,
        )
    };
    let (found, said) = of("site", &format!("docs {NEAR}"));
    assert_eq!(found[..3], ["docs/a-copy.md", "docs/z.md", "oldest"]);
    let expected = "made 2020-01-01 12:00:00, the other 2021-01-01 12:00:00";
    assert_eq!(found[3], expected);
    said.omits("warning");
    // A page that no commit has is younger than all others.
    env.write("site/docs/0.md", PARK);
    let (found, _) = of("site", &format!("docs/0.md docs/a-copy.md {NEAR}"));
    assert_eq!(found[..3], ["docs/0.md", "docs/a-copy.md", "oldest"]);
    fs::remove_file(env.path("site/docs/0.md")).unwrap();
    // A shallow clone knows only that a page is older than its first commit.
    env.write("site/docs/new.md", PARK);
    commit("2024-01-01");
    env.git(format!(
        "clone --quiet --depth 2 file://{} shallow",
        root.display()
    ));
    let (found, said) = of("shallow", &format!("docs/a-copy.md docs/z.md {NEAR}"));
    assert_eq!(found[..3], ["docs/z.md", "docs/a-copy.md", "longest"]);
    said.says("this clone is shallow, and of files that are older");
    let (found, _) = of("shallow", "docs/new.md docs/z.md");
    assert_eq!(found[..3], ["docs/new.md", "docs/z.md", "oldest"]);
    assert_eq!(found[3], "made -, the other 2024-01-01 12:00:00");
}

#[test]
fn pages_of_folders_go_only_if_they_are_named() {
    let env =
        Env::of("PARK: docs/README.md docs/guide/index.md docs/guide/park.md docs/leaf/index.md");
    let all = plan(&env, "docs");
    let gone = all.iter().filter_map(|line| line["drop"].as_str());
    let gone: Vec<&str> = gone.collect();
    assert_eq!(gone, ["docs/guide/park.md", "docs/leaf/index.md"]);
    assert_eq!(all[0]["rule"], "home");
    let left = all.iter().filter(|line| line["type"] == "unresolved");
    let left: Vec<&Value> = left.collect();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["document"], "docs/guide/index.md");
    let expected = "it is the page of its folder, which goes only if it is named";
    assert_eq!(left[0]["because"], expected);
    // A rule that prefers another page does not make one go.
    let all = plan(&env, "docs --keep in:docs/leaf");
    let gone = all.iter().filter_map(|line| line["drop"].as_str());
    assert_eq!(gone.collect::<Vec<&str>>(), ["docs/guide/park.md"]);
    let all = plan(
        &env,
        "docs docs/README.md docs/guide/index.md --keep in:docs/leaf",
    );
    assert_eq!(all.iter().filter(|line| line["type"] == "drop").count(), 3);
    // In the plan, too: somebody exchanged the names.
    let text = env.run("plan docs/guide --quiet").ok().to_owned();
    let swapped = text
        .replace("index.md", "@")
        .replace("park.md", "index.md")
        .replace('@', "park.md");
    env.write("plan.jsonl", swapped);
    env.run("apply plan.jsonl --delete --yes").went_well();
    assert!(!env.path("docs/guide/index.md").exists());
}
