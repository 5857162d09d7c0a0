//! Documents that are hardly texts: repetitions, tables, lists, code, blobs.

use crate::cases::{case, check, random, rows};
use crate::env::Env;

#[test]
fn repetitions() {
    let line = "the ferry leaves at noon and comes back before the lamps along the quay are lit\n";
    let filler = "zzz ".repeat(5000);
    check(&[
        case("word", "lala ".repeat(1000), "lala ".repeat(1001), "short"),
        case(
            "word equal",
            "dum ".repeat(100_000),
            "dum\n".repeat(100_000),
            "exact",
        ),
        case(
            "word, other end",
            format!("{filler} one two three four"),
            format!("{filler} five six seven eight"),
            None,
        ),
        case("ideograph", "啊".repeat(1000), "啊".repeat(999), "short"),
        case(
            "two in turn",
            "tick tock ".repeat(9),
            "tock tick ".repeat(9),
            "short",
        ),
        case(
            "short line",
            "all work and no play\n".repeat(2000),
            "all work and no play\n".repeat(1000),
            "short",
        ),
        case("long line", line.repeat(500), line.repeat(300), "near"),
    ]);
}

#[test]
fn tables_of_numbers() {
    let table = |seed| rows(20, 8, "\t", |at| random(seed, at) % 1_000);
    let signed = |sign| {
        rows(20, 6, " ", |at| {
            format!("{sign}{}", random(3, at) % 5_000 + 1_000)
        })
    };
    let decimal = |point| {
        rows(20, 6, " ", |at| {
            format!("{}{point}{}", random(4, at) % 900 + 100, random(5, at) % 10)
        })
    };
    let bits = |seed| rows(30, 16, " ", |at| random(seed, at) % 2);
    check(&[
        case("other numbers", table(1), table(2), None),
        case(
            "one cell",
            table(6),
            table(6).replacen('\t', "\t4711\t", 1),
            "near",
        ),
        // Signs are punctuation, and do not count.
        case("signs", signed(""), signed("-"), "near"),
        case("points", decimal("."), decimal(""), None),
        case("ones and zeros", bits(7), bits(8), "short"),
    ]);
}

/// The beginning of many a source file.
const LICENCE: &str = "\
// Copyright 2024 The Harbour Authors. All rights reserved.
//
// Licensed under the Apache License, Version 2.0 (the \"License\"); you may not use this file except in
// compliance with the License. You may obtain a copy of the License at
//
//     http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software distributed under the License is
// distributed on an \"AS IS\" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or
// implied. See the License for the specific language governing permissions and limitations under the
// License.

";

/// A source file without meaning.
fn code(seed: u64) -> String {
    let name = |at| format!("n{}", random(seed, at) % 10_000);
    let line = |at: u64| {
        format!(
            "    let {} = {}.{}(&{})?;\n",
            name(at),
            name(at + 1),
            name(at + 2),
            name(at + 3)
        )
    };
    format!(
        "fn {}() {{\n{}}}\n",
        name(0),
        (1..30).map(|at| line(4 * at)).collect::<String>()
    )
}

#[test]
fn a_licence_header_makes_no_duplicates() {
    let env = (0..15).fold(Env::new(), |env, number| {
        env.file(format!("{number}.rs"), LICENCE.to_owned() + &code(number))
    });
    let text = LICENCE.to_owned() + &code(3).replace("let", "let mut");
    let env = env.file("3 copied.rs", text);
    let report = env.json("-t rust");
    let (copies, others): (Vec<_>, Vec<_>) = report
        .pairs
        .iter()
        .partition(|pair| pair.names() == ("3 copied.rs", "3.rs"));
    assert_eq!(copies.len(), 1);
    assert_eq!(copies[0].relation, "near");
    // The header is a fifth of each pair.
    assert!(!others.is_empty());
    for pair in &others {
        assert_eq!(pair.relation, "template", "{pair:?}");
    }
    assert_eq!(report.clusters.len(), 1);
}

#[test]
fn blobs() {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let blob = |seed| {
        let digit = |at: u64| digits[(random(seed, at) % 64) as usize] as char;
        rows(20, 76, "", digit)
    };
    let one_line = |seed: u64| blob(seed).replace('\n', "");
    let changed = blob(5).replacen(&blob(5)[76 * 9..76 * 9 + 20], "dupfinddupfinddupfin", 1);
    check(&[
        case("word", "x".repeat(100_000), "x".repeat(100_001), None),
        case(
            "ideographs",
            rows(1, 300, "", |at| {
                char::from_u32(0x4e00 + (random(1, at) % 5_000) as u32).unwrap()
            }),
            rows(1, 300, "", |at| {
                char::from_u32(0x4e00 + (random(2, at) % 5_000) as u32).unwrap()
            }),
            None,
        ),
        case("base64", blob(3), blob(4), None),
        case("base64 of a change", blob(5), changed, "near"),
        case("base64 in a line", one_line(6), one_line(7), None),
        case(
            "hexadecimal",
            rows(9, 8, " ", |at| format!("{:08x}", random(8, at) >> 32)),
            rows(9, 8, " ", |at| format!("{:08x}", random(9, at) >> 32)),
            None,
        ),
    ]);
}
