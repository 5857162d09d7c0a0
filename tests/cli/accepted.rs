//! What is accepted is hidden in every command that hides it, in whatever way it was accepted, and nothing else is.
//! Python has no such door: it reads no file of accepted pairs, and tells all pairs, as `scan` does.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::env::Env;
use crate::lsp::{Editor, uri};
use crate::mcp::Client;
use crate::one_answer::{of_format, one_each, planned, scanned, site};

/// Two names in order.
type Two = [String; 2];

/// What a door says of each page: the pages that are like it. A door that tells pairs says it of both.
type Said = BTreeSet<Two>;

/// What each door says, and how many pairs `list_duplicates` counts.
type Doors = (BTreeMap<&'static str, Said>, u64);

const BASELINE: &str = ".dupfind-baseline";

fn two(a: &str, b: &str) -> Two {
    let mut two = [a.to_owned(), b.to_owned()];
    two.sort();
    two
}

/// Returns what each door says that hides accepted pairs. `pages` are those that are asked about.
fn hiding(env: &Env, pages: &BTreeSet<String>, baseline: &str) -> Doors {
    let name = |value: &Value| value.as_str().unwrap().to_owned();
    let here = ["--baseline", baseline];
    let here = if env.path(baseline).exists() {
        &here[..]
    } else {
        &[]
    };
    let check = ["check", "-q", "--fail-on", "short", "-f", "json"];
    let check = env.run((check, here));
    assert_eq!(check.code, Some(1), "{check:?}");
    let check = of_format("json", &check.stdout).into_keys().collect();
    let plan = planned(env, here).into_keys().collect();
    let mut all = BTreeMap::from([("check", check), ("plan", plan)]);

    let mut client = Client::new(env, [".", "--baseline", baseline]);
    for tool in ["check_page", "check_text"] {
        let mut said = Said::new();
        for page in pages {
            let mut asked = json!({"path": page});
            if tool == "check_text" {
                asked["text"] = env.read(page).into();
            }
            loop {
                let found = client.found(tool, &asked);
                for passage in found["passages"].as_array().unwrap() {
                    let pages = |key: &str| passage[key]["pages"].as_array().unwrap();
                    let others = pages("also_in").iter().chain(pages("partly_in"));
                    let others = others.chain([&passage["page"]]);
                    said.extend(others.map(|other| [page.clone(), name(other)]));
                }
                if found["next_cursor"].is_null() {
                    break;
                }
                asked["cursor"] = found["next_cursor"].clone();
            }
        }
        all.insert(tool, said);
    }
    let listed = client.found("list_duplicates", &json!({}))["pairs"].as_u64();
    client.end();

    let text = format!("baseline = \"{baseline}\"\n");
    env.write("dupfind.toml", text);
    let mut editor = Editor::new(env, &["."]);
    let mut said = Said::new();
    for page in pages {
        let told = editor.open(&uri(env, page), &env.read(page));
        let related = told.iter();
        let related = related.flat_map(|told| told["relatedInformation"].as_array());
        let root = uri(env, "");
        said.extend(related.flatten().map(|other| {
            let other = name(&other["location"]["uri"]);
            [page.clone(), other.strip_prefix(&root).unwrap().to_owned()]
        }));
    }
    editor.end();
    std::fs::remove_file(env.path("dupfind.toml")).unwrap();
    all.insert("lsp", said);
    (all, listed.unwrap())
}

/// Returns what each door says that shows all pairs, accepted or not.
fn showing(env: &Env, pairs: &[(&Two, &str)]) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for command in ["scan -q -f json", "reuse -q -f json"] {
        all.insert(command.to_owned(), env.run(command).ok().to_owned());
    }
    for ([a, b], _) in pairs {
        for command in [
            format!("query . {a} -f json"),
            format!("compare {a} {b} -f json"),
        ] {
            let shown = env.run(&command).ok().to_owned();
            all.insert(command, shown);
        }
    }
    all
}

