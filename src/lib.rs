/*!
Finds near-duplicate texts, exactly.

`dupfind` compares every text with every other and reports each pair of which the SimHash fingerprints differ in at most
3 of 64 bits, or of which the sets of 3-unit shingles have a Jaccard similarity of at least 0.2. Both joins are exact:
no pair is lost to sampling. Chinese, Japanese and languages written with spaces may be mixed; words are cut by jieba.

This page is about the library. The program `dupfind` reads folders and writes reports; its guide is in `docs/`.

# Overview

* [`Dedup`] takes texts with names and returns [`Found`]: pairs and clusters. This is the front door.
* [`Options`] says which detectors run and which pairs count.
* [`Pair`] has the ids of two texts and all measures of them. Its [`Relation`] says what the two are to each other:
  a copy, a revision, one within the other, or pages of one template.
* [`Cluster`] has the texts that are connected by pairs, and the one that a user would keep.
* [`compare`] looks at two texts alone. [`Found::explain`] looks at two texts among all the others.
* [`FeatureMaker`] makes [`Features`], which are all that is kept of a text. [`FeaturesWriter`] and [`FeaturesReader`]
  put them on disk, so that texts need be cut only once, or on another machine.
* `Index` keeps features on disk and is asked what is like a text. It needs the feature `files`.
* [`Observer`] follows a run and may stop it. [`PairSink`] takes pairs when there are more than memory holds.

# Example: the pairs of some texts

```
use dupfind::{Dedup, Options};

let mut dedup = Dedup::new(Options::default());
dedup.add("a", "The library opens tomorrow at nine in the morning, and tea is served.")?;
dedup.add("b", "The library opens tomorrow at nine in the evening, and tea is served.")?;
let found = dedup.finish()?;
for pair in found.pairs() {
    println!("{} {}: {}", found.name(pair.a), found.name(pair.b), pair.relation.as_str());
}
# assert_eq!(found.pairs().len(), 1);
# Ok::<(), dupfind::Error>(())
```

# Example: clusters, and which text to keep

A cluster is for reading: two of its members need not be alike. Its cohesion is the lowest similarity of a member to
the representative.

```
use dupfind::{Dedup, Options};

let page = "图书馆明天上午九点开放，请读者带好证件，在一楼大厅排队入馆，谢谢配合";
let mut dedup = Dedup::new(Options::default());
dedup.add("draft", page)?;
dedup.add("final", format!("{page}。咖啡厅照常营业"))?;
dedup.add("other", "The old bridge was closed for repairs in the winter of that year")?;
let found = dedup.finish()?;
for cluster in found.clusters() {
    println!("keep {} of {}", found.name(cluster.representative), cluster.documents.len());
}
# assert_eq!(found.name(found.clusters()[0].representative), "final");
# assert!(found.clusters()[0].cohesion.unwrap() > 0.5);
# Ok::<(), dupfind::Error>(())
```

# Example: why two texts are a pair, or are none

```
use dupfind::{Dedup, Options};

let mut dedup = Dedup::new(Options::default());
dedup.add("a", "one two three four five six seven eight nine ten eleven twelve")?;
dedup.add("b", "One two three four five six seven eight\n nine ten eleven TWELVE")?;
dedup.add("c", "something else that has nothing in common with the other two")?;
let found = dedup.finish()?;
let [a, b, c] = ["a", "b", "c"].map(|name| found.id(name).unwrap());
assert_eq!(
    found.explain(a, b)?.to_string(),
    "exact: the same text but for case, width and white space"
);
assert!(!found.explain(a, c)?.is_pair);
# Ok::<(), dupfind::Error>(())
```

# Example: two texts alone

```
let before = "The ferry leaves at seven from the old harbour, and returns at nine in the evening.";
let after = "The ferry leaves at eight from the old harbour, and returns at nine in the evening.";
let why = dupfind::compare(before, after);
assert!(why.is_pair);
println!("{why}");
```

# Example: other thresholds and detectors

```
use dupfind::{Dedup, Detector, Options};

let mut options = Options::default();
options.min_jaccard = "0.8".parse()?;
options.detectors = [Detector::Shingle].into_iter().collect();
let mut dedup = Dedup::new(options);
dedup.add("a", "one two three four five six seven")?;
dedup.add("b", "one two three four five six eight")?;
assert_eq!(dedup.finish()?.pairs().len(), 0);
# Ok::<(), Box<dyn std::error::Error>>(())
```

# Example: features on disk

Features carry the options that made them. A file that was made with other options is refused.

```
use dupfind::{Dedup, FeatureMaker, FeaturesReader, FeaturesWriter, Options};

let options = Options::default();
let mut maker = FeatureMaker::new(&options);
let mut writer = FeaturesWriter::new(&options, Vec::new())?;
for (name, text) in [("a", "one two three four five"), ("b", "one two three four six")] {
    writer.write(name, &maker.features(text).expect("there are words in it"))?;
}
let file: Vec<u8> = writer.finish()?;

let mut dedup = Dedup::new(options.clone());
for document in FeaturesReader::new(&options, file.as_slice())? {
    let (name, features) = document?;
    dedup.add_features(name, features)?;
}
assert_eq!(dedup.finish()?.pairs().len(), 1);
# Ok::<(), dupfind::Error>(())
```

# Example: an index on disk

With the feature `files`. The documents stay on disk, and a question takes milliseconds.

```
# #[cfg(feature = "files")]
# {
use dupfind::{Index, Options};

let folder = tempfile::tempdir()?;
let mut index = Index::create(folder.path().join("site.dupidx"), &Options::default())?;
index.update([
    ("park", "The old park by the river opened to the public thirty years ago today."),
    ("bread", "Knead flour, water and salt until the dough no longer sticks to your hands."),
])?;
let draft = "The old park by the river opened to the public fifty years ago today.";
for found in index.query(draft)? {
    println!("{found}");
}
let gathered = index.gather(draft, 5)?;
assert_eq!(gathered.parts[0].name, "park");
index.remove(["park"])?;
assert!(index.query(draft)?.is_empty());
# }
# Ok::<(), Box<dyn std::error::Error>>(())
```

# When not to use it

* To find *exact* copies only, a hash of each text is enough.
* To find texts of one *meaning* in other words, use embeddings: shingles compare what is written.
* Beyond some ten million long texts at a similarity of 0.2, an exact join takes days on one machine.

# Cargo features

* `default` is the program with all that it reads, but for Parquet.
* Without default features the crate is what this page shows: no file is read, nothing is printed, and neither clap
  nor an HTML parser is built.
* `files`, `html`, `office`, `compressed` and `parquet` add what the program reads, and `cli` the program.

# Determinism

The same texts give the same pairs in the same order, on every machine and for any number of threads. What decides is
integer arithmetic. The library prints nothing, never exits and reads no environment, but for the folder for temporary
files if none is given.
*/

