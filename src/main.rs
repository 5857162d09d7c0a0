//! The `dupfind` program.

fn main() -> std::process::ExitCode {
    dupfind::cli::run(std::env::args_os()).into()
}
