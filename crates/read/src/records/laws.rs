//! What holds for all files of records, however they are written and wherever a batch ends.

use std::io::{self, Cursor, Read};

use encoding_rs::{BIG5, GB18030, WINDOWS_1252};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::format::Format;
use crate::records::array::Elements;
use crate::records::encoding::Source;
use crate::records::lines::Lines;
use crate::records::pieces::{Cut, Numbering, Piece, Pieces};
use crate::records::table::Rows;

/// The content of a record.
type Seen = (
    u64,
    (u64, u64),
    Result<(String, Option<String>), SkipReason>,
);

fn settings(limit: u64) -> ReadOptions {
    ReadOptions {
        max_filesize: limit,
        fields: Fields {
            id: Some("id".into()),
            ..Fields::default()
        },
        ..ReadOptions::default()
    }
}

/// Records, and what ended them.
type Ended = (Vec<Seen>, Option<Refused>);

/// Reads bytes in batches of a size. Returns the records, and what ended them.
fn read(
    bytes: &[u8],
    format: Format,
    settings: &ReadOptions,
    batch: Option<usize>,
) -> Result<Option<Ended>, Refused> {
    let source: Source = Box::new(Cursor::new(bytes.to_vec()));
    let size = batch.unwrap_or(BATCH_BYTES);
    let Some(batches) = Stream::read(source, format, settings, size)? else {
        return Ok(None);
    };
    let mut seen = Vec::new();
    for batch in batches {
        let batch = match batch {
            Ok(batch) => batch,
            Err(error) => return Ok(Some((seen, Some(error)))),
        };
        for Numbered {
            number,
            lines,
            record,
        } in batch.records(&settings.fields)
        {
            let record = record.map(|Record { text, id }| (text.into_owned(), id.map(Into::into)));
            seen.push((number, lines, record.map_err(|(reason, _)| reason)));
        }
    }
    Ok(Some((seen, None)))
}

/// The same of bytes that are a file of records.
fn read_records(
    bytes: &[u8],
    format: Format,
    settings: &ReadOptions,
    batch: Option<usize>,
) -> Ended {
    let records = read(bytes, format, settings, batch);
    records.unwrap().expect("a file of records")
}

fn texts(bytes: &[u8], format: Format) -> Vec<String> {
    let (seen, failure) = read_records(bytes, format, &settings(1 << 20), None);
    assert_eq!(failure, None);
    let texts = seen.into_iter().map(|(.., record)| record.unwrap().0);
    texts.collect()
}

/// The line of a piece and what it holds.
type Held = (u64, Option<Vec<u8>>);

/// The pieces that bytes are cut into, with what they hold, in batches of a size.
fn cut(bytes: &[u8], cut: impl Cut + 'static, limit: u64, size: usize) -> (Vec<Held>, bool) {
    let pieces = Pieces::new(bytes, Box::new(cut), Numbering::Line, limit, size);
    let mut found = Vec::new();
    for batch in pieces {
        let Ok(batch) = batch else {
            return (found, true);
        };
        let content = |piece: &Piece| (piece.lines.0, batch.content(piece).map(<[u8]>::to_vec));
        found.extend(batch.pieces.iter().map(content));
    }
    (found, false)
}

