//! The options of reading that an index depends on.

use encoding_rs::Encoding;

use dupfind_read::ReadOptions;

/// Returns the options that decide which text of a document counts, as lines `name=value`.
pub(crate) fn reading_of_texts(options: &ReadOptions) -> String {
    let (html, code) = (options.extract.html.as_str(), options.extract.code());
    format!("html={html}\nmarkdown_code={code}\n")
}

/// Returns the options that decide which text of a file is read, as lines `name=value`.
pub(crate) fn reading(options: &ReadOptions) -> String {
    let encoding = options.encoding.map_or("auto", Encoding::name);
    let fields = &options.fields;
    let values = [
        ("record_format", options.record_format.as_str().to_owned()),
        ("encoding", encoding.to_owned()),
        ("text_field", format!("{:?}", fields.text.join(","))),
        (
            "id_field",
            format!("{:?}", fields.id.as_deref().unwrap_or_default()),
        ),
        ("max_filesize", options.max_filesize.to_string()),
    ];
    let lines = values
        .iter()
        .map(|(name, value)| format!("{name}={value}\n"));
    reading_of_texts(options) + &lines.collect::<String>()
}
