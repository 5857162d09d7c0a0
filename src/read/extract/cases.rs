//! Tables of sources and their texts.

use std::borrow::Cow;

use crate::read::extract::{ExtractOptions, extract};
use crate::read::format::Format;

/// Takes a format, whether code blocks are left out, and sources with the texts they have. White space at the ends
/// of lines does not matter.
#[track_caller]
pub(super) fn check(format: Format, skips_code: bool, cases: &[(&str, &str)]) {
    let settings = ExtractOptions {
        skips_code,
        ..ExtractOptions::default()
    };
    for (source, expected) in cases {
        let text: Cow<'_, str> = extract(source, format, &settings);
        let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
        assert_eq!(lines.join("\n"), *expected, "{source}");
    }
}
