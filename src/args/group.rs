//! Groups of options.
//!
//! A group is a struct that commands flatten. Each of its fields is an option of the command line and a key of `dupfind.toml`,
//! with one name, one parser and one meaning. A field that is not set has the default of the place that reads it.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::marker::PhantomData;

use clap::builder::ValueParser;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use crate::args::values::Value;
use crate::config::file::Entry;

/// The name of an option, and its words on the command line.
pub(crate) type Words = (String, Vec<OsString>);

/// A group, or several of them.
pub(crate) trait Group {
    /// Returns the keys that a configuration may have for it.
    fn keys(&self) -> Vec<Key>;

    /// Returns the words of each option that is set, without the paths.
    fn words(&self) -> Vec<Words>;

    /// Sets the option of a key, if it is one of this group and not set. Returns whether it has set it.
    ///
    /// # Errors
    ///
    /// The value is none of this option. The error has its place.
    fn set(&mut self, entry: &Entry<'_>) -> Result<bool, toml::de::Error>;
}

/// A key of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) is_flag: bool,
    pub(crate) is_list: bool,
    pub(crate) is_number: bool,
}

/// A field of a group: an option that is given once, or several times, or a flag.
pub(crate) trait Field: Sized {
    /// The character between the values of a list in one word, if they may be in one.
    const DELIMITER: Option<char>;

    /// Returns the parser of the option.
    fn parser() -> ValueParser;

    fn key(name: &str) -> Key;

    fn is_set(&self) -> bool;

    /// Returns its words on the command line.
    fn words(&self, option: &str) -> Vec<OsString>;

    /// Reads the value of a key.
    ///
    /// # Errors
    ///
    /// It is none.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;

    /// Returns it with paths that are relative to the current folder, from those in a configuration.
    fn moved(self, entry: &Entry<'_>) -> Self;
}

impl Field for bool {
    const DELIMITER: Option<char> = None;

    fn parser() -> ValueParser {
        ValueParser::bool()
    }

    fn key(name: &str) -> Key {
        Key {
            name: name.to_owned(),
            is_flag: true,
            is_list: false,
            is_number: false,
        }
    }

    fn is_set(&self) -> bool {
        *self
    }

    fn words(&self, option: &str) -> Vec<OsString> {
        self.then(|| option.into()).into_iter().collect()
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Flag;
        impl Visitor<'_> for Flag {
            type Value = bool;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true or false")
            }

            fn visit_bool<E: Error>(self, is_on: bool) -> Result<bool, E> {
                Ok(is_on)
            }
        }
        deserializer.deserialize_any(Flag)
    }

    fn moved(self, _entry: &Entry<'_>) -> Self {
        self
    }
}

impl<T: Value> Field for Option<T> {
    const DELIMITER: Option<char> = None;

    fn parser() -> ValueParser {
        T::parser()
    }

    fn key(name: &str) -> Key {
        Key {
            name: name.to_owned(),
            is_flag: false,
            is_list: false,
            is_number: T::IS_NUMBER,
        }
    }

    fn is_set(&self) -> bool {
        self.is_some()
    }

    fn words(&self, option: &str) -> Vec<OsString> {
        let words = self.iter().map(|value| typed(option, &value.word()));
        words.flatten().collect()
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Read(value, _) = Read::<T, false>::deserialize(deserializer)?;
        Ok(value.into_iter().next())
    }

    fn moved(self, entry: &Entry<'_>) -> Self {
        self.map(|value| value.moved(entry.folder, entry.cwd))
    }
}

impl<T: Value> Field for Vec<T> {
    const DELIMITER: Option<char> = T::DELIMITER;

    fn parser() -> ValueParser {
        T::parser()
    }

    fn key(name: &str) -> Key {
        Key {
            is_list: true,
            ..Option::<T>::key(name)
        }
    }

    fn is_set(&self) -> bool {
        !self.is_empty()
    }

    fn words(&self, option: &str) -> Vec<OsString> {
        let words = self.iter().map(|value| typed(option, &value.word()));
        words.flatten().collect()
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Read(values, _) = Read::<T, true>::deserialize(deserializer)?;
        Ok(values)
    }

    fn moved(self, entry: &Entry<'_>) -> Self {
        let values = self.into_iter();
        let moved = values.map(|value| value.moved(entry.folder, entry.cwd));
        moved.collect()
    }
}

/// Returns an option and its value as words. A value that begins with a hyphen would be taken for an option.
fn typed(option: &str, value: &OsStr) -> Vec<OsString> {
    if value.as_encoded_bytes().starts_with(b"-") {
        let mut word = OsString::from(format!("{option}="));
        word.push(value);
        return vec![word];
    }
    vec![option.into(), value.to_owned()]
}

/// The values of a key: those of a list, where `LIST` allows one.
struct Read<T, const LIST: bool>(Vec<T>, PhantomData<T>);

impl<'de, T: Value, const LIST: bool> Deserialize<'de> for Read<T, LIST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self(Vec::new(), PhantomData))
    }
}

