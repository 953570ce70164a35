//! From a spec to the [`Plan`]: graph, tables, and the few distinct modules behind many blocks.
//!
//! Linear in the number of blocks: 10,400 take well under a second.

use std::path::Path;

use super::plan::{BlockInstance, Plan};
use super::serial_link::serial_ports;
use super::supported::{Purpose, ensure_supported};
use mkns_contract::{BlockModule, LayerChoice, ModuleKind, NodeShape, PokShape, TableShape};
use mkns_diag::Diagnostic;
use mkns_routing as routing;
use mkns_routing::{AddressLayout, BlockTables, Routing, ServedPairs, TurnFinder, Turns};
use mkns_spec::{NetworkSpec, TurnSelect};
use mkns_topology as topology;
use mkns_topology::{Block, BlockId, BlockRole, Faults, Network};

/// Plans the network that a validated spec describes.
pub fn build(spec: &NetworkSpec) -> Result<Plan, Vec<Diagnostic>> {
    let network = topology::build(spec);
    ensure_supported(spec, &network, Purpose::Blocks)?;
    let routing = routing::build(spec, &network, &Faults::none());
    let routing = routing.map_err(|refusal| vec![*refusal])?;
    Ok(Plan::new(spec, network, routing))
}

impl Plan {
    /// Plans a network with given routes, for example rerouted around a fault. All modules of one
    /// kind share everything but their table shapes.
    pub fn new(spec: &NetworkSpec, network: Network, routing: Routing) -> Self {
        Self::with_faults(spec, network, Faults::none(), routing)
    }

    /// Plans a network in which parts have failed, with the routes around them.
    pub fn with_faults(
        spec: &NetworkSpec,
        network: Network,
        faults: Faults,
        routing: Routing,
    ) -> Self {
        // Where trains lead is known to who makes them.
        let served = (!faults.is_empty() && !spec.kind.has_trains())
            .then(|| ServedPairs::new(spec, &network, &faults, &routing));
        let turns = turns_of_kinds(spec, &network, &routing);
        let alternates = has_alternates(spec, &routing);
        let mut modules = Vec::new();
        let route_channels = routing.channels(spec);
        let mut choices: Vec<Option<LayerChoice>> = network
            .block_ids()
            .map(|block| layer_choice(spec, &network, &routing, block))
            .collect();
        let serial = serial_ports(spec, &network);
        let addresses = node_addresses(&routing.layout, &network);
        let blocks = network.blocks.iter().zip(routing.tables).enumerate();
        let instances: Vec<BlockInstance> = blocks
            .map(|(number, (block, tables))| BlockInstance {
                block: BlockId(number as u32),
                module: module_index(
                    &mut modules,
                    (spec, route_channels, serial[number]),
                    &routing.layout,
                    block,
                    &tables,
                ),
                node_address: addresses[number],
                tables,
                layer_choice: choices[number].take(),
            })
            .collect();
        for module in &mut modules {
            let own = turns.iter().find(|(kind, _)| *kind == module.kind);
            module.turns = own.map(|(_, turns)| turns.clone()).unwrap_or_default();
            module.alternates = alternates && !module.kind.is_pok();
        }
        Self {
            spec: spec.clone(),
            network,
            faults,
            routes_from: file_name(routing.from_file.as_deref()),
            served,
            layout: routing.layout,
            modules,
            blocks_between: None,
            instances,
        }
    }
}

/// The last part of the path of the file that tables are from.
fn file_name(path: Option<&str>) -> Option<String> {
    let name = Path::new(path?).file_name()?;
    Some(name.to_string_lossy().into_owned())
}

