//! Groups of options.
//!
//! A group is a struct that commands flatten. Each of its fields is an option of the command line and a key of `dupfind.toml`,
//! with one name, one parser and one meaning. A field that is not set has the default of the place that reads it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use clap::builder::ValueParser;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error, SeqAccess, Unexpected, Visitor};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, Deserializer as TomlDeserializer};

use crate::args::used::{Asked, Used};
use crate::args::values::Value;

/// The name of an option, and its words on the command line.
pub(crate) type Words = (String, Vec<OsString>);

/// A group, or several of them, such as the arguments of a command.
pub(crate) trait Group {
    /// Returns the groups that it is made of, besides its own options.
    fn parts(&self) -> Vec<&dyn Group>;

    /// Returns these groups, to be changed.
    fn parts_mut(&mut self) -> Vec<&mut dyn Group>;

    /// Returns the keys that a configuration may have for it.
    fn keys(&self) -> Vec<Key> {
        self.parts().iter().flat_map(|part| part.keys()).collect()
    }

    /// Returns the words of each option that is set, without the paths.
    fn words(&self) -> Vec<Words> {
        self.parts().iter().flat_map(|part| part.words()).collect()
    }

    /// Sets the option of a key, if it is one of this group and not set. Returns whether it has set it.
    ///
    /// # Errors
    ///
    /// The value is none of this option. The error has its place.
    fn set(&mut self, entry: &Entry<'_>) -> Result<bool, toml::de::Error> {
        let mut is_set = false;
        for part in self.parts_mut() {
            is_set = is_set || part.set(entry)?;
        }
        Ok(is_set)
    }

    /// Returns the configuration that is asked for; `None` if there is to be none.
    fn asked(&self) -> Option<Asked> {
        self.parts().into_iter().find_map(|part| part.asked())
    }

    /// Notes the names of the options that were typed, and the configuration in force.
    fn configured(&mut self, typed: &BTreeSet<String>, used: Option<&Used>) {
        for part in self.parts_mut() {
            part.configured(typed, used);
        }
    }

    /// Returns the first path that is read: the configuration is looked for there.
    fn start(&self) -> Option<&Path> {
        self.parts().into_iter().find_map(|part| part.start())
    }

    /// Returns why the options do not go together, if they do not. clap has checked what depends on no value.
    fn conflict(&self) -> Option<Conflict> {
        self.parts().iter().find_map(|part| part.conflict())
    }

    /// Decides how much the program says, and in which language.
    fn speak(&self) {
        self.parts().iter().for_each(|part| part.speak());
    }

    /// Keeps what is typed, before a configuration is added to it.
    fn typed(&mut self) {}

    /// Goes on when all arguments are there.
    fn finish(&mut self) {}
}

/// A key of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) is_flag: bool,
    pub(crate) is_list: bool,
    pub(crate) is_number: bool,
}

/// Options that do not go together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// The names of the options.
    pub(crate) options: &'static [&'static str],
    pub(crate) reason: String,
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry<'t> {
    pub(crate) key: String,
    pub(crate) line: usize,
    pub(crate) name: Spanned<DeString<'t>>,
    pub(crate) value: Spanned<DeValue<'t>>,
    /// The folder of the configuration.
    pub(crate) folder: &'t Path,
    /// The current folder.
    pub(crate) cwd: &'t Path,
}

impl Entry<'_> {
    /// Reads a group of options of which only this one is set.
    ///
    /// # Errors
    ///
    /// The value is none of the option.
    pub(crate) fn read<G: DeserializeOwned>(&self) -> Result<G, toml::de::Error> {
        let mut table = DeTable::new();
        table.insert(self.name.clone(), self.value.clone());
        G::deserialize(TomlDeserializer::from(Spanned::new(
            self.value.span(),
            table,
        )))
    }
}

/// A field of a group: an option that is given once (`Option`) or several times (`Vec`), or a flag (`bool`).
pub(crate) trait Field: Sized {
    /// What its values are. That of a flag has no name.
    type Of: Value;

