//! The `dupfind` program. Everything it can do is in the library; here are only its command line,
//! its terminal and its exit status.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run(std::env::args_os())
}
