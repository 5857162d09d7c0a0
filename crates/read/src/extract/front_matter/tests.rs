use super::*;
use proptest::prelude::*;

fn end(content: &str) -> usize {
    FrontMatter::of(content).end()
}

fn value(content: &str, key: &str) -> Option<String> {
    FrontMatter::of(content).value(key)
}

fn values(content: &str, key: &str) -> Vec<String> {
    FrontMatter::of(content).values(key)
}

fn keys(content: &str) -> BTreeMap<String, String> {
    FrontMatter::of(content).keys()
}

fn opt_out(content: &str) -> Option<String> {
    FrontMatter::of(content).opt_out()
}

fn ignored(reason: &str) -> Option<String> {
    Some(reason.into())
}

#[test]
fn keys_have_all_that_is_written_for_them() {
    let expected = [("params", "\n  of:\n    - tea\n"), ("title", "Tea\n")];
    let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let yaml = "---\ntitle: 'Tea'\nparams:\n  of:\n    - tea\n---\nText";
    assert_eq!(keys(yaml), BTreeMap::from(expected));
    let toml = keys("+++\ntitle = \"Tea\"\n[params]\nof = \"tea\"\n+++\nText");
    let names: Vec<&String> = toml.keys().collect();
    assert_eq!(names, ["of", "params", "title"]);
    assert_eq!(toml["title"], "Tea\n");
    assert_eq!(keys("{\n\"title\": [1]\n}\nText")["title"], "[1]");
    assert_eq!(keys("Text: here"), BTreeMap::new());
}

#[test]
fn front_matter_may_be_in_a_comment() {
    let text = "<!--\n---\ntitle: Tea\n---\n-->\n\nText";
    assert_eq!(value(text, "title").as_deref(), Some("Tea"));
    assert_eq!(&text[end(text)..], "\n\nText");
    for text in [
        "<!-- title: Tea -->\nText",
        "<!--\n---\ntitle: Tea\n---\nText",
        "<!--\n---\ntitle: Tea\n---\nmore -->\nText",
    ] {
        assert_eq!((value(text, "title"), end(text)), (None, 0), "{text}");
    }
}

#[test]
fn a_head_may_have_no_fence_before_it() {
    for head in [
        "Title: Tea\nDate: 2024-05-03\nTags: a, b\n    c\nSummary: Of tea: hot\nDupFind: ignore - old\n",
        "title: Tea\r\ntags:\r\n- a\r\ndupfind: ignore - old\r\n---",
        "\u{feff}date: 1\ntitle: Tea\ndupfind: 'ignore - old'\n---  ",
    ] {
        let text = format!("{head}\nText: here");
        assert_eq!(value(&text, "title").as_deref(), Some("Tea"), "{text}");
        assert_eq!(opt_out(&text), ignored("old"), "{text}");
        assert_eq!(text[end(&text)..].trim_start(), "Text: here");
    }
    let pandoc = "% Tea\n% Anna; Bruno\n%\n\nText";
    assert_eq!(value(pandoc, "title").as_deref(), Some("Tea"));
    assert_eq!((value(pandoc, "author"), opt_out(pandoc)), (None, None));
    assert_eq!(&pandoc[end(pandoc)..], "\nText");
    for text in [
        "Title: Tea\n\nText",
        "Title: Tea\nDate: 2024\nThe text goes on\n\nText",
        "Title: Tea\nNote: this is text\n\nText",
        "Date: 2024\nStatus: cold\n\nText",
        "Title: Tea\nDate:2024\n\nText",
        "Title: Tea\nDate: 2024",
        "  Title: Tea\nDate: 2024\n\nText",
        "% of all tea\n\nText",
        "% of all tea\nis cold\n\nText",
        "% a\n% b\n% c\n% d\n\nText",
    ] {
        assert_eq!((end(text), value(text, "title")), (0, None), "{text}");
    }
}

#[test]
fn blank_lines_may_be_before_front_matter() {
    for blank in ["\n", " \r\n\r\n", "\u{feff}\n \n"] {
        for block in ["---\ntitle: Tea\n---", "+++\ntitle = \"Tea\"\n+++"] {
            let text = format!("{blank}{block}\nText");
            assert_eq!(value(&text, "title").as_deref(), Some("Tea"), "{text:?}");
            assert_eq!(&text[end(&text)..], "\nText");
        }
    }
    assert_eq!(opt_out("\n---\ndupfind: ignore\n---\n"), ignored(""));
    assert_eq!(end("\n  ---\ntitle: Tea\n---\n"), 0);
}

