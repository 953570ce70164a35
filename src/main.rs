//! Entry point of the `mkns` command: everything is in [`mkns_cli`].

fn main() -> std::process::ExitCode {
    mkns_cli::main(env!("MKNS_COMMIT"))
}
