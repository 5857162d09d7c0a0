//! Texts in an encoding of East Asia with a few bytes lost or changed.
//!
//! A character has two bytes there. Where one byte is lost, all that follow are read as halves of two characters, up to the next
//! ASCII character. The detector excludes an encoding at the first error. So such texts become Latin letters without sense.
//!
//! Here the bytes are cut into characters in the way that drops the fewest bytes and makes the fewest rare characters: the
//! shortest path through the bytes. Common characters have lead bytes of their own in all of these encodings.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};

use crate::decode::{Decoded, SAMPLE, detect};

/// What a dropped byte and a rare character cost; a common one costs nothing.
const DROPPED: u32 = 8;
const RARE: u32 = 3;

/// What it tells that the detector finds the encoding without the dropped bytes, in hundredths of a bit. It knows more of a short
/// text than the lead bytes do.
const DETECTED: isize = 2_000;

/// A text is damaged if it has at least this many wide characters for every place where bytes are dropped: if it declares the
/// encoding, and if it does not. Texts in other encodings are broken at their spaces.
const WIDE_PER_BROKEN: [usize; 2] = [3, 8];

/// How many bytes are enough to see whether characters are cut in halves.
const SHORT_SAMPLE: usize = 2 << 10;

/// The encodings, each with what a lead byte tells. The fewer lead bytes the common characters have, the more one of them tells.
/// Nearly half of Japanese is hiragana, which has one lead byte in EUC-JP.
const ENCODINGS: [(&Encoding, Told); 5] = [
    (GB18030, |lead| match lead {
        0xa1..=0xa3 | 0xb0..=0xd7 => Some(113),
        _ => None,
    }),
    (BIG5, |lead| match lead {
        0xa1..=0xc6 => Some(130),
        _ => None,
    }),
    (EUC_JP, |lead| match lead {
        0xa4 => Some(530),
        0xa5 => Some(350),
        0xa1 => Some(320),
        0xa2 | 0xa3 | 0xb0..=0xcf => Some(0),
        _ => None,
    }),
    (SHIFT_JIS, |lead| match lead {
        0x81..=0x83 | 0x88..=0x97 => Some(230),
        _ => None,
    }),
    (EUC_KR, |lead| match lead {
        0xa1..=0xa3 | 0xb0..=0xc8 => Some(175),
        _ => None,
    }),
];

/// The information of the lead byte of a common character, in hundredths of a bit, of 94 lead bytes; `None` for a rare one.
type Told = fn(u8) -> Option<isize>;

/// Returns the text of damaged bytes with U+FFFD where bytes are dropped. `declared` is the encoding that they declare. `None` if
/// they are no damaged text in one of these encodings.
pub(super) fn damaged<'b>(
    bytes: &'b [u8],
    declared: Option<&'static Encoding>,
) -> Option<Decoded<'b>> {
    let first = bytes.iter().position(|byte| !byte.is_ascii())?;
    let sample = &bytes[first..bytes.len().min(first + SAMPLE)];
    let found = ENCODINGS.into_iter().filter_map(|(encoding, told)| {
        let cut = Division::new(sample, encoding, told);
        let is_declared = declared.is_some_and(|declared| name(declared) == name(encoding));
        // A changed byte may exclude this one of them for the detector, and leave another one.
        let detected = detect(&cut.parts(sample).concat());
        let is_found = cut.is_plausible(is_declared) && (is_declared || !detected.is_single_byte());
        let bonus = match name(detected) == name(encoding) {
            true => DETECTED,
            false => 0,
        };
        is_found.then_some((cut.leads.likelihood(cut.broken) + bonus, encoding, told))
    });
    let (_, encoding, told) = found.max_by_key(|(likelihood, ..)| *likelihood)?;
    let cut = Division::new(bytes, encoding, told);
    let parts = cut.parts(bytes);
    let texts = parts
        .iter()
        .map(|part| encoding.decode_without_bom_handling(part).0);
    let text = texts.collect::<Vec<_>>().join("\u{fffd}");
    Some(Decoded {
        text: text.into(),
        encoding: name(encoding),
        replaced: parts.len() > 1,
    })
}

/// Returns whether bytes look like text in the encoding that the detector finds. In one of East Asia most characters are common
/// ones, unless halves of characters are read as one; and they tell more in it than in the others.
pub(super) fn is_likely(bytes: &[u8], encoding: &'static Encoding) -> bool {
    let is_found = |known: &'static Encoding| name(known) == name(encoding);
    if !ENCODINGS.iter().any(|(known, ..)| is_found(known)) {
        return !encoding.is_single_byte();
    }
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let mut is_trail = false;
    let leads = bytes[first..].iter().take(SHORT_SAMPLE).filter(|byte| {
        let is_lead = !is_trail && !byte.is_ascii();
        is_trail = is_lead;
        is_lead
    });
    let leads: Vec<u8> = leads.copied().collect();
    let counts = ENCODINGS.map(|(known, told)| {
        let mut counts = Leads::default();
        for &lead in &leads {
            counts.add(told(lead));
        }
        let is_common = counts.common * 10 >= counts.wide * 7;
        (counts.likelihood(0), is_common, known)
    });
    let best = counts
        .into_iter()
        .max_by_key(|(likelihood, ..)| *likelihood);
    best.is_some_and(|(_, is_common, known)| is_common && is_found(known))
}

