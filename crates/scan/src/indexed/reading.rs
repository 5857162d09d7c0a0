//! The options of reading that an index depends on.

use encoding_rs::Encoding;

use dupfind_read::ReadOptions;

/// Returns the options that decide which text of a document counts, as lines `name=value`.
pub(crate) fn reading_of_texts(options: &ReadOptions) -> String {
    format!("web_part={}\n", options.web_part.as_str())
}

/// Returns the options that decide which text of a file is read, as lines `name=value`.
pub(crate) fn reading(options: &ReadOptions) -> String {
    let encoding = options.encoding.map_or("auto", Encoding::name);
    let fields = &options.fields;
    let values = [
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
