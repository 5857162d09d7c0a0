//! How documents are read.

use dupfind_engine::text::normalize::decomposes_beyond;
use encoding_rs::Encoding;

use crate::extract::WebPart;
use crate::records::Fields;
use crate::skipped::{Refused, SkipReason, Wording};
use crate::source::pdf::PdfPrograms;
use crate::source::pre::Pre;

/// How documents are read.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The largest document, in bytes. The size of a compressed file is that of its expanded content.
    pub max_filesize: u64,
    /// How much memory a document may need while it is compared, in bytes; `None` if there is no limit. One that needs
    /// more is skipped.
    pub max_memory: Option<u64>,
    /// The encoding of all files. If there is none, it is found out for each file.
    pub encoding: Option<&'static Encoding>,
    /// Which fields of a record hold its text and its id.
    pub fields: Fields,
    /// The programs of the user that make texts of files.
    pub pre: Option<Pre>,
    /// The programs that read PDF. Without them it is not read.
    pub pdf: Option<PdfPrograms>,
    /// Which part of a web page counts.
    pub web_part: WebPart,
    /// How many documents a scan may have. The features of each need memory, however short it is.
    pub max_documents: u64,
    /// The words for some reasons not to compare a file.
    pub wording: Wording,
}

impl ReadOptions {
    /// The default largest size of a document: 16 MiB.
    pub const MAX_FILESIZE: u64 = 16 << 20;

    /// How many times its size the normal form of a text may have, if that is more than the largest document.
    const EXPANSION: usize = 4;

    /// Refuses a text whose normal form needs much more memory than a document may.
    ///
    /// # Errors
    ///
    /// [`SkipReason::TooLarge`], with details in words.
    pub(crate) fn check_expansion(&self, text: &str) -> Result<(), Refused> {
        let limit = usize::try_from(self.max_filesize).unwrap_or(usize::MAX);
        let most = limit.max(text.len().saturating_mul(Self::EXPANSION));
        if !decomposes_beyond(text, most) {
            return Ok(());
        }
        let words = format!("in normal form it has more than {most} bytes");
        Err((SkipReason::TooLarge, words))
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            max_filesize: Self::MAX_FILESIZE,
            max_memory: None,
            encoding: None,
            fields: Fields::default(),
            pre: None,
            pdf: None,
            web_part: WebPart::default(),
            max_documents: u64::MAX,
            wording: Wording::default(),
        }
    }
}
