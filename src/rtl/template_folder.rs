//! The folder of templates as it is on disk: changed templates are tried without a rebuild of the program,
//! as long as they are plain Verilog but for the banner.

use std::path::Path;

use super::file_text::verilog;
use super::sources::Source;
use mkns_diag::{Code, Diagnostic, Place};

/// Folders that hold block modules.
pub const PARTS: [&str; 4] = ["adapter", "common", "rok", "switch"];

/// The only syntax of templates in a block module.
const BANNER: &str = "<$ banner $>";
/// What all syntax of templates begins with.
const MARKS: [&str; 3] = ["<%", "<$", "<#"];

macro_rules! compiled_in {
    ($($path:literal),*) => {
        [$(($path, include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"), "/../../hdl-templates/", $path
        )))),*]
    };
}

/// Templates that say more than a banner, as the program prints them: path and text.
pub const NETWORK_TEMPLATES: [(&str, &str); 3] = compiled_in![
    "network/node.v",
    "network/top.v",
    "switch/switch_assembly.v"
];

/// Whether this is a folder of templates.
pub fn is_one(folder: &Path) -> bool {
    PARTS.iter().all(|part| folder.join(part).is_dir())
}

/// What `source` is when its template has the text `template`; an error is syntax that only a rebuild of
/// the program can print.
pub fn rendered(source: &Source, template: &str, banner: &str) -> Result<String, &'static str> {
    let mut known = NETWORK_TEMPLATES.iter();
    match known.any(|known| *known == (source.template, template)) {
        true => Ok(source.text.clone()),
        false => filled(template, banner),
    }
}

/// A template of plain Verilog with its banner; an error is other syntax that it has.
pub fn filled(template: &str, banner: &str) -> Result<String, &'static str> {
    let text = template.replace(BANNER, banner);
    match MARKS.into_iter().find(|mark| text.contains(mark)) {
        Some(mark) => Err(mark),
        None => Ok(verilog(Ok(text), banner)),
    }
}

/// The template has to be compiled into the program.
pub fn needs_rebuild(path: &Path, text: &str, mark: &str) -> Diagnostic {
    let fact = format!(
        "the template is not the one in this program, and only a rebuild can print its `{mark}`"
    );
    let remedy = "rebuild mkns (`cargo build --release`), and leave `--rtl` out; templates of plain Verilog \
                  with `<$ banner $>` need no rebuild";
    let without_banners = text.replace(BANNER, &" ".repeat(BANNER.len()));
    let start = without_banners.find(mark).unwrap_or(0);
    let place = Place::in_text(
        &path.display().to_string(),
        text,
        start..start + mark.len(),
        "",
    );
    Diagnostic::new(Code::TemplateNeedsRebuild, fact, remedy).at(place)
}

#[cfg(test)]
mod tests {
    use super::super::templates::library;
    use super::*;

    /// Templates of the library are only ever compared by what they print.
    #[test]
    fn shared_modules_have_no_syntax_but_the_banner() {
        let folder = Path::new("../../hdl-templates");
        assert!(is_one(folder));
        for path in library::paths() {
            let text = std::fs::read_to_string(folder.join(path)).expect("a template");
            let filled =
                filled(&text, "// a banner").unwrap_or_else(|mark| panic!("{path}: {mark}"));
            assert!(filled.contains("// a banner\n"), "{path}");
        }
    }

    #[test]
    fn a_template_with_loops_is_the_programs_own_or_refused() {
        let (path, template) = NETWORK_TEMPLATES[0];
        let source = Source {
            name: "switch_node.v".to_owned(),
            template: path,
            text: "printed".to_owned(),
        };
        assert_eq!(rendered(&source, template, ""), Ok("printed".to_owned()));
        let changed = template.replacen("<$ banner $>", "// mine\n<$ banner $>", 1);
        assert!(rendered(&source, &changed, "").is_err());
        let plain = "<$ banner $>\n\nmodule m;\nendmodule\n\n";
        let text = "// b\n`default_nettype none\nmodule m;\nendmodule\n\n`default_nettype wire\n";
        assert_eq!(rendered(&source, plain, "// b"), Ok(text.to_owned()));
    }
}
