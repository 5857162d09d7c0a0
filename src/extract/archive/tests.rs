use std::io::{Cursor, Write};

use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

const LIMIT: u64 = 1 << 20;

/// An archive with these parts.
fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A list of relations: id, kind and target of each.
fn relations(all: &[(&str, &str, &str)]) -> String {
    let all: String = all
        .iter()
        .map(|(id, kind, target)| {
            format!(r#"<Relationship Id="{id}" Type="http://x/relationships/{kind}" Target="{target}"/>"#)
        })
        .collect();
    format!("<?xml version='1.0'?><Relationships>{all}</Relationships>")
}

fn docx(body: &str, notes: &str) -> Vec<u8> {
    zipped(&[
        (
            "_rels/.rels",
            &relations(&[("r1", "officeDocument", "word/document.xml")]),
        ),
        (
            "word/_rels/document.xml.rels",
            &relations(&[
                ("r3", "header", "header1.xml"),
                ("r2", "footnotes", "/word/footnotes.xml"),
            ]),
        ),
        (
            "word/header1.xml",
            "<w:hdr><w:p><w:r><w:t>header</w:t></w:r></w:p></w:hdr>",
        ),
        (
            "word/document.xml",
            &format!("<w:document xmlns:w='w'><w:body>{body}</w:body></w:document>"),
        ),
        (
            "word/footnotes.xml",
            &format!("<w:footnotes>{notes}</w:footnotes>"),
        ),
    ])
}

/// A paragraph of Word of one run.
fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>")
}

fn pptx(first: &str, second: &str, notes: &str) -> Vec<u8> {
    let shown = |show: &str, content: &str| {
        format!("<p:sld{show}><p:cSld><p:spTree>{content}</p:spTree></p:cSld></p:sld>")
    };
    let slide = |content: &str| shown("", content);
    let hidden = shown(" show='0'", "<a:p><a:r><a:t>hidden</a:t></a:r></a:p>");
    zipped(&[
        (
            "_rels/.rels",
            &relations(&[("r1", "officeDocument", "/ppt/presentation.xml")]),
        ),
        (
            "ppt/presentation.xml",
            "<p:presentation><p:sldMasterIdLst><p:sldMasterId id='1' r:id='m'/></p:sldMasterIdLst>\
             <p:sldIdLst><p:sldId id='257' r:id='b'/><p:sldId id='256' r:id='a'/><p:sldId id='258' r:id='b'/>\
             <p:sldId id='259' r:id='h'/></p:sldIdLst></p:presentation>",
        ),
        (
            "ppt/_rels/presentation.xml.rels",
            &relations(&[
                ("m", "slideMaster", "slideMasters/m.xml"),
                ("a", "slide", "slides/slide1.xml"),
                ("b", "slide", "slides/slide2.xml"),
                ("h", "slide", "slides/hidden.xml"),
            ]),
        ),
        ("ppt/slides/hidden.xml", &hidden),
        ("ppt/slides/slide1.xml", &slide(second)),
        ("ppt/slides/slide2.xml", &slide(first)),
        (
            "ppt/slides/_rels/slide2.xml.rels",
            &relations(&[
                ("n", "notesSlide", "../notesSlides/n.xml"),
                ("d", "diagramData", "../diagrams/d.xml"),
            ]),
        ),
        (
            "ppt/diagrams/d.xml",
            "<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:prSet phldrT='[no]'/><dgm:t> <a:bodyPr/>\
             <a:p><a:r><a:t>step</a:t></a:r></a:p> </dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>",
        ),
        ("ppt/notesSlides/n.xml", &slide(notes)),
        (
            "ppt/slideMasters/m.xml",
            &slide("<a:p><a:r><a:t>master</a:t></a:r></a:p>"),
        ),
    ])
}

fn xlsx(shared: &str, first: &str, second: &str) -> Vec<u8> {
    let sheet = |rows: &str| format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    zipped(&[
        (
            "_rels/.rels",
            &relations(&[("r", "officeDocument", "xl/workbook.xml")]),
        ),
        (
            "xl/workbook.xml",
            "<workbook><sheets><sheet name='One' sheetId='7' r:id='b'/><sheet name='Two' sheetId='1' r:id='a'/>\
             <sheet name='Three' sheetId='2' state='veryHidden' r:id='c'/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            &relations(&[
                ("a", "worksheet", "worksheets/sheet1.xml"),
                ("b", "worksheet", "worksheets/sheet2.xml"),
                ("c", "worksheet", "worksheets/sheet3.xml"),
                ("s", "sharedStrings", "sharedStrings.xml"),
            ]),
        ),
        ("xl/sharedStrings.xml", &format!("<sst>{shared}</sst>")),
        ("xl/worksheets/sheet1.xml", &sheet(second)),
        ("xl/worksheets/sheet2.xml", &sheet(first)),
        (
            "xl/worksheets/sheet3.xml",
            &sheet("<row><c t='str'><v>hidden</v></c></row>"),
        ),
    ])
}

