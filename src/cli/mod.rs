//! The command line: one file per subcommand, exit codes, rendering of diagnostics.

/// Runs the command line and returns its exit code.
pub fn main() -> std::process::ExitCode {
    std::process::ExitCode::from(1)
}
