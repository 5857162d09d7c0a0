//! The tools, by their names and arguments.

use std::path::{Component, Path};

use anyhow::Error;
use dupfind_decide::elsewhere::Notes;
use dupfind_decide::reuse::OfFiles;
use dupfind_engine::run::observer::Observer;
use dupfind_scan::live::Live;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::args::comparing::LiveArgs;
use crate::commands::mcp::lists::Scanned;
use crate::commands::mcp::schema;
use crate::decision::live::Site;
use crate::process::current_folder;

/// Why there is no answer of a tool.
pub(super) enum Failure {
    /// There is no such tool. These are the tools.
    Unknown(String),
    /// A mistake that the agent can mend.
    Mistake(String),
    /// The program or the machine fails.
    Broken(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Broken(format!("{error:#}"))
    }
}

impl From<dupfind_engine::Error> for Failure {
    fn from(error: dupfind_engine::Error) -> Self {
        Error::from(error).into()
    }
}

/// The result of a tool.
pub(super) type Answer<T> = Result<T, Failure>;

/// Returns the failure for a mistake, with advice.
pub(super) fn mistake<T>(advice: impl Into<String>) -> Answer<T> {
    Err(Failure::Mistake(advice.into()))
}

/// Defines the arguments of the tools. Each of them returns a list, of which a part comes at a time.
macro_rules! arguments {
    ($($tool:ident { $($name:ident: $type:ty),* })*) => {$(
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $tool {
            $(pub(super) $name: $type,)*
            #[serde(default)]
            pub(super) cursor: Cursor,
        }
    )*};
}
arguments! {
    CheckText { text: String, path: Option<String> }
    CheckPage { path: String }
    ListDuplicates { folder: Option<String> }
    ListPassages { folder: Option<String> }
    FindPassage { text: String, path: Option<String> }
}

/// Where the part of a list begins.
#[derive(Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Cursor(Option<String>);

impl Cursor {
    /// Returns how many entries are before the part.
    pub(super) fn start(&self) -> Answer<usize> {
        match self.0.as_deref().map(str::parse) {
            None => Ok(0),
            Some(Ok(start)) => Ok(start),
            Some(Err(_)) => mistake(
                "'cursor' is the 'next_cursor' of the answer before; leave it out for the first one",
            ),
        }
    }
}

/// The state that a scan depends on: the generation of the index, and the file of accepted pairs.
pub(super) type State = (u64, Option<Vec<u8>>);

/// The tools for a folder.
pub(super) struct Tools<'a> {
    args: &'a LiveArgs,
    pub(super) site: Option<Site>,
    /// What short texts are looked for in.
    pub(super) notes: Notes,
    /// All pairs, as they were for a state.
    pub(super) scanned: Option<(State, Scanned)>,
    /// The passages that are in several documents, as they were for a generation of the index.
    pub(super) passages: Option<(u64, OfFiles)>,
}

impl<'a> Tools<'a> {
    /// Returns the tools. Nothing is read before one is called.
    pub(super) fn new(args: &'a LiveArgs) -> Self {
        Self {
            args,
            site: None,
            notes: Notes::default(),
            scanned: None,
            passages: None,
        }
    }

    /// Returns the answer of a tool.
    pub(super) fn call(
        &mut self,
        name: &str,
        arguments: Value,
        observer: &dyn Observer,
    ) -> Answer<Value> {
        let known = schema::names();
        if !known.iter().any(|known| known == name) {
            return Err(Failure::Unknown(known.join(", ")));
        }
        match name {
            "check_text" => self.check_text(&read(name, arguments)?, observer),
            "check_page" => self.check_page(&read(name, arguments)?, observer),
            "list_duplicates" => self.list_duplicates(&read(name, arguments)?, observer),
            "list_passages" => self.list_passages(&read(name, arguments)?, observer),
            _ => self.find_passage(&read(name, arguments)?, observer),
        }
    }

    /// Returns the documents as they are on disk now.
    pub(super) fn fresh(&mut self, observer: &dyn Observer) -> Answer<&Live> {
        let mut own = match self.site.take() {
            Some(site) => site,
            None => Site::open(self.args, &current_folder()?)?,
        };
        let refreshed = own.live.refresh(observer);
        let site = &*self.site.insert(own);
        refreshed?;
        Ok(&site.live)
    }

    /// Returns the folder as it was when it was brought up to date.
    pub(super) fn site(&self) -> &Site {
        self.site.as_ref().expect("it was opened before")
    }
}

/// Reads the arguments of a tool.
fn read<T: DeserializeOwned>(tool: &str, arguments: Value) -> Answer<T> {
    serde_json::from_value(arguments).or_else(|error| {
        let signature = schema::signature(tool);
        mistake(format!("{error}; the arguments of {tool} are {signature}"))
    })
}

/// Returns the name of a document from a path as an agent writes it.
pub(super) fn name_of(live: &Live, path: &str) -> Answer<String> {
    let root = live.root();
    let named = Path::new(path);
    let below = match named.is_absolute() {
        true => named.strip_prefix(root).ok(),
        false => Some(named),
    };
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let Some(below) = below.filter(|path| path.components().all(is_plain)) else {
        let root = root.display();
        return mistake(format!(
            "'{path}' is not below {root}: paths are relative to that folder, without '..', and nothing outside of it is read"
        ));
    };
    let parts = below.components().filter(|part| *part != Component::CurDir);
    let parts: Vec<_> = parts
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    match parts.as_slice() {
        [] => mistake("the path is empty: name a document, such as 'guide/install.md'"),
        parts => Ok(parts.join("/")),
    }
}

/// Returns the name of a document that is there.
pub(super) fn known_name(live: &Live, path: &str) -> Answer<String> {
    let name = name_of(live, path)?;
    if let Some(reason) = live.why_skipped(&name) {
        return mistake(format!("'{name}' is not compared: {}", reason.as_str()));
    }
    if live.has(&name) {
        return Ok(name);
    }
    let alike = live.alike(&name, 3);
    let alike = match alike.as_slice() {
        [] => String::new(),
        alike => format!("; did you mean {}?", alike.join(" or ")),
    };
    mistake(format!(
        "there is no document '{name}' among the {} of this folder: it is not there, hidden, or left out by a rule{alike}",
        live.documents()
    ))
}
