//! Parquet: a build with the feature reads it, and a build without it names the feature.

use crate::env::{Env, PARK, Says};

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_the_feature_says_which_one_has_it() {
    let env = Env::new()
        .file("a.md", PARK)
        .file("pages.parquet", b"PAR1\x15\x04PAR1");
    let report = env.json(". -q");
    assert_eq!(report.skips(), [("pages.parquet", "unsupported")]);
    report.skipped[0].detail.says("--features parquet");
    env.report("pages.parquet").says("--features parquet");
}

#[test]
fn a_file_of_another_name_says_what_it_wants_to_be_called() {
    let env = Env::new()
        .file("pages", b"PAR1\x15\x04PAR1")
        .file("a.md", PARK);
    let report = env.json(". -q");
    assert_eq!(report.skips(), [("pages", "binary")]);
    report.skipped[0].detail.says("ends in .parquet");
}

#[cfg(feature = "parquet")]
pub(crate) mod rows {
    use std::fs::File;
    use std::sync::Arc;

    use parquet::basic::Compression;
    use parquet::column::writer::ColumnWriter;
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::properties::WriterProperties;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::record::RowAccessor;
    use parquet::schema::parser::parse_message_type;
    use serde_json::json;

    use crate::env::{
        Args, BREAD, Env, PARK, PARK_EDITED, PARK_ZH, PARK_ZH_EDITED, Report, Says, table,
    };

    /// Documents; one of them is missing.
    const TEXTS: [Option<&str>; 6] = [
        Some(PARK),
        Some(PARK_ZH),
        None,
        Some(BREAD),
        Some(PARK_ZH_EDITED),
        Some(PARK_EDITED),
    ];

    /// The documents in groups of two rows, with ids from 1.
    fn file(compression: Compression) -> Vec<u8> {
        file_of("id", compression)
    }

    fn file_of(id: &str, compression: Compression) -> Vec<u8> {
        let columns = format!("required int64 {id}; optional binary text (STRING);");
        file_with(&columns, compression)
    }

    fn file_with(columns: &str, compression: Compression) -> Vec<u8> {
        let schema = format!("message m {{ {columns} }}");
        let schema = Arc::new(parse_message_type(&schema).unwrap());
        let properties = WriterProperties::builder().set_compression(compression);
        let mut bytes = Vec::new();
        let properties = Arc::new(properties.build());
        let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
        for (group, texts) in (0..).zip(TEXTS.chunks(2)) {
            let ids = [group * 2 + 1, group * 2 + 2];
            let levels: Vec<i16> = texts.iter().map(|text| text.is_some().into()).collect();
            let texts: Vec<ByteArray> = texts.iter().flatten().map(|&text| text.into()).collect();
            let mut group = writer.next_row_group().unwrap();
            while let Some(mut column) = group.next_column().unwrap() {
                match column.untyped() {
                    ColumnWriter::Int64ColumnWriter(column) => column.write_batch(&ids, None, None),
                    ColumnWriter::ByteArrayColumnWriter(column) => {
                        column.write_batch(&texts, Some(&levels), None)
                    }
                    ColumnWriter::Int32ColumnWriter(column) => {
                        column.write_batch(&[7, 8], Some(&[1, 1]), None)
                    }
                    _ => panic!("there is no such column"),
                }
                .unwrap();
                column.close().unwrap();
            }
            group.close().unwrap();
        }
        writer.close().unwrap();
        bytes
    }

