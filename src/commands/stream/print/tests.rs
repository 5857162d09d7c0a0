use super::*;

fn printed(form: Form, content: &[u8], seen: Option<(u32, u32)>, is_duplicate: bool) -> String {
    let line = Line {
        number: 7,
        content: Ok(content),
        end: b"\r\n",
    };
    let verdict = RecordVerdict { seen, is_duplicate };
    let mut out = Vec::new();
    form.print(line, Some("a\"}"), verdict, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn records_stay_as_they_are() {
    let record = br#"{"n":1.0e2,"text":"\u4e2d}"} "#;
    assert_eq!(
        printed(Form::Judged, record, Some((2, 3)), true),
        "{\"n\":1.0e2,\"text\":\"\\u4e2d}\",\"seen\":0.6666,\"duplicate\":true} \n"
    );
    assert_eq!(
        printed(Form::Verdict, record, None, false),
        "{\"line\":7,\"id\":\"a\\\"}\",\"seen\":null,\"duplicate\":false}\n"
    );
    assert_eq!(printed(Form::New, b"{ }", Some((9, 9)), false), "{ }\r\n");
    assert_eq!(printed(Form::New, b"{ }", Some((9, 9)), true), "");
}

#[test]
fn keys_of_the_verdict_are_written_once() {
    let record =
        br#"{"seen":1, "n": 1.0e2,"text":"a \"seen\"", "duplicate":{"seen":2},"\u00e9":[ ]}"#;
    assert_eq!(
        printed(Form::Judged, record, Some((1, 2)), false),
        "{\"n\":1.0e2,\"text\":\"a \\\"seen\\\"\",\"\\u00e9\":[ ],\"seen\":0.5000,\"duplicate\":false}\n"
    );
    let record = br#"{"te\u0078t":"a","s\u0065en":1,"\u0064uplicate":true,"b":"\u00e9"}"#;
    assert_eq!(
        printed(Form::Judged, record, None, true),
        "{\"te\\u0078t\":\"a\",\"b\":\"\\u00e9\",\"seen\":null,\"duplicate\":true}\n"
    );
    for record in [&b"{ }"[..], br#"{"seen":1}"#] {
        let printed = printed(Form::Judged, record, None, false);
        let value: serde_json::Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(value, serde_json::json!({"seen": null, "duplicate": false}));
    }
    let record = br#"{"text":"the duplicate was seen"}"#;
    assert_eq!(
        printed(Form::Judged, record, None, false),
        "{\"text\":\"the duplicate was seen\",\"seen\":null,\"duplicate\":false}\n"
    );
}

#[test]
fn shares_are_rounded_down() {
    for (seen, share) in [
        (Some((0, 5)), "0.0000"),
        (Some((99_999, 100_000)), "0.9999"),
        (Some((5, 5)), "1.0000"),
        (Some((u32::MAX, u32::MAX)), "1.0000"),
        (None, "null"),
    ] {
        let verdict = RecordVerdict {
            seen,
            is_duplicate: false,
        };
        assert_eq!(verdict.share(), share);
    }
}
