//! The arguments of `dupfind completions`.

use clap_complete::Shell;

use crate::args::group::groups;
use crate::args::values::choice::choice;

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
    #[arg(value_name = "SHELL", value_parser = choice(PRINTED))]
    pub(crate) what: What,

    /// The command that the man page is about [default: the program, with a list of its commands]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}
groups!(CompletionsArgs:);

/// What can be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Man,
    Completions(Shell),
}

const PRINTED: [(What, &str, &str); 6] = {
    use What::{Completions, Man};
    [
        (Completions(Shell::Bash), "bash", "Completions for Bash"),
        (Completions(Shell::Zsh), "zsh", "Completions for Zsh"),
        (Completions(Shell::Fish), "fish", "Completions for Fish"),
        (
            Completions(Shell::PowerShell),
            "powershell",
            "Completions for PowerShell",
        ),
        (
            Completions(Shell::Elvish),
            "elvish",
            "Completions for Elvish",
        ),
        (Man, "man", "A manual page"),
    ]
};
