//! `dupfind dedup`: records that stay and records that go, byte for byte.

use std::fs;
use std::io::{Read, Write};

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::cases::{random, rows};
use crate::env::{
    Args, BREAD, Env, PARK, PARK_EDITED, Says, lines, named_record, record, records, table,
};

/// Lines of all kinds: records, a copy with other bytes, a blank line, one that is no JSON, one without a text, one
/// without a line end.
fn mixed() -> String {
    let record = |id: u32, text: &str| json!({ "id": id, "text": text }).to_string();
    [
        record(1, PARK),
        format!("  {}\t\r", record(2, BREAD).replace(':', " : ")),
        String::new(),
        "{\"cut off\":".into(),
        json!({ "id": 5, "body": PARK }).to_string(),
        record(6, &PARK.to_uppercase()),
        record(7, PARK_EDITED),
        record(8, BREAD),
    ]
    .join("\n")
}

fn dedup(env: &Env, args: impl Args) -> crate::env::Run {
    let run = env.run(("dedup", args));
    run.went_well();
    run
}

#[test]
fn a_record_that_goes_for_one_in_another_script_says_so() {
    let texts = [
        "旧城区的公园在河边，春天开放，每天早上六点到晚上十点免费参观。",
        "舊城區的公園在河邊，春天開放，每天早上六點到晚上十點免費參觀。",
        "旧城区的公园在河边,春天开放,每天早上六点到晚上十点免费参观。",
    ];
    let env = Env::new().file("in.jsonl", records(&texts));
    dedup(&env, "in.jsonl -o kept --verdicts why --quiet");
    let verdicts: Vec<Value> = lines(&env.read("why"));
    let told: Vec<&str> = verdicts
        .iter()
        .map(|line| line["because"].as_str().unwrap())
        .collect();
    let expected = [
        "the same text up to the script (Traditional or Simplified), case, width and white space",
        "the same text but for case, width and white space",
    ];
    assert_eq!(told, expected);
}

#[cfg(unix)]
#[test]
fn records_come_from_pipes_and_by_other_names() {
    let records = records(&[PARK, BREAD, PARK]);
    let env = Env::new().file("in.json", &records).fifo("pipe");
    let run = dedup(&env, "in.json -o kept.json");
    run.says("2 kept, 1 removed");
    let pipe = env.path("pipe");
    let writer = std::thread::spawn(move || fs::write(pipe, records));
    let run = dedup(&env, "pipe pipe -o kept.jsonl");
    writer.join().unwrap().unwrap();
    run.says("2 kept, 1 removed");
}

#[test]
fn records_are_kept_byte_for_byte_in_their_order() {
    let env = Env::new().file("in.jsonl", mixed());
    let run = dedup(
        &env,
        "in.jsonl --drop exact -o kept.jsonl --verdicts why.jsonl",
    );
    let all: Vec<String> = mixed().split_inclusive('\n').map(str::to_owned).collect();
    let kept = [0, 1, 2, 3, 4, 6].iter().map(|&at| all[at].as_str());
    let kept: Vec<&str> = kept.collect();
    assert_eq!(env.read("kept.jsonl"), kept.concat());
    assert_eq!(env.read("in.jsonl"), mixed());
    run.says("7 records: 5 kept, 2 removed (2 exact) for 2 that stay");
    run.says("not compared, and kept as they are: 2 lines");
    run.says("kept.jsonl has what stays: 5 records");
    run.says("why.jsonl has the reasons for what goes: 2 records");
    let why: Vec<Value> = lines(&env.read("why.jsonl"));
    assert_eq!(why.len(), 2);
    assert_eq!(why[0]["keep"], "in.jsonl#1");
    assert_eq!(why[0]["drop"], "in.jsonl#6");
    assert_eq!(why[0]["keep_at"], json!(["in.jsonl", 1]));
    // Near ones go if they are asked for.
    let near = dedup(&env, "in.jsonl --drop exact,near --keep path -o -");
    let expected = [0, 1, 2, 3, 4].map(|at| all[at].as_str()).concat();
    assert_eq!(near.stdout, expected);
}

#[test]
fn rules_choose_among_records() {
    let record = |id: u32, score: f64, text: &str| {
        json!({ "id": id, "meta": { "score": score }, "text": text }).to_string()
    };
    let b_jsonl = format!("{}\n{}\n", record(1, 9.5, PARK), record(2, 10.0, PARK));
    let env = Env::new()
        .file("b.jsonl", b_jsonl)
        .file("a.jsonl", record(3, 1.0, PARK));
    let kept = |args: &str| -> Vec<u64> {
        let run = dedup(&env, ("-o - b.jsonl a.jsonl", args));
        let records: Vec<Value> = lines(&run.stdout);
        records
            .iter()
            .map(|record| record["id"].as_u64().unwrap())
            .collect()
    };
    // In the order in which the files were named.
    assert_eq!(kept(""), [1]);
    assert_eq!(kept("--keep field:meta.score"), [2]);
    assert_eq!(kept("--keep field:meta.score:min"), [3]);
    assert_eq!(kept("--keep in:a.jsonl"), [3]);
    env.run("dedup a.jsonl -o - --keep in:c")
        .fails("no file matches the glob");
}

