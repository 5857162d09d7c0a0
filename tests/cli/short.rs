//! Documents that are too short to judge, and those that are just long enough.

use crate::cases::{case, cases, check, folder};
use crate::env::{Env, Says};

#[test]
fn stubs() {
    let matter = |title: &str, day: u32| {
        format!("---\ntitle: {title}\ndate: 2024-03-{day:02}\nlayout: page\n---\n")
    };
    let mut all = cases(
        r"headings         | # Overview\n\n## Install\n\n## Usage\n | # Overview\n## Install\n## Usage\n | exact
          other headings   | # Aims\n## Method\n## Result\n         | # Aims\n## Method\n## Sources\n    | -
          one heading more | # Cast\n# Props\n# Stage\n# Light\n    | # Cast\n# Props\n# Stage\n           | short
          to do            | # Billing\n\nTODO\n                    | # Search\n\nTODO\n                   | -
          to be written    | # Crane\n\nTBD: write this page\n      | # Winch\n\nTBD: write this page\n    | short
          待办             | # 计费\n\n待办：以后再写。\n           | # 搜索\n\n待办：以后再写。\n         | short",
    );
    all.push(case(
        "front matter",
        matter("Soup", 1),
        matter("Salad", 2),
        None,
    ));
    all.push(case(
        "of a day",
        matter("Bread", 3),
        matter("Cheese", 3),
        "short",
    ));
    check(&all);
}

#[test]
fn single_sentences() {
    let ticket = |number: u32| {
        format!(
            "Ticket {number} was closed on Monday because the customer did not answer our mail in time.\n"
        )
    };
    let bus = |line: u32| {
        format!("因道路施工，{line}路公交车明天上午临时改走滨河大道，请乘客提前安排出行。")
    };
    let mut all = cases(
        "word      | The museum opens at nine. | The museum opens at ten. | short
         character | 书店周末照常营业。        | 书店周日照常营业。       | short",
    );
    all.push(case("long, number", ticket(17), ticket(18), "near"));
    all.push(case("long Chinese, number", bus(12), bus(25), "near"));
    check(&all);
    // Of many, each is the same sentence for another number.
    for page in [&ticket as &dyn Fn(u32) -> String, &bus] {
        let env = (0..80).fold(Env::new(), |env, at| env.file(at.to_string(), page(at)));
        let report = env.json("");
        assert_eq!(report.summary.relations["variant"], 80 * 79 / 2);
        assert!(report.clusters.is_empty());
    }
}

#[test]
fn equal_sets_of_shingles() {
    let round = |from: &str| format!("{from} ").repeat(3) + from;
    let song = "one day the miller took his mule across the frozen brook and sang";
    let mut all = cases(
        "begun elsewhere, short | la di la di la         | di la di la di         | short
         minus, short           | offset -5 and limit 20 | offset 5 and limit -20 | short
         stop, short            | 你好，世界             | 你好世界               | short
         hyphens                | 1-2-3                  | 123                    | -",
    );
    let longer = round(song) + " one day the miller";
    all.push(case("begun elsewhere, long", round(song), longer, "near"));
    all.push(case(
        "white space",
        "blue\u{a0}\n  skies",
        "blue skies\r\n",
        "exact",
    ));
    check(&all);
}

#[test]
fn short_documents_by_fingerprint() {
    let five = "pip pop pap pep pup\n";
    let many = |rest: &str| "go ".repeat(1000) + rest;
    // One word that weighs more than the others together, and texts that are long, but of few different words.
    let mut all = cases(
        "heavy word    | 我的葡萄园           | 他在葡萄园            | -
         frequent word | la la la la la la oh | la la la la la la hey | -
         few words     | the red house        | the red horse         | -
         turned        | a b c d e f g h      | h g f e d c b a       | short
         turned, long  | i j k l m n o p q r s t | t s r q p o n m l k j i | near",
    );
    all.push(case(
        "many",
        many("one two three"),
        many("four five six"),
        None,
    ));
    all.push(case(
        "repeated line",
        five.repeat(1000),
        five.repeat(999),
        "short",
    ));
    let report = folder(&all).json("--detectors simhash");
    let found = report.pairs.iter().map(|pair| (&*pair.a, &*pair.relation));
    let mut found: Vec<_> = found.collect();
    found.sort_unstable();
    let expected = [
        ("repeated line/a", "short"),
        ("turned, long/a", "near"),
        ("turned/a", "short"),
    ];
    assert_eq!(found, expected);
    // With the other detector it shows that nothing is in the same order.
    let report = folder(&all[4..5]).json("");
    assert_eq!(report.pairs[0].relation, "related");
    report.pairs[0].because.begins("no shingle in common");
}

