//! Every door gives the same: texts that come as files, as records, as rows, from an index or one by one have the same pairs,
//! with the same measures and relations.

use std::collections::{BTreeMap, BTreeSet};

use dupfind_engine::Silent;
use dupfind_scan::{RowScan, ScanOptions};
use serde_json::{Map, Value, json};

use crate::env::{Args, Env, named_record};
use crate::lsp::{Editor, uri};
use crate::mcp::Client;

/// A door: its name, what it is asked about, and what it says.
struct Door {
    name: &'static str,
    asked: Asked,
    answer: fn(&Env, &[String]) -> Answer,
}

/// What a door is asked about.
#[derive(Clone, Copy)]
enum Asked {
    /// All texts at once.
    All,
    /// Each of some texts.
    Texts,
    /// The same, but it names the texts that share most, and says no more than their relations.
    Relations,
    /// The two texts of each of some pairs, whose names come one after the other.
    Pairs,
}

/// What a door says.
#[derive(Default)]
struct Answer {
    /// The names of two texts, and what is said about them.
    pairs: BTreeMap<[String; 2], Map<String, Value>>,
    /// The names of the texts that are not compared, of a door that is asked about all.
    skipped: BTreeSet<String>,
}

/// A new door is a line here. Those of Python are in `python/tests/test_doors.py`.
const DOORS: &[Door] = &[
    Door::new("files", Asked::All, |env, _| scanned(env, "d")),
    Door::new("jsonl", Asked::All, |env, _| {
        scanned(env, "x.jsonl --id-field id")
    }),
    Door::new("csv", Asked::All, |env, _| {
        scanned(env, "x.csv --id-field id")
    }),
    #[cfg(feature = "parquet")]
    Door::new("parquet", Asked::All, |env, _| {
        let file = crate::parquet::rows::file_of_records(&env.read("x.jsonl"));
        env.write("x.parquet", file);
        scanned(env, "x.parquet --id-field id")
    }),
    Door::new("stdin", Asked::All, |env, _| {
        let args = "scan - --id-field id -q -f json";
        answer(&env.run_with(env.read("x.jsonl"), args).stdout)
    }),
    Door::new("index", Asked::All, |env, _| {
        scanned(env, "d --index d.dupidx");
        // The second time nothing is read.
        scanned(env, "d --index d.dupidx")
    }),
    Door::new("rows", Asked::All, |env, _| rows(env)),
    Door::new("query", Asked::Texts, query),
    Door::new("compare", Asked::Pairs, compare),
    Door::new("mcp", Asked::Relations, mcp),
    Door::new("lsp", Asked::Relations, lsp),
];

impl Door {
    const fn new(name: &'static str, asked: Asked, answer: fn(&Env, &[String]) -> Answer) -> Self {
        Self {
            name,
            asked,
            answer,
        }
    }
}

/// What is compared of a pair. A key is there if the first door has it.
const SAID: &str = "relation rule family because container hamming jaccard weighted a_in_b b_in_a prose matched_by";

impl Answer {
    /// Adds a pair, whose names may be in any order.
    fn add(&mut self, [a, b]: [&str; 2], pair: &Value) {
        let [a, b] = [a, b].map(short);
        let swaps = a > b;
        let mut said = Map::new();
        for key in SAID.split(' ') {
            let other = match key {
                "a_in_b" if swaps => "b_in_a",
                "b_in_a" if swaps => "a_in_b",
                key => key,
            };
            if let Some(value) = pair.get(other) {
                let value = match value.as_str().filter(|_| key == "container") {
                    Some(name) => short(name).into(),
                    None => value.clone(),
                };
                said.insert(key.to_owned(), value);
            }
        }
        let two = if swaps { [b, a] } else { [a, b] };
        self.pairs.insert(two, said);
    }

    /// Adds a pair of which a door says the relation alone, unless it only says that the two share a passage.
    fn add_relation(&mut self, a: &str, b: &str, relation: &Value) {
        if relation != "passage" {
            self.add([a, b], &json!({"relation": relation}));
        }
    }
}

/// Returns the name of a text, by the name that a door gives it.
fn short(name: &str) -> String {
    let name = name.rsplit('#').next().unwrap();
    name.strip_prefix("d/").unwrap_or(name).to_owned()
}

fn scanned(env: &Env, args: impl Args) -> Answer {
    let run = env.run(("scan -q -f json", args));
    answer(run.ok())
}

