//! The arguments of `dupfind generate`.

use clap_complete::Shell;

use crate::args::lang::LangArgs;
use crate::args::values::choice::choice;

pub(crate) const EXAMPLES: &str = "\
Examples:
  dupfind generate man > dupfind.1
  dupfind generate man scan > dupfind-scan.1
  dupfind generate bash > ~/.local/share/bash-completion/completions/dupfind
  dupfind generate zsh > ~/.zfunc/_dupfind
  dupfind generate fish > ~/.config/fish/completions/dupfind.fish
  dupfind generate powershell >> $PROFILE";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct GenerateArgs {
    /// What to print
    #[arg(value_name = "WHAT", value_parser = choice(PRINTED))]
    pub(crate) what: What,

    /// The command that the man page is about [default: the program, with a list of its commands]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

/// What can be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Man,
    Completions(Shell),
}

const PRINTED: [(What, &str, &str); 6] = {
    use What::{Completions, Man};
    [
        (Man, "man", "A man page"),
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
    ]
};
