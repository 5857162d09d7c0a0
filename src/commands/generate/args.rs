//! The arguments of `dupfind generate`.

use clap::ValueEnum;
use clap_complete::Shell;

use crate::args::lang::LangArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  dupfind generate man > dupfind.1
  dupfind generate man scan > dupfind-scan.1
  dupfind generate bash > ~/.local/share/bash-completion/completions/dupfind
  dupfind generate zsh > ~/.zfunc/_dupfind
  dupfind generate fish > ~/.config/fish/completions/dupfind.fish
  dupfind generate powershell >> $PROFILE
  dupfind generate schema > dupfind.toml.schema.json";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct GenerateArgs {
    /// What to print
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) what: What,

    /// The command that the man page is about [default: the program, with a list of its commands]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

/// What can be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// A man page
    Man,
    /// Completions for Bash
    Bash,
    /// Completions for Zsh
    Zsh,
    /// Completions for Fish
    Fish,
    /// Completions for PowerShell
    Powershell,
    /// Completions for Elvish
    Elvish,
    /// The JSON Schema of dupfind.toml, for editors
    Schema,
    /// Tables of the options of all commands, in Markdown
    Options,
}

impl What {
    /// Returns the shell of completions; none for anything else.
    pub(crate) fn shell(self) -> Option<Shell> {
        match self {
            Self::Man | Self::Schema | Self::Options => None,
            Self::Bash => Some(Shell::Bash),
            Self::Zsh => Some(Shell::Zsh),
            Self::Fish => Some(Shell::Fish),
            Self::Powershell => Some(Shell::PowerShell),
            Self::Elvish => Some(Shell::Elvish),
        }
    }
}