/// Returns what a report says.
fn answer(report: &str) -> Answer {
    let report: Value = serde_json::from_str(report).unwrap();
    let mut answer = Answer::default();
    let name = |value: &Value, key: &str| value[key].as_str().unwrap().to_owned();
    for pair in report["pairs"].as_array().unwrap() {
        answer.add([&name(pair, "a"), &name(pair, "b")], pair);
    }
    let skipped = report["skipped"].as_array().unwrap().iter();
    answer.skipped = skipped
        .map(|skipped| short(&name(skipped, "path")))
        .collect();
    answer
}

fn rows(env: &Env) -> Answer {
    let mut scan = RowScan::new(ScanOptions::for_paths([""; 0]));
    let lines = env.read("x.jsonl");
    let rows = lines.lines().map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| row[key].as_str().map(str::to_owned);
        (text("id"), text("text"))
    });
    scan.add(rows, false, &Silent).unwrap();
    let scan = scan.finish(&Silent, None).unwrap();
    let mut out = Vec::new();
    dupfind_report::formats::scanned::write_json(&scan, &mut out).unwrap();
    answer(&String::from_utf8(out).unwrap())
}

fn query(env: &Env, asked: &[String]) -> Answer {
    let mut answer = Answer::default();
    for name in asked {
        let file = format!("d/{name}");
        let found = env.run(["query", "d", &file, "-q", "-f", "json"]);
        let found: Value = serde_json::from_str(found.ok()).unwrap();
        for pair in found["pairs"].as_array().unwrap() {
            answer.add([&file, pair["b"].as_str().unwrap()], pair);
        }
    }
    answer
}

fn compare(env: &Env, asked: &[String]) -> Answer {
    let mut answer = Answer::default();
    for two in asked.chunks(2) {
        let [a, b] = [0, 1].map(|at| format!("d/{}", two[at]));
        let run = env.run(["compare", &a, &b, "d", "-f", "json"]);
        let found: Value = serde_json::from_str(run.ok()).unwrap();
        answer.add([&a, &b], &found["verdict"]);
    }
    answer
}

fn mcp(env: &Env, asked: &[String]) -> Answer {
    let mut answer = Answer::default();
    let mut client = Client::new(env, "d");
    for name in asked {
        let found = client.found("check_page", &json!({"path": name}));
        for passage in found["passages"].as_array().unwrap() {
            answer.add_relation(name, passage["page"].as_str().unwrap(), &passage["verdict"]);
        }
    }
    client.end();
    answer
}

fn lsp(env: &Env, asked: &[String]) -> Answer {
    let mut answer = Answer::default();
    let mut editor = Editor::new(env, &["d"]);
    for name in asked {
        let file = format!("d/{name}");
        for told in editor.open(&uri(env, &file), &env.read(&file)) {
            let other = &told["relatedInformation"][0]["location"]["uri"];
            let (_, other) = other.as_str().unwrap().rsplit_once("/d/").unwrap();
            answer.add_relation(name, other, &told["code"]);
        }
    }
    editor.end();
    answer
}

/// Words of eight languages. There are spaces between words of the first six.
const LANGUAGES: [&str; 8] = [
    "the ferry leaves old harbour every morning before seven and returns with bread fish letters from island where nobody has a car",
    "die Fähre verlässt den alten Hafen jeden Morgen vor sieben und kommt mit Brot Fisch Briefen von der Insel zurück wo niemand Autos hat",
    "le bac quitte chaque matin vieux port avant sept heures puis revient avec du pain des poissons et lettres où personne ne conduit",
    "паром покидает старую гавань каждое утро до семи часов и возвращается с хлебом рыбой письмами острова где никто не водит машину",
    "العبارة تغادر الميناء القديم كل صباح قبل السابعة وتعود مع الخبز والسمك والرسائل من الجزيرة حيث لا أحد يملك سيارة هناك",
    "배는 매일 아침 일곱 시 전에 오래된 항구를 떠나 빵과 생선과 편지를 싣고 섬에서 돌아온다 그곳에는 아무도 차가 없다 지금도",
    "渡轮 每天 早上 七点 以前 离开 老码头 带着 面包 鲜鱼 信件 从 小岛 回来 那里 没有 人 开车 居民 骑 自行车 去 市场",
    "連絡船 毎朝 七時前 古い 港 出て パン 魚 手紙 島 から 戻る そこ には 誰も 車 持って いない 住民 自転車 市場 行く",
];