#[test]
fn tables_keep_their_header_and_their_quotes() {
    let park = PARK.replace('\n', " ");
    let rows = [
        "\u{feff}id,text\r\n".to_owned(),
        format!("1,\"{park}\"\r\n"),
        "2,\"two\nlines of another text that is long enough to be compared\"\r\n".into(),
        format!("3,\"{park} \"\r\n"),
        "4,\"said \"\"so\"\" and no more of it was heard in the whole town\"".into(),
    ];
    let env = Env::new().file("in.csv", rows.concat());
    dedup(&env, "in.csv -o kept.csv");
    let expected = [0, 1, 2, 4].map(|at| rows[at].as_str()).concat();
    assert_eq!(env.read("kept.csv"), expected);
    // A second table with the same columns: its header is not repeated.
    env.write("more.csv", format!("id,text\n5,\"{park}\"\n6,\"a text of its own, which nobody has written before today\"\n"));
    let both = dedup(&env, "in.csv more.csv -o -");
    let own = "\n6,\"a text of its own, which nobody has written before today\"\n";
    let expected = format!("{}{own}", [0, 1, 2, 4].map(|at| rows[at].as_str()).concat());
    assert_eq!(both.stdout, expected);
    env.write("other.csv", "id;text\nx;1\n");
    env.run("dedup in.csv other.csv -o out.csv")
        .fails("separated by another character");
    assert!(!env.path("out.csv").exists());
}

#[test]
fn names_say_how_outputs_are_compressed() {
    let env = Env::new().file("in.jsonl", mixed());
    dedup(&env, "in.jsonl -o plain.jsonl");
    let plain = env.read("plain.jsonl");
    for end in ["gz", "zst"] {
        let name = format!("kept.jsonl.{end}");
        dedup(&env, ["in.jsonl", "-o", &name]);
        let file = fs::read(env.path(&name)).unwrap();
        let mut expanded = String::new();
        let read: Box<dyn Read> = match end {
            "gz" => Box::new(flate2::read::GzDecoder::new(&file[..])),
            _ => Box::new(zstd::stream::read::Decoder::new(&file[..]).unwrap()),
        };
        { read }.read_to_string(&mut expanded).unwrap();
        assert_eq!(expanded, plain, "{end}");
        // And the written file can be read.
        assert_eq!(dedup(&env, [&name, "-o", "-"]).stdout, plain, "{end}");
    }
    let piped = env.run_with(mixed(), "dedup - -o -");
    assert_eq!(piped.went_well(), plain, "{}", piped.stderr);
}

#[test]
fn a_table_of_headings_alone_has_no_records() {
    for (name, headings) in [
        ("in.csv", "id,text\n"),
        ("in.tsv", "text\tid"),
        ("bom.csv", "\u{feff}text\r\n"),
    ] {
        let env = Env::new().file(name, headings);
        let output = format!("out.{name}");
        dedup(&env, [name, "-o", &output]).says("0 records: 0 kept");
        assert_eq!(env.read(&output), headings);
    }
    let env = Env::new().file("in.csv", "id,text\n1,\n");
    let run = env.run("dedup in.csv -o out.csv");
    run.complains("in.csv: no record has a text with a letter or a digit");
}

