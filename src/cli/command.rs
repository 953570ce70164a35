//! What a verb is.

use super::format::{self, Format};
use super::{CommandError, Context};

/// What every verb does.
pub trait Command {
    /// The forms of its result.
    const FORMATS: &[Format] = format::VALUE;

    /// Whether it runs code in this process that may end it.
    fn runs_foreign_code(&self) -> bool {
        false
    }

    /// Runs the verb; its result goes to `context`, its failure to the caller.
    fn run(&self, context: &Context) -> Result<(), CommandError>;
}
