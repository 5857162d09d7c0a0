//! The part of SARIF 2.1.0 (OASIS) that a report needs. Names are those of the standard, which explains them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::formats::findings::location::FileLines;

/// A text without markup, but for links to related locations.
#[derive(Debug, Serialize)]
pub(super) struct Message {
    pub(super) text: String,
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self { text: text.into() }
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self { text }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) semantic_version: &'static str,
    pub(super) rules: Vec<Rule>,
    pub(super) notifications: Vec<Descriptor>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) name: &'static str,
    pub(super) short_description: Message,
    pub(super) full_description: Message,
    pub(super) help: Message,
    pub(super) default_configuration: Configuration,
    pub(super) properties: RuleProperties,
}

#[derive(Debug, Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct RuleProperties {
    pub(super) tags: [&'static str; 2],
    #[serde(rename = "problem.severity")]
    pub(super) severity: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub(super) id: &'static str,
    pub(super) short_description: Message,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) tool_execution_notifications: Vec<Notification>,
}

#[derive(Debug, Serialize)]
pub(super) struct Notification {
    pub(super) descriptor: DescriptorReference,
    pub(super) level: &'static str,
    pub(super) message: Message,
}

#[derive(Debug, Serialize)]
pub(super) struct DescriptorReference {
    pub(super) id: &'static str,
    pub(super) index: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult {
    pub(super) rule_id: String,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: Message,
    pub(super) locations: [SarifLocation; 1],
    pub(super) related_locations: Vec<SarifLocation>,
    pub(super) partial_fingerprints: BTreeMap<&'static str, String>,
    pub(super) properties: Measures,
}

/// The measures of the best pair; the same keys as in `--format json`.
#[derive(Debug, Serialize)]
pub(super) struct Measures {
    pub(super) jaccard: Option<f64>,
    pub(super) weighted: Option<f64>,
    pub(super) containment: Option<f64>,
    pub(super) hamming: Option<u32>,
    pub(super) pairs: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) standing: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifLocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    pub(super) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u64>,
}

/// The base of relative URIs: the root of the repository.
pub(super) const ROOT: &str = "%SRCROOT%";

impl From<FileLines> for PhysicalLocation {
    fn from(lines: FileLines) -> Self {
        Self {
            artifact_location: ArtifactLocation {
                uri: lines.uri(),
                uri_base_id: lines.is_relative().then_some(ROOT),
            },
            region: Region {
                start_line: lines.line,
                end_line: lines.end,
            },
        }
    }
}
