use crate::read::extract::cases;
use crate::read::format::Format;

fn check(skips_code: bool, cases: &[(&str, &str)]) {
    cases::check(Format::Asciidoc, skips_code, cases);
}

#[test]
fn words_count_and_markup_does_not() {
    check(
        false,
        &[
            (
                "= 标题 T\n:toc: left\n:!sectnums:\n\n== 节\ntext",
                "标题 T\n\n\n\n节\ntext",
            ),
            (
                "**f**oo *强* _i_ `c` #m# snake_case",
                "foo 强 i c m snake_case",
            ),
            ("* a\n** b\n. 列表\n<1> d", "a\nb\n列表\nd"),
            ("[.lead]#文# 字 \\*a ____", "文 字 *a"),
            (".标题 of block\n====\nb\n====", "标题 of block\n\nb\n"),
            ("a +\nb\n+\nc", "a\nb\n\nc"),
            ("NOTE: 注意 a", "注意 a"),
            (
                "|===\n|a |表\n\n2+|c\n|===\nx | y",
                "\n a  表\n\n2+ c\n\nx | y",
            ),
            ("term:: 定义", "term:: 定义"),
            ("...\n", "...\n"),
            ("", ""),
        ],
    );
}

#[test]
fn links_and_macros_are_their_texts() {
    check(
        false,
        &[
            (
                "link:a.html[文字] https://a.b/c[text^] xref:x#y[z]",
                "文字 text z",
            ),
            ("<<id,文 字>> <<id>>. [[anchor]]a", "文 字 . a"),
            (
                "image::a.png[替代 text,300]\nimage:b.png[alt=\"x y\"] c",
                "替代 text\nx y c",
            ),
            (
                ":version: 1\nkbd:[Ctrl+C] a footnote:[脚注 b] {version}{nbsp} c",
                "\nCtrl+C a 脚注 b  c",
            ),
            (
                "footnote:abc[The *note*] menu:File[Save] menu:[x]",
                "The *note* File Save x",
            ),
            ("(((a,b)))x ((y))", "x ((y))"),
            ("https://a.b/c d", "https://a.b/c d"),
            (
                "include::a.adoc[]\nifdef::x[]\na\nendif::[]\nifdef::x[文 b]",
                "\n\na\n\n文 b",
            ),
        ],
    );
}

#[test]
fn what_is_no_markup_after_all_is_text() {
    check(
        false,
        &[
            (
                "Shift left << by two and right >> by three, 1 << 2",
                "Shift left << by two and right >> by three, 1 << 2",
            ),
            ("[[1, 2], [3, 4]] x", "[[1, 2], [3, 4]] x"),
            ("a [[b c]] [[d]]e [[f,g h]]i", "a [[b c]] e i"),
            (
                "/users/{id}/orders {a} {A-b}\n:a: b",
                "/users/{id}/orders  {A-b}\n",
            ),
            (
                "[stem]\n++++\nx <y and z > 3\n++++\n<<_a>>",
                "\n\nx <y and z > 3\n\n",
            ),
        ],
    );
}

#[test]
fn what_is_marked_may_go_on_in_the_next_line() {
    check(
        false,
        &[
            ("link:url[a\nb] <<id,a\nb>> c", "a\nb a\nb c"),
            (
                "https://a.b[a\n  b] <<id,\nc>> d\n<<id\n,e>>",
                "a\n  b\nc d\n\ne",
            ),
            ("* link:url[a\n  b]\n* c", "a\n  b\nc"),
            (
                "pass:[<b>a\nb</b>] +++<i>c\n</i>+++d\n// no\n<<id,e",
                "a\nb c\nd\n\n<<id,e",
            ),
            // What is not closed in its paragraph, or its item, is text.
            ("<<a\n\n>> b", "<<a\n\n>> b"),
            ("* link:a[b\n* c]", "link:a[b\nc]"),
            (".link:a[b\nc]", "link:a[b\nc]"),
            ("== <<a\nb>>", "<<a\nb>>"),
            ("a\\\nb", "a\\\nb"),
            (
                "|===\n|link:a[b\nc] d\n|link:e[f\n|===",
                "\n b\nc d\n link:e[f\n",
            ),
        ],
    );
}

