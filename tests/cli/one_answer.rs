//! One answer: every format and every command says the same of a pair.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::env::{Args, Env, Says, formats, lines, table};
use crate::html::embedded;
use crate::mcp::Client;
use crate::scale::words;

/// Two documents in order, and their relation.
pub(crate) type Answers = BTreeMap<[String; 2], String>;

const ALL: &str = "exact,near,contains,variant,related,template,short";

/// The folders of families.
const FAMILIES: [&str; 3] = ["releases", "notes", "drivers"];

const BUT_SHORT: &str = "exact,near,contains,variant,related,template";

/// The words of reports for CI before the name of the other document.
const WORDS: [(&str, &str); 9] = [
    ("copy of ", "exact"),
    ("near-duplicate of ", "near"),
    ("contained in ", "contains"),
    ("contains ", "contains"),
    ("for another subject than ", "variant"),
    ("of the same form as ", "variant"),
    ("shares rare text with ", "related"),
    ("of one template with ", "template"),
    ("similar to ", "short"),
];

/// Returns words that are always the same, without blank lines.
fn text(seed: u64, count: u64) -> String {
    words(seed, count)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn page(title: &str, parts: &[String]) -> String {
    format!("# {title}\n\n{}\n", parts.join("\n\n"))
}

/// Pages of families, of versions, of two titles, within pages and of one form; and what looks like families by its names and
/// is none: a post and a guide, two texts with numbers.
pub(crate) fn site() -> Env {
    let mut env = Env::new();
    // Each part is a seed and a number of words.
    for [name, title, parts] in table(
        "posts/2024-05-01-cats.md | Our cats        | 1 70, 2 15
         docs/cats-guide.md       | A guide to cats | 1 70, 3 15
         parts/lake.md            | The lake        | 50 60
         parts/all.md             | All waters      | 51 80, 50 60, 52 60
         v1.0/install.md          | Install         | 85 70, 86 10
         v1.1/install.md          | Install         | 85 70, 87 10",
    ) {
        let parts = parts.split(", ").map(|part| part.split_once(' ').unwrap());
        let parts = parts.map(|(seed, count)| text(seed.parse().unwrap(), count.parse().unwrap()));
        env = env.file(name, page(title, &parts.collect::<Vec<_>>()));
    }
    for (name, title) in [("a/park.md", "The park"), ("b/garden.md", "The garden")] {
        let page = format!("---\ntitle: {title}\n---\n{}\n", text(40, 60));
        env = env.file(name, page);
    }
    env = env.file("s/one.txt", "tiny text one two three");
    env = env.file("s/two.txt", "tiny text one two three four");
    let spun = text(4, 120);
    let other = (0..).zip(spun.split(' ')).map(|(at, word)| match at % 8 {
        0 => text(500 + at, 1),
        _ => word.to_owned(),
    });
    let other: Vec<String> = other.collect();
    let other = format!("Another first line\n\n{}\n", other.join(" "));
    env = env.file("spun/text1.txt", format!("One first line\n\n{spun}\n"));
    env = env.file("spun/text2.txt", other);
    let releases = [("1.0", "apple"), ("1.1", "birch"), ("1.2.1", "cedar")];
    for (seed, (number, name)) in (0..).zip(releases) {
        let own = [text(10, 80), text(11 + seed, 20)];
        env = env.file(format!("releases/release-{number}.md"), page(name, &own));
    }
    for (seed, name) in (0..).zip(["fir", "elm", "ash", "oak"]) {
        let own = [text(20, 35), text(21 + seed, 51)];
        env = env.file(format!("notes/notes-3.{seed}.md"), page(name, &own));
    }
    for (seed, name) in (0..).zip(["mysql", "oracle", "redis"]) {
        let own = [text(30, 80), text(31 + seed, 15)];
        env = env.file(format!("drivers/the-driver-{name}.md"), page(name, &own));
    }
    for (seed, name) in (0..).zip(["north", "south", "east", "west"]) {
        let own = [text(80, 35), text(81 + seed, 51)];
        env = env.file(format!("{name}/{name}.md"), page(name, &own));
    }
    for seed in 0..12 {
        let name = text(600 + seed, 1);
        let own = [text(60, 50), text(700 + seed, 35)];
        env = env.file(format!("forms/{name}.md"), page(&name, &own));
    }
    env
}

/// Returns the pairs of a report, with the keys of JSON.
fn of_pairs<'v>(pairs: impl IntoIterator<Item = &'v Value>) -> Answers {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let of = |pair: &Value| answer(text(&pair["a"]), text(&pair["b"]), &text(&pair["relation"]));
    pairs.into_iter().map(of).collect()
}

