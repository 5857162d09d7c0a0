//! Bytes to documents: encodings, damage, files that are no documents, short documents.

use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, GBK, KOI8_U, SHIFT_JIS};

use crate::env::{Env, PARK, PARK_EDITED, PARK_ZH, Report, Says};

/// A text in a legacy encoding, which must have all its characters.
fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    let (bytes, _, unmappable) = encoding.encode(text);
    assert!(!unmappable);
    bytes.into_owned()
}

/// A text in UTF-16 with a byte order mark.
fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(to_bytes).collect()
}

#[test]
fn a_text_is_a_copy_in_whatever_encoding() {
    for (text, encodings) in [
        (PARK, &[][..]),
        (PARK_ZH, &[(GB18030, "gb18030"), (GBK, "GBK")]),
    ] {
        let mut files = vec![
            ("UTF-8", text.as_bytes().to_vec()),
            (
                "UTF-8 with BOM",
                [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            ),
            ("UTF-16LE", utf16(text, u16::to_le_bytes)),
            ("UTF-16BE", utf16(text, u16::to_be_bytes)),
            ("CRLF", text.replace('\n', "\r\n").into_bytes()),
        ];
        files.extend(encodings.iter().map(|&(e, name)| (name, encoded(text, e))));
        let mut env = Env::new().file("bread.md", crate::env::BREAD);
        for (name, bytes) in &files {
            env = env.file(name, bytes);
        }
        let report = env.json("");
        assert_eq!(report.pairs.len(), files.len() * (files.len() - 1) / 2);
        for pair in &report.pairs {
            assert_eq!(pair.jaccard, Some(1.0), "{pair:?}");
            assert_eq!(pair.hamming, Some(0), "{pair:?}");
            assert_eq!(pair.matched_by, ["simhash", "shingle"]);
        }
        assert_eq!(report.clusters[0].documents.len(), files.len());
        assert!(report.notes.is_empty() && report.skipped.is_empty());
    }
}

#[test]
fn the_encoding_of_a_document_is_reported() {
    let traditional = "公園在三十年前向市民開放，退休的老師在柳樹下打太極拳。";
    let japanese = "その公園は三十年前に市民に開かれた。朝は走る人が多い。";
    let korean = "그 공원은 삼십 년 전에 시민에게 열렸다. 아침에는 달리는 사람이 많다.";
    let env = Env::new()
        .file("1", PARK_ZH)
        .file("2", encoded(PARK_ZH, GB18030))
        .file("3", utf16(PARK_ZH, u16::to_le_bytes))
        .file("4", utf16(PARK_ZH, u16::to_be_bytes))
        .file("5", encoded(traditional, BIG5))
        .file("6", encoded(japanese, SHIFT_JIS))
        .file("7", encoded(korean, EUC_KR));
    let encodings = env.fingerprints("").into_iter();
    let encodings: Vec<String> = encodings.map(|document| document.encoding).collect();
    let expected = "UTF-8 GBK UTF-16LE UTF-16BE Big5 Shift_JIS EUC-KR";
    assert_eq!(encodings.join(" "), expected);
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
fn utf16_needs_no_mark_and_pages_are_believed() {
    let page = |text: &str| format!("<meta charset=\"shift_jis\">\n<p>{text}</p>\n");
    let japanese = "雨上がりの古い町並みは、とりわけ静かに見える。川沿いの道を歩く人は少ない。";
    let (sjis, ..) = SHIFT_JIS.encode(japanese);
    let sjis = [page("").as_bytes(), &sjis].concat();
    let env = Env::new()
        .file("park.md", PARK)
        .file("little.md", &utf16(PARK, u16::to_le_bytes)[2..])
        .file("big.md", &utf16(PARK_ZH, u16::to_be_bytes)[2..])
        .file("公园.md", PARK_ZH)
        .file("page.html", page("") + japanese)
        .file("page-sjis.html", sjis);
    let report = env.json("");
    for pair in &report.pairs {
        assert_eq!(pair.relation, "exact", "{pair:?}");
    }
    let expected = [
        ("big.md", "公园.md"),
        ("little.md", "park.md"),
        ("page-sjis.html", "page.html"),
    ];
    assert_eq!(report.pair_names(), expected);
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

#[test]
fn files_without_text_are_skipped_as_binary() {
    let late = [&b"word "[..].repeat(2000), &b"\0"[..]].concat();
    let env = Env::new()
        .file("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
        .file("b.bin", [0])
        .file("d.txt", late);
    let report = env.json("");
    assert_eq!(report.skips(), [("a.png", "binary"), ("b.bin", "binary")]);
    assert_eq!(report.summary.documents, 1);
    // Named or not, a binary file is no error.
    assert_eq!(env.json("a.png -q").skips(), [("a.png", "binary")]);
}

#[test]
fn what_has_no_letters_is_skipped_as_empty() {
    let files = [
        ("blank", " \n\t\u{3000}\r\n"),
        ("bom", "\u{feff}"),
        ("dots", "... --- !!! ，。！"),
        ("emoji", "😀😀"),
        ("nothing", ""),
    ];
    let mut env = Env::with("text.md");
    for (name, content) in files {
        env = env.file(name, content);
    }
    let report = env.json("");
    assert_eq!(report.skips(), files.map(|(name, _)| (name, "empty")));
    assert_eq!((report.summary.documents, report.pairs.len()), (1, 0));
}

#[test]
fn short_documents_match_only_what_reads_the_same() {
    let env = Env::new()
        .file("01", "你好")
        .file("02", "你好！\n")
        .file("03", "你")
        .file("04", "好")
        .file("05", "好你")
        .file("06", "你好你")
        .file("07", "Hello")
        .file("08", "hello.")
        .file("09", "hello world")
        .file("10", "world hello")
        .file("11", "hello hello")
        .file("12", "42");
    for detectors in ["simhash,shingle", "simhash", "shingle"] {
        let report = env.json(["-q", "--detectors", detectors]);
        let expected = [("01", "02"), ("07", "08")];
        assert_eq!(report.pair_names(), expected, "{detectors}");
    }
}

#[test]
fn case_width_and_punctuation_make_no_difference() {
    let env = Env::new()
        .file("a", PARK)
        .file("b", PARK.to_uppercase().replace(['.', ','], " -- "))
        .file("c", PARK.replace('a', "ａ").replace('o', "Ｏ"))
        .file("d", PARK_EDITED);
    let report = env.json("--min-jaccard 1 --detectors shingle");
    // Full-width letters are the same text; other punctuation is not.
    assert_eq!(report.pair_names(), [("a", "c"), ("a", "b"), ("b", "c")]);
    let relations = report.pairs.iter().map(|pair| pair.relation.as_str());
    assert!(relations.eq(["exact", "near", "near"]));
}

#[test]
fn characters_of_four_bytes_in_gb18030_are_decoded() {
    let rare = format!("{PARK_ZH}𠀀𠀁𠀂𠮷野家。");
    let env = Env::new()
        .file("a", &rare)
        .file("b", encoded(&rare, GB18030));
    let report = env.json("");
    assert_eq!(report.pairs[0].jaccard, Some(1.0));
    assert!(report.notes.is_empty());
}

#[test]
fn a_pointer_of_git_lfs_is_no_document() {
    let pointer = |oid: &str| {
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 10137\n")
    };
    let env = Env::new()
        .file("a.txt", pointer("6b86b273ff34fce1"))
        .file("b.txt", pointer("d4735e3a265e16ee"));
    let report = env.json(".");
    assert_eq!(report.skips(), [("a.txt", "data"), ("b.txt", "data")]);
    env.run("compare a.txt b.txt")
        .fails("a.txt: data: a pointer of Git LFS: git lfs pull brings the content");
}
