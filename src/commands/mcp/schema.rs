//! The arguments and the result of each tool.

use serde_json::{Value, json};

/// The most entries of an answer.
pub(super) const MAX_LIMIT: usize = 100;

/// A tool.
struct Tool {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Its own arguments: name, type, whether it is required, description.
    arguments: &'static [(&'static str, &'static str, bool, &'static str)],
    /// Whether it returns a list. A client can ask for a part of it.
    is_list: bool,
    /// The keys of its result, each with its type: a name of JSON Schema, or `places`, `lines` and so on.
    returns: &'static [(&'static str, &'static str)],
}

const TEXT: (&str, &str, bool, &str) = (
    "text",
    "string",
    true,
    "The text, as it would be in its file",
);

const TOOLS: [Tool; 6] = [
    Tool {
        name: "check_text",
        title: "Is this already written?",
        description: "Finds documents that already have the text of a draft, or passages of it, with lines and advice.",
        arguments: &[
            TEXT,
            (
                "path",
                "string",
                false,
                "The path that the draft has or will have: it is not compared with itself",
            ),
        ],
        is_list: true,
        returns: &[
            ("already_written", "number"),
            ("accepted", "integer"),
            ("places", "places"),
        ],
    },
    Tool {
        name: "check_page",
        title: "Is this page written elsewhere?",
        description: "As check_text, for a page on disk. Call it after you have changed a page.",
        arguments: &[("path", "string", true, "The path of the page")],
        is_list: true,
        returns: &[
            ("page", "string"),
            ("already_written", "number"),
            ("accepted", "integer"),
            ("changed_since_last_call", "object"),
            ("places", "places"),
        ],
    },
    Tool {
        name: "list_duplicates",
        title: "What to clean up first",
        description: "Lists groups of pages with the same text, those first where most is gained.",
        arguments: &[(
            "folder",
            "string",
            false,
            "Only groups with a page below this folder",
        )],
        is_list: true,
        returns: &[
            ("documents", "integer"),
            ("pairs", "integer"),
            ("total", "integer"),
            ("entries", "entries"),
        ],
    },
    Tool {
        name: "find_passage",
        title: "Where is this paragraph?",
        description: "Finds every document that has a paragraph, in the same or in other words, and lists the wordings.",
        arguments: &[TEXT],
        is_list: true,
        returns: &[
            ("total", "integer"),
            ("wordings", "strings"),
            ("places", "wordings"),
        ],
    },
    Tool {
        name: "compare",
        title: "What do two pages share?",
        description: "Says how two pages are related, which share of each is in the other, and on which lines.",
        arguments: &[
            ("a", "string", true, "The path of a page"),
            ("b", "string", true, "The path of another page"),
        ],
        is_list: true,
        returns: &[
            ("verdict", "string"),
            ("share_of_a", "number"),
            ("share_of_b", "number"),
            ("advice", "string"),
            ("total", "integer"),
            ("passages", "passages"),
        ],
    },
    Tool {
        name: "accept",
        title: "Accept a pair",
        description: "Writes down that two pages may be alike, and why. Ask the user first. It is the only tool that writes.",
        arguments: &[
            ("a", "string", true, "The path of a page"),
            ("b", "string", true, "The path of another page"),
            ("reason", "string", true, "Why the two may be alike"),
        ],
        is_list: false,
        returns: &[("file", "string"), ("line", "string")],
    },
];

/// The name of the tool that writes.
const WRITES: &str = "accept";

fn offered(may_accept: bool) -> impl Iterator<Item = &'static Tool> {
    TOOLS
        .iter()
        .filter(move |tool| may_accept || tool.name != WRITES)
}

/// Returns the names of the tools.
pub(super) fn names(may_accept: bool) -> Vec<&'static str> {
    offered(may_accept).map(|tool| tool.name).collect()
}

/// Returns the arguments of a tool in words.
pub(super) fn signature(name: &str) -> String {
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    let Some(tool) = tool else {
        return String::new();
    };
    let own = tool
        .arguments
        .iter()
        .map(|&(name, kind, is_required, _)| match is_required {
            true => format!("{name} ({kind})"),
            false => format!("{name} ({kind}, optional)"),
        });
    let part = ["limit (integer, optional)", "cursor (string, optional)"];
    let part = part
        .iter()
        .filter(|_| tool.is_list)
        .map(ToString::to_string);
    own.chain(part).collect::<Vec<_>>().join(", ")
}

/// Returns the tools as the protocol describes them.
pub(super) fn tools(may_accept: bool) -> Value {
    offered(may_accept).map(described).collect()
}

fn described(tool: &Tool) -> Value {
    let mut properties = json!({});
    for (name, kind, _, what) in tool.arguments {
        properties[name] = json!({"type": kind, "description": what});
    }
    let required = tool
        .arguments
        .iter()
        .filter(|(_, _, is_required, _)| *is_required);
    let required: Vec<&str> = required.map(|(name, ..)| *name).collect();
    let mut results = json!({});
    for (name, kind) in tool.returns {
        results[name] = kind_of(kind);
    }
    let mut always: Vec<&str> = tool.returns.iter().map(|(name, _)| *name).collect();
    if tool.is_list {
        properties["limit"] = json!({
            "type": "integer", "minimum": 1, "maximum": MAX_LIMIT,
            "description": "How many entries; by default those that fit into a short answer",
        });
        properties["cursor"] = json!({
            "type": "string",
            "description": "The 'next_cursor' of the answer before",
        });
        results["next_cursor"] = json!({
            "type": ["string", "null"],
            "description": "Where the next part begins; null if there is none",
        });
        always.push("next_cursor");
    }
    let object = |properties: Value, required: &[&str]| {
        json!({
            "type": "object", "properties": properties, "required": required,
            "additionalProperties": false,
        })
    };
    let writes = tool.name == WRITES;
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": object(properties, &required),
        "outputSchema": object(results, &always),
        "annotations": {
            "title": tool.title,
            "readOnlyHint": !writes,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
        },
    })
}

/// Returns the schema of a kind of value.
fn kind_of(kind: &str) -> Value {
    let list = |keys: &[(&str, Value)]| {
        let mut properties = json!({});
        for (name, schema) in keys {
            properties[name] = schema.clone();
        }
        let required: Vec<&str> = keys.iter().map(|(name, _)| *name).collect();
        json!({
            "type": "array",
            "items": {
                "type": "object", "properties": properties, "required": required,
                "additionalProperties": false,
            },
        })
    };
    let of = |kind: &str| json!({"type": kind});
    let strings = || json!({"type": "array", "items": of("string")});
    let lines = || json!({"type": "array", "items": of("integer"), "minItems": 2, "maxItems": 2});
    let stretches = || json!({"type": "array", "items": lines()});
    let title = || json!({"type": ["string", "null"]});
    match kind {
        "strings" => strings(),
        "places" => list(&[
            ("page", of("string")),
            ("title", title()),
            ("verdict", of("string")),
            ("share_of_mine", of("number")),
            ("my_lines", stretches()),
            ("its_lines", stretches()),
            ("advice", of("string")),
        ]),
        "entries" => list(&[
            ("rank", of("integer")),
            ("pages", strings()),
            ("more_pages", of("integer")),
            ("what", of("string")),
        ]),
        "wordings" => list(&[
            ("page", of("string")),
            ("title", title()),
            ("lines", lines()),
            ("share", of("number")),
            ("wording", of("integer")),
        ]),
        "passages" => list(&[
            ("a_lines", lines()),
            ("b_lines", lines()),
            ("same_units", of("integer")),
        ]),
        kind => of(kind),
    }
}
