//! The exit codes of the program.

use std::process::ExitCode;

/// Why the program ended without doing what it was asked; the number is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Anything that no other code names: a bug, a full disk.
    Unexpected = 1,
    /// Wrong command line or invalid spec.
    Usage = 2,
    /// Verification of topology, cabling or routing failed.
    CheckFailed = 4,
    /// RTL and golden model differ.
    Diverged = 5,
    /// An external tool is missing.
    ToolMissing = 6,
    /// An external tool failed.
    ToolFailed = 7,
    /// Output on disk differs from what would be written (`--check`).
    OutputDiffers = 8,
    /// A result is of a part of what was given.
    Incomplete = 9,
}

impl Exit {
    const ALL: [Self; 8] = [
        Self::Unexpected,
        Self::Usage,
        Self::CheckFailed,
        Self::Diverged,
        Self::ToolMissing,
        Self::ToolFailed,
        Self::OutputDiffers,
        Self::Incomplete,
    ];

    /// The number that the shell sees.
    pub fn number(self) -> u8 {
        self as u8
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Unexpected => "unexpected failure",
            Self::Usage => "wrong command line or invalid spec",
            Self::CheckFailed => "verification of topology, cabling or routing failed",
            Self::Diverged => "RTL differs from the golden model",
            Self::ToolMissing => "an external tool is missing",
            Self::ToolFailed => "an external tool failed",
            Self::OutputDiffers => "output on disk differs (--check)",
            Self::Incomplete => "the run ended before all packets of its trace were used",
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