/// The module of a block: one that is already there when it fits, otherwise a new one.
fn module_index(
    modules: &mut Vec<BlockModule>,
    (spec, route_channels, serial_ports): (&NetworkSpec, u32, u32),
    layout: &AddressLayout,
    block: &Block,
    tables: &BlockTables,
) -> usize {
    let kind = kind_of(&block.role);
    let shapes = tables.tables.iter().map(|table| {
        let field = &layout.fields[table.field];
        TableShape {
            lsb: field.offset,
            bits: field.bits,
        }
    });
    let fits = |module: &BlockModule| {
        module.kind == kind
            && module.network_ports == u32::from(block.network_ports)
            && module.pcie_ports == u32::from(block.pcie_ports)
            && module.serial_ports == serial_ports
            && module.tables.iter().copied().eq(shapes.clone())
    };
    if let Some(index) = modules.iter().position(fits) {
        return index;
    }
    let ports = u32::from(block.network_ports);
    modules.push(match kind {
        ModuleKind::Pok => BlockModule::pok(PokShape::new(ports - 1, false), &spec.block),
        ModuleKind::Terminal => {
            let shape = PokShape::new(ports, block.pcie_ports > 1);
            BlockModule::terminal(shape, layout, &spec.block)
        }
        ModuleKind::Switch | ModuleKind::Adapter => BlockModule {
            kind,
            network_ports: ports,
            pcie_ports: u32::from(block.pcie_ports),
            pok: None,
            tables: shapes.collect(),
            masks: NodeShape::of_masks(&spec.block, layout).filter(|_| kind == ModuleKind::Adapter),
            serial_ports,
            route_channels,
            // Known when all tables are.
            turns: Turns::default(),
            alternates: false,
            parameters: spec.block.clone(),
            layout: layout.clone(),
        },
    });
    modules.len() - 1
}

/// The kind of module that a block is.
fn kind_of(role: &BlockRole) -> ModuleKind {
    match role {
        BlockRole::Adapter => ModuleKind::Adapter,
        BlockRole::Pok { .. } => ModuleKind::Pok,
        BlockRole::Terminal => ModuleKind::Terminal,
        _ => ModuleKind::Switch,
    }
}

/// The turns that the blocks of each kind with a switch core have: those that any of them needs. All modules of a kind
/// share everything but their table shapes.
pub fn turns_of_kinds(
    spec: &NetworkSpec,
    network: &Network,
    routing: &Routing,
) -> Vec<(ModuleKind, Turns)> {
    let finder = TurnFinder::new(spec, network, routing);
    let mut kinds: Vec<(ModuleKind, Turns)> = Vec::new();
    for id in network.block_ids() {
        let kind = kind_of(&network.block(id).role);
        if kind.is_pok() {
            continue;
        }
        let own = finder.of(id);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, turns)) => turns.extend(&own),
            None => kinds.push((kind, own)),
        }
    }
    kinds
}

/// Whether table entries may name an alternate port: where the tables do, or where other software may write them.
fn has_alternates(spec: &NetworkSpec, routing: &Routing) -> bool {
    let tables = routing.tables.iter().flat_map(|block| &block.tables);
    let mut entries = tables.flat_map(|table| &table.entries);
    spec.block.turns == TurnSelect::All || entries.any(|entry| entry.alternate.is_some())
}

/// The masks of an adapter block that chooses layers. Routes without masks, such as those of a file, use all layers.
fn layer_choice(
    spec: &NetworkSpec,
    network: &Network,
    routing: &Routing,
    block: BlockId,
) -> Option<LayerChoice> {
    let shape = NodeShape::of_masks(&spec.block, &routing.layout)?;
    if network.block(block).role != BlockRole::Adapter {
        return None;
    }
    let layers = spec.block.layers;
    Some(match &routing.paths {
        Some(paths) => LayerChoice {
            masks: paths.masks[block.0 as usize].clone(),
            entry_channels: paths.entry_channels.clone(),
        },
        None => LayerChoice {
            masks: vec![u8::MAX >> (8 - layers); shape.entries() as usize],
            ..LayerChoice::none(shape, layers)
        },
    })
}