fn odf(body: &str) -> Vec<u8> {
    zipped(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        (
            "content.xml",
            &format!(
                "<office:document-content><office:automatic-styles><number:text>style</number:text>\
                 </office:automatic-styles><office:body>{body}</office:body></office:document-content>"
            ),
        ),
        ("styles.xml", "<x><text:p>header</text:p></x>"),
    ])
}

fn epub(first: &str, second: &str) -> Vec<u8> {
    let path = "OPS/book.opf";
    book(
        path,
        path,
        "a%20b.xhtml",
        ["a b.xhtml", "OPS"],
        [first, second],
    )
}

/// A book of two chapters, with what is written for its package and for the second chapter, and what these and their
/// folder are called.
fn book(
    package: &str,
    package_name: &str,
    second: &str,
    [second_name, folder]: [&str; 2],
    bodies: [&str; 2],
) -> Vec<u8> {
    let page = |body: &str| {
        format!("<html><head><title>none</title></head><body><p>{body}</p></body></html>")
    };
    zipped(&[
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            &format!(
                "<container><rootfiles><rootfile full-path='{package}'/></rootfiles></container>"
            ),
        ),
        (
            package_name,
            &format!(
                "<package><manifest><item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>\
             <item id='two' href='text/{second}' media-type='application/xhtml+xml'/>\
             <item id='one' href='./one.xhtml#start' media-type='application/xhtml+xml'/>\
             <item id='pic' href='pic.png' media-type='image/png'/></manifest>\
             <spine><itemref idref='nav'/><itemref idref='one'/><itemref idref='two'/><itemref idref='gone'/>\
             <itemref idref='pic'/></spine></package>"
            ),
        ),
        (&format!("{folder}/nav.xhtml"), &page("contents")),
        (&format!("{folder}/text/{second_name}"), &page(bodies[1])),
        (&format!("{folder}/one.xhtml"), &page(bodies[0])),
        (&format!("{folder}/pic.png"), "picture"),
    ])
}

#[test]
fn the_parts_of_a_book_are_found_however_their_names_are_written() {
    for (package, package_name) in [
        ("O P/b.opf", "O P/b.opf"),
        ("O%20P/b.opf", "O P/b.opf"),
        ("O%20P/b.opf", "O%20P/b.opf"),
        ("OPS/100%.opf", "OPS/100%.opf"),
    ] {
        for (second, second_name) in [
            ("a%20b.xhtml", "a b.xhtml"),
            ("a%20b.xhtml", "a%20b.xhtml"),
            ("%E4%B8%80.xhtml", "一.xhtml"),
            ("一.xhtml#x", "一.xhtml"),
            ("%FF.xhtml", "%FF.xhtml"),
        ] {
            let folder = package_name.split('/').next().unwrap();
            let names = [second_name, folder];
            let book = book(package, package_name, second, names, ["one", "two"]);
            let text = read(&book, Format::Epub);
            let text = text.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            assert_eq!(
                text.as_deref(),
                Ok("one two"),
                "{package} {second} {names:?}"
            );
        }
    }
}

fn read(archive: &[u8], format: Format) -> Result<String, Refusal> {
    text(Cursor::new(archive), format, LIMIT).map(|taken| taken.text)
}

