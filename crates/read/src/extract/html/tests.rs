use super::*;

/// The text of a page, with `/` for its line ends.
fn all(source: &str) -> String {
    super::all(source, Syntax::Html).text.replace('\n', "/")
}

fn main(source: &str) -> String {
    article(source, Syntax::Html).text.replace('\n', "/")
}

/// The words of a text, a space between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of a page that is XML by its name.
fn all_of_xml(source: &str) -> String {
    super::all(source, Syntax::Xml).text.replace('\n', "/")
}

#[test]
fn entities_are_decoded() {
    for (source, expected) in [
        ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("caf&eacute; &#20013;&#x6587;", "café 中文"),
        ("&xyzzy; &amp &copy2024", "&xyzzy; & ©2024"),
        ("a&nbsp;b", "a\u{a0}b"),
        // No line of the source ends here.
        ("a&#10;b&NewLine;c", "a b c"),
        ("x &#0; &#xD800; &#x110000;", "x \u{fffd} \u{fffd} \u{fffd}"),
    ] {
        assert_eq!(all(source), expected, "{source}");
    }
}

#[test]
fn inline_elements_do_not_split_words_and_blocks_do() {
    for (source, expected) in [
        ("<b>f</b>oo <i>b<u>a</u></i>r", "foo bar"),
        ("中<em>文</em>字", "中文字"),
        ("super<wbr>cali", "supercali"),
        ("a<!-- x -->b", "ab"),
        ("a<br>b<br/>c", "a b c"),
        ("<p>a</p><p>b", " a b"),
        ("<div>a<p>b</div>c", " a b c"),
        ("<h1>a</h1>b", " a b"),
        ("<ul><li>a<li>b</ul>c", " a b c"),
        ("<table><tr><td>a<td>b<tr><td>c</table>d", " a b c d"),
        ("<table><tr><td>a</td></tr></table>", " a "),
        ("a<hr>b", "a b"),
        ("<dl><dt>a<dd>b</dl>", " a b "),
        ("<a href=x>a</a> <a href=y>b</a>", "a b"),
        ("<td><br>", " "),
        ("<b></b>", ""),
        ("a <b> b </b> c", "a b c"),
    ] {
        assert_eq!(all(source), expected, "{source}");
    }
}

#[test]
fn invisible_elements_are_no_text() {
    for unseen in [
        "<script>b < 'c' > d</script>",
        "<script><!-- <script>b</script> --></script>",
        "<style>p > b { color: red }</style>",
        "<!-- b -- > b -->",
        "<!-->",
        "<![CDATA[b]]>",
        "<template><p>b</p></template>",
        "<noscript><p>b</p></noscript>",
        "<svg><title>b</title><desc>b</desc><g>b</g></svg>",
        "<svg><defs><text>b</text></defs><symbol><text>b</text></symbol></svg>",
        "<svg><text><title>b</title></text></svg>",
        "<svg style='display: none'><text>b</text></svg>",
        "<svg><style/><title/><script/></svg>",
        "<iframe><p>b</iframe>",
        "<div hidden>b</div>",
        "<p style='display: none'>b</p>",
        "<dialog>b</dialog>",
        "<img src=b title=b>",
        "<img alt=' '>",
        "<a title='a > b'></a>",
        "<?php b ?>",
        "<!doctype b>",
        "</b x='b'>",
        "<video><p>b</video>",
        "<math><annotation encoding='application/x-tex'>b</annotation></math>",
        "<math><annotation-xml encoding='MathML-Content'><ci>b</ci></annotation-xml></math>",
    ] {
        let text = all(&format!("a {unseen} c"));
        assert_eq!(text, "a c", "{unseen}");
    }
    assert_eq!(all("<ul><li hidden>a<li>b</ul>"), " b ");
    assert_eq!(all("<p hidden>a<p>b"), " b");
    // An item ends a paragraph, whatever it is an item of.
    for item in ["li", "dt", "dd"] {
        let source = format!("<div><p style='display:none'>a<{item}>b</div><p>c");
        assert_eq!(all(&source), " b c", "{item}");
    }
    assert_eq!(
        all("<ul><li><p hidden>a<ul><li hidden>b</ul><li>c</ul>d"),
        " c d"
    );
    assert_eq!(all("<details hidden=until-found>a</details>"), " a ");
    assert_eq!(all("<div role=tabpanel hidden>a</div>"), " a ");
}

