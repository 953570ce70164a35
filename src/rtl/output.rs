//! Everything that `mkns generate` writes, in memory.

use super::manifest::manifest;
use super::routes::routes_csv;
use super::sources::render_network;
use crate::design::Plan;
use crate::diag::Diagnostic;
use crate::topology::export;

/// One file of the output folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// Path inside the folder, with `/`.
    pub path: String,
    pub text: String,
}

/// All files of a design in order of their paths; `manifest.json` lists the others.
pub fn render_output(plan: &Plan) -> Result<Vec<OutputFile>, Vec<Diagnostic>> {
    let file = |path: &str, text: String| OutputFile {
        path: path.to_owned(),
        text,
    };
    let sources = render_network(plan)?;
    let mut files = vec![
        file("topology.json", export::json(&plan.network)),
        file("cables.csv", export::cables_csv(&plan.network)),
        file("routes.csv", routes_csv(plan)),
    ];
    let sources = sources.into_iter();
    files.extend(sources.map(|(name, text)| file(&format!("rtl/{name}"), text)));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.push(file("manifest.json", manifest(plan, &files)));
    Ok(files)
}
