use super::*;
use crate::table::table;

#[test]
fn text_and_id_of_a_record() {
    let wanted = Fields::named(&["text"], Some("id"));
    for [line, text, id] in table(
        r#"{"id":"a","text":"hello"}     | hello     | a
           {"text":"x\u000ay","meta":{"text":1,"k":[1,2]},"id":17} | x\ny | 17
           {"text":"\u4e2d文"}            | 中文      |
           {"text":"no id","id":null}    | no id     |
           {"text":5}                    | 5         |
           {"text":["a",["b"],null,1.5,{"type":"text","text":"part"},{"link":{"url":"x"}},"c"]} | a\nb\n1.5\npart\nx\nc |
           {"text":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}},{"text":"data: a;base64"}]} | 0011bd21a3cebeb8\ndata: a;base64 |
           {"x":NaN,"text":"NaN is \"NaN\"","id":-Infinity,"y":[Infinity,-1]} | NaN is "NaN" |
           {"scores":{"loss":[NaN,NaN , -Infinity],"of":{}},"text":"behind others"} | behind others |
           {"text":"before it, \\","loss":NaN} | before it, \ |
           {"text":"\ud83d\ude00 \ud83d \\ud83d \ude00\u000a\ud83d"} | 😀 � \ud83d �\n� |"#,
    ) {
        let record = parse(line.as_bytes(), &wanted).unwrap();
        assert_eq!(record.text.as_ref(), text, "{line}");
        assert_eq!(record.id.as_deref().unwrap_or_default(), id, "{line}");
    }
    let marked = parse("\u{feff}{\"text\":\"bom\"} ".as_bytes(), &wanted);
    assert_eq!(marked.unwrap().text, "bom");
    // A record that is cut off in an escape is none.
    for cut in [
        &br#"{"text":"\ud8"#[..],
        br#"{"text":"\ud83"#,
        br#"{"text":"\"#,
    ] {
        assert_eq!(without_python(cut), None);
    }
    let same = parse(br#"{"t":"x"}"#, &Fields::named(&["t"], Some("t"))).unwrap();
    assert_eq!(same.id.as_deref(), Some("x"));
}

