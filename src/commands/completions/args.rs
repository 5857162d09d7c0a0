//! The arguments of `dupfind completions`.

use clap::ValueEnum;
use clap_complete::Shell;

pub(crate) const EXAMPLES: &str = "\
Examples:
  dupfind completions bash > ~/.local/share/bash-completion/completions/dupfind
  dupfind completions zsh > ~/.zfunc/_dupfind
  dupfind completions fish > ~/.config/fish/completions/dupfind.fish
  dupfind completions powershell >> $PROFILE
  dupfind completions man > dupfind.1
  dupfind completions man scan > dupfind-scan.1";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell, or 'man' for a manual page
    #[arg(value_name = "SHELL")]
    pub(crate) what: What,

    /// The command that the man page is about [default: the program, with a list of its commands]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}

/// What can be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Completions for Bash
    Bash,
    /// Completions for Zsh
    Zsh,
    /// Completions for Fish
    Fish,
    /// Completions for PowerShell
    #[value(name = "powershell")]
    PowerShell,
    /// Completions for Elvish
    Elvish,
    /// A manual page
    Man,
}

impl What {
    /// Returns the shell, if it is one.
    pub(crate) fn shell(self) -> Option<Shell> {
        let own = self.to_possible_value()?;
        own.get_name().parse().ok()
    }
}
