//! The files that `mkns regress` is given: how they are read, and what is said when one is missing.

use std::path::Path;

use mkns_diag::{Code, TextFile, TextKind};

pub fn text_file(path: &Path, kind: TextKind) -> TextFile<'_> {
    let remedy = "give the path of a regression file; see docs/reference/verification.md";
    TextFile::new(path, kind).missing(Code::NotRegressionFile, remedy)
}