#[test]
fn what_would_lose_records_is_refused() {
    let wide = b"\xff\xfei\0d\0,\0t\0e\0x\0t\0\n\x001\0,\0a\0\n\0";
    let env = Env::new()
        .file("in.jsonl", mixed())
        .file("in2.jsonl", mixed())
        .file("in.txt", json!({ "text": PARK }).to_string())
        .file("other.jsonl", "{\"body\":\"x\",\"url\":\"y\"}\n")
        .file("in.csv", "id,body\n1,x\n")
        .file("sep.csv", "\u{feff}sep=;\nid;text\n1;x\n")
        .file("empty.jsonl", "")
        .file("page.md", PARK)
        .file(
            "gbk.csv",
            encoding_rs::GBK
                .encode("id,text\n1,渔船每天清晨五点左右离开港湾，那时水面上还笼罩着浓雾\n")
                .0,
        )
        .file("utf8.csv", "id,text\n2,蘑菇生长在老礼堂的地窖里\n")
        .file("list.json", "[{\"text\":\"x\"}]")
        .file("data.json", "{\"data\": [\n{\"text\": \"x\"}]}")
        .file("deep.json", "{\"data\": {\"items\": [{\"text\": \"x\"}]}}")
        .file("one.json", "{\n\"text\": \"x\"\n}\n")
        .file("none.json", "{\n\"n\": [1]\n}\n")
        .file("list.jsonl", "[\n{\"text\":\"x\"},\n{\"text\":\"x\"}\n]\n")
        .file("pretty.jsonl", "{\n\"text\": \"x\"\n}\n")
        .file("named.jsonl", b"\x1f\x8b\x08\0\n")
        .file("wide.csv", wide)
        .file("latin.jsonl", b"{\"text\": \"caf\xe9\"}\n")
        .file("docs/in.jsonl", mixed())
        .folder("empty");
    for [args, part] in table(
        "in.jsonl -o in.jsonl | would replace in.jsonl
         in.jsonl -o x --verdicts ./x | two outputs are to be written to x
         in.jsonl -o - --verdicts - | two outputs are to be written to standard output
         other.jsonl empty.jsonl -o out | other.jsonl: no record has a text in the field 'text'; the first one has 'body', 'url'
         in.jsonl --text-field none -o out | in.jsonl: no record has a text in the field 'none'; the first one has 'id', 'text'
         in.jsonl --text-field text,titel -o out | no record has the text field 'titel'
         in.jsonl --max-filesize 5 -o out | in.jsonl: every record with a text is too large
         latin.jsonl -o out | ; the first line is no UTF-8: -E names the encoding
         in.jsonl in.csv -o out | files of two kinds
         in.jsonl -o out.jsonl.zip | out.jsonl.zip: zip is not written: end the name in .gz or .zst
         sep.csv -o out | its first line is for Excel alone
         in.csv -o out | in.csv: it has no column 'text'; it has 'id', 'body'; --text-field names
         page.md -o out | page.md is no file of records
         list.json -o out | jq -c '.[]' list.json
         list.jsonl -o out | jq -c '.[]' list.jsonl
         data.json -o out | jq -c '.data[]' data.json
         deep.json -o out | deep.json has no record in a line; this makes lines of them: jq -c '.data.items[]' deep.json
         one.json -o out | jq -c '.' one.json
         none.json -o out | none.json has no record in a line, and none in a list within it
         in.jsonl --against in.txt -o out | type - in its place, and this at the end: < in.txt
         in.jsonl docs/in.jsonl -o docs/ | two files are called in.jsonl, and docs/ has room for one: -o FILE writes all
         in.jsonl --against other.jsonl -o out | other.jsonl: no record has a text in the field 'text'; the first one has 'body', 'url'
         in.jsonl --against in2.jsonl --against other.jsonl -o out | other.jsonl: no record has a text in the field 'text'
         gbk.csv utf8.csv -o out | it is UTF-8, and the first file is GBK; make UTF-8 of the first file: iconv -f GBK -t UTF-8
         pretty.jsonl -o out | jq -c . pretty.jsonl
         named.jsonl -o out | ; what is in it is compressed with gzip: expand it first
         wide.csv -o out | make UTF-8 of it first: iconv -f UTF-16LE -t UTF-8
         in.jsonl -o out --keep newest | all records of in.jsonl have its date; --keep field:NAME
         empty -o out | empty has no file of records
         none.jsonl -o out | cannot read none.jsonl
         in.txt -o out | to read it as JSON Lines, type - in its place, and this at the end: < in.txt
         in.jsonl --min-jaccard 0.5 -o out | dupfind dedup pages.jsonl --min-similarity 0.8 -o kept.jsonl
         in.jsonl --max-hamming 0.5 -o out | dupfind dedup pages.jsonl --min-similarity 0.8 -o kept.jsonl
         in.jsonl --detectors 0.5 -o out | dupfind dedup pages.jsonl --min-similarity 0.8 -o kept.jsonl
         in.jsonl | --output",
    ) {
        let run = env.run(("dedup", args));
        run.complains(part);
        assert_eq!(run.stdout, "");
        assert!(!env.path("out").exists(), "{args:?}");
    }
    assert_eq!(env.read("in.jsonl"), mixed());
    dedup(&env, "in.jsonl empty.jsonl -o out");
    // A file that is cut off is not half written.
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(mixed().repeat(50).as_bytes()).unwrap();
    let bytes = gzip.finish().unwrap();
    env.write("cut.jsonl.gz", &bytes[..bytes.len() / 2]);
    env.run("dedup cut.jsonl.gz -o half")
        .complains("nothing is written");
    assert!(!env.path("half").exists());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn kept_records_are_those_without_a_verdict(
        picks in prop::collection::vec((0_usize..9, any::<bool>()), 1..30),
        has_end in any::<bool>(),
    ) {
        let texts = [PARK, BREAD, PARK_EDITED];
        let mut all: Vec<String> = picks
            .iter()
            .enumerate()
            .map(|(at, &(pick, crlf))| {
                let line = match pick {
                    0..6 => json!({ "n": at, "text": texts[pick % 3] }).to_string(),
                    6 => String::new(),
                    7 => format!("broken {at}"),
                    _ => json!({ "n": at, "other": 1 }).to_string(),
                };
                format!("{line}{}", if crlf { "\r\n" } else { "\n" })
            })
            .collect();
        all.push(json!({ "n": "last", "text": PARK }).to_string());
        if has_end {
            all.last_mut().unwrap().push('\n');
        }
        let env = Env::new().file("in.jsonl", all.concat());
        dedup(&env, "in.jsonl --drop exact,near -o kept --verdicts why --quiet");
        let verdicts: Vec<Value> = lines(&env.read("why"));
        let gone: Vec<u64> = verdicts.iter().map(|why| why["drop_at"][1].as_u64().unwrap()).collect();
        let kept = (1..).zip(&all).filter(|(line, _)| !gone.contains(line));
        let kept: String = kept.map(|(_, line)| line.as_str()).collect();
        prop_assert_eq!(env.read("kept"), kept);
        // The kept records have nothing to remove.
        let again = dedup(&env, "in.jsonl --drop exact,near -o kept.jsonl --quiet");
        prop_assert_eq!(&again.stdout, "");
        dedup(&env, "kept.jsonl --drop exact -o again --quiet");
        prop_assert_eq!(env.read("again"), env.read("kept.jsonl"));
    }
}