/// By block, own destination address with PCIe field 0, number of a terminal; 0 on other blocks.
fn node_addresses(layout: &AddressLayout, network: &Network) -> Vec<u32> {
    let mut addresses = vec![0; network.blocks.len()];
    for host in network.hosts.iter().filter(|host| host.pcie_port == 0) {
        addresses[host.block.0 as usize] = match network.block(host.block).role {
            BlockRole::Terminal => host.block.0,
            _ => layout.address_of(host.host),
        };
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_spec as spec;

    fn plan(notation: &str) -> Plan {
        let spec = spec::parse(notation).expect("the notation is valid");
        build(&spec).expect("the network can be built")
    }

    #[test]
    fn many_blocks_share_one_module_for_each_place_in_the_network() {
        let plan = plan("MKNS(2,8x10x10,3,1)");
        assert_eq!(plan.instances.len(), 800 + 80 + 80);
        // adapter blocks, and switch blocks of y and of z, which look at different fields
        assert_eq!(plan.modules.len(), 3);
        let shapes = |index: usize| plan.modules[index].tables.len();
        assert_eq!([shapes(0), shapes(1), shapes(2)], [4, 1, 1]);
        assert_ne!(plan.modules[1].tables, plan.modules[2].tables);
    }

    #[test]
    fn adapter_blocks_know_their_own_address() {
        let plan = plan("MKNS(2,8x4,2,1)");
        let block = plan.network.block_named("ab_3_2_0_0").expect("it exists");
        // pcie 1 bit, x 3 bits, y 2 bits
        assert_eq!(
            plan.instances[block.0 as usize].node_address,
            3 << 1 | 2 << 4
        );
        let switch = plan.network.block_named("kb_y3").expect("it exists");
        assert_eq!(plan.instances[switch.0 as usize].node_address, 0);
    }

    #[test]
    fn blocks_have_alternates_where_tables_name_one_or_other_software_may() {
        let of = |plan: Plan| plan.modules.iter().any(|module| module.alternates);
        let mut spec = mkns_spec::parse("MKNS(2,4,2,1)").expect("a valid spec");
        assert!(!of(build(&spec).expect("a plan")));
        let network = topology::build(&spec);
        let mut routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
        routing.tables[3].tables[0].entries[1].alternate = Some(2);
        assert!(of(Plan::new(&spec, network, routing)));
        spec.block.turns = TurnSelect::All;
        assert!(of(build(&spec).expect("a plan")));
    }

    #[test]
    fn all_modules_of_a_kind_have_the_turns_that_one_of_their_blocks_needs() {
        let turns = |notation: &str, kind: ModuleKind| {
            let plan = plan(notation);
            let mut of_kind = plan.modules.iter().filter(|module| module.kind == kind);
            let first = of_kind.next().expect("the kind is there").turns.clone();
            assert!(of_kind.all(|module| module.turns == first), "{kind:?}");
            first
        };
        let of_adapters = turns("MKNS(2,8x10x3,3,1)", ModuleKind::Adapter);
        let of_switches = turns("MKNS(2,8x10x3,3,1)", ModuleKind::Switch);
        assert!((0..10).all(|port| !of_adapters.contains(port, port)));
        assert!(of_adapters.contains(10, 10), "a host and itself");
        assert_eq!(of_switches, Turns::between_all(10, 10), "ten blocks a line");
        let of_spines = turns("block_design(3,2,1)", ModuleKind::Switch);
        assert_eq!(
            of_spines,
            Turns::between_all(of_spines.rows().len() as u32, 0)
        );
    }

    #[test]
    fn the_key_tells_plans_apart_and_nothing_else() {
        let key = plan("MKNS(2,4,2,1)").key();
        assert_eq!(
            key,
            plan("MKNS(2,4x4,2,1)").key(),
            "the same network in other words"
        );
        assert_ne!(key, plan("MKNS(2,4,2,0)").key());
        let mut rerouted = plan("MKNS(2,4,2,1)");
        rerouted.instances[3].tables.tables[0].entries[0].port = 5;
        assert_ne!(key, rerouted.key(), "tables are part of the plan");
    }
}
