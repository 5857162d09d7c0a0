//! `dupfind serve`: answers questions about an index, one JSON object a line.

pub(crate) mod args;
mod request;

use std::collections::HashMap;
use std::io::{self, BufRead, Read, Write};

use anyhow::{Context, Result};
use dupfind_engine::{FeatureMaker, Options};
use dupfind_index::Index;
use dupfind_index::query::{Wanted, asked_document};
use dupfind_report::listings::query::info::InfoRecord;
use dupfind_report::listings::query::{Answer, Explained};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::commands::query::MAX_PARTS;
use crate::commands::serve::args::ServeArgs;
use crate::commands::serve::request::{Asked, Method, NewDocument, Request};
use crate::input::comparing::engine;
use crate::process::exit::Status;

/// The most bytes of a request.
const LONGEST: u64 = 256 << 20;

/// Runs the command.
pub(crate) fn run(args: &ServeArgs) -> Result<Status> {
    let options = engine(&args.engine, &args.memory, 0)?;
    let mut server = Server {
        index: Index::open(&args.site, &options)?,
        maker: FeatureMaker::new(&options),
        options,
        added: Vec::new(),
        removed: Vec::new(),
    };
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    let mut line = Vec::new();
    while let Some(is_whole) = read_line(&mut input, LONGEST, &mut line)? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = if is_whole {
            server.answer(&line)
        } else {
            let error = format!("the request is longer than {} MiB", LONGEST >> 20);
            Response::error(None, error)
        };
        serde_json::to_writer(&mut out, &answer)?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
    server.flush()?;
    Ok(Status::Ok)
}

/// Reads the next line, of which `line` has at most `longest` bytes. Returns whether that is all of it, and `None` at
/// the end of the input.
fn read_line(input: &mut impl BufRead, longest: u64, line: &mut Vec<u8>) -> Result<Option<bool>> {
    const FAILED: &str = "cannot read standard input";
    line.clear();
    let read = input
        .take(longest)
        .read_until(b'\n', line)
        .context(FAILED)?;
    if read as u64 == longest && !line.ends_with(b"\n") {
        let rest = input.skip_until(b'\n').context(FAILED)?;
        return Ok(Some(rest == 0));
    }
    Ok((read > 0).then_some(true))
}

/// The answer to a request.
#[derive(Debug, Serialize)]
struct Response {
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// That of the request, as it was sent.
    id: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
}

impl Response {
    fn error(id: Option<Box<RawValue>>, error: String) -> Self {
        Self {
            error: Some(error),
            id,
            result: None,
        }
    }
}

/// An index, and what waits to be written to it.
struct Server {
    index: Index,
    options: Options,
    maker: FeatureMaker,
    added: Vec<NewDocument>,
    removed: Vec<String>,
}

impl Server {
    /// Returns the answer to a request.
    fn answer(&mut self, line: &[u8]) -> Response {
        let request: Request = match serde_json::from_slice(line) {
            Ok(request) => request,
            Err(error) => {
                let keys: HashMap<String, Box<RawValue>> =
                    serde_json::from_slice(line).unwrap_or_default();
                let id = keys.get("id").cloned();
                return Response::error(id, format!("cannot read the request: {error}"));
            }
        };
        let id = request.id.clone();
        match self.result(request) {
            Ok(result) => Response {
                id,
                result: Some(result),
                error: None,
            },
            Err(error) => Response::error(id, format!("{error:#}")),
        }
    }

    fn result(&mut self, request: Request) -> Result<Value> {
        match request.method()? {
            Method::Query(asked) => {
                self.flush()?;
                self.query(&asked)
            }
            Method::Add(documents) => {
                let count = documents.len();
                for new in documents {
                    // What is removed and added again is replaced, and the last one counts.
                    self.removed.retain(|name| *name != new.name);
                    self.added.push(new);
                }
                Ok(json!({ "waiting": self.added.len() + self.removed.len(), "added": count }))
            }
            Method::Remove(names) => {
                self.added.retain(|new| !names.contains(&new.name));
                self.removed.extend(names);
                Ok(json!({ "waiting": self.added.len() + self.removed.len() }))
            }
            Method::Flush => {
                let (added, removed) = self.flush()?;
                let documents = self.index.documents();
                Ok(json!({ "documents": documents, "added": added, "removed": removed }))
            }
            Method::Info => {
                self.flush()?;
                let info = self.index.info()?;
                Ok(serde_json::to_value(InfoRecord::new(&info))?)
            }
        }
    }

    /// Writes what waits. Returns how many documents were added and removed.
    fn flush(&mut self) -> Result<(u64, u64)> {
        let (mut added, mut removed) = (0, 0);
        if !self.removed.is_empty() {
            removed += self.index.remove(&self.removed)?;
            self.removed.clear();
        }
        if !self.added.is_empty() {
            let texts = self.added.iter().map(|new| (&new.name, &new.text));
            let updated = self.index.update(texts)?;
            (added, removed) = (updated.added, removed + updated.removed);
            self.added.clear();
        }
        if added + removed == 0 {
            // Others may have written to it.
            self.index = Index::open(self.index.path(), &self.options)?;
        }
        Ok((added, removed))
    }

    fn query(&mut self, asked: &Asked) -> Result<Value> {
        let name = asked.name.as_deref().unwrap_or_default();
        let Some(features) = self.maker.features(&asked.text) else {
            anyhow::bail!("cannot ask about it: it has no letter, ideograph or digit");
        };
        let hits = self
            .index
            .hits(name, &features, Wanted { top: asked.top })?;
        let answer = Answer {
            document: asked_document(&self.options, name, &features),
            hits,
            explained: None,
        };
        let mut pairs = Vec::new();
        answer.each_record(|record| {
            pairs.push(serde_json::to_value(record)?);
            Ok(())
        })?;
        let mut result = json!({ "pairs": pairs });
        if asked.gather {
            let most = asked.top.unwrap_or(MAX_PARTS);
            let gathered = self.index.gather_features(name, &features, most)?;
            let explained = Explained::new(&gathered, Some(&asked.text), &self.options, |_| None);
            result["gathered"] = serde_json::to_value(explained.record(name))?;
        }
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_passed_over_as_a_whole() {
        let mut input = &b"abc\nabcd\nabcdefgh\n\nabcd"[..];
        let mut line = Vec::new();
        let mut lines = Vec::new();
        while let Some(is_whole) = read_line(&mut input, 4, &mut line).unwrap() {
            lines.push((String::from_utf8(line.clone()).unwrap(), is_whole));
        }
        let expected = [
            ("abc\n", true),
            ("abcd", false),
            ("abcd", false),
            ("\n", true),
            ("abcd", true),
        ];
        assert_eq!(
            lines,
            expected.map(|(line, is_whole)| (line.to_owned(), is_whole))
        );
    }
}
