//! Documents in scripts that jieba does not cut: a text, the same one with a few words changed, and one on
//! another thing in the same script.

use unicode_normalization::UnicodeNormalization;

use crate::cases::{cases, folder};
use crate::env::{Env, Pair, table};

/// Texts in one script.
struct Script {
    name: &'static str,
    text: &'static str,
    /// The words that the edit replaces, and the new ones.
    edits: Vec<(&'static str, &'static str)>,
    unrelated: &'static str,
}

/// A line for each script: its name, a text, the words that an edit replaces with the new ones, and another text.
fn scripts() -> Vec<Script> {
    let rows = table(include_str!("scripts.txt")).into_iter();
    let edits = |cell: &'static str| {
        let edits = cell.split("; ").map(|edit| edit.split_once(" = "));
        edits.map(Option::unwrap).collect()
    };
    let script = |[name, text, cell, unrelated]: [&'static str; 4]| Script {
        name,
        text,
        edits: edits(cell),
        unrelated,
    };
    rows.map(script).collect()
}

impl Script {
    fn edited(&self) -> String {
        let edit = |text: String, &(from, to): &(&str, &str)| {
            assert_eq!(text.matches(from).count(), 1, "{}: {from}", self.name);
            text.replace(from, to)
        };
        self.edits.iter().fold(self.text.to_owned(), edit)
    }

    /// The name of one of its files.
    fn file(&self, name: &str) -> String {
        format!("{}/{name}", self.name)
    }
}

/// A folder for each script.
fn all() -> Env {
    scripts().iter().fold(Env::new(), |env, script| {
        env.file(script.file("edited"), script.edited())
            .file(script.file("text"), script.text)
            .file(script.file("unrelated"), script.unrelated)
    })
}

#[test]
fn an_edited_text_is_near_and_an_unrelated_one_is_nothing() {
    let env = all();
    let scripts = scripts();
    let expected: Vec<_> = scripts
        .iter()
        .map(|script| (script.file("edited"), script.file("text")))
        .collect();
    for unit in ["auto", "word"] {
        let report = env.json(["--shingle-unit", unit]);
        assert!(report.pairs.iter().all(|pair| pair.relation == "near"));
        let mut found: Vec<_> = report.pair_names();
        found.sort_unstable();
        assert!(
            found.iter().eq(expected
                .iter()
                .map(|(a, b)| (&**a, &**b))
                .collect::<Vec<_>>()
                .iter()),
            "{unit}: {found:?}"
        );
        assert_eq!(report.clusters.len(), scripts.len(), "{unit}");
    }
}

/// A text in other forms of its characters, and with characters nobody sees.
#[test]
fn a_text_in_another_form_is_exact() {
    let invisible = |text: &str| {
        let characters = text.char_indices();
        let marked = characters.map(|(at, c)| match at % 7 {
            0 => format!("{c}\u{2060}"),
            _ => c.to_string(),
        });
        marked.collect::<String>()
    };
    let scripts = scripts();
    let env = scripts.iter().fold(Env::new(), |env, script| {
        env.file(
            script.file("composed"),
            script.text.nfc().collect::<String>(),
        )
        .file(
            script.file("decomposed"),
            script.text.nfd().collect::<String>(),
        )
        .file(script.file("invisible"), invisible(script.text))
        .file(script.file("upper"), script.text.to_uppercase())
    });
    let report = env.json("");
    let is_exact = |pair: &&Pair| pair.relation == "exact";
    for script in &scripts {
        let name = script.file("");
        let own = report.pairs.iter().filter(|pair| pair.a.starts_with(&name));
        assert_eq!(own.filter(is_exact).count(), 6, "{name}");
    }
    assert_eq!(report.pairs.len(), 6 * scripts.len());
}

#[test]
fn the_beginning_of_a_text_is_too_short_to_be_merged_with_its_edit() {
    // Eight words, or as many characters as give fewer than ten shingles.
    let all = cases(
        "arabic   | افتتحت البلدية حديقة جديدة قرب النهر في الربيع  | افتتحت البلدية حديقة كبيرة قرب النهر في الربيع | short
         cyrillic | Городской совет открыл новый парк у реки весной | Городской совет открыл новый парк у реки осенью | short
         kana     | 駅前の古い本屋は閉まる                          | 駅前の古い花屋は閉まる                          | short
         korean   | 마을 도서관은 문을 다시 열었다                  | 마을 도서관은 문을 활짝 열었다                  | short
         lao      | ຕະຫຼາດເປີດທຸກວັນ                                | ຕະຫຼາດເປີດທຸກວັນຈັນ                             | short
         thai     | ตลาดเปิดวันเสาร์                                | ตลาดเปิดวันอาทิตย์                              | short
         mixed    | 用 Redis 做缓存，很快                           | 用 Redis 做缓存，很稳                           | short",
    );
    let env = folder(&all);
    for (detectors, least) in [
        ("simhash,shingle", "--min-jaccard 0.01"),
        ("simhash", ""),
        ("shingle", "--min-jaccard 0.01"),
    ] {
        let report = env.json(("-q --detectors", [detectors], least));
        let own = report
            .pairs
            .iter()
            .filter(|pair| pair.a.split('/').next() == pair.b.split('/').next());
        let own: Vec<&Pair> = own.collect();
        assert!(own.iter().all(|pair| pair.relation == "short"), "{own:?}");
        assert!(report.clusters.is_empty(), "{detectors}");
        let expected = if detectors == "simhash" { 0 } else { all.len() };
        assert_eq!(own.len(), expected, "{detectors}");
    }
}
