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
