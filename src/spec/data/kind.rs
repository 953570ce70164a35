//! What every kind of network says about itself.
//!
//! A kind is a variant of [`NetworkKind`](super::NetworkKind) whose parameters implement [`Kind`].
//! `docs/how-to/add-a-network-kind.md` lists the steps to a new one.

use schemars::Schema;
use serde_json::{Value, json};

/// The parameters of one kind of network.
pub trait Kind {
    /// The canonical notation; it implies the default number of ports.
    fn notation(&self) -> String;

    /// M: hosts per adapter block.
    fn vms_per_node(&self) -> u32;

    /// d: network ports of a block.
    fn ports(&self) -> u32;

    /// Ports of the smallest switch core, PCIe-side ports of an adapter block included where that is
    /// the smallest.
    fn smallest_core(&self) -> u32 {
        self.ports()
    }

    /// d where the notation says nothing else.
    fn default_ports(&self) -> u32 {
        self.ports()
    }

    /// Address fields behind the PCIe port: name and number of values of each coordinate, or one
    /// node number where tables are flat.
    fn node_fields(&self) -> Vec<(&'static str, u32)>;

    /// Dimensions, or levels, that cables are numbered by: 1 to this.
    fn cable_dimensions(&self) -> u32 {
        self.node_fields().len() as u32
    }

    /// Whether the notation says all parameters of the network.
    fn notation_says_all(&self) -> bool {
        self.ports() == self.default_ports()
    }

    /// The notation as a name, `mkns_2_8x4_2_0`; `_d8` follows when d is not the default.
    fn default_name(&self) -> String {
        let name = self.notation().to_lowercase();
        let name = name.replace(['(', ','], "_").replace(')', "");
        if self.ports() == self.default_ports() {
            name
        } else {
            format!("{name}_d{}", self.ports())
        }
    }
}

/// `8x4x4`.
pub fn x_list(values: &[u32]) -> String {
    let values: Vec<String> = values.iter().map(u32::to_string).collect();
    values.join("x")
}

/// Adds the key `kind` of this name, which is no parameter, to the schema of a kind's table.
pub fn schema_of_kind(name: &'static str) -> impl FnMut(&mut Schema) {
    move |schema| {
        add_property(schema, json!({ "type": "string", "const": name }));
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.insert(0, json!("kind"));
        }
    }
}

/// As [`schema_of_kind`] for MKNS, whose table needs no `kind`.
pub fn schema_of_first_kind(schema: &mut Schema) {
    let description = "Family of networks, `mkns` when absent.";
    let kind = json!({ "description": description, "type": ["string", "null"], "enum": ["mkns"] });
    add_property(schema, kind);
}

fn add_property(schema: &mut Schema, kind: Value) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert("kind".to_owned(), kind);
    }
}
