//! Pictures that commands write: the ending of the name says whether as SVG or PNG, and is looked at before the work.

use std::path::{Path, PathBuf};

use super::{CommandError, Context, output_path};
use mkns_diag::Code;
use mkns_report::plot;

/// Refuses a picture that cannot be written, and names that say nothing of its format.
pub fn ensure_writable(option: &str, path: Option<&PathBuf>) -> Result<(), CommandError> {
    let Some(path) = path else {
        return Ok(());
    };
    if !has_ending(path, &["svg", "png"]) {
        let fact = format!(
            "`{option} {}` ends in neither .svg nor .png",
            path.display()
        );
        let remedy = "give a name that says what to write";
        return Err(CommandError::new(Code::UnknownPictureFormat, fact, remedy));
    }
    output_path::files([(option, Some(path))])
}

/// Writes an SVG document as what the name ends in, and says so.
pub fn write(path: &Path, svg: String, context: &Context) -> Result<(), CommandError> {
    let bytes = match has_ending(path, &["png"]) {
        true => plot::png(&svg),
        false => svg.into_bytes(),
    };
    output_path::write_and_say(path, bytes, context)
}

pub fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| endings.contains(&ending.to_ascii_lowercase().as_str()))
}
