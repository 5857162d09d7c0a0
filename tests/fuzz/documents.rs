//! Documents of one format.

use crate::random::Random;
use crate::run::{Fault, Site, words_of};
use crate::seeds::Seed;

/// How many documents one run of the program reads.
const DOCUMENTS: usize = 24;

/// Documents that are made of seeds.
pub(crate) struct Documents {
    /// The end of their names.
    pub(crate) extension: &'static str,
    pub(crate) seeds: &'static [Seed],
    /// Pieces with a meaning in the format.
    pub(crate) words: &'static str,
    /// Further arguments of the run.
    pub(crate) args: &'static [&'static str],
}

impl Documents {
    /// Compares broken documents. Of a fault only the first document that has it alone is kept, if there is one.
    pub(crate) fn round(&self, site: &Site, random: &mut Random) -> (usize, Fault) {
        let broken = |_| {
            let seed = &self.seeds[random.below(self.seeds.len())];
            seed.broken(self.words, random)
        };
        let documents: Vec<Vec<u8>> = (0..DOCUMENTS).map(broken).collect();
        let fault = self.run(site, &documents);
        let Some(fault) = fault else {
            return (documents.len(), None);
        };
        for document in &documents {
            let alone = Site::new();
            if let Some(fault) = self.run(&alone, std::slice::from_ref(document)) {
                let kept = alone.keep();
                return (1, Some(format!("{fault}\nalone in {}", kept.display())));
            }
        }
        (documents.len(), Some(fault))
    }

    fn run(&self, site: &Site, documents: &[Vec<u8>]) -> Fault {
        for (at, document) in documents.iter().enumerate() {
            site.write(&format!("docs/{at}.{}", self.extension), document);
        }
        let args = words_of("scan docs --detectors shingle --no-config -qj1 --format json");
        // Many equal records are many more pairs.
        let no_pairs = match self.args.contains(&"--format") {
            true => &[][..],
            false => &["--no-pairs"],
        };
        site.run(&[&args[..], self.args, no_pairs].concat(), b"", &[])
    }
}

/// Pieces with a meaning in a format, each a [`list`](crate::list::list).
pub(crate) mod words {
    pub(crate) const TEXT: &str = "␛$B¦␛(B¦\u{ad}¦\u{200d}¦ก็ำ¦한국¦ﷺ¦dupfind: ignore";
    pub(crate) const MARKDOWN: &str = r"---⏎¦+++⏎¦```¦~~~~¦> ¦- ¦1. ¦    ¦|¦[¦](¦![¦<!--¦-->¦<div>¦</div>¦{{<¦>}}¦{%¦%}¦{/*¦*/}¦`¦**¦_¦\¦&amp;¦
&#x110000;¦<a b='¦import {¦export const a = `${¦:::¦$$¦[^1]:¦# ¦===⏎¦<script>¦<?¦<![CDATA[¦dupfind: ignore¦
dupfind:⏎  ignore: ";
    pub(crate) const RST: &str = "::⏎¦.. ¦.. note::¦====⏎¦`¦``¦|¦+--+¦   ¦⏎⏎¦.. [#]¦:x:¦__ ¦_¦*¦>>> ¦.. code::¦.. raw:: html";
    pub(crate) const ASCIIDOC: &str = "----⏎¦====⏎¦|===⏎¦|¦ifdef::x[]⏎¦endif::[]⏎¦include::x[]¦[[¦]]¦{attr}¦:attr: {attr}⏎¦////⏎¦+⏎¦* ¦== ¦pass:[¦
++++⏎¦`¦footnote:[¦<<¦>>¦....⏎¦[source]⏎";
    pub(crate) const HTML: &str = "<div>¦</div>¦<p>¦<table>¦<td>¦<b>¦</b>¦<!--¦-->¦<script>¦</script>¦<style>¦<svg>¦<math>¦<template>¦<select>¦
<title>¦<textarea>¦<plaintext>¦<frameset>¦<form>¦<a href='¦&#x¦&notit;¦<![CDATA[¦]]>¦<?xml encoding='x'?>¦
<meta charset=utf-7>¦<article>¦<main>¦<li>¦<br>¦<h1>¦<pre>¦<noscript>¦<iframe>¦<object>¦hidden";
    pub(crate) const JSON: &str =
        r#"{¦}¦[¦]¦"text":¦"id":¦null¦\ud800¦\u0000¦,¦:¦⏎¦1e400¦-¦true¦{"text":"x"}⏎¦/*¦NaN"#;
    pub(crate) const TABLE: &str = r#""¦""¦,¦⇥¦⏎¦␍⏎¦;¦text¦id¦"x⏎"#;

    pub(crate) const XML: &str = "<w:p>¦</w:p>¦<w:t>¦<w:txbxContent>¦<a:p>¦<text:p>¦<!DOCTYPE a [<!ENTITY b 'c'>]>¦&b;¦&#1114112;¦<![CDATA[¦]]>¦
<?xml version='1.1' encoding='utf-16'?>¦<!--¦text:c='99999999999'¦table:number-columns-repeated='1048576'¦
Target='../../../outside/secret.md'¦Target='/word/document.xml'¦TargetMode='External'¦t='s'¦<v>4294967296</v>¦
r:id='b'¦xmlns:x='¦</¦/>¦encryption";
    pub(crate) const TOML: &str = r#"[x]⏎¦ = ¦"¦'''¦[¦]¦{¦}¦#¦true¦0x¦1979-05-27¦nan¦../outside¦link¦/etc¦paths = ¦format = ¦output = ¦
follow = true⏎¦files-from = ¦pre = ["x=sh", "!*=a"]⏎¦since = "HEAD"⏎¦no-ignore = true⏎¦max-pairs = 99999⏎¦
baseline = "../outside/b"⏎¦html=../outside/x¦files-from = "../outside/secret.md"⏎"#;
    pub(crate) const GLOBS: &str = r"**¦*¦?¦[¦]¦[!a-¦{¦}¦,¦\¦/¦!¦#¦..¦../¦ ¦⇥¦[[:alpha:]]¦{a,{b,{c";
}
