//! Documents in scripts that jieba does not cut: a text, the same one with a few words changed, and one on
//! another thing in the same script.

use unicode_normalization::UnicodeNormalization;

use crate::env::{Env, Pair, Report, table};

/// Texts in one script.
struct Script {
    name: &'static str,
    text: &'static str,
    /// The words that the edit replaces, and the new ones.
    edits: &'static [(&'static str, &'static str)],
    unrelated: &'static str,
}

const SCRIPTS: [Script; 14] = [
    Script {
        name: "arabic",
        text: "افتتحت البلدية حديقة جديدة قرب النهر في بداية الربيع. زرع العمال مئة شجرة زيتون على جانبي \
               الطريق، وبنوا ملعبا صغيرا للأطفال. تجلس العائلات كل مساء تحت الأشجار وتشرب الشاي، ويعزف شاب \
               من الحي على العود.",
        edits: &[("مئة", "ألف"), ("الشاي", "القهوة")],
        unrelated: "يستيقظ الخباز قبل الفجر ليعجن الدقيق بالماء والملح. يترك العجين ساعتين حتى يرتفع، ثم \
                    يقطعه أرغفة ويدخلها الفرن الحجري. عندما تفتح المدارس أبوابها يكون الخبز الساخن على الرفوف.",
    },
    Script {
        name: "burmese",
        text: "ရွာဈေးသည် မနက်တိုင်း ဖွင့်သည်။ လယ်သမားများသည် ဟင်းသီးဟင်းရွက်၊ ငါးနှင့် သစ်သီးများကို \
               ရောင်းကြသည်။ အဘွားအိုတစ်ယောက်သည် သစ်ပင်ကြီးအောက်တွင် ထမင်းရောင်းသည်။ ညနေတွင် ကလေးများ \
               ဘောလုံးကစားကြသည်။",
        edits: &[("ငါး", "ကြက်"), ("ညနေ", "နေ့လယ်")],
        unrelated: "ကျွန်တော်သည် မြို့ကျောင်းတွင် အင်္ဂလိပ်စာ သင်ယူနေသည်။ ဆရာမက စာအုပ်ဖတ်ခြင်းနှင့် \
                    စာရေးခြင်းကို သင်ပေးသည်။ နှစ်ကုန်တွင် စာမေးပွဲ ဖြေရမည်။",
    },
    Script {
        name: "cyrillic",
        text: "Городской совет открыл новый парк у реки в начале весны. Рабочие посадили сто лип вдоль дороги \
               и построили небольшую детскую площадку. Каждый вечер семьи сидят под деревьями и пьют чай, а \
               молодой сосед играет на гитаре.",
        edits: &[("сто лип", "двести лип"), ("чай", "квас")],
        unrelated: "Пекарь встаёт до рассвета и месит тесто из муки, воды и соли. Тесто отдыхает два часа, \
                    потом попадает в каменную печь. Когда открывается школа, горячий хлеб уже лежит на полках.",
    },
    Script {
        name: "devanagari",
        text: "गाँव का पुराना कुआँ इस साल फिर से साफ़ किया गया। पंचायत ने दस मज़दूर लगाए और टूटी हुई दीवार को पत्थर \
               से बनाया। अब औरतें सुबह यहाँ से पानी भरती हैं और बच्चे पास के नीम के पेड़ के नीचे खेलते हैं।",
        edits: &[("दस मज़दूर", "बीस मज़दूर"), ("नीम", "आम")],
        unrelated: "पहाड़ी रेलगाड़ी धीरे धीरे सुरंगों से होकर ऊपर चढ़ती है। यात्री खिड़की से बादल और चाय के बाग़ान देखते \
                    हैं। स्टेशन पर एक बूढ़ा आदमी मूँगफली बेचता है और हर मुसाफ़िर को पुरानी कहानियाँ सुनाता है।",
    },
    Script {
        name: "greek",
        text: "Ο δήμος άνοιξε ένα νέο πάρκο δίπλα στο ποτάμι στην αρχή της άνοιξης. Οι εργάτες φύτεψαν εκατό \
               ελιές κατά μήκος του δρόμου και έφτιαξαν μια μικρή παιδική χαρά. Κάθε βράδυ οι οικογένειες \
               κάθονται κάτω από τα δέντρα και πίνουν τσάι.",
        edits: &[("εκατό", "χίλιες"), ("τσάι", "καφέ")],
        unrelated: "Ο φούρναρης ξυπνά πριν από την αυγή και ζυμώνει αλεύρι με νερό και αλάτι. Το ζυμάρι \
                    ξεκουράζεται δύο ώρες ώσπου να φουσκώσει και μετά μπαίνει στον πέτρινο φούρνο.",
    },
    Script {
        name: "hebrew",
        text: "העירייה פתחה גן חדש ליד הנהר בתחילת האביב. הפועלים נטעו מאה עצי זית לאורך השביל ובנו מגרש \
               משחקים קטן לילדים. בכל ערב המשפחות יושבות תחת העצים ושותות תה, ונער מהשכונה מנגן בגיטרה.",
        edits: &[("מאה", "אלף"), ("ושותות תה", "ושותות קפה")],
        unrelated: "האופה קם לפני הזריחה ולש קמח, מים ומלח. הבצק נח שעתיים עד שהוא תופח, ואז נכנס לתנור האבן. \
                    כשבית הספר נפתח הלחם החם כבר על המדפים.",
    },
    Script {
        name: "japanese",
        text: "駅前の古い本屋は、来月で店を閉めることになった。店主は四十年のあいだ、毎朝八時に店を開け、近所の子どもたちに\
               絵本を読んで聞かせてきた。閉店の日には、常連の客が集まって小さなコンサートを開くという。",
        edits: &[
            ("来月", "今年"),
            ("八時", "九時"),
            ("コンサート", "パーティー"),
        ],
        unrelated: "台風が近づいているため、島へ渡る船はすべて欠航した。漁師たちは網を倉庫にしまい、屋根に石を載せて風に備え\
                    ている。ラジオによれば、雨は二日ほど続く見込みだ。",
    },
    Script {
        name: "khmer",
        text: "ផ្សារនៅក្នុងភូមិបើករាល់ព្រឹក។ កសិករយកបន្លែ ត្រី និងផ្លែឈើមកលក់។ ស្ត្រីចំណាស់ម្នាក់លក់បាយនៅក្រោមដើមឈើធំ។ \
               នៅពេលល្ងាច ក្មេងៗលេងបាល់នៅទីលានទំនេរ។",
        edits: &[("បន្លែ ត្រី", "បន្លែ មាន់"), ("ល្ងាច", "រសៀល")],
        unrelated: "ខ្ញុំរៀនភាសាអង់គ្លេសនៅសាលាក្នុងទីក្រុង។ គ្រូបង្រៀនយើងឱ្យអានសៀវភៅ និងសរសេរសំបុត្រ។ ចុងឆ្នាំយើងនឹងប្រឡង។",
    },
    Script {
        name: "korean",
        text: "마을 도서관은 지난봄에 문을 다시 열었다. 아이들은 학교가 끝나면 이곳에 모여 동화책을 읽고 숙제를 한다. 사서 두 \
               명이 토요일마다 어르신들에게 컴퓨터 쓰는 법을 가르치고, 저녁에는 주민들이 모여 오래된 영화를 본다.",
        edits: &[("지난봄에", "지난가을에"), ("토요일마다", "일요일마다")],
        unrelated: "섬으로 가는 배는 바람이 강하면 뜨지 않는다. 선장은 아침마다 하늘과 파도를 살핀 뒤에 출발 여부를 정한다. \
                    손님이 적은 겨울에는 하루에 한 번만 오가며, 채소와 우편물도 함께 싣는다.",
    },
    Script {
        name: "lao",
        text: "ຕະຫຼາດເຊົ້າຂອງບ້ານເປີດທຸກວັນກ່ອນຕາເວັນຂຶ້ນ. ຊາວນາເອົາຜັກ ປາ ແລະ ເຂົ້າໜຽວມາຂາຍ. ແມ່ຄ້ານັ່ງຢູ່ກ້ອງຕົ້ນໄມ້ໃຫຍ່ \
               ແລະ ລົມກັນກ່ຽວກັບຝົນ. ຕອນບ່າຍເດັກນ້ອຍມາເຕະບານຢູ່ເດີ່ນຫວ່າງ.",
        edits: &[("ຜັກ ປາ", "ຜັກ ໄກ່"), ("ຕອນບ່າຍ", "ຕອນແລງ")],
        unrelated: "ຂ້ອຍຮຽນພາສາອັງກິດຢູ່ໂຮງຮຽນໃນເມືອງ. ຄູສອນພວກເຮົາອ່ານໜັງສື ແລະ ຂຽນຈົດໝາຍ. ທ້າຍປີພວກເຮົາຈະສອບເສັງ \
                    ແລະ ໄດ້ໃບຢັ້ງຢືນ.",
    },
    Script {
        name: "mixed",
        text: "我们用 Redis 做缓存，用 PostgreSQL 保存订单。每天凌晨三点，定时任务把过期的 session 清理掉，并把 metrics 推送到 \
               Grafana。如果 worker 连续五次失败，系统会发邮件通知值班的同事。",
        edits: &[("Redis", "Memcached"), ("三点", "四点"), ("邮件", "短信")],
        unrelated: "周末的 hiking 活动改到北山公园，请大家自带 sandwich 和雨衣。集合地点在地铁 A 出口，领队穿红色 jacket。\
                    爬完山以后去老街喝 coffee，费用按人数平分。",
    },
    Script {
        name: "thai",
        text: "ตลาดน้ำแห่งนี้เปิดทุกวันเสาร์ตั้งแต่เช้าจนถึงบ่าย ชาวบ้านพายเรือนำผลไม้ ขนม และดอกไม้มาขาย \
               นักท่องเที่ยวนั่งกินก๋วยเตี๋ยวริมคลองและถ่ายรูปสะพานไม้เก่า ปีนี้เทศบาลซ่อมท่าเรือใหม่และปลูกต้นไม้เพิ่มสองร้อยต้น",
        edits: &[("วันเสาร์", "วันอาทิตย์"), ("ขนม", "ผัก"), ("สองร้อย", "ห้าร้อย")],
        unrelated: "ครูคนใหม่สอนคณิตศาสตร์ด้วยเกมและเพลง เด็กนักเรียนที่เคยกลัวตัวเลขเริ่มสนุกกับการบ้าน \
                    ผู้ปกครองหลายคนเขียนจดหมายขอบคุณถึงผู้อำนวยการโรงเรียน",
    },
    Script {
        name: "tibetan",
        text: "གྲོང་གསེབ་ཀྱི་ཁྲོམ་ར་ཞོགས་པ་ལྟར་སྒོ་འབྱེད། ཞིང་པས་ཚོད་མ་དང་འོ་མ་འཚོང་། རྒན་མོ་ཞིག་གིས་ཤིང་སྡོང་ཆེན་པོའི་འོག་ཏུ་ཇ་འཚོང་། \
               དགོང་དྲོ་བྱིས་པ་ཚོས་ཐང་ཆེན་པོར་རྩེད་མོ་རྩེ།",
        edits: &[("འོ་མ་", "ཤིང་འབྲས་"), ("དགོང་དྲོ", "ཉིན་གུང")],
        unrelated: "ང་སློབ་གྲྭར་དབྱིན་ཡིག་སྦྱོང་གི་ཡོད། དགེ་རྒན་གྱིས་ང་ཚོར་དཔེ་ཆ་ཀློག་པ་དང་ཡི་གེ་འབྲི་བ་སློབ་ཀྱི་རེད། \
                    ལོ་མཇུག་ལ་རྒྱུགས་སྤྲོད་དགོས།",
    },
    Script {
        name: "vietnamese",
        text: "Thành phố vừa mở một công viên mới bên bờ sông vào đầu mùa xuân. Công nhân đã trồng một trăm cây \
               dừa dọc con đường và xây một sân chơi nhỏ cho trẻ em. Mỗi buổi tối các gia đình ngồi dưới bóng \
               cây uống trà, còn một chàng trai trong xóm chơi đàn.",
        edits: &[("một trăm", "hai trăm"), ("uống trà", "uống cà phê")],
        unrelated: "Người thợ làm bánh dậy trước bình minh để nhào bột với nước và muối. Bột nghỉ hai giờ cho nở \
                    rồi được đưa vào lò đá. Khi trường học mở cửa, bánh nóng đã nằm trên kệ.",
    },
];

