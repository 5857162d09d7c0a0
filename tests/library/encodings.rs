//! Which of some short texts in many encodings are decoded rightly: four texts in each of thirteen.

use dupfind_read::decode::decode;
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, KOI8_R, SHIFT_JIS, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252,
};

const CHINESE: [&str; 4] = [
    "旧城区的梧桐树在雨后显得格外安静。",
    "图书馆周日闭馆，还书请用门口的箱子。",
    "本周三停水检修，请提前储水。",
    "山路很滑，游客请走石阶。",
];

const TRADITIONAL: [&str; 4] = [
    "舊城區的梧桐樹在雨後顯得格外安靜。",
    "圖書館週日閉館，還書請用門口的箱子。",
    "本週三停水檢修，請提前儲水。",
    "山路很滑，遊客請走石階。",
];

const JAPANESE: [&str; 4] = [
    "雨上がりの古い町並みは、とりわけ静かに見える。",
    "図書館は日曜日に休みます。",
    "水曜日は断水しますので、ご注意ください。",
    "山道は滑りやすいので石段を歩いてください。",
];

const KOREAN: [&str; 4] = [
    "비 온 뒤 옛 도심의 가로수는 유난히 고요하다.",
    "도서관은 일요일에 문을 닫습니다.",
    "수요일에는 물이 나오지 않습니다.",
    "산길이 미끄러우니 돌계단으로 가세요.",
];

const RUSSIAN: [&str; 4] = [
    "Старый город после дождя кажется тихим.",
    "Библиотека закрыта по воскресеньям.",
    "В среду не будет воды, запаситесь заранее.",
    "Тропа скользкая, идите по ступеням.",
];

const WESTERN: [&str; 4] = [
    "Après la pluie, la vieille ville est très calme, même à midi.",
    "Die Bücherei schließt sonntags früher; Rückgabe über die Klappe.",
    "El miércoles no habrá agua: reúnan la que necesiten mañana.",
    "Le chemin est glissant, prenez l’escalier près de l’église.",
];

const CENTRAL: [&str; 4] = [
    "Po dešti je staré město tiché, ještě víc než v zimě.",
    "Biblioteka jest w niedzielę zamknięta, książki proszę wrzucać do skrzynki.",
    "Szerdán nem lesz víz, kérjük, töltsenek előre néhány vödröt.",
    "Cesta je klzká, použite radšej schody pri kostolíku, ďakujeme.",
];

/// The bytes of a text in an encoding, which has all its characters.
fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    let (bytes, _, is_lossy) = encoding.encode(text);
    assert!(!is_lossy, "{text}");
    bytes.into_owned()
}

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

/// The samples: the name of the encoding, its bytes, the text.
fn samples() -> Vec<(&'static str, Vec<u8>, String)> {
    let by_library = [
        (GBK, CHINESE),
        (GB18030, CHINESE),
        (BIG5, TRADITIONAL),
        (SHIFT_JIS, JAPANESE),
        (EUC_JP, JAPANESE),
        (ISO_2022_JP, JAPANESE),
        (EUC_KR, KOREAN),
        (WINDOWS_1251, RUSSIAN),
        (KOI8_R, RUSSIAN),
        (WINDOWS_1252, WESTERN),
        (WINDOWS_1250, CENTRAL),
    ];
    let mut samples = Vec::new();
    for (encoding, texts) in by_library {
        samples.extend(texts.map(|text| (encoding.name(), encoded(text, encoding), text.into())));
    }
    // Neither has a byte order mark.
    let mixed = [CHINESE[0], JAPANESE[0], RUSSIAN[0], WESTERN[0]].map(|text| format!("{text}\n"));
    samples.extend(
        mixed
            .clone()
            .map(|text| ("UTF-16LE", utf16(&text, u16::to_le_bytes), text)),
    );
    samples.extend(mixed.map(|text| ("UTF-16BE", utf16(&text, u16::to_be_bytes), text)));
    samples
}

#[test]
fn every_sample_but_one_is_decoded_rightly() {
    let samples = samples();
    assert_eq!(samples.len(), 52);
    let mut wrong = Vec::new();
    for (name, bytes, text) in &samples {
        let decoded = decode(bytes, None).unwrap();
        if decoded.text != text.as_str() || decoded.replaced {
            wrong.push((*name, decoded.encoding, text.as_str()));
        }
    }
    // Taken for the encoding of the West, in which most of its letters are the same.
    let hungarian = ("windows-1250", "windows-1252", CENTRAL[2]);
    assert_eq!(wrong, [hungarian]);
}