#![warn(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod clean;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod compare;
mod dedup;
#[doc(hidden)]
pub mod detect;
#[doc(hidden)]
pub mod document;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod fingerprint;
#[cfg(feature = "cli")]
mod gate;
#[cfg(feature = "files")]
#[doc(hidden)]
pub mod index;
#[doc(hidden)]
pub mod join;
#[cfg(feature = "cli")]
mod language;
#[cfg(feature = "files")]
#[doc(hidden)]
pub mod read;
#[cfg(feature = "cli")]
mod report;
pub mod reuse;
#[cfg(feature = "files")]
#[doc(hidden)]
pub mod scan;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod scanned;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod stream;
#[doc(hidden)]
pub mod text;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod tiles;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod tune;

pub use dedup::{Dedup, Explanation, Found, compare};
pub use detect::{Detector, Detectors, Require};
pub use document::{DocId, SkipReason, Skipped};
pub use engine::cluster::Cluster;
pub use engine::collection::store::Budget;
pub use engine::document::Document;
pub use engine::features::features_of;
pub use engine::features::file::Identity;
pub use engine::observer::{Observer, Silent, Stage};
pub use engine::pair::relation::{Counts, Relation, Relations};
pub use engine::pair::{Pair, Resemblance};
pub use engine::pairing::sink::PairSink;
pub use engine::{FeatureMaker, Features, FeaturesReader, FeaturesWriter, IdfSource, Options};
pub use error::{Error, Result};
pub use fingerprint::i_match::IMatch;
pub use fingerprint::idf::Idf;
pub use fingerprint::simhash::Width;
pub use fingerprint::super_shingle::SuperShingles;
#[cfg(feature = "files")]
pub use index::{Index, gather::Gathered, update::Updated};
pub use join::threshold::{Containment, Threshold};
pub use join::weighted::Weighted;
pub use text::han::Han;
pub use text::units::ShingleUnit;
