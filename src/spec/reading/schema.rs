//! The TOML file as plain types: source of the JSON schema and of written spec files.
//!
//! Reading does not go through these types, because it must place several errors at once (see
//! `file`); a test holds both to the same keys.

use schemars::{JsonSchema, Schema};
use serde::Serialize;

use super::distributed_switch::DistributedSwitchTable;
use super::fat_tree::FatTreeTable;
use super::grid::GridTable;
use crate::data::{
    BlockParameters, LinkKind, LoopSpec, MknsSpec, NetworkKind, NetworkSpec, RandomShortcutSpec,
    SerialLink, SlimFlySpec,
};

/// A spec file of mkns: a network and the parameters of its blocks.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct SpecFile {
    /// Name of the design and of its output folder; made from the network when absent.
    #[schemars(regex(pattern = r"^[a-z][a-z0-9_]*$"), length(min = 1, max = 64))]
    name: Option<String>,
    network: NetworkEntry,
    /// Name of the routing engine; the network's kind decides when absent.
    routing: Option<String>,
    /// Of routing = "adaptive", the engine of the escape; the network's kind decides when absent.
    escape: Option<String>,
    #[serde(default)]
    block: BlockParameters,
    /// Links between blocks: `parallel` when absent.
    link: Option<LinkEntry>,
}

/// Links between blocks: their kind, or a table of serial ones.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum LinkEntry {
    Kind(LinkKind),
    Serial(SerialLink),
}

/// The network: a notation, or a table that spells it out.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum NetworkEntry {
    /// `MKNS(M,K,N,S)` or the notation of another kind; d is the default.
    Notation(String),
    Mkns(#[schemars(with = "MknsSpec")] OfKind<MknsSpec>),
    Grid(GridTable),
    DistributedSwitch(DistributedSwitchTable),
    FatTree(FatTreeTable),
    SlimFly(#[schemars(with = "SlimFlySpec")] OfKind<SlimFlySpec>),
    RandomShortcut(#[schemars(with = "RandomShortcutSpec")] OfKind<RandomShortcutSpec>),
    Loop(#[schemars(with = "LoopSpec")] OfKind<LoopSpec>),
}

/// The parameters of a network behind the name of its kind.
#[derive(Debug, Serialize)]
pub struct OfKind<T> {
    kind: &'static str,
    #[serde(flatten)]
    spec: T,
}

/// The JSON schema of a spec file.
pub fn json_schema() -> Schema {
    schemars::schema_for!(SpecFile)
}

/// The table that spells the network out.
impl From<&NetworkKind> for NetworkEntry {
    fn from(network: &NetworkKind) -> Self {
        match network {
            NetworkKind::Mkns(spec) => Self::Mkns(of_kind("mkns", spec)),
            NetworkKind::Grid(spec) => Self::Grid(spec.into()),
            NetworkKind::DistributedSwitch(spec) => Self::DistributedSwitch(spec.into()),
            NetworkKind::FatTree(spec) => Self::FatTree(spec.into()),
            NetworkKind::SlimFly(spec) => Self::SlimFly(of_kind("slim_fly", spec)),
            NetworkKind::RandomShortcut(spec) => {
                Self::RandomShortcut(of_kind("random_shortcut", spec))
            }
            NetworkKind::Loop(spec) => Self::Loop(of_kind("dln", spec)),
        }
    }
}

fn of_kind<T: Clone>(kind: &'static str, spec: &T) -> OfKind<T> {
    let spec = spec.clone();
    OfKind { kind, spec }
}

impl NetworkSpec {
    /// The spec as a TOML document that [`parse_toml`](crate::parse_toml) reads back as equal: the network in
    /// notation where that says everything.
    pub fn to_toml(&self) -> String {
        let kind = self.kind.kind();
        let network = if kind.notation_says_all() {
            NetworkEntry::Notation(kind.notation())
        } else {
            NetworkEntry::from(&self.kind)
        };
        let file = SpecFile {
            name: Some(self.name.clone()),
            network,
            routing: (!self.has_default_engine()).then(|| self.routing.clone()),
            escape: self.escape.clone(),
            block: self.block.clone(),
            link: self
                .link
                .clone()
                .map(|link| match link == SerialLink::default() {
                    true => LinkEntry::Kind(link.kind),
                    false => LinkEntry::Serial(link),
                }),
        };
        toml::to_string(&file).expect("a spec holds strings, numbers and tables only")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::data::{
        DIMENSIONS, FLAGS, LAYER_SELECT, LINK_DIMENSIONS, LINK_KIND, LINK_MANAGEMENT, LINK_NUMBERS,
        Limits, NUMBERS, Number, PORTS, SIZES, SWITCHING, TURNS, VMS_PER_NODE,
    };

    fn schema() -> Value {
        json_schema().to_value()
    }

    /// What the schema of a number must say for its legal values.
    fn assert_legal(schema: &Value, limits: Limits, keys: [&str; 2], what: &str) {
        match limits {
            Limits::Range(low, high) => {
                assert_eq!(schema[keys[0]], json!(low), "{what}");
                assert_eq!(schema[keys[1]], json!(high), "{what}");
            }
            Limits::OneOf(values) => assert_eq!(schema["enum"], json!(values), "{what}"),
            Limits::PowerOfTwo(low, high) => {
                let powers = (0..32)
                    .map(|bit| 1u32 << bit)
                    .filter(|n| (low..=high).contains(n));
                assert_eq!(schema["enum"], json!(powers.collect::<Vec<_>>()), "{what}");
            }
        }
    }

    /// A table has the keys of its numbers and these others, and the numbers their limits.
    fn assert_keys<T>(table: &str, numbers: &[Number<T>], others: &[&'static str]) {
        let schema = schema();
        let properties = &schema["$defs"][table]["properties"];
        let mut known: Vec<&str> = numbers.iter().map(|number| number.name).collect();
        known.extend(others);
        known.sort_unstable();
        let mut keys: Vec<&String> = properties.as_object().expect("an object").keys().collect();
        keys.sort_unstable();
        assert_eq!(keys, known);
        for number in numbers {
            let property = &properties[number.name];
            assert_legal(property, number.limits, ["minimum", "maximum"], number.name);
        }
    }

    #[test]
    fn schemas_of_tables_have_the_keys_and_limits_that_the_reader_knows() {
        let flags = FLAGS.iter().map(|flag| flag.name);
        let others: Vec<&str> = flags.chain([SWITCHING, LAYER_SELECT, TURNS]).collect();
        assert_keys("BlockParameters", &NUMBERS, &others);
        assert_keys(
            "SerialLink",
            &LINK_NUMBERS,
            &[LINK_KIND, LINK_DIMENSIONS, LINK_MANAGEMENT],
        );
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
