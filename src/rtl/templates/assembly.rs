//! `<name>_switch_assembly`: six switch blocks and the cables between them.

use askama::Template;

use super::instance::{
    CableInstance, Instance, Plug, VectorSlice, cable_parameters, connection_lines, declarations,
    link_connections, sliced_connections, unused_links,
};
use crate::assemblies::{Assembly, MEMBER_NAMES, MEMBERS};
use crate::names::{assembly_name, node_name};
use crate::parameters::link_bits;
use crate::verilog::{BitOf, Declaration, Direction, port_list};
use mkns_design::{BlockModule, Plan};
use mkns_topology::PortIndex;

#[derive(Template)]
#[template(path = "switch/switch_assembly.v")]
pub struct SwitchAssembly<'a> {
    name: String,
    node: String,
    banner: &'a str,
    cable_parameters: String,
    externals: u32,
    half: u32,
    parameters: String,
    ports: String,
    link_bits: u32,
    has_free_ports: bool,
    cables: Vec<CableInstance>,
    blocks: Vec<Instance>,
}

impl<'a> SwitchAssembly<'a> {
    /// The module for all assemblies, which are wired like this one.
    pub fn new(plan: &Plan, assembly: &Assembly, banner: &'a str) -> Self {
        let module = &plan.modules[plan.instances[assembly.first.0 as usize].module];
        let node = node_name(plan, module.kind);
        let half = module.network_ports / 2;
        let plugs = plugs(module, assembly);
        let cables = assembly.inner.iter().enumerate().map(|(number, cable)| {
            let (leaf, spine) = (MEMBER_NAMES[cable.leaf.0], MEMBER_NAMES[cable.spine.0]);
            let (up, down) = (cable.leaf.1.0, cable.spine.1.0);
            CableInstance {
                is_serial: false,
                name: format!("inner_{number}"),
                ends: format!("inner cable {number}: {leaf} port {up} - {spine} port {down}"),
                back: String::new(),
            }
        });
        Self {
            name: assembly_name(plan),
            banner,
            cable_parameters: cable_parameters(&plan.spec.block),
            externals: 4 * half,
            half,
            parameters: parameters(module).join(",\n"),
            ports: port_list(&ports(module, assembly)),
            link_bits: link_bits(module),
            has_free_ports: plugs.iter().any(|plugs| unused_links(plugs) > 0),
            cables: cables.collect(),
            blocks: (0..MEMBERS)
                .map(|member| block(module, &node, member, &plugs[member]))
                .collect(),
            node,
        }
    }
}

fn parameters(module: &BlockModule) -> Vec<String> {
    let shape = module.tables[0];
    let square = module.network_ports * module.network_ports;
    let bits = format!("16*({} << TABLE0_BITS)", module.parameters.layers);
    let mut list = vec![
        format!("    parameter TABLE0_LSB = {}", shape.lsb),
        format!("    parameter TABLE0_BITS = {}", shape.bits),
    ];
    for name in MEMBER_NAMES.map(str::to_uppercase) {
        list.push(format!("    parameter [{bits}-1:0] {name}_TABLE0_INIT = 0"));
        list.push(format!(
            "    parameter [{}:0] {name}_STEP = {square}'d0",
            square - 1
        ));
    }
    list
}

fn ports(module: &BlockModule, assembly: &Assembly) -> Vec<Declaration> {
    let externals = u64::from(module.network_ports / 2 * 4);
    let bundle = externals * u64::from(link_bits(module));
    let inner = assembly.inner.len() as u64;
    let mut list = vec![
        Declaration::new(Direction::Input, 1, "clk"),
        Declaration::new(Direction::Input, 1, "rst"),
        Declaration::new(Direction::Input, externals, "link_up"),
        Declaration::new(Direction::Input, inner, "inner_up"),
        Declaration::new(Direction::Input, bundle, "link_rx"),
        Declaration::new(Direction::Output, bundle, "link_tx"),
    ];
    list.extend(declarations(module, "s_axil_", MEMBERS as u64));
    list
}

/// What each port of each member is joined to.
fn plugs(module: &BlockModule, assembly: &Assembly) -> [Vec<Option<Plug>>; MEMBERS] {
    let half = module.network_ports / 2;
    let bit = |vector, index, count: usize| BitOf {
        vector,
        index,
        count: count as u64,
    };
    let mut plugs: [Vec<Option<Plug>>; MEMBERS] =
        std::array::from_fn(|_| vec![None; module.network_ports as usize]);
    for external in 0..4 * half {
        let bundle = |vector| {
            format!(
                "{vector}[{}*LINK_BITS-1:{external}*LINK_BITS]",
                external + 1
            )
        };
        plugs[(external / half) as usize][(external % half) as usize] = Some(Plug {
            rx: bundle("link_rx"),
            tx: bundle("link_tx"),
            up: bit("link_up", external, 4 * half as usize),
        });
    }
    for (cable, number) in assembly.inner.iter().zip(0..) {
        let up = bit("inner_up", number, assembly.inner.len());
        let name = format!("inner_{number}");
        let ends = [('a', cable.leaf), ('b', cable.spine)];
        for (end, (member, PortIndex(port))) in ends {
            plugs[member][usize::from(port)] = Some(Plug::cable(&name, end, up));
        }
    }
    plugs
}

fn block(module: &BlockModule, node: &str, member: usize, plugs: &[Option<Plug>]) -> Instance {
    let name = MEMBER_NAMES[member];
    let upper = name.to_uppercase();
    let parameters = vec![
        ".TABLE0_LSB(TABLE0_LSB)".to_owned(),
        ".TABLE0_BITS(TABLE0_BITS)".to_owned(),
        format!(".TABLE0_INIT({upper}_TABLE0_INIT)"),
        format!(".STEP({upper}_STEP)"),
    ];
    let share = VectorSlice {
        first: member as u64,
        number: 1,
        count: MEMBERS as u64,
    };
    let clock = vec![".clk(clk)".to_owned(), ".rst(rst)".to_owned()];
    let mut groups = vec![clock];
    groups.extend(link_connections(name, plugs));
    groups.push(sliced_connections(module, "s_axil_", share));
    Instance {
        label: name.replace("leaf", "leaf ").replace("spine", "spine "),
        module: node.to_owned(),
        name: name.to_owned(),
        parameters: connection_lines(&[parameters]),
        connections: connection_lines(&groups),
        unused_links: unused_links(plugs),
    }
}
