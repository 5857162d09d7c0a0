//! Where a page is in its collection: what its folders and its name tell.

use xxhash_rust::xxh3::xxh3_64;

use crate::verdict::folders::{is_year, language_of, subject};
use crate::verdict::names::{file, folder, page_name};

/// Where the page of a document is, as hashes: two of a kind are equal if what they are of is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PagePlace {
    /// Its folder, as it is written.
    pub(super) folder: u64,
    /// The name of its file.
    pub(super) file: u64,
    /// The words of its folders that tell no version, date or language.
    pub(super) subject: u64,
    /// The folders that tell a version, a revision or a language. Years do not count: posts of two years are two posts.
    pub(super) version: u64,
    /// The language that its first folder of one tells.
    pub(super) language: Option<u64>,
    /// The words of the other folders, and the name of the file.
    pub(super) page: u64,
    /// The words before the last folder of a version: what it is a version of. `None` if there is no such folder.
    product: Option<u64>,
    /// The name of the page: that of its file without the extension, or that of its folder if the file is its `index.md`.
    pub(super) name: u64,
}

/// What the folder of pages tells of each of them.
#[derive(Debug)]
pub(super) struct FolderPlace {
    folder: u64,
    subject: u64,
    version: u64,
    language: Option<u64>,
    product: Option<u64>,
    /// The words of the folders that tell no version.
    words: String,
}

impl FolderPlace {
    pub(super) fn of(folders: &str) -> Self {
        let (mut subjects, mut version, mut words) = (String::new(), String::new(), String::new());
        let mut product = None;
        for folder in folders.split(['/', '\\']) {
            let subject = subject(folder).to_lowercase();
            let add = |to: &mut String, word: &str| {
                if !word.is_empty() {
                    to.push_str(word);
                    to.push('/');
                }
            };
            add(&mut subjects, &subject);
            if is_year(folder) {
                add(&mut words, folder);
                continue;
            }
            add(&mut words, &subject);
            if subject != folder.to_lowercase() {
                add(&mut version, folder);
                product = Some(hash(&words));
            }
        }
        let mut languages = folders.split(['/', '\\']).filter_map(language_of);
        Self {
            folder: hash(folders),
            subject: hash(&subjects),
            version: hash(&version),
            language: languages.next().as_deref().map(hash),
            product,
            words,
        }
    }

    /// Returns whether the folders tell nothing but versions beyond those of another folder.
    pub(super) fn is_version_of(&self, top: &Self) -> bool {
        self.words == top.words
    }

    /// Returns the place of the page of a document in the folder.
    pub(super) fn page(&self, name: &str) -> PagePlace {
        let file = file(name);
        PagePlace {
            folder: self.folder,
            file: hash(file),
            subject: self.subject,
            version: self.version,
            language: self.language,
            page: hash(&format!("{}{}", self.words, file.to_lowercase())),
            product: self.product,
            name: hash(&page_name(name).to_lowercase()),
        }
    }
}

impl PagePlace {
    pub(super) fn of(name: &str) -> Self {
        FolderPlace::of(folder(name)).page(name)
    }

    /// Returns whether the two can be of one product: in folders of versions that are in one folder, or one in no such folder.
    pub(super) fn may_be_of_product(self, other: Self) -> bool {
        let both = self.product.zip(other.product);
        both.is_none_or(|(a, b)| a == b)
    }
}

pub(super) fn hash(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}
