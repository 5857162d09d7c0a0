//! The tools as the protocol describes them, with the arguments and the result of each: `tools.json`.

use serde_json::Value;

/// Returns the tools.
pub(super) fn tools() -> Vec<Value> {
    serde_json::from_str(include_str!("tools.json")).expect("the file is a list")
}

/// Returns the names of the tools.
pub(super) fn names() -> Vec<String> {
    let tools = tools();
    let names = tools.iter().filter_map(|tool| tool["name"].as_str());
    names.map(str::to_owned).collect()
}

/// Returns the arguments of a tool in words, the required ones first.
pub(super) fn signature(name: &str) -> String {
    let tools = tools();
    let tool = tools.iter().find(|tool| tool["name"] == name);
    let schema = tool.map_or(&Value::Null, |tool| &tool["inputSchema"]);
    let required = schema["required"].as_array().into_iter().flatten();
    let required: Vec<&str> = required.filter_map(Value::as_str).collect();
    let arguments = schema["properties"].as_object().into_iter().flatten();
    let kind = |argument: &Value| argument["type"].as_str().unwrap_or_default().to_owned();
    let (first, rest): (Vec<_>, Vec<_>) =
        arguments.partition(|(name, _)| required.contains(&name.as_str()));
    let first = first
        .iter()
        .map(|(name, of)| format!("{name} ({})", kind(of)));
    let rest = rest
        .iter()
        .map(|(name, of)| format!("{name} ({}, optional)", kind(of)));
    first.chain(rest).collect::<Vec<_>>().join(", ")
}
