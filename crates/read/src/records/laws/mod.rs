//! Laws for all files of records, however they are written and wherever a batch ends.

mod properties;

use std::io::{self, Cursor, Read};
use std::path::Path;

use encoding_rs::{BIG5, GB18030, WINDOWS_1252};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::format::{Format, Kind};
use crate::records::array::Elements;
use crate::records::pieces::{Cut, Lines, Numbering, Piece, Pieces};
use crate::records::stream::Source;
use crate::records::table::Rows;
use crate::table::table;

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

/// Records, and the error at their end.
type Ended = (Vec<Seen>, Option<Refused>);

/// Reads bytes in batches of a size. Returns the records, and the error at their end.
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
            let record =
                record.map(|Record { text, id, .. }| (text.into_owned(), id.map(Into::into)));
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

/// The line of a piece and its bytes.
type Held = (u64, Option<Vec<u8>>);

/// The pieces that bytes are cut into, in batches of a size.
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
    for (bytes, format, places) in [
        (lines, Format::JsonLines, [(1, 1, 1), (3, 3, 3)]),
        (array, Format::Json, [(1, 2, 2), (2, 3, 3)]),
        (commas, Format::Csv, [(2, 2, 2), (4, 4, 5)]),
        (&semicolons, Format::Csv, [(2, 2, 2), (4, 4, 5)]),
        (&csv_tabs, Format::Csv, [(2, 2, 2), (4, 4, 5)]),
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

/// Texts and ids of the records of a file.
fn texts_and_ids(bytes: &str, format: Format) -> Vec<(String, Option<String>)> {
    let (seen, failure) = read_records(bytes.as_bytes(), format, &settings(999), None);
    assert_eq!(failure, None);
    let records = seen.into_iter().map(|(.., record)| record);
    records.filter_map(Result::ok).collect()
}

#[test]
fn a_line_of_tsv_is_a_row_whatever_marks_are_in_it() {
    let table =
        "\"id\"\ttext\n1\t\"one\" and two\n2\t\"three\n3\t\"\"\"four\"\", five\"\n\"4\"\t\"\n";
    let expected = ["\"one\" and two", "\"three", "\"four\", five", "\""];
    let expected = expected.map(str::to_owned).into_iter().zip(1..);
    let expected = expected.map(|(text, id)| (text, Some(id.to_string())));
    let found = texts_and_ids(table, Format::Tsv);
    assert_eq!(found, expected.collect::<Vec<_>>());
    let found = texts(b"text\n\"three\nfour\nsix\n", Format::Tsv);
    assert_eq!(found, ["\"three", "four", "six"]);
}

#[test]
fn tsv_in_quotation_marks_is_read_as_csv_is() {
    let rows = "1\t\"A \"\"page\"\"\n\nof two lines\"\n2\t\"other\nlines\"\n";
    let expected = ["A \"page\"\n\nof two lines", "other\nlines"];
    let found = texts(format!("id\ttext\n{rows}").as_bytes(), Format::Tsv);
    assert_eq!(found, expected);
    let single = "text\n\"A \"\"page\"\"\n\nof two lines\"\n\"other\nlines\"\n";
    assert_eq!(texts(single.as_bytes(), Format::Tsv), expected);
    // Beyond the rows that tell how it is written, no line is taken for a row.
    let late = format!(
        "text\tid\n{}\"cut\nin\nlines\"\t3\n",
        "plain\t1\n".repeat(10_000)
    );
    let (seen, failure) = read_records(late.as_bytes(), Format::Tsv, &settings(999), None);
    let is_read = seen[9_998..].iter().map(|(.., record)| record.is_ok());
    let is_read: Vec<bool> = is_read.collect();
    let found = (is_read, failure);
    assert_eq!(found, (vec![true, true, false, false, false], None));
    // Nor the row where such a text begins, wherever a batch ends. A stray mark begins no text.
    let late = format!(
        "id\ttext\n{}2\t\"stray\n3\t\"He said \"\"go\"\"\n\nand\nwent\"\n4\tplain\n",
        "1\tplain\n".repeat(10_000)
    );
    for batch in [None, Some(1), Some(7), Some(64)] {
        let (seen, failure) = read_records(late.as_bytes(), Format::Tsv, &settings(999), batch);
        let is_read = seen[9_999..].iter().map(|(.., record)| record.is_ok());
        let is_read: Vec<bool> = is_read.collect();
        let expected = (vec![true, true, false, false, false, true], None);
        assert_eq!((is_read, failure), expected);
    }
    // Rows may leave out columns, and end a column with a mark, if the first ones do.
    for (table, expected) in [
        ("text\tid\nMonitor 24\"\t1\nb\t2\n", ["Monitor 24\"", "b"]),
        ("text\nMonitor 24\"\nb\n", ["Monitor 24\"", "b"]),
    ] {
        assert_eq!(texts(table.as_bytes(), Format::Tsv), expected);
    }
    let found = texts(b"text\tid\none\ntwo\t2\nthree\n", Format::Tsv);
    assert_eq!(found, ["one", "two", "three"]);
}

#[test]
fn lines_of_json_are_records_by_any_name() {
    let lines = "\u{feff}{\"id\":1,\"text\":\"one\"}\n\n{\"id\":2,\"text\":\"two\"}\n";
    let records = texts_and_ids(lines, Format::Json);
    assert_eq!(records, texts_and_ids(lines, Format::JsonLines));
    assert_eq!(records.len(), 2);
    // A single object is a document, unless the field was named.
    let one = br#"{"id":1,"text":"one"}"#;
    assert_eq!(read(one, Format::Json, &settings(99), None), Ok(None));
    let mut named = settings(99);
    named.fields.is_named = true;
    let records = read(one, Format::Json, &named, None).unwrap().unwrap().0;
    assert_eq!(records.len(), 1);
}

#[test]
fn a_row_with_more_columns_than_names_is_refused() {
    for (row, is_read) in [
        ("1,\"a, b\"", true),
        ("1,a,,", true),
        ("1", false),
        ("1,a,b", false),
        ("1,\"He said \\\"no\\\", and\nleft\"", true),
        ("1, \"a, b\"", true),
        ("1,\"C:\\\"\n2,\"a, b\"", true),
    ] {
        let table = format!("id,text\n{row}\n");
        let (seen, _) = read_records(table.as_bytes(), Format::Csv, &settings(99), None);
        assert_eq!(seen[0].2.is_ok(), is_read, "{row}");
    }
}

#[test]
fn other_files_are_one_document() {
    let named = |is_named| ReadOptions {
        fields: Fields {
            is_named,
            ..Fields::default()
        },
        ..ReadOptions::default()
    };
    for [name, bytes, part] in table(
        r#"json |                    | no array of objects with a field 'text'
           json | []                | no array of objects
           json | [1, 2]            | no array of objects
           json | {"body":"a"}      | no array of objects
           json | {\n"text":"a"}\n | no array of objects
           json | [[[[[[            | no array of objects
           json | [{"id":1,"body":"x"}]  | no field 'text'; it has 'id', 'body'
           csv  | sep=;\na;b\n1;2   | ; its first line is for Excel alone: sed 1d removes it
           csv  | id,text\r1,2\r    | ; its lines end with CR alone: tr '
           csv  | a;b,c\n1;2,3      | no column 'text'; it has 'a', 'b,c'
           tsv  | a,text\n1,2       | no column 'text'; it has 'a,text'"#,
    ) {
        let format = Kind::of(Path::new(&format!("a.{name}"))).format;
        let of = |is_named| read(bytes.as_bytes(), format, &named(is_named), None);
        assert_eq!(of(false), Ok(None), "{bytes}");
        let (reason, words) = of(true).unwrap_err();
        assert_eq!(reason, SkipReason::Malformed);
        assert!(words.contains(part), "{bytes}: {words}");
    }
    // Records may begin with one without a text.
    for head in ["[null,{},{`text`:`a`}]", "{`type`:`head`}\n{`text`:`a`}\n"] {
        let bytes = head.replace('`', "\"");
        let (seen, _) = read_records(bytes.as_bytes(), Format::Json, &settings(99), None);
        assert!(seen.last().unwrap().2.is_ok(), "{head}");
    }
    let found = read(b"\x89PNG\0", Format::Csv, &named(false), None);
    assert_eq!(found, Ok(None));
    // An empty shard has no records.
    let empty = |is_named| read(b"", Format::Csv, &named(is_named), None);
    let expected = [Ok(None), Ok(Some((vec![], None)))];
    assert_eq!([empty(false), empty(true)], expected);
}

#[test]
fn an_error_in_the_middle_leaves_the_records_before_it() {
    for [bytes, name, count, part] in table(
        r#"[{`a`},⏎{`b`} {`c`}] | json | 2 | line 2: a comma is missing
           [{`a`},⏎{`b`         | json | 1 | line 2: the array is not closed
           [{`a`}               | json | 1 | line 1: the array is not closed
           [{`a`},]             | json | 1 | an element is missing
           [{`a`}]⏎[            | json | 1 | line 2: something follows the array
           text⏎a⏎"b⏎c⏎d        | csv  | 1 | line 3: a quotation mark is not closed"#,
    ) {
        let format = Kind::of(Path::new(&format!("a.{name}"))).format;
        // `a` represents a field with this text.
        let bytes = bytes
            .replace("{`", "{\"text\":\"")
            .replace('`', "\"")
            .replace('⏎', "\n");
        for size in [Some(1), None] {
            let (seen, failure) = read_records(bytes.as_bytes(), format, &settings(99), size);
            let (reason, words) = failure.unwrap();
            let expected = (count.parse().unwrap(), SkipReason::Malformed);
            assert_eq!((seen.len(), reason), expected, "{bytes}");
            assert!(words.contains(part), "{bytes}: {words}");
        }
    }
    // A fault within a record harms no other record.
    let bytes = b"[{\"text\":\"a\"},7,{\"text\":tru},{\"text\":\"\xff\"},{\"text\":\"z\"}]";
    let (seen, failure) = read_records(bytes, Format::Json, &settings(99), None);
    let is_read: Vec<bool> = seen.iter().map(|(.., record)| record.is_ok()).collect();
    let expected = (vec![true, false, false, false, true], None);
    assert_eq!((is_read, failure), expected);
}

#[test]
fn rows_may_be_shorter_than_the_header() {
    let table = b"id,text\n1,one,\n2\n,three\n\"4\"x,\"f\"\"o\"\"ur\"\n5,\xff\n7,\n";
    let named = ReadOptions {
        encoding: Some(encoding_rs::UTF_8),
        ..settings(99)
    };
    let (seen, _) = read_records(table, Format::Csv, &named, None);
    let short = seen.iter().map(|(number, _, record)| match record {
        Ok((text, id)) => format!("{number} {text} {}", id.as_deref().unwrap_or("-")),
        Err(reason) => format!("{number} {}", reason.as_str()),
    });
    let short: Vec<_> = short.collect();
    let expected = [
        "2 one 1",
        "3 malformed",
        "4 three -",
        "5 f\"o\"ur 4x",
        "6 malformed",
        "7  7",
    ];
    assert_eq!(short, expected);
}

#[test]
fn a_row_that_holds_other_rows_is_no_record() {
    let table =
        b"id,text\n1,\"Hello, said\n2,two\n3,\"Hello\" said\n4,\"four\nlines\"\n5,\"f\"ive\n";
    let (seen, _) = read_records(table, Format::Csv, &settings(99), None);
    let is_read = seen.iter();
    let is_read = is_read.map(|(number, _, record)| (*number, record.is_ok()));
    assert!(is_read.eq([(2, false), (5, true), (7, true)]), "{seen:?}");
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
    let named = ReadOptions {
        encoding: Some(BIG5),
        ..ReadOptions::default()
    };
    let (seen, _) = read_records(&bytes, Format::Csv, &named, None);
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
            let words = seen.iter().map(|(.., record)| {
                record
                    .as_ref()
                    .map_or_else(|reason| reason.as_str(), |(text, _)| text)
            });
            let words: Vec<_> = words.collect();
            let expected = (vec!["a", "too large", "b"], None);
            assert_eq!((words, failure), expected, "{format:?} {size:?}");
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
