//! The configuration that a command asks for, and the one that it uses.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

/// Which configuration a command asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The file that the user names, and so trusts.
    Named(PathBuf),
    /// The nearest one above the first path.
    Nearest,
}

/// A configuration that is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) file: PathBuf,
    /// The path of the file as a user would type it.
    pub(crate) name: String,
    /// The absolute path of the folder that its paths and globs are relative to.
    pub(crate) folder: PathBuf,
    /// The keys that are in force.
    pub(crate) keys: BTreeSet<String>,
    /// The keys that are not in force because they conflict with typed options.
    pub(crate) overruled: BTreeSet<String>,
    /// The folder in which it may read; none if the user named it, and so trusts it.
    pub(crate) may_read: Option<PathBuf>,
}

impl fmt::Display for Used {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !self.overruled.is_empty() {
            let keys: Vec<&str> = self.overruled.iter().map(String::as_str).collect();
            let keys = keys.join(", ");
            write!(f, " without {keys}, overruled by the command line")?;
        }
        Ok(())
    }
}
