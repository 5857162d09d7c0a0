//! Inputs that are right, to be made wrong.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::mutate::mutated;
use crate::random::Random;

/// An input that is right.
pub(crate) enum Seed {
    Bytes(&'static [u8]),
    /// An archive of these parts.
    Archive(&'static str),
    /// Bytes, and how they are compressed.
    Packed(&'static [u8], fn(&[u8]) -> Vec<u8>),
}

impl Seed {
    /// Returns the input with something wrong in it. In an archive that is mostly the content of a part.
    pub(crate) fn broken(&self, words: &str, random: &mut Random) -> Vec<u8> {
        let is_outside = random.below(4) == 0;
        let packed = match self {
            Self::Bytes(bytes) => return mutated(bytes, words, random),
            Self::Archive(archive) => {
                let parts = parts(archive).into_iter();
                let mut parts: Vec<_> = parts
                    .map(|(name, text)| (name, text.into_bytes()))
                    .collect();
                let at = random.below(parts.len());
                if !is_outside {
                    parts[at].1 = mutated(&parts[at].1, words, random);
                }
                zipped(&parts)
            }
            Self::Packed(bytes, pack) if is_outside => pack(bytes),
            Self::Packed(bytes, pack) => pack(&mutated(bytes, words, random)),
        };
        match is_outside {
            true => mutated(&packed, "", random),
            false => packed,
        }
    }
}

pub(crate) fn zipped(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        let options = SimpleFileOptions::default();
        writer.start_file(&**name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

pub(crate) const TEXT: &[u8] =
    "The old river park opened to the public thirty years ago.\n\n河边的老公园三十年前向市民开放。\n\
     สวนสาธารณะริมแม่น้ำ 川辺の古い公園は三十年前に開園した。\n"
        .as_bytes();

pub(crate) const GBK: &[u8] = b"\xba\xd3\xb1\xdf\xb5\xc4\xc0\xcf\xb9\xab\xd4\xb0\xc8\xfd\xca\xae\xc4\xea\xc7\xb0\xcf\xf2\xca\xd0\xc3\xf1\xbf\xaa\xb7\xc5\xa1\xa3";

pub(crate) const UTF16: &[u8] = b"\xff\xfeT\0h\0e\0 \0o\0l\0d\0 \0p\0a\0r\0k\0\xb3\x6c\xb9\x8f";

pub(crate) const ISO_2022: &[u8] = b"\x1b$B@n\x1b(B river \x1b$BJU\x1b(B park and the old lake";

pub(crate) const MARKDOWN: &[u8] = b"---\ntitle: The park\ntags: [a, b]\ndupfind: {ignore: no}\n---\n\
# The old park\n\nThe [old park](http://x/y \"t\") opened *thirty* years ago.<!-- c --><b>now</b>\n\n\
| a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\nfn main() {}\n```\n\n> quote\n\n1. one\n   - two\n\n\
{{< figure src=\"x\" >}}{% include x %}\n\n<details>\n<summary>s</summary>\n\ntext\n</details>\n\n[^1]: note\n\
import X from 'x'\n\n<Card title={a ? {b: 1} : `c`}>inside</Card>\n:::note\nx\n:::\n$$x^2$$\n";

pub(crate) const TOML_FRONT: &[u8] =
    b"+++\ntitle = \"x\"\n[dupfind]\nignore = \"because\"\n+++\nThe old park opened.\n";

pub(crate) const RST: &[u8] = b"=====\nTitle\n=====\n\n.. note:: The *old* park\n   :class: x\n\n   opened ``thirty`` years ago_.\n\n\
.. _ago: http://x\n.. |sub| replace:: text\n.. include:: other\n\n+---+---+\n| a | b |\n+---+---+\n\n::\n\n  code\n\n\
.. table::\n\n   == ==\n   a  b\n   == ==\n\n:role:`text <target>` |sub| [1]_\n\n.. [1] note\n";

pub(crate) const ASCIIDOC: &[u8] = b"= Title\nAuthor <a@b>\n:attr: value\n\n== Part\n\nThe *old* _park_ opened {attr} years ago.\n\n\
|===\n|a |b\n\n2+|c\n|===\n\n----\ncode\n----\n\n[NOTE]\n====\nx\n====\n\ninclude::x[]\n\nimage::x[y]\n////\nc\n////\nhttp://x[y] <<a,b>> footnote:[n]\n* a\n** b\n";

pub(crate) const DOCBOOK: &[u8] = b"<?xml version='1.0'?><book xmlns='http://docbook.org/ns/docbook'><title>Park</title>\
<para>The <emphasis>old</emphasis> park</para><programlisting><![CDATA[a <b>]]></programlisting><!-- x --></book>";

pub(crate) const NOTEBOOK: &[u8] =
    b"{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"# Park\\n\", \"old\"]}, \
{\"cell_type\": \"code\", \"source\": \"x = 1\", \"outputs\": []}], \"nbformat\": 4}";

pub(crate) const PDF: &[u8] =
    b"%PDF-1.4\n1 0 obj <</Pages 2 0 R>> endobj\n2 0 obj <</Kids [3 0 R]>> endobj\n\
3 0 obj <</Type /Page /Contents 4 0 R /Resources <</Font <</F 5 0 R>> >> >> endobj\n\
4 0 obj <</Length 44>> stream\nBT /F 10 Tf 50 700 Td (The old park) Tj ET  \nendstream endobj\n\
5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj\ntrailer <</Root 1 0 R>>\n";

pub(crate) const HTML: &[u8] = b"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Park</title>\
<meta name=robots content=noindex><style>a{}</style><script>var a = '<p>';</script></head><body><header><nav><a href=/>home</a></nav></header>\
<main><article><h1>The old park</h1><p>The old river park opened to the public thirty years ago. On spring mornings runners circle the lake.</p>\
<table><tr><td>1<td>2</table><pre>x\n y</pre><svg><p>s</p></svg><template><p>t</p></template><select><option>o</select>\
<p hidden>h</p>&amp;&#x1F600;&notin;&#0;<![CDATA[c]]><?php x ?></article></main><footer>f</footer></body></html>";

pub(crate) const JSON_LINES: &[u8] = b"{\"id\":1,\"text\":\"The old park opened\",\"tags\":[1,{\"a\":null}]}\n\
{\"id\":\"\\u4e2d\",\"text\":\"\\ud83d\\ude00 another\\ntext\",\"x\":1.5e3}\n{\"text\":\"third\"}\n";

pub(crate) const JSON: &[u8] =
    b"[{\"id\":1,\"text\":\"The old park opened\"},\n {\"id\":\"b\",\"text\":\"\\u6cb3 other\",\"x\":[[[1]]]}]\n";

pub(crate) const CSV: &[u8] =
    b"id,text,more\n1,\"The old, \"\"park\"\"\nopened\",x\n2,plain text here,y\n3,\"third\",\n";

pub(crate) const TSV: &[u8] = b"id\ttext\n1\tThe old park opened\n2\t\"another\tone\"\n";

/// The parts of an archive, a line each: a name and its content. A line that begins with a space goes on with the one before.
pub(crate) fn parts(archive: &str) -> Vec<(String, String)> {
    let archive = archive.replace("\n ", "");
    let parts = archive.lines().map(|line| line.split_once(" | ").unwrap());
    let owned = parts.map(|(name, content)| (name.to_owned(), content.to_owned()));
    owned.collect()
}

pub(crate) const DOCX: &str = "\
_rels/.rels | <Relationships><Relationship Id='r1' Type='http://x/relationships/officeDocument' Target='word/document.xml'/></Relationships>
word/_rels/document.xml.rels | <Relationships><Relationship Id='r2' Type='http://x/relationships/footnotes' Target='/word/footnotes.xml'/>
 </Relationships>
word/document.xml | <w:document xmlns:w='w'><w:body><w:p><w:r><w:t xml:space='preserve'>The old park &amp; lake</w:t><w:tab/>
 <w:footnoteReference w:id='2'/></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
 <w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:body></w:document>
word/footnotes.xml | <w:footnotes><w:footnote w:id='2'><w:p><w:r><w:t>a note</w:t></w:r></w:p></w:footnote></w:footnotes>";

pub(crate) const PPTX: &str = "\
_rels/.rels | <Relationships><Relationship Id='r1' Type='http://x/relationships/officeDocument' Target='/ppt/presentation.xml'/></Relationships>
ppt/presentation.xml | <p:presentation><p:sldIdLst><p:sldId id='257' r:id='b'/></p:sldIdLst></p:presentation>
ppt/_rels/presentation.xml.rels | <Relationships><Relationship Id='b' Type='http://x/relationships/slide' Target='slides/slide2.xml'/>
 </Relationships>
ppt/slides/slide2.xml | <p:sld><p:cSld><p:spTree><a:p><a:r><a:t>The old park</a:t></a:r><a:br/></a:p></p:spTree></p:cSld></p:sld>";

pub(crate) const XLSX: &str = "\
_rels/.rels | <Relationships><Relationship Id='r' Type='http://x/relationships/officeDocument' Target='xl/workbook.xml'/></Relationships>
xl/workbook.xml | <workbook><sheets><sheet name='One' sheetId='7' r:id='b'/></sheets></workbook>
xl/_rels/workbook.xml.rels | <Relationships><Relationship Id='b' Type='http://x/relationships/worksheet' Target='worksheets/sheet2.xml'/>
 <Relationship Id='s' Type='http://x/relationships/sharedStrings' Target='sharedStrings.xml'/></Relationships>
xl/sharedStrings.xml | <sst><si><t>The old park</t></si><si><r><t>rich</t></r></si></sst>
xl/worksheets/sheet2.xml | <worksheet><sheetData><row r='1'><c r='A1' t='s'><v>0</v></c><c r='XFD1' t='inlineStr'><is><t>in</t></is></c>
 <c r='B9'><f>1+1</f><v>2</v></c></row></sheetData></worksheet>";

pub(crate) const ODT: &str = "\
mimetype | application/vnd.oasis.opendocument.text
content.xml | <office:document-content><office:body><office:text><text:h>Title</text:h><text:p>The old<text:s text:c='3'/>park
 <text:tab/></text:p><table:table><table:table-row table:number-rows-repeated='2'>
 <table:table-cell table:number-columns-repeated='3'><text:p>c</text:p></table:table-cell></table:table-row></table:table>
 </office:text></office:body></office:document-content>";

pub(crate) const EPUB: &str = "\
mimetype | application/epub+zip
META-INF/container.xml | <container><rootfiles><rootfile full-path='OPS/book.opf'/></rootfiles></container>
OPS/book.opf | <package><manifest><item id='one' href='./one.xhtml#start' media-type='application/xhtml+xml'/></manifest>
 <spine><itemref idref='one'/></spine></package>
OPS/one.xhtml | <html><head><title>none</title></head><body><p>The old park</p></body></html>";

pub(crate) const CONFIG: &[u8] = b"paths = [\"docs\"]\nglob = [\"*.md\", \"!x*\"]\nexclude = [\"docs/archive/**\"]\nhidden = true\nfollow = false\n\
type-not = [\"code\"]\nmin-jaccard = 0.3\nmax-hamming = 4\ndetectors = [\"simhash\", \"shingle\"]\nshingle-unit = \"auto\"\nshingle-size = 3\n\
max-filesize = \"4M\"\nencoding = \"gbk\"\ntext-field = \"text\"\nid-field = \"id\"\nweb-part = \"main\"\nwithin = \"docs/{*}/\"\n\
fail-on = \"near\"\nmax-pairs = 3\nallow-empty = true\nmemory-limit = \"64M\"\nthreads = 1\n";

pub(crate) const CONFIG_FILES: &[u8] = b"files-from = \"list\"\nformat = [\"csv=docs/out.csv\", \"html=report.html\"]\noutput = \"x.json\"\n\
baseline = \".dupfind-baseline\"\nagainst = [\"docs/sub\"]\n\
follow = true\npaths = [\"docs\", \"../outside\", \"link\"]\n";

pub(crate) const IGNORE: &[u8] =
    b"# comment\n*.draft\n/docs/x/\n!docs/x/keep.md\n**/build/**\n[a-z]?.md\n\\#x\n\\ \n{a,b}\n";

pub(crate) const LIST: &[u8] = b"docs/a.md\n./docs/b.md\r\n\ndocs\n'-'\n";
