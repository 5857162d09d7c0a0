use super::*;

#[test]
fn minified_json_is_recognised_by_its_content() {
    let data = format!(
        "{{\"a\":[{}0]}}\n",
        "{\"x\":1.5,\"name\":\"city\"},".repeat(60)
    );
    let prose = format!(
        "{{\"title\":\"Parks\",\"body\":\"{}\"}}",
        "The old park, by the river. ".repeat(60)
    );
    for (text, expected) in [
        (&*data, true),
        (&data.replace("},", "},\n"), false),
        (&data[..900], false),
        (&prose, false),
        (&data.replace('{', "("), false),
    ] {
        assert_eq!(is_minified_json(text), expected, "{text}");
    }
}

#[test]
fn data_is_recognised_by_its_name() {
    for (name, expected) in [
        ("a/Logo.SVG", true),
        ("Cargo.lock", true),
        ("package-lock.json", true),
        ("flow.drawio", true),
        ("app.min.js", true),
        ("lock.md", false),
        ("package.json", false),
        ("svg", false),
    ] {
        assert_eq!(is_data(Path::new(name)), expected, "{name}");
    }
}

#[test]
fn prints_of_this_program_are_known_and_pages_are_not() {
    for text in [
        "{\"type\": \"plan\", \"schema_version\": 1}\n",
        "{\"keep\": \"a.md\", \"drop\": \"b.md\", \"type\": \"drop\"}\n",
        "::error file=a.md,line=1,title=Copy::a.md: copy%0ASee: dupfind compare a.md b.md\n",
        "::error title=dupfind::nothing to compare\n",
        "\u{feff}\"文档 A\",\"文档 B\",\"Jaccard 相似度\",\"汉明距离\"\n",
    ] {
        assert!(is_head_of_own_output(text), "{text}");
    }
    for text in [
        "a.md: copy of b.md\n  See what they share: dupfind compare a.md b.md\n",
        "a.md：b.md 的副本\n  是有意的？ dupfind accept a.md b.md\n",
        "A  a.md\nB  b.md\n\nnear\n\nJaccard similarity   0.7\n",
        "dupfind: 1 document goes\n  advice\ndupfind: p.jsonl has the plan\n",
        "a.md\n\n2 documents compared: 1 pair\nNext: dupfind compare a.md b.md\n",
        "a.md:\n\n1 document asked about, 2 in the index: 0 pairs\n",
        "a.md:\n\n查询了 1 篇文档，索引中有 2 篇：2 个文档对\n",
        "a.md:1-9\n\n2 documents: 1 passage is in several places; 50.0 % of 500 units are copies\n",
        "a.md:1-9\n\n2 篇文档：1 个段落出现在多处；500 个字词中有 50.0% 是副本\n",
    ] {
        assert!(is_own_print(text), "{text}");
    }
    for text in [
        "# Guide\n\n* Two pages are alike:\n  and then dupfind compare a.md b.md",
        "{\"type\": \"summary\", \"text\": \"a.md\"}\n",
        "{\"type\": \"drop\", \"text\": \"a.md\"}\n",
        "::: note title=a\n[a](a.md)\n",
        "Run it:\n\n    dupfind accept a.md b.md\n",
        "Run it:\n\n  dupfind compare a.md b.md\n",
        "A  a.md\nB  b.md\n\n",
        "nav:\n  - a.md\ndupfind: ignore\n",
        "[a](a.md)\n```\n2 documents compared: 1 pair\n```\n",
        "[a](a.md)\n```\n2 documents compared: 1 pair\n```\nThat is all.\n",
        "See [a](a.md).\n",
        "[a](a.md)\n\nSome units are copies of a machine.\n",
    ] {
        assert!(!is_head_of_own_output(text), "{text}");
        assert!(!is_own_print(text), "{text}");
    }
}
