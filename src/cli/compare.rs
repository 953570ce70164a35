//! `mkns compare`: the papers' tables, cell by cell, beside what mkns constructs.

use clap::{Args, ValueEnum};

use super::{Command, CommandError, Context, Exit};
use crate::diag::Diagnostic;
use crate::report::compare::{Comparison, karavay};

/// Compare a paper's tables, cell by cell, with what mkns constructs
#[derive(Debug, Args)]
pub struct Compare {
    /// Whose tables
    #[arg(long, value_enum)]
    paper: Paper,
    /// This table only
    #[arg(long)]
    table: Option<u32>,
}

/// The papers whose tables are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// Karavay & Podlazov: multi-ring, hypercube, block designs
    Karavay,
}

impl Command for Compare {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let mut comparison = match self.paper {
            Paper::Karavay => karavay::compare(),
        };
        if let Some(number) = self.table {
            let tables = comparison.tables.into_iter();
            let chosen = tables.filter(|table| table.number == number).collect();
            comparison = Comparison::new(comparison.paper, chosen);
            if comparison.tables.is_empty() {
                return Err(unknown_table(number));
            }
        }
        context.result(comparison.to_text(), &comparison)?;
        if comparison.passed {
            Ok(())
        } else {
            Err(CommandError::new(Exit::CheckFailed, []))
        }
    }
}

fn unknown_table(number: u32) -> CommandError {
    let fact = format!("the paper has no table {number} to compare");
    let remedy = "leave `--table` out to see all of them";
    CommandError::one(Exit::Usage, Diagnostic::new("E0803", fact, remedy))
}