impl Script {
    fn edited(&self) -> String {
        let edit = |text: String, &(from, to): &(&str, &str)| {
            assert_eq!(text.matches(from).count(), 1, "{}: {from}", self.name);
            text.replace(from, to)
        };
        self.edits.iter().fold(self.text.to_owned(), edit)
    }

    /// The name of one of its files.
    fn file(&self, name: &str) -> String {
        format!("{}/{name}", self.name)
    }
}

/// A folder for each script.
fn all() -> Env {
    SCRIPTS.iter().fold(Env::new(), |env, script| {
        env.file(script.file("edited"), script.edited())
            .file(script.file("text"), script.text)
            .file(script.file("unrelated"), script.unrelated)
    })
}

#[test]
fn an_edited_text_is_near_and_an_unrelated_one_is_nothing() {
    let env = all();
    let expected: Vec<_> = SCRIPTS
        .iter()
        .map(|script| (script.file("edited"), script.file("text")))
        .collect();
    for unit in ["auto", "word"] {
        let report = env.json(["--shingle-unit", unit]);
        assert!(report.pairs.iter().all(|pair| pair.relation == "near"));
        let mut found: Vec<_> = report.pair_names();
        found.sort_unstable();
        assert!(
            found.iter().eq(expected
                .iter()
                .map(|(a, b)| (&**a, &**b))
                .collect::<Vec<_>>()
                .iter()),
            "{unit}: {found:?}"
        );
        assert_eq!(report.clusters.len(), SCRIPTS.len(), "{unit}");
    }
}

