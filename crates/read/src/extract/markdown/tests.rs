use crate::extract::cases::check;
use crate::format::Format;

#[test]
fn words_count_and_markup_does_not() {
    check(
        Format::Markdown,
        r#"
# 标题 one⏎⏎text → 标题 one⏎⏎text
Title⏎=====⏎text → Title⏎⏎text
## 标题 ## → 标题
**f**oo _bar_ ~~baz~~ 中**文** → foo bar baz 中文
- a⏎  - b⏎1. c⏎- [x] d → a⏎b⏎c⏎d
> 引用⏎> > two⏎lazy → 引用⏎two⏎lazy
| a | 表 |⏎|---|:-:|⏎| `c` | d\|e |⏎ → a 表⏎⏎c d|e⏎
a\*b &amp; &copy;c &#20013; &NewLine;d → a*b & ©c 中  d
one  ⏎two\⏎three → one⏎two⏎three
a `code  span` b `` ` `` c → a code  span b ` c
a `two⏎lines` b → a two⏎lines b
$a_b$ 和 $$⏎x*y*z⏎$$ → a_b 和⏎x*y*z⏎
a⏎⏎***⏎⏎b → a⏎⏎⏎⏎b
a␍⏎# b␍⏎␍⏎`c`␍⏎ → a⏎b⏎⏎c⏎
 →
⏎⏎ → ⏎⏎
"#,
    );
}

