//! `mkns fpga SPEC --block BLOCK`: a block of a network and its links for a board of its own. With `--shared` it stands for
//! all blocks of its kind.

use clap::ValueEnum;

use super::CommandError;
use super::fpga_cables::{links, refused};
use super::fpga_shared::SharedBlock;
use mkns_design::address::UNNUMBERED;
use mkns_design::{BlockInstance, ModuleKind, Plan};
use mkns_diag::Code;
use mkns_fpga::{Board, LinkCore, MOST_PEERS, NODE_BOARDS, Node, NodeBoard, Pcie};
use mkns_spec::SerialLink;

/// What is plugged into the hosts' side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PcieChoice {
    /// Nothing: the block sends packets to the others and reports over the serial line
    None,
    /// Xilinx XDMA, AXI4-Stream mode
    Xdma,
    /// LitePCIe stand-alone core
    Litepcie,
}

/// What carries the links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LineChoice {
    /// Six wires in each direction between two boards without transceivers
    Ribbon,
    /// The FPGA's transceiver with 8b10b
    Serdes,
    /// Aurora 64B/66B, one lane per link
    #[value(name = "aurora64b66b")]
    Aurora64b66b,
    /// 64B/66B blocks on transceivers, one lane per link
    #[value(name = "10gbase_r")]
    TenGbaseR,
}

/// Which block a node is.
pub enum Subject<'p> {
    /// This one.
    Block(&'p BlockInstance),
    /// Any of a kind.
    Kind(&'p SharedBlock),
}

/// What the command line says of a node.
pub struct NodeChoice<'a> {
    pub block: &'a str,
    pub pcie: Option<PcieChoice>,
    pub lines: Option<LineChoice>,
}

impl LineChoice {
    fn core(self) -> LinkCore {
        match self {
            Self::Ribbon => LinkCore::Ribbon,
            Self::Serdes => LinkCore::Symbols8b10b,
            Self::Aurora64b66b => LinkCore::Aurora64b66b,
            Self::TenGbaseR => LinkCore::TenGbaseR,
        }
    }
}

impl PcieChoice {
    fn core(self) -> Pcie {
        match self {
            Self::None => Pcie::None,
            Self::Xdma => Pcie::Xdma,
            Self::Litepcie => Pcie::LitePcie,
        }
    }
}

