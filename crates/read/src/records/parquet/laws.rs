//! Laws for all files of Parquet, and for damaged ones.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::copy::{RowWriter, widest};
use super::*;
use crate::records::Fields;

/// The values of a column in a group of rows: with the levels of each, if it has any.
enum Values<'v> {
    Text(&'v [&'v str]),
    Int32(&'v [i32]),
    Int64(&'v [i64]),
}

/// A column: its values, its definition and its repetition levels.
type Written<'v> = (Values<'v>, &'v [i16], &'v [i16]);

/// A file of columns, the same in so many groups of rows.
fn file(
    schema: &str,
    columns: &[Written<'_>],
    groups: usize,
    properties: WriterPropertiesBuilder,
) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message m {{ {schema} }}")).unwrap());
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties.build())).unwrap();
    for _ in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        for (values, definition, repetition) in columns {
            let mut column = group.next_column().unwrap().unwrap();
            let [definition, repetition] =
                [*definition, *repetition].map(|levels| (!levels.is_empty()).then_some(levels));
            match (column.untyped(), values) {
                (ColumnWriter::ByteArrayColumnWriter(writer), Values::Text(texts)) => {
                    let texts: Vec<ByteArray> = texts.iter().map(|&text| text.into()).collect();
                    writer.write_batch(&texts, definition, repetition)
                }
                (ColumnWriter::Int32ColumnWriter(writer), Values::Int32(numbers)) => {
                    writer.write_batch(numbers, definition, repetition)
                }
                (ColumnWriter::Int64ColumnWriter(writer), Values::Int64(numbers)) => {
                    writer.write_batch(numbers, definition, repetition)
                }
                _ => panic!("other values than the schema has"),
            }
            .unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

/// The content of a row.
type Seen = (u64, Result<(String, Option<String>), SkipReason>);

fn on_disk(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// The rows of a file, and the error at their end.
fn read(bytes: &[u8], fields: Fields) -> Result<(Vec<Seen>, Option<Refused>), Refused> {
    let file = on_disk(bytes);
    let settings = ReadOptions {
        max_filesize: 1000,
        fields,
        ..ReadOptions::default()
    };
    let mut seen = Vec::new();
    for rows in ParquetRows::open(file.path(), &settings)? {
        match rows {
            Ok(rows) => seen.extend(rows.into_iter().map(|Numbered { number, record, .. }| {
                let record = record.map(|record| {
                    let id = record.id.map(Cow::into_owned);
                    (record.text.into_owned(), id)
                });
                (number, record.map_err(|(reason, _)| reason))
            })),
            Err(refused) => return Ok((seen, Some(refused))),
        }
    }
    Ok((seen, None))
}

/// The texts and ids of a file where every row is a record.
fn records(bytes: &[u8], fields: Fields) -> Vec<(String, Option<String>)> {
    let (seen, failure) = read(bytes, fields).unwrap();
    assert_eq!(failure, None);
    let numbers: Vec<u64> = seen.iter().map(|&(number, _)| number).collect();
    assert_eq!(numbers, (1..=seen.len() as u64).collect::<Vec<_>>());
    seen.into_iter()
        .map(|(_, record)| record.unwrap())
        .collect()
}

const TEXTS: &str = "required binary text (STRING); required int64 id;";

/// Texts and ids, some texts more than once, in a way of writing them.
fn plain_file(properties: WriterPropertiesBuilder) -> Vec<u8> {
    let texts = [
        "the old park",
        "中文的句子",
        "the old park",
        "",
        "the old pond",
    ];
    let columns = [
        (Values::Text(&texts), &[][..], &[][..]),
        (Values::Int64(&[7, -1, i64::MAX, 7, 9]), &[], &[]),
    ];
    file(TEXTS, &columns, 2, properties)
}

fn ways() -> Vec<(String, WriterPropertiesBuilder)> {
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
    ];
    let encodings = [
        None,
        Some(Encoding::PLAIN),
        Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
        Some(Encoding::DELTA_BYTE_ARRAY),
    ];
    let mut ways = Vec::new();
    for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
        for codec in codecs {
            for encoding in encodings {
                let mut properties = WriterProperties::builder()
                    .set_writer_version(version)
                    .set_compression(codec)
                    .set_data_page_row_count_limit(2)
                    .set_write_batch_size(1);
                if let Some(encoding) = encoding {
                    properties = properties
                        .set_dictionary_enabled(false)
                        .set_column_encoding("text".into(), encoding);
                }
                ways.push((format!("{version:?} {codec:?} {encoding:?}"), properties));
            }
        }
    }
    ways
}

