//! Laws for any records and any bytes.

use super::*;

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

/// Columns that commas separate.
const COMMAS: Dialect = Dialect {
    delimiter: b',',
    has_quotes: true,
    is_loose: false,
    is_full: false,
};

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
        let (found, is_broken) = cut(bytes.as_bytes(), Rows::new(COMMAS), 1 << 20, size);
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
            table::cells(&row.unwrap(), COMMAS).iter().collect::<csv::ByteRecord>()
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
        for (format, delimiter) in [(Format::Csv, b','), (Format::Csv, b';')] {
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
    fn batches_make_no_difference(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "([\\[\\]{},:\"\\\\ 1a\n]|\"text\":|\"a\"|\\{\"text\":\"a\"\\}[,\n]){0,60}".prop_map(String::into_bytes),
            "(text|[,;\t\"\n]|a){0,60}".prop_map(String::into_bytes),
        ],
        prefix in prop_oneof![Just(""), Just("[{\"text\":\"a\"},"), Just("text,id\n"), Just("text\tid\n")],
        limit in 0..40_u64,
        size in 1_usize..30,
    ) {
        let bytes = [prefix.as_bytes(), &bytes].concat();
        for format in [Format::JsonLines, Format::Json, Format::Csv, Format::Tsv] {
            let [small, large] = [Some(size), None].map(|size| read(&bytes, format, &settings(limit), size));
            // The first batch tells whether a file without a beginning is one of records.
            prop_assert!(prefix.is_empty() || small == large, "{:?} {:?}", small, large);
        }
    }
}
