//! The tools, by their names. `tools.json` describes them for the protocol.

use dupfind_decide::elsewhere::Notes;
use dupfind_engine::Silent;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::args::LiveArgs;
use crate::commands::mcp::answers::{check_page, check_text, find_passage};
use crate::commands::mcp::call::{Answer, Failure, mistake};
use crate::commands::mcp::lists::Lists;
use crate::decision::live::Site;
use crate::process::current_folder;

/// The tools for a folder.
pub(super) struct Tools<'a> {
    args: &'a LiveArgs,
    site: Option<Site>,
    /// What short texts are looked for in.
    notes: Notes,
    lists: Lists,
}

impl<'a> Tools<'a> {
    /// Returns the tools. No document is read before one is called.
    pub(super) fn new(args: &'a LiveArgs) -> Self {
        Self {
            args,
            site: None,
            notes: Notes::default(),
            lists: Lists::default(),
        }
    }

    /// Returns the answer of a tool about the documents as they are on disk now.
    pub(super) fn call(&mut self, name: &str, arguments: Value) -> Answer<Value> {
        let known = names();
        if !known.iter().any(|known| known == name) {
            return Err(Failure::Unknown(known.join(", ")));
        }
        let site = match &mut self.site {
            Some(site) => site,
            none => none.insert(Site::open(self.args, &current_folder()?)?),
        };
        site.live.refresh(&Silent)?;
        match name {
            "check_text" => check_text(site, &mut self.notes, &read(name, arguments)?),
            "check_page" => check_page(site, &mut self.notes, &read(name, arguments)?),
            "list_duplicates" => self.lists.duplicates(site, &read(name, arguments)?),
            "list_passages" => self.lists.passages(site, &read(name, arguments)?),
            _ => find_passage(site, &mut self.notes, &read(name, arguments)?),
        }
    }
}

/// Reads the arguments of a tool.
fn read<T: DeserializeOwned>(tool: &str, arguments: Value) -> Answer<T> {
    serde_json::from_value(arguments)
        .or_else(|error| mistake(format!("{error} in the arguments of {tool}")))
}

/// Returns the tools.
pub(super) fn schemas() -> Vec<Value> {
    serde_json::from_str(include_str!("tools.json")).expect("the file is a list")
}

/// Returns the names of the tools.
fn names() -> Vec<String> {
    let tools = schemas();
    let names = tools.iter().filter_map(|tool| tool["name"].as_str());
    names.map(str::to_owned).collect()
}
