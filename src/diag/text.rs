//! The one reader of text that comes from elsewhere: specs, regressions, tables, traces.
//!
//! Whatever program wrote it: a byte order mark is taken off, other encodings are refused with the byte at fault, and
//! nothing that is no file, or is longer than its kind can be, is read to its end.

use std::io;
use std::path::Path;

use mkns_scratch::{Unreadable, read_input, read_kept, read_up_to};

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Place};
use crate::nesting::{MOST_NESTED, line_too_deep};

/// What a text is, as far as reading it depends on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// What a person writes, in TOML.
    Toml,
    /// Lines of columns, or JSON.
    Table,
    /// Lines of names.
    List,
    /// Columns as a program records them, line by line.
    Trace,
    /// Messages of a program, in GOAL.
    Goal,
}

impl TextKind {
    /// Bytes of the longest that is read, in MiB.
    fn mebibytes(self) -> u64 {
        match self {
            Self::Toml => 16,
            Self::List => 64,
            Self::Table => 256,
            Self::Trace | Self::Goal => 1024,
        }
    }

    fn limit(self) -> u64 {
        self.mebibytes() << 20
    }

    fn has_columns(self) -> bool {
        matches!(self, Self::Table | Self::Trace)
    }
}

/// A file to be read, and what is said of one that is not there.
#[derive(Debug, Clone, Copy)]
pub struct TextFile<'a> {
    pub path: &'a Path,
    pub kind: TextKind,
    /// Code and remedy where the operating system refuses.
    pub missing: (Code, &'a str),
}

impl<'a> TextFile<'a> {
    /// A file of which nothing special is said when it cannot be read.
    pub fn new(path: &'a Path, kind: TextKind) -> Self {
        let remedy = "give the path of a file that you may read";
        Self {
            path,
            kind,
            missing: (Code::InputFile, remedy),
        }
    }

    /// With a code and a remedy of its own for a file that cannot be read.
    pub fn missing(self, code: Code, remedy: &'a str) -> Self {
        Self {
            missing: (code, remedy),
            ..self
        }
    }

    /// The text, without a byte order mark. No output of this command takes the place of the file.
    ///
    /// # Errors
    /// When it cannot be read or is no text of this kind.
    pub fn read(self) -> Result<String, Box<Diagnostic>> {
        self.text(read_input(self.path, self.kind.limit()))
    }

    /// The text of a file that this command may write anew.
    ///
    /// # Errors
    /// As [`TextFile::read`].
    pub fn read_own(self) -> Result<String, Box<Diagnostic>> {
        self.text(read_kept(self.path, self.kind.limit()))
    }

    /// Standard input, as a file called `path`.
    ///
    /// # Errors
    /// As [`TextFile::read`].
    pub fn read_standard_input(self) -> Result<String, Box<Diagnostic>> {
        self.text(read_up_to(self.kind.limit(), io::stdin().lock()))
    }

    fn text(self, bytes: Result<Vec<u8>, Unreadable>) -> Result<String, Box<Diagnostic>> {
        let place = |found: Diagnostic| Box::new(found.at(Place::file(self.path)));
        let bytes = bytes.map_err(|error| place(self.unreadable(error)))?;
        let text = decode(bytes).map_err(|wrong| place(self.unusable(wrong)))?;
        if let (TextKind::Toml, Some(line)) = (self.kind, line_too_deep(&text)) {
            let fact = format!(
                "line {line} opens more than {MOST_NESTED} brackets within each other, the most that is read"
            );
            let remedy = "close brackets before further ones open: no key needs more than three";
            return Err(place(Diagnostic::new(Code::InputFile, fact, remedy)));
        }
        match self.kind.has_columns() && is_separated_by_semicolons(&text) {
            true => {
                let fact = "the columns of the file are separated by `;`";
                let remedy = "separate them by commas; programs call this CSV with commas";
                Err(place(Diagnostic::new(Code::InputFile, fact, remedy)))
            }
            false => Ok(text),
        }
    }

