//! What the user wrote: the notation `MKNS(M,K,N,S)` or a TOML file, as a validated [`NetworkSpec`].
//!
//! Promises that a `NetworkSpec` returned from [`parse`] is valid: every later layer may rely on
//! the ranges stated here. Knows nothing of graphs, routes or Verilog.

mod data;
mod findings;
mod reading;
mod validation;

use std::path::Path;
use std::sync::OnceLock;

pub use data::{
    ADAPTIVE, ADDRESS_BITS, Base, BlockParameters, Dimension, DistributedSwitchSpec, ENGINES,
    EngineClaims, Family, FatTreeSpec, GridSpec, Join, LayerSelect, Lines, LinkKind, LoopSpec,
    Management, Method, MknsSpec, NetworkKind, NetworkSpec, Pok, PortPlan, PortShortage,
    RandomShortcutSpec, SerialLink, SlimFlySpec, Survives, Switching, TurnSelect, Wiring, bits_for,
    port_plan,
};
pub use reading::json_schema;

use mkns_diag::{Code, Diagnostic, TextFile, TextKind, shell_word};
use reading::SpecText;

/// Reads a spec from the command line: `-` is a TOML document on standard input; the path of a TOML
/// file ends in `.toml`, holds a path separator or names a file; all else is the notation.
pub fn parse(spec: &str) -> Result<NetworkSpec, Vec<Diagnostic>> {
    parse_with(spec, &[])
}

/// Whether a spec is the path of a file, which counts from `folder`, and not the notation.
pub fn is_file(spec: &str, folder: &Path) -> bool {
    let path = Path::new(spec);
    let is_toml = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    is_toml || spec.contains(['/', '\\']) || folder.join(path).is_file()
}

/// [`parse`] with settings, `KEY=VALUE`, in the place of what the spec says (docs/reference/spec.md).
pub fn parse_with(spec: &str, settings: &[String]) -> Result<NetworkSpec, Vec<Diagnostic>> {
    if spec == "-" {
        let text = standard_input();
        let text = text.map_err(|found| vec![found.clone()])?;
        return read(&SpecText::new(STANDARD_INPUT, text, settings), false);
    }
    if !is_file(spec, Path::new("")) {
        return read(&SpecText::new(spec, spec, settings), true);
    }
    let text = file(Path::new(spec)).read().map_err(|found| vec![*found])?;
    read(&SpecText::new(spec, &text, settings), false)
}

/// Reads the notation, `MKNS(2,8x4,2,0)`; block parameters get their defaults.
pub fn parse_notation(text: &str) -> Result<NetworkSpec, Vec<Diagnostic>> {
    read(&SpecText::new(text, text, &[]), true)
}

/// Reads a TOML document; `source` is its path for diagnostics.
pub fn parse_toml(source: &str, text: &str) -> Result<NetworkSpec, Vec<Diagnostic>> {
    parse_toml_with(source, text, &[])
}

/// [`parse_toml`] with settings.
pub fn parse_toml_with(
    source: &str,
    text: &str,
    settings: &[String],
) -> Result<NetworkSpec, Vec<Diagnostic>> {
    read(&SpecText::new(source, text, settings), false)
}

fn read(text: &SpecText, is_notation: bool) -> Result<NetworkSpec, Vec<Diagnostic>> {
    let mut findings = text.findings();
    let mut document = reading::read(text, is_notation, &mut findings);
    if let Some(network) = &document.network {
        validation::needs(network, &document.routing, &mut document.block, &findings);
    }
    let reading::Document {
        name,
        network,
        routing,
        block,
        link,
    } = document;
    validation::conclude(findings, name, network, routing, (block, link))
}

/// What diagnostics call it.
const STANDARD_INPUT: &str = "standard input";

/// Everything on standard input; it is read once, however often a verb asks for the spec.
fn standard_input() -> Result<&'static str, &'static Diagnostic> {
    static TEXT: OnceLock<Result<String, Box<Diagnostic>>> = OnceLock::new();
    let text = TEXT.get_or_init(|| file(Path::new(STANDARD_INPUT)).read_standard_input());
    text.as_deref().map_err(|found| &**found)
}

/// Settings as words of a command line, ` --set KEY=VALUE` for each.
pub fn settings_as_words(settings: &[String]) -> String {
    let words = settings.iter().map(|setting| shell_word(setting));
    words.map(|word| format!(" --set {word}")).collect()
}

/// A spec as a file.
fn file(path: &Path) -> TextFile<'_> {
    let remedy = "give the path of a readable TOML file, or the notation such as `MKNS(2,4,2,1)`";
    TextFile::new(path, TextKind::Toml).missing(Code::SpecUnreadable, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(notation: &str) -> (String, String) {
        let spec = parse(notation).expect("a valid notation");
        (spec.notation(), spec.name)
    }

    #[test]
    fn notations_of_the_issue_are_read_and_named() {
        for (written, notation, name) in [
            ("MKNS(2,4,2,1)", "MKNS(2,4,2,1)", "mkns_2_4_2_1"),
            ("MKNS(2,8x4,2,0)", "MKNS(2,8x4,2,0)", "mkns_2_8x4_2_0"),
            (
                " mkns ( 2, 8 x10X10 ,3 ,1) ",
                "MKNS(2,8x10x10,3,1)",
                "mkns_2_8x10x10_3_1",
            ),
            ("MKNS(1,3x20,2,2)", "MKNS(1,3x20,2,2)", "mkns_1_3x20_2_2"),
            ("MKNS(1,8,1,2)", "MKNS(1,8,1,1)", "mkns_1_8_1_1"),
            ("MKNS(2,4x4x4,3,0x1)", "MKNS(2,4,3,0x1)", "mkns_2_4_3_0x1"),
        ] {
            assert_eq!(
                canonical(written),
                (notation.to_owned(), name.to_owned()),
                "{written}"
            );
        }
    }

    #[test]
    fn other_port_counts_show_in_the_default_name() {
        let text = "[network]\nvms_per_node = 1\nports = 8\ndimensions = [{ size = 3 }]\n";
        assert_eq!(
            parse_toml("x.toml", text).expect("valid").name,
            "mkns_1_3_1_1_d8"
        );
    }
}
