use crate::read::extract::cases;
use crate::read::format::Format;

fn check(is_mdx: bool, skips_code: bool, cases: &[(&str, &str)]) {
    let format = if is_mdx {
        Format::Mdx
    } else {
        Format::Markdown
    };
    cases::check(format, skips_code, cases);
}

#[test]
fn words_count_and_markup_does_not() {
    check(
        false,
        false,
        &[
            ("# 标题 one\n\ntext", "标题 one\n\ntext"),
            ("Title\n=====\ntext", "Title\n\ntext"),
            ("## 标题 ##", "标题"),
            ("**f**oo _bar_ ~~baz~~ 中**文**", "foo bar baz 中文"),
            ("- a\n  - b\n1. c\n- [x] d", "a\nb\nc\nd"),
            ("> 引用\n> > two\nlazy", "引用\ntwo\nlazy"),
            (
                "| a | 表 |\n|---|:-:|\n| `c` | d\\|e |\n",
                "a 表\n\nc d|e\n",
            ),
            ("a\\*b &amp; &copy;c &#20013; &NewLine;d", "a*b & ©c 中  d"),
            ("one  \ntwo\\\nthree", "one\ntwo\nthree"),
            ("a `code  span` b `` ` `` c", "a code  span b ` c"),
            ("a `two\nlines` b", "a two\nlines b"),
            ("$a_b$ 和 $$\nx*y*z\n$$", "a_b 和\nx*y*z\n"),
            ("a\n\n***\n\nb", "a\n\n\n\nb"),
            ("a\r\n# b\r\n\r\n`c`\r\n", "a\nb\n\nc\n"),
            ("", ""),
            ("\n\n", "\n\n"),
        ],
    );
}

#[test]
fn links_and_images_are_their_texts() {
    check(
        false,
        false,
        &[
            ("[文字](http://a.b/c \"title\") b", "文字 b"),
            ("![替代 text](a.png)", "替代 text"),
            ("[![badge](a.svg)](http://b)", "badge"),
            (
                "[a][1] [b][] [c] [d]\n\n[1]: http://a\n[b]: <b> 'T'\n[c]: c\n",
                "a b c [d]\n\n\n\n\n",
            ),
            ("<https://a.b/c> 和 <me@a.b> end", " 和  end"),
            ("[[Page Name|显示 text]] [[Other]]", "显示 text [[Other]]"),
            ("![[image.png|300]] a", "  a"),
            ("[[1]](http://a.b) [[x|y]](z)", "[1] [x|y]"),
            ("a[^1] b\n\n[^1]: 脚注 text\n", "a b\n\n脚注 text\n"),
        ],
    );
}

#[test]
fn what_is_about_a_page_is_no_text() {
    check(
        false,
        false,
        &[
            ("---\ntitle: x\n---\ntext", "\n\n\ntext"),
            ("+++\ntitle = \"x\"\n+++\n# 文", "\n\n\n文"),
            ("---\r\ntitle: x\r\n...\r\ntext", "\n\n\ntext"),
            (
                "---\n\nA sentence between rules.\n\n---\ntext",
                "\n\nA sentence between rules.\n\n\ntext",
            ),
            ("a\n\n---\nb: c\n---\nd", "a\n\n\nb: c\n\nd"),
            ("a<!-- b -->c", "ac"),
            ("a <!--> words <!-- c --> d", "a  words  d"),
            ("a <!---> words --> d", "a  words --> d"),
            ("a <!-- b\nc --> d", "a\nd"),
            ("a <!-- b\n \nc --> d", "a <!-- b\n\nc --> d"),
            ("- <!-- a\n\n  b -->\n- c", "\n\n\nc"),
            ("a <b title=\"<T>\">c</b> d", "a c d"),
            ("<!-- a\n\n# b\n-->\nc", "\n\n\n\nc"),
            ("- a\n<!--\n- b\n-->\n- c", "a\n\n\n\nc"),
            ("  <!-- x -->    a", "     a"),
            ("a <!-- b", "a <!-- b"),
            (
                "`<!-- a -->`\n\n```html\n<!-- b -->\n```",
                "<!-- a -->\n\n\n<!-- b -->\n",
            ),
            ("    <!-- code -->\n", "<!-- code -->\n"),
            ("a<b>c</b>d<br>e", "acd e"),
        ],
    );
}

#[test]
fn html_counts_without_its_tags() {
    check(
        false,
        false,
        &[
            (
                "<div class=\"x\">\n文 <b>text</b>\n</div>\n\nafter",
                "\n文 text\n\n\nafter",
            ),
            ("> <p>\n> a</p>\n\nb", "\na\n\nb"),
            // Within a line it counts as it does in a page.
            (
                "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字</ruby>を",
                "漢字を",
            ),
            (
                "<ruby>漢<rt>かん</ruby>を a<span hidden>*b* `c`<br></span>d",
                "漢を ad",
            ),
            (
                "a<b style='display: none'>b <i>c</i></i> d</b>e <script>f</script>g",
                "ae g",
            ),
            ("a<i hidden>b\n\nc", "a\n\nc"),
            (
                "a<time>b</time>c d<label>e</label><nobr>f</nobr> g<x-y>h</x-y>i",
                "abc def g h i",
            ),
            (
                "<details>\n<summary>Sum</summary>\n\n*in*\n\n</details>",
                "\nSum\n\nin\n\n",
            ),
        ],
    );
}