fn answer(a: String, b: String, relation: &str) -> ([String; 2], String) {
    let mut two = [a, b];
    two.sort();
    (two, relation.to_owned())
}

/// Returns the pair of a finding in words: `b.md: copy of a.md (...)`.
fn of_words(finding: &str) -> ([String; 2], String) {
    let (subject, rest) = finding.split_once(": ").expect(finding);
    let (words, relation) = WORDS
        .iter()
        .find(|(words, _)| rest.starts_with(words))
        .expect(finding);
    let (other, _) = rest[words.len()..].split_once(" (").expect(finding);
    answer(subject.to_owned(), other.to_owned(), relation)
}

pub(crate) fn of_format(format: &str, text: &str) -> Answers {
    let parsed = || serde_json::from_str::<Value>(text).unwrap();
    let rows = || {
        text.lines()
            .skip(1)
            .map(|row| row.trim_start_matches('\u{feff}').replace('"', ""))
    };
    match format {
        "json" => of_pairs(parsed()["pairs"].as_array().unwrap()),
        "jsonl" => of_pairs(
            lines::<Value>(text)
                .iter()
                .filter(|line| line["type"] == "pair"),
        ),
        "csv" | "csv-excel" => rows()
            .map(|row| {
                let cells: Vec<&str> = row.split(',').collect();
                answer(cells[0].into(), cells[1].into(), cells[7])
            })
            .collect(),
        "table" => rows()
            .take_while(|row| !row.is_empty())
            .map(|row| {
                let cells: Vec<&str> = row.split_whitespace().collect();
                answer(
                    cells[cells.len() - 2].into(),
                    cells[cells.len() - 1].into(),
                    cells[0],
                )
            })
            .collect(),
        "html" => {
            let data = embedded(text, "data");
            let name = |number: &Value| {
                let at = usize::try_from(number.as_u64().unwrap()).unwrap();
                data["documents"][at][0].as_str().unwrap().to_owned()
            };
            let pairs = data["pairs"].as_array().unwrap().iter();
            pairs
                .map(|pair| answer(name(&pair[0]), name(&pair[1]), pair[2].as_str().unwrap()))
                .collect()
        }
        "sarif" => {
            let sarif = parsed();
            let results = sarif["runs"][0]["results"].as_array().unwrap().iter();
            let uri = |place: &Value| {
                place["physicalLocation"]["artifactLocation"]["uri"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            };
            results
                .map(|result| {
                    let relation = result["ruleId"]
                        .as_str()
                        .unwrap()
                        .strip_prefix("dupfind/")
                        .unwrap();
                    answer(
                        uri(&result["locations"][0]),
                        uri(&result["relatedLocations"][0]),
                        relation,
                    )
                })
                .collect()
        }
        "github" => text
            .lines()
            .filter(|line| line.contains(" file="))
            .map(|line| of_words(line.splitn(3, "::").last().unwrap()))
            .collect(),
        "gitlab" => parsed()
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| {
                let found = of_words(finding["description"].as_str().unwrap());
                assert_eq!(finding["check_name"], format!("dupfind/{}", found.1));
                found
            })
            .collect(),
        "markdown" => text
            .lines()
            .filter(|line| line.starts_with("| `"))
            .map(|line| {
                // Others that it is like too come behind the first one.
                let cells: Vec<&str> = line.split('|').map(str::trim).collect();
                let name = |cell: usize| cells[cell].split('`').nth(1).unwrap();
                of_words(&format!("{}: {} {} (", name(1), cells[2], name(3)))
            })
            .collect(),
        other => panic!("{other}: how does it show the relation of a pair?"),
    }
}