/// Returns texts with their names: of each language eleven about each of four subjects.
fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for (language, words) in LANGUAGES.into_iter().enumerate() {
        let words: Vec<&str> = words.split(' ').collect();
        let between = if language < 6 { " " } else { "" };
        for subject in 0..4 {
            for text in texts_of(&words, between, subject + 4 * texts.len()) {
                texts.push((format!("t{:03}.txt", texts.len()), text));
            }
        }
    }
    texts
}

/// Returns eleven texts about a subject: with front matter, another title, an edit, more text, a web page, an emoji, a few words,
/// none, a long one, one that is not to be compared, and the next one of a series.
fn texts_of(words: &[&str], between: &str, subject: usize) -> Vec<String> {
    let mut state = subject as u64 + 1;
    let mut next = |most: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % most
    };
    let mut some =
        |count: usize| -> Vec<&str> { (0..count).map(|_| words[next(words.len())]).collect() };
    let (text, rest, many) = (some(60), some(30), some(1_200));
    let edited = text.iter().enumerate().map(|(at, word)| {
        if at % 15 == 7 {
            words[at % words.len()]
        } else {
            word
        }
    });
    let edited: Vec<&str> = edited.collect();
    let joined = |words: &[&str]| words.join(between);
    let (whole, title) = (joined(&text), joined(&rest[..3]));
    vec![
        format!("---\ntitle: {title} 1\n---\n\n{whole}.\n"),
        format!("---\ntitle: {}\n---\n\n{whole}.\n", joined(&rest[3..6])),
        format!("{title}\n\n{}.\n", joined(&edited)),
        format!("{whole}. {}.\n", joined(&rest)),
        format!(
            "<!doctype html><html><head><title>{title}</title></head><body><nav><a href=x>{}</a></nav><main><h1>{title}</h1>\
             <p>{whole}.</p></main></body></html>",
            joined(&rest[6..9])
        ),
        format!("🎉 {whole} 👩‍👩‍👧!\n"),
        joined(&text[..4]),
        "🎉 … !\n".to_owned(),
        format!("{}.\n\n{whole}.\n", joined(&many)),
        format!("---\ntitle: {title}\ndupfind: ignore - legal\n---\n\n{whole}.\n"),
        format!(
            "---\ntitle: {title} 2\n---\n\n{}.\n",
            joined(&[&text[..42], &rest[9..27]].concat())
        ),
    ]
}

/// Returns the texts in a folder of files, in JSON Lines and in a table.
fn env(texts: &[(String, String)]) -> Env {
    let mut lines = String::new();
    let mut table = "id,text\n".to_owned();
    let mut env = Env::new();
    for (name, text) in texts {
        lines.push_str(&format!("{}\n", json!({"id": name, "text": text})));
        table.push_str(&format!("{name},\"{}\"\n", text.replace('"', "\"\"")));
        env = env.file(format!("d/{name}"), text);
    }
    env.file("x.jsonl", lines).file("x.csv", table)
}

/// Checks that every door says of these texts what the first one says. Those that are asked about some texts or pairs are asked
/// about each one of so many. Returns what the first one says.
fn agreed(texts: &[(String, String)], steps: [usize; 2]) -> Answer {
    let env = env(texts);
    let expected = (DOORS[0].answer)(&env, &[]);
    let compared = texts.iter().map(|(name, _)| name);
    let compared = compared.filter(|name| !expected.skipped.contains(*name));
    let some_texts: Vec<String> = compared.step_by(steps[0]).cloned().collect();
    let pairs = expected.pairs.keys().step_by(steps[1]);
    let some_pairs: Vec<String> = pairs.flatten().cloned().collect();
    let mut differences = Vec::new();
    for door in &DOORS[1..] {
        let asked: &[String] = match door.asked {
            Asked::All => &[],
            Asked::Texts | Asked::Relations => &some_texts,
            Asked::Pairs => &some_pairs,
        };
        let is_asked = |two: &[String; 2]| match door.asked {
            Asked::All => true,
            Asked::Texts | Asked::Relations => two.iter().any(|name| asked.contains(name)),
            Asked::Pairs => asked.chunks(2).any(|asked| asked == two),
        };
        let is_of_relations = matches!(door.asked, Asked::Relations);
        let keys = if is_of_relations { "relation" } else { SAID };
        let found = (door.answer)(&env, asked);
        let mut differ = |what: String| differences.push(format!("{}: {what}", door.name));
        if is_of_relations && found.pairs.len() < asked.len() / 4 {
            differ(format!("{:?} are all pairs", found.pairs.keys()));
        }
        for (two, usual) in expected.pairs.iter().filter(|(two, _)| is_asked(two)) {
            let Some(said) = found.pairs.get(two) else {
                if !is_of_relations {
                    differ(format!("{two:?} are no pair"));
                }
                continue;
            };
            for key in keys.split(' ') {
                let [said, usual] = [said, usual].map(|known| known.get(key));
                if said != usual {
                    differ(format!("{two:?} {key} {said:?} and not {usual:?}"));
                }
            }
        }
        for two in found
            .pairs
            .keys()
            .filter(|two| !expected.pairs.contains_key(*two))
        {
            differ(format!("{two:?} are a pair"));
        }
        if matches!(door.asked, Asked::All) && found.skipped != expected.skipped {
            differ(format!(
                "skipped {:?} and not {:?}",
                found.skipped, expected.skipped
            ));
        }
    }
    assert!(
        differences.is_empty(),
        "{} differences: {:#?}",
        differences.len(),
        &differences[..differences.len().min(30)]
    );
    expected
}