/// The lead bytes of a text, as those of an encoding.
#[derive(Default)]
struct Leads {
    /// How many characters of several bytes there are, and how many of them are common.
    wide: usize,
    common: usize,
    /// What the common ones tell.
    information: isize,
}

impl Leads {
    fn add(&mut self, told: Option<isize>) {
        self.wide += 1;
        self.common += usize::from(told.is_some());
        self.information += told.unwrap_or_default();
    }

    /// Returns how likely the encoding is, compared with the others: by what the characters tell, how many are rare, and how many
    /// places are broken.
    fn likelihood(&self, broken: usize) -> isize {
        let count = |count: usize| isize::try_from(count).unwrap_or(isize::MAX / 1_000);
        self.information - count(self.wide - self.common) * 300 - count(broken) * 800
    }
}

/// Returns the name that the detector gives to an encoding: GB 18030 has all characters of GBK.
fn name(encoding: &'static Encoding) -> &'static str {
    match encoding == GB18030 {
        true => GBK.name(),
        false => encoding.name(),
    }
}

/// How bytes are cut into characters.
struct Division {
    /// The length of each character, from the first byte on; 0 for a dropped byte.
    lengths: Vec<u8>,
    leads: Leads,
    /// In how many places bytes are dropped.
    broken: usize,
}

impl Division {
    fn new(bytes: &[u8], encoding: &'static Encoding, told: Told) -> Self {
        let best = shortest(bytes, encoding, told);
        let mut cut = Self {
            lengths: Vec::with_capacity(bytes.len() / 2),
            leads: Leads::default(),
            broken: 0,
        };
        let (mut at, mut is_broken) = (0, false);
        while at < bytes.len() {
            let length = best[at];
            cut.broken += usize::from(length == 0 && !is_broken);
            is_broken = length == 0;
            if length > 1 {
                cut.leads.add(told(bytes[at]));
            }
            cut.lengths.push(length);
            at += usize::from(length.max(1));
        }
        cut
    }

    /// Returns whether nearly all of the text is intact, and most of it is common characters.
    fn is_plausible(&self, is_declared: bool) -> bool {
        let least = WIDE_PER_BROKEN[usize::from(!is_declared)];
        let Leads { wide, common, .. } = self.leads;
        wide >= self.broken * least && common * 10 >= wide * 8
    }

    /// Returns the bytes between those that are dropped.
    fn parts<'b>(&self, bytes: &'b [u8]) -> Vec<&'b [u8]> {
        let (mut start, mut at, mut is_broken) = (0, 0, false);
        let mut parts = Vec::new();
        for &length in &self.lengths {
            if length == 0 && !is_broken {
                parts.push(&bytes[start..at]);
            }
            at += usize::from(length.max(1));
            is_broken = length == 0;
            if is_broken {
                start = at;
            }
        }
        parts.push(&bytes[start..]);
        parts
    }
}

/// Returns the length of the best character at each byte; 0 where dropping the byte is best.
fn shortest(bytes: &[u8], encoding: &'static Encoding, told: Told) -> Vec<u8> {
    let mut best = vec![0; bytes.len()];
    // The costs of what is behind each of the next four bytes.
    let mut costs = [0_u32; 4];
    for at in (0..bytes.len()).rev() {
        let rest = &bytes[at..];
        let mut found = (costs[0].saturating_add(DROPPED), 0);
        for length in lengths(rest, encoding) {
            let is_free =
                length == 1 && rest[0].is_ascii() || length > 1 && told(rest[0]).is_some();
            let own = if is_free { 0 } else { RARE };
            let cost = costs[length - 1].saturating_add(own);
            // Of equal ways the one with fewer characters is taken.
            if cost <= found.0 {
                found = (cost, length);
            }
        }
        best[at] = u8::try_from(found.1).unwrap_or_default();
        costs.rotate_right(1);
        costs[0] = found.0;
    }
    best
}

