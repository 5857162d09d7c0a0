//! From bytes on the disk to the text that is compared, format by format, in MB/s of text:
//!
//! ```text
//! cargo bench --bench formats
//! cargo bench --bench formats -- FOLDER
//! ```
//!
//! The documents are the fixtures, or those of the folder, joined to texts of one size and written in every format. The
//! sizes are those of the texts, so that `text` is what everything is to be held against.

use std::fs;
use std::hint::black_box;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use dupfind_read as read;
use dupfind_read::{Batches, Kind, WebPart};
use encoding_rs::GB18030;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

#[expect(dead_code, reason = "no labels are needed here")]
mod support;
#[path = "support/timing.rs"]
mod timing;

use crate::timing::Timing;

/// How much text a file has at least.
const FILE_BYTES: usize = 64 << 10;

/// How many files of each format there are at most.
const FILES: usize = 32;

/// A way to write texts.
struct Form {
    name: &'static str,
    /// What the name of such a file ends in.
    extension: &'static str,
    write: fn(&str) -> Vec<u8>,
    settings: read::ReadOptions,
}

fn form(name: &'static str, extension: &'static str, write: fn(&str) -> Vec<u8>) -> Form {
    let settings = read::ReadOptions::default();
    Form {
        name,
        extension,
        write,
        settings,
    }
}

fn forms() -> Vec<Form> {
    let page = |name, part| {
        let mut page = form(name, "html", html);
        page.settings.web_part = part;
        page
    };
    vec![
        form("text", "txt", plain),
        form("text gb18030", "txt", |text| {
            GB18030.encode(text).0.into_owned()
        }),
        form("text utf-16", "txt", |text| {
            let units = text.encode_utf16().flat_map(u16::to_le_bytes);
            [0xff, 0xfe].into_iter().chain(units).collect()
        }),
        form("markdown", "md", markdown),
        page("html main", WebPart::Main),
        page("html all", WebPart::All),
        page("html raw", WebPart::Raw),
        form("json", "json", |text| records(text, "[", ",\n", "]")),
        form("jsonl", "jsonl", |text| records(text, "", "\n", "\n")),
        form("csv", "csv", csv),
        form("text gz", "txt.gz", |text| gzip(text.as_bytes())),
        form("jsonl gz", "jsonl.gz", |text| {
            gzip(&records(text, "", "\n", "\n"))
        }),
        form("docx", "docx", docx),
    ]
}

fn plain(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// Headings, links and emphasis around the lines of a text.
fn markdown(text: &str) -> Vec<u8> {
    let mut out = String::from("---\ntitle: A page\n---\n\n");
    for (number, line) in text.lines().enumerate() {
        match number % 8 {
            0 => out.push_str(&format!("## {line}\n\n")),
            3 => out.push_str(&format!("- [{line}](https://example.org/{number})\n")),
            5 => out.push_str(&format!("*{line}*\n\n")),
            _ => out.push_str(&format!("{line}\n")),
        }
    }
    out.into_bytes()
}

/// An article with navigation before it and a footer behind it.
fn html(text: &str) -> Vec<u8> {
    let mut out = String::from(
        "<!doctype html><html><head><title>A page</title><style>p { margin: 0 }</style></head><body><nav><ul>",
    );
    for number in 0..20 {
        out.push_str(&format!(
            "<li><a href=\"/{number}\">Section {number}</a></li>\n"
        ));
    }
    out.push_str("</ul></nav><article><h1>A page</h1>\n");
    for line in text.lines() {
        out.push_str(&format!("<p>{}</p>\n", escaped(line)));
    }
    out.push_str("</article><footer><p>All rights reserved.</p></footer></body></html>\n");
    out.into_bytes()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Stretches of a text, as records.
fn stretches(text: &str) -> impl Iterator<Item = String> {
    let lines: Vec<&str> = text.lines().collect();
    let stretches: Vec<String> = lines.chunks(20).map(|lines| lines.join("\n")).collect();
    stretches.into_iter()
}

fn records(text: &str, before: &str, between: &str, after: &str) -> Vec<u8> {
    let records: Vec<String> = stretches(text)
        .map(|text| json!({ "text": text }).to_string())
        .collect();
    format!("{before}{}{after}", records.join(between)).into_bytes()
}

fn csv(text: &str) -> Vec<u8> {
    let mut out = String::from("id,text\n");
    for (number, text) in stretches(text).enumerate() {
        out.push_str(&format!("{number},\"{}\"\n", text.replace('"', "\"\"")));
    }
    out.into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// The least that a reader of Word's files looks for.
fn docx(text: &str) -> Vec<u8> {
    let paragraph = |line| format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", escaped(line));
    let body: String = text.lines().map(paragraph).collect();
    let space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let document = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><w:document xmlns:w=\"{space}\"><w:body>{body}</w:body></w:document>"
    );
    let types = "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>";
    let relations = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship \
        Id=\"r\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" \
        Target=\"word/document.xml\"/></Relationships>";
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("[Content_Types].xml", types),
        ("_rels/.rels", relations),
        ("word/document.xml", document.as_str()),
    ] {
        let started = archive.start_file(name, SimpleFileOptions::default());
        started.expect("memory");
        archive.write_all(content.as_bytes()).expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}

/// Texts of one size, made of documents one after the other.
fn joined(documents: &[String]) -> Vec<String> {
    let mut texts = vec![String::new()];
    for document in documents.iter().cycle().take(documents.len() * 1_000) {
        let last = texts.last_mut().expect("there is one");
        // Control characters are no text in most of these formats.
        last.extend(document.chars().filter(|c| !c.is_control() || *c == '\n'));
        last.push('\n');
        if last.len() >= FILE_BYTES {
            if texts.len() == FILES {
                break;
            }
            texts.push(String::new());
        }
    }
    texts
}

/// Reads a file and returns how much text it has.
fn read(path: &Path, settings: &read::ReadOptions, buffer: &mut Vec<u8>) -> usize {
    let kind = Kind::of(path);
    let batches = Batches::open(path, kind, settings);
    let Ok(Some(batches)) = batches else {
        let document = read::file(path, kind, settings, buffer);
        return document.map_or(0, |document| black_box(document.text).len());
    };
    let mut read = 0;
    for batch in batches.map_while(Result::ok) {
        for numbered in batch.records(&settings.fields) {
            let document = numbered.record.and_then(|record| {
                let (encoding, settings) = (batch.encoding(), settings);
                Ok(
                    black_box(read::record(record.text, record.title, encoding, settings)?.text)
                        .len(),
                )
            });
            read += document.unwrap_or(0);
        }
    }
    read
}

fn main() {
    let documents: Vec<String> = support::folders()
        .into_iter()
        .flat_map(|folder| support::texts(&support::settings(folder)))
        .collect();
    let mut texts = joined(&documents);
    if support::is_test() {
        texts.truncate(2);
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let timing = Timing::new(bytes as f64 / 1e6, "MB", 10);
    for form in forms() {
        let files = TempDir::new().expect("a folder for temporary files");
        let write = |(number, text): (usize, &String)| {
            let path = files.path().join(format!("{number}.{}", form.extension));
            fs::write(&path, (form.write)(text)).expect("room on the disk");
            path
        };
        let paths: Vec<PathBuf> = texts.iter().enumerate().map(write).collect();
        let mut buffer = Vec::new();
        let mut read_all = || -> usize {
            let read = paths
                .iter()
                .map(|path| read(path, &form.settings, &mut buffer));
            read.sum()
        };
        if read_all() == 0 {
            eprintln!("{}: nothing is read of it", form.name);
            continue;
        }
        timing.time(form.name, read_all);
    }
}