#[test]
fn text_outside_of_elements_counts() {
    assert_eq!(all("<title>A &amp; <b></title>c"), " A & <b> c");
    assert_eq!(all("a<img alt='b &gt; c' src=x>d"), "a b > c d");
    assert_eq!(all("<math><mi>x</mi></math>"), "x");
    let formula = "<math><annotation-xml encoding='Text/HTML'><b>x</b></annotation-xml></math>";
    assert_eq!(all(formula), "x");
    assert_eq!(all("<textarea>a <b></textarea>"), " a <b> ");
    assert_eq!(all("<svg><foreignObject></svg>a"), "a");
}

#[test]
fn the_labels_of_a_picture_are_text_but_not_of_the_article() {
    let picture = "<svg viewBox='0 0 9 9'><style>.a { fill: red }</style><g><text x=1>a<tspan>b</tspan> c</text>\
                   <text x=2><tspan x=1>d</tspan><tspan x=1>e</tspan></text></g><path d='M0'/>\
                   <foreignObject><div>f</div></foreignObject><switch>g</switch></svg>";
    assert_eq!(all(&format!("<p>x{picture}y</p>")), " x ab c d e f y ");
    let page = format!("<main><p>x</p>{picture}<p>y</p></main>");
    assert_eq!(words(&main(&page)), "x y");
    // One that is left open ends with the next paragraph.
    assert_eq!(all("<svg><g><text>a<p>b"), " a b");
    assert_eq!(
        all("<svg>\n<text>a</text>\n\n<text>b</text></svg>"),
        "/a//b "
    );
}

#[test]
fn readings_are_not_between_the_characters() {
    let source = "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</ruby>を";
    assert_eq!(all(source), "漢字を");
}

#[test]
fn every_line_stays_where_it_is() {
    for (source, expected) in [
        ("<p>\na\n\n b</p>\n", "/a//b/"),
        ("<script>\n\n</script>a\n<!--\n-->b", "//a//b"),
        ("<pre>\n  a\n    b\n</pre>", "/  a/    b/"),
        ("a\r\nb\r\n", "a/b/"),
        ("<p\nclass='x\ny'\n>a", "///a"),
        ("a &amp;\nb &lt;\n c", "a &/b </c"),
        ("a\n\n<nav>b\n</nav>c", "a//b/c"),
        ("\u{feff}<p>a", "\u{feff} a"),
        ("a &x\nb &amp\nc", "a &x/b &/c"),
    ] {
        assert_eq!(all(source), expected, "{source}");
    }
    // A tag may have line ends in the middle of a word: the word stays whole, and what follows is in its place.
    assert_eq!(all("fo<b\n>o</b>, bar"), "foo/, bar");
    assert_eq!(all("<p>中<a\nhref=x>文</a\n>字"), " 中/文/字");
    // A line end of old Macs is none.
    assert_eq!(all("a\rb"), "a b");
}

#[test]
fn malformed_markup_has_a_text() {
    for (source, expected) in [
        ("a < b and c<d", "a < b and c"),
        ("<p>a</div></span></p></p>b", " a b"),
        ("a<b", "a"),
        ("a <!-- b", "a "),
        ("a</", "a</"),
        ("<>a</>b", "<>ab"),
        ("<p title='>a</p>", ""),
        ("<a href=x>y>a</a>", "y>a"),
        ("a\0b", "a\0b"),
        ("<svg><p>a</p>", " a "),
        ("<title>a", " a"),
        ("<table><td>a</div>b<td>c</table>", " a b c "),
    ] {
        assert_eq!(all(source), expected, "{source}");
    }
}

#[test]
fn in_xml_any_element_may_be_closed_by_its_tag() {
    let source =
        "<?xml version='1.0'?><html><title/><script src='x'/><p>a</p><![CDATA[<b>]]></html>";
    assert_eq!(all(source), " a <b> ");
    for closed in [
        "<video src='a.mp4'/>",
        "<script src='a.js'/>",
        "<span style='display:none'/>",
        "<canvas/>",
        "<title/>",
        "<p hidden='hidden'/>",
        "<textarea/>",
        "<iframe src='a'/>",
    ] {
        let source = format!("<html xmlns='x'><body><p>one</p>{closed}<p>two</p></body></html>");
        assert_eq!(words(&all_of_xml(&source)), "one two", "{closed}");
        let page = article(&source, Syntax::Xml).text;
        assert_eq!(words(&page), "one two", "{closed}");
    }
    assert_eq!(all_of_xml("<p>a<![CDATA[<b> & c]]></p>"), " a<b> & c ");
}