impl<'de, T: Value, const LIST: bool> Visitor<'de> for Read<T, LIST> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (LIST, T::IS_NUMBER) {
            (true, _) => f.write_str("a list of strings, or a string"),
            (false, true) => f.write_str("a number"),
            (false, false) => f.write_str("a string"),
        }
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<Self, E> {
        if let Some(c) = text.chars().find(|c| c.is_control()) {
            let c = c.escape_unicode();
            return Err(E::custom(format!("there is a control character, {c}")));
        }
        let delimiter = T::DELIMITER.filter(|_| LIST);
        let parts = match delimiter {
            Some(delimiter) => text.split(delimiter).collect(),
            None => vec![text],
        };
        for part in parts {
            self.0.push(T::parse(part).map_err(E::custom)?);
        }
        Ok(self)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self, E> {
        self.number(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self, E> {
        self.number(number)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self, E> {
        self.number(number)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Self, A::Error> {
        if !LIST {
            return Err(A::Error::invalid_type(serde::de::Unexpected::Seq, &self));
        }
        while let Some(Read(values, _)) = list.next_element::<Read<T, false>>()? {
            self.0.extend(values);
        }
        match self.0.is_empty() {
            true => Err(A::Error::custom("the list is empty; expected at least one")),
            false => Ok(self),
        }
    }
}

impl<T: Value, const LIST: bool> Read<T, LIST> {
    fn number<E: Error>(self, number: impl fmt::Display) -> Result<Self, E> {
        match T::IS_NUMBER {
            true => self.visit_str(&number.to_string()),
            false => Err(E::invalid_type(
                serde::de::Unexpected::Other("number"),
                &self,
            )),
        }
    }
}

/// Returns the name of the option of a field.
pub(crate) fn option_of(field: &str) -> String {
    field.trim_start_matches("r#").replace('_', "-")
}

/// Defines a group: its fields are options and keys. The groups behind `with` are parts of it, and
/// the fields behind `beside` are no keys.
macro_rules! group {
    (
        $(#[$attribute:meta])*
        $visible:vis struct $name:ident in $heading:ident {
            $($(#[$of_field:meta])* $seen:vis $field:ident: $type:ty,)*
        }
        $(with { $($shared:vis $part:ident: $group:ty,)* })?
        $(beside { $($(#[$of_rest:meta])* $open:vis $rest:ident: $kind:ty,)* })?
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Default, clap::Args, serde::Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        $visible struct $name {
            $(
                #[arg(
                    value_parser = <$type as $crate::args::group::Field>::parser(),
                    value_delimiter = <$type as $crate::args::group::Field>::DELIMITER,
                    help_heading = $crate::args::headings::$heading,
                )]
                #[serde(deserialize_with = "crate::args::group::Field::read")]
                $(#[$of_field])*
                $seen $field: $type,
            )*
            $($(
                #[command(flatten)]
                #[serde(skip)]
                $shared $part: $group,
            )*)?
            $($(
                $(#[$of_rest])*
                #[serde(skip)]
                $open $rest: $kind,
            )*)?
        }

        impl $crate::args::group::Group for $name {
            #[allow(unused_mut, reason = "a group may have no part")]
            fn keys(&self) -> Vec<$crate::args::group::Key> {
                let mut keys = vec![$(
                    <$type as $crate::args::group::Field>::key(&$crate::args::group::option_of(stringify!($field))),
                )*];
                $($(keys.extend(self.$part.keys());)*)?
                keys
            }

            #[allow(unused_mut, reason = "a group may have no part")]
            fn words(&self) -> Vec<$crate::args::group::Words> {
                let mut words = Vec::new();
                $(
                    let name = $crate::args::group::option_of(stringify!($field));
                    if $crate::args::group::Field::is_set(&self.$field) && name != "paths" {
                        let own = $crate::args::group::Field::words(&self.$field, &format!("--{name}"));
                        words.push((name, own));
                    }
                )*
                $($(words.extend(self.$part.words());)*)?
                words
            }

            fn set(&mut self, entry: &$crate::config::file::Entry<'_>) -> Result<bool, toml::de::Error> {
                $($(
                    if self.$part.set(entry)? {
                        return Ok(true);
                    }
                )*)?
                $(
                    if entry.key == $crate::args::group::option_of(stringify!($field)) {
                        let read: Self = entry.read()?;
                        if $crate::args::group::Field::is_set(&self.$field) {
                            return Ok(false);
                        }
                        self.$field = $crate::args::group::Field::moved(read.$field, entry);
                        return Ok($crate::args::group::Field::is_set(&self.$field));
                    }
                )*
                Ok(false)
            }
        }
    };
}
pub(crate) use group;

/// Makes a group of the groups that a command flattens.
macro_rules! groups {
    ($name:ident: $($part:ident),* $(,)?) => {
        impl $crate::args::group::Group for $name {
            fn keys(&self) -> Vec<$crate::args::group::Key> {
                let parts: Vec<Vec<$crate::args::group::Key>> = vec![$(self.$part.keys()),*];
                parts.concat()
            }

            fn words(&self) -> Vec<$crate::args::group::Words> {
                let parts: Vec<Vec<$crate::args::group::Words>> = vec![$(self.$part.words()),*];
                parts.concat()
            }

            fn set(&mut self, entry: &$crate::config::file::Entry<'_>) -> Result<bool, toml::de::Error> {
                Ok($(self.$part.set(entry)? ||)* false)
            }
        }
    };
}
pub(crate) use groups;
