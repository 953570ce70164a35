//! `mkns cosim --seeds N`: runs with different seeds one after the other, up to the first difference.

use serde::Serialize;

use super::outcome::Outcome;
use super::{Cosim, told};
use crate::{CommandError, Context, Format};

/// What was compared, for `--format json`.
#[derive(Debug, Serialize)]
struct Seeds {
    spec: String,
    /// How many were asked for; after a difference there are no further runs.
    seeds: u64,
    runs: Vec<Outcome>,
}

impl Cosim {
    /// A line for each run when it ends.
    pub(super) fn run_seeds(&self, seeds: u64, context: &Context) -> Result<(), CommandError> {
        let mut all = Seeds {
            spec: self.settings.title(self.spec()),
            seeds,
            runs: Vec::new(),
        };
        for number in 0..seeds {
            let one = Self {
                seed: self.seed.wrapping_add(number),
                seeds: None,
                ..self.clone()
            };
            let outcome = match number {
                0 => one.compared(None, context)?,
                // What is said of the sources has been said.
                _ => one.compared(None, &context.without_summaries())?,
            };
            let failure = outcome.failure.clone();
            let text = outcome.text();
            all.runs.push(outcome);
            if let Some(failure) = failure {
                let text = format!("seed {}: {failure}", one.seed);
                return Err(told(&failure, &text, &all, context));
            }
            if context.format() == Format::Text {
                let lines = text.lines().filter(|line| !line.starts_with(' '));
                context.document(lines.collect::<Vec<_>>().join("\n"))?;
            }
        }
        let text = format!("{seeds} seeds, no difference");
        context.result(text, &all)
    }
}
