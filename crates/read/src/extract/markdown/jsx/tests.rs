use super::*;

#[test]
fn tags_end_behind_quotes_and_braces() {
    for (text, tag_of) in [
        ("<Tabs>text", Some("<Tabs>")),
        ("</Tabs.Item>text", Some("</Tabs.Item>")),
        ("<>text", Some("<>")),
        ("</>text", Some("</>")),
        (
            "<A b=\">\" c={{d: '>', e: \">\"}} f={x => `}`}/>text",
            Some("<A b=\">\" c={{d: '>', e: \">\"}} f={x => `}`}/>"),
        ),
        ("<A\n  b={[\n\n  ]}\n>text", Some("<A\n  b={[\n\n  ]}\n>")),
        ("<A b\n\n>", None),
        ("<A <B>", None),
        ("<A b={", None),
        ("< A>", None),
        ("<https://x>", None),
        ("<1>", None),
        ("<", None),
    ] {
        let found = tag(text, 0).ok().map(|tag| &text[..tag.end]);
        assert_eq!(found, tag_of, "{text}");
    }
    let is_component = |text| tag(text, 0).unwrap().is_component;
    assert!(is_component("<Tabs a>") && is_component("</>") && is_component("<motion.div>"));
    assert!(!is_component("<div>") && !is_component("</p>"));
}

#[test]
fn expressions_end_with_their_brace() {
    for (text, end) in [
        ("{a}b", Some(3)),
        ("{f({x: '}'})} b", Some(13)),
        ("{/* it's } */} b", Some(14)),
        ("{/* it's }", None),
        ("{`a ${f(`}`, '}')} b`}", Some(22)),
        ("{<p>it's {x}</p>}", Some(17)),
        ("{`\n\n}\n`}", Some(8)),
        ("{`a}", None),
        ("{", None),
    ] {
        assert_eq!(expression(text, 0).ok(), end, "{text}");
    }
    assert_eq!(literal("{' 文 '}"), Some(" 文 "));
    assert_eq!(literal("{a}"), None);
    assert_eq!(literal("{'a' + 'b'}"), None);
}

#[test]
fn attributes_that_are_shown_are_on_their_lines() {
    for (text, pieces) in [
        (
            "<A title=\"标题\" href='no' label={'x'} alt={`y`} />",
            &["标题", "x", "y"][..],
        ),
        (
            "<A\n  title=\"a\n    b\"\n  x={{title: \"no\"}} {...title}\n>",
            &["a", "b"],
        ),
        ("<A caption={`a ${b + `no`} c`}>", &[]),
        (
            "<A title={a} label={'a' + b} summary alt=no data-title=\"no\">",
            &[],
        ),
        ("<img alt={\"a\"} title=\"no\" src={b}/>", &["a"]),
        ("<A 中 \\文 label=\"b\" \\中文>", &["b"]),
        ("</A>", &[]),
        ("<>", &[]),
    ] {
        let found = tag(text, 0).unwrap().shown;
        let found = found.iter().map(|&(at, piece)| {
            assert!(text[at..].starts_with(piece), "{text}");
            piece
        });
        assert_eq!(found.collect::<Vec<_>>(), pieces, "{text}");
    }
}