#[test]
fn a_test_set_is_taken_out_of_training_data() {
    let item = |at: usize| {
        format!(
            "Question {at}: which of the lakes of region r{at} is deeper, lake x{at} or lake y{at}, in spring?"
        )
    };
    let filler = |at: usize| -> String {
        let words = (0..400).map(|word| format!("w{at}x{word}"));
        words.collect::<Vec<_>>().join(" ")
    };
    let edited = |at: usize| item(at).replace("spring", "autumn");
    let holds = |at: usize| format!("{} {} {}", filler(at), item(at), filler(at + 100));
    let train = (0..40).map(|at| match at % 5 {
        0 => item(at),
        1 => item(at).to_uppercase(),
        2 => edited(at),
        3 => holds(at),
        _ => filler(at),
    });
    let train: Vec<String> = train.collect();
    let lines = |texts: &[String]| -> String {
        let numbered = texts.iter().enumerate();
        numbered.map(|(id, text)| named_record(id, text)).collect()
    };
    let test: Vec<String> = (0..40).map(item).collect();
    let env = Env::new()
        .file("train.jsonl", lines(&train))
        .file("test.jsonl", lines(&test));
    let args = "train.jsonl --against test.jsonl --id-field id -o clean.jsonl --verdicts why.jsonl";
    dedup(&env, args).says("40 records: 8 kept, 32 removed (");
    let kept: Vec<Value> = crate::env::lines(&env.read("clean.jsonl"));
    for record in &kept {
        assert!(record["id"].as_u64().unwrap() % 5 == 4, "{record:?}");
    }
    let why: Vec<Value> = crate::env::lines(&env.read("why.jsonl"));
    for line in &why {
        let [drop, keep] =
            ["drop", "keep"].map(|key| line[key].as_str().unwrap().rsplit_once('#').unwrap());
        assert_eq!((drop.1, keep.0), (keep.1, "test.jsonl"), "{line}");
    }
    let mut all = why.iter();
    let held = all.find(|line| line["drop"] == "train.jsonl#3").unwrap();
    let expected = "1 % of it is in the one that stays, 100 % of that one is here";
    assert_eq!(held["because"], expected);
    for [args, error] in table(
        "train.jsonl --against train.jsonl -o x.jsonl   | --against names another file
         train.jsonl --against none.jsonl -o x.jsonl    | cannot read none.jsonl
         train.jsonl --against test.jsonl -o test.jsonl | test.jsonl
         train.jsonl --against test.jsonl -o x.csv      | name it as the inputs are",
    ) {
        env.run(("dedup", args)).fails(error);
    }
    assert_eq!(env.read("test.jsonl"), lines(&test));
    // Other names of one file.
    #[cfg(unix)]
    {
        fs::hard_link(env.path("train.jsonl"), env.path("hard.jsonl")).unwrap();
        std::os::unix::fs::symlink("train.jsonl", env.path("link.jsonl")).unwrap();
        for [one, other] in [["train", "link"], ["link", "train"], ["hard", "train"]] {
            let [one, other] = [one, other].map(|name| format!("{name}.jsonl"));
            env.run(["dedup", &one, "--against", &other, "-o", "x.jsonl"])
                .fails("is compared with itself: --against names another file");
        }
    }
}