impl NodeChoice<'_> {
    /// The block of that name.
    pub fn instance<'p>(&self, plan: &'p Plan) -> Result<&'p BlockInstance, CommandError> {
        let found = plan.network.block_named(self.block);
        let found = found.map(|block| &plan.instances[block.0 as usize]);
        found.ok_or_else(|| {
            let fact = format!("`--block {}`: the network has no such block", self.block);
            let names = plan.network.blocks.iter().map(|block| block.name.as_str());
            let some: Vec<&str> = names.take(4).collect();
            let remedy = format!("give the name of a block, such as {}", some.join(", "));
            CommandError::new(Code::NoSuchBlock, fact, remedy)
        })
    }

    /// The node of a block, when the board can carry it.
    pub fn node<'a>(
        &self,
        plan: &'a Plan,
        subject: &Subject<'a>,
        board: &Board,
        parameters: &'a [(String, String)],
        sources: &'a [(String, String)],
    ) -> Result<Node<'a>, CommandError> {
        let place = place(board)?;
        let (module, links, name, number) = match *subject {
            Subject::Block(instance) => (
                &plan.modules[instance.module],
                links(plan, instance.block)?,
                plan.network.block(instance.block).name.as_str(),
                instance.block.0,
            ),
            Subject::Kind(shared) => (
                &shared.module,
                shared.links.clone(),
                shared.module.kind.name(),
                UNNUMBERED,
            ),
        };
        self.ensure_block_fits(module)?;
        let lines = self.lines(place, links.len())?;
        let is_shared = matches!(subject, Subject::Kind(_));
        let pcie = self.pcie(place, module.pcie_ports, is_shared)?;
        let (address, peers) = match subject {
            Subject::Block(instance) => (instance.node_address, other_adapters(plan, instance)),
            Subject::Kind(_) => (0, Vec::new()),
        };
        Ok(Node {
            module,
            name,
            number,
            is_shared,
            is_managed: plan.spec.is_managed_in_band(),
            network: &plan.network.name,
            parameters,
            sources,
            ticks: ticks(plan, place),
            line_flits: plan.spec.link.clone().unwrap_or_default().receive_flits,
            links,
            address,
            peers,
            pcie,
            lines,
            place,
        })
    }

    /// What carries this many links: what was asked for, or the board's usual, so that both ends of a cable have the same.
    fn lines(&self, place: &NodeBoard, links: usize) -> Result<LinkCore, CommandError> {
        let wanted = self.lines.map(LineChoice::core);
        let lines = wanted.unwrap_or(place.lines[0]);
        if place.lines.contains(&lines) && (1..=place.links(lines)).contains(&links) {
            return Ok(lines);
        }
        let offers = place.lines.iter().map(|lines| {
            let (name, most) = (lines.option(), place.links(*lines));
            format!("`--line {name}` (at most {most})")
        });
        let fact = format!(
            "{} has {links} cables, for `--line {}`; {} has {}",
            self.block,
            lines.option(),
            place.board,
            offers.collect::<Vec<_>>().join(", ")
        );
        let remedy = "give `--line` that fits, a block with fewer cables, or another board";
        Err(refused(fact, remedy))
    }

    fn ensure_block_fits(&self, module: &mkns_design::BlockModule) -> Result<(), CommandError> {
        let block = &module.parameters;
        if module.kind.is_pok() {
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

    /// What this many hosts connect to: what was asked for, or the board's usual one.
    fn pcie(&self, place: &NodeBoard, hosts: u32, is_shared: bool) -> Result<Pcie, CommandError> {
        if hosts == 0 && place.lanes.is_empty() {
            let fact = format!(
                "{} is a switch block, and {} has one connector: nothing to switch between",
                self.block, place.board
            );
            return Err(refused(
                fact,
                "use an adapter block, or vcu118 or alveo_u50",
            ));
        }
        let possible = match hosts {
            0 => vec![Pcie::None],
            // The test packets of a node without a core have its address as constant.
            _ => (place.pcie.iter().copied())
                .filter(|pcie| !is_shared || *pcie != Pcie::None)
                .collect(),
        };
        let Some(&usual) = possible.first() else {
            let fact = format!(
                "`--shared`: {} has no core for hosts, and the test packets of `--pcie none` need an address of their own",
                place.board
            );
            return Err(refused(fact, "give vcu118 or alveo_u50"));
        };
        let wanted = self.pcie.map_or(usual, PcieChoice::core);
        let fits = |pcie: &Pcie| hosts <= pcie.most_hosts();
        if possible.contains(&wanted) && fits(&wanted) {
            return Ok(wanted);
        }
        let (block, board, option) = (self.block, place.board, wanted.option());
        let fact = match hosts {
            0 => format!("`--pcie {option}`: {block} is a switch block, which has no hosts"),
            _ if !fits(&wanted) => {
                let most = wanted.most_hosts();
                format!("{block} has {hosts} hosts, `--pcie {option}` carries {most}")
            }
            _ if is_shared && wanted == Pcie::None => {
                format!(
                    "`--pcie {option}` with `--shared`: test packets need an address of their own"
                )
            }
            _ => format!("`--pcie {option}`: mkns has no such core for {board}"),
        };
        let names = possible
            .iter()
            .filter(|pcie| fits(pcie))
            .map(|pcie| pcie.option());
        let names: Vec<_> = names.collect();
        let remedy = format!("leave `--pcie` out, or give one of {}", names.join(", "));
        Err(refused(fact, &remedy))
    }
}

/// How the board carries links.
fn place(board: &Board) -> Result<&'static NodeBoard, CommandError> {
    NodeBoard::named(board.name).ok_or_else(|| {
        let fact = format!("{} has no lines for links", board.name);
        let names: Vec<_> = NODE_BOARDS.iter().map(|place| place.board).collect();
        refused(fact, &format!("give one of {}", names.join(", ")))
    })
}

/// For the flight that the spec tells, and at least for the board's lines, whose words may take several cycles.
fn ticks(plan: &Plan, place: &NodeBoard) -> [u32; 2] {
    let link = plan.spec.link.as_ref();
    let told = link.map_or(place.ticks, SerialLink::ticks);
    [0, 1].map(|which| told[which].max(place.ticks[which]))
}

/// Addresses that the test packets of an adapter block go to.
fn other_adapters(plan: &Plan, instance: &BlockInstance) -> Vec<u32> {
    let others = plan.instances.iter().filter(|other| {
        let kind = plan.modules[other.module].kind;
        kind == ModuleKind::Adapter && other.block != instance.block
    });
    let addresses = others.map(|other| other.node_address);
    addresses.take(MOST_PEERS).collect()
}