    fn unreadable(self, error: Unreadable) -> Diagnostic {
        match error {
            Unreadable::Refused(error) => {
                let (code, remedy) = self.missing;
                Diagnostic::new(code, format!("cannot read the file: {error}"), remedy)
            }
            Unreadable::Special(kind) => {
                let fact = format!("this is {kind}, not a file");
                Diagnostic::new(Code::InputFile, fact, "give the path of a file")
            }
            Unreadable::TooLong(_) => {
                let most = self.kind.mebibytes();
                let fact = format!("the file has more than {most} MiB, the most that is read");
                Diagnostic::new(Code::InputFile, fact, "give a shorter file")
            }
            Unreadable::IsOutput => {
                let fact = "the file is an input, and a result would be written over it";
                let remedy = "write the result to another file";
                Diagnostic::new(Code::OutputIsInput, fact, remedy)
            }
        }
    }

    fn unusable(self, fact: (String, &str)) -> Diagnostic {
        let (fact, encoding) = fact;
        let remedy =
            format!("save the file as UTF-8, for example with `iconv -f {encoding} -t UTF-8`");
        Diagnostic::new(Code::InputFile, fact, remedy)
    }
}

/// The text of bytes in UTF-8; else what is wrong, and the encoding that it probably is.
fn decode(bytes: Vec<u8>) -> Result<String, (String, &'static str)> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let fact = "the file is in UTF-16, as its byte order mark at byte 0 says";
        return Err((fact.to_owned(), "UTF-16"));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        let fact = format!("the file is not text in UTF-8: byte {at} is 0x00");
        return Err((fact, "UTF-16"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        let byte = error.as_bytes()[at];
        let fact =
            format!("the file is not text in UTF-8: byte {at}, in line {line}, is {byte:#04x}");
        (fact, "LATIN1")
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(text) => text.to_owned(),
        None => text,
    })
}

/// Whether the first line that is no comment is a head with semicolons in the place of commas.
fn is_separated_by_semicolons(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let head = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    head.is_some_and(|head| {
        head.contains(';') && !head.contains(',') && !head.starts_with(['{', '['])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], kind: TextKind) -> Result<String, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, bytes).expect("writable");
        let text = TextFile::new(&path, kind).read();
        text.map_err(|found| {
            assert_eq!(found.code, Code::InputFile);
            assert_eq!(found.place.source, path.display().to_string());
            found.fact
        })
    }

    #[test]
    fn reports_7_a_byte_order_mark_is_taken_off() {
        let text = read("\u{feff}a,b\r\n".as_bytes(), TextKind::Table);
        assert_eq!(text.as_deref(), Ok("a,b\r\n"));
        assert_eq!(read(b"", TextKind::List).as_deref(), Ok(""));
    }

    #[test]
    fn reports_7_other_encodings_are_refused_with_the_byte_at_fault() {
        let words = |bytes: &[u8]| read(bytes, TextKind::Table).expect_err("no UTF-8");
        assert!(words(b"\xff\xfea\0,\0b\0").contains("UTF-16"));
        assert!(words(b"\xfe\xff\0a\0,").contains("UTF-16"));
        assert!(words(b"a\0,\0b\0").contains("byte 1 is 0x00"));
        assert!(words(b"a,b\nK\xf6ln,2\n").contains("byte 5, in line 2, is 0xf6"));
    }

    #[test]
    fn reports_7_semicolons_between_columns_are_named() {
        let head = b"# cables\na;port_a;b;port_b\n";
        assert!(
            read(head, TextKind::Table)
                .expect_err("no commas")
                .contains("`;`")
        );
        assert!(read(head, TextKind::Trace).is_err());
        for (text, kind) in [
            ("{\"a;b\": 1}", TextKind::Table),
            ("a,b;c\n", TextKind::Table),
            ("a;b\n", TextKind::List),
        ] {
            assert!(read(text.as_bytes(), kind).is_ok(), "{text}");
        }
    }
}