#[test]
fn the_site_around_an_article_is_left_out() {
    let page = "<title>T</title><header><h1>Site</h1></header><nav>menu</nav><div id='sidebar'>side</div>\
                <main><header><h1>H</h1></header><p>text <button>copy</button></p><div role=search>find</div>\
                </main><p aria-hidden=true>x</p><form><select><option>y</select></form><footer>foot</footer>";
    assert_eq!(words(&main(page)), "T H text");
    let expected = "T Site menu side H text copy find x y foot";
    assert_eq!(words(&all(page)), expected);
    let page = "<main><h2>Ice<span class=mw-editsection>[edit]</span></h2><p>text</p><div class='sharedaddy sd-block'>Share\
                </div><div id=jp-relatedposts>more</div><div id=catlinks>of winter</div><div class=printfooter>from</div>\
                <ul class=post-copyright><li>by</ul></main>";
    assert_eq!(words(&main(page)), "Ice text");
    // If a page has nothing else, all of it counts.
    assert_eq!(main("<nav>a</nav><footer>b</footer>"), " a b ");
    // Ids of sections and headings are made of titles.
    for [open, close] in [
        ["<main><section id=pagination>", "</section></main>"],
        ["<section id=page><section id=toc>", "</section></section>"],
        ["<div id=navigation class='section level2'>", "</div>"],
        ["<h2 id=menu>", "</h2>"],
    ] {
        let page = format!("<p>text</p>{open}soup{close}<section id=footer>foot</section>");
        let read = main(&page);
        assert!(read.contains("soup") && !read.contains("foot"), "{page}");
    }
    // The word is not the whole of the class, or names another part of the page.
    let page = "<body class=sidebar><p class='menu-of-the-day'>soup</p></body>";
    assert_eq!(words(&main(page)), "soup");
}

#[test]
fn the_notes_in_an_article_are_a_part_of_it() {
    for article in ["main", "article", "div role=main"] {
        let page = format!(
            "<aside>side</aside><{article}><p>text</p><div class='alert alert-info' role=alert>note</div>\
             <aside class=starlight-aside>tip</aside><aside class=sidebar>side</aside></div></article></main>"
        );
        assert_eq!(words(&main(&page)), "text note tip", "{article}");
    }
    let page = "<section><p>text</p><aside>side</aside></section>";
    assert_eq!(words(&main(page)), "text");
}

/// A page where only class names mark the article.
fn page_of_boxes() -> String {
    let boxes = |class: &str, words: &str, times: usize| {
        let link = format!("<div class=item><a href=x>{words}</a></div>\n");
        format!("<div class={class}>\n{}</div>\n", link.repeat(times))
    };
    let paragraph = "<p>A paragraph of the article, with commas, and with <a href=x>a link</a> in it, \
                     which goes on for a while so that it counts.</p>\n";
    [
        "<title>The title</title>\n",
        &boxes("channels", "Another channel", 30),
        "<div class=article-text>\n<h1>The heading</h1>\n",
        &paragraph.repeat(12),
        "</div>\n",
        &boxes("ranking", "Most read of all", 30),
    ]
    .concat()
}

#[test]
fn the_article_is_found_and_keeps_its_lines() {
    let source = page_of_boxes();
    let text = article(&source, Syntax::Html).text;
    assert_eq!(text.matches('\n').count(), source.matches('\n').count());
    for (line, (words, tags)) in text.lines().zip(source.lines()).enumerate() {
        let expected = match tags {
            _ if tags.starts_with("<p>") => {
                "A paragraph of the article, with commas, and with a link in it, \
                 which goes on for a while so that it counts."
            }
            "<title>The title</title>" => "The title",
            "<h1>The heading</h1>" => "The heading",
            _ => "",
        };
        assert_eq!(words.trim(), expected, "line {line}: {tags}");
    }
    let all = all(&source);
    assert!(all.contains("Another channel") && all.contains("Most read of all"));
}