#[test]
fn shortcodes_are_no_text() {
    check(
        false,
        false,
        &[
            ("{{< note >}}\n注意 this\n{{< /note >}}", "\n注意 this\n"),
            ("## {{% heading \"whatsnext\" %}}\n\ntext", "\n\ntext"),
            ("- {{< x >}}\n- a", "\na"),
            ("一个 {{< glossary text=\"Pod\" >}} 可以", "一个 Pod 可以"),
            ("{{< figure\n  src=\"a_b_c\"\n>}}\ntext", "\n\n\ntext"),
            ("{{< tab >}}    not code `x`", "     not code x"),
            (
                "{{< comment >}}\nhidden\n{{< /comment >}}\nshown",
                "\n\n\nshown",
            ),
            ("{% comment %} hidden {% endcomment %} shown", "  shown"),
            (
                "{{< comments >}}\nshown\n{{< /comment >}} {% comment-form %} b {%endcomment%}",
                "\nshown\n    b",
            ),
            (
                "{{% comment %}}\nsee a/comment and {{/comment}}\n{{%/comment%}}b",
                "\n\nb",
            ),
            (
                "{%- comment -%} the endcomment {%- endcomment -%} shown",
                "  shown",
            ),
            (
                "{% include a.html %}\n版本 {{ site.version }} b {# note #}",
                "\n版本   b",
            ),
            (
                "{% highlight js %}\nlet *a* = 1;\n{% endhighlight %}\n*b*",
                "\nlet *a* = 1;\n\nb",
            ),
            (
                "{{< highlight go >}}\nx := `*y*`\n{{< /highlight >}}\nb",
                "\nx := `*y*`\n\nb",
            ),
            ("a {{< open\n\nb >}}", "a {{< open\n\nb >}}"),
            ("a {{ open\nb }}", "a {{ open\nb }}"),
            (
                "`{{ .Values.x }}` and ``{% raw %}``",
                "{{ .Values.x }} and {% raw %}",
            ),
            (
                "```yaml\na: {{ .Values.x }}\n```\n{{ b }}",
                "\na: {{ .Values.x }}\n\n",
            ),
            ("- ```\n  {{ a }}\n\ntext {{ b }}", "\n{{ a }}\n\ntext"),
            ("> ```\n> {{ a }}\n{{ b }} c", "\n{{ a }}\n  c"),
        ],
    );
}

#[test]
fn what_generators_add_is_no_text() {
    check(
        false,
        false,
        &[
            ("## 标题 {#id}\n\n段落\n{: .class }", "标题\n\n段落\n"),
            (
                "![图](a.png){width=\"50%\"} a [b](c){: target=x} {not: this}",
                "图 a b {not: this}",
            ),
            ("## API {#api .no-toc}", "API"),
            (":::note 小心 this\n\n内容\n\n:::", "小心 this\n\n内容\n\n"),
            ("::: tip\n- a\n:::\n", "\na\n\n"),
            ("> [!NOTE]\n> 内容 text", "\n内容 text"),
            ("> [!warning]- 标题\n> b", "标题\nb"),
            ("[!INCLUDE [a](b.md)]\n\nb", "\n\nb"),
            (
                "每个{{< tooltip text=\"名字空间\" term_id=\"n\" >}}中 {{% tab name=\"x\" %}}",
                "每个名字空间中",
            ),
            ("{{< figure src=\"a.png\" caption=\"A map\" >}}", "A map"),
            (
                "![[Options] dialog, [Code]](a.png) 文",
                "[Options] dialog, [Code] 文",
            ),
            (
                "文 <script>var a=1</script> <style>.b{c:d}</style> end",
                "文   end",
            ),
            ("文 <script>var a\n\nend", "文\n\nend"),
            ("[!INCLUDE[a](b)] 文 [c](d)", "文 c"),
            ("文 [!INCLUDE[a](b)] text [!INCLUDE [c](d)]", "文  text"),
            (
                "!!! note \"标题 one\"\n\n    内容 **b**\n\n        code *x*\n\n后",
                "标题 one\n\n内容 b\n\ncode *x*\n\n后",
            ),
            (
                "??? tip\n    a\n\n    !!! danger \"In\"\n        b\n\n    c\nd",
                "\na\n\nIn\nb\n\nc\nd",
            ),
            (
                "=== \"Linux\"\n\n    ```sh\n    apt {{ a }}\n    ```\n\n=== \"Mac\"\n\n    brew",
                "Linux\n\n\napt {{ a }}\n\n\nMac\n\nbrew",
            ),
            ("[[toc]]\n\n[TOC]\n\na", "\n\n\n\na"),
            ("--8<-- \"a.md\"\n<<< @/a.js\nb", "\n\nb"),
            ("--8<--\na.md\nb.md\n--8<--\nc", "\n\n\n\nc"),
            (
                "import Tabs from '@theme/Tabs';\nimport './a.css'\n\n# T\n\nimport duties from China",
                "\n\n\nT\n\nimport duties from China",
            ),
            (
                "<Tabs values={[{a: '>'}]}>\n<TabItem value=\"x\">\n\n文\n\n</TabItem>\n</Tabs>",
                "\n\n\n文\n\n\n",
            ),
            ("<h1 align=\"center\">T</h1>", " T"),
        ],
    );
}

