//! Files that are written here, byte by byte.

mod sample;

use self::sample::file;
use crate::{Refusal, Text};

fn stream(entries: &str, content: &str) -> String {
    format!(
        "<<{entries} /Length {}>>\nstream\n{content}\nendstream",
        content.len()
    )
}

const HELVETICA: &str =
    "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>";

/// Returns a PDF of pages with these contents, whose font is `/F`, and with more resources.
fn with_font(contents: &[String], font: &str, resources: &str) -> Vec<u8> {
    let kids = (0..contents.len()).map(|at| format!("{} 0 R", 4 + 2 * at));
    let kids: Vec<String> = kids.collect();
    let mut objects = vec![
        "<</Type /Catalog /Pages 2 0 R>>".to_owned(),
        format!(
            "<</Type /Pages /Kids [{}] /Count {}>>",
            kids.join(" "),
            contents.len()
        ),
        font.to_owned(),
    ];
    for (at, content) in contents.iter().enumerate() {
        objects.push(format!(
            "<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {} 0 R /Resources <</Font <</F 3 0 R>> {resources}>> >>",
            5 + 2 * at
        ));
        objects.push(stream("", content));
    }
    file(&objects)
}

fn with(contents: &[String]) -> Vec<u8> {
    with_font(contents, HELVETICA, "")
}

/// Returns operators that write lines in a size of 10 points: each with its place from the left and from below.
fn lines(lines: &[(u32, u32, &str)]) -> String {
    let lines = lines.iter();
    let lines = lines.map(|(x, y, text)| format!("1 0 0 1 {x} {y} Tm ({text}) Tj "));
    format!("BT /F 10 Tf {}ET", lines.collect::<String>())
}

fn pages(file: Vec<u8>, limit: u64) -> Result<Vec<String>, Refusal> {
    crate::text(file, limit).map(|text| text.pages)
}

fn text(file: Vec<u8>) -> String {
    pages(file, 1 << 20).unwrap().concat()
}

#[test]
fn the_title_is_the_largest_text_on_the_first_page() {
    let page = |size: u32| {
        let title = format!(
            "BT /F {size} Tf 50 720 Td (The old pier) Tj 0 -20 Td (and its ferries) Tj ET "
        );
        let rest = lines(&[
            (50, 760, "Annals of Harbours, volume 7"),
            (50, 650, "The ferry leaves at seven from the pier."),
            (50, 638, "Tickets are sold on board."),
            (50, 626, "Dogs are welcome."),
        ]);
        vec![title + &rest]
    };
    let title = |size| crate::text(with(&page(size)), 9999).map(|Text { title, .. }| title);
    assert_eq!(title(16), Ok(Some("The old pier and its ferries".into())));
    assert_eq!(title(10), Ok(None));
}

#[test]
fn lines_and_blocks() {
    let page = lines(&[
        (50, 700, "The ferry leaves at se-"),
        (50, 688, "ven from the old pier."),
        (50, 640, "Tickets are sold on board."),
    ]);
    let expected = "The ferry leaves at seven from the old pier.\n\nTickets are sold on board.\n\n";
    assert_eq!(text(with(&[page])), expected);
}

#[test]
fn every_hyphen_cuts_a_word() {
    // In this encoding the code 0xAD is the hyphen that Unicode calls soft.
    let page = lines(&[(50, 700, "The ferry leaves at se\\255"), (50, 688, "ven.")]);
    assert_eq!(text(with(&[page])), "The ferry leaves at seven.\n\n");
}

#[test]
fn words_are_apart_by_their_places() {
    let page = "BT /F 10 Tf 50 700 Td [(The fer) 20 (ry) -300 (leaves)] TJ ET".to_owned();
    assert_eq!(text(with(&[page])), "The ferry leaves\n");
    // Drawn twice to look bold.
    let bold = lines(&[(50, 700, "Ferry"), (50, 700, "Ferry")]);
    assert_eq!(text(with(&[bold])), "Ferry\n");
}

#[test]
fn columns_are_read_one_after_the_other() {
    let words = "some words of running text here";
    let rows = (0..6).flat_map(|row| {
        let y = 600 - 12 * row;
        [
            (50, y, format!("left {row} {words}")),
            (320, y, format!("right {row} {words}")),
        ]
    });
    let title = (
        50,
        640,
        format!("A title that goes over both of the columns: {words} and {words}"),
    );
    let all: Vec<_> = [title].into_iter().chain(rows).collect();
    let all = all.iter().map(|(x, y, text)| (*x, *y, text.as_str()));
    let all: Vec<_> = all.collect();
    let text = text(with(&[lines(&all)]));
    let place = |part: &str| text.find(part).unwrap();
    assert!(place("A title") < place("left 0"), "{text}");
    assert!(place("left 5") < place("right 0"), "{text}");
}

#[test]
fn rows_of_a_table_are_lines() {
    let rows = (0..6).flat_map(|row| [(50, 600 - 12 * row, "name"), (300, 600 - 12 * row, "12")]);
    let rows: Vec<_> = rows.collect();
    assert_eq!(text(with(&[lines(&rows)])).lines().next(), Some("name 12"));
}