#[test]
fn links_and_images_are_their_texts() {
    check(
        Format::Markdown,
        r#"
[文字](http://a.b/c "title") b → 文字 b
![替代 text](a.png) → 替代 text
[![badge](a.svg)](http://b) → badge
[a][1] [b][] [c] [d]⏎⏎[1]: http://a⏎[b]: <b> 'T'⏎[c]: c⏎ → a b c [d]⏎⏎⏎⏎⏎
<https://a.b/c> 和 <me@a.b> end →  和  end
[[Page Name|显示 text]] [[Other]] → 显示 text [[Other]]
![[image.png|300]] a →   a
[[1]](http://a.b) [[x|y]](z) → [1] [x|y]
a[^1] b⏎⏎[^1]: 脚注 text⏎ → a b⏎⏎脚注 text⏎
"#,
    );
}

#[test]
fn metadata_of_a_page_is_no_text() {
    check(
        Format::Markdown,
        r#"
---⏎title: x⏎---⏎text → ⏎⏎⏎text
+++⏎title = "x"⏎+++⏎# 文 → ⏎⏎⏎文
---␍⏎title: x␍⏎...␍⏎text → ⏎⏎⏎text
---⏎⏎A sentence between rules.⏎⏎---⏎text → ⏎⏎A sentence between rules.⏎⏎⏎text
a⏎⏎---⏎b: c⏎---⏎d → a⏎⏎⏎b: c⏎⏎d
a<!-- b -->c → ac
a <!--> words <!-- c --> d → a  words  d
a <!---> words --> d → a  words --> d
a <!-- b⏎c --> d → a⏎ d
a <!-- b⏎ ⏎c --> d → a <!-- b⏎⏎c --> d
- <!-- a⏎⏎  b -->⏎- c → ⏎⏎⏎c
a <b title="<T>">c</b> d → a c d
<!-- a⏎⏎# b⏎-->⏎c → ⏎⏎⏎⏎c
- a⏎<!--⏎- b⏎-->⏎- c → a⏎⏎⏎⏎c
  <!-- x -->    a →  a
a <!-- b → a <!-- b
a %%b%% c → a  c
%%⏎b⏎⏎```⏎x⏎```⏎%%⏎a → ⏎⏎⏎⏎⏎⏎⏎a
from 5%% to 7%%, `%%a%%` → from 5%% to 7%%, %%a%%
```⏎%% a⏎%%⏎```⏎b⏎⏎%% c⏎%% d → ⏎%% a⏎%%⏎⏎b⏎⏎%% c⏎%% d
`<!-- a -->`⏎⏎```html⏎<!-- b -->⏎``` → <!-- a -->⏎⏎⏎<!-- b -->⏎
    <!-- code -->⏎ → <!-- code -->⏎
<table><tr><td>⏎<!--⏎b⏎-->⏎    c</td> → ⏎⏎⏎⏎c
<hr>⏎<!--⏎a⏎⏎b⏎-->⏎⏎c → ⏎⏎⏎⏎⏎⏎⏎c
```⏎<!-- a⏎```⏎b⏎⏎<!-- c⏎⏎--> → ⏎<!-- a⏎⏎b⏎⏎⏎⏎
a<b>c</b>d<br>e → acd e
"#,
    );
}

#[test]
fn html_counts_without_its_tags() {
    check(
        Format::Markdown,
        r#"
<div class="x">⏎文 <b>text</b>⏎</div>⏎⏎after → ⏎文 text⏎⏎⏎after
> <p>⏎> a</p>⏎⏎b → ⏎a⏎⏎b
Within a line it counts as it does in a page.
<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字</ruby>を → 漢字を
<ruby>漢<rt>かん</ruby>を a<span hidden>*b* `c`<br></span>d → 漢を ad
a<b style='display: none'>b <i>c</i></i> d</b>e <script>f</script>g → ae g
a<i hidden>b⏎⏎c → a⏎⏎c
a<time>b</time>c d<label>e</label><nobr>f</nobr> g<x-y>h</x-y>i → abc def g h i
<details>⏎<summary>Sum</summary>⏎⏎*in*⏎⏎</details> → ⏎Sum⏎⏎in⏎⏎
"#,
    );
}

#[test]
fn shortcodes_are_no_text() {
    check(
        Format::Markdown,
        r#"
{{< note >}}⏎注意 this⏎{{< /note >}} → ⏎注意 this⏎
## {{% heading "whatsnext" %}}⏎⏎text → ⏎⏎text
- {{< x >}}⏎- a → ⏎a
一个 {{< glossary text="Pod" >}} 可以 → 一个 Pod 可以
{{< figure⏎  src="a_b_c"⏎>}}⏎text → ⏎⏎⏎text
{{< tab >}}    not code `x` →      not code x
{{< comment >}}⏎hidden⏎{{< /comment >}}⏎shown → ⏎⏎⏎shown
{% comment %} hidden {% endcomment %} shown →   shown
{{< comments >}}⏎shown⏎{{< /comment >}} {% comment-form %} b {%endcomment%} → ⏎shown⏎    b
{{% comment %}}⏎see a/comment and {{/comment}}⏎{{%/comment%}}b → ⏎⏎b
{%- comment -%} the endcomment {%- endcomment -%} shown →   shown
{% include a.html %}⏎版本 {{ site.version }} b {# note #} → ⏎版本   b
{% highlight js %}⏎let *a* = 1;⏎{% endhighlight %}⏎*b* → ⏎let *a* = 1;⏎⏎b
{{< highlight go >}}⏎x := `*y*`⏎{{< /highlight >}}⏎b → ⏎x := `*y*`⏎⏎b
a {{< open⏎⏎b >}} → a {{< open⏎⏎b >}}
a {{ open⏎b }} → a {{ open⏎b }}
`{{ .Values.x }}` and ``{% raw %}`` → {{ .Values.x }} and {% raw %}
```yaml⏎a: {{ .Values.x }}⏎```⏎{{ b }} → ⏎a: {{ .Values.x }}⏎⏎
- ```⏎  {{ a }}⏎⏎text {{ b }} → ⏎{{ a }}⏎⏎text
> ```⏎> {{ a }}⏎{{ b }} c → ⏎{{ a }}⏎  c
- a⏎⏎      x <A> y⏎      {{ b }}⏎      z⏎⏎  {{ c }} d → a⏎⏎x <A> y⏎{{ b }}⏎z⏎⏎  d
    a⏎{{% /tab %}}⏎    b {{ c }} → a⏎⏎b {{ c }}
```⏎<A b={⏎```⏎c <D/> e⏎}> → ⏎<A b={⏎⏎c   e⏎}>
```⏎:::a⏎[[toc]]⏎{{< b⏎  c >}} d⏎import "e"⏎``` → ⏎:::a⏎[[toc]]⏎{{< b⏎  c >}} d⏎import "e"⏎
```a``` b {{ c }} d⏎e → a b   d⏎e
"#,
    );
}

#[test]
fn markup_of_generators_is_no_text() {
    check(
        Format::Markdown,
        r#"
## 标题 {#id}⏎⏎段落⏎{: .class } → 标题⏎⏎段落⏎
![图](a.png){width="50%"} a [b](c){: target=x} {not: this} → 图 a b {not: this}
[a](b){ .button } # b { #c } → a # b
## API {#api .no-toc} → API
::: a.b⏎    options:⏎      c: true⏎text⏎⏎::: tip⏎    options⏎ → a.b⏎⏎⏎text⏎⏎⏎options⏎
:::<T title="tea⏎"> cup →  tea⏎cup
:::note 小心 this⏎⏎内容⏎⏎::: → 小心 this⏎⏎内容⏎⏎
::: tip⏎- a⏎:::⏎ → ⏎a⏎⏎
> [!NOTE]⏎> 内容 text → ⏎内容 text
> [!warning]- 标题⏎> b → 标题⏎b
[!INCLUDE [a](b.md)]⏎⏎b → ⏎⏎b
每个{{< tooltip text="名字空间" term_id="n" >}}中 {{% tab name="x" %}} → 每个名字空间中
{{< figure src="a.png" caption="A map" >}} → A map
![[Options] dialog, [Code]](a.png) 文 → [Options] dialog, [Code] 文
文 <script>var a=1</script> <style>.b{c:d}</style> end → 文   end
文 <script>var a⏎⏎end → 文⏎⏎end
[!INCLUDE[a](b)] 文 [c](d) → 文 c
文 [!INCLUDE[a](b)] text [!INCLUDE [c](d)] → 文  text
!!! note "标题 one"⏎⏎    内容 **b**⏎⏎        code *x*⏎⏎后 → 标题 one⏎⏎内容 b⏎⏎code *x*⏎⏎后
??? tip⏎    a⏎⏎    !!! danger "In"⏎        b⏎⏎    c⏎d → ⏎a⏎⏎In⏎b⏎⏎c⏎d
=== "Linux"⏎⏎    ```sh⏎    apt {{ a }}⏎    ```⏎⏎=== "Mac"⏎⏎    brew → Linux⏎⏎⏎apt {{ a }}⏎⏎⏎Mac⏎⏎brew
[[toc]]⏎⏎[TOC]⏎⏎a → ⏎⏎⏎⏎a
--8<-- "a.md"⏎<<< @/a.js⏎b → ⏎⏎b
import Tabs from '@theme/Tabs';⏎import './a.css'⏎⏎# T⏎⏎import duties from China → ⏎⏎⏎T⏎⏎import duties from China
<Tabs values={[{a: '>'}]}>⏎<TabItem value="x">⏎⏎文⏎⏎</TabItem>⏎</Tabs> → ⏎⏎⏎文⏎⏎⏎
<h1 align="center">T</h1> →  T
"#,
    );
}

#[test]
fn mdx_is_markdown_with_components() {
    check(
        Format::Mdx,
        r#"
import A from 'a'⏎export const b = {⏎  c: 1,⏎}⏎⏎# 标题 → ⏎⏎⏎⏎⏎标题
<Tabs>⏎  <TabItem label="a">⏎    文 *b*⏎  </TabItem>⏎</Tabs> → ⏎ a⏎文 b⏎⏎
a {props.x} b {' '} {"文"} {/* it's */} c → a   b   文   c
v<Badge text="x" />1 → v 1
<div style={{color: 'red'}}>文</div> →  文
- ```js⏎  import a from 'b'⏎  x = {y}⏎  ```⏎- b {c} → ⏎  import a from 'b'⏎  x = {y}⏎⏎b
```js⏎⏎export const a = {⏎  b,⏎```⏎c {d} e⏎⏎}; → ⏎⏎export const a = {⏎  b,⏎⏎c   e⏎⏎};
a { b → a { b
<A⏎  b={`⏎⏎`}⏎>⏎文 → ⏎⏎⏎⏎⏎文
export duties rise →
<Tabs>⏎<TabItem value="no" label="苹果" />⏎</Tabs>⏎v<Badge title={'x'} />1 → ⏎ 苹果⏎⏎v x 1
<Card⏎  title="标题 *one*"⏎  href="/no"⏎  description="long⏎    text"⏎>文</Card> → ⏎ 标题 one⏎⏎ long⏎ text⏎文
<A code={`⏎no ${⏎`no`}⏎⏎`} label={`one`} />⏎⏎end → ⏎⏎⏎⏎ one⏎⏎end
<div title={"no"}>a</div><img alt={"图"} src={b} /> →  a  图
a {`b⏎c ${d} e`} f → a⏎f
export const a = '(';⏎⏎shown⏎⏎import 'x';⏎⏎b → ⏎⏎shown⏎⏎⏎⏎b
export const a = `⏎⏎shown → ⏎⏎shown
export const A = ({b}) => {⏎  c(`{`);⏎⏎  return "}" + [b,⏎⏎"d"];⏎};⏎⏎文⏎⏎import {A,⏎⏎B} from 'c'⏎⏎d → ⏎⏎⏎⏎⏎⏎⏎⏎文⏎⏎⏎⏎⏎⏎d
export const a = {⏎⏎shown {b}⏎⏎too → ⏎⏎shown⏎⏎too
`{a}` <>b</> → {a}  b
"#,
    );
}

#[test]
fn code_of_html_is_text() {
    check(
        Format::Markdown,
        r#"
<pre>a</pre>⏎⏎<code>⏎b⏎</code> →  a⏎⏎⏎b⏎
<preview>⏎a⏎⏎b → ⏎a⏎⏎b
!!! note⏎    text → ⏎text
- a⏎⏎    text⏎ → a⏎⏎text⏎
{{< x >}} text →   text
"#,
    );
    check(
        Format::Mdx,
        r#"
<A>⏎⏎      text⏎⏎</A>⏎```⏎b⏎``` → ⏎⏎text⏎⏎⏎⏎b⏎
"#,
    );
}

#[test]
fn prose_in_directives_of_myst_is_prose() {
    check(
        Format::Markdown,
        r#"
```{note}⏎Prose **x**.⏎```⏎end → ⏎Prose x.⏎⏎end
````{tab-set}⏎```{tab-item} Linux⏎:sync: k⏎a⏎```⏎````⏎b → ⏎Linux⏎⏎a⏎⏎⏎b
:::{admonition} My title⏎:class: tip⏎a⏎::: → My title⏎⏎a⏎
```{note}⏎---⏎class: x⏎---⏎a⏎```⏎b → ⏎⏎⏎⏎a⏎⏎b
````{note}⏎a⏎```⏎x = *1*⏎```⏎b⏎````⏎c → ⏎a⏎⏎x = *1*⏎⏎b⏎⏎c
```{code-block} python⏎:linenos:⏎x = *1*⏎```⏎a → ⏎⏎x = *1*⏎⏎a
```{code-block} yaml⏎:linenos:⏎⏎---⏎a: *1*⏎```⏎b → ⏎⏎⏎---⏎a: *1*⏎⏎b
```{note}⏎---⏎class: x⏎```⏎b⏎⏎---⏎c → ⏎⏎⏎⏎b⏎⏎⏎c
```{toctree}⏎:maxdepth: 2⏎intro⏎```⏎a → ⏎⏎⏎⏎a
```{figure} a.png⏎:alt: a map⏎:name: f⏎⏎Caption.⏎``` → ⏎a map⏎⏎⏎Caption.⏎
```{prf:theorem} Cauchy⏎:label: c⏎⏎a⏎```⏎b → Cauchy⏎⏎⏎a⏎⏎b
```{image} a.png⏎:alt: a map⏎```⏎b → ⏎a map⏎⏎b
```{rubric} Notes⏎``` → Notes⏎
- a⏎⏎  ```{tip}⏎  b⏎  ```⏎c → a⏎⏎⏎b⏎⏎c
```{r setup}⏎x = *1*⏎```⏎a → ⏎x = *1*⏎⏎a
```{python}⏎:a: b⏎``` → ⏎:a: b⏎
{ref}`some text <target>` and {doc}`other`. → some text and other.
"#,
    );
}