/// Returns the pairs of a scan.
pub(crate) fn scanned(env: &Env) -> Answers {
    of_format("json", env.run("scan -q -f json").ok())
}

/// Returns the pairs of a plan of all that may go.
pub(crate) fn planned(env: &Env, options: impl Args) -> Answers {
    let plan = ["plan", "-q", "--drop", "exact,near,contains"];
    let plan = lines::<Value>(env.run((plan, options)).ok());
    let pairs = plan.iter().filter(|line| line["type"] != "plan");
    let of = |line: &Value| {
        let name = |keys: [&str; 2]| keys.iter().find_map(|key| line[key].as_str()).unwrap();
        answer(
            name(["keep", "other"]).to_owned(),
            name(["drop", "document"]).to_owned(),
            line["relation"].as_str().unwrap(),
        )
    };
    pairs.map(of).collect()
}

/// Asserts that what somebody says is what JSON says, and returns how many pairs it names.
#[track_caller]
fn agree(who: &str, said: &Answers, known: &Answers) -> usize {
    for (two, relation) in said {
        assert_eq!(known.get(two), Some(relation), "{who} of {two:?}");
    }
    said.len()
}

/// Returns a pair of each relation, of families and of others.
pub(crate) fn one_each(known: &Answers) -> Vec<(&[String; 2], &str)> {
    let mut seen = BTreeSet::new();
    let pairs = known.iter().map(|(two, relation)| (two, relation.as_str()));
    let is_of_family = |two: &[String; 2]| FAMILIES.iter().any(|name| two[0].starts_with(name));
    pairs
        .filter(|(two, relation)| seen.insert((*relation, is_of_family(two))))
        .collect()
}

#[test]
fn each_format_says_the_same_of_a_pair() {
    let env = site();
    let json = env.run("scan -q -f json");
    let known = of_format("json", json.ok());
    let relations: BTreeSet<&str> = known.values().map(String::as_str).collect();
    assert_eq!(relations, ALL.split(',').collect(), "{known:?}");
    let of = |a: &str, b: &str| known.get(&[a.to_owned(), b.to_owned()]).map(String::as_str);
    let found = of("docs/cats-guide.md", "posts/2024-05-01-cats.md");
    assert_eq!(found, Some("near"));
    assert_eq!(of("spun/text1.txt", "spun/text2.txt"), Some("near"));
    let found = of("releases/release-1.0.md", "releases/release-1.1.md");
    assert_eq!(found, Some("variant"));
    let found = of("drivers/the-driver-mysql.md", "drivers/the-driver-redis.md");
    assert_eq!(found, Some("variant"));
    let expected = Some("related");
    assert_eq!(of("notes/notes-3.0.md", "notes/notes-3.1.md"), expected);
    let report: Value = serde_json::from_str(json.ok()).unwrap();
    for pair in report["pairs"].as_array().unwrap() {
        let folder = pair["a"].as_str().unwrap().split('/').next().unwrap();
        let is_of_one_form = ["variant", "template"]
            .iter()
            .any(|it| pair["relation"] == *it);
        let is_of_family = is_of_one_form || FAMILIES.contains(&folder);
        assert_eq!(pair["family"] == true, is_of_family, "{pair}");
    }
    for format in formats().filter(|format| *format != "list") {
        // Reports for CI name each document at fault once, and list all relations only if they are named.
        let is_for_ci = crate::env::formats_for_ci().any(|known| known == format);
        let shown = if is_for_ci { BUT_SHORT } else { ALL };
        let run = env.run(["scan", "-q", "-f", format, "--show", shown]);
        let said = of_format(format, run.ok());
        let count = agree(format, &said, &known);
        match is_for_ci {
            true => assert!(
                said.values().collect::<BTreeSet<_>>().len() > 4,
                "{format}: {said:?}"
            ),
            false => assert_eq!(count, known.len(), "{format}"),
        }
    }
}