#[test]
fn fingerprints_alone_do_not_find_unrelated_texts() {
    let env = all();
    let report = env.json("--detectors simhash --max-hamming 8");
    let is_unrelated =
        |pair: &&Pair| pair.a.ends_with("unrelated") || pair.b.ends_with("unrelated");
    assert_eq!(report.pairs.iter().find(is_unrelated), None);
}

/// A text in other forms of its characters, and with characters nobody sees.
#[test]
fn a_text_in_another_form_is_exact() {
    let invisible = |text: &str| {
        let characters = text.char_indices();
        let marked = characters.map(|(at, c)| match at % 7 {
            0 => format!("{c}\u{2060}"),
            _ => c.to_string(),
        });
        marked.collect::<String>()
    };
    for script in &SCRIPTS {
        let env = Env::new()
            .file("composed", script.text.nfc().collect::<String>())
            .file("decomposed", script.text.nfd().collect::<String>())
            .file("invisible", invisible(script.text))
            .file("upper", script.text.to_uppercase());
        let report = env.json("");
        let is_exact = |pair: &Pair| pair.relation == "exact";
        assert!(
            report.pairs.iter().all(is_exact),
            "{}: {:?}",
            script.name,
            report.pairs
        );
        assert_eq!(report.pairs.len(), 6, "{}", script.name);
    }
}

