//! The TOML file as plain types: source of the JSON schema and of written spec files.
//!
//! Reading does not go through these types, because it must place several errors at once (see
//! `file`); a test holds both to the same keys.

use schemars::{JsonSchema, Schema};
use serde::Serialize;

use super::distributed_switch::DistributedSwitchTable;
use super::fat_tree::FatTreeTable;
use super::grid::GridTable;
use super::mkns::MknsTable;
use super::{BlockParameters, NetworkSpec};

/// A spec file of mkns: a network and the parameters of its blocks.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct SpecFile {
    /// Name of the design and of its output folder; made from the network when absent.
    #[schemars(regex(pattern = r"^[a-z][a-z0-9_]*$"), length(min = 1, max = 64))]
    name: Option<String>,
    network: NetworkEntry,
    #[serde(default)]
    block: BlockParameters,
}

/// The network: a notation, or a table that spells it out.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum NetworkEntry {
    /// `MKNS(M,K,N,S)` or the notation of another kind; d is the default.
    Notation(String),
    Mkns(MknsTable),
    Grid(GridTable),
    DistributedSwitch(DistributedSwitchTable),
    FatTree(FatTreeTable),
}

/// The JSON schema of a spec file.
pub fn json_schema() -> Schema {
    schemars::schema_for!(SpecFile)
}

/// A spec as a file: the network in notation where that says everything.
pub(super) fn to_toml(spec: &NetworkSpec) -> String {
    let kind = spec.kind.kind();
    let network = if kind.ports() == kind.default_ports() {
        NetworkEntry::Notation(kind.notation())
    } else {
        kind.table()
    };
    let file = SpecFile {
        name: Some(spec.name.clone()),
        network,
        block: spec.block.clone(),
    };
    toml::to_string(&file).expect("a spec holds strings, numbers and tables only")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::block::{FLAGS, NUMBERS, SWITCHING};
    use super::super::legal::{DIMENSIONS, Legal, PORTS, SIZES, VMS_PER_NODE};
    use super::*;

    fn schema() -> Value {
        json_schema().to_value()
    }

    /// What the schema of a number must say for its legal values.
    fn assert_legal(schema: &Value, legal: Legal, keys: [&str; 2], what: &str) {
        match legal {
            Legal::Range(low, high) => {
                assert_eq!(schema[keys[0]], json!(low), "{what}");
                let written = schema[keys[1]].as_u64();
                let unlimited = high == u32::MAX && written.is_none();
                assert!(unlimited || written == Some(u64::from(high)), "{what}");
            }
            Legal::OneOf(values) => assert_eq!(schema["enum"], json!(values), "{what}"),
            Legal::PowerOfTwo(low, high) => {
                let powers = (0..32)
                    .map(|bit| 1u32 << bit)
                    .filter(|n| (low..=high).contains(n));
                assert_eq!(schema["enum"], json!(powers.collect::<Vec<_>>()), "{what}");
            }
        }
    }

    #[test]
    fn block_schema_has_the_keys_and_limits_that_the_reader_knows() {
        let schema = schema();
        let properties = &schema["$defs"]["BlockParameters"]["properties"];
        let mut known: Vec<&str> = NUMBERS.iter().map(|number| number.name).collect();
        known.extend(FLAGS.iter().map(|flag| flag.name));
        known.push(SWITCHING);
        known.sort_unstable();
        let mut keys: Vec<&String> = properties.as_object().expect("an object").keys().collect();
        keys.sort_unstable();
        assert_eq!(keys, known);
        for number in NUMBERS {
            let property = &properties[number.name];
            assert_legal(property, number.legal, ["minimum", "maximum"], number.name);
        }
    }

    #[test]
    fn network_schema_has_the_limits_of_validation() {
        let schema = schema();
        let table = &schema["$defs"]["MknsTable"]["properties"];
        let limits = ["minimum", "maximum"];
        assert_legal(&table["vms_per_node"], VMS_PER_NODE, limits, "vms_per_node");
        assert_legal(&table["ports"], PORTS, limits, "ports");
        assert_legal(
            &table["dimensions"],
            DIMENSIONS,
            ["minItems", "maxItems"],
            "dimensions",
        );
        let entry = &schema["$defs"]["DimensionEntry"]["properties"];
        assert_legal(&entry["size"], SIZES, limits, "size");
    }
}
