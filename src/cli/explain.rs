//! `mkns explain`: cause, example and fix behind a diagnostic code.
//!
//! The text is `docs/diagnostics.md`, one second-level heading per code, so that the command and
//! the documentation cannot differ.

use clap::Args;
use serde::Serialize;

use super::{Command, CommandError, Context};
use mkns_diag::nearest;

const EXPLANATIONS: &str = include_str!("../../docs/diagnostics.md");

/// Explain a diagnostic code: cause, example, fix
#[derive(Debug, Args)]
pub struct Explain {
    /// Code such as E0206; without it, all codes are listed
    code: Option<String>,
}

/// One section of the file: `## E0206: title` and what follows it.
#[derive(Debug, Serialize)]
struct Explanation {
    code: &'static str,
    title: &'static str,
    text: &'static str,
}

/// All sections in the order of the file.
fn explanations() -> Vec<Explanation> {
    let sections = EXPLANATIONS.split("\n## ").skip(1);
    sections
        .filter_map(|section| {
            let (heading, text) = section.split_once('\n')?;
            let (code, title) = heading.split_once(": ")?;
            Some(Explanation {
                code,
                title,
                text: text.trim(),
            })
        })
        .collect()
}

impl Command for Explain {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let all = explanations();
        let Some(wanted) = &self.code else {
            let lines = all
                .iter()
                .map(|one| format!("{}  {}\n", one.code, one.title));
            return context.result(lines.collect::<String>(), &all);
        };
        match all.iter().find(|one| one.code.eq_ignore_ascii_case(wanted)) {
            Some(one) => {
                context.result(format!("{}: {}\n\n{}", one.code, one.title, one.text), one)
            }
            None => Err(unknown(wanted, &all)),
        }
    }
}

fn unknown(wanted: &str, all: &[Explanation]) -> CommandError {
    let hint = match nearest(wanted, all.iter().map(|one| one.code)) {
        Some(code) => format!("did you mean {code}? `mkns explain` lists all codes"),
        None => "`mkns explain` lists all codes".to_owned(),
    };
    let fact = format!("there is no diagnostic code `{wanted}`");
    CommandError::usage("E0103", fact, hint)
}
