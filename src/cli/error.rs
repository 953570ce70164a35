//! The one error type that verbs return; how the diagnostics look is `render`'s business.

use std::fmt::Display;

use mkns_diag::{Code, Diagnostic, Exit};

/// The failure of a verb: an exit code and the diagnostics to print, possibly none when the result
/// on standard output has already said what is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandError {
    pub exit: Exit,
    pub diagnostics: Vec<Diagnostic>,
}

impl CommandError {
    /// A failure with one diagnostic that has no place.
    pub fn new(code: Code, fact: impl Into<String>, remedy: impl Into<String>) -> Self {
        Diagnostic::new(code, fact, remedy).into()
    }

    /// A run that has shown nothing, because no packet arrived in `span` of it.
    pub fn no_packet(span: impl Display, remedy: &str) -> Self {
        Self::new(
            Code::NothingDelivered,
            format!("no packet arrived in {span}"),
            remedy,
        )
    }

    /// An option that the others leave nothing to do; `beside` says which.
    pub fn no_effect(option: &str, beside: &str) -> Self {
        let fact = format!("`{option}` has no effect {beside}");
        Self::new(Code::OptionWithoutEffect, fact, "leave it out")
    }

    /// Refuses the first option that is given, and that what stands beside it leaves nothing to do: name, whether it is
    /// given, beside what.
    pub fn refuse_idle<'a>(
        options: impl IntoIterator<Item = (&'a str, bool, Option<&'a str>)>,
    ) -> Result<(), Self> {
        let mut idle = options.into_iter().filter(|(_, is_given, _)| *is_given);
        let idle = idle.find_map(|(option, _, beside)| Some((option, beside?)));
        idle.map_or(Ok(()), |(option, beside)| {
            Err(Self::no_effect(option, beside))
        })
    }

    /// For `map_err`: a failure to read or write, which is unexpected unless the caller knows better.
    pub fn io<E: Display>(what: impl Display) -> impl Fn(E) -> Self {
        move |error| {
            let fact = format!("cannot {what}: {error}");
            let remedy =
                "check that the path exists, that you may write there and that disk is free";
            Self::new(Code::InputOutput, fact, remedy)
        }
    }
}

impl From<Diagnostic> for CommandError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::from(vec![diagnostic])
    }
}

impl From<Box<Diagnostic>> for CommandError {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::from(*diagnostic)
    }
}

/// Several diagnostics end the program with the exit code of the first, which weighs most.
impl From<Vec<Diagnostic>> for CommandError {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        let first = diagnostics.first();
        Self {
            exit: first.map_or(Exit::Unexpected, |first| first.code.exit()),
            diagnostics,
        }
    }
}
