//! The instances of the network top: adapter blocks, switch blocks, assemblies.

use super::board::{line_connections, peer_list};
use super::instance::{
    Group, INSTANCE_INDENT, Instance, Plug, VectorSlice, connection_lines, link_connections,
    sliced_connections, unused_links,
};
use crate::assemblies::{Assembly, MEMBER_NAMES, MEMBERS};
use crate::layout::wrap;
use crate::names::{assembly_name, board_name, node_name};
use crate::node_constants::NodeConstants;
use crate::parameters::{own_parameters, step};
use crate::tables::TableConstants;
use crate::verilog::{BitOf, picked_bits};
use mkns_design::{BlockInstance, BlockModule, Plan};
use mkns_topology::{BlockId, BlockRole, CableKind, End, Network, NetworkIndex, PortIndex};

/// What the instances are made from.
pub struct TopBlocks<'a> {
    pub plan: &'a Plan,
    pub index: &'a NetworkIndex,
    pub assemblies: &'a [Assembly],
    pub tables: &'a TableConstants,
    /// Masks and candidates.
    pub of_nodes: [&'a NodeConstants; 2],
}

impl TopBlocks<'_> {
    /// Adapter blocks or terminals, then switches by dimension or cascade.
    pub fn groups(&self) -> Vec<Group<Instance>> {
        let mut groups = vec![
            Group {
                title: "Adapter blocks".to_owned(),
                members: self.blocks_where(|role| *role == BlockRole::Adapter),
            },
            Group {
                title: "Terminals".to_owned(),
                members: self.blocks_where(|role| *role == BlockRole::Terminal),
            },
        ];
        for dimension in 1..=self.plan.network.dimensions() {
            groups.push(Group {
                title: format!("Switch blocks of dimension {dimension}"),
                members: self.blocks_where(|role| *role == BlockRole::Switch { dimension }),
            });
            let assemblies = self.assemblies.iter();
            let wanted = assemblies.filter(|assembly| assembly.dimension == dimension);
            groups.push(Group {
                title: format!("Switch assemblies of dimension {dimension}"),
                members: wanted.map(|assembly| self.assembly(assembly)).collect(),
            });
            groups.push(Group {
                title: format!("Switch blocks of stage {dimension}"),
                members: self.blocks_where(|role| *role == BlockRole::Stage { stage: dimension }),
            });
        }
        for cascade in 2..=self.plan.network.dimensions() {
            groups.push(Group {
                title: format!("POK units of cascade {cascade}"),
                members: self.blocks_where(|role| *role == BlockRole::Pok { cascade }),
            });
        }
        groups.push(Group {
            title: "Spine switches".to_owned(),
            members: self.blocks_where(|role| *role == BlockRole::Spine),
        });
        groups.retain(|group| !group.members.is_empty());
        groups
    }

    fn blocks_where(&self, wanted: impl Fn(&BlockRole) -> bool) -> Vec<Instance> {
        let instances = self.plan.instances.iter();
        instances
            .filter(|instance| wanted(&self.plan.network.block(instance.block).role))
            .map(|instance| self.block(instance))
            .collect()
    }

    fn block(&self, instance: &BlockInstance) -> Instance {
        let plan = self.plan;
        let block = plan.network.block(instance.block);
        let module = &plan.modules[instance.module];
        let plugs: Vec<_> = (0..block.network_ports)
            .map(|port| self.plug(instance.block, port))
            .collect();
        let node = u64::from(instance.block.0);
        let share = |count: usize| VectorSlice {
            first: node,
            number: 1,
            count: count as u64,
        };
        let mut groups = vec![vec![".clk(clk)".to_owned(), ".rst(rst)".to_owned()]];
        groups.extend(line_connections(instance, module));
        groups.extend(link_connections(&block.name, &plugs));
        if module.kind.has_hosts() {
            let hosts = blocks_with_hosts(&plan.network);
            for prefix in ["s_axis_pcie_", "m_axis_pcie_"] {
                groups.push(sliced_connections(module, prefix, share(hosts)));
            }
        }
        groups.push(sliced_connections(
            module,
            "s_axil_",
            share(plan.network.blocks.len()),
        ));
        Instance {
            label: block.label(),
            module: match module.serial_ports {
                0 => node_name(plan, module.kind),
                _ => board_name(plan, module),
            },
            name: block.name.clone(),
            parameters: connection_lines(&self.parameters(instance, module)),
            connections: connection_lines(&groups),
            unused_links: unused_links(&plugs),
        }
    }

    fn parameters(&self, instance: &BlockInstance, module: &BlockModule) -> Vec<Vec<String>> {
        let own = own_parameters(module, instance).into_iter();
        let own = own.map(|(name, value)| format!(".{name}({value})"));
        let mut groups = vec![own.collect()];
        let peers = peer_list(self.index, instance, module);
        groups.extend(peers.map(|peers| vec![format!(".EXPECTED_PEERS({peers})")]));
        groups.extend(self.shapes(module));
        let names = self.tables.names(instance.block.0 as usize);
        let tables = names.zip(0..);
        groups.push(
            tables
                .map(|(name, n)| format!(".TABLE{n}_INIT({name})"))
                .collect(),
        );
        let of_nodes = self.of_nodes.iter();
        let of_nodes = of_nodes.filter_map(|constants| constants.of(instance.block.0 as usize));
        groups.push(
            of_nodes
                .map(|(parameter, name)| format!(".{parameter}({name})"))
                .collect(),
        );
        groups
    }

    /// Table shapes where modules of the kind differ in them.
    fn shapes(&self, module: &BlockModule) -> Option<Vec<String>> {
        let mut others = self.plan.modules.iter();
        let differs =
            |other: &BlockModule| other.kind == module.kind && other.tables != module.tables;
        others.any(differs).then(|| {
            let shapes = module.tables.iter().zip(0..);
            let parameters = shapes.flat_map(|(shape, n): (_, u32)| {
                [
                    format!(".TABLE{n}_LSB({})", shape.lsb),
                    format!(".TABLE{n}_BITS({})", shape.bits),
                ]
            });
            parameters.collect()
        })
    }

    /// The cable at a port.
    fn plug(&self, block: BlockId, port: u8) -> Option<Plug> {
        let port = PortIndex(port);
        let own = End { block, port };
        let link = self.index.link(own)?;
        let cable = self.plan.network.cables[link.cable as usize];
        if cable.kind == CableKind::Simplex {
            let receives = self.index.receives_from(own)?;
            let (sends, receives) = (cable_name(link.cable), cable_name(receives.cable));
            let up = self.cable_up(link.cable);
            return Some(Plug::simplex(&sends, &receives, up));
        }
        let end = if cable.a == own { 'a' } else { 'b' };
        Some(Plug::cable(
            &cable_name(link.cable),
            end,
            self.cable_up(link.cable),
        ))
    }

    fn cable_up(&self, cable: u32) -> BitOf {
        BitOf {
            vector: "cable_up",
            index: cable,
            count: self.plan.network.cables.len() as u64,
        }
    }

    fn assembly(&self, assembly: &Assembly) -> Instance {
        let plan = self.plan;
        let first = assembly.first.0;
        let module = &plan.modules[plan.instances[first as usize].module];
        let half = (module.network_ports / 2) as u8;
        let plugs: Vec<_> = (0..4 * half)
            .map(|port| self.plug(BlockId(first + u32::from(port / half)), port % half))
            .collect();
        let share = VectorSlice {
            first: u64::from(first),
            number: MEMBERS as u64,
            count: plan.network.blocks.len() as u64,
        };
        let inner: Vec<_> = (assembly.inner.iter().rev())
            .map(|cable| Some(self.cable_up(cable.cable)))
            .collect();
        let inner = wrap(
            ".inner_up({",
            &picked_bits(&inner),
            "})",
            INSTANCE_INDENT,
            INSTANCE_INDENT + 4,
        );
        let mut groups = vec![vec![".clk(clk)".to_owned(), ".rst(rst)".to_owned()]];
        groups.push(vec![inner]);
        groups.extend(link_connections(&assembly.name, &plugs));
        groups.push(sliced_connections(module, "s_axil_", share));
        let block = plan.network.block(assembly.first);
        Instance {
            label: block.label().trim_end_matches(" leaf 0").to_owned(),
            module: assembly_name(plan),
            name: assembly.name.clone(),
            parameters: connection_lines(&self.assembly_parameters(assembly, module)),
            connections: connection_lines(&groups),
            unused_links: unused_links(&plugs),
        }
    }

    fn assembly_parameters(&self, assembly: &Assembly, module: &BlockModule) -> Vec<Vec<String>> {
        let shapes = self.shapes(module).into_iter();
        let members = assembly.members().zip(MEMBER_NAMES.map(str::to_uppercase));
        let of_member = |(block, member): (BlockId, String)| {
            let number = block.0 as usize;
            let tables = self.tables.names(number).zip(0..);
            let tables =
                tables.map(|(name, n): (_, u32)| format!(".{member}_TABLE{n}_INIT({name})"));
            let step = step(&self.plan.instances[number]);
            let step = step.map(|step| format!(".{member}_STEP({step})"));
            tables.chain(step).collect()
        };
        shapes.chain(members.map(of_member)).collect()
    }
}

/// Blocks that hosts are plugged into; they come first.
pub fn blocks_with_hosts(network: &Network) -> usize {
    network.blocks.partition_point(|block| block.pcie_ports > 0)
}

/// Instance name of a cable.
pub fn cable_name(number: u32) -> String {
    format!("cable_{number}")
}