#[test]
fn documents_of_word() {
    for (body, notes, expected) in [
        (
            &*(paragraph("one") + &paragraph("城市")),
            String::new(),
            "one\n城市\n",
        ),
        // Words are cut into runs wherever the looks or the checking of spelling changed.
        (
            "<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr><w:r><w:t>near-</w:t></w:r>\
             <w:proofErr/><w:r><w:rPr><w:b/></w:rPr><w:t>dup</w:t></w:r><w:r><w:t xml:space='preserve'>licate </w:t>\
             </w:r><w:r><w:t>&#25991;&amp;</w:t></w:r></w:p>",
            String::new(),
            "near-duplicate 文&\n",
        ),
        (
            "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t></w:r></w:p>",
            String::new(),
            "a\tb\nc\nd\n",
        ),
        (
            &format!(
                "<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>{}",
                paragraph("cell"),
                paragraph("next"),
                paragraph("after")
            ),
            String::new(),
            "cell\nnext\nafter\n",
        ),
        // A text box stands in the file twice, and beside its paragraph.
        (
            &format!(
                "<w:p><w:r><w:t>be</w:t><mc:AlternateContent><mc:Choice><wps:txbx><w:txbxContent>{0}{0}\
                 </w:txbxContent></wps:txbx></mc:Choice><mc:Fallback><v:textbox><w:txbxContent>{0}</w:txbxContent>\
                 </v:textbox></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>side</w:t></w:r></w:p>",
                paragraph("box")
            ),
            String::new(),
            "beside\nbox\nbox\n",
        ),
        // Only what is there now.
        (
            "<w:p><w:del><w:r><w:delText>old</w:delText><w:t>old</w:t></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r>\
             </w:ins><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:instrText>PAGE</w:instrText></w:r>\
             <w:ruby><w:rt><w:r><w:t>ruby</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>字</w:t></w:r></w:rubyBase></w:ruby>\
             </w:p>",
            String::new(),
            "new字\n",
        ),
        // What is hidden is seen by no reader, unless a style was the one to hide it and the run shows it again.
        (
            "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t><w:br/><w:t>x</w:t></w:r>\
             <w:r><w:rPr><w:vanish w:val='1'/><w:b/></w:rPr><w:t>x</w:t></w:r>\
             <w:r><w:rPr><w:vanish w:val='false'/></w:rPr><w:t>a</w:t></w:r>\
             <w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>b</w:t></w:r>\
             <w:r><w:rPr><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>c</w:t></w:r>\
             <w:r><w:rPr/><w:t>d</w:t></w:r></w:p>\
             <w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>e</w:t></w:r></w:p>",
            String::new(),
            "abcd\ne\n",
        ),
        (&paragraph("text"), paragraph("a note"), "text\na note\n"),
        ("", String::new(), ""),
    ] {
        assert_eq!(
            read(&docx(body, &notes), Format::Docx).as_deref(),
            Ok(expected),
            "{body}"
        );
    }
}

#[test]
fn presentations() {
    let shape = |place: &str, text: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr><p:ph type='{place}'/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r>\
             </a:p></p:txBody></p:sp>"
        )
    };
    let first = shape("title", "First &amp; 城市")
        + &shape("sldNum", "1")
        + "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>ce</a:t></a:r><a:r><a:t>ll</a:t></a:r><a:br/>\
           <a:r><a:t>x</a:t></a:r><a:fld type='slidenum'><a:t>7</a:t></a:fld></a:p></a:txBody></a:tc></a:tr></a:tbl>\
           </p:graphicFrame>";
    let notes = shape("hdr", "header") + &shape("body", "say this");
    let archive = pptx(&first, &shape("body", "Second"), &notes);
    assert_eq!(
        read(&archive, Format::Pptx).as_deref(),
        Ok("First & 城市\ncell\nx\nstep\nsay this\nSecond\n")
    );
}

#[test]
fn workbooks() {
    let shared = "<si><t>name</t></si><si><r><t>two </t></r><r><t>runs</t></r><rPh><t>reading</t></rPh></si><si/>\
                  <si><t>城市</t></si>";
    let first = "<row><c t='s'><v>0</v></c><c t='s'><v>1</v></c><c t='s'><v>2</v></c><c t='s'><v>3</v></c></row>\
                 <row/><row><c><f>A1*2</f><v>42.5</v></c><c t='b'><v>1</v></c><c t='s'><v>99</v></c></row>";
    let second = "<row><c t='inlineStr'><is><r><t>in</t></r><r><t>line</t></r></is></c><c t='str'><v>a &lt; b</v></c></row>";
    assert_eq!(
        read(&xlsx(shared, first, second), Format::Xlsx).as_deref(),
        Ok("name\ttwo runs\t城市\n42.5\tTRUE\ninline\ta < b\n")
    );
    // The file has it once, and a million cells refer to it.
    let long = format!("<si><t>{}</t></si>", "x".repeat(10_000));
    let many = "<row><c t='s'><v>0</v></c></row>".repeat(1_000);
    let (reason, _) = read(&xlsx(&long, &many, ""), Format::Xlsx).unwrap_err();
    assert_eq!(reason, SkipReason::TooLarge);
}