#[test]
fn a_document_asks_not_to_be_compared() {
    for (block, reason) in [
        ("dupfind: ignore", ""),
        ("dupfind: ignore - legal text", "legal text"),
        ("dupfind: ignore -- legal text", "legal text"),
        ("dupfind: ignore \u{2014} 法律文本", "法律文本"),
        ("dupfind: ignore: legal text", "legal text"),
        ("dupfind: \"ignore: legal text\"  # why", "legal text"),
        ("dupfind: 'ignore - legal text'", "legal text"),
        ("dupfind : ignore # not compared", ""),
        ("dupfind: ignore - page a#b", "page a#b"),
        ("dupfind: skip", "skip"),
        ("dupfind: ignore-case", "ignore-case"),
        ("dupfind: [ignore]", ""),
        ("dupfind:\n  ignore - legal text  # why", "legal text"),
        (
            "dupfind: >-\n  ignore - legal\n\n  text\ntitle: x",
            "legal text",
        ),
        ("dupfind: |\n  ignore: legal #1", "legal #1"),
        ("dupfind: ignore - legal\n  text\n  a: b", "legal text"),
        ("\"dupfind\": \"ignore - legal text\"", "legal text"),
        ("'dupfind': >\n  legal text", "legal text"),
        ("title: x\ntags: [a]\ndupfind: ignore\nlayout: y", ""),
    ] {
        for end in ["---", "..."] {
            let text = format!("---\n{block}\n{end}\n\nThe page.\n");
            assert_eq!(opt_out(&text), ignored(reason), "{text}");
            let expected = ignored(reason);
            assert_eq!(opt_out(&text.replace('\n', "\r\n")), expected, "{text}");
        }
    }
    assert_eq!(opt_out("\u{feff}--- \ndupfind: ignore\n---"), ignored(""));
    for (block, reason) in [
        ("dupfind = \"ignore\"", ""),
        ("a = 1\ndupfind = 'ignore - legal text' # why", "legal text"),
        ("dupfind = true", "true"),
    ] {
        let text = format!("+++\n{block}\n+++\nThe page.\n");
        assert_eq!(opt_out(&text), ignored(reason), "{text}");
    }
    let json = "{\n  \"title\": \"x\",\n  \"dupfind\": \"ignore - legal text\"\n}\nThe page.\n";
    let short = json.replacen("\n ", "", 2).replacen('\n', "", 1);
    for text in [json.to_owned(), json.replace('\n', "\r\n"), short] {
        assert_eq!(opt_out(&text), ignored("legal text"), "{text}");
        assert_eq!(value(&text, "title").as_deref(), Some("x"));
        let expected = &text[text.find("The").unwrap()..];
        assert_eq!(text[end(&text)..].trim_start(), expected);
    }
}

#[test]
fn lists_are_read_as_yaml_and_toml_write_them() {
    for block in [
        "---\naliases:\n  - /a/\n  - \"/b c/\"  # old\nx: y\n---\n",
        "---\naliases:\n- /a/\n- '/b c/'\n---\n",
        "---\nx: y\naliases: [/a/, \"/b c/\"]\n---\n",
        "+++\naliases = [\"/a/\", '/b c/']\n+++\n",
        "{\n\"aliases\": [\"/a/\", \"/b c/\"]\n}\n",
    ] {
        assert_eq!(values(block, "aliases"), ["/a/", "/b c/"], "{block}");
    }
    let several = "---\naliases: [/a/,\n  /b c/]\n---\n";
    assert_eq!(values(several, "aliases"), ["/a/", "/b c/"]);
    assert_eq!(values("---\naliases: /a/\n---\n", "aliases"), ["/a/"]);
    assert_eq!(values("---\na: '[x] y'\n---\n", "a"), ["[x] y"]);
    for list in ["redirect_to:\n  - https://x.y/a", "'redirect_to': /a"] {
        assert!(
            FrontMatter::of(&format!("---\n{list}\n---\n")).leads_elsewhere(),
            "{list}"
        );
    }
    for none in ["---\naliases:\n---\n", "---\nx: y\n---\n", "aliases: [a]"] {
        assert!(values(none, "aliases").is_empty(), "{none}");
    }
}

