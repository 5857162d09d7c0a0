//! `dupfind completions`: the completions of shells, and manual pages.

use std::io::{self, Write};

use anyhow::{Result, bail};
use clap::{Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::process::Status;
use crate::terminal::Output;

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

/// Runs the command. `root` is the definition of the program.
pub(crate) fn run(args: &CompletionsArgs, root: Command) -> Result<Status> {
    let text = text(args.what, args.command.as_deref(), root)?;
    Output::open(None)?.write(|out| Ok(out.write_all(&text)?))?;
    Ok(Status::Ok)
}

fn text(what: What, command: Option<&str>, root: Command) -> Result<Vec<u8>> {
    // The options of a scan need no command.
    let scan = root.find_subcommand("scan").cloned();
    let options = scan.iter().flat_map(Command::get_arguments).cloned();
    let mut root = root.args(options);
    root.build();
    let mut text = Vec::new();
    match (what.shell(), command) {
        (Some(shell), None) => {
            clap_complete::generate(shell, &mut root, "dupfind", &mut text);
        }
        (Some(_), Some(command)) => {
            bail!("completions are for all commands together: leave out '{command}'")
        }
        (None, None) => page(root, &mut text)?,
        (None, Some(name)) => match root.find_subcommand(name) {
            Some(command) => page(command.clone(), &mut text)?,
            None => {
                let names: Vec<&str> = root.get_subcommands().map(Command::get_name).collect();
                bail!(
                    "there is no command '{name}': expected one of {}",
                    names.join(", ")
                )
            }
        },
    }
    Ok(text)
}

/// Writes the man page of a command.
fn page(command: Command, out: &mut Vec<u8>) -> io::Result<()> {
    let has_commands = command.has_subcommands();
    let version = concat!("dupfind ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command).source(version);
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if has_commands {
        man.render_subcommands_section(out)?;
    }
    // The lines of the examples stay as they are (`.nf`), so that they can be copied.
    let mut examples = Vec::new();
    man.render_extra_section(&mut examples)?;
    let examples = String::from_utf8_lossy(&examples);
    let examples = examples.replacen(".SH EXTRA\n", ".SH EXAMPLES\n.nf\n", 1);
    write!(
        out,
        "{}\n.fi\n",
        examples.replacen("\nExamples:\n", "\n", 1).trim_end()
    )
}