#[test]
fn files_of_openoffice() {
    for (body, expected) in [
        (
            "<text:h>Title</text:h><text:p>one<text:s text:c='900000000'/><text:span>t</text:span>wo<text:tab/>\
             <text:line-break/>end</text:p>",
            "Title\none two\t\nend\n",
        ),
        (
            "<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:p>with<text:note>\
             <text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body>\
             </text:note> note<office:annotation><text:p>comment</text:p></office:annotation></text:p>",
            "with note\nnote\n",
        ),
        (
            "<table:table><table:table-row><table:table-cell office:value='1'><text:p>1,0</text:p></table:table-cell>\
             <table:table-cell table:number-columns-repeated='16384'><text:p>x</text:p></table:table-cell>\
             </table:table-row></table:table>",
            "1,0\nx\n",
        ),
        (
            "<draw:page><draw:frame><draw:text-box><text:p>slide</text:p></draw:text-box><svg:title>none</svg:title>\
             </draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>notes</text:p></draw:text-box>\
             </draw:frame></presentation:notes></draw:page>",
            "slide\nnotes\n",
        ),
    ] {
        assert_eq!(
            read(&odf(body), Format::Odf).as_deref(),
            Ok(expected),
            "{body}"
        );
    }
}

#[test]
fn books() {
    let text = read(&epub("Chapter one", "第二章 &amp; end"), Format::Epub).unwrap();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines, ["Chapter one", "第二章 & end"]);
    for closed in [
        "<video src='a.mp4'/>",
        "<script src='a.js'/>",
        "<span style='display:none'/>",
        "<canvas/>",
        "<title/>",
    ] {
        let text = read(
            &epub(&format!("one{closed} <![CDATA[<two>]]>"), "end"),
            Format::Epub,
        );
        let text = text.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        assert_eq!(text.as_deref(), Ok("one <two> end"), "{closed}");
    }
}

#[test]
fn only_the_parts_with_the_text_count() {
    let body = paragraph("x");
    let mut archive = docx(&body, "");
    let taken = text(Cursor::new(&archive), Format::Docx, LIMIT).unwrap();
    assert!((300..1200).contains(&taken.bytes), "{}", taken.bytes);
    archive = zipped(&[("word/media/picture", &"x".repeat(2 << 20))]);
    assert!(archive.len() < 10_000);
    let (reason, words) = read(&archive, Format::Docx).unwrap_err();
    assert_eq!(reason, SkipReason::Malformed);
    assert!(words.contains("names no document"), "{words}");
}

#[test]
fn what_is_something_else_is_said() {
    let whole = docx(&paragraph("x"), "");
    let other = xlsx("", "", "");
    let locked = zipped(&[
        (
            "META-INF/manifest.xml",
            "<manifest><file-entry><encryption-data/></file-entry></manifest>",
        ),
        ("content.xml", "\u{1}\u{2}"),
    ]);
    let protected = zipped(&[
        (
            "META-INF/container.xml",
            "<container><rootfile full-path='p'/></container>",
        ),
        (
            "META-INF/encryption.xml",
            "<encryption><CipherReference URI='a%20b'/></encryption>",
        ),
        (
            "p",
            "<package><item id='i' href='a%20b' media-type='text/html'/><itemref idref='i'/></package>",
        ),
        ("a b", "?"),
    ]);
    for (archive, format, reason, part) in [
        (&b""[..], Format::Docx, SkipReason::Empty, ""),
        (
            b"plain text",
            Format::Docx,
            SkipReason::Malformed,
            "no Word document: such a file is a zip",
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0",
            Format::Docx,
            SkipReason::Malformed,
            "it is encrypted, or of Office 97",
        ),
        (
            &whole[..whole.len() / 2],
            Format::Docx,
            SkipReason::Malformed,
            "damaged, or only a part",
        ),
        (
            &other,
            Format::Docx,
            SkipReason::Malformed,
            "its main part is a 'workbook' and no 'document'",
        ),
        (
            &whole,
            Format::Pptx,
            SkipReason::Malformed,
            "no PowerPoint presentation: its main part is a 'document'",
        ),
        (
            &whole,
            Format::Epub,
            SkipReason::Malformed,
            "no book: the archive has no part META-INF/container.xml",
        ),
        (
            &whole,
            Format::Odf,
            SkipReason::Malformed,
            "no OpenDocument file: the archive has no part content.xml",
        ),
        (
            &docx("<w:p>", ""),
            Format::Docx,
            SkipReason::Malformed,
            "a part of it is no XML",
        ),
        (
            &locked,
            Format::Odf,
            SkipReason::Malformed,
            "it is encrypted",
        ),
        (
            &protected,
            Format::Epub,
            SkipReason::Malformed,
            "it is encrypted",
        ),
    ] {
        let (found, words) = read(archive, format).unwrap_err();
        assert_eq!(found, reason, "{words}");
        assert!(words.contains(part), "{words}");
    }
}

