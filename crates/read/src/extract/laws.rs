//! Laws for the texts of all formats that are read by lines, whatever is in a file.

#[path = "../../../../tests/fuzz/list.rs"]
mod list;

use list::list;
use proptest::prelude::*;

use crate::extract::{WebPart, extract};
use crate::format::Format;

/// Returns the formats that are read line by line. Readers of web pages and XML have tests of their own.
fn of_lines() -> impl Iterator<Item = Format> {
    let others = [Format::Html, Format::Xhtml, Format::Xml];
    Format::all().filter(move |format| {
        format.keeps_lines() && !format.may_hold_records() && !others.contains(format)
    })
}

/// Pieces of markup.
const PIECES: &str = r#" ¦  ¦    ¦⇥¦⏎¦⏎¦⏎¦⏎⏎¦␍⏎¦␍¦⏎    ¦⏎  ¦#¦## ¦- ¦* ¦1. ¦> ¦*¦**¦_¦`¦``¦```¦⏎```⏎¦⏎~~~⏎¦~~¦[¦]¦(¦)¦](¦![¦[[¦]]¦|¦
⏎|-|-|⏎¦⏎---⏎¦⏎===⏎¦⏎+++⏎¦<¦>¦</¦/>¦<!--¦-->¦<b>¦</b>¦<div>¦⏎<div>⏎¦<br>¦<A b={¦<T>¦<T title="¦⏎  label={`¦
" alt='¦${¦<pre>¦</pre>¦⏎<code>⏎¦</code>¦⏎export const a = `¦{¦}¦{{¦}}¦{{< ¦ >}}¦{{% ¦%}}¦{% ¦ %}¦{#¦#}¦
{: .a}¦{#id}¦⏎:::¦::¦:¦⏎!!! note "¦⏎=== "¦"¦'¦⏎> [!NOTE]¦[!a¦[^1]¦⏎[^1]: ¦⏎[a]: ¦$¦$$¦&amp;¦&#10;¦&NewLine;¦
\¦⏎import ¦⏎export ¦ from 'a'¦⏎--8<--⏎¦⏎.. ¦.. note::¦⏎..⏎¦⏎.. raw:: html⏎⏎   ¦⏎.. toctree::⏎¦⏎   :caption: ¦
⏎   :header: ¦⏎::⏎⏎¦⏎:a: ¦:ref:`¦`_¦|a|¦⏎+---+⏎¦⏎----⏎¦⏎////⏎¦⏎++++⏎¦+¦+++¦pass:[¦⏎[quote, ¦= ¦⏎|===⏎¦
⏎[source]⏎¦⏎:a:⏎¦~¦\x¦%¦⏎"¦⏎.T¦link:a[¦<<¦>>¦image::a[¦ifdef::a[¦((¦))¦⏎{% highlight a %}⏎¦⏎{% endhighlight %}⏎¦
{% comment %}¦{% endcomment %}¦␡¦中文¦é¦␞¦⏎+⏎"#;

/// Markup and words that are all different.
fn marked_up() -> impl Strategy<Value = String> {
    let piece =
        prop_oneof![3 => prop::sample::select(list(PIECES)).prop_map(Some), 2 => Just(None)];
    prop::collection::vec(piece, 0..120).prop_map(|pieces| {
        let pieces = pieces.into_iter().enumerate();
        let pieces = pieces.map(|(number, piece)| piece.unwrap_or_else(|| format!("w{number}x")));
        pieces.collect()
    })
}

/// The words of [`marked_up`] in a line, each with whether it goes on with a word before it.
fn words(line: &str) -> Vec<(&str, bool)> {
    let starts = line.match_indices('w').map(|(at, _)| line.split_at(at));
    let words = starts.filter_map(|(before, rest)| {
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let goes_on = before.ends_with(char::is_alphanumeric);
        (digits > 0 && rest[1 + digits..].starts_with('x')).then(|| (&rest[..digits + 2], goes_on))
    });
    words.collect()
}

fn all_texts(source: &str) -> Vec<(Format, String)> {
    let texts = of_lines().map(|format| {
        let text = extract(source, format, WebPart::Main).text;
        (format, text.into_owned())
    });
    texts.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_text_has_the_lines_of_its_source_and_words_keep_their_lines(source in marked_up()) {
        for (format, text) in all_texts(&source) {
            let (lines, sources): (Vec<_>, Vec<_>) = (text.split('\n').collect(), source.split('\n').collect());
            prop_assert_eq!(lines.len(), sources.len(), "{:?}: {:?}", format, text);
            for (line, source) in lines.into_iter().zip(sources) {
                let there = words(source);
                for (word, goes_on) in words(line) {
                    // A tag with a line end in it does not split a word, which is at the place where it begins.
                    let is_there = goes_on || there.iter().any(|(other, _)| *other == word);
                    prop_assert!(is_there, "{:?}: {} in {:?}", format, word, text);
                }
            }
        }
    }

    #[test]
    fn words_alone_are_all_there(words in prop::collection::vec("[a-z]{2,8}|[\u{4e00}-\u{9fa5}]{2,6}", 1..60)) {
        let source: String = words.chunks(7).map(|line| line.join(" ") + "\n").collect();
        for (format, text) in all_texts(&source) {
            // A single word may begin a declaration.
            if format != Format::Mdx {
                prop_assert_eq!(&text, &source, "{:?}", format);
            }
        }
    }
}

/// Pieces that may slow down a reader that meets them again and again.
const REPEATED: &str = r#"*a ¦*a _b ¦[a](¦![a][¦<a ¦<A b ¦<A b={¦`a``b¦{{< ¦{{< ⏎⏎¦{% comment %} ¦[[a|¦{# ¦{a¦<!-- ¦$a¦$${¦
[^a]¦|a¦- ⏎¦> ⏎¦:::a⏎¦!!! a⏎    ¦⏎⏎export {¦⏎⏎import a¦<<a¦(((a¦link:a[¦`a ¦|a ¦:a:`¦⏎.. a::⏎¦
a::⏎⏎ b⏎¦{% highlight a %}⏎¦⏎--8<--⏎⏎a¦⏎⏎export a `¦<A title={`${¦<A title='¦{'\¦{`${¦+a ¦+++a ¦
pass:[¦[quote,"¦⏎.. raw:: html⏎⏎ <p>¦⏎..⏎ a¦<pre>a⏎⏎¦⏎<code>⏎⏎¦⏎```a⏎~~~¦<?a¦<![CDATA[¦&a¦{: ¦[!a¦[^a]: ¦|-¦| a |¦<?¦
<a b="c" ¦`${¦=== "a"¦export const a = {¦<A>¦`a`_¦+--+¦__¦====¦ifdef::a[]¦footnote:[¦{a}¦:a: {a}¦中¦====⏎a⏎"#;

/// Beginnings of constructs, each with its end.
const OPENED: &str = r#"[ … ]]¦[[a … ]]¦![[ … ]]¦[[a| … |b]]¦pass:[ … ]¦pass:c[a … \]¦<< … >>¦<<a … >>¦[[a  … ]]¦
footnote:[ … ]¦`a < … >`_¦*a  … *¦|a  … |¦{{% comment  … %}}¦
{{< comment >}}/comment  … {{< /comment >}}¦<!-- … -->¦a <!-- … ⏎⏎-->¦{#a}x …  ¦`{a … }`¦[ … ](b)¦![ … ](b)¦*_ … _*¦
<b> … </b>¦( … )¦{ … }¦{{ … }}¦<A b={ … }>¦`${ … }`¦" … "¦:::a⏎ … ⏎:::⏎¦<div>⏎⏎ … ⏎⏎</div>⏎¦ifdef::a[]⏎ … ⏎endif::[]⏎"#;

/// A sixteenth of the stack that programs give to a thread. A piece is repeated so often that a reader that calls itself for
/// each overflows it: a call of a development build takes more than 210 bytes.
const STACK: usize = 128 << 10;

/// Texts that slow down a reader that goes over them again and again, or overflow the stack of one that calls itself. A
/// thread with little stack must read each of them, in about the time of any other text of its size. If a test takes
/// minutes, its message names the text.
#[test]
fn hostile_texts_are_read_like_others() {
    let times = match std::env::var_os("DUPFIND_NIGHTLY") {
        Some(_) => 5_000,
        None => 625,
    };
    let repeated = |piece: &str| piece.repeat(times);
    let deep = |step: &str, line: &str| -> String {
        (0..times / 4)
            .map(|depth| step.repeat(depth) + line)
            .collect()
    };
    let lists = [PIECES, REPEATED].into_iter().flat_map(list);
    let sources = lists.flat_map(|piece| [repeated(&piece) + "x", repeated(&(piece + "\n"))]);
    let mut sources: Vec<String> = sources.collect();
    for open in [
        "[", "> ", "*", "- ", "<div>", "(", "`", "{", "1. ", "<b>", "![", "\u{3000}",
    ] {
        sources.push(open.repeat(3 * times) + "a");
        sources.push(open.repeat(times) + &"\n".repeat(3 * times));
        sources.push(open.repeat(times) + &"\na".repeat(3 * times));
    }
    sources.push(deep("  ", "- a\n"));
    sources.push(deep(">", "a\n"));
    sources.push(deep("    ", "!!! note\n"));
    sources.push(
        (1..times / 4)
            .map(|length| "`".repeat(length) + "a")
            .collect(),
    );
    sources.push("|a".repeat(1000) + "\n" + &"|-".repeat(1000) + "\n" + &"|\n".repeat(6 * times));
    sources.push(format!(
        "[a]: /{}\n\n{}",
        "x".repeat(3_000),
        "[a]".repeat(2 * times)
    ));
    // Many beginnings, and one end behind them.
    for pair in list(OPENED) {
        let (opens, closes) = pair.split_once(" … ").unwrap();
        sources.push(repeated(opens) + "a" + &repeated(closes));
        sources.push(opens.repeat(12 * times / opens.len()) + closes);
        let lines = format!("{opens}\n").repeat(6 * times / opens.len());
        sources.push(lines + closes);
    }
    sources.push(("<a {".repeat(times) + &">}".repeat(times)).repeat(8));
    sources.push(repeated("[a]: b\n") + "[a]");
    sources.push("{#a}x".repeat(4 * times) + &" ".repeat(20 * times));
    sources.push("\u{3000}".repeat(6 * times) + &"{{a}}".repeat(4 * times));
    let check = |source: &String| {
        let lines = source.matches('\n').count();
        for format in of_lines() {
            let text = extract(source, format, WebPart::Main).text;
            assert_eq!(text.matches('\n').count(), lines, "{format:?}");
            assert!(text.len() <= 2 * source.len(), "{format:?}");
        }
    };
    // It takes long: two threads have one half each.
    std::thread::scope(|scope| {
        for first in 0..2 {
            let half = sources.iter().skip(first).step_by(2);
            let reader = std::thread::Builder::new().stack_size(STACK);
            reader
                .spawn_scoped(scope, move || half.for_each(check))
                .unwrap();
        }
    });
}
