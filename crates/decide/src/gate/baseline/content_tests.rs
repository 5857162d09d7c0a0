//! The file of a baseline, as it is written, edited, merged and damaged.

use proptest::prelude::*;

use crate::gate::baseline::content::{
    AcceptedPair, BaselineContent, Damage, DocumentIdentity, Family, MESSAGE,
};
use crate::table::table;
use dupfind_engine::Relation;

const HEADER: &str = r#"{"dupfind_baseline":2,"relations":["exact","near"]}"#;
const ENTRY: &str = r#"{"a":"a.md","b":"b.md","relation":"near","text_a":"00000000000000ab","text_b":"ffffffffffffffff","reason":"translations"}"#;

const FAMILY: &str = r#"{"family":"docs/drivers/**","reason":"one page each"}"#;

fn read(text: impl AsRef<[u8]>) -> Result<BaselineContent, Damage> {
    BaselineContent::read(text.as_ref())
}

#[test]
fn each_family_and_pair_is_a_line() {
    let text = format!("{HEADER}\n{FAMILY}\n{ENTRY}\n");
    let content = read(&text).unwrap();
    assert_eq!(String::from_utf8(content.bytes()).unwrap(), text);
}

#[test]
fn edited_and_merged_files_are_read() {
    let second = ENTRY.replace("b.md", "c.md");
    let turned = r#"{"relation":"near","b":"a.md","a":"c.md","text_a":"ffffffffffffffff","text_b":"00000000000000ab"}"#;
    let other = r#"{"reason": "family", "family" : "a family/*.md"}"#;
    let expected = read(format!("{HEADER}\n{other}\n{FAMILY}\n{ENTRY}\n{second}\n"));
    for text in [
        format!("\u{feff}{HEADER}\r\n{ENTRY}\r\n{second}\n{FAMILY}\r\n{other}"),
        format!(
            "\n{FAMILY}\n{second}\n\n{HEADER}\n  {ENTRY}\n{other}\n{FAMILY}\n{HEADER}\n{second}\n{ENTRY}\n"
        ),
        format!("{HEADER}\n{turned}\n{ENTRY}\n{second}\n{other}\n{FAMILY}"),
    ] {
        assert_eq!(read(&text), expected, "{text}");
    }
}

#[test]
fn entries_of_one_pair_are_joined() {
    let plain = ENTRY.replace(r#","reason":"translations""#, "");
    let copies = plain.replace("near", "exact").replace("ab\"", "ac\"");
    let lines = [ENTRY, &plain, &copies];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        let [x, y, z] = order.map(|at| lines[at]);
        let text = format!("{HEADER}\n{x}\n{y}\n{z}\n");
        let content = read(&text).unwrap();
        let [entry] = content.pairs() else {
            panic!("{content:?}");
        };
        assert_eq!((entry.relation, entry.a.text), (Relation::Exact, 0xac));
        assert_eq!(entry.reason.as_deref(), Some("translations"));
    }
}

#[test]
fn damage_is_named_with_its_line() {
    let more = |line: &str| format!("{HEADER}\n{line}");
    let mut cases = vec![
        (String::new(), 1, "this is no baseline"),
        ("# Title\n".into(), 1, "this is no baseline"),
        (
            "\n\n{\"text\":\"a record\"}".into(),
            3,
            "this is no baseline",
        ),
        (ENTRY.into(), 1, "this is no baseline"),
        (more(&HEADER.replace("near", "short")), 2, "another header"),
        (more("<<<<<<< HEAD\n"), 2, "unresolved conflict"),
        (more(ENTRY) + "\n>>>>>>> branch", 3, "unresolved conflict"),
        (more(&ENTRY[..40]), 2, "damaged JSON in column"),
    ];
    let long = "y".repeat(999);
    cases.push((more("\n") + &ENTRY.replacen("near", &long, 1), 3, "yyy…"));
    for [of, from, to, part] in table(
        r#"header | :2,              | :3,"x":[],        | another dupfind (version 3
           header | :2,              | :1,               | another dupfind (version 1
           header | :2,              | :-1,              | invalid value
           header | near             | far               | unknown variant `far`, expected one of `exact`, `near`
           header | ]}               | ],"more":1}       | unknown field `more`
           entry  | ,"relation"      | "relation"        | damaged JSON in column
           entry  | reason           | reasn             | unknown field `reasn`
           entry  | text_b           | reason            | duplicate field `reason`
           entry  | "b":"b.md",      |                   | missing field `b`
           entry  | near             | nearly            | unknown variant `nearly`
           entry  | 00000000000000ab | ab                | 'ab' is no hash
           entry  | 00000000000000ab | +0000000000000ab  | is no hash
           family | drivers          | {                 | cannot read the glob 'docs/{/**'
           family | reason           | why               | unknown field `why`"#,
    ) {
        let (text, line) = match of {
            "header" => (HEADER.replacen(from, to, 1), 1),
            "entry" => (more("\n") + &ENTRY.replacen(from, to, 1), 3),
            _ => (more(&FAMILY.replacen(from, to, 1)), 2),
        };
        cases.push((text, line, part));
    }
    for (text, line, part) in cases {
        let Damage {
            line: found,
            reason,
        } = read(&text).unwrap_err();
        assert!(reason.contains(part), "{text}: {reason}");
        assert_eq!(found, line, "{text}: {reason}");
        assert!(reason.chars().count() < 2 * MESSAGE, "{reason}");
    }
    let damaged = [HEADER.as_bytes(), b"\n\xff\n"].concat();
    let reason = "not valid UTF-8".into();
    assert_eq!(read(&damaged), Err(Damage { line: 2, reason }));
}

fn sides() -> impl Strategy<Value = DocumentIdentity> {
    let names = prop_oneof!["[a-c/]{1,3}", ".{0,20}"];
    (names, any::<u64>()).prop_map(|(name, text)| DocumentIdentity { name, text })
}

fn entries() -> impl Strategy<Value = AcceptedPair> {
    let relations = prop::sample::select(Relation::ALL.to_vec());
    (sides(), sides(), relations, prop::option::of("x.{0,20}")).prop_map(
        |(a, b, relation, reason)| AcceptedPair {
            a,
            b,
            relation,
            reason,
        },
    )
}

fn contents() -> impl Strategy<Value = BaselineContent> {
    let relations = prop::sample::subsequence(Relation::ALL.to_vec(), 0..=6);
    let entries = prop::collection::vec(entries(), 0..8);
    let families = prop::collection::vec(("[a-c/*]{1,3}", ".{0,9}"), 0..4);
    (relations, entries, families).prop_map(|(relations, entries, families)| {
        let families = families.into_iter();
        let families = families.map(|(family, reason)| Family { family, reason });
        BaselineContent::new(relations.into_iter().collect(), entries).with_families(families)
    })
}

proptest! {
    #[test]
    fn written_files_can_be_read(content in contents()) {
        let bytes = content.bytes();
        prop_assert_eq!(read(&bytes), Ok(content.clone()));
        prop_assert_eq!(bytes.iter().filter(|&&b| b == b'\n').count(), content.families.len() + content.pairs().len() + 1);
    }

    #[test]
    fn damaged_files_are_read_or_refused(
        content in contents(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut bytes = content.bytes();
        for (at, byte) in damages {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(content) = read(&bytes) {
            prop_assert_eq!(read(content.bytes()), Ok(content));
        }
    }
}