#[test]
fn bombs_are_cut_short() {
    // 64 times the limit, of which the archive has some thousand bytes.
    let zeros = paragraph(&"0".repeat(64 << 20));
    let laughs: String = (1..10)
        .map(|n| format!("<!ENTITY l{n} '{}'>", format!("&l{};", n - 1).repeat(10)))
        .collect();
    let laughs = format!(
        "<!DOCTYPE x [<!ENTITY l0 'ha'>{laughs}]><w:document>{}</w:document>",
        paragraph("it is &l9; funny")
    );
    let laughs = zipped(&[
        (
            "_rels/.rels",
            &relations(&[("r", "officeDocument", "d.xml")]),
        ),
        ("d.xml", &laughs),
    ]);
    let deep = |name: &str| {
        let (begin, end) = (format!("<{name}>"), format!("</{name}>"));
        begin.repeat(20_000) + &paragraph("deep") + &end.repeat(20_000)
    };
    let wide: String = (0..50_000).map(|n| format!(" a{n}='{n}'")).collect();
    let wide = format!("<w:p{wide}><w:r><w:t>wide</w:t></w:r></w:p>");
    for (archive, expected) in [
        (docx(&zeros, ""), Err(SkipReason::TooLarge)),
        (laughs, Ok("it is  funny\n")),
        (docx(&deep("w:x"), ""), Ok("deep\n")),
        (docx(&deep("w:txbxContent"), ""), Ok("deep\n")),
        (docx(&deep("w:p"), ""), Ok("deep\n")),
        (docx(&wide, ""), Ok("wide\n")),
    ] {
        let found = read(&archive, Format::Docx);
        let found = found.as_deref().map_err(|(reason, _)| *reason);
        assert_eq!(found, expected);
    }
}

#[test]
fn an_archive_with_a_list_that_is_too_long_is_refused() {
    // What such an entry takes in memory is far more than in the file.
    let name = "n".repeat(60_000);
    let names: Vec<String> = (0..200).map(|number| format!("{number}{name}")).collect();
    let parts: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "")).collect();
    let (reason, words) = read(&zipped(&parts), Format::Docx).unwrap_err();
    assert_eq!(reason, SkipReason::Malformed);
    assert!(words.contains("its list of parts has no end"), "{words}");
}

/// One archive of each format.
fn samples() -> Vec<(Vec<u8>, Format)> {
    let words = paragraph("The old river park 城市");
    let row = "<row><c t='s'><v>0</v></c><c><v>7</v></c></row>";
    vec![
        (docx(&words, &words), Format::Docx),
        (pptx(&words, &words, &words), Format::Pptx),
        (xlsx("<si><t>park</t></si>", row, row), Format::Xlsx),
        (odf("<text:p>The old river park</text:p>"), Format::Odf),
        (epub("The old", "river park"), Format::Epub),
    ]
}

proptest! {
    #[test]
    fn damaged_archives_have_a_text_or_none_but_never_a_panic(
        which in 0..5_usize,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let (mut archive, format) = samples().swap_remove(which);
        for (at, byte) in flips {
            let at = at.index(archive.len());
            archive[at] = byte;
        }
        if is_cut {
            archive.truncate(cut.index(archive.len()));
        }
        // Past the net that would catch it.
        if let Ok(taken) = taken(Cursor::new(&archive), format, LIMIT) {
            prop_assert!(taken.bytes as u64 <= LIMIT);
        }
    }

    #[test]
    fn any_xml_is_read_or_refused(body in "(<w:p>|</w:p>|<w:t>|</w:t>|<w:t/>|<w:del>|</w:del>|&#x?[0-9a-f]{1,9};|&[a-z]{1,3};|<!--|-->|<!\\[CDATA\\[|\\]\\]>|\\PC){0,12}") {
        let _ = taken(Cursor::new(docx(&body, "")), Format::Docx, LIMIT);
        let _ = taken(Cursor::new(xlsx(&body, &body, "")), Format::Xlsx, LIMIT);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), which in 0..5_usize) {
        let bytes = [b"PK\x03\x04", &bytes[..]].concat();
        let (_, format) = samples().swap_remove(which);
        prop_assert!(taken(Cursor::new(bytes), format, LIMIT).is_err());
    }
}
