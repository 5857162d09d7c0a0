//! The `dupfind` program.

fn main() -> std::process::ExitCode {
    dupfind::run(std::env::args_os()).into()
}
