//! Lists for other tools: `files.f` and the FuseSoC core.

use askama::Template;

#[derive(Template)]
#[template(path = "flow/files.f")]
pub struct FileList<'a> {
    pub banner: &'a str,
    pub top: &'a str,
    /// Paths inside the output folder.
    pub files: &'a [String],
}

#[derive(Template)]
#[template(path = "flow/fusesoc.core")]
pub struct FuseSocCore<'a> {
    /// Without comment marks.
    pub banner: &'a str,
    pub name: &'a str,
    pub version: &'static str,
    pub description: String,
    pub top: &'a str,
    pub files: &'a [String],
    /// Path of the bench, where there is one.
    pub bench: Option<&'a str>,
}
