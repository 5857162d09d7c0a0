//! Copies in the other script of Chinese.

use crate::env::{Env, Says};

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

/// The sentences in one of the two scripts, the first or the last five of them.
fn document(script: usize, from: usize) -> String {
    let sentences = SENTENCES.lines().skip(from).take(5);
    let sentences = sentences.map(|both| both.split('|').nth(script).unwrap());
    sentences.collect::<Vec<_>>().join("\n")
}

#[test]
fn copies_in_the_other_script_are_found() {
    let env = Env::new();
    for (script, folder) in ["original", "copy"].into_iter().enumerate() {
        for from in [0, 7] {
            env.write(format!("{folder}/{from}.txt"), document(script, from));
        }
    }
    let report = env.json("");
    let expected = [
        ("copy/0.txt", "original/0.txt"),
        ("copy/7.txt", "original/7.txt"),
    ];
    assert_eq!(report.pair_names(), expected);
    for pair in &report.pairs {
        assert_eq!((pair.relation.as_str(), pair.jaccard), ("exact", Some(1.0)));
        pair.because.says("up to the script");
    }
    // Two of one script are the same without further words.
    env.write("again/0.txt", document(1, 0));
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
