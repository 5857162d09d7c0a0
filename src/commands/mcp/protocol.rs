//! The protocol: which version a request speaks, and the answers that are not those of a tool.
//!
//! In version 2026-07-28 every request names the version. In the versions before it the client begins with `initialize`.

use serde_json::{Map, Value, json};

use crate::commands::mcp::LONGEST;
use crate::commands::mcp::call::Failure;
use crate::commands::mcp::tools::{Tools, schemas};

/// The version without a handshake.
const MODERN: &str = "2026-07-28";

/// The versions with a handshake, the newest one last.
const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;
const UNSUPPORTED_VERSION: i32 = -32022;

/// Where a request names its version.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// How long a client may keep a list that never changes, in milliseconds.
const KEPT: u32 = 3_600_000;

/// The instructions for an agent.
const INSTRUCTIONS: &str = "\
dupfind knows every document of this folder, and finds text that is written twice.
Call check_text before you write documentation, a skill or a note, and check_page after you have changed a page.
find_passage names every page that has a paragraph; list_duplicates and list_passages list what to clean up.
Paths are relative to the folder. Lines count from 1. A share of 0.38 means 38 % of your text.
Over 0.3 follow 'advice'; ignore less than 0.05. Never merge versions, translations or licences. Only the user accepts a pair.";

/// An error of the protocol.
struct Refusal {
    code: i32,
    message: String,
    data: Option<Value>,
}

impl Refusal {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }
}

/// Answers the messages of a client.
pub(super) struct Server<'s> {
    tools: Tools<'s>,
}

impl<'s> Server<'s> {
    pub(super) fn new(tools: Tools<'s>) -> Self {
        Self { tools }
    }

    /// Returns the answer to a message, if it wants one. A line that is too long is `None`.
    pub(super) fn answer(&mut self, line: Option<&Vec<u8>>) -> Option<Value> {
        let Some(line) = line else {
            let most = LONGEST >> 20;
            let refusal = format!("a request has at most {most} MiB");
            let refusal = Refusal::new(INVALID_REQUEST, refusal);
            return Some(error(&Value::Null, refusal));
        };
        let message = serde_json::from_slice(line);
        let message: Value =
            match message.or_else(|_| serde_json::from_slice(&without_halves(line))) {
                Ok(message) => message,
                Err(reason) => {
                    let refusal = Refusal::new(PARSE_ERROR, format!("this is no JSON: {reason}"));
                    return Some(error(&Value::Null, refusal));
                }
            };
        let Some(id) = message.get("id").cloned() else {
            // A notification, such as that the client is ready.
            let is_notification = message.get("method").is_some();
            let refusal = "a request is an object with 'id' and 'method'";
            let refusal = Refusal::new(INVALID_REQUEST, refusal);
            return (!is_notification).then(|| error(&Value::Null, refusal));
        };
        if message.get("method").is_none() && message.is_object() {
            // An answer to a question that was never asked.
            return None;
        }
        Some(match self.result(&id, message) {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            // A number that was rounded is not the id of the client any more.
            Err(refusal) if id.is_f64() => error(&Value::Null, refusal),
            Err(refusal) => error(&id, refusal),
        })
    }

    fn result(&mut self, id: &Value, mut message: Value) -> Result<Value, Refusal> {
        let Value::String(method) = message["method"].take() else {
            return Err(Refusal::new(INVALID_REQUEST, "'method' is no string"));
        };
        let method = method.as_str();
        if !(id.is_string() || id.is_i64() || id.is_u64()) {
            return Err(Refusal::new(
                INVALID_REQUEST,
                "'id' is no string and no whole number of 64 bits",
            ));
        }
        let params = match message["params"].take() {
            Value::Null => Map::new(),
            Value::Object(params) => params,
            _ => return Err(Refusal::new(INVALID_PARAMS, "'params' is no object")),
        };
        let is_modern = is_modern(method, &params)?;
        let mut result = match method {
            "initialize" => initialized(&params),
            "ping" => json!({}),
            "server/discover" => {
                let mut versions = vec![MODERN];
                versions.extend(HANDSHAKE.iter().rev());
                json!({
                    "supportedVersions": versions,
                    "capabilities": {"tools": {}},
                    "instructions": INSTRUCTIONS,
                })
            }
            "tools/list" => json!({"tools": schemas()}),
            "tools/call" => self.called(params)?,
            _ => {
                let refusal = format!("there is no method '{method}'");
                return Err(Refusal::new(METHOD_NOT_FOUND, refusal));
            }
        };
        if is_modern {
            result["resultType"] = "complete".into();
            result["_meta"] = json!({"io.modelcontextprotocol/serverInfo": this()});
            if method != "tools/call" {
                result["ttlMs"] = KEPT.into();
                result["cacheScope"] = "private".into();
            }
        }
        Ok(result)
    }

