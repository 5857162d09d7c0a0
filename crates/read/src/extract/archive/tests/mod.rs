//! The texts of each format.

mod hostile;
mod made;

use self::made::{book, docx, epub, odf, paragraph, pptx, read, xlsx};
use super::*;

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
            let expected = Ok("one two");
            assert_eq!(text.as_deref(), expected, "{package} {second} {names:?}");
        }
    }
}

#[test]
fn documents_of_word() {
    for (body, expected) in [
        (&*(paragraph("one") + &paragraph("城市")), "one\n城市\n"),
        // Words are cut into runs wherever the looks or the checking of spelling changed.
        (
            "<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr><w:r><w:t>near-</w:t></w:r>\
             <w:proofErr/><w:r><w:rPr><w:b/></w:rPr><w:t>dup</w:t></w:r><w:r><w:t xml:space='preserve'>licate </w:t>\
             </w:r><w:r><w:t>&#25991;&amp;</w:t></w:r></w:p>",
            "near-duplicate 文&\n",
        ),
        (
            "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t></w:r></w:p>",
            "a\tb\nc\nd\n",
        ),
        (
            &format!(
                "<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>{}",
                paragraph("cell"),
                paragraph("next"),
                paragraph("after")
            ),
            "cell\nnext\nafter\n",
        ),
        // A text box is in the file twice, and beside its paragraph.
        (
            &format!(
                "<w:p><w:r><w:t>be</w:t><mc:AlternateContent><mc:Choice><wps:txbx><w:txbxContent>{0}{0}\
                 </w:txbxContent></wps:txbx></mc:Choice><mc:Fallback><v:textbox><w:txbxContent>{0}</w:txbxContent>\
                 </v:textbox></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>side</w:t></w:r></w:p>",
                paragraph("box")
            ),
            "beside\nbox\nbox\n",
        ),
        // Only the present text.
        (
            "<w:p><w:del><w:r><w:delText>old</w:delText><w:t>old</w:t></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r>\
             </w:ins><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:instrText>PAGE</w:instrText></w:r>\
             <w:ruby><w:rt><w:r><w:t>ruby</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>字</w:t></w:r></w:rubyBase></w:ruby>\
             </w:p>",
            "new字\n",
        ),
        // No reader sees hidden text, unless a style hides it and the run shows it again.
        (
            "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t><w:br/><w:t>x</w:t></w:r>\
             <w:r><w:rPr><w:vanish w:val='1'/><w:b/></w:rPr><w:t>x</w:t></w:r>\
             <w:r><w:rPr><w:vanish w:val='false'/></w:rPr><w:t>a</w:t></w:r>\
             <w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>b</w:t></w:r>\
             <w:r><w:rPr><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>c</w:t></w:r>\
             <w:r><w:rPr/><w:t>d</w:t></w:r></w:p>\
             <w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>e</w:t></w:r></w:p>",
            "abcd\ne\n",
        ),
        ("", ""),
    ] {
        let text = read(&docx(body, ""), Format::Docx);
        assert_eq!(text.as_deref(), Ok(expected), "{body}");
    }
    let noted = docx(&paragraph("text"), &paragraph("a note"));
    let text = read(&noted, Format::Docx);
    assert_eq!(text.as_deref(), Ok("text\na note\n"));
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
    let expected = Ok("First & 城市\ncell\nx\nstep\nsay this\nSecond\n");
    assert_eq!(read(&archive, Format::Pptx).as_deref(), expected);
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
        let text = read(&odf(body), Format::Odf);
        assert_eq!(text.as_deref(), Ok(expected), "{body}");
    }
}

#[test]
fn books() {
    let text = read(&epub("Chapter one", "第二章 &amp; end"), Format::Epub).unwrap();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines, ["Chapter one", "第二章 & end"]);
    // As in any page that is XML.
    for closed in ["<video src='a.mp4'/>", "<title/>"] {
        let text = read(
            &epub(&format!("one{closed} <![CDATA[<two>]]>"), "end"),
            Format::Epub,
        );
        let text = text.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        assert_eq!(text.as_deref(), Ok("one <two> end"), "{closed}");
    }
}
