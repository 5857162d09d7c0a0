//! Copies in the other script of Chinese.

use crate::env::{Env, Says};

/// A text in Simplified and in Traditional characters.
const SCRIPTS: [&str; 2] = [
    "旧城区的梧桐树在雨后显得格外安静。图书馆周日闭馆，还书请用门口的箱子。本周三停水检修，请各位居民提前储水。山路很滑，游客请走右边的石阶。",
    "舊城區的梧桐樹在雨後顯得格外安靜。圖書館週日閉館，還書請用門口的箱子。本週三停水檢修，請各位居民提前儲水。山路很滑，遊客請走右邊的石階。",
];

#[test]
fn copies_in_the_other_script_are_found() {
    let env = Env::new()
        .file("original/0.txt", SCRIPTS[0])
        .file("copy/0.txt", SCRIPTS[1]);
    let report = env.json("");
    assert_eq!(report.pair_names(), [("copy/0.txt", "original/0.txt")]);
    for pair in &report.pairs {
        assert_eq!((pair.relation.as_str(), pair.jaccard), ("exact", Some(1.0)));
        pair.because.says("up to the script");
    }
    // Two of one script are the same without further words.
    env.write("again/0.txt", SCRIPTS[1]);
    let same = env.json("copy/0.txt again");
    let expected = "the same text but for case, width and white space";
    assert_eq!(same.pairs[0].because, expected);

    // Commands agree with each other, and show the texts as they are.
    let args = "copy/0.txt original/0.txt";
    let compared = env.run(("compare", args));
    let expected = "the same text up to the script (Traditional or Simplified)";
    compared.ok().says(expected).says("舊城區").says("exact");
    let told = env.fingerprints(args);
    assert_eq!(told[0].fingerprint, told[1].fingerprint);
}
