//! Archives that are damaged, something else or made to do harm.

use std::io::Cursor;

use proptest::prelude::*;

use super::made::{LIMIT, docx, epub, odf, paragraph, pptx, read, relations, xlsx, zipped};
use crate::extract::archive::{read_archive, text};
use crate::format::Format;
use crate::skipped::SkipReason;

#[test]
fn only_the_parts_with_the_text_count() {
    let body = paragraph("x");
    let mut archive = docx(&body, "");
    let (_, bytes) = text(Cursor::new(&archive), Format::Docx, LIMIT).unwrap();
    assert!((300..1200).contains(&bytes), "{bytes}");
    archive = zipped(&[("word/media/picture", &"x".repeat(2 << 20))]);
    assert!(archive.len() < 10_000);
    let (reason, words) = read(&archive, Format::Docx).unwrap_err();
    assert_eq!(reason, SkipReason::Malformed);
    assert!(words.contains("names no document"), "{words}");
}

#[test]
fn other_files_are_refused_by_their_format() {
    let whole = docx(&paragraph("x"), "");
    let other = xlsx("", "", "");
    let manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>";
    let locked = zipped(&[
        ("META-INF/manifest.xml", manifest),
        ("content.xml", "\u{1}\u{2}"),
    ]);
    let container = "<container><rootfile full-path='p'/></container>";
    let encryption = "<encryption><CipherReference URI='a%20b'/></encryption>";
    let package =
        "<package><item id='i' href='a%20b' media-type='text/html'/><itemref idref='i'/></package>";
    let protected = zipped(&[
        ("META-INF/container.xml", container),
        ("META-INF/encryption.xml", encryption),
        ("p", package),
        ("a b", "?"),
    ]);
    let (reason, _) = read(b"", Format::Docx).unwrap_err();
    assert_eq!(reason, SkipReason::Empty);
    let half = &whole[..whole.len() / 2];
    let office97 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0";
    let broken = docx("<w:p>", "");
    let refused = |archive: &[u8], format, part: &str| {
        let (reason, words) = read(archive, format).unwrap_err();
        assert_eq!(reason, SkipReason::Malformed, "{words}");
        assert!(words.contains(part), "{part}: {words}");
    };
    let [word, slides] = [Format::Docx, Format::Pptx];
    refused(
        b"plain text",
        word,
        "no Word document: such a file is a zip",
    );
    refused(office97, word, "it is encrypted, or of Office 97");
    refused(half, word, "damaged, or only a part");
    refused(
        &other,
        word,
        "its main part is a 'workbook' and no 'document'",
    );
    let part = "no PowerPoint presentation: its main part is a 'document'";
    refused(&whole, slides, part);
    let part = "no book: the archive has no part META-INF/container.xml";
    refused(&whole, Format::Epub, part);
    let part = "no OpenDocument file: the archive has no part content.xml";
    refused(&whole, Format::Odf, part);
    refused(&broken, word, "a part of it is no XML");
    refused(&locked, Format::Odf, "it is encrypted");
    refused(&protected, Format::Epub, "it is encrypted");
}

#[test]
fn bombs_are_cut_short() {
    // 64 times the limit, in some thousand bytes of the archive.
    let zeros = paragraph(&"0".repeat(64 << 20));
    let laughs: String = (1..10)
        .map(|n| format!("<!ENTITY l{n} '{}'>", format!("&l{};", n - 1).repeat(10)))
        .collect();
    let laughs = format!(
        "<!DOCTYPE x [<!ENTITY l0 'ha'>{laughs}]><w:document>{}</w:document>",
        paragraph("it is &l9; funny")
    );
    let laughs = zipped(&[
        ("_rels/.rels", &relations("r officeDocument d.xml")),
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
    // Such an entry needs far more in memory than in the file.
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
        // Without the net that would catch a panic.
        if let Ok((_, bytes)) = read_archive(&mut Cursor::new(&archive), format, LIMIT) {
            prop_assert!(bytes as u64 <= LIMIT);
        }
    }
}