#[test]
fn a_long_paragraph_is_no_article_without_those_beside_it() {
    let sentence =
        "The ferry leaves from the pier behind the old market, and nobody has ever missed it. ";
    for element in ["p", "pre", "h2"] {
        let long = format!("<{element}>{}</{element}>", sentence.repeat(9));
        let text = main(&format!(
            "<div class=text><p>Bring a coat.</p>{long}<p>Sold on board.</p></div>"
        ));
        assert!(
            text.contains("Bring a coat.") && text.contains("Sold on board."),
            "{text}"
        );
    }
}

#[test]
fn sections_of_one_text_stay_together() {
    let paragraph =
        "<p>A sentence of a manual, which is long enough to be taken for a paragraph of it.</p>";
    let section = |words: &str, times: usize| {
        let paragraphs = paragraph.repeat(times);
        format!("<div class=section><h2>{words}</h2>{paragraphs}</div>")
    };
    let sections = section("First", 20) + &section("Second", 3);
    let comments = format!("<div class=comments>Noise {paragraph}</div>");
    let text = main(&format!(
        "<div>Label</div><div id=document>{sections}{comments}</div>"
    ));
    assert!(text.contains("First") && text.contains("Second"), "{text}");
    assert!(!text.contains("Label") && !text.contains("Noise"), "{text}");
    let long = paragraph.repeat(20);
    let teaser = paragraph.replace("<p>", "<p class=teaser>Lead: ");
    for class in ["commentary", "Shared_text__1", "shareholders"] {
        let text = main(&format!(
            "<div>Label</div><div>{teaser}{long}<div class={class}>Note: {paragraph}</div></div>"
        ));
        assert!(text.contains("Lead") && text.contains("Note"), "{text}");
    }
}

#[test]
fn the_numbers_of_lines_of_code_are_no_text() {
    for code in [
        "<pre><span></span><span class=linenos> 1</span>row the boat\n<span class=linenos> 2</span>to town</pre>",
        "<pre><code><span class=line><span class=ln>1</span>row the boat\n</span><span class='ln hl'>2</span>to town</code></pre>",
        "<table><td class=linenos><div class=linenodiv><pre>1\n2</pre></div><td><pre>row the boat\nto town</pre></table>",
        "<table><td class='gutter gl'><pre class=lineno>1\n2</pre><td class=code><pre>row the boat\nto town</pre></table>",
        "<table><td class=lntd><pre><code><span class=lnt>1\n</span><span class=lnt>2\n</span></code></pre>\
         <td class=lntd><pre>row the boat\nto town</pre></table>",
        "<pre class=line-numbers><code class=line-numbers>row the boat\nto town</code></pre>",
        "<p class=gutter>row <span class=ln>the</span></p><div class=gutter>boat to town</div>",
    ] {
        let read = super::all(code, Syntax::Html).text;
        assert_eq!(words(&read), "row the boat to town", "{code}");
        assert_eq!(read.matches('\n').count(), code.matches('\n').count());
    }
}

#[test]
fn the_words_of_an_author_beside_a_long_block_count() {
    let own = "Nothing of what my brother writes here is so: he was never on the ferry, and I was.";
    let quoted = "<p>The ferry leaves the eastern bank at six, when the mist lies on the water, and it \
                  carries the bakers first. On market days the queue reaches back to the chapel.</p>"
        .repeat(4);
    for page in [
        "<h1>My view</h1><p>It is not so.</p><blockquote>QUOTED</blockquote>",
        "<h1>My view</h1><p>It is not so.</p><details><summary>More</summary>QUOTED</details>",
        "<h1>My view</h1><p>It is not so.</p><ol><li>QUOTED</li></ol>",
        "<h1>My view</h1><p>OWN</p><table><tr><td>QUOTED</td></tr></table>",
        "<div>OWN</div><br><div class=mail><blockquote>QUOTED</blockquote></div>",
        "OWN<br><div><blockquote><div>Anna wrote:</div><div>QUOTED</div></blockquote></div>",
        "<div class=Section1>QUOTED</div><div class=Section2><p>OWN</p></div>",
        "<div id=question><div>OWN</div></div><div id=answers><div><div>QUOTED</div></div></div>",
        "<div><h1>My view</h1><div class=abstract>OWN</div></div><div><div>QUOTED</div><p>12 March</div>",
        "<div><div>OWN</div></div><div><div>Notes: OWN</div><div>QUOTED</div></div>",
    ] {
        let page = page.replace("OWN", own).replace("QUOTED", &quoted);
        let read = words(&main(&page));
        assert!(
            read.contains(own) || read.contains("It is not so."),
            "{page} {read}"
        );
        assert_eq!(read.matches("chapel").count(), 4, "{page} {read}");
    }
    let link = format!("<a href=x>{own}</a>");
    for furniture in [
        "<div>Home and more of it</div>".to_owned(),
        format!("<div><a href=y>Home</a> {link}</div>"),
        format!("<div>Cookies help us. {own}</div>"),
        format!("<div class=related>{own}</div>"),
        format!("<div class=footer>{own}</div>"),
        format!("<div class=sidebar><div><p>{own}</p></div></div>"),
    ] {
        let page = format!("{furniture}<div class=text>{quoted}</div>");
        assert_eq!(words(&main(&page)), words(&main(&quoted)), "{page}");
    }
}