#[test]
fn text_between_rules_is_no_front_matter() {
    for (text, is_front_matter) in [
        ("---\na: b\n---\n", true),
        ("---\na b\nc:\n---\n", true),
        ("---\n\"a b\": c\n---\n", true),
        ("---\n'a b' :\n...\n", true),
        ("---\na : b\n---\n", true),
        ("---\n  a:b: c\n---\n", true),
        ("---\n# a\n---\n", true),
        ("---\n---\n", true),
        ("---\na: b\n\n- c\n\n# d\n\n  e\n\nf g:\n---\n", true),
        ("---\nNote: a\n\nA sentence: b\n\nA sentence.\n---\n", false),
        ("+++\n[a]\n+++\n", true),
        ("+++\na=b\n+++\n", true),
        ("{\n\"a\": {\"b\": \"}\"}\n}\n", true),
        ("{\n\"a\": 1}", true),
        ("{\"a\": 1}\nText", true),
        ("{\n\"a\": 1\n} of text\n", false),
        ("{\n\"a\": 1\n", false),
        ("{\"a\": 1}\n{\"a\": 2}\n", false),
        (
            &format!("{{\"a\": 1}}\n{{\"a\": \"{}\"}}\n", "x".repeat(MOST)),
            false,
        ),
        ("{\"a\": 1}\n{{< b >}}\n{% c %}\n", true),
        ("{\n/* a */\n}\n", false),
        ("---\n\nSee [the docs] here.\n\n---\n", false),
        ("---\na=b\n---\n", false),
        ("---\nA sentence with one thing: this.\n---\n", false),
        ("---\n\"Quoted words\" and: more\n---\n", false),
        ("---\nhttps://a.b\n: a\n# a: b\n---\n", false),
        ("+++\nSee [the docs] here: there\n+++\n", false),
    ] {
        assert_eq!(end(text) > 0, is_front_matter, "{text}");
    }
}

#[test]
fn nothing_else_opts_out() {
    let long = "x: y\n".repeat(MOST);
    for text in [
        "dupfind: ignore\n",
        "---\ntitle: x\n---\n\ndupfind: ignore\n",
        // A rule across the page, not front matter: nothing closes it.
        "---\n\ndupfind: ignore\n",
        "--- a\ndupfind: ignore\n---\n",
        "----\ndupfind: ignore\n----\n",
        "---\nother:\n  dupfind: ignore\n---\n",
        "---\ndupfinder: ignore\n---\n",
        "---\ndupfind:ignore\n---\n",
        "---\n# dupfind: ignore\n---\n",
        "+++\n[extra]\ndupfind = \"ignore\"\n+++\n",
        "+++\nno TOML about dupfind\n+++\n",
        "+++\ndupfind = ignore\n+++\n",
        "---\ndupfind:\n  ignore: x\n---\n",
        "--",
        "",
        &format!("---\n{long}dupfind: ignore\n---\n"),
    ] {
        assert_eq!(opt_out(text), None, "{}", &text[..text.len().min(80)]);
    }
}

#[test]
fn lines_may_end_in_a_carriage_return() {
    for end in ["\n", "\r\n", "\r"] {
        let content = [
            "---",
            "title: secret",
            "tags:",
            "- a",
            "- b",
            "---",
            "Body.",
        ]
        .join(end);
        assert_eq!(
            content[FrontMatter::of(&content).end()..].trim_start(),
            "Body."
        );
        assert_eq!(value(&content, "title").as_deref(), Some("secret"));
        assert_eq!(values(&content, "tags"), ["a", "b"], "{end:?}");
    }
}

proptest! {
    #[test]
    fn any_text_opts_out_or_not(
        fence in "(---|\\+\\+\\+)\n",
        lines in prop::collection::vec("(dupfind ?[:=.]|  ignore[:=]|\"|'|#|[{>|-]|\\PC){0,12}", 0..8),
    ) {
        let text = format!("{fence}{}\n{fence}", lines.join("\n"));
        if let Some(reason) = opt_out(&text) {
            prop_assert!(reason.chars().count() <= KEPT && !reason.contains('\n'));
        }
    }
}
