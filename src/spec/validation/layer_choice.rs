//! What makes a choice of layers by masks possible: an engine that fills masks, several layers, and room for a mask of
//! every destination. Rules of the blocks, not of the routes.

use crate::data::{BlockParameters, ENGINES, EngineClaims, bits_for};
use crate::findings::Findings;
use mkns_diag::Code;

/// Bits of a node address that index the mask memory of an adapter block: the window of the control port.
const MASK_BITS: u32 = 17;

/// `fields` are those of an address, the PCIe port first.
pub fn layer_choice(
    block: &BlockParameters,
    engine: &EngineClaims,
    fields: &[(&'static str, u32)],
    findings: &mut Findings,
) {
    let field = "block.layer_select";
    let planes = fields.get(1).map_or(1, |(_, size)| *size);
    if engine.masks && block.layers != planes && findings.sound(&["block.layers"]) {
        let (name, layers) = (engine.name, block.layers);
        let fact = format!(
            "block.layers = {layers}, but routing = \"{name}\" has a layer for each of the {planes} first coordinates"
        );
        let remedy = format!("leave it out, or use {planes}");
        findings.report("block.layers", Code::OutOfRange, fact, remedy);
        return;
    }
    if !findings.sound(&[field, "block.layers"]) || !block.chooses_layers() {
        return;
    }
    if !engine.masks || block.layers == 1 {
        let masking = ENGINES.iter().filter(|engine| engine.masks);
        let masking: Vec<&str> = masking.map(|engine| engine.name).collect();
        let (name, layers) = (engine.name, block.layers);
        let fact = format!(
            "block.layer_select = \"mask\", but routing = \"{name}\" with {layers} layer(s) has no masks"
        );
        let masking = masking.join(" or ");
        let remedy = format!("leave it out, or use routing = {masking} with 2 or more layers");
        findings.report(field, Code::NoMasks, fact, remedy);
        return;
    }
    let bits: u32 = fields[1..].iter().map(|(_, size)| bits_for(*size)).sum();
    if bits > MASK_BITS {
        let fact = format!(
            "a mask for each of 2^{bits} node addresses, but adapter blocks hold at most 2^{MASK_BITS}"
        );
        let remedy = "make the network smaller, or set layer_select to \"host\"".to_owned();
        findings.report(field, Code::TableTooLarge, fact, remedy);
    }
}

#[cfg(test)]
mod tests {
    use crate::parse_with;
    use mkns_diag::Code;

    fn codes(notation: &str, settings: &[&str]) -> Vec<Code> {
        let settings: Vec<String> = settings.iter().map(|&text| text.to_owned()).collect();
        let problems = parse_with(notation, &settings).err().unwrap_or_default();
        problems.iter().map(|problem| problem.code).collect()
    }

    #[test]
    fn engines_with_masks_have_them_used_unless_hosts_are_to_choose() {
        let of = |settings: &[&str]| {
            let settings: Vec<String> = settings.iter().map(|&text| text.to_owned()).collect();
            let spec = parse_with("MKNS(2,4x4,2,1)", &settings).expect("a valid spec");
            spec.block.chooses_layers()
        };
        assert!(!of(&[]));
        assert!(of(&["routing=planes"]));
        assert!(!of(&["routing=planes", "layer_select=host"]));
        assert!(of(&["routing=planes", "layer_select=mask"]));
    }

    #[test]
    fn planes_have_a_layer_for_each_first_coordinate() {
        for (layers, expected) in [("2", 1), ("4", 0), ("5", 1)] {
            let layers = format!("layers={layers}");
            let found = codes("MKNS(2,4x4,2,1)", &["routing=planes", &layers]);
            assert_eq!(found, vec![Code::OutOfRange; expected], "{layers}");
        }
    }

    #[test]
    fn masks_that_nobody_fills_or_that_do_not_fit_are_refused() {
        assert_eq!(
            codes("MKNS(2,4x4,2,1)", &["layer_select=mask"]),
            [Code::NoMasks]
        );
        assert_eq!(
            codes(
                "MKNS(2,4x4,2,1)",
                &["layer_select=lottery", "routing=planes"]
            ),
            [Code::UnknownChoice]
        );
        let large = ["routing=planes"];
        assert_eq!(
            codes("MKNS(1,8x20x20x20,4,2)", &large),
            [Code::TableTooLarge]
        );
    }
}