    const IS_FLAG: bool = false;
    const IS_LIST: bool = false;

    /// The character between the values of a list in one word, if they may be in one.
    const DELIMITER: Option<char> = match Self::IS_LIST {
        true => Self::Of::DELIMITER,
        false => None,
    };

    /// Returns the parser of the option.
    fn parser() -> ValueParser {
        Self::Of::parser()
    }

    fn key(name: &str) -> Key {
        Key {
            name: name.to_owned(),
            is_flag: Self::IS_FLAG,
            is_list: Self::IS_LIST,
            is_number: Self::Of::IS_NUMBER,
        }
    }

    fn is_set(&self) -> bool {
        self.values().next().is_some()
    }

    /// Returns the values that are set.
    fn values(&self) -> impl Iterator<Item = &Self::Of>;

    /// Returns the field with these values.
    fn of(values: Vec<Self::Of>) -> Self;

    /// Returns its words on the command line. A value that begins with a hyphen would be taken for an option.
    fn words(&self, option: &str) -> Vec<OsString> {
        let words = self.values().map(|value| match value.word() {
            _ if Self::IS_FLAG => vec![option.into()],
            word if word.as_encoded_bytes().starts_with(b"-") => {
                let mut assigned = OsString::from(format!("{option}="));
                assigned.push(word);
                vec![assigned]
            }
            word => vec![option.into(), word],
        });
        words.flatten().collect()
    }

    /// Reads the value of a key.
    ///
    /// # Errors
    ///
    /// It is none.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Read::<Self>(Vec::new(), PhantomData);
        let Read(values, _) = deserializer.deserialize_any(read)?;
        Ok(Self::of(values))
    }

    /// Returns it with paths that are relative to the current folder, from those in a configuration.
    fn moved(&self, entry: &Entry<'_>) -> Self {
        let values = self.values().cloned();
        let moved = values.map(|value| value.moved(entry.folder, entry.cwd));
        Self::of(moved.collect())
    }
}

impl Field for bool {
    type Of = bool;
    const IS_FLAG: bool = true;

    fn values(&self) -> impl Iterator<Item = &bool> {
        std::iter::once(self).filter(|is_on| **is_on)
    }

    fn of(values: Vec<bool>) -> Self {
        values.contains(&true)
    }
}

impl<T: Value> Field for Option<T> {
    type Of = T;

    fn values(&self) -> impl Iterator<Item = &T> {
        self.iter()
    }

    fn of(values: Vec<T>) -> Self {
        values.into_iter().next()
    }
}

impl<T: Value> Field for Vec<T> {
    type Of = T;
    const IS_LIST: bool = true;

    fn values(&self) -> impl Iterator<Item = &T> {
        self.iter()
    }

    fn of(values: Vec<T>) -> Self {
        values
    }
}

/// The values of a key that are read for a field.
struct Read<F: Field>(Vec<F::Of>, PhantomData<F>);

impl<'de, F: Field> Deserialize<'de> for Read<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self(Vec::new(), PhantomData))
    }
}