#[test]
fn names_lead_into_groups_and_through_lists_as_in_json() {
    let schema = "optional group meta { optional binary title (STRING); }
        optional group messages (LIST) { repeated group list { optional group element {
            optional binary content (STRING); required int32 size; } } }
        optional group tags (LIST) { repeated binary array (STRING); }
        required binary id; required binary meta.title (STRING);";
    // Two messages, one without content; no list; an empty one.
    let columns = [
        (Values::Text(&["T"][..]), &[2, 1, 0][..], &[][..]),
        (
            Values::Text(&["one", "two"]),
            &[4, 3, 4, 0, 1],
            &[0, 1, 1, 0, 0],
        ),
        (
            Values::Int32(&[1, 2, 3]),
            &[3, 3, 3, 0, 1],
            &[0, 1, 1, 0, 0],
        ),
        (Values::Text(&["x", "y"]), &[2, 2, 1, 0], &[0, 1, 0, 0]),
        (Values::Text(&["a", "b", "c"]), &[], &[]),
        (Values::Text(&["dot 1", "dot 2", "dot 3"]), &[], &[]),
    ];
    let bytes = file(schema, &columns, 1, WriterProperties::builder());
    let texts = |names: &[&str]| -> Vec<Option<String>> {
        let (seen, failure) = read(&bytes, Fields::named(names, Some("id"))).unwrap();
        assert_eq!(failure, None);
        let text = |(number, record): Seen| match record {
            Ok((text, id)) => {
                let at = usize::try_from(number).unwrap() - 1;
                assert_eq!(id.as_deref(), Some(["a", "b", "c"][at]));
                Some(text)
            }
            Err(reason) => {
                assert_eq!(reason, SkipReason::Malformed);
                None
            }
        };
        seen.into_iter().map(text).collect()
    };
    let some = |texts: [&str; 3]| texts.map(|text| (text != "-").then(|| text.to_owned()));
    assert_eq!(texts(&["messages.content"]), some(["one\ntwo", "-", "-"]));
    assert_eq!(texts(&["messages.size"]), some(["1\n2\n3", "-", "-"]));
    assert_eq!(texts(&["tags"]), some(["x\ny", "-", "-"]));
    let expected = some(["T\ndot 1\n\nx\ny", "dot 2", "dot 3"]);
    assert_eq!(texts(&["meta.title", "tags"]), expected);
    assert_eq!(texts(&["gone", "id"]), some(["a", "b", "c"]));
}

#[test]
fn whole_numbers_are_texts_and_other_values_are_not() {
    let schema = "required int32 a (UINT_32); required int64 b (UINT_64); required int32 c;
        required int32 day (DATE); required int64 at (TIMESTAMP_MILLIS);";
    let one = |values| (values, &[][..], &[][..]);
    let columns = [
        one(Values::Int32(&[-1])),
        one(Values::Int64(&[-1])),
        one(Values::Int32(&[-1])),
        one(Values::Int32(&[9])),
        one(Values::Int64(&[9])),
    ];
    let bytes = file(schema, &columns, 1, WriterProperties::builder());
    let all = records(&bytes, Fields::named(&["a", "b", "c", "day"], Some("at")));
    let text = "4294967295\n\n18446744073709551615\n\n-1";
    assert_eq!(all, [(text.to_owned(), None)]);
    let (reason, words) = read(&bytes, Fields::named(&["day"], None)).unwrap_err();
    assert_eq!(reason, SkipReason::Malformed);
    assert_eq!(words, "its column 'day' has no text in it");
}

#[test]
fn a_table_without_the_field_is_none_of_texts() {
    let bytes = plain_file(WriterProperties::builder());
    let (reason, words) = read(&bytes, Fields::named(&["body"], None)).unwrap_err();
    assert_eq!(reason, SkipReason::Malformed);
    assert_eq!(words, "it has no column 'body'; it has 'text', 'id'");
    let unasked = Fields {
        is_named: false,
        ..Fields::named(&["body"], None)
    };
    let (reason, words) = read(&bytes, unasked).unwrap_err();
    assert_eq!(reason, SkipReason::Binary);
    assert!(words.ends_with("it has 'text', 'id'"), "{words}");
}

