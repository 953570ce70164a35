//! Exit codes, and the one error type that verbs return.
//!
//! Knows which number the shell sees; how the diagnostics look is `render`'s business.

use std::fmt::Display;
use std::process::ExitCode;

use mkns_diag::Diagnostic;

/// Why the program ended without doing what it was asked; the number is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Anything that no other code names: a bug, a full disk.
    Unexpected = 1,
    /// Wrong command line or invalid spec.
    Usage = 2,
    /// Verification of topology or routing failed.
    CheckFailed = 4,
    /// RTL and golden model differ.
    Diverged = 5,
    /// An external tool is missing.
    ToolMissing = 6,
    /// An external tool failed.
    ToolFailed = 7,
    /// Output on disk differs from what would be written (`--check`).
    OutputDiffers = 8,
}

impl Exit {
    const ALL: [Self; 7] = [
        Self::Unexpected,
        Self::Usage,
        Self::CheckFailed,
        Self::Diverged,
        Self::ToolMissing,
        Self::ToolFailed,
        Self::OutputDiffers,
    ];

    /// The number that the shell sees.
    pub fn number(self) -> u8 {
        self as u8
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Unexpected => "unexpected failure",
            Self::Usage => "wrong command line or invalid spec",
            Self::CheckFailed => "verification of topology or routing failed",
            Self::Diverged => "RTL differs from the golden model",
            Self::ToolMissing => "an external tool is missing",
            Self::ToolFailed => "an external tool failed",
            Self::OutputDiffers => "output on disk differs (--check)",
        }
    }

    /// The table that `mkns --help` prints.
    pub fn table() -> String {
        let rows = Self::ALL.map(|exit| format!("  {}  {}\n", exit.number(), exit.meaning()));
        format!("  0  success\n{}", rows.concat())
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.number())
    }
}

/// The failure of a verb: an exit code and the diagnostics to print, possibly none when the result
/// on standard output has already said what is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandError {
    pub exit: Exit,
    pub diagnostics: Vec<Diagnostic>,
}

impl CommandError {
    /// A failure with any number of diagnostics.
    pub fn new(exit: Exit, diagnostics: impl Into<Vec<Diagnostic>>) -> Self {
        Self {
            exit,
            diagnostics: diagnostics.into(),
        }
    }

    /// A failure with one diagnostic.
    pub fn one(exit: Exit, diagnostic: Diagnostic) -> Self {
        Self {
            exit,
            diagnostics: vec![diagnostic],
        }
    }

    /// A wrong command line, or one that asks for what a spec does not have.
    pub fn usage(code: &'static str, fact: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::one(Exit::Usage, Diagnostic::new(code, fact, remedy))
    }

    /// A run that has shown nothing, because no packet arrived in `span` of it.
    pub fn no_packet(span: impl Display, remedy: &str) -> Self {
        Self::usage("E0111", format!("no packet arrived in {span}"), remedy)
    }

    /// An option that the others leave nothing to do; `beside` says which.
    pub fn no_effect(option: &str, beside: &str) -> Self {
        let fact = format!("`{option}` has no effect {beside}");
        Self::usage("E0807", fact, "leave it out")
    }

    /// A failure to read or write, which is unexpected unless the caller knows better.
    pub fn io(what: &str, error: &std::io::Error) -> Self {
        let fact = format!("cannot {what}: {error}");
        let remedy = "check that the path exists, that you may write there and that disk is free";
        Self::one(Exit::Unexpected, Diagnostic::new("E0102", fact, remedy))
    }
}

/// An invalid spec, as [`mkns_spec::parse`] returns it.
impl From<Vec<Diagnostic>> for CommandError {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            exit: Exit::Usage,
            diagnostics,
        }
    }
}