#[test]
fn the_same_records_from_every_format() {
    let lines = "{\"id\":1,\"text\":\"one\"}\n\n{\"text\":\"two\\nlines\",\"id\":\"b\"}\n";
    let array =
        "\u{feff} [\n{\"id\":1,\"text\":\"one\"}\n,{\"text\":\"two\\nlines\",\"id\":\"b\"} ]\n";
    let commas = "\u{feff}id,text,more\r\n1,one,x\r\n\r\nb,\"two\nlines\"\r\n";
    let [semicolons, csv_tabs] = [";", "\t"].map(|delimiter| commas.replace(',', delimiter));
    let tabs = "text\t id \none\t1\ntwo\nlines\tb\n".replace("two\nlines", "\"two\nlines\"");
    for (bytes, format, places) in [
        (lines, Format::JsonLines, [(1, 1, 1), (3, 3, 3)]),
        (array, Format::Json, [(1, 2, 2), (2, 3, 3)]),
        (commas, Format::Csv, [(2, 2, 2), (4, 4, 5)]),
        (&semicolons, Format::Csv, [(2, 2, 2), (4, 4, 5)]),
        (&csv_tabs, Format::Csv, [(2, 2, 2), (4, 4, 5)]),
        (&tabs, Format::Tsv, [(2, 2, 2), (3, 3, 4)]),
    ] {
        for size in [Some(1), Some(7), None] {
            let (seen, failure) = read_records(bytes.as_bytes(), format, &settings(99), size);
            let record = |at: usize, text: &str, id: &str| {
                let (number, first, last) = places[at];
                (
                    number,
                    (first, last),
                    Ok((text.to_owned(), Some(id.to_owned()))),
                )
            };
            let expected = [record(0, "one", "1"), record(1, "two\nlines", "b")];
            assert_eq!((seen.as_slice(), failure), (&expected[..], None), "{bytes}");
        }
    }
}

