//! `mkns fpga SPEC --node BLOCK`: a block of a network and its links for a board of its own.

use clap::ValueEnum;

use super::CommandError;
use mkns_design::{BlockInstance, ModuleKind, Plan};
use mkns_diag::Code;
use mkns_fpga::{Board, MOST_PEERS, NODE_BOARDS, Node, NodeBoard, NodeLink, Pcie};
use mkns_spec::SerialLink;
use mkns_topology::{BlockId, CableKind, End};

/// What is plugged into the hosts' side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PcieChoice {
    /// Nothing: the node sends packets to the others and reports over the serial line
    None,
    /// Xilinx XDMA, AXI4-Stream mode
    Xdma,
}

/// What carries the links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LineChoice {
    /// Six wires each way between two boards without transceivers
    Ribbon,
    /// The FPGA's transceiver with 8b10b
    Serdes,
    /// Aurora 64B/66B, one lane a link
    #[value(name = "aurora64b66b")]
    Aurora64b66b,
}

/// What the command line says of a node.
pub struct NodeChoice<'a> {
    pub block: &'a str,
    pub pcie: Option<PcieChoice>,
    pub lines: Option<LineChoice>,
}

impl LineChoice {
    fn name(self) -> &'static str {
        match self {
            Self::Ribbon => "ribbon",
            Self::Serdes => "serdes",
            Self::Aurora64b66b => "aurora64b66b",
        }
    }
}

impl NodeChoice<'_> {
    /// The block of that name.
    pub fn instance<'p>(&self, plan: &'p Plan) -> Result<&'p BlockInstance, CommandError> {
        let found = plan.network.block_named(self.block);
        let found = found.map(|block| &plan.instances[block.0 as usize]);
        found.ok_or_else(|| {
            let fact = format!("`--node {}`: the network has no such block", self.block);
            let names = plan.network.blocks.iter().map(|block| block.name.as_str());
            let some: Vec<&str> = names.take(4).collect();
            let remedy = format!("give the name of a block, such as {}", some.join(", "));
            CommandError::new(Code::NoSuchBlock, fact, remedy)
        })
    }

    /// The node of an instance, when the board can carry it.
    pub fn node<'a>(
        &self,
        plan: &'a Plan,
        instance: &BlockInstance,
        board: &Board,
        parameters: &'a [(String, String)],
        sources: &'a [(String, String)],
    ) -> Result<Node<'a>, CommandError> {
        let place = self.place(board)?;
        let module = &plan.modules[instance.module];
        self.ensure_block_fits(module)?;
        let links = links(plan, instance.block)?;
        if links.is_empty() || links.len() > place.links {
            let fact = format!(
                "{} has {} cables, and {} has connectors for 1 to {}",
                self.block,
                links.len(),
                board.name,
                place.links
            );
            return Err(refused(
                fact,
                "take a block with fewer cables, or another board",
            ));
        }
        let pcie = self.pcie(module.pcie_ports, board)?;
        let others = plan.instances.iter().filter(|other| {
            let kind = plan.modules[other.module].kind;
            kind == ModuleKind::Adapter && other.block != instance.block
        });
        let block = &plan.network.blocks[instance.block.0 as usize];
        Ok(Node {
            module,
            name: &block.name,
            number: instance.block.0,
            network: &plan.network.name,
            parameters,
            sources,
            ticks: ticks(plan, place),
            line_flits: plan.spec.link.clone().unwrap_or_default().receive_flits,
            links,
            address: instance.node_address,
            peers: (others.map(|other| other.node_address))
                .take(MOST_PEERS)
                .collect(),
            pcie,
            place,
        })
    }

    /// How the board carries links.
    fn place(&self, board: &Board) -> Result<&'static NodeBoard, CommandError> {
        let place = NodeBoard::named(board.name).ok_or_else(|| {
            let fact = format!("{} has no lines for links", board.name);
            let names: Vec<_> = NODE_BOARDS.iter().map(|place| place.board).collect();
            refused(fact, &format!("give one of {}", names.join(", ")))
        })?;
        match self.lines.map(LineChoice::name) {
            Some(wanted) if wanted != place.line_name => {
                let fact = format!("`--links {wanted}`: {} has none", board.name);
                let remedy = format!("leave `--links` out, or give `--links {}`", place.line_name);
                Err(refused(fact, &remedy))
            }
            _ => Ok(place),
        }
    }

    fn ensure_block_fits(&self, module: &mkns_design::BlockModule) -> Result<(), CommandError> {
        let block = &module.parameters;
        if module.kind.is_rok() {
            let fact = format!("{} is a {} block", self.block, module.kind.name());
            return Err(refused(fact, "nodes are switch and adapter blocks"));
        }
        let misfits = [
            ("flit_bits", block.flit_bits, 64..=64),
            ("virtual_channels", block.virtual_channels, 1..=2),
            ("pcie_bits", block.pcie_bits, 64..=64),
        ];
        for (name, value, range) in misfits {
            if !range.contains(&value) {
                let (low, high) = (range.start(), range.end());
                let fact = format!("block.{name} = {value}: nodes take {low} to {high}");
                return Err(refused(fact, &format!("set block.{name} to {high}")));
            }
        }
        Ok(())
    }

    fn pcie(&self, hosts: u32, board: &Board) -> Result<Pcie, CommandError> {
        if hosts == 0 {
            let fact = format!("{} has no hosts to test or to plug in", self.block);
            return Err(refused(fact, "take an adapter block"));
        }
        let place = self.place(board)?;
        let wanted = match self.pcie {
            None => place.pcie,
            Some(PcieChoice::None) => Pcie::None,
            Some(PcieChoice::Xdma) => Pcie::Xdma,
        };
        if wanted == place.pcie && (wanted == Pcie::None || hosts <= 4) {
            return Ok(wanted);
        }
        let fact = match wanted {
            _ if wanted == place.pcie => {
                format!("{} has {hosts} hosts, XDMA 4 channels", self.block)
            }
            Pcie::None => format!(
                "`--pcie none`: nodes on {} have hosts behind XDMA",
                board.name
            ),
            Pcie::Xdma => format!("`--pcie xdma`: {} has no such core", board.name),
        };
        Err(refused(fact, "leave `--pcie` out, or take another block"))
    }
}

/// For the flight that the spec tells, and at least for the board's lines, whose words may take several cycles.
fn ticks(plan: &Plan, place: &NodeBoard) -> [u32; 2] {
    let link = plan.spec.link.as_ref();
    let told = link.map_or(place.ticks, SerialLink::ticks);
    [0, 1].map(|which| told[which].max(place.ticks[which]))
}

/// Cables of a block, by port.
fn links(plan: &Plan, block: BlockId) -> Result<Vec<NodeLink>, CommandError> {
    let mut links = Vec::new();
    for cable in &plan.network.cables {
        let ends: [(End, End); 2] = [(cable.a, cable.b), (cable.b, cable.a)];
        for (own, peer) in ends.into_iter().filter(|(own, _)| own.block == block) {
            if cable.kind == CableKind::Simplex {
                let fact = "the block has cables for one direction".to_owned();
                return Err(refused(fact, "give a network with duplex cables"));
            }
            links.push(NodeLink {
                port: own.port.0,
                peer: plan.network.block(peer.block).name.clone(),
                peer_number: peer.block.0,
                peer_port: peer.port.0,
                is_first_end: own == cable.a,
            });
        }
    }
    links.sort_by_key(|link| link.port);
    Ok(links)
}

fn refused(fact: String, remedy: &str) -> CommandError {
    CommandError::new(Code::NodeDoesNotFitBoard, fact, remedy)
}