#[test]
fn the_size_limit_is_for_a_row() {
    let long = "x".repeat(501);
    let (fits, over) = ("y".repeat(1000), "z".repeat(1001));
    let list = [long.as_str(), &long, "after", &over, &fits];
    let columns = [(Values::Text(&list), &[1; 5][..], &[0, 1, 0, 0, 0][..])];
    let schema = "repeated binary text (STRING);";
    let bytes = file(schema, &columns, 1, WriterProperties::builder());
    let (seen, failure) = read(&bytes, Fields::named(&["text"], None)).unwrap();
    assert_eq!(failure, None);
    let large = Err(SkipReason::TooLarge);
    let expected = [
        (1, large.clone()),
        (2, Ok(("after".to_owned(), None))),
        (3, large),
        (4, Ok((fits, None))),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn bytes_that_are_no_text_are_malformed_rows() {
    let bytes = plain_file(WriterProperties::builder().set_dictionary_enabled(false));
    let at = bytes
        .windows(8)
        .position(|part| part == b"old park")
        .unwrap();
    let mut bytes = bytes;
    bytes[at] = 0xff;
    let (seen, failure) = read(&bytes, Fields::named(&["text"], None)).unwrap();
    assert_eq!((seen.len(), failure), (10, None));
    assert_eq!(seen[0], (1, Err(SkipReason::Malformed)));
    assert!(seen[1..].iter().all(|(_, record)| record.is_ok()));
}

#[test]
fn a_damaged_footer_is_an_error() {
    let bytes = plain_file(WriterProperties::builder());
    let end = bytes.len();
    let with = |at: usize, part: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + part.len()].copy_from_slice(part);
        bytes
    };
    for bytes in [
        b"PAR1PAR1".to_vec(),
        bytes[..end - 1].to_vec(),
        with(end - 4, b"PARE"),
        with(end - 8, &[0xff; 4]),
        with(end - 8, &[9, 0, 0, 0]),
        with(end - 8, &[0; 4]),
    ] {
        let (reason, words) = read(&bytes, Fields::named(&["text"], None)).unwrap_err();
        assert_eq!(reason, SkipReason::Malformed);
        assert!(!words.is_empty());
    }
}

#[test]
fn a_damaged_byte_loses_rows_and_never_ends_the_program() {
    let bytes = plain_file(WriterProperties::builder());
    let mut contained = 0;
    for at in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] = 0;
        match read(&bytes, Fields::named(&["text"], Some("id"))) {
            Ok((seen, None)) => assert!(seen.len() <= 10, "{at}"),
            Ok((_, Some((reason, words)))) | Err((reason, words)) => {
                assert_eq!(reason, SkipReason::Malformed, "{at}: {words}");
                // The crate panicked.
                contained += u32::from(words.contains("is damaged;"));
            }
        }
    }
    assert!(contained > 0);
}

/// The file of some rows of a file and of the same file again.
fn copied_twice(file: &Path, is_copied: impl Fn(u64) -> bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = RowWriter::like(file, &mut out).unwrap();
    for _ in 0..2 {
        assert_eq!(writer.copy(file, &is_copied).unwrap(), 10);
    }
    writer.finish().unwrap();
    out
}

#[test]
fn rows_are_read_and_copied_however_they_are_written() {
    let one = [
        ("the old park", "7"),
        ("中文的句子", "-1"),
        ("the old park", "9223372036854775807"),
        ("", "7"),
        ("the old pond", "9"),
    ];
    let twice = one.iter().chain(&one);
    let written = twice.map(|&(text, id)| (text.to_owned(), Some(id.to_owned())));
    let written: Vec<_> = written.collect();
    for (way, properties) in ways() {
        let bytes = plain_file(properties);
        let all = records(&bytes, Fields::named(&["text"], Some("id")));
        assert_eq!(all, written, "{way}");
        for is_copied in [
            |_: u64| true,
            |_| false,
            |row| row % 3 == 1,
            |row| row > 5,
            |row| row == 2,
        ] {
            let numbered = (1..).zip(all.iter().chain(&all));
            let expected = numbered.filter(|&(number, _)| is_copied((number - 1) % 10 + 1));
            let expected: Vec<_> = expected.map(|(_, record)| record.clone()).collect();
            let file = on_disk(&bytes);
            let copied = copied_twice(file.path(), is_copied);
            let found = records(&copied, Fields::named(&["text"], Some("id")));
            assert_eq!(found, expected, "{way}");
            let copied = on_disk(&copied);
            let [old, new] = [file.path(), copied.path()].map(|path| {
                let groups = open(path).unwrap().metadata().row_groups().to_vec();
                groups.first().map(|group| group.column(0).compression())
            });
            assert!(new.is_none() || new == old, "{way}");
            assert_eq!(widest(&[file.path(), copied.path()]).unwrap(), Ok(0));
        }
    }
}
