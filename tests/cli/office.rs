//! Office files and books among other documents.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::env::{BREAD, Env, PARK, PARK_EDITED, Report, Says, formats_for_ci};

/// An archive with these parts.
fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A document of Word with these lines as paragraphs, and a large picture.
fn docx(text: &str) -> Vec<u8> {
    docx_with(text, &[])
}

/// The same with other parts.
fn docx_with(text: &str, others: &[(&str, &[u8])]) -> Vec<u8> {
    let paragraphs: String = text
        .lines()
        .map(|line| {
            let (first, rest) = line.split_at(line.len() / 2);
            let runs = [first, rest]
                .map(|run| format!("<w:r><w:t xml:space=\"preserve\">{run}</w:t></w:r>"));
            format!("<w:p>{}</w:p>", runs.concat())
        })
        .collect();
    let document = format!("<w:document><w:body>{paragraphs}</w:body></w:document>");
    let relations = "<Relationships><Relationship Id=\"r\" Type=\"x/officeDocument\" Target=\"word/document.xml\"/>\
                     </Relationships>";
    let picture = vec![0; 1 << 20];
    let parts: [(&str, &[u8]); 3] = [
        ("_rels/.rels", relations.as_bytes()),
        ("word/document.xml", document.as_bytes()),
        ("word/media/picture", &picture),
    ];
    zipped(&[&parts[..], others].concat())
}

#[test]
fn a_document_with_more_pictures_or_a_header_stays() {
    let header = |text: &str| format!("<w:hdr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:hdr>");
    let (header, empty) = (header("All rights reserved"), header(""));
    let (footer, map) = ("word/footer1.xml", ("word/media/map.png", &b"map"[..]));
    let link = "<Relationships><Relationship Id=\"r\" Target=\"bread%20(1).md\" TargetMode=\"External\"/></Relationships>";
    let env = Env::new()
        .file("park.docx", docx(PARK))
        .file("park-map.docx", docx_with(PARK, &[map]))
        .file(
            "park-rights.docx",
            docx_with(PARK, &[(footer, header.as_bytes())]),
        )
        .file(
            "park-copy.docx",
            docx_with(PARK, &[(footer, empty.as_bytes())]),
        )
        .file("bread.md", BREAD)
        .file("bread (1).md", BREAD)
        .file(
            "list.docx",
            docx_with(
                "Bread",
                &[("word/_rels/document.xml.rels", link.as_bytes())],
            ),
        );
    let lines: Vec<serde_json::Value> = crate::plan::plan(&env, "");
    let mut told: Vec<String> = lines
        .iter()
        .map(|line| match line["drop"].as_str() {
            Some(name) => format!("{name} goes"),
            None => format!(
                "{}: {}",
                line["document"].as_str().unwrap(),
                line["because"].as_str().unwrap()
            ),
        })
        .collect();
    told.sort_unstable();
    let more = "it stays, as it has a picture, a header or the like that the other one lacks";
    let expected = [
        // The office file links to the other one.
        "bread.md goes".to_owned(),
        "park-copy.docx goes".to_owned(),
        format!("park-map.docx: {more}: word/media/map.png"),
        format!("park-rights.docx: {more}: All rights reserved"),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_document_is_a_copy_of_its_text() {
    let env = Env::new()
        .file("a.docx", docx(PARK))
        .file("b.txt", PARK)
        .file("c.DOCX", docx(PARK_EDITED))
        .file("d.docx", docx(BREAD));
    let report = env.json(". --max-filesize 64K");
    let pairs = report.pairs.iter();
    let pairs: Vec<_> = pairs.map(|pair| (pair.names(), &*pair.relation)).collect();
    assert_eq!(pairs[0], (("a.docx", "b.txt"), "exact"));
    let plan = env.run("plan a.docx b.txt --keep path --quiet");
    let because = "the same text; the files differ, and only their texts were compared";
    plan.ok().says(because);
    plan.stdout.omits("only_in_drop");
    assert!(
        pairs[1..].iter().all(|(_, relation)| *relation == "near"),
        "{pairs:?}"
    );
    assert_eq!(pairs.len(), 3);
    env.run("compare a.docx c.DOCX").ok().says("maples");
}

#[test]
fn reports_name_no_lines_of_an_archive() {
    // Several passages, so that there would be many lines to name. A text that repeats itself would prove nothing.
    let section = |n: usize| format!("{n}\n{}\n", PARK.replace(' ', &format!(" n{n} ")));
    let sections: Vec<String> = (0..6).map(section).collect();
    let text = sections.concat();
    let edited = [&sections[3..], &sections[..3]].concat().concat();
    let edited = edited.replace("willow", "old apple");
    let env = Env::new()
        .file("a.docx", docx(&text))
        .file("b.docx", docx(&edited));
    for format in formats_for_ci() {
        let run = env.report([".", "--format", format]);
        let report = run.ok();
        report.says("a.docx");
        for part in ["lines ", "line 2", "endLine", "line=2", "shared with"] {
            report.omits(part);
        }
    }
    let env = Env::new().file("a.txt", &text).file("b.txt", &edited);
    let report = env.report(". --format sarif");
    report.ok().says("shared with lines ");
}

#[test]
fn unreadable_files_are_skipped_with_a_reason() {
    let env = Env::new()
        .file("legacy.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest")
        .file("locked.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest")
        .file("plain.docx", PARK);
    let run = env.scan(".");
    let report = Report::of(run.warns("plain.docx: malformed: no Word document: "));
    let expected = [
        ("legacy.doc", "unsupported"),
        ("locked.docx", "malformed"),
        ("plain.docx", "malformed"),
    ];
    assert_eq!(report.skips(), expected);
    // The fault of a file that is named is printed once.
    let run = env.scan("plain.docx");
    let said = "dupfind: warning: plain.docx: malformed: no Word document: such a file is a zip archive, and this \
                is none\ndupfind: error: plain.docx: no document in it\n";
    assert_eq!((&*run.stderr, run.code), (said, Some(2)));
    let said = "dupfind: error: plain.docx: no document in it: no Word document: such a file is a zip archive, and \
                this is none\n";
    assert_eq!(env.scan("-q plain.docx").stderr, said);
}