/// Asserts that exactly these pairs are hidden. Those that are hidden were said before.
#[track_caller]
fn hides(
    way: &str,
    is_hidden: &dyn Fn(&Two) -> bool,
    before: &Doors,
    (now, listed): &Doors,
    hidden: usize,
) {
    assert_eq!(listed + hidden as u64, before.1, "{way}");
    for (&door, before) in &before.0 {
        let now = &now[door];
        let is_it = |[a, b]: &&Two| is_hidden(&two(a, b));
        let kept: Said = before.iter().filter(|said| !is_it(said)).cloned().collect();
        let lost: Vec<_> = kept.difference(now).collect();
        assert!(lost.is_empty(), "{way}: {door} does not say {lost:?}");
        let still: Vec<_> = now.iter().filter(is_it).collect();
        assert!(still.is_empty(), "{way}: {door} still says {still:?}");
    }
    say(way, is_hidden, before);
}

/// Returns the doors that say any of these pairs.
#[track_caller]
fn say(way: &str, is_it: &dyn Fn(&Two) -> bool, (doors, _): &Doors) -> Vec<&'static str> {
    let says = |said: &Said| said.iter().any(|[a, b]| is_it(&two(a, b)));
    let (named, silent): (Vec<_>, Vec<_>) = doors.iter().partition(|(_, said)| says(said));
    for (&door, _) in silent {
        let may_be_silent = door == "lsp" || door == "plan";
        assert!(may_be_silent, "{way}: {door} never said it");
    }
    named.into_iter().map(|(&door, _)| door).collect()
}

#[test]
fn each_way_of_accepting_hides_what_it_names_and_nothing_else() {
    let env = site();
    let known = scanned(&env);
    let pairs = one_each(&known);
    assert_eq!(pairs.len(), 8, "{pairs:?}");
    let pages: BTreeSet<String> = pairs.iter().flat_map(|(two, _)| two.to_vec()).collect();
    let before = hiding(&env, &pages, BASELINE);
    let shown = showing(&env, &pairs);
    let take_back = || std::fs::remove_file(env.path(BASELINE)).unwrap();

    // Half of the pairs at a time, so that each is among those that the others leave, too.
    let mut named = BTreeSet::new();
    for first in 0..2 {
        let pairs: Vec<_> = pairs.iter().skip(first).step_by(2).collect();
        for ([a, b], _) in &pairs {
            let words = ["accept", a, b, "-q", "--reason", "wanted"];
            env.run(words).ok();
        }
        let now = hiding(&env, &pages, BASELINE);
        let is_hidden = |two: &Two| pairs.iter().any(|(pair, _)| two == *pair);
        hides("pairs", &is_hidden, &before, &now, pairs.len());
        for (pair, relation) in pairs {
            named.extend(say(relation, &|two| two == *pair, &before));
        }
        take_back();
    }
    assert!(named.contains("lsp") && named.contains("plan"), "{named:?}");
    // The file that a check names.
    let [a, b] = pairs[0].0;
    let rest = "-q --reason wanted --baseline ci.jsonl";
    env.run(("accept", [a, b], rest)).ok();
    let now = hiding(&env, &pages, "ci.jsonl");
    hides("--baseline", &|two| two == pairs[0].0, &before, &now, 1);
    std::fs::remove_file(env.path("ci.jsonl")).unwrap();

    let is_below = |two: &Two| two.iter().all(|name| name.starts_with("forms/"));
    let family = "accept --family forms -q --reason 'one form'";
    env.run(family).ok();
    let hidden = known.keys().filter(|two| is_below(two)).count();
    let now = hiding(&env, &pages, BASELINE);
    hides("--family", &is_below, &before, &now, hidden);
    take_back();

    env.run("accept --all -q").ok();
    let fails = |two: &Two| matches!(known[two].as_str(), "exact" | "near" | "contains");
    let hidden = known.keys().filter(|two| fails(two)).count();
    let now = hiding(&env, &pages, BASELINE);
    let is_hidden = |two: &Two| known.contains_key(two) && fails(two);
    hides("--all", &is_hidden, &before, &now, hidden);
    // Who looks at all pairs sees all.
    assert_eq!(showing(&env, &pairs), shown);
    take_back();

    // What is between marks is not compared.
    let marked = format!(
        "# Marked\n\n<!-- dupfind: off -->\n{}\n<!-- dupfind: on -->\n",
        env.read(b)
    );
    env.write(b, marked);
    let is_marked = |two: &Two| two.contains(b);
    let hidden = known.keys().filter(|two| is_marked(two)).count();
    let now = hiding(&env, &pages, BASELINE);
    hides("marks", &is_marked, &before, &now, hidden);
}