impl<'de, F: Field> Visitor<'de> for Read<F> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match F::key("") {
            Key { is_flag: true, .. } => "true or false",
            Key { is_list: true, .. } => "a list of strings, or a string",
            Key {
                is_number: true, ..
            } => "a number",
            _ => "a string",
        })
    }

    fn visit_bool<E: Error>(self, is_on: bool) -> Result<Self, E> {
        match F::IS_FLAG {
            true => self.with(&is_on.to_string()),
            false => Err(E::invalid_type(Unexpected::Bool(is_on), &self)),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self, E> {
        if F::IS_FLAG {
            return Err(E::invalid_type(Unexpected::Str(text), &self));
        }
        if let Some(c) = text.chars().find(|c| c.is_control()) {
            let c = c.escape_unicode();
            return Err(E::custom(format!("there is a control character, {c}")));
        }
        let mut parts = match F::DELIMITER {
            Some(delimiter) => text.split(delimiter).collect(),
            None => vec![text],
        };
        parts.drain(..).try_fold(self, Self::with)
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
        if !F::IS_LIST {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        while let Some(Read(values, _)) = list.next_element::<Read<Option<F::Of>>>()? {
            self.0.extend(values);
        }
        match self.0.is_empty() {
            true => Err(A::Error::custom("the list is empty; expected at least one")),
            false => Ok(self),
        }
    }
}

impl<F: Field> Read<F> {
    fn with<E: Error>(mut self, text: &str) -> Result<Self, E> {
        self.0.push(F::Of::parse(text).map_err(E::custom)?);
        Ok(self)
    }

    fn number<E: Error>(self, number: impl fmt::Display) -> Result<Self, E> {
        match F::Of::IS_NUMBER {
            true => self.with(&number.to_string()),
            false => Err(E::invalid_type(Unexpected::Other("number"), &self)),
        }
    }
}

/// Returns the name of the option of a field.
pub(crate) fn option_of(field: &str) -> String {
    field.trim_start_matches("r#").replace('_', "-")
}

/// Defines a group: its fields are options and keys. The groups behind `with` are parts of it, the fields behind `beside` are
/// no keys, and the functions behind `own` are those of [`Group`].
macro_rules! group {
    (
        $(#[$attribute:meta])*
        $visible:vis struct $name:ident in $heading:ident {
            $($(#[$of_field:meta])* $seen:vis $field:ident: $type:ty,)*
        }
        $(with { $($shared:vis $part:ident: $group:ty,)* })?
        $(beside { $($(#[$of_rest:meta])* $open:vis $rest:ident: $kind:ty,)* })?
        $(own { $($own:item)* })?
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
            $crate::args::group::parts!($($($part),*)?);

            fn keys(&self) -> Vec<$crate::args::group::Key> {
                use $crate::args::group::{Field, option_of};
                let own = vec![$(<$type as Field>::key(&option_of(stringify!($field))),)*];
                [own, $($(self.$part.keys(),)*)?].concat()
            }

            fn words(&self) -> Vec<$crate::args::group::Words> {
                use $crate::args::group::{Field, option_of};
                let own = [$({
                    let name = option_of(stringify!($field));
                    let words = Field::words(&self.$field, &format!("--{name}"));
                    (name, words)
                },)*];
                let is_typed = |(name, words): &$crate::args::group::Words| {
                    name != "paths" && !words.is_empty()
                };
                let own: Vec<_> = own.into_iter().filter(is_typed).collect();
                [own, $($(self.$part.words(),)*)?].concat()
            }

            fn set(&mut self, entry: &$crate::args::group::Entry<'_>) -> Result<bool, toml::de::Error> {
                use $crate::args::group::{Field, option_of};
                $(
                    if entry.key == option_of(stringify!($field)) {
                        let read: Self = entry.read()?;
                        let is_free = !self.$field.is_set();
                        if is_free {
                            self.$field = read.$field.moved(entry);
                        }
                        return Ok(is_free && self.$field.is_set());
                    }
                )*
                Ok($($(self.$part.set(entry)? ||)*)? false)
            }

            $($($own)*)?
        }
    };
}
pub(crate) use group;

/// Makes a group of the groups that a command flattens. The functions behind the semicolon are those of [`Group`], in the place of
/// those of the parts.
macro_rules! groups {
    ($name:ident: $($part:ident),* $(; $($own:item)*)?) => {
        impl $crate::args::group::Group for $name {
            $crate::args::group::parts!($($part),*);

            $($($own)*)?
        }
    };
}
pub(crate) use groups;

/// Defines the parts of a group.
macro_rules! parts {
    ($($part:ident),*) => {
        fn parts(&self) -> Vec<&dyn $crate::args::group::Group> {
            vec![$(&self.$part),*]
        }

        fn parts_mut(&mut self) -> Vec<&mut dyn $crate::args::group::Group> {
            vec![$(&mut self.$part),*]
        }
    };
}
pub(crate) use parts;
