//! Archives of each format, made by hand.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::extract::archive::{Refused, text};
use crate::format::Format;

pub(super) const LIMIT: u64 = 1 << 20;

/// An archive with these parts.
pub(super) fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A list of relations: id, kind and target of each, as in `r1 slide a.xml, r2 slide b.xml`.
pub(super) fn relations(all: &str) -> String {
    let relation = |words: &str| {
        let [id, kind, target] = words.split(' ').collect::<Vec<_>>().try_into().unwrap();
        format!(
            r#"<Relationship Id="{id}" Type="http://x/relationships/{kind}" Target="{target}"/>"#
        )
    };
    let all: String = all.split(", ").map(relation).collect();
    format!("<?xml version='1.0'?><Relationships>{all}</Relationships>")
}

pub(super) fn docx(body: &str, notes: &str) -> Vec<u8> {
    let others = relations("r3 header header1.xml, r2 footnotes /word/footnotes.xml");
    let document = format!("<w:document xmlns:w='w'><w:body>{body}</w:body></w:document>");
    let header = "<w:hdr><w:p><w:r><w:t>header</w:t></w:r></w:p></w:hdr>";
    zipped(&[
        (
            "_rels/.rels",
            &relations("r1 officeDocument word/document.xml"),
        ),
        ("word/_rels/document.xml.rels", &others),
        ("word/header1.xml", header),
        ("word/document.xml", &document),
        (
            "word/footnotes.xml",
            &format!("<w:footnotes>{notes}</w:footnotes>"),
        ),
    ])
}

/// A paragraph of Word of one run.
pub(super) fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>")
}

pub(super) fn pptx(first: &str, second: &str, notes: &str) -> Vec<u8> {
    let shown = |show: &str, content: &str| {
        format!("<p:sld{show}><p:cSld><p:spTree>{content}</p:spTree></p:cSld></p:sld>")
    };
    let slide = |content: &str| shown("", content);
    let hidden = shown(" show='0'", "<a:p><a:r><a:t>hidden</a:t></a:r></a:p>");
    let master = slide("<a:p><a:r><a:t>master</a:t></a:r></a:p>");
    let presentation = "<p:presentation><p:sldMasterIdLst><p:sldMasterId id='1' r:id='m'/></p:sldMasterIdLst>\
                        <p:sldIdLst><p:sldId id='257' r:id='b'/><p:sldId id='256' r:id='a'/><p:sldId id='258' r:id='b'/>\
                        <p:sldId id='259' r:id='h'/></p:sldIdLst></p:presentation>";
    let slides = "m slideMaster slideMasters/m.xml, a slide slides/slide1.xml, b slide slides/slide2.xml, \
                  h slide slides/hidden.xml";
    let of_second = relations("n notesSlide ../notesSlides/n.xml, d diagramData ../diagrams/d.xml");
    let diagram = "<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:prSet phldrT='[no]'/><dgm:t> <a:bodyPr/>\
                   <a:p><a:r><a:t>step</a:t></a:r></a:p> </dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>";
    zipped(&[
        (
            "_rels/.rels",
            &relations("r1 officeDocument /ppt/presentation.xml"),
        ),
        ("ppt/presentation.xml", presentation),
        ("ppt/_rels/presentation.xml.rels", &relations(slides)),
        ("ppt/slides/hidden.xml", &hidden),
        ("ppt/slides/slide1.xml", &slide(second)),
        ("ppt/slides/slide2.xml", &slide(first)),
        ("ppt/slides/_rels/slide2.xml.rels", &of_second),
        ("ppt/diagrams/d.xml", diagram),
        ("ppt/notesSlides/n.xml", &slide(notes)),
        ("ppt/slideMasters/m.xml", &master),
    ])
}

pub(super) fn xlsx(shared: &str, first: &str, second: &str) -> Vec<u8> {
    let sheet = |rows: &str| format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let workbook = "<workbook><sheets><sheet name='One' sheetId='7' r:id='b'/><sheet name='Two' sheetId='1' r:id='a'/>\
                    <sheet name='Three' sheetId='2' state='veryHidden' r:id='c'/></sheets></workbook>";
    let sheets = "a worksheet worksheets/sheet1.xml, b worksheet worksheets/sheet2.xml, \
                  c worksheet worksheets/sheet3.xml, s sharedStrings sharedStrings.xml";
    let hidden = sheet("<row><c t='str'><v>hidden</v></c></row>");
    zipped(&[
        (
            "_rels/.rels",
            &relations("r officeDocument xl/workbook.xml"),
        ),
        ("xl/workbook.xml", workbook),
        ("xl/_rels/workbook.xml.rels", &relations(sheets)),
        ("xl/sharedStrings.xml", &format!("<sst>{shared}</sst>")),
        ("xl/worksheets/sheet1.xml", &sheet(second)),
        ("xl/worksheets/sheet2.xml", &sheet(first)),
        ("xl/worksheets/sheet3.xml", &hidden),
    ])
}

pub(super) fn odf(body: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:automatic-styles><number:text>style</number:text>\
         </office:automatic-styles><office:body>{body}</office:body></office:document-content>"
    );
    zipped(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", &content),
        ("styles.xml", "<x><text:p>header</text:p></x>"),
    ])
}

pub(super) fn epub(first: &str, second: &str) -> Vec<u8> {
    let (path, names) = ("OPS/book.opf", ["a b.xhtml", "OPS"]);
    book(path, path, "a%20b.xhtml", names, [first, second])
}

/// A book of two chapters, with these references to its package and to the second chapter, and these names of the two
/// and of their folder.
pub(super) fn book(
    package: &str,
    package_name: &str,
    second: &str,
    [second_name, folder]: [&str; 2],
    bodies: [&str; 2],
) -> Vec<u8> {
    let page = |body: &str| {
        format!("<html><head><title>none</title></head><body><p>{body}</p></body></html>")
    };
    let container =
        format!("<container><rootfiles><rootfile full-path='{package}'/></rootfiles></container>");
    let package = format!(
        "<package><manifest><item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>\
         <item id='two' href='text/{second}' media-type='application/xhtml+xml'/>\
         <item id='one' href='./one.xhtml#start' media-type='application/xhtml+xml'/>\
         <item id='pic' href='pic.png' media-type='image/png'/></manifest>\
         <spine><itemref idref='nav'/><itemref idref='one'/><itemref idref='two'/><itemref idref='gone'/>\
         <itemref idref='pic'/></spine></package>"
    );
    zipped(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", &container),
        (package_name, &package),
        (&format!("{folder}/nav.xhtml"), &page("contents")),
        (&format!("{folder}/text/{second_name}"), &page(bodies[1])),
        (&format!("{folder}/one.xhtml"), &page(bodies[0])),
        (&format!("{folder}/pic.png"), "picture"),
    ])
}

pub(super) fn read(archive: &[u8], format: Format) -> Result<String, Refused> {
    text(Cursor::new(archive), format, LIMIT).map(|(taken, _)| taken.text.into_owned())
}
