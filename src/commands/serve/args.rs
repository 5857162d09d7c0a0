//! The arguments of `dupfind serve`.

use std::path::PathBuf;

use crate::args::config::ConfigArgs;
use crate::args::pairs::comparing::EngineArgs;
use crate::args::run::MemoryArgs;

pub(crate) const EXAMPLES: &str = r#"Examples:
  dupfind serve --stdio site.dupidx

Requests, one JSON object a line:
  {"id": 1, "method": "query", "text": "...", "name": "draft", "top": 5, "gather": true}
  {"id": 2, "method": "add", "documents": [{"name": "a", "text": "..."}]}
  {"id": 3, "method": "remove", "names": ["a"]}
  {"id": 4, "method": "flush"}
  {"id": 5, "method": "info"}

Answers, one JSON object a line and in the order of the requests:
  {"id": 1, "result": {"pairs": [...]}}
  {"id": 6, "error": "there is no method 'ask'"}

What is added or removed is written by 'flush', before the next 'query' or 'info', and at the end of the input.

Exit status: 0 the input was read to its end, 2 an error"#;

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(mut_arg("cluster_on", |arg| arg.hide(true)))]
pub(crate) struct ServeArgs {
    /// The index that is asked
    #[arg(value_name = "INDEX")]
    pub(crate) site: PathBuf,

    /// Read requests from standard input, and write answers to standard output
    #[arg(long, required = true)]
    pub(crate) stdio: bool,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