#[test]
fn an_id_is_as_it_is_written() {
    let wanted = Fields::named(&["text"], Some("id"));
    let same = "12345678901234567890123 -99999999999999999999 7.5 7.50 1E3 -0 true false";
    let same = same.split(' ').map(|id| (id, Some(id)));
    for (id, expected) in same.chain([
        (r#""a\u0062""#, Some("ab")),
        (" 8 ", Some("8")),
        ("null", None),
        ("[1]", None),
        (r#"{"id":1}"#, None),
    ]) {
        let line = format!(r#"{{"id":{id},"text":"x"}}"#);
        let record = parse(line.as_bytes(), &wanted).unwrap();
        assert_eq!(record.id.as_deref(), expected, "{line}");
    }
    // In a field that is the text too, and behind one that is no id.
    for (line, text, id) in [
        (r#"{"t":7.5,"x":"y"}"#, "7.5\n\ny", Some("7.5")),
        (r#"{"t":["a","b"]}"#, "a\nb", None),
        (r#"{"t":{"s":"deep"}}"#, "deep\n\ndeep", None),
        (r#"{"t":null,"t":"late"}"#, "late", Some("late")),
        (r#"{"t":"early","t":"late"}"#, "late", Some("late")),
    ] {
        let record = parse(
            line.as_bytes(),
            &Fields::named(&["t", "t.s", "x"], Some("t")),
        )
        .unwrap();
        assert_eq!((&*record.text, record.id.as_deref()), (text, id), "{line}");
    }
    for open in ["[", "{\"id\":"] {
        let deep = format!("{{\"text\":\"x\",\"id\":{}", open.repeat(1 << 20));
        assert!(parse(deep.as_bytes(), &wanted).is_err());
    }
    for bad in ["01", "1.", "tru", "nan"] {
        let line = format!(r#"{{"id":{bad},"text":"x"}}"#);
        assert!(parse(line.as_bytes(), &wanted).is_err(), "{line}");
    }
}

#[test]
fn names_lead_into_objects_and_through_lists() {
    let line = r#"{"messages":[{"role":"a","content":"one"},{"content":"two"},3],
        "meta":{"title":"T","a.b":{"c":"deep"},"id":{"n":7}},"meta.title":"literal","x":"y",
        "calls":[{"content":"hm"},{"content":null,"tool_calls":[{"type":"function","arguments":"Paris"}]}],
        "chat":[{"content":"be kind"},{"content":[{"type":"text","text":"hello"},{"type":"image","url":"no"},{"type":"text","text":"there"}]}]}"#;
    for [names, id, text] in table(
        r"messages.content            | x         | one\ntwo
          meta.title messages.content | x         | T\nliteral\n\none\ntwo
          meta.a.b.c                  | x         | deep
          calls.content               | x         | hm\nParis
          chat.content                | x         | be kind\nhello\n9d08fc5ab702aae8\nthere
          gone x                      | meta.id.n | y
          meta.a meta.title           | meta.id.n | T\nliteral",
    ) {
        let names: Vec<&str> = names.split(' ').collect();
        let record = parse(line.as_bytes(), &Fields::named(&names, Some(id))).unwrap();
        assert_eq!(record.text, text, "{names:?}");
        let expected = if id == "x" { "y" } else { "7" };
        assert_eq!(record.id.as_deref(), Some(expected));
    }
}

/// A picture, a call, or a thought. `W` in it makes one record of two.
const BESIDE: &str = r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBOW"}}
{"type":"image_url","image_url":{"url":"https://example.org/W.png"}}
{"type":"image","source":{"type":"base64","data":"iVBORw0KGgoiVBORw0KGgoW"}}
{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgoiVBORw0KGgoW"}}
{"image":"photos/W.png"}
{"type":"file","file":{"file_id":"W"}}
null,"tool_calls":[{"type":"function","function":{"name":"x","arguments":"W"}}]
null,"function_call":{"name":"x","arguments":"W"}
null,"reasoning_content":"W"
null,"thinking":"W"
null,"refusal":"W""#;

#[test]
fn what_is_beside_the_text_of_a_message_counts() {
    for beside in BESIDE.lines() {
        let content = match beside.starts_with('{') {
            true => format!(r#"[{beside},{{"type":"text","text":"y"}}]"#),
            false => beside.to_owned(),
        };
        for field in ["messages", "messages.content"] {
            let text = |w: &str| {
                let line = format!(
                    r#"{{"messages":[{{"content":{}}}]}}"#,
                    content.replace('W', w)
                );
                let record = parse(line.as_bytes(), &Fields::named(&[field], None)).unwrap();
                record.text.into_owned()
            };
            assert_eq!(text("w1"), text("w1"));
            assert_ne!(text("w1"), text("w2"), "{field}: {beside}");
        }
    }
}

#[test]
fn one_field_without_escapes_is_not_copied() {
    let record = parse(br#"{"a":"plain"}"#, &Fields::named(&["a"], None)).unwrap();
    assert!(matches!(record.text, Cow::Borrowed("plain")));
}

#[test]
fn faults_of_records_are_named() {
    for (line, part) in [
        ("{\"id\":1}", "no field 'text'"),
        ("{\"text\":[{}]}", "no field 'text'"),
        ("{\"text\":\"a\"", "EOF"),
        ("[1,2]", "an object"),
        ("{\"text\":\"a\"} x", "trailing"),
        ("not json", "expected"),
    ] {
        let error = parse(line.as_bytes(), &Fields::default()).unwrap_err();
        assert!(error.contains(part), "{line}: {error}");
    }
    let none = parse(b"{}", &Fields::named(&["a", "b"], None)).unwrap_err();
    assert!(none.contains("no field 'a' or 'b'"), "{none}");
    assert!(parse(b"{\"text\":\"\xff\"}", &Fields::default()).is_err());
    let quoted = format!("\"{}\"", "long ".repeat(10_000));
    let error = parse(quoted.as_bytes(), &Fields::default()).unwrap_err();
    assert!(error.len() <= 200, "{}", error.len());
    let deep = format!(
        "{{\"text\":{}{}}}",
        "[".repeat(1 << 20),
        "]".repeat(1 << 20)
    );
    let error = parse(deep.as_bytes(), &Fields::default()).unwrap_err();
    assert!(error.contains("recursion limit"), "{error}");
}

#[test]
fn an_element_is_a_record_if_it_has_the_field() {
    let wanted = Fields::default();
    assert_eq!(probe(br#"{"text":null}"#, &wanted), Ok(()));
    let names = vec!["id".to_owned(), "body".to_owned()];
    assert_eq!(probe(br#"{"id":1,"body":{}}"#, &wanted), Err(Some(names)));
    assert_eq!(probe(br#"{"a":NaN,"text":"x"}"#, &wanted), Ok(()));
    for other in [&b"[1]"[..], b"\"text\"", b"{", b"{NaN"] {
        assert_eq!(probe(other, &wanted), Err(None));
    }
}
