//! Entry point of the `mkns` command: everything is in [`mkns::cli`].

fn main() -> std::process::ExitCode {
    mkns::cli::main()
}
