use super::*;

#[test]
fn the_next_place_is_found() {
    let mut ahead = Ahead::of("%}");
    let text = "%} a %} b";
    for (at, found) in [
        (0, Some(0)),
        (1, Some(5)),
        (3, Some(5)),
        (6, None),
        (7, None),
        (0, Some(0)),
    ] {
        assert_eq!(ahead.from(text, at), found, "{at}");
    }
    assert_eq!(ahead.behind(text, 3), Some(7));
    let mut blank = Ahead::of_blank_line();
    assert_eq!(blank.from("a\nb \n \t\r\nc\n", 0), Some(4));
    assert_eq!(blank.from("a\nb \n \t\r\nc\n", 5), None);
}