#[test]
fn heads_feet_and_numbers_of_pages_are_left_out() {
    let page = |number: u32| {
        let body = format!(
            "What page {number} tells of {}",
            ["ferries", "piers", "tides", "gulls"][number as usize]
        );
        lines(&[
            (50, 780, "The manual"),
            (50, 700, &body),
            (50, 650, "More"),
            (300, 20, &number.to_string()),
        ])
    };
    let pages: Vec<String> = (0..4).map(page).collect();
    let text = text(with(&pages));
    assert!(!text.contains("manual"), "{text}");
    assert!(text.contains("What page 3 tells of gulls"), "{text}");
    assert!(
        text.lines().all(|line| line.parse::<u32>().is_err()),
        "{text}"
    );
}

#[test]
fn a_font_of_a_collection_is_read_by_its_numbers() {
    // The numbers 4559 and 3795 of Adobe-GB1.
    let font = "<</Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /Identity-H /DescendantFonts [<</Type /Font \
                /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo <</Registry (Adobe) /Ordering (GB1) /Supplement 2>> \
                /FontDescriptor <</Type /FontDescriptor /FontName /Song /Flags 4>> >>]>>";
    let page = "BT /F 10 Tf 50 700 Td <11cf0ed3> Tj ET".to_owned();
    let read = text(with_font(&[page], font, ""));
    assert_eq!(read.trim().chars().count(), 2, "{read}");
    assert!(
        read.trim()
            .chars()
            .all(|c| ('\u{4e00}'..'\u{a000}').contains(&c)),
        "{read}"
    );
}

#[test]
fn the_text_that_replaces_glyphs_counts() {
    let page =
        "BT /F 10 Tf 50 700 Td /Span <</ActualText (office)>> BDC (o@@ce) Tj EMC ( hours) Tj ET"
            .to_owned();
    assert_eq!(text(with(&[page])), "office hours\n");
}

#[test]
fn forms_and_fields_are_read() {
    let mut objects = vec![
        "<</Type /Catalog /Pages 2 0 R>>".to_owned(),
        "<</Type /Pages /Kids [4 0 R] /Count 1>>".to_owned(),
        HELVETICA.to_owned(),
        "<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources <</XObject <</X 6 0 R>> >> \
         /Annots [<</Subtype /Widget /FT /Tx /V (Alice) /Rect [50 500 150 520]>>]>>"
            .to_owned(),
        stream("", "q 1 0 0 1 0 100 cm /X Do Q"),
    ];
    let resources =
        "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources <</Font <</F 3 0 R>> >>";
    objects.push(stream(resources, &lines(&[(50, 550, "A form")])));
    assert_eq!(text(file(&objects)), "A form\n\nAlice\n");
}

#[test]
fn files_without_text_are_refused() {
    for (file, refusal) in [
        (b"no PDF".to_vec(), Refusal::Damaged),
        (with(&["0 0 m 10 10 l S".to_owned()]), Refusal::NoText),
    ] {
        assert_eq!(pages(file, 99), Err(refusal));
    }
    let long = lines(&[(50, 700, "longer than that")]);
    assert_eq!(pages(with(&[long]), 9), Err(Refusal::TooLarge));
}

#[test]
fn files_that_cost_too_much_are_refused() {
    // Each form draws the next one ten times: a thousand million in all.
    let mut objects = vec![
        "<</Type /Catalog /Pages 2 0 R>>".to_owned(),
        "<</Type /Pages /Kids [3 0 R] /Count 1>>".to_owned(),
        "<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources <</XObject <</X 5 0 R>> >> >>".to_owned(),
        stream("", "/X Do"),
    ];
    for number in 6..18 {
        let resources = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources <</XObject <</X {number} 0 R>> >>"
        );
        objects.push(stream(&resources, &"/X Do ".repeat(10)));
    }
    // The last one draws itself.
    objects.push(stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources <</XObject <</X 17 0 R>> >>",
        "/X Do",
    ));
    assert_eq!(pages(file(&objects), 99), Err(Refusal::TooMuch));
}

#[test]
fn a_page_that_is_its_own_parent_ends() {
    let objects = [
        "<</Type /Catalog /Pages 2 0 R>>".to_owned(),
        "<</Type /Pages /Kids [2 0 R 3 0 R 3 0 R] /Parent 2 0 R /Count 9>>".to_owned(),
        "<</Type /Page /Parent 3 0 R>>".to_owned(),
    ];
    assert_eq!(pages(file(&objects), 99), Err(Refusal::NoText));
}

#[test]
fn a_file_that_is_cut_or_changed_is_read_or_refused() {
    let whole = with(&[lines(&[
        (50, 700, "The ferry leaves at seven."),
        (50, 680, "From the pier."),
    ])]);
    for end in (0..whole.len()).step_by(7) {
        let _ = pages(whole[..end].to_vec(), 999);
        let mut changed = whole.clone();
        changed[end] ^= 0x15;
        let _ = pages(changed, 999);
    }
}
