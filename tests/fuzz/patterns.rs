//! Every construct of the grammars of web pages, records and archives, repeated and nested without end.
//!
//! A reader that calls itself for each of them, or uses a parser that does, overflows the stack, which nothing can catch. So
//! each document is read in a thread with a quarter of the stack that programs give it, and repeats often enough for that:
//! a call of a development build takes more than 210 bytes. The message of an overflow has the name of the thread, which
//! is the pattern.

use std::env;
use std::path::Path;
use std::thread;

use dupfind_read::{Batches, Kind, ReadOptions};

use crate::list::list;
use crate::run::Site;
use crate::seeds;

/// The stack of a thread that reads, in bytes.
const STACK: usize = 512 << 10;

/// How often a construct is repeated, and how often if `DUPFIND_FUZZ_SECONDS` gives time.
const TIMES: [usize; 2] = [2_500, 300_000];

/// The parts of a pattern between these are repeated: `‹<b>›x‹</b>›` is nested, `x‹ *a*›` goes on and on.
const REPEATED: [char; 2] = ['‹', '›'];

/// Returns the text of a pattern, of a document's size at most.
fn repeated(pattern: &str) -> String {
    let times = TIMES[usize::from(env::var("DUPFIND_FUZZ_SECONDS").is_ok())];
    let parts: Vec<&str> = pattern.split(REPEATED).collect();
    let longest = parts.iter().map(|part| part.len()).max().unwrap_or(1);
    let times = times.min((8 << 20) / longest.max(1));
    let parts = parts.into_iter().enumerate();
    parts
        .map(|(at, part)| part.repeat(if at % 2 == 0 { 1 } else { times }))
        .collect()
}

/// Reads documents of one kind, each in a thread with little stack. `document` makes one of the text of a pattern.
fn read_all(name: &str, patterns: &[String], document: impl Fn(String) -> Vec<u8>) {
    let site = Site::new();
    for pattern in patterns {
        site.write(name, document(repeated(pattern)));
        let path = site.path(name);
        let reader = thread::Builder::new()
            .name(format!("{name} of {pattern}").replace('\0', "␀"))
            .stack_size(STACK)
            .spawn(move || read(&path));
        assert!(reader.unwrap().join().is_ok(), "{name} of {pattern}");
    }
}

/// Reads a file as a scan does.
fn read(path: &Path) {
    let (kind, settings) = (Kind::of(path), ReadOptions::default());
    if let Ok(Some(batches)) = Batches::open(path, kind, &settings) {
        for batch in batches.map_while(Result::ok) {
            for numbered in batch.records(&settings.fields) {
                if let Ok(record) = numbered.record {
                    let encoding = batch.encoding();
                    drop(dupfind_read::record(
                        record.text,
                        record.title,
                        encoding,
                        &settings,
                    ));
                }
            }
        }
        return;
    }
    let _ = dupfind_read::file(path, kind, &settings, &mut Vec::new());
}

/// Fills the gap of each frame with each content.
fn framed(frames: &str, contents: &[String]) -> Vec<String> {
    let fill = |frame: String| {
        contents
            .iter()
            .map(move |content| frame.replace('…', content))
    };
    list(frames).into_iter().flat_map(fill).collect()
}

/// Patterns of attributes, with every way to quote a value, and in every place.
fn attributes() -> Vec<String> {
    let attributes = framed(
        "‹…›",
        &list(
            r#"a ¦a=1 ¦a="1" ¦a='1' ¦a="" ¦a='' ¦a="1"¦a='1'¦a="&amp;" ¦a="&" ¦a="&#¦a="<p>" ¦a="⏎"⏎¦a="␍"␍⏎¦a = "1" ¦a="1"/¦
a="'" b='"' ¦a="␀" ¦class="中" ¦style="display:none" ¦id="1¦href="a" class="b"⏎¦="1" ¦"¦'¦=¦/¦<"#,
        ),
    );
    framed(
        "<p …>x y z</p>¦x</p …>x¦<p …¦<script …>x</script>x¦<svg><a …/>x</svg>x¦<!doctype html public …>x¦
<div><textarea …>x",
        &attributes,
    )
}