#[test]
fn every_door_gives_the_same() {
    let texts = texts();
    let said = agreed(&texts, [29, 232]);
    assert!(texts.len() == 352, "{}", said.pairs.len());
    assert!(said.pairs.len() > 500, "{}", said.pairs.len());
    let relations = said.pairs.values().map(|said| said["relation"].to_string());
    assert!(relations.collect::<BTreeSet<_>>().len() > 3);
    // The doors of Python get those of the first subject of each language.
    let some = texts.chunks(44).flat_map(|of_language| &of_language[..11]);
    let some: String = some.map(|(name, text)| named_record(name, text)).collect();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/python/tests/doors.jsonl");
    if std::env::var_os("DUPFIND_UPDATE_DOCS").is_some() {
        std::fs::write(file, &some).unwrap();
    }
    assert!(
        std::fs::read_to_string(file).unwrap() == some,
        "{file} is old"
    );
}

#[test]
fn pages_that_moved_and_pages_of_two_subjects_are_so_through_every_door() {
    let words: Vec<&str> = LANGUAGES[0].split(' ').collect();
    let page = |from: usize, title: &str, end: &str| {
        let of = |at: usize| format!("{}{}", words[(from + at * 7) % words.len()], at % 9);
        let text: Vec<String> = (0..90).map(of).collect();
        format!("---\ntitle: {title}\n---\n\n{} {end}.\n", text.join(" "))
    };
    let mut texts = Vec::new();
    let old = [
        ("start", "Start"),
        ("tuning", "Tuning"),
        ("canary", "Canary releases"),
    ];
    let new = [
        ("start", "Start"),
        ("operations/tuning", "Tuning"),
        ("flagger", "Flagger"),
    ];
    for version in 1..=6 {
        let (pages, more) = if version < 4 { (old, 0) } else { (new, 3) };
        let end = format!("{version} ").repeat(version * 4) + &"tea in the harbour".repeat(more);
        for (from, (name, title)) in pages.into_iter().enumerate() {
            texts.push((format!("v{version}/{name}.txt"), page(from, title, &end)));
        }
    }
    for (from, name) in ["language", "params", "store"].into_iter().enumerate() {
        for (folder, end) in [
            ("page", "a page with a ferry "),
            ("site", "all of a harbour "),
        ] {
            let text = page(10 * from + 20, name, &end.repeat(10));
            texts.push((format!("methods/{folder}/{name}.txt"), text));
        }
    }
    let said = agreed(&texts, [3, 7]);
    for [old, new] in [["tuning", "operations/tuning"], ["canary", "flagger"]] {
        for (a, b) in (1..=3).flat_map(|a| (4..=6).map(move |b| (a, b))) {
            let two = [format!("v{a}/{old}.txt"), format!("v{b}/{new}.txt")];
            assert_eq!(said.pairs[&two]["relation"], "near", "{two:?}");
        }
    }
    for name in ["language", "params", "store"] {
        let two = ["page", "site"].map(|folder| format!("methods/{folder}/{name}.txt"));
        assert_eq!(said.pairs[&two]["rule"], "variant_subjects", "{two:?}");
    }
}