#[test]
fn mdx_is_markdown_with_components() {
    check(
        true,
        false,
        &[
            (
                "import A from 'a'\nexport const b = {\n\n  c: 1,\n}\n\n# 标题",
                "\n\n\n\n\n\n标题",
            ),
            (
                "<Tabs>\n  <TabItem label=\"a\">\n    文 *b*\n  </TabItem>\n</Tabs>",
                "\n a\n文 b\n\n",
            ),
            (
                "a {props.x} b {' '} {\"文\"} {/* it's */} c",
                "a   b   文   c",
            ),
            ("v<Badge text=\"x\" />1", "v 1"),
            ("<div style={{color: 'red'}}>文</div>", " 文"),
            (
                "- ```js\n  import a from 'b'\n  x = {y}\n  ```\n- b {c}",
                "\n  import a from 'b'\n  x = {y}\n\nb",
            ),
            ("a { b", "a { b"),
            ("<A\n  b={`\n\n`}\n>\n文", "\n\n\n\n\n文"),
            ("export duties rise", ""),
            (
                "<Tabs>\n<TabItem value=\"no\" label=\"苹果\" />\n</Tabs>\nv<Badge title={'x'} />1",
                "\n 苹果\n\nv x 1",
            ),
            (
                "<Card\n  title=\"标题 *one*\"\n  href=\"/no\"\n  description=\"long\n    text\"\n>文</Card>",
                "\n 标题 one\n\n long\n text\n文",
            ),
            (
                "<A code={`\nno ${\n`no`}\n\n`} label={`one\ntwo ${b} three`} />\n\nend",
                "\n\n\n\n one\n two three\n\nend",
            ),
            (
                "<div title={\"no\"}>a</div><img alt={\"图\"} src={b} />",
                " a  图",
            ),
            ("a {`b\nc ${d} e`} f", "a  b\n c e  f"),
            (
                "export const a = `\n\n{( text\n\n`\n\nshown",
                "\n\n\n\n\n\nshown",
            ),
            (
                "export const a = '(';\n\nshown\n\nimport 'x';\n\nb",
                "\n\nshown\n\n\n\nb",
            ),
            ("export const a = `\n\nshown", "\n\nshown"),
            ("export const a = {\n\n b: 1 }", "\n\n"),
            ("`{a}` <>b</>", "{a}  b"),
        ],
    );
}

#[test]
fn code_blocks_may_be_left_out_and_code_in_a_line_stays() {
    check(
        false,
        true,
        &[
            ("a `b`\n\n```js\nc\n```\nd", "a b\n\n\n\n\nd"),
            ("a\n\n    code\n\nb", "a\n\n\n\nb"),
            ("{% highlight js %}\nc\n{% endhighlight %}\nd", "\n\n\nd"),
            ("!!! note\n    text", "\ntext"),
            ("- a\n\n    text\n", "a\n\ntext\n"),
            ("{{< x >}} text", "  text"),
            ("a\n\n<pre>\nno\n\n<b>no</b>\n</pre>\nb", "a\n\n\n\n\n\n\nb"),
            (
                "<div>\n<p>a <code>b</code></p>\n<pre class=\"x\">no\n\n*no* `no`\n\n- no\n</pre>\nc\n</div>",
                "\na b\n\n\n\n\n\n\nc\n",
            ),
            ("<code>\nno\n</code>\nA <code>b</code>", "\n\n\nA b"),
            ("<code>\nno\n\nno\n</code>\nb", "\n\n\n\n\nb"),
            ("a <pre>no</pre> b <code>c</code>", "a  b c"),
            ("<preview>\na\n\nb", "\na\n\nb"),
        ],
    );
    check(
        false,
        false,
        &[("<pre>a</pre>\n\n<code>\nb\n</code>", " a\n\n\nb\n")],
    );
    check(
        true,
        true,
        &[(
            "<A>\n\n      text\n\n</A>\n```\nb\n```",
            "\n\ntext\n\n\n\n\n",
        )],
    );
}