#[test]
fn the_list_has_each_pair_under_its_relation() {
    let env = site();
    let known = scanned(&env);
    let whole = env.run("scan -q");
    whole.ok().says("(1 exact, 3 near, 1 contains, 6 variant, ");
    for (relation, begins) in [
        ("exact", &["2 copies of one text"][..]),
        ("near", &["8", "6"]),
        ("contains", &["9"]),
        ("variant", &["variant: ", "family: "]),
        ("related", &["related: ", "family: "]),
        ("template", &["template: ", "family: "]),
        ("short", &["short: "]),
    ] {
        let run = env.run(["scan", "-q", "--show", relation]);
        let heads = run.ok().lines();
        let heads = heads.take_while(|line| !line.contains(" documents compared: "));
        let heads = heads.filter(|line| !line.is_empty() && !line.starts_with(' '));
        let heads = heads.map(|line| line.split_once(".  ").map_or(line, |(_, head)| head));
        let heads: Vec<&str> = heads.collect();
        let is_it = |head: &&str| begins.iter().any(|begin| head.starts_with(begin));
        assert!(!heads.is_empty(), "{relation}: {run:?}");
        assert!(heads.iter().all(is_it), "{relation}: {run:?}");
        // The head of a family has no relation.
        let others = known.values().filter(|found| *found != relation).count();
        let left_out = format!("; not shown: {others} of relations that --show leaves out\n");
        run.stdout.says(&left_out);
    }
}

#[test]
fn each_command_says_the_same_of_a_pair() {
    let env = site();
    let known = scanned(&env);
    for format in ["json", "github"] {
        let check = env.run(["check", "-q", "--fail-on", "any", "-f", format]);
        assert_eq!(check.code, Some(1), "{check:?}");
        assert!(agree("check", &of_format(format, &check.stdout), &known) > 9);
    }
    // What fails a check changes the relation of nothing.
    let list = env.run("check -q --fail-on any").stdout;
    let finding = |line: &str| {
        WORDS
            .iter()
            .any(|(words, _)| line.contains(&format!(": {words}")))
    };
    let said = list.lines().filter(|line| finding(line)).map(of_words);
    let said = said.collect();
    assert!(agree("check", &said, &known) > 9, "{list}");
    // The spun texts share less than half.
    assert_eq!(agree("plan", &planned(&env, ""), &known), 4);
    for ([a, b], relation) in one_each(&known) {
        let query = env.run(["query", ".", a, "-f", "json"]);
        let said = of_format("json", query.ok());
        assert!(agree("query", &said, &known) > 0, "{a}");
        // The index is beside the documents now.
        for among in [&["."][..], &[]] {
            let compared = env.run((["compare", a, b, "-f", "json"], among));
            let compared: Value = serde_json::from_str(compared.ok()).unwrap();
            assert_eq!(compared["settings"]["among_others"], true);
            assert_eq!(compared["verdict"]["relation"], relation, "compare {a} {b}");
        }
    }
    let mut client = Client::new(&env, ["."]);
    for ([a, _], _) in one_each(&known) {
        let found = client.found("check_page", &json!({"path": a}));
        let passages = found["passages"].as_array().unwrap().iter();
        let pairs = passages.filter(|passage| passage["verdict"] != "passage");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let said =
            pairs.map(|pair| answer(a.clone(), text(&pair["page"]), &text(&pair["verdict"])));
        assert!(agree("mcp", &said.collect(), &known) > 0, "{a}");
    }
    client.end();
}