#[test]
fn what_is_no_file_of_records_is_a_document() {
    let named = |is_named| ReadOptions {
        fields: Fields {
            is_named,
            ..Fields::default()
        },
        ..ReadOptions::default()
    };
    for (bytes, format, part) in [
        ("", Format::Json, "no array of objects with a field 'text'"),
        ("[]", Format::Json, "no array of objects"),
        ("[1, 2]", Format::Json, "no array of objects"),
        (r#"{"text":"a"}"#, Format::Json, "no array of objects"),
        ("[[[[[[", Format::Json, "no array of objects"),
        (
            r#"[{"id":1,"body":"x"}]"#,
            Format::Json,
            "no field 'text'; it has 'id', 'body'",
        ),
        ("", Format::Csv, "no column 'text'; it has nothing"),
        (
            "a;b,c\n1;2,3",
            Format::Csv,
            "no column 'text'; it has 'a', 'b,c'",
        ),
        (
            "a,text\n1,2",
            Format::Tsv,
            "no column 'text'; it has 'a,text'",
        ),
    ] {
        let of = |is_named| read(bytes.as_bytes(), format, &named(is_named), None);
        assert_eq!(of(false), Ok(None), "{bytes}");
        let (reason, words) = of(true).unwrap_err();
        assert_eq!(reason, SkipReason::Malformed);
        assert!(words.contains(part), "{bytes}: {words}");
    }
    assert_eq!(
        read(b"\x89PNG\0", Format::Csv, &named(false), None),
        Ok(None)
    );
}

#[test]
fn what_is_wrong_in_the_middle_leaves_what_stands_before() {
    for (bytes, format, count, part) in [
        (
            "[{`a`},⏎{`b`} {`c`}]",
            Format::Json,
            2,
            "line 2: a comma is missing",
        ),
        (
            "[{`a`},⏎{`b`",
            Format::Json,
            1,
            "line 2: the array is not closed",
        ),
        ("[{`a`}", Format::Json, 1, "line 1: the array is not closed"),
        ("[{`a`},]", Format::Json, 1, "an element is missing"),
        (
            "[{`a`}]⏎[",
            Format::Json,
            1,
            "line 2: something follows the array",
        ),
        (
            "text⏎a⏎\"b⏎c⏎d",
            Format::Csv,
            1,
            "line 3: a quotation mark is not closed",
        ),
    ] {
        // `a` represents a field with this text.
        let bytes = bytes
            .replace("{`", "{\"text\":\"")
            .replace('`', "\"")
            .replace('⏎', "\n");
        for size in [Some(1), None] {
            let (seen, failure) = read_records(bytes.as_bytes(), format, &settings(99), size);
            let (reason, words) = failure.unwrap();
            assert_eq!(
                (seen.len(), reason),
                (count, SkipReason::Malformed),
                "{bytes}"
            );
            assert!(words.contains(part), "{bytes}: {words}");
        }
    }
    // What is wrong within a record is its own affair.
    let bytes = b"[{\"text\":\"a\"},7,{\"text\":tru},{\"text\":\"\xff\"},{\"text\":\"z\"}]";
    let (seen, failure) = read_records(bytes, Format::Json, &settings(99), None);
    let is_read: Vec<bool> = seen.iter().map(|(.., record)| record.is_ok()).collect();
    assert_eq!(
        (is_read, failure),
        (vec![true, false, false, false, true], None)
    );
}

#[test]
fn rows_may_be_longer_or_shorter_than_the_header() {
    let table = b"id,text\n1,one,more\n2\n,three\n\"4\"x,\"f\"\"o\"\"ur\"\n5,\xff\n7,\n";
    let said = ReadOptions {
        encoding: Some(encoding_rs::UTF_8),
        ..settings(99)
    };
    let (seen, _) = read_records(table, Format::Csv, &said, None);
    let short: Vec<_> = seen
        .iter()
        .map(|(number, _, record)| match record {
            Ok((text, id)) => format!("{number} {text} {}", id.as_deref().unwrap_or("-")),
            Err(reason) => format!("{number} {}", reason.as_str()),
        })
        .collect();
    assert_eq!(
        short,
        [
            "2 one 1",
            "3 malformed",
            "4 three -",
            "5 f\"o\"ur 4x",
            "6 malformed",
            "7  7"
        ]
    );
}

#[test]
fn other_encodings_are_turned_into_utf8() {
    let text = "河边的老公园三十年前向市民开放，春天的早晨，跑步的人绕着湖边。";
    let rows = format!("id,text\n1,{text}\n");
    let array = json!([{ "id": 1, "text": text }]).to_string();
    let lines = format!("{{\"text\":\"{text}\"}}\n");
    for (written, format) in [
        (&rows, Format::Csv),
        (&array, Format::Json),
        (&lines, Format::JsonLines),
    ] {
        let (gb18030, ..) = GB18030.encode(written);
        let utf16: Vec<u8> = written.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let marked = [&[0xff, 0xfe], &*utf16].concat();
        for bytes in [&*gb18030, &utf16, &marked, written.as_bytes()] {
            assert_eq!(texts(bytes, format), [text]);
        }
    }
    // The choice of the user is not doubted.
    let (bytes, ..) = BIG5.encode("text\n公園\n");
    let said = ReadOptions {
        encoding: Some(BIG5),
        ..ReadOptions::default()
    };
    let (seen, _) = read_records(&bytes, Format::Csv, &said, None);
    assert_eq!(seen[0].2, Ok(("公園".into(), None)));
    // A single byte that means nothing is damage in JSON, and a letter in a table.
    let (bytes, ..) = WINDOWS_1252.encode("id,text\n1,caf\u{e9} au lait\n");
    assert_eq!(texts(&bytes, Format::Csv), ["café au lait"]);
    let damaged = b"{\"text\":\"caf\xe9 au lait\"}\n{\"text\":\"tea\"}";
    let (seen, _) = read_records(damaged, Format::JsonLines, &settings(99), None);
    assert_eq!(seen[0].2, Err(SkipReason::Malformed));
    assert!(seen[1].2.is_ok());
}

#[test]
fn a_character_cut_by_the_head_is_not_damage() {
    for shift in 0..4 {
        let filler = "x".repeat((64 << 10) - 9 + shift);
        let lines = format!("{{\"text\":\"{filler}中文\"}}\n{{\"text\":\"末尾\"}}\n");
        assert_eq!(texts(lines.as_bytes(), Format::JsonLines)[1], "末尾");
    }
}

#[test]
fn records_beyond_the_limit_are_passed_over() {
    let long = "x".repeat(3000);
    for (bytes, format) in [
        (
            format!("{{\"text\":\"a\"}}\n{{\"text\":\"{long}\"}}\n{{\"text\":\"b\"}}"),
            Format::JsonLines,
        ),
        (
            format!("[{{\"text\":\"a\"}},{{\"text\":\"{long}\"}},{{\"text\":\"b\"}}]"),
            Format::Json,
        ),
        (format!("text\na\n\"{long}\n\n\"\nb"), Format::Csv),
    ] {
        for size in [Some(1), Some(100), Some(2999), None] {
            let (seen, failure) = read_records(bytes.as_bytes(), format, &settings(50), size);
            let words: Vec<_> = seen
                .iter()
                .map(|(.., record)| {
                    record
                        .as_ref()
                        .map_or_else(|reason| reason.as_str(), |(text, _)| text)
                })
                .collect();
            assert_eq!(
                (words, failure),
                (vec!["a", "too large", "b"], None),
                "{format:?} {size:?}"
            );
        }
    }
}

#[test]
fn a_record_without_end_is_given_up() {
    let endless = io::repeat(b' ').take(3 << 30);
    let mut pieces = Pieces::new(endless, Box::new(Lines), Numbering::Line, 99, BATCH_BYTES);
    let error = pieces.next().unwrap().unwrap_err();
    assert!(
        error.to_string().contains("line 1: a record without end"),
        "{error}"
    );
    assert!(pieces.next().is_none());
}

#[test]
fn nothing_is_too_deep() {
    let deep = format!(
        "[{{\"text\":\"a\"}},{},{{\"text\":\"b\"}}]",
        "[".repeat(99_999) + &"]".repeat(99_999)
    );
    let (seen, failure) = read_records(deep.as_bytes(), Format::Json, &settings(1 << 20), None);
    let is_read: Vec<bool> = seen.iter().map(|(.., record)| record.is_ok()).collect();
    assert_eq!((is_read, failure), (vec![true, false, true], None));
}

/// White space of JSON.
fn space() -> impl Strategy<Value = String> {
    "[ \n\r\t]{0,3}"
}

/// Any JSON, not too deep.
fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|value| json!(value)),
        any::<i32>().prop_map(|value| json!(value)),
        "[\\\\\"{}\\[\\],: a中\n]{0,8}".prop_map(|value| json!(value)),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::Array),
            prop::collection::hash_map("[\"\\\\{a]{0,3}", inner, 0..4)
                .prop_map(|map| map.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn elements_are_those_that_serde_json_finds(
        values in prop::collection::vec((value(), space(), space()), 0..9),
        size in 1_usize..60,
    ) {
        let written: Vec<String> = values.iter().map(|(value, a, b)| format!("{a}{value}{b}")).collect();
        let array = format!(" [{} ]\n", written.join(","));
        let (found, is_broken) = cut(array.as_bytes(), Elements::default(), 1 << 20, size);
        prop_assert!(!is_broken);
        let parsed: Vec<serde_json::Value> = found
            .iter()
            .map(|(_, bytes)| serde_json::from_slice(bytes.as_ref().unwrap()).unwrap())
            .collect();
        let values: Vec<serde_json::Value> = values.into_iter().map(|(value, ..)| value).collect();
        prop_assert_eq!(parsed, values);
    }

    #[test]
    fn rows_are_those_that_the_csv_crate_finds(
        bytes in "([,;ab\" ]|\"\"|\n){0,60}",
        size in 1_usize..20,
    ) {
        let (found, is_broken) = cut(bytes.as_bytes(), Rows::new(b','), 1 << 20, size);
        // Which goes on to the end of the file.
        prop_assume!(!is_broken);
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .terminator(csv::Terminator::Any(b'\n'))
            .from_reader(bytes.as_bytes());
        // Blank rows count for nothing, whoever finds them.
        let is_blank = |row: &csv::ByteRecord| row.len() == 1 && row[0].trim_ascii().is_empty();
        let mut rows: Vec<csv::ByteRecord> = reader.byte_records().map(Result::unwrap).collect();
        rows.retain(|row| !is_blank(row));
        let cells = |(_, row): (u64, Option<Vec<u8>>)| {
            table::cells(&row.unwrap(), b',').iter().collect::<csv::ByteRecord>()
        };
        let mut found: Vec<csv::ByteRecord> = found.into_iter().map(cells).collect();
        found.retain(|row| !is_blank(row));
        prop_assert_eq!(found, rows);
    }

    #[test]
    fn records_come_back_however_they_are_written(
        records in prop::collection::vec(("[a-z,;\"\n中 ]{0,12}", 0..99_u32, space()), 1..12),
        size in 1_usize..80,
    ) {
        let expected: Vec<(String, Option<String>)> = records
            .iter()
            .map(|(text, id, _)| (text.clone(), Some(id.to_string())))
            .collect();
        let of = |bytes: &[u8], format| {
            let (seen, failure) = read_records(bytes, format, &settings(1 << 20), Some(size));
            assert_eq!(failure, None);
            seen.into_iter().map(|(.., record)| record.unwrap()).collect::<Vec<_>>()
        };
        let objects: Vec<String> = records
            .iter()
            .map(|(text, id, space)| format!("{space}{}{space}", json!({ "text": text, "id": id })))
            .collect();
        let array = format!("[{}]", objects.join(","));
        prop_assert_eq!(&of(array.as_bytes(), Format::Json), &expected);
        let lines: String = objects.iter().map(|object| object.replace(['\n', '\r'], " ") + "\n").collect();
        prop_assert_eq!(&of(lines.as_bytes(), Format::JsonLines), &expected);
        for (format, delimiter) in [(Format::Csv, b','), (Format::Csv, b';'), (Format::Tsv, b'\t')] {
            let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
            writer.write_record(["id", "text", "more"]).unwrap();
            for (text, id, space) in &records {
                writer.write_record([&id.to_string(), text, space]).unwrap();
            }
            let bytes = writer.into_inner().unwrap();
            prop_assert_eq!(&of(&bytes, format), &expected);
        }
    }

    #[test]
    fn lines_are_cut_anywhere(lines in prop::collection::vec("[a-z]{0,9}", 0..40), size in 1_usize..30) {
        let content = lines.join("\n");
        let (found, _) = cut(content.as_bytes(), Lines, 1 << 20, size);
        let expected: Vec<(u64, Option<Vec<u8>>)> = (1..)
            .zip(content.split('\n'))
            .filter(|(_, line)| !line.is_empty())
            .map(|(n, line)| (n, Some(line.as_bytes().to_vec())))
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn any_bytes_are_records_or_not_but_never_a_panic(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "([\\[\\]{},:\"\\\\ 1a\n]|\"text\":|\"a\"){0,60}".prop_map(String::into_bytes),
            "(text|[,;\t\"\n]|a){0,60}".prop_map(String::into_bytes),
        ],
        prefix in prop_oneof![Just(""), Just("[{\"text\":\"a\"},"), Just("text,id\n")],
        limit in 0..40_u64,
        size in 1_usize..30,
    ) {
        let bytes = [prefix.as_bytes(), &bytes].concat();
        for format in [Format::JsonLines, Format::Json, Format::Csv, Format::Tsv] {
            let _ = read(&bytes, format, &settings(limit), Some(size));
        }
    }

    #[test]
    fn batches_make_no_difference(
        bytes in "([\\[\\]{},:\"\\\\ 1a\n]|\"text\":|\"a\"|\\{\"text\":\"a\"\\}[,\n]){0,40}",
        limit in 0..40_u64,
        size in 1_usize..30,
    ) {
        let bytes = [b"[{\"text\":\"a\"},", bytes.as_bytes()].concat();
        for format in [Format::JsonLines, Format::Json] {
            let [small, large] = [Some(size), None].map(|size| read(&bytes, format, &settings(limit), size));
            prop_assert_eq!(small, large);
        }
    }
}