/// Patterns of tags and the rest of HTML.
fn markup() -> Vec<String> {
    let elements = list(
        "p¦b¦a href=x¦div¦svg¦math¦table¦tr¦td¦ul¦li¦select¦option¦title¦textarea¦template¦ruby¦pre¦article¦x-y¦
script¦style¦font¦form¦button¦noscript¦iframe¦h1¦frameset¦col",
    );
    let mut all = framed("‹<…>›x¦‹<…>›x‹</…>›¦‹<…>x</…>›¦‹<…/>›x¦x‹</…>›", &elements);
    all.extend(list(r#"‹<table><tr><td>›x¦‹<ul><li>›x‹</li></ul>›¦‹<b><p>›x¦‹<a href="x"><b class="y">›x¦‹<svg><foreignObject>›x¦
‹<svg><title>›x¦‹<button>accept cookie</button>›¦‹<div><button>accept cookie</button>›¦
‹<!-- x -->›¦‹<!-- ›x‹ -->›¦‹<!-›¦‹<!--<!--›¦<!--‹--!›¦‹<![CDATA[x]]>›¦<svg>‹<![CDATA[x]]>›¦
‹<![CDATA[›¦‹<?x ?>›¦‹<!doctype a "b">›¦<!DOCTYPE a [‹<!ENTITY b "c">›]><p>‹&b;›¦‹&amp;›¦‹&#1;›¦‹&#x1F600;›¦
‹&notit;›¦‹&›¦<script>‹<!--<script>›¦<script>‹</script ›¦<title>‹</titl›¦‹<›¦‹>›¦‹</›¦‹<a›¦‹<a ›¦‹␀›¦‹␍›"#));
    all
}

/// A page around a pattern, long enough for its article to be looked for.
fn page(pattern: &str) -> String {
    let paragraph =
        "<p>A paragraph, with commas, of an article that is long enough to be one.</p>\n";
    format!("<!doctype html>{}{pattern}", paragraph.repeat(8))
}

/// Front matter of each language, before a text.
fn front_matter() -> Vec<String> {
    let mut all = framed(
        "---⏎…⏎---⏎x y¦---⏎title: …⏎---⏎x y",
        &list(r#"‹[›¦‹{a: ›¦‹- ›¦‹a: ⏎›¦‹"›¦‹&a *a ›¦‹? ›¦‹!›¦‹| ›"#),
    );
    all.extend(framed(
        "+++⏎…⏎+++⏎x y",
        &list(r#"title = ‹[›¦title = ‹[›‹]›¦title = ‹{a=›¦title‹.a› = 1¦[‹a.›a]¦‹[[a]]⏎›¦‹"›¦‹a=›¦title = ‹{a=›1‹}›"#),
    ));
    all.extend(framed("{…}⏎x y", &list(r#""title": ‹[›¦"title": ‹{"a":›"#)));
    all
}

fn json() -> Vec<String> {
    list(
        r#"‹[›¦‹[›‹]›¦‹{"a":›¦‹{"a":›1‹}›¦{"text": ‹[›‹]›}¦[{"text": ‹[›1‹]›}]¦[{"text": ‹{"a":›1‹}›}]¦
{"text": ‹{"text":›"x"‹}›}¦[‹[],›1]¦[‹{"text":"x"},›{}]¦{"text": "‹\u0061›"}¦{"text": "‹\"›"}¦{"text": "‹\›¦
{‹"text": "x",›}¦{"cells": [‹{"cell_type":"markdown","source":"x"},›]}¦{"cells": ‹[›‹]›}¦
{"metadata": ‹[›‹]›, "cells": []}¦‹"›¦‹-›¦‹1›¦{"text": ‹-›}"#,
    )
}

fn tables() -> Vec<String> {
    framed(
        "text,id⏎…¦…⏎1,2⏎",
        &list(r#"‹"›¦‹""›¦‹,›¦‹"a",›¦‹"a"⏎›¦‹"a""b",1⏎›¦‹\"›¦‹"⏎›¦‹;›¦‹⇥›¦‹'›¦‹␍›"#),
    )
}

/// Patterns of XML, for the parts of archives.
fn xml() -> Vec<String> {
    let mut all = framed(
        "‹<…>›¦‹<…>›x‹</…>›¦‹<…>x</…>›¦‹<…/>›¦‹</…>›",
        &list("w:p¦w:r¦w:t¦w:tbl¦w:txbxContent¦mc:AlternateContent¦w:sdt¦w:ins¦a:p¦a:t¦p:grpSp¦p:sp¦si¦row¦c¦c t='s'¦v¦
text:p¦text:span¦text:section¦table:table¦text:list¦draw:frame¦math¦div¦p¦item¦itemref¦x"),
    );
    all.extend(framed(
        "<w:p ‹…›><w:r><w:t>x</w:t></w:r></w:p>¦<p ‹…›>x</p>¦<text:p ‹…›>x</text:p>",
        &list(r#"a ¦a=1 ¦a="1" ¦a='1' ¦a="&amp;" ¦xmlns:a="b" ¦a="<" ¦a="1""#),
    ));
    all.extend(list(r#"‹<!-- x -->›¦‹<!--›¦‹<![CDATA[x]]>›¦‹<![CDATA[›¦‹<?x?>›¦‹&amp;›¦‹&a;›¦‹&#1;›¦‹<›¦‹>›¦‹&›¦‹<!DOCTYPE a [›¦
‹<!DOCTYPE a>›¦<!DOCTYPE a [‹<!ENTITY b "&b;&b;">›]>‹&b;›"#));
    all
}

#[test]
fn pages_of_one_construct() {
    let text = |pattern: String| page(&pattern).into_bytes();
    // One tokenizer reads the attributes of both.
    read_all("a.html", &attributes(), text);
    read_all("a.html", &markup(), text);
    read_all("a.xhtml", &markup(), text);
}

#[test]
fn pages_in_records() {
    let record = |pattern: String| serde_json::json!({ "text": page(&pattern) }).to_string();
    read_all("a.jsonl", &attributes(), |pattern| {
        record(pattern).into_bytes()
    });
}

#[test]
fn formats_of_lines() {
    read_all("a.md", &attributes(), String::into_bytes);
    read_all("a.md", &markup(), String::into_bytes);
    read_all("a.mdx", &attributes(), String::into_bytes);
    read_all("a.md", &front_matter(), String::into_bytes);
    let generators =
        "‹%% a⏎›¦‹%%a%% ›¦‹%%a%%%%⏎›¦‹(a)=⏎›¦‹+++ {⏎›¦‹a{ .b } ›¦‹[[a|›b]]¦‹{{< a ›¦‹# a⏎›";
    read_all("a.md", &list(generators), String::into_bytes);
    let terminal = "‹\u{1b}[›¦‹\u{1b}]›¦‹a\u{8}›¦‹a›‹\u{8}›¦‹\u{1b}[1m⏎›";
    read_all("a.txt", &list(terminal), String::into_bytes);
}

#[test]
fn notebooks() {
    let notebook = |text| {
        let cell = serde_json::json!({ "cell_type": "markdown", "source": text });
        let notebook = serde_json::json!({ "cells": [cell] });
        notebook.to_string().into_bytes()
    };
    read_all("a.ipynb", &attributes(), notebook);
    read_all("a.ipynb", &json(), String::into_bytes);
}

#[test]
fn records() {
    for name in ["a.json", "a.jsonl"] {
        read_all(name, &json(), String::into_bytes);
    }
    for name in ["a.csv", "a.tsv"] {
        read_all(name, &tables(), String::into_bytes);
    }
}

#[test]
fn archives() {
    for (name, archive, part) in [
        (
            "a.docx",
            seeds::DOCX,
            "<w:document xmlns:w='w'><w:body>…</w:body></w:document>",
        ),
        (
            "a.pptx",
            seeds::PPTX,
            "<p:sld><p:cSld><p:spTree>…</p:spTree></p:cSld></p:sld>",
        ),
        (
            "a.xlsx",
            seeds::XLSX,
            "<worksheet><sheetData>…</sheetData></worksheet>",
        ),
        (
            "a.odt",
            seeds::ODT,
            "<office:document-content><office:body><office:text>…</office:text></office:body></office:document-content>",
        ),
        ("a.epub", seeds::EPUB, "<html><body>…</body></html>"),
    ] {
        let (root, _) = part.split_once(['>', ' ']).unwrap();
        let replaced = |pattern: String| {
            let with = |content: String| match content.contains(root) {
                true => part.replace('…', &pattern),
                false => content,
            };
            let parts = seeds::parts(archive).into_iter();
            let parts = parts.map(|(name, content)| (name, with(content).into_bytes()));
            seeds::zipped(&parts.collect::<Vec<_>>())
        };
        read_all(name, &xml(), replaced);
    }
}