    /// Returns a file of records in JSON Lines, whose ids are texts.
    pub(crate) fn file_of_records(lines: &str) -> Vec<u8> {
        let rows: Vec<serde_json::Value> = crate::env::lines(lines);
        let schema = "message m { required binary id (STRING); required binary text (STRING); }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let mut bytes = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        for key in ["id", "text"] {
            let values = rows.iter().map(|row| row[key].as_str().unwrap().into());
            let values: Vec<ByteArray> = values.collect();
            let mut column = group.next_column().unwrap().unwrap();
            let typed = column.typed::<ByteArrayType>();
            typed.write_batch(&values, None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.close().unwrap();
        bytes
    }

    fn lines() -> String {
        let lines = (1..).zip(TEXTS);
        lines
            .map(|(id, text): (u8, _)| format!("{}\n", json!({"id": id, "text": text})))
            .collect()
    }

    /// The pairs that are found in a file, without its name.
    fn found(env: &Env, args: impl Args) -> (Vec<String>, Vec<String>) {
        let report = env.json((args, "-q"));
        let plain = |name: &str| name.split_once('#').unwrap().1.to_owned();
        let pairs = report.pairs.iter().map(|pair| {
            let (a, b) = (plain(&pair.a), plain(&pair.b));
            let measures = (pair.jaccard, pair.weighted, pair.hamming, pair.containment);
            format!("{a} {b} {} {measures:?}", pair.relation)
        });
        let skips = report.skipped.iter();
        let skips =
            skips.map(|skip| format!("{} {} {}", plain(&skip.path), skip.reason, skip.detail));
        (pairs.collect(), skips.collect())
    }

    #[test]
    fn rows_and_lines_of_the_same_texts_give_the_same_pairs() {
        let codecs = [
            Compression::UNCOMPRESSED,
            Compression::SNAPPY,
            Compression::ZSTD(parquet::basic::ZstdLevel::default()),
        ];
        let env = Env::new().file("a.jsonl", lines());
        let expected = found(&env, "a.jsonl --id-field id");
        assert_eq!((expected.0.len(), expected.1.len()), (2, 1));
        for codec in codecs {
            env.write("a.parquet", file(codec));
            let (pairs, skipped) = found(&env, "a.parquet --id-field id");
            assert_eq!(pairs, expected.0);
            // It is named by its number, which is the id of another row.
            assert_eq!(skipped, [expected.1[0].replacen('3', "2@2", 1)]);
        }
        // Rows count from 0, as in every table.
        let report = env.json("a.parquet -q");
        let pairs = [
            ("a.parquet#1", "a.parquet#4"),
            ("a.parquet#0", "a.parquet#5"),
        ];
        assert_eq!(report.pair_names(), pairs);
        assert_eq!(report.skips(), [("a.parquet#2", "malformed")]);
    }

    #[test]
    fn rows_are_documents_for_every_command() {
        let env = Env::new().file("a.parquet", file(Compression::SNAPPY));
        assert_eq!(env.run("show a.parquet#3").ok(), BREAD);
        let compared = env.run("compare a.parquet#0 a.parquet#5").ok().to_owned();
        compared.says("thirty");
        let listed = env
            .run("show --as fingerprint a.parquet -q")
            .ok()
            .to_owned();
        listed.says("\"path\":\"a.parquet#5\"");
        let html = env.run("scan a.parquet --format html -q").ok().to_owned();
        html.says("thirty");
        env.write("packed.parquet.gz", b"\x1f\x8b");
        env.scan("packed.parquet.gz").says("expand it first");
        let piped = env.run_with(file(Compression::SNAPPY), "scan - --format json -q");
        let expected = [("-#1", "-#4"), ("-#0", "-#5")];
        assert_eq!(Report::of(piped.ok()).pair_names(), expected);
    }

    /// The ids of the rows of a file.
    fn rows(env: &Env, name: &str) -> Vec<i64> {
        let file = File::open(env.path(name)).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let rows = reader.get_row_iter(None).unwrap();
        rows.map(|row| row.unwrap().get_long(0).unwrap()).collect()
    }

    #[test]
    fn rows_that_stay_are_written_as_parquet() {
        let env = Env::new()
            .file("in.parquet", file(Compression::SNAPPY))
            .file("more.parquet", file(Compression::UNCOMPRESSED));
        let files = "in.parquet more.parquet -o kept.parquet --verdicts why.jsonl";
        let run = env.run(("dedup --id-field id --drop exact", files));
        run.went_well();
        run.says("12 records: 7 kept, 5 removed (5 exact)");
        // The row without a text stays, from both files.
        assert_eq!(rows(&env, "kept.parquet"), [1, 2, 3, 4, 5, 6, 3]);
        let why: Vec<serde_json::Value> = crate::env::lines(&env.read("why.jsonl"));
        assert_eq!(why[0]["drop_at"], json!(["more.parquet", 0]));
    }

    #[test]
    fn a_file_with_a_column_more_keeps_it() {
        let columns = "optional int32 more; required int64 id; optional binary text (STRING);";
        let env = Env::new()
            .file("a.parquet", file(Compression::SNAPPY))
            .file("b.parquet", file_with(columns, Compression::SNAPPY));
        let args = "--drop exact --id-field id -o kept.parquet";
        env.run(("dedup a.parquet b.parquet", args)).went_well();
        let kept = SerializedFileReader::new(File::open(env.path("kept.parquet")).unwrap());
        let kept = kept.unwrap();
        let more = kept.get_row_iter(None).unwrap().map(|row| {
            let row = row.unwrap();
            (row.get_int(0).ok(), row.get_long(1).unwrap())
        });
        let first = [1, 2, 3, 4, 5, 6].map(|id| (None, id));
        // The row without a text.
        assert!(more.eq(first.into_iter().chain([(Some(7), 3)])));
        let without = "required int64 id; optional binary text (STRING); required int32 more;";
        let env = env.file("c.parquet", file_with(without, Compression::SNAPPY));
        let run = env.run("dedup a.parquet c.parquet -o kept.parquet");
        run.complains("lacks a column that cannot be empty");
    }

    #[test]
    fn outputs_that_do_not_fit_the_records_are_refused() {
        let env = Env::new()
            .file("a.parquet", file(Compression::SNAPPY))
            .file("other.parquet", file_of("number", Compression::SNAPPY))
            .file("a.jsonl", lines());
        for [args, part] in table(
            "a.parquet -o out.jsonl                 | name it *.parquet
             a.parquet -o out.parquet.gz            | name it *.parquet
             a.jsonl -o out.parquet                 | name it as the inputs are
             a.parquet a.jsonl -o out.parquet       | make JSON Lines of all
             a.parquet other.parquet -o out.parquet | not the same columns",
        ) {
            env.run(("dedup", args)).complains(part);
        }
        assert_eq!(env.entries(), ["a.jsonl", "a.parquet", "other.parquet"]);
    }
}
