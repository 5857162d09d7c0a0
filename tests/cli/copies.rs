//! Copies in the other script of Chinese.

use crate::env::{Env, Report, Says};

/// Sentences, in Simplified and in Traditional characters.
const SENTENCES: &str = "旧城区的梧桐树在雨后显得格外安静。|舊城區的梧桐樹在雨後顯得格外安靜。
图书馆周日闭馆，还书请用门口的箱子。|圖書館週日閉館，還書請用門口的箱子。
本周三停水检修，请各位居民提前储水。|本週三停水檢修，請各位居民提前儲水。
山路很滑，游客请走右边的石阶。|山路很滑，遊客請走右邊的石階。
邻居家的猫每天傍晚都来院子里晒太阳。|鄰居家的貓每天傍晚都來院子裡曬太陽。
码头的渔船天没亮就出发，中午才回来。|碼頭的漁船天沒亮就出發，中午才回來。
今年的苹果比去年甜，价钱也便宜一些。|今年的蘋果比去年甜，價錢也便宜一些。
修车铺的老师傅退休了，徒弟接手去干。|修車鋪的老師傅退休了，徒弟接手去幹。
孩子们在操场上放风筝，线断了三次。|孩子們在操場上放風箏，線斷了三次。
火车晚点两个小时，大家都在看报纸。|火車晚點兩個小時，大家都在看報紙。
这座桥是一百年前建的，栏杆换过两回。|這座橋是一百年前建的，欄杆換過兩回。
医院对面新开了一家面馆，汤头很鲜。|醫院對面新開了一家麵館，湯頭很鮮。";

/// How many documents there are.
const DOCUMENTS: usize = 20;

/// A document in one of the two scripts. No two are the same.
fn document(number: usize, script: usize) -> String {
    let sentences: Vec<&str> = SENTENCES.lines().collect();
    let step = if number < sentences.len() { 1 } else { 5 };
    let sentence = |at: usize| {
        sentences[at % sentences.len()]
            .split('|')
            .nth(script)
            .unwrap()
    };
    let sentences = (0..5).map(|k| sentence(number + k * step));
    let text: Vec<&str> = sentences.collect();
    format!("{}\n\n{}\n", text[..2].join(""), text[2..].join("\n"))
}

/// Asserts that every document `copy/N` is the same text as `original/N`.
#[track_caller]
fn assert_copies(report: &Report) {
    for number in 0..DOCUMENTS {
        let [copy, original] = ["copy", "original"].map(|folder| format!("{folder}/{number}.txt"));
        let mut pairs = report.pairs.iter();
        let pair = pairs.find(|pair| pair.a == copy && pair.b == original);
        let pair = pair.unwrap_or_else(|| panic!("{copy} is not found"));
        assert_eq!(pair.relation, "exact", "{copy}");
        assert_eq!(pair.jaccard, Some(1.0), "{copy}");
    }
    assert!(report.notes.is_empty() && report.skipped.is_empty());
}

#[test]
fn copies_in_the_other_script_are_found() {
    let env = Env::new();
    for number in 0..DOCUMENTS {
        env.write(format!("original/{number}.txt"), document(number, 0));
        env.write(format!("copy/{number}.txt"), document(number, 1));
    }
    let report = env.json("");
    assert_copies(&report);
    for pair in report.pairs.iter().filter(|pair| pair.relation == "exact") {
        pair.because.says("up to the script");
    }
    // Two of one script are the same without further words.
    env.write("again/0.txt", document(0, 1));
    let same = env.json("copy/0.txt again");
    let expected = "the same text but for case, width and white space";
    assert_eq!(same.pairs[0].because, expected);
    std::fs::remove_dir_all(env.path("again")).unwrap();

    // Commands agree with each other, and show the texts as they are.
    let args = "copy/3.txt original/3.txt";
    let compared = env.run(("compare", args));
    compared.ok().says("exact");
    compared.stdout.says("遊客");
    compared
        .stdout
        .says("the same text up to the script (Traditional or Simplified)");
    let told = env.fingerprints(args);
    assert_eq!(told[0].fingerprint, told[1].fingerprint);
}