#[test]
fn the_beginning_of_a_text_is_too_short_to_be_merged_with_its_edit() {
    // Eight words, or as many characters as give fewer than ten shingles.
    for [text, edited] in table(
        "افتتحت البلدية حديقة جديدة قرب النهر في الربيع  | افتتحت البلدية حديقة كبيرة قرب النهر في الربيع
         Городской совет открыл новый парк у реки весной | Городской совет открыл новый парк у реки осенью
         駅前の古い本屋は閉まる                          | 駅前の古い花屋は閉まる
         마을 도서관은 문을 다시 열었다                  | 마을 도서관은 문을 활짝 열었다
         ຕະຫຼາດເປີດທຸກວັນ                                | ຕະຫຼາດເປີດທຸກວັນຈັນ
         ตลาดเปิดวันเสาร์                                | ตลาดเปิดวันอาทิตย์
         用 Redis 做缓存，很快                           | 用 Redis 做缓存，很稳",
    ) {
        let env = Env::new().file("a", text).file("b", edited);
        for detectors in ["simhash,shingle", "simhash", "shingle"] {
            let report: Report = env.json(("-q --detectors", [detectors], "--min-jaccard 0.01"));
            let is_short = |pair: &Pair| pair.relation == "short";
            assert!(
                report.pairs.iter().all(is_short),
                "{text}: {:?}",
                report.pairs
            );
            assert!(report.clusters.is_empty(), "{text}");
            let expected = usize::from(detectors != "simhash");
            assert_eq!(report.pairs.len(), expected, "{text}");
        }
    }
}
