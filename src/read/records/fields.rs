//! Which fields of a record are the document.

use std::borrow::Cow;

/// What stands between the texts of two fields.
const BETWEEN: &str = "\n\n";

/// Which fields of a record are the document.
///
/// The name of a field may lead into objects and through lists: `meta.title`, `messages.content`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// The fields with the text, in the order in which their texts are joined.
    pub text: Vec<String>,
    /// The field with the id; by default a record is known by its number.
    pub id: Option<String>,
    /// Whether somebody said which fields have the text, so that a table or a JSON file without any of them is
    /// a mistake and no text as it is.
    pub is_named: bool,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            text: vec!["text".into()],
            id: None,
            is_named: false,
        }
    }
}

impl Fields {
    /// The names of the fields with the text, for people.
    pub(super) fn in_words(&self) -> String {
        let quoted: Vec<String> = self.text.iter().map(|name| format!("'{name}'")).collect();
        quoted.join(" or ")
    }
}

/// Takes what stands in the fields with the text, in their order, and returns the text of the record; nothing if
/// there is none. One field is not copied.
pub(super) fn joined<'l>(texts: impl IntoIterator<Item = Cow<'l, str>>) -> Option<Cow<'l, str>> {
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

/// How many names of fields are listed.
const LISTED: usize = 12;

/// How many characters of each.
const NAME: usize = 40;

/// Takes the names of the fields that there are, and says them.
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
