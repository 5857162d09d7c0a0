//! The frame of every page: its head with its policy, and the places that are filled.

use std::io::{self, Write};

use crate::language;
use crate::language::phrase;

const FRAME: &str = include_str!("frame.html");

/// What the head of a page needs. The policy of the page allows its own script and style alone, by their hashes.
pub(crate) struct Head {
    pub(crate) title: &'static str,
    pub(crate) style: &'static str,
    pub(crate) style_hash: &'static str,
    /// `None` for a page without a script.
    pub(crate) script_hash: Option<&'static str>,
}

impl Head {
    /// Writes the page. Each `{{name}}` in its body is written by `fill`, but for `{{version}}` and
    /// `{{say text}}`, a text in the language of the reader.
    pub(crate) fn write_page(
        &self,
        body: &str,
        out: &mut dyn Write,
        mut fill: impl FnMut(&str, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        fill_places(FRAME, out, &mut |place, out| match place {
            "scripts" => match self.script_hash {
                Some(hash) => write!(out, "script-src '{hash}'; "),
                None => Ok(()),
            },
            "style-hash" => out.write_all(self.style_hash.as_bytes()),
            "style" => out.write_all(self.style.as_bytes()),
            "title" => out.write_all(self.title.as_bytes()),
            "version" => version(out),
            "lang" => out.write_all(language::current().tag().as_bytes()),
            _ => fill_places(body, out, &mut |place, out| match place {
                "version" => version(out),
                place => fill(place, out),
            }),
        })
    }
}

fn version(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(env!("CARGO_PKG_VERSION").as_bytes())
}

fn fill_places(
    template: &str,
    out: &mut dyn Write,
    fill: &mut dyn FnMut(&str, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (place, behind) = behind.split_once("}}").expect("the template is ours");
        out.write_all(before.as_bytes())?;
        match place.strip_prefix("say ") {
            Some(text) => out.write_all(phrase(text).as_bytes())?,
            None => fill(place, out)?,
        }
        rest = behind;
    }
    out.write_all(rest.as_bytes())
}