/// Returns the lengths that a character at the beginning of some bytes may have.
fn lengths(rest: &[u8], encoding: &'static Encoding) -> impl Iterator<Item = usize> {
    let may_be = move |&length: &usize| {
        let Some(bytes) = rest.get(..length) else {
            return false;
        };
        let lead = bytes[0];
        match length {
            1 => lead.is_ascii() || encoding == SHIFT_JIS && matches!(lead, 0xa1..=0xdf),
            2 => {
                (0x81..=0xfe).contains(&lead)
                    && bytes[1] >= 0x40
                    && encoding
                        .decode_without_bom_handling_and_without_replacement(bytes)
                        .is_some_and(|text| text.chars().nth(1).is_none())
            }
            // Three bytes in EUC-JP, four in GB 18030.
            3 => encoding == EUC_JP && lead == 0x8f && bytes[1..].iter().all(|byte| *byte >= 0xa1),
            _ => {
                encoding == GB18030
                    && matches!(bytes, [0x81..=0xfe, b'0'..=b'9', 0x81..=0xfe, b'0'..=b'9'])
            }
        }
    };
    (1..=4).filter(may_be)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode;
    use crate::table::table;

    const CHINESE: &str = "旧城区的梧桐树在雨后显得格外安静，巷口的修鞋摊已经摆了三十年，老人每天清晨都会把工具一件件擦干净。";
    const TRADITIONAL: &str = "舊城區的梧桐樹在雨後顯得格外安靜，巷口的修鞋攤已經擺了三十年，老人每天清晨都會把工具一件件擦乾淨。";
    const JAPANESE: &str = "雨上がりの古い町並みは、とりわけ静かに見える。路地の入り口にある靴の修理屋は、もう三十年も店を出している。";
    const KOREAN: &str = "비 온 뒤 옛 도심의 가로수는 유난히 고요하다. 골목 어귀의 구두 수선집은 벌써 삼십 년째 자리를 지키고 있다.";

    const TEXTS: [(&Encoding, &str); 5] = [
        (GBK, CHINESE),
        (BIG5, TRADITIONAL),
        (EUC_JP, JAPANESE),
        (SHIFT_JIS, JAPANESE),
        (EUC_KR, KOREAN),
    ];

    /// Returns how many characters two texts have in common at their beginning and at their end.
    fn kept(text: &str, found: &str) -> usize {
        let same = |pairs: &mut dyn Iterator<Item = (char, char)>| {
            pairs.take_while(|(a, b)| a == b).count()
        };
        same(&mut text.chars().zip(found.chars()))
            + same(&mut text.chars().rev().zip(found.chars().rev()))
    }

    #[test]
    fn a_lost_or_changed_byte_costs_the_characters_beside_it_and_no_more() {
        for (encoding, text) in TEXTS {
            let (whole, ..) = encoding.encode(text);
            for at in (0..whole.len()).step_by(7) {
                let lost = [&whole[..at], &whole[at + 1..]].concat();
                let mut changed = whole.to_vec();
                changed[at] = 0xff;
                let cut = whole[..whole.len() - 1].to_vec();
                for bytes in [lost, changed, cut] {
                    let decoded = decode(&bytes, None).unwrap();
                    let name = encoding.name();
                    let (all, kept) = (text.chars().count(), kept(text, &decoded.text));
                    assert!(kept + 9 >= all, "{name} {at}: {}", decoded.text);
                }
            }
        }
    }

    #[test]
    fn hiragana_and_hangul_tell_more_than_what_the_detector_excludes() {
        for (encoding, text, changes) in [
            // Each byte that is changed makes a character that the encoding does not have.
            (
                EUC_JP,
                JAPANESE,
                &[(3, 0xff), (30, 0x20), (61, 0xfe), (75, 0xff), (90, 0x41)][..],
            ),
            (EUC_KR, KOREAN, &[(3, 0xf9), (30, 0xe0), (61, 0xc9)]),
        ] {
            let mut bytes = encoding.encode(text).0.into_owned();
            for &(at, byte) in changes {
                bytes[at] = byte;
            }
            let decoded = decode(&bytes, None).unwrap();
            assert_eq!(decoded.encoding, encoding.name(), "{}", decoded.text);
        }
        // Its lead bytes are those of Hangul.
        let text = "仅当 kubelet 的**节点关闭管理器**可以检测到即将到来的节";
        assert_eq!(decode(&GBK.encode(text).0, None).unwrap().text, text);
    }

    #[test]
    fn the_damage_is_noted() {
        let (whole, ..) = GBK.encode(CHINESE);
        let bytes = [&whole[..21], &whole[22..]].concat();
        let decoded = decode(&bytes, None).unwrap();
        assert!(decoded.replaced && decoded.text.contains('\u{fffd}'));
        assert_eq!(decoded.encoding, "GBK");
        // A page that declares it, and has little else to tell.
        let page = [b"<meta charset=gbk><p>", &whole[..9]].concat();
        assert_eq!(decode(&page, None).unwrap().encoding, "GBK");
    }

    #[test]
    fn texts_of_one_byte_a_character_are_left_alone() {
        for [encoding, text] in table(
            "windows-1251 | Старый город после дождя кажется особенно тихим, и сапожник сидит у входа.
             windows-1252 | Ça a été déjà vu à la forêt, où l’été s’achève: naïveté, cœur, garçon.
             windows-1252 | Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich, früh für Flöße.
             windows-1253 | Η παλιά πόλη μετά τη βροχή φαίνεται ιδιαίτερα ήσυχη σήμερα.
             windows-1255 | העיר העתיקה אחרי הגשם נראית שקטה במיוחד היום.
             windows-1256 | المدينة القديمة بعد المطر تبدو هادئة جدا هذا اليوم.
             windows-874  | เมืองเก่าหลังฝนตกดูเงียบสงบเป็นพิเศษในวันนี้",
        ) {
            let encoding = Encoding::for_label(encoding.as_bytes()).unwrap();
            let (bytes, ..) = encoding.encode(text);
            assert!(damaged(&bytes, None).is_none(), "{text}");
            assert_eq!(decode(&bytes, None).unwrap().text, text);
        }
    }
}
