//! The requests of `dupfind serve`.

use anyhow::{Result, bail};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A line of the input.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Any value; the answer has the same bytes.
    pub(super) id: Option<Box<RawValue>>,
    method: String,
    text: Option<String>,
    name: Option<String>,
    top: Option<usize>,
    #[serde(default)]
    gather: bool,
    #[serde(default)]
    documents: Vec<NewDocument>,
    #[serde(default)]
    names: Vec<String>,
}

/// A document that is added.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewDocument {
    pub(super) name: String,
    pub(super) text: String,
}

/// A query document.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) text: String,
    /// Its name in the index, if it may be there: it is not like itself.
    pub(super) name: Option<String>,
    pub(super) top: Option<usize>,
    pub(super) gather: bool,
}

/// What is to be done.
#[derive(Debug)]
pub(super) enum Method {
    Query(Asked),
    Add(Vec<NewDocument>),
    Remove(Vec<String>),
    Flush,
    Info,
}

impl Request {
    /// Returns the action of the request.
    ///
    /// # Errors
    ///
    /// There is no such method, or something is missing.
    pub(super) fn method(self) -> Result<Method> {
        Ok(match self.method.as_str() {
            "query" => Method::Query(Asked {
                text: match self.text {
                    Some(text) => text,
                    None => bail!("'text' is missing"),
                },
                name: self.name,
                top: self.top,
                gather: self.gather,
            }),
            "add" => {
                let one = self.name.zip(self.text);
                let one = one.map(|(name, text)| NewDocument { name, text });
                let documents: Vec<NewDocument> = one.into_iter().chain(self.documents).collect();
                if documents.is_empty() {
                    bail!("'documents' is missing, or 'name' and 'text' of one document");
                }
                Method::Add(documents)
            }
            "remove" => {
                let names: Vec<String> = self.name.into_iter().chain(self.names).collect();
                if names.is_empty() {
                    bail!("'names' is missing, or 'name' of one document");
                }
                Method::Remove(names)
            }
            "flush" => Method::Flush,
            "info" => Method::Info,
            other => {
                bail!("there is no method '{other}': expected query, add, remove, flush or info")
            }
        })
    }
}
