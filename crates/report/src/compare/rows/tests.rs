use super::*;
use crate::layout::Layout;
use dupfind_decide::find_passages;
use dupfind_engine::Options;

fn line<'t>(number: usize, text: &'t str, change: &'t str) -> Line<'t> {
    let mut spans = vec![span(text, false)];
    if !change.is_empty() {
        spans.push(span(change, true));
    }
    Line { number, spans }
}

fn printed(width: Option<usize>, a: &[Line<'_>], b: &[Line<'_>]) -> String {
    let style = RowStyle {
        width,
        color: false,
        digits: 3,
    };
    let mut out = Vec::new();
    style.lines(a, b, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn both_documents_line_up() {
    let long = "四十年前向市民开放了".repeat(2);
    let a = [line(1, "河边的老公园", "三"), line(2, "short", "")];
    let b = [line(12, &long, "")];
    let expected = "  1 河边的老公园[-三-]             │  12 四十年前向市民开放了四十年前向
  2 short                          │     市民开放了
";
    assert_eq!(printed(Some(71), &a, &b), expected);
    let expected = "  1      河边的老公园[-三-]
  2      short
     12  四十年前向市民开放了四十年前向市民开放了
";
    assert_eq!(printed(Some(70), &a, &b), expected);
}

#[test]
fn lines_that_are_the_same_are_printed_once() {
    let a = [line(1, "same", ""), line(2, "text", "")];
    let b = [line(7, "same", ""), line(8, "text", "")];
    assert_eq!(printed(None, &a, &b), "  1   7  same\n  2   8  text\n");
}

fn side(text: &str) -> Side<'_> {
    Side::new(text, &Options::default())
}

/// The blocks of the only passage of two texts: lines as `number:text`, changes in brackets.
fn shown(a: &str, b: &str, is_whole: bool) -> Vec<[String; 2]> {
    let (a, b) = (side(a), side(b));
    let shared = &find_passages(&a, &b);
    assert_eq!(shared.passages.len(), 1);
    let layout = Layout::new(&a, &b, shared, is_whole);
    let text = |stretches: &[(Range<usize>, bool)], side| {
        let lines = lines(stretches, side).into_iter().map(|line| {
            let spans = line.spans.iter().map(|span| match span.is_changed {
                true => format!("[{}]", span.text),
                false => span.text.to_owned(),
            });
            format!("{}:{}", line.number, spans.collect::<String>())
        });
        lines.collect::<Vec<_>>().join("|")
    };
    let blocks = layout.passage(&shared.passages[0]).into_iter();
    blocks
        .map(|block| match block {
            Block::Places([in_a, in_b]) => [text(&in_a, &a), text(&in_b, &b)],
            Block::Hidden(units) => [units.to_string(), String::new()],
        })
        .filter(|shown| *shown != ["", ""])
        .collect()
}

#[test]
fn blocks_end_where_both_documents_begin_a_line() {
    let a = "一二三四五六七八，\n九十。\n\n甲乙丙丁戊己庚辛\n";
    let b = "一二三四五六七八，九十。\r\n甲乙丙丁戊己庚新辛";
    let expected = [
        [
            "1:一二三四五六七八，|2:九十。",
            "1:一二三四五六七八，九十。",
        ],
        ["4:甲乙丙丁戊己庚辛", "2:甲乙丙丁戊己庚[新]辛"],
    ];
    assert_eq!(shown(a, b, false), expected);
}

#[test]
fn lines_that_begin_or_end_with_a_change_have_blocks_of_their_own() {
    let a = "一二三四五六七八旧\n- 老九十甲乙丙丁戊己\n庚辛壬癸";
    let b = "一二三四五六七八新\n- 少九十甲乙丙丁戊己\n插入\n庚辛壬癸";
    assert_eq!(
        shown(a, b, false),
        [
            [
                "1:一二三四五六七八[旧]|2:[- 老]九十甲乙丙丁戊己",
                "1:一二三四五六七八[新]|2:[- 少]九十甲乙丙丁戊己"
            ],
            ["", "3:[插入]"],
            ["3:庚辛壬癸", "4:庚辛壬癸"],
        ]
    );
    let a = "一二三四五六七八\n- 老九十甲乙丙丁戊旧\n庚辛壬癸";
    assert_eq!(
        shown(a, "一二三四五六七八\n- 少九十甲乙丙丁戊新\n庚辛壬癸", false),
        [
            ["1:一二三四五六七八", "1:一二三四五六七八"],
            ["2:- [老]九十甲乙丙丁戊[旧]", "2:- [少]九十甲乙丙丁戊[新]"],
            ["3:庚辛壬癸", "3:庚辛壬癸"],
        ]
    );
}

#[test]
fn long_stretches_are_shortened_at_line_ends_near_by() {
    let line = "一二三四五六七八九十甲乙丙丁戊己庚辛壬癸\n";
    let text: String = (0..20).map(|n| format!("{n} {line}")).collect();
    let blocks = shown(&text, &text, false);
    let hidden = blocks.iter().filter(|[_, b]| b.is_empty());
    let hidden: Vec<&str> = hidden.map(|[units, _]| units.as_str()).collect();
    assert_eq!(hidden, ["336"]);
    assert!(blocks.iter().all(|[a, _]| !a.contains('…')), "{blocks:?}");
    assert_eq!(shown(&text, &text, true).len(), 20);
    // Without lines the cut is marked.
    let text = text.replace('\n', "");
    let blocks = shown(&text, &text, false);
    assert_eq!(blocks.len(), 3);
    assert!(blocks[0][0].ends_with('…') && blocks[2][0].starts_with("1:…"));
}

fn span(text: &str, is_changed: bool) -> Span<'_> {
    Span { text, is_changed }
}

fn rows(line: &[Span<'_>], columns: usize) -> Vec<String> {
    let rows = wrapped(line, Some(columns), Whose::A, false);
    rows.into_iter().map(|row| row.text).collect()
}

#[test]
fn changes_are_marked_or_coloured() {
    let line = [span("三十", false), span("年", true), span("前", false)];
    assert_eq!(rows(&line, 80), ["三十[-年-]前"]);
    let shown = wrapped(&line, None, Whose::B, false);
    assert_eq!(shown[0].text, "三十{+年+}前");
    let shown = wrapped(&line, Some(4), Whose::B, true);
    let texts: Vec<&str> = shown.iter().map(|row| row.text.as_str()).collect();
    assert_eq!(texts, ["三十", "\u{1b}[1m\u{1b}[32m年\u{1b}[0m前"]);
}
