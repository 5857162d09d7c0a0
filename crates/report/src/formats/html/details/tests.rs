use proptest::prelude::*;

use super::*;
use dupfind_engine::Options;

fn pair(a: u32, b: u32) -> Pair {
    let (a, b) = (DocId::from(a), DocId::from(b));
    Pair {
        a,
        b,
        ..crate::tests::canned().pairs.unwrap()[0]
    }
}

#[test]
fn a_pair_of_documents_that_are_there_costs_nothing() {
    // Each document is as long as any that is shown.
    let places = u32::try_from(ROOM / LONGEST).unwrap();
    let mut pairs: Vec<Pair> = (0..places).map(|at| pair(2 * at, 2 * at + 1)).collect();
    pairs.push(pair(0, 3));
    let chosen = |pairs: &[Pair], length: &dyn Fn(DocId) -> usize| {
        with_room(pairs.iter().map(|pair| [pair.a, pair.b]), ROOM, length)
    };
    let ids = chosen(&pairs, &|_| LONGEST);
    assert!(ids.iter().copied().eq((0..places).map(DocId::from)));
    // Short ones may still fit where a long one did not.
    let is_long = |id| id < DocId::from(places + 2);
    let ids = chosen(&pairs, &|id| if is_long(id) { LONGEST } else { 0 });
    assert!(!ids.contains(&DocId::from(places)) && ids.contains(&DocId::from(places + 2)));
}

fn shown(text: &str) -> PageDocument<'_> {
    PageDocument {
        side: Side::new(text, &Options::default()),
        offsets: Offsets::new(text),
    }
}

fn of(a: &str, b: &str) -> Vec<PageRow> {
    rows(&shown(a), &shown(b))
}

/// Puts the texts together again from the rows, as the page does.
fn again(rows: &[PageRow], texts: [&str; 2]) -> [String; 2] {
    let texts = texts.map(|text| text.encode_utf16().collect::<Vec<u16>>());
    let mut stretches = [Vec::new(), Vec::new()];
    for row in rows {
        match row {
            PageRow::Passage(_, a, b, _, blocks) => {
                for (side, start) in [a, b].into_iter().enumerate() {
                    let lengths = blocks.iter().flat_map(|block| &block[side]);
                    stretches[side].push(*start..start + lengths.sum::<usize>());
                }
            }
            PageRow::Only(_, a, length_a, b, length_b) => {
                stretches[0].push(*a..a + length_a);
                stretches[1].push(*b..b + length_b);
            }
            PageRow::Elsewhere(..) => {}
        }
    }
    [0, 1].map(|side| {
        stretches[side].sort_unstable_by_key(|place| (place.start, place.end));
        let units = stretches[side].iter();
        let units = units.flat_map(|place| &texts[side][place.clone()]);
        String::from_utf16(&units.copied().collect::<Vec<u16>>()).unwrap()
    })
}

#[test]
fn differences_are_beside_each_other() {
    let (a, b) = (
        "甲乙丙丁戊己庚辛旧壬癸\n一二三四五六七八九十百千万亿兆",
        "甲乙丙丁戊己庚辛新壬癸\n",
    );
    let expected = [
        PageRow::Passage(0, 0, 0, 10, vec![[vec![8, 1, 3], vec![8, 1, 3]]]),
        PageRow::Only(2, 12, 15, 0, 0),
    ];
    assert_eq!(of(a, b), expected);
}

#[test]
fn moved_passages_are_shown_once() {
    let one = "河边的老公园三十年前向市民开放。\n";
    let two = "去年城市沿着北边的小路种了四百棵枫树，并更换了所有的木头长椅。\n";
    let rows = of(&format!("{one}{two}"), &format!("{two}{one}"));
    let kinds = rows.iter().map(|row| match row {
        PageRow::Passage(kind, ..) | PageRow::Only(kind, ..) | PageRow::Elsewhere(kind, _) => *kind,
    });
    assert_eq!(kinds.collect::<Vec<u8>>(), [1, 0, 3]);
    assert_eq!(rows[2], PageRow::Elsewhere(3, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn all_of_both_texts_is_there(
        words in prop::collection::vec("[a-e]{1,2}|[一-五😀]{1,3}|\n|。", 1..120),
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[a-z一-十\n]{0,3}"), 0..12),
        turn in any::<prop::sample::Index>(),
    ) {
        let mut edited = words.clone();
        for (at, word) in &edits {
            let at = at.index(edited.len());
            edited[at].clone_from(word);
        }
        edited.rotate_left(turn.index(words.len()));
        // Without any unit there is nothing to show, and no such document in a report.
        let (a, b) = (format!("x {}", words.join(" ")), format!("x {}", edited.join(" ")));
        let [again_a, again_b] = again(&of(&a, &b), [&a, &b]);
        prop_assert_eq!(again_a, a);
        prop_assert_eq!(again_b, b);
    }
}

proptest! {
    #[test]
    fn counts_as_the_browser_does(text in "[a中😀é]{0,400}") {
        let offsets = Offsets::new(&text);
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            prop_assert_eq!(offsets.of(at), text[..at].encode_utf16().count());
        }
    }
}