#[test]
fn an_edited_record_of_a_test_set_goes_though_it_is_more_like_its_own_copy() {
    let words = |changes: &[usize]| -> String {
        let word = |at: usize| match changes.contains(&at) {
            true => format!("changed{at}"),
            false => format!("word{at}"),
        };
        (0..30).map(word).collect::<Vec<_>>().join(" ")
    };
    let (item, edited) = (words(&[]), words(&[5, 12, 20]));
    let other = "A record about something else, which no test asks for, and which stays as it is."
        .to_owned();
    let env = Env::new()
        .file("train.jsonl", records(&[&item, &edited, &edited, &other]))
        .file("test.jsonl", record(&item));
    dedup(&env, "train.jsonl --against test.jsonl -o clean.jsonl");
    assert_eq!(env.read("clean.jsonl"), record(other));
}

#[test]
fn near_copies_go_by_default_and_stay_with_one_option() {
    let words: Vec<String> = (0..60).map(|at| format!("word{at}")).collect();
    let near = [&words[..59], &["changed".to_owned()]].concat();
    let revised = [&words[..40], &near[..20]].concat();
    let lines = [&words, &near, &words, &revised].map(|text| record(text.join(" ")));
    let env = Env::new().file("in.jsonl", lines.concat());
    let run = dedup(&env, "in.jsonl -o kept.jsonl");
    run.says("4 records: 2 kept, 2 removed (1 exact, 1 near) for 1 that stay");
    run.says("near-copies went from a similarity of 0.8 on; --drop exact keeps them");
    assert_eq!(env.read("kept.jsonl"), [&*lines[0], &lines[3]].concat());
    let run = dedup(&env, "in.jsonl --drop exact -o kept.jsonl");
    run.omits("near-copies");
    run.omits("left alone");
    let kept = [&*lines[0], &lines[1], &lines[3]].concat();
    assert_eq!(env.read("kept.jsonl"), kept);
    // Pairs of records that go do not count.
    let titled = [("Bread", &words), ("Bread", &near), ("Cake", &words)];
    let titled = titled.map(|(title, words)| record(format!("# {title}\n\n{}", words.join(" "))));
    env.write("titled.jsonl", titled.concat());
    let run = dedup(&env, "titled.jsonl -o kept.jsonl");
    run.says("3 records: 2 kept, 1 removed");
    run.says("kept for different titles or pictures: 1 pair");
    fs::remove_file(env.path("titled.jsonl")).unwrap();
    // A field that decides nothing is a mistake.
    env.run("dedup in.jsonl --keep field:scor -o other.jsonl")
        .fails("the rule 'field:scor' decides nothing");
    assert_eq!(env.entries(), ["in.jsonl", "kept.jsonl"]);
}

