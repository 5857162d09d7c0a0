//! How the parts of an Office file belong together (Open Packaging Conventions): each part has a list of those that
//! it refers to.

use std::collections::HashMap;

use crate::extract::archive::parts::{Parts, resolve};
use crate::extract::archive::xml::Xml;
use crate::extract::archive::{Refused, malformed};

/// The references of a part.
#[derive(Debug)]
pub(super) struct Relations {
    part: String,
    /// Kind and target of each, in their order.
    all: Vec<(String, String)>,
    by_id: HashMap<String, usize>,
}

impl Relations {
    /// Reads the references of a part. The empty name is that of the archive itself.
    pub(super) fn of(parts: &mut Parts<'_>, part: &str) -> Result<Self, Refused> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let list = resolve("", &format!("{folder}/_rels/{name}.rels"));
        let mut relations = Self {
            part: part.to_owned(),
            all: Vec::new(),
            by_id: HashMap::new(),
        };
        let Some(list) = list.map(|name| parts.read(&name)).transpose()?.flatten() else {
            return Ok(relations);
        };
        let mut xml = Xml::new(&list);
        while let Some(tag) = xml.next_tag()? {
            if let (Some(kind), Some(target)) = (tag.value("Type"), tag.value("Target"))
                && tag.value("TargetMode").as_deref() != Some("External")
            {
                let id = tag.value("Id").unwrap_or_default();
                relations.by_id.insert(id, relations.all.len());
                // The two versions of the standard differ in the beginning.
                let kind = kind.rsplit('/').next().unwrap_or_default();
                relations.all.push((kind.to_owned(), target));
            }
        }
        Ok(relations)
    }

    /// Returns the names of all parts of a kind.
    pub(super) fn all(&self, kind: &str) -> impl Iterator<Item = String> {
        let all = self.all.iter().filter(move |(own, _)| own == kind);
        all.filter_map(|(_, target)| resolve(&self.part, target))
    }

    /// Returns the name of the part with an id, if it is of this kind.
    pub(super) fn by_id(&self, id: &str, kind: &str) -> Option<String> {
        let (own, target) = &self.all[*self.by_id.get(id)?];
        resolve(&self.part, target).filter(|_| own == kind)
    }
}

/// Returns the name of the part with the document itself.
pub(super) fn main_part(parts: &mut Parts<'_>) -> Result<String, Refused> {
    let relations = Relations::of(parts, "")?;
    let main = relations.all("officeDocument").next();
    main.map_or_else(
        || malformed("a zip archive that names no document in it".into()),
        Ok,
    )
}
