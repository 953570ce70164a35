//! The Verilog parameters of the block modules: the one place that knows their names.

use bitvec::prelude::*;

use super::literal::Literal;
use mkns_design::{BlockInstance, BlockModule, LayerChoice, ModuleKind, Plan, PokShape};
use mkns_routing::BlockTables;
use mkns_spec::Switching;

/// Name of the Verilog module behind a planned module.
pub fn module_name(kind: ModuleKind) -> &'static str {
    match kind {
        ModuleKind::Switch => "switch_block",
        ModuleKind::Adapter => "adapter_block",
        ModuleKind::Pok => "rok_block",
        ModuleKind::Terminal => "terminal_block",
    }
}

/// Overrides that turn a block's Verilog module into the planned one, name and value.
/// What differs from instance to instance (table contents, `STEP`, `NODE_ADDRESS`) is left out and
/// keeps its default of 0.
pub fn block_parameters(module: &BlockModule) -> Vec<(String, String)> {
    let mut list = shared_parameters(module);
    for (shape, n) in module.tables.iter().zip(0..) {
        list.push((format!("TABLE{n}_LSB"), shape.lsb.to_string()));
        list.push((format!("TABLE{n}_BITS"), shape.bits.to_string()));
    }
    if module.parameters.counter_start != 0 {
        let start = module.parameters.counter_start.to_string();
        list.push(("COUNTER_START".to_owned(), start));
    }
    list
}

/// Overrides that give a block its tables at power-up.
pub fn table_parameters(tables: &BlockTables) -> Vec<(String, String)> {
    let contents = tables.tables.iter().zip(0..).map(|(table, n)| {
        let words: Vec<u16> = table.entries.iter().map(|entry| entry.pack()).collect();
        (format!("TABLE{n}_INIT"), Literal::words(&words).to_string())
    });
    contents.collect()
}

/// Overrides that make a block of the network: as the network top sets them, by way of the node of its kind.
pub fn instance_parameters(plan: &Plan, instance: &BlockInstance) -> Vec<(String, String)> {
    let module = &plan.modules[instance.module];
    let mut list = block_parameters(module);
    let own = own_parameters(module, instance).into_iter();
    list.extend(own.map(|(name, value)| (name.to_owned(), value.to_string())));
    list.extend(table_parameters(&instance.tables));
    let of_nodes = [masks(instance), candidates(plan, instance)];
    let of_nodes = of_nodes.into_iter().flatten();
    list.extend(of_nodes.map(|(name, _, value)| (name.to_owned(), value.to_string())));
    list
}

/// What a block knows of every node address: parameter, bits, contents.
pub type OfNodes = (&'static str, usize, Literal);

/// The masks of a block that chooses layers.
pub fn masks(instance: &BlockInstance) -> Option<OfNodes> {
    let masks = &instance.layer_choice.as_ref()?.masks;
    Some(("MASKS_INIT", 8 * masks.len(), Literal::bytes(masks)))
}

/// The candidates of an adaptive block: entry a in bits `[d*a +: d]`.
pub fn candidates(plan: &Plan, instance: &BlockInstance) -> Option<OfNodes> {
    let module = &plan.modules[instance.module];
    let nodes = module.candidates()?.entries() as usize;
    let width = module.network_ports as usize;
    let mut bits = bitvec![0; width * nodes];
    for (entry, &ports) in bits.chunks_mut(width).zip(&instance.tables.candidates) {
        entry.store_le(ports);
    }
    let value = Literal::rows(&bits, width);
    Some(("CANDIDATES_INIT", bits.len(), value))
}

/// What an instance has of its own besides its tables and masks.
pub fn own_parameters(
    module: &BlockModule,
    instance: &BlockInstance,
) -> Vec<(&'static str, Literal)> {
    let mut list = Vec::new();
    if module.kind.has_hosts() {
        let address = Literal::hex(20, u64::from(instance.node_address));
        list.push(("NODE_ADDRESS", address));
    }
    list.extend(step(instance).map(|step| ("STEP", step)));
    let entries = instance.layer_choice.iter().map(layer_entry);
    list.extend(entries.map(|entries| ("LAYER_ENTRY", entries)));
    list
}

/// `STEP` of a block, unless it is the default of 0.
pub fn step(instance: &BlockInstance) -> Option<Literal> {
    let bits: BitVec = instance.tables.step.iter().flatten().collect();
    bits.any().then(|| Literal::bits(&bits))
}

/// `TURNS` of a block: bit i · `PORTS` + o.
fn turns(module: &BlockModule) -> Literal {
    let ports = module.core_ports() as usize;
    let pairs = (0..ports * ports).map(|bit| module.turns.contains(bit / ports, bit % ports));
    Literal::bits(&pairs.collect::<BitVec>())
}

/// `LAYER_ENTRY`: two bits a layer.
fn layer_entry(choice: &LayerChoice) -> Literal {
    let places = choice.entry_channels.iter().zip(0..);
    let value = places.map(|(channel, layer): (&u32, u32)| u64::from(channel & 3) << (2 * layer));
    Literal::hex(16, value.sum())
}

/// [`block_parameters`] without the table shapes: the same for all modules of a kind.
pub fn shared_parameters(module: &BlockModule) -> Vec<(String, String)> {
    let mut list = match module.pok {
        Some(shape) => pok_parameters(module, shape),
        None => switch_parameters(module),
    };
    if module.kind.has_hosts() {
        list.push(("HOST_CHANNELS", module.host_channels()));
        list.push(("PCIE_WIDTH", module.parameters.pcie_bits));
        list.push(("HOST_TIMEOUT", module.parameters.host_timeout));
        list.push(("FIELDS", module.layout.fields.len() as u32));
    }
    if let Some(masks) = module.masks {
        list.extend([("PATHS", 1), ("MASK_BITS", masks.bits)]);
    }
    if let Some(nodes) = module.candidates() {
        list.extend([
            ("ADAPTIVE", 1),
            ("CANDIDATE_LSB", nodes.lsb),
            ("CANDIDATE_BITS", nodes.bits),
        ]);
    }
    let mut list: Vec<(String, String)> = list
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_string()))
        .collect();
    if module.pok.is_none() {
        list.push(("TURNS".to_owned(), turns(module).to_string()));
    }
    if module.kind.has_hosts() {
        for (field, n) in module.layout.fields.iter().zip(0..) {
            list.push((format!("FIELD{n}_LSB"), field.offset.to_string()));
            list.push((format!("FIELD{n}_BITS"), field.bits.to_string()));
            list.push((format!("FIELD{n}_SIZE"), field.size.to_string()));
        }
    }
    list
}