#[cfg(unix)]
#[test]
fn no_file_is_replaced_if_one_cannot_be_written() {
    let env = Env::new()
        .file("in.jsonl", records(&[PARK, PARK]))
        .file("kept.jsonl", "as before\n");
    env.run("dedup in.jsonl -o kept.jsonl --verdicts /dev/full")
        .fails("cannot write /dev/full");
    assert_eq!(env.read("kept.jsonl"), "as before\n");
    assert_eq!(env.entries(), ["in.jsonl", "kept.jsonl"]);
    // The verdicts are compressed by their name, as the records are.
    dedup(&env, "in.jsonl -o kept.jsonl --verdicts why.jsonl.gz");
    let file = fs::read(env.path("why.jsonl.gz")).unwrap();
    let mut verdicts = String::new();
    let mut decoder = flate2::read::GzDecoder::new(&file[..]);
    decoder.read_to_string(&mut verdicts).unwrap();
    verdicts.says(r#""relation":"exact""#);
}

#[test]
fn an_option_is_proposed_only_where_it_removes_more() {
    let words = |is_new: fn(usize) -> bool| -> String {
        let word = |at| {
            if is_new(at) {
                format!("new{at} ")
            } else {
                format!("word{at} ")
            }
        };
        (0..90).map(word).collect()
    };
    // The first record is near the test set though a third of it is new, and the second one is short.
    let (edited, question) = (words(|at| at % 9 < 3), "How many legs has a spider");
    let env = Env::new()
        .file("train.jsonl", records(&[&edited, question]))
        .file(
            "test.jsonl",
            records(&[&words(|_| false), "How many legs has a spider?!"]),
        )
        .file("none.jsonl", "");
    for drop in [
        "",
        "--drop exact,near",
        "--drop exact,near,contains --min-similarity 0.5",
    ] {
        let run = dedup(&env, ("train.jsonl --against test.jsonl -o -", drop));
        run.omits("--drop similar");
    }
    let run = dedup(&env, "train.jsonl --against test.jsonl -o once.jsonl");
    run.says("1 kept, 1 removed");
    run.says("kept as too short to judge: 1 pair; not by a second run with --drop short");
    let run = dedup(&env, "once.jsonl --against test.jsonl --drop short -o -");
    run.says("0 kept, 1 removed");
    // It would keep the first record.
    let similar = "--drop similar --min-similarity 0.8";
    dedup(
        &env,
        ("train.jsonl --against test.jsonl -o kept.jsonl", similar),
    )
    .says("1 kept, 1 removed");
    assert_eq!(env.read("kept.jsonl"), record(&edited));
    dedup(&env, "train.jsonl --against none.jsonl -o -").says("--against has no record");
}

#[test]
fn similarity_alone_decides_if_asked() {
    // One form for many subjects: they are variants.
    let form: Vec<String> = (0..60).map(|at| format!("word{at}")).collect();
    let line = |at: usize| record(format!("{} a{at} b{at} c{at} d{at}", form.join(" ")));
    let other = record(PARK);
    let lines: String = (0..30).map(line).chain([other.clone()]).collect();
    let env = Env::new().file("in.jsonl", &lines);
    let variants = "kept from a similarity of 0.8 on: 435 pairs (variant); not with --drop similar";
    let run = dedup(&env, "in.jsonl -o kept.jsonl");
    run.says(variants);
    let by_similarity = ["in.jsonl", "--drop", "similar", "-o", "kept.jsonl"];
    let run = dedup(&env, (by_similarity, "--verdicts verdicts.jsonl"));
    run.says("31 records: 2 kept, 29 removed (0 exact, 29 similar) for 1 that stay");
    run.omits("--drop similar");
    assert_eq!(env.read("kept.jsonl"), line(0) + &other);
    let verdicts = env.read("verdicts.jsonl");
    assert_eq!(verdicts.matches(r#""relation":"similar""#).count(), 29);
    dedup(&env, (by_similarity, "--min-similarity 0.99")).says("31 kept");
    let nothing = [&["dedup"], &by_similarity[..], &["--min-similarity", "0"]].concat();
    env.run(&nothing)
        .fails("--min-similarity: with 'similar' it is above 0, such as 0.8");
}

#[test]
fn records_that_differ_in_a_field_stay() {
    let line = |label: Option<&str>, text: &str| {
        let mut record = json!({ "text": text });
        if let Some(label) = label {
            record["label"] = label.into();
        }
        record.to_string() + "\n"
    };
    let loud = PARK.to_uppercase();
    let lines = [
        line(Some("good"), PARK),
        line(Some("bad"), &loud),
        line(Some("good"), &loud),
        line(None, PARK),
        line(Some("bad"), PARK),
        line(None, &loud),
    ];
    let env = Env::new().file("in.jsonl", lines.concat());
    let args = ["in.jsonl", "-o", "-", "--unless-field", "label"];
    let run = dedup(&env, args);
    assert_eq!(run.stdout, [&*lines[0], &lines[1], &lines[3]].concat());
    let says =
        "6 records: like others with another 'label', and go only for those that have the same";
    run.says(says);
    assert_eq!(dedup(&env, &args[..3]).stdout, lines[0]);
    let labels = [r#"["a"]"#, r#"["b"]"#, r#"{"a":1}"#, r#"["a"]"#];
    let text = json!(PARK);
    let tagged = labels.map(|label| format!("{{\"text\":{text},\"label\":{label}}}\n"));
    env.write("lists.jsonl", tagged.concat());
    let run = dedup(&env, "lists.jsonl -o - --unless-field label");
    assert_eq!(run.stdout, tagged[..3].concat());
    env.run("dedup in.jsonl -o k.jsonl --unless-field lable")
        .fails("--unless-field lable: no record has such a field");
}

#[test]
fn records_with_damage_stay_and_are_named() {
    let text = "老公园里的湖在冬天会结冰，孩子们在上面滑冰，老人们坐在长椅上看着他们。";
    let (good, ..) = encoding_rs::GBK.encode(text);
    let mut damaged = good.to_vec();
    damaged[8] = 0xff;
    let mut lines = Vec::new();
    for text in [&good[..], &damaged, &good, &damaged] {
        lines.extend_from_slice(b"{\"text\":\"");
        lines.extend_from_slice(text);
        lines.extend_from_slice(b"\"}\n");
    }
    let env = Env::new().file("in.jsonl", &lines);
    let run = dedup(
        &env,
        "in.jsonl -E gbk -o kept.jsonl --drop similar --min-similarity 0.5",
    );
    run.says("2 records: kept though like others, as the texts were not read whole: in.jsonl#2, in.jsonl#4");
    let kept = fs::read(env.path("kept.jsonl")).unwrap();
    assert_eq!(kept.split(|&byte| byte == b'\n').count() - 1, 3);
}

#[test]
fn a_picture_beside_the_text_is_named_where_records_go() {
    let record = |name: &str| json!({ "image": name, "text": PARK }).to_string() + "\n";
    let env = Env::new().file("in.jsonl", ["a.png", "b.png"].map(record).concat());
    let says = "--unless-field image keeps records that differ there";
    dedup(&env, "in.jsonl -o kept.jsonl").says(says);
    let run = dedup(&env, "in.jsonl --unless-field image -o both.jsonl");
    assert!(!run.stderr.contains(says), "{}", run.stderr);
    assert_eq!(env.read("both.jsonl"), env.read("in.jsonl"));
}

#[test]
fn records_of_a_file_with_two_names_go() {
    let record = record(PARK);
    let env = Env::new().file("a.jsonl", record.repeat(2));
    fs::hard_link(env.path("a.jsonl"), env.path("b.jsonl")).unwrap();
    let run = dedup(&env, "a.jsonl b.jsonl -o kept.jsonl");
    assert_eq!(env.read("kept.jsonl"), record, "{}", run.stderr);
}

#[test]
fn a_record_and_the_one_within_it_stay_if_a_rule_keeps_the_part() {
    let whole = format!("{PARK} {BREAD}");
    let env = Env::new().file("in.jsonl", records(&[PARK, &whole]));
    let args = "in.jsonl --drop contains -o -";
    dedup(&env, args).says("2 kept although they are like others");
    assert_eq!(dedup(&env, (args, "--keep longest")).stdout, record(whole));
}

#[test]
fn near_copies_with_other_titles_stay_unless_they_are_named() {
    let titled = |title: &str, text: &str| record(format!("# {title}\n\n{text}"));
    let park = titled("The park", PARK);
    let all = [&*park, &titled("The garden", PARK_EDITED), &park].concat();
    let env = Env::new().file("in.jsonl", all);
    let run = dedup(&env, "in.jsonl --min-similarity .3 -o kept");
    run.says("2 kept, 1 removed (1 exact");
    run.says("kept for different titles or pictures: 1 pair; not with --drop exact,near");
    let args = "in.jsonl --min-similarity .3 --drop exact,near";
    dedup(&env, (args, "-o kept")).says("1 kept, 2 removed");
}

#[test]
fn texts_of_a_few_words_are_no_copies_and_short_ones_go_if_named() {
    let table = |seed: u64| rows(20, 20, " ", |at| random(seed, at) % 3);
    let bases = |seed: u64| {
        rows(30, 20, " ", |at| {
            ["a", "c", "g", "t"][usize::try_from(random(seed, at) % 4).unwrap()]
        })
    };
    let answers = |seed: u64| {
        rows(40, 10, "\n", |at| {
            ["yes", "no"][usize::try_from(random(seed, at) % 2).unwrap()]
        })
    };
    let texts: [&dyn Fn(u64) -> String; 3] = [&table, &bases, &answers];
    for text in texts {
        let env = Env::new().file("in.jsonl", records(&[1, 2, 3, 1].map(text)));
        dedup(&env, "in.jsonl -o kept").says("3 kept, 1 removed (1 exact");
    }
    let quoted = [
        "Er hieß „Max“, und alle lachten.",
        "Er hieß \"Max\", und alle lachten.",
    ];
    let env = Env::new().file("in.jsonl", records(&quoted));
    dedup(&env, "in.jsonl -o kept").says("2 kept");
    dedup(&env, "in.jsonl --drop exact,short -o kept").says("1 kept, 1 removed (0 exact, 1 short)");
}

#[test]
fn files_without_the_field_and_columns_in_another_order_are_kept() {
    let a_csv = format!("id,text,label\n1,\"{PARK}\",x\n2,\"{BREAD}\",y\n");
    let b_csv = format!("label,id,text\r\nz,3,\"{PARK}\"\r\nw,4,\"a \"\"b\"\", c\"\r\n");
    let env = Env::new()
        .file("a.csv", a_csv)
        .file("b.csv", b_csv)
        .file("c.csv", "id,label\n5,v\n")
        .file("d.csv", "");
    let run = dedup(&env, "a.csv b.csv c.csv d.csv -o kept.csv");
    run.says("1 removed (1 exact");
    run.omits("d.csv");
    let kept = env.read("kept.csv");
    assert_eq!(kept, env.read("a.csv") + "4,\"a \"\"b\"\", c\",w\r\n5,,v\n");
    let run = env.run("dedup c.csv a.csv -o kept.csv");
    run.complains("the first table has no column 'text': name this file first");
    let env = env.file("e.csv", format!("id;text\n1;{PARK}\n"));
    let run = env.run("dedup a.csv e.csv -o kept.csv");
    run.complains("separated by another character");
    let env = env
        .file("f.jsonl", "{\"body\": \"x\"}\n")
        .file("g.jsonl", mixed());
    dedup(&env, "f.jsonl g.jsonl -o kept.jsonl");
    env.read("kept.jsonl").begins("{\"body\": \"x\"}\n");
}

#[test]
fn a_row_with_more_fields_than_names_keeps_them_in_another_order() {
    let env = Env::new()
        .file("a.csv", format!("id,text\n1,\"{PARK}\"\n"))
        .file("b.csv", "text,id\nx,2,beyond\n\n");
    dedup(&env, "a.csv b.csv -o kept.csv");
    assert_eq!(env.read("kept.csv"), env.read("a.csv") + "2,x,beyond\n\n");
}

#[test]
fn a_folder_gives_its_files_and_takes_one_for_each_input() {
    let env = Env::new()
        .file(".gitignore", "data\n")
        .file(
            "data/a.jsonl",
            named_record(1, PARK) + &named_record(2, BREAD),
        )
        .file("data/deep/b.jsonl", named_record(3, PARK))
        .file(
            "data/deep/c.json",
            named_record(4, PARK) + &named_record(5, PARK),
        )
        .file("data/info.json", "{\n\"splits\": 2\n}\n")
        .file("data/notes.md", BREAD);
    let run = dedup(&env, "data --id-field id -o out/ --verdicts why.jsonl");
    run.says("5 records: 2 kept, 3 removed");
    run.says("1 file of JSON in data left out, such as data/info.json: ");
    assert_eq!(env.read("out/c.json"), "");
    assert_eq!(env.read("out/a.jsonl"), env.read("data/a.jsonl"));
    assert_eq!(env.read("out/b.jsonl"), "");
    let why: Vec<Value> = lines(&env.read("why.jsonl"));
    assert_eq!(why[0]["keep_id"], "1");
    assert_eq!(why[0]["drop_id"], "3");
    let env = env.file("more/a.jsonl", named_record(4, BREAD));
    let run = env.run("dedup data/a.jsonl more/a.jsonl -o out");
    run.complains("two files are called a.jsonl, and out has room for one");
}

#[test]
fn many_near_copies_of_one_record_are_a_warning() {
    let record = |at: usize| json!({ "context": format!("{BREAD} {PARK}"), "question": format!("who number {at}?") });
    let all: Vec<String> = (0..10).map(|at| record(at).to_string()).collect();
    let env = Env::new().file("qa.jsonl", all.join("\n"));
    let args = "qa.jsonl --text-field context,question -o kept";
    let run = dedup(&env, args);
    let says = "9 near-copies go for qa.jsonl#1 alone; if a field tells them apart, such as a question, \
                --unless-field question keeps them";
    run.says(says);
    let run = dedup(&env, (args, "--unless-field question"));
    run.says("10 kept");
    run.omits("near-copies go for");
}

#[test]
fn near_copies_of_many_records_are_a_warning_if_they_are_half_of_all() {
    let record = |subject: &str, at: usize| {
        let words: Vec<String> = (0..60).map(|word| format!("{subject}{word}")).collect();
        json!({ "context": words.join(" "), "question": format!("who number {at}?") }).to_string()
    };
    let all = |of_each: usize| {
        let of = |subject| (0..of_each).map(move |at| record(subject, at));
        let subjects = ["tea", "park", "bread", "kiln"].into_iter();
        subjects.flat_map(of).collect::<Vec<_>>().join("\n")
    };
    let args = "qa.jsonl --text-field context,question -o kept";
    let env = Env::new().file("qa.jsonl", all(4));
    dedup(&env, args).says(
        "12 of 16 records go as near-copies; if a field tells them apart, such as a question, \
         --unless-field question keeps them",
    );
    let env = Env::new().file("qa.jsonl", all(3));
    dedup(&env, args).omits("go as near-copies");
}