#[test]
fn front_matter_and_shortcodes_are_no_text() {
    for (source, expected) in [
        (
            "---\nlayout: no\ntitle: no\n---\n<p>文 {{ site.no }}a{% if a < b %}b</p>\n{% comment %}\nno\n{% endcomment %}{# no #}c",
            "////文 a b///c",
        ),
        (
            "+++\ntitle = \"no\"\n+++\n<a href=\"{{< ref \"no\" >}}\">b</a>{{% x text=\"图\" %}}",
            "///b图",
        ),
        ("<p>{{ x }} {% y %}</p>", " {{ x }} {% y %} "),
        ("---\n\na {{ b }}\n\n---\nc", "---//a {{ b }}//---/c"),
    ] {
        assert_eq!(all(source), expected, "{source}");
    }
}

#[test]
fn a_short_part_that_the_page_marks_counts_alone() {
    let article = "<p>The ferry leaves at six.</p>";
    let frame = "<p>We store small files on your device, so that this site works.</p>";
    for (open, close) in [
        ("<main>", "</main>"),
        ("<article>", "</article>"),
        ("<div id=content>", "</div>"),
        ("<div id=js_content style='visibility: hidden'>", "</div>"),
    ] {
        let page = format!("<title>Ferries</title>{open}{article}{close}<div>{frame}</div>");
        assert_eq!(
            words(&main(&page)),
            "Ferries The ferry leaves at six.",
            "{open}"
        );
    }
    let chrome = "<div class=rich_media_tool>阅读原文</div><div class='weui-dialog x'>微信扫一扫可打开此内容，使用完整服务</div>";
    let page = format!(
        "<div id=js_content style='opacity: 0; visibility: hidden'><p>渡船七点开。</p></div>{chrome}"
    );
    assert_eq!(words(&main(&page)), "渡船七点开。");
    // Too little of the page.
    let page = format!("<main><p>A.</p></main><div>{frame}</div>");
    assert!(main(&page).contains("small files"), "{}", main(&page));
}

#[test]
fn a_page_that_a_script_shows_counts() {
    let text = "<p>The ferry leaves the eastern bank at six, when the mist lies on the water.</p>"
        .repeat(8);
    for hidden in [
        "<div id=js_content style='visibility: hidden; opacity: 0'>",
        "<body hidden>",
        "<main style='display:none'>",
    ] {
        let page = format!("<h1>Ferries</h1>{hidden}{text}");
        for read in [all(&page), main(&page)] {
            assert_eq!(read.matches("mist").count(), 8, "{hidden} {read}");
        }
    }
    for shown in [
        // Less than the page shows, a menu, and too little to be a page.
        format!("{text}{text}<div hidden>{text} secret</div>"),
        format!("<p>A note.</p><nav hidden>{text}{text} secret</nav>"),
        "<p>A note.</p><div hidden>Thank you for the secret message.</div>".into(),
        format!("<p>A note.</p><script>{text}{text} secret</script>"),
    ] {
        assert!(!all(&shown).contains("secret"), "{shown}");
    }
    let shadow = "<x-page><template shadowrootmode=open><p>seen</template></x-page>";
    assert!(all(shadow).contains("seen") && !all("<template>no</template>").contains("no"));
}