/// Of blocks around a splitter and a combiner.
fn pok_parameters(module: &BlockModule, shape: PokShape) -> Vec<(&'static str, u32)> {
    let block = &module.parameters;
    let mut list = vec![("BRANCHES", shape.branches)];
    if module.kind == ModuleKind::Terminal {
        list.push(("PCIE_PORTS", module.pcie_ports));
        list.push(("MAX_PACKET_FLITS", block.max_packet_flits));
    } else {
        list.push(("PARALLEL", u32::from(shape.parallel)));
    }
    list.extend([
        ("FIELD_BITS", shape.field_bits),
        ("DATA_WIDTH", block.flit_bits),
        ("VCS", block.virtual_channels),
        ("RX_BUFFER_FLITS", block.rx_buffer_flits),
        ("LAYERS", block.layers),
        ("CONTROL_PORT", u32::from(block.control_port)),
        ("COUNTERS", u32::from(block.counters)),
    ]);
    list
}

/// Of blocks around a switch core.
fn switch_parameters(module: &BlockModule) -> Vec<(&'static str, u32)> {
    let block = &module.parameters;
    let flag = u32::from;
    let mut list = match module.kind {
        ModuleKind::Adapter => vec![
            ("NETWORK_PORTS", module.network_ports),
            ("PCIE_PORTS", module.pcie_ports),
        ],
        _ => vec![("PORTS", module.network_ports)],
    };
    list.extend([
        ("DATA_WIDTH", block.flit_bits),
        ("VCS", block.virtual_channels),
        ("RX_BUFFER_FLITS", block.rx_buffer_flits),
        ("QUEUE_FLITS", block.queue_flits),
        ("BANKS", block.banks),
        ("MAX_PACKET_FLITS", block.max_packet_flits),
        ("SWITCHING_VCT", flag(block.switching == Switching::Vct)),
        ("LAYERS", block.layers),
        ("STEPS", flag(module.has_step())),
        ("ALTERNATES", flag(module.alternates)),
        ("CONTROL_PORT", flag(block.control_port)),
        ("COUNTERS", flag(block.counters)),
        ("TABLES", module.tables.len() as u32),
    ]);
    list
}

/// Bits of one direction of a link: {credit, bad, last, vc, valid, data}.
pub fn link_bits(module: &BlockModule) -> u32 {
    let block = &module.parameters;
    block.flit_bits + module.virtual_channel_bits() + 3 + block.virtual_channels
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_design as design;
    use mkns_spec as spec;

    /// A network in which every kind of parameter differs from block to block.
    #[test]
    fn an_instance_has_its_tables_its_address_and_its_steps() {
        let spec = spec::parse("torus(5x5)").expect("the notation is valid");
        let plan = design::build(&spec).expect("the network can be built");
        let of = |number: usize| instance_parameters(&plan, &plan.instances[number]);
        let value = |list: &[(String, String)], name: &str| {
            let found = list.iter().find(|(other, _)| other == name);
            found.unwrap_or_else(|| panic!("no {name}")).1.clone()
        };
        let (first, next) = (of(0), of(1));
        for name in ["TABLE0_INIT", "NODE_ADDRESS", "STEP"] {
            let values = [&first, &next].map(|list| value(list, name));
            assert_ne!(values[0], values[1], "{name}");
        }
        assert_eq!(value(&first, "VCS"), value(&next, "VCS"));
        assert!(first.iter().all(|(name, _)| name != "ADAPTIVE"));
        assert_eq!(value(&next, "NODE_ADDRESS"), "20'h00001");
    }

    /// Every block knows the ports to every node: none to itself, one or more to the others.
    #[test]
    fn an_adaptive_instance_has_its_candidates() {
        let setting = ["routing=adaptive".to_owned()];
        let spec = spec::parse_with("random_shortcut(8,3,2)", &setting).expect("valid");
        let plan = design::build(&spec).expect("the network can be built");
        for (number, instance) in plan.instances.iter().enumerate() {
            let list = instance_parameters(&plan, instance);
            let value = |name: &str| {
                let found = list.iter().find(|(other, _)| other == name);
                found.unwrap_or_else(|| panic!("no {name}")).1.clone()
            };
            assert_eq!(value("ADAPTIVE"), "1");
            assert_eq!(
                [value("CANDIDATE_LSB"), value("CANDIDATE_BITS")],
                ["1", "3"]
            );
            let init = value("CANDIDATES_INIT");
            let bits = init
                .strip_prefix("24'h")
                .expect("three bits for each of eight nodes");
            let bits = u32::from_str_radix(bits, 16).expect("digits");
            let entry = |node: usize| bits >> (3 * node) & 7;
            assert!(
                (0..8).all(|node| (entry(node) == 0) == (node == number)),
                "{init}"
            );
        }
    }
}
