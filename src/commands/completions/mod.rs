//! `dupfind completions`: the completions of shells, and manual pages.

pub(crate) mod args;

use std::io::{self, Write};

use anyhow::{Result, bail};
use clap::Command;
use clap_mangen::Man;

use crate::commands::completions::args::{CompletionsArgs, What};
use crate::process::exit::Status;
use crate::terminal::output::Output;

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
