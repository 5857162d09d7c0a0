//! Groups of options.
//!
//! A group is a struct that commands flatten. Each of its fields is an option of the command line and a key of `dupfind.toml`,
//! with one name, one parser and one meaning. A field that is not set has the default of the place that reads it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use clap::builder::ValueParser;
use toml::Spanned;
use toml::de::DeValue;

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
    /// The value is none of this option.
    fn set(&mut self, entry: &Entry<'_>) -> Result<bool, WrongValue> {
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
    pub(crate) value: Spanned<DeValue<'t>>,
    /// The folder of the configuration.
    pub(crate) folder: &'t Path,
    /// The current folder.
    pub(crate) cwd: &'t Path,
}

/// A value that its option does not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrongValue {
    /// The byte of the text where it begins.
    pub(crate) at: usize,
    pub(crate) what: String,
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
    fn read(value: &Spanned<DeValue<'_>>) -> Result<Self, WrongValue> {
        Ok(Self::of(values_of::<Self>(value)?))
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

/// Reads the values of a key for a field.
fn values_of<F: Field>(value: &Spanned<DeValue<'_>>) -> Result<Vec<F::Of>, WrongValue> {
    let at = value.span().start;
    let wrong = |what| WrongValue { at, what };
    let parse = |text: &str| F::Of::parse(text).map_err(wrong);
    match value.get_ref() {
        DeValue::Boolean(is_on) if F::IS_FLAG => Ok(vec![parse(&is_on.to_string())?]),
        DeValue::Integer(number) if F::Of::IS_NUMBER => {
            let decimal = i64::from_str_radix(number.as_str(), number.radix());
            let text = decimal.map_or_else(|_| number.to_string(), |number| number.to_string());
            Ok(vec![parse(&text)?])
        }
        DeValue::Float(number) if F::Of::IS_NUMBER => Ok(vec![parse(number.as_str())?]),
        DeValue::String(text) if !F::IS_FLAG => {
            if let Some(c) = text.chars().find(|c| c.is_control()) {
                let c = c.escape_unicode();
                return Err(wrong(format!("there is a control character, {c}")));
            }
            match F::DELIMITER {
                Some(delimiter) => text.split(delimiter).map(parse).collect(),
                None => Ok(vec![parse(text)?]),
            }
        }
        DeValue::Array(list) if F::IS_LIST && list.is_empty() => {
            Err(wrong("the list is empty; expected at least one".into()))
        }
        DeValue::Array(list) if F::IS_LIST => {
            let values = list.iter().map(values_of::<Option<F::Of>>);
            let values = values.collect::<Result<Vec<_>, _>>()?;
            Ok(values.concat())
        }
        other => {
            let expected = match F::key("") {
                Key { is_flag: true, .. } => "true or false",
                Key { is_list: true, .. } => "a list of strings, or a string",
                Key {
                    is_number: true, ..
                } => "a number",
                _ => "a string",
            };
            let found = other.type_str();
            Err(wrong(format!("invalid type: {found}, expected {expected}")))
        }
    }
}

/// Returns the name of the option of a field.
pub(crate) fn option_of(field: &str) -> String {
    field.trim_start_matches("r#").replace('_', "-")
}

/// Defines a group: its fields are options and keys. The groups behind `with` are parts of it, and the
/// functions behind `own` are those of [`Group`].
macro_rules! group {
    (
        $(#[$attribute:meta])*
        $visible:vis struct $name:ident in $heading:ident {
            $($(#[$of_field:meta])* $seen:vis $field:ident: $type:ty,)*
        }
        $(with { $($shared:vis $part:ident: $group:ty,)* })?
        $(own { $($own:item)* })?
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Default, clap::Args)]
        $visible struct $name {
            $(
                #[arg(
                    value_parser = <$type as $crate::args::group::Field>::parser(),
                    value_delimiter = <$type as $crate::args::group::Field>::DELIMITER,
                    help_heading = $crate::args::headings::$heading,
                )]
                $(#[$of_field])*
                $seen $field: $type,
            )*
            $($(
                #[command(flatten)]
                $shared $part: $group,
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

            fn set(&mut self, entry: &$crate::args::group::Entry<'_>) -> Result<bool, $crate::args::group::WrongValue> {
                use $crate::args::group::{Field, option_of};
                $(
                    if entry.key == option_of(stringify!($field)) {
                        let read = <$type as Field>::read(&entry.value)?;
                        let is_free = !self.$field.is_set();
                        if is_free {
                            self.$field = read.moved(entry);
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

/// Makes a group of the groups that a command flattens. The functions behind `own` are those of [`Group`], in the place of those
/// of the parts. A struct with other options between them is defined before, and its parts are listed.
macro_rules! groups {
    (
        $(#[$attribute:meta])*
        $visible:vis struct $name:ident {
            $($part:ident: $group:ty,)*
        }
        $(beside { $($(#[$of_rest:meta])* $open:vis $rest:ident: $kind:ty,)* })?
        $(own { $($own:item)* })?
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Default, clap::Args)]
        $visible struct $name {
            $($(
                $(#[$of_rest])*
                $open $rest: $kind,
            )*)?
            $(
                #[command(flatten)]
                pub(crate) $part: $group,
            )*
        }

        $crate::args::group::groups!($name: $($part),* $(; $($own)*)?);
    };
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
