use crate::extract::cases::check;
use crate::format::Format;

#[test]
fn words_count_and_markup_does_not() {
    check(
        Format::Asciidoc,
        r#"
= 标题 T⏎:toc: left⏎:!sectnums:⏎⏎== 节⏎text → 标题 T⏎⏎⏎⏎节⏎text
**f**oo *强* _i_ `c` #m# snake_case → foo 强 i c m snake_case
* a⏎** b⏎. 列表⏎<1> d → a⏎b⏎列表⏎d
#文# 字 ____ → 文 字
NAME⏎----⏎text⏎⏎标题 b⏎~~~~⏎c → NAME⏎⏎text⏎⏎标题 b⏎⏎c
[[id]]⏎= a⏎⏎OPTIONS⏎------⏎-q::⏎b⏎----⏎{c}⏎---- → ⏎a⏎⏎OPTIONS⏎⏎-q::⏎b⏎⏎{c}⏎
text⏎------⏎a {b}⏎------⏎* c → text⏎⏎a {b}⏎⏎c
:a: x \⏎y \⏎z⏎b → ⏎⏎⏎b
(((a, b)))c (((d⏎e))) (((f → c⏎ (((f
[comment]⏎--⏎hidden⏎--⏎a⏎⏎[comment]⏎hidden⏎too⏎⏎b → ⏎⏎⏎⏎a⏎⏎⏎⏎⏎⏎b
[comment]⏎--⏎a → ⏎⏎a
---⏎title: x⏎---⏎⏎////⏎hidden⏎////⏎= 文 → ⏎⏎⏎⏎⏎⏎⏎文
.标题 of block⏎====⏎b⏎==== → 标题 of block⏎⏎b⏎
a +⏎b⏎+⏎c → a⏎b⏎⏎c
NOTE: 注意 a → 注意 a
|===⏎|a |表⏎⏎2+|c⏎|===⏎x | y → ⏎ a  表⏎⏎2+ c⏎⏎x | y
term:: 定义 → term:: 定义
...⏎ → ...⏎
 →
"#,
    );
}

#[test]
fn links_and_macros_are_their_texts() {
    check(
        Format::Asciidoc,
        r#"
link:a.html[文字] https://a.b/c[text^] xref:x#y[z] → 文字 text z
<<id,文 字>> <<id>>. [[anchor]]a → 文 字 . a
image::a.png[替代 text,300]⏎image:b.png[alt="x y"] c → 替代 text⏎x y c
:version: 1⏎kbd:[Ctrl+C] a footnote:[脚注 b] {version} c → ⏎Ctrl+C a 脚注 b {version} c
pan.footnote:[note] panfootnote:[A note⏎goes on] 锅footnote:x[注] footnotes afootnotes afootnote: b → pan. note pan A note⏎goes on 锅 注 footnotes afootnotes afootnote: b
footnote:abc[The *note*] menu:File[Save] menu:[x] → The *note* File Save x
https://a.b/c d → https://a.b/c d
include::a.adoc[]⏎ifdef::x[]⏎a⏎endif::[]⏎ifdef::x[文 b] → ⏎⏎a⏎⏎文 b
"#,
    );
}

#[test]
fn incomplete_markup_is_text() {
    check(
        Format::Asciidoc,
        r#"
Shift left << by two and right >> by three, 1 << 2 → Shift left << by two and right >> by three, 1 << 2
[[1, 2], [3, 4]] x → [[1, 2], [3, 4]] x
a [[b c]] [[d]]e [[f,g h]]i → a [[b c]] e i
/users/{id}/orders {a}⏎:a: b → /users/{id}/orders {a}⏎
"#,
    );
}

#[test]
fn marked_text_may_go_on_in_the_next_line() {
    check(
        Format::Asciidoc,
        r#"
link:url[a⏎b] <<id,a⏎b>> c → a⏎b a⏎b c
https://a.b[a⏎  b] <<id,⏎c>> d⏎<<id⏎,e>> → a⏎  b⏎c d⏎⏎e
* link:url[a⏎  b]⏎* c → a⏎  b⏎c
pass:[a⏎b] c⏎// no⏎<<id,e → a⏎b c⏎⏎<<id,e
What is not closed in its paragraph, or its item, is text.
<<a⏎⏎>> b → <<a⏎⏎>> b
* link:a[b⏎* c] → link:a[b⏎c]
.link:a[b⏎c] → link:a[b⏎c]
== <<a⏎b>> → <<a⏎b>>
|===⏎|link:a[b⏎c] d⏎|link:e[f⏎|=== → ⏎ b⏎c d⏎ link:e[f⏎
"#,
    );
}

#[test]
fn blocks_are_what_they_show() {
    check(
        Format::Asciidoc,
        r#"
[source,rust]⏎----⏎let *a*;⏎// c⏎----⏎b → ⏎⏎let *a*;⏎// c⏎⏎b
// comment⏎////⏎hidden⏎////⏎a → ⏎⏎⏎⏎a
////⏎never closed → ⏎never closed
....⏎lit _x_⏎.... → ⏎lit _x_⏎
[quote,Author]⏎____⏎引用 *x*⏎____ → ⏎⏎引用 x⏎
++++⏎文 {x}⏎++++⏎y → ⏎文 {x}⏎⏎y
```js⏎a {b}⏎```⏎c → ⏎a {b}⏎⏎c
[[id]]⏎[NOTE]⏎====⏎内容⏎==== → ⏎⏎⏎内容⏎
[source,c]⏎.标题 *t*⏎int *a_b = {foo};⏎// c⏎⏎*b* → ⏎标题 t⏎int *a_b = {foo};⏎// c⏎⏎b
a⏎⏎  $ *ls* {a}⏎  ----⏎+⏎*b*⏎  *c* → a⏎⏎  $ *ls* {a}⏎  ----⏎⏎b⏎  c
  * *a*⏎⏎  . *b*⏎⏎  c:: *d*⏎⏎  <1> *e* →   a⏎⏎  b⏎⏎  c:: d⏎⏎  e
"#,
    );
}

#[test]
fn passthroughs_are_as_they_are_written() {
    check(
        Format::Asciidoc,
        r#"
C++ and C++ +open {a} 1+2 → C++ and C++ +open {a} 1+2
snake++_++case, `+_x_+` and ++{{<++ ++++ → snake_case, _x_ and {{< ++++
pass:[u {n}] pass:q[d] pass: → u {n} d pass:
"#,
    );
}
