//! Templates that are Verilog but for the line of their banner.

use std::fs;
use std::path::Path;

use super::files::files_below;

/// Those in these folders of `hdl-templates`: file names and texts.
pub fn plain_templates(folders: &[&str]) -> Vec<(String, String)> {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("hdl-templates");
    let files = folders.iter();
    let files = files.flat_map(|folder| files_below(&templates.join(folder)));
    let sources = files.filter_map(|file| {
        let text = fs::read_to_string(&file).expect("a template");
        let name = file.file_name()?.to_str()?.to_owned();
        let lines = text.lines().filter(|line| !line.starts_with("<$"));
        (!text.contains("<%")).then(|| (name, lines.collect::<Vec<_>>().join("\n") + "\n"))
    });
    sources.collect()
}
