//! A file that is generated.

/// One file of the output folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// Path inside the folder, with `/`.
    pub path: String,
    pub text: String,
}
