//! Which fields of a record hold its text and its id.

use std::borrow::Cow;

/// The separator of the texts of two fields.
const BETWEEN: &str = "\n\n";

/// Which fields of a record hold its text and its id.
///
/// A name can lead into objects and through lists: `meta.title`, `messages.content`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// The text fields, in the order in which their texts are joined.
    pub text: Vec<String>,
    /// The id field. Without one, the number of a record is its id.
    pub id: Option<String>,
    /// Whether the user named the text fields. Then a table or a JSON file without any of them is an error; otherwise
    /// such a file is one document.
    pub is_named: bool,
    /// Whether a list or an object is an id too, as it is written: the values of a field are then compared.
    pub takes_lists: bool,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            text: vec!["text".into()],
            id: None,
            is_named: false,
            takes_lists: false,
        }
    }
}

impl Fields {
    /// The names of the text fields, for people.
    pub(super) fn in_words(&self) -> String {
        let quoted: Vec<String> = self.text.iter().map(|name| format!("'{name}'")).collect();
        quoted.join(" or ")
    }
}

/// Returns the values of the text fields as one text, or nothing if there are no values. A single value is not copied.
pub fn joined<'l>(texts: impl IntoIterator<Item = Cow<'l, str>>) -> Option<Cow<'l, str>> {
    let mut texts = texts.into_iter();
    let mut all = texts.next()?;
    for text in texts {
        if all.is_empty() {
            all = text;
        } else if !text.is_empty() {
            let all = all.to_mut();
            all.push_str(BETWEEN);
            all.push_str(&text);
        }
    }
    Some(all)
}

/// How many names of fields are listed, and how many characters of each.
const LISTED: usize = 12;
const NAME: usize = 40;

/// Returns a list of names of fields, for people.
pub(super) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut names = names.into_iter();
    let short = |name: &str| format!("'{}'", name.chars().take(NAME).collect::<String>());
    let mut listed: Vec<String> = names.by_ref().take(LISTED).map(short).collect();
    if names.next().is_some() {
        listed.push("...".into());
    }
    if listed.is_empty() {
        return "nothing".into();
    }
    listed.join(", ")
}