#[test]
fn blocks_are_what_they_show() {
    check(
        false,
        &[
            (
                "[source,rust]\n----\nlet *a*;\n// c\n----\nb",
                "\n\nlet *a*;\n// c\n\nb",
            ),
            ("// comment\n////\nhidden\n////\na", "\n\n\n\na"),
            ("////\nnever closed", "\nnever closed"),
            ("....\nlit _x_\n....", "\nlit _x_\n"),
            ("[quote,Author]\n____\n引用 *x*\n____", "Author\n\n引用 x\n"),
            ("++++\n<p>文 <b>x</b>\n</p>\n++++\ny", "\n文 x\n\n\ny"),
            ("```js\na {b}\n```\nc", "\na {b}\n\nc"),
            ("[[id]]\n[NOTE]\n====\n内容\n====", "\n\n\n内容\n"),
            (
                "[source,c]\n.标题 *t*\nint *a_b = {foo};\n// c\n\n*b*",
                "\n标题 t\nint *a_b = {foo};\n// c\n\nb",
            ),
            (
                "a\n\n  $ *ls* {a}\n  ----\n+\n*b*\n  *c*",
                "a\n\n  $ *ls* {a}\n  ----\n\nb\n  c",
            ),
            (
                "  * *a*\n\n  . *b*\n\n  c:: *d*\n\n  <1> *e*",
                "  a\n\n  b\n\n  c:: d\n\n  e",
            ),
        ],
    );
}

#[test]
fn who_is_quoted_is_shown() {
    check(
        false,
        &[
            ("[quote, 作者 *A*, Source]\n文", "作者 A Source\n文"),
            (
                "[verse#id.role, \"Last, First\", '']\n____\na\n____",
                "Last, First ''\n\na\n",
            ),
            (
                "[quote, attribution=A, id=no, citetitle=\"B, C\"]\na",
                "A B, C\na",
            ),
            ("[quote]\na\n\n[NOTE, no]\nb", "\na\n\n\nb"),
        ],
    );
}

#[test]
fn what_is_passed_on_is_as_it_stands() {
    check(
        false,
        &[
            (
                "`+{x}+` {set:y} ++{*z*}++w +a b+ 1+2 + 3",
                "{x}  {*z*}w a b 1+2 + 3",
            ),
            ("C++ and C++ +open {a}", "C and C +open {a}"),
            ("+++<u>文 <b>x</b></u>+++ y", "文 x y"),
            (
                "pass:[<u>u</u> {n}] pass:c,a[a < b *c*] pass:q[d\\]e] pass:",
                "u {n} a < b *c* d\\]e pass:",
            ),
        ],
    );
}

#[test]
fn authors_and_version_below_the_title_are_no_text() {
    check(
        false,
        &[
            (
                "// comment\n:a: b\n= 标题\nFirst M. Last <me@a.b>; 王 小明\nv1.0, 2024-05-01: 修订\n:toc:\n\ntext",
                "\n\n标题\n\n\n\n\ntext",
            ),
            ("= T\nO'Neil A-B\ntext here", "T\n\ntext here"),
            (
                "= T\n//c\nThe Long Name of A Company <a@b.c>\n2024-05-01\n\nA b",
                "T\n\n\n\n\nA b",
            ),
            (
                "= T\nA sentence, which is text.\nv1",
                "T\nA sentence, which is text.\nv1",
            ),
            ("= T\n\nFirst Last\nv1", "T\n\nFirst Last\nv1"),
            ("== T\nFirst Last", "T\nFirst Last"),
            ("text\n\n= T\nFirst Last", "text\n\nT\nFirst Last"),
        ],
    );
}

#[test]
fn code_may_be_left_out() {
    check(
        true,
        &[
            ("----\ncode\n----\nb `c`", "\n\n\nb c"),
            ("[source]\ncode\nmore\n\nb", "\n\n\n\nb"),
            (
                "[source]\n.标题\ncode\n\n  code\ncode\n\nb",
                "\n标题\n\n\n\n\n\nb",
            ),
            ("[stem]\n++++\nx\n++++", "\n\nx\n"),
        ],
    );
}
