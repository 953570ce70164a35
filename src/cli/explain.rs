//! `mkns explain`: cause, example and fix behind a diagnostic code.

use clap::Args;
use serde::Serialize;

use super::{Command, CommandError, Context};
use mkns_diag::{Code, nearest};

/// Explain a diagnostic code: cause, example, fix
#[derive(Debug, Args)]
pub struct Explain {
    /// A code such as E0206; without one, all codes are listed
    code: Option<String>,
}

/// What there is to say about a code.
#[derive(Debug, Serialize)]
struct Explanation {
    code: Code,
    title: &'static str,
    text: &'static str,
}

impl From<Code> for Explanation {
    fn from(code: Code) -> Self {
        Self {
            code,
            title: code.meaning(),
            text: code.explanation(),
        }
    }
}

impl Command for Explain {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let codes = Code::ALL.iter().copied();
        let Some(wanted) = &self.code else {
            let all: Vec<Explanation> = codes.map(Explanation::from).collect();
            let lines = all
                .iter()
                .map(|one| format!("{}  {}\n", one.code, one.title));
            return context.result(lines.collect::<String>(), &all);
        };
        let is_wanted = |code: &Code| code.text().eq_ignore_ascii_case(wanted);
        let one = codes.into_iter().find(is_wanted);
        let one = Explanation::from(one.ok_or_else(|| unknown(wanted))?);
        context.result(format!("{}: {}\n\n{}", one.code, one.title, one.text), &one)
    }
}

fn unknown(wanted: &str) -> CommandError {
    let hint = match nearest(wanted, Code::ALL.iter().map(|code| code.text())) {
        Some(code) => format!("did you mean {code}? `mkns explain` lists all codes"),
        None => "`mkns explain` lists all codes".to_owned(),
    };
    let fact = format!("there is no diagnostic code `{wanted}`");
    CommandError::new(Code::UnknownCode, fact, hint)
}
