//! Where a verb's words go: results to standard output, progress and diagnostics to standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;

use super::{CommandError, Format, render};
use mkns_diag::Exit;

/// The global options, and the ways of speaking that respect them.
#[derive(Debug, Clone)]
pub struct Context {
    format: Format,
    quiet: bool,
    verbose: bool,
    has_summaries: bool,
}

impl Context {
    pub fn new(format: Format, quiet: bool, verbose: bool) -> Self {
        Self {
            format,
            quiet,
            verbose,
            has_summaries: true,
        }
    }

    /// The format asked for; [`Context::result`] suffices unless the two differ in more than form.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether `--quiet` was given, for verbs that draw progress themselves.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// This context without summary lines.
    #[cfg(feature = "cosim")]
    pub fn without_summaries(&self) -> Self {
        Self {
            has_summaries: false,
            ..*self
        }
    }

    /// Whether `--verbose` was given.
    pub fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Writes the verb's result to standard output: `text`, or `value` as JSON.
    pub fn result(&self, text: impl Display, value: &impl Serialize) -> Result<(), CommandError> {
        match self.format {
            Format::Json => self.document(render::to_json(value)),
            Format::Text | Format::Csv | Format::C => self.document(text),
        }
    }

    /// Writes a result that is lines of numbers, too: `csv` where that is the format asked for.
    pub fn table(
        &self,
        text: impl Display,
        csv: impl FnOnce() -> String,
        value: &impl Serialize,
    ) -> Result<(), CommandError> {
        match self.format {
            Format::Csv => self.document(csv()),
            _ => self.result(text, value),
        }
    }

    /// Writes the result of a check; one that has not passed is an error.
    pub fn checked(
        &self,
        passed: bool,
        text: impl Display,
        value: &impl Serialize,
    ) -> Result<(), CommandError> {
        match passed {
            true => self.result(text, value),
            false => Err(self.verdict(Exit::CheckFailed, text, value)),
        }
    }

    /// Writes a document that has one form only (generated source, JSON schema) to standard output,
    /// with exactly one newline at its end.
    pub fn document(&self, text: impl Display) -> Result<(), CommandError> {
        let text = text.to_string();
        match writeln!(io::stdout().lock(), "{}", text.trim_end_matches('\n')) {
            // `mkns … | head` is a normal way to use a command.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(CommandError::io("write the result")),
        }
    }

    /// Writes the result of a verb that has found something wrong; its exit code stands whatever becomes
    /// of the words, which go to standard error where standard output takes none.
    pub fn verdict(&self, exit: Exit, text: impl Display, value: &impl Serialize) -> CommandError {
        let text = text.to_string();
        let lost = self.result(&text, value).err();
        if lost.is_some() {
            complain(&text);
        }
        CommandError {
            exit,
            diagnostics: lost.map_or(Vec::new(), |error| error.diagnostics),
        }
    }

    /// One summary line on standard error, unless `--quiet`.
    pub fn summary(&self, line: impl Display) {
        if !self.quiet && self.has_summaries {
            complain(line);
        }
    }

    /// A detail on standard error with `--verbose`.
    pub fn detail(&self, line: impl Display) {
        if self.verbose {
            complain(line);
        }
    }

    /// Prints the diagnostics of a failure, if there are any, and gives its exit code.
    pub fn fail(&self, error: &CommandError) -> ExitCode {
        match self.format {
            _ if error.diagnostics.is_empty() => {}
            Format::Text | Format::Csv | Format::C => {
                complain(render::diagnostics(&error.diagnostics).trim_end_matches('\n'));
                complain("");
            }
            Format::Json => complain(render::error_json(error)),
        }
        error.exit.into()
    }
}

/// Writes to standard error. Nobody is left to be told when that fails, and the exit code still counts.
fn complain(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(&text.to_string()));
}

/// Text without characters that command a terminal: names of files and lines of them may hold such. Each becomes its
/// symbol, as `ESC` becomes `␛`.
fn visible(text: &str) -> String {
    let symbol = |letter: char| match letter {
        '\n' | '\t' => letter,
        '\0'..='\x1f' => char::from_u32(0x2400 + letter as u32).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        // The second set of control characters, and what turns the direction of writing.
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => letter,
    };
    text.chars().map(symbol).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abuse_18_names_do_not_command_the_terminal() {
        let text = "  --> a\x1b[31m\0\r\u{9b}31m\u{202e}b\x7f\n\tü";
        assert_eq!(visible(text), "  --> a␛[31m␀␍\u{fffd}31m\u{fffd}b␡\n\tü");
    }
}