#[test]
fn documents_shorter_than_a_shingle() {
    let all = cases(
        r"word             | apple              | Apple.               | short
          word equal       | pear               | pear\n               | exact
          other word       | plum               | plums                | -
          two words        | red plum           | plum red             | -
          five words       | on a hill far away | on a hill (far away) | short
          five words equal | by the sea so blue | by the\nsea so blue  | exact
          other five words | in the fog I see   | in the fog I hear    | -
          ideograph        | 茶                 | 茶！                 | short
          ideographs       | 红茶               | 茶红                 | -
          numbers          | 1.5                | 15                   | -
          number           | 42                 | -42                  | short
          kana             | はい               | いいえ               | -",
    );
    let mut expected: Vec<_> = all
        .iter()
        .filter_map(|(name, .., relation)| Some((format!("{name}/a"), (*relation)?)))
        .collect();
    expected.sort_unstable();
    for detectors in ["simhash,shingle", "simhash", "shingle"] {
        let report = folder(&all).json(["--shingle-size", "9", "--detectors", detectors]);
        let found = report.pairs.iter();
        let found = found.map(|pair| (pair.a.clone(), pair.relation.as_str()));
        let mut found: Vec<_> = found.collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{detectors}");
        assert_eq!(report.clusters.len(), 2, "{detectors}");
    }
}

#[test]
fn symbols_are_no_text() {
    let symbols = [
        ("arrows", "→ ⇒ ↔"),
        ("family", "👨\u{200d}👩\u{200d}👧"),
        ("flags", "🇩🇪🇫🇷"),
        ("heart", "❤\u{fe0f}"),
        ("mathematics", "∑ ∫ √ ≠ ±"),
        ("rules", "---\n***\n===\n"),
        ("skin", "👍🏽"),
        ("table", "| | |\n|---|---|\n"),
    ];
    let env = symbols.iter().fold(Env::new(), |env, (name, text)| {
        env.file(name, text.repeat(20))
    });
    let report = env.json("");
    assert_eq!(report.skips(), symbols.map(|(name, _)| (name, "empty")));
}

#[test]
fn pages_of_a_few_words_are_copies_only_if_their_files_are_equal() {
    let env = Env::new()
        .file("a.md", "# Overview\n\n{{#include a-body.md}}\n")
        .file("b.md", "# Overview\n\n{{#include b-body.md}}\n")
        .file("c.md", "#  Overview\n\n\n{{#include a-body.md}}\n")
        .file("d.txt", "Overview\n");
    env.check(".").trips("1 duplicate pair (1 exact)");
    let report = env.json(".");
    let relations: Vec<&str> = report.pairs.iter().map(|pair| &*pair.relation).collect();
    assert_eq!(relations.join(" "), "exact short short short short short");
    // The next version of a page has other front matter. A redirect is what a page says.
    let page = |key: &str, value: &str| {
        format!("---\ntitle: Park\n{key}: {value}\n---\n# Opening hours\n")
    };
    let env = Env::new()
        .file("a.md", page("date", "2021-03-04"))
        .file("b.md", page("date", "2025-03-04"))
        .file("c.md", page("redirect_to", "/park"))
        .file("d.md", page("redirect_to", "/zoo"));
    env.check(".").trips("1 duplicate pair (1 exact)");
    // Of records the text is all that there is.
    let records = "{\"text\":\"# To be determined\"}\n{\"text\":\"# To be determined\"}\n";
    let env = Env::new().file("x.jsonl", records);
    env.check("x.jsonl").trips("1 duplicate pair (1 exact)");
}
