//! Bytes to documents: encodings, damage, files that are no documents, short documents.

use encoding_rs::KOI8_U;

use crate::env::{Env, PARK, PARK_ZH, Report, Says};

/// A text in UTF-16 with a byte order mark.
fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(to_bytes).collect()
}

#[test]
fn damaged_text_is_noted_and_still_compared() {
    let mut odd = utf16(PARK_ZH, u16::to_le_bytes);
    odd.push(b'!');
    let mut broken = PARK_ZH.as_bytes().to_vec();
    broken[30] = 0xff;
    let env = Env::new()
        .file("a.md", PARK_ZH)
        .file("b.md", [PARK_ZH.as_bytes(), b"\xff\xfe"].concat())
        .file("c.md", odd)
        .file("d.md", broken)
        .file("e.md", PARK);
    let run = env.scan("");
    let report = Report::of(run.warns("dupfind: warning: b.md: not valid UTF-8: "));
    assert_eq!(run.stderr.lines().count(), 3, "{}", run.stderr);
    let notes: Vec<_> = report.notes.iter().map(|n| (&*n.path, &*n.note)).collect();
    let utf8 = "not valid UTF-8: damaged characters were replaced";
    let utf16 = "not valid UTF-16LE: damaged characters were replaced";
    assert_eq!(notes, [("b.md", utf8), ("c.md", utf16), ("d.md", utf8)]);
    let (whole, part) = report.pairs.split_at(3);
    for pair in whole {
        assert_eq!(pair.jaccard, Some(1.0), "{pair:?}");
    }
    assert!(part.iter().all(|pair| pair.b == "d.md"), "{part:?}");
    assert_eq!((part.len(), report.clusters[0].documents.len()), (3, 4));

    assert_eq!(env.scan("--quiet").ok(), run.stdout);
    let list = env.run("show --as fingerprint");
    assert_eq!(list.warns("b.md: not valid UTF-8").lines().count(), 5);
}

#[test]
fn a_given_encoding_is_not_doubted() {
    // Too little for statistics, which take it for something else.
    let said = "Дом, сад и лес за рекой: дом, сад и лес за рекой";
    let (bytes, ..) = KOI8_U.encode(said);
    let env = Env::new()
        .file("a.md", bytes)
        .file("b/b.md", said)
        .file("b/picture", b"\x89PNG\0");
    let told = env.fingerprints("a.md --encoding KOI8-U");
    let told: Vec<&str> = told.iter().map(|line| line.encoding.as_str()).collect();
    assert_eq!(told, ["KOI8-U"]);
    assert_eq!(env.json("-E utf8 b").skips(), [("b/picture", "binary")]);
    let run = env.run("compare a.md a.md -f json -E koi8-u");
    run.ok().says("KOI8-U");
    env.write("dupfind.toml", "encoding = \"koi8-u\"\n");
    env.run("show --as fingerprint a.md").ok().says("KOI8-U");
    for wrong in ["utf-9", "replacement", ""] {
        env.scan(["-E", wrong]).fails("WHATWG");
    }
}