    /// Returns the result of a tool.
    fn called(&mut self, mut params: Map<String, Value>) -> Result<Value, Refusal> {
        let arguments = params.remove("arguments").filter(|given| !given.is_null());
        let arguments = arguments.unwrap_or_else(|| json!({}));
        let name = params.get("name").and_then(Value::as_str);
        let name =
            name.ok_or_else(|| Refusal::new(INVALID_PARAMS, "'name' of the tool is missing"))?;
        match self.tools.call(name, arguments) {
            // The versions that do not know structured results let a result have further keys.
            Ok(found) => Ok(json!({
                "content": [{"type": "text", "text": found.to_string()}],
                "structuredContent": found,
                "isError": false,
            })),
            Err(Failure::Unknown(known)) => {
                let refusal = format!("there is no tool '{name}': expected {known}");
                Err(Refusal::new(INVALID_PARAMS, refusal))
            }
            Err(Failure::Mistake(advice)) => Ok(json!({
                "content": [{"type": "text", "text": advice}],
                "isError": true,
            })),
            Err(Failure::Broken(reason)) => Err(Refusal::new(INTERNAL_ERROR, reason)),
        }
    }
}

/// Returns a message with a sign of its own for each half of a character, as clients write them that cut a text within an
/// emoji: JSON may have them, and a text has not.
fn without_halves(line: &[u8]) -> Vec<u8> {
    let unit = |at: usize| {
        let digits = line.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let (mut whole, mut at) = (Vec::with_capacity(line.len()), 0);
    while at < line.len() {
        let length = match (unit(at), unit(at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                whole.extend_from_slice(b"\\ufffd");
                at += 6;
                continue;
            }
            // The sign behind a backslash belongs to it.
            _ if line[at] == b'\\' => 2,
            _ => 1,
        };
        let end = line.len().min(at + length);
        whole.extend_from_slice(&line[at..end]);
        at = end;
    }
    whole
}

/// Returns whether a request speaks the version without a handshake.
fn is_modern(method: &str, params: &Map<String, Value>) -> Result<bool, Refusal> {
    let version = params.get("_meta").and_then(|meta| meta.get(VERSION));
    let Some(version) = version else {
        // Only the version without a handshake has this method.
        let is_missing = method == "server/discover";
        let refusal = || Refusal::new(INVALID_PARAMS, format!("'_meta' has no '{VERSION}'"));
        return if is_missing {
            Err(refusal())
        } else {
            Ok(false)
        };
    };
    let Some(version) = version.as_str() else {
        return Err(Refusal::new(
            INVALID_PARAMS,
            format!("'{VERSION}' is no string"),
        ));
    };
    if version != MODERN || method == "initialize" {
        let mut supported = vec![MODERN];
        // Those need a handshake.
        if version != MODERN {
            supported.extend(HANDSHAKE.iter().rev());
        }
        return Err(Refusal {
            data: Some(json!({"supported": supported, "requested": version})),
            ..Refusal::new(
                UNSUPPORTED_VERSION,
                "this version of the protocol is not supported",
            )
        });
    }
    Ok(true)
}

/// Returns the answer to a handshake.
fn initialized(params: &Map<String, Value>) -> Value {
    let wanted = params.get("protocolVersion").and_then(Value::as_str);
    let version = HANDSHAKE.iter().find(|version| Some(**version) == wanted);
    json!({
        "protocolVersion": version.unwrap_or(&HANDSHAKE[HANDSHAKE.len() - 1]),
        "capabilities": {"tools": {}},
        "serverInfo": this(),
        "instructions": INSTRUCTIONS,
    })
}

/// Returns the name and the version of this program.
fn this() -> Value {
    json!({"name": "dupfind", "version": env!("CARGO_PKG_VERSION")})
}

fn error(id: &Value, refusal: Refusal) -> Value {
    let mut error = json!({"code": refusal.code, "message": refusal.message});
    if let Some(data) = refusal.data {
        error["data"] = data;
    }
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}
