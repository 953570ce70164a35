//! The graph of a distributed switch: terminal blocks, POK blocks cascade by cascade, spine switches.
//!
//! A terminal block holds the terminal and its POK, the first cascade: branch i is port i. A POK block of
//! the further cascades has branch i on port i and the trunk on port m. A spine switch has input and
//! output p on port p. Block designs have duplex cables; on digraphs what a port sends and what it
//! receives are two simplex cables to different places.

use super::{Attachment, DistributedSwitch, Structure};
use crate::{Block, BlockId, BlockRole, Cable, CableKind, End, HostAttachment, Network, PortIndex};
use mkns_block_design as block_design;
use mkns_spec::{DistributedSwitchSpec, Wiring};

/// The wiring that a validated spec asks for.
pub fn switch_of(spec: &DistributedSwitchSpec) -> DistributedSwitch {
    let structure = match (spec.wiring, spec.design()) {
        (Wiring::MultiRing, _) => Structure::MultiRing,
        (Wiring::Hypercube, _) => Structure::Hypercube,
        (Wiring::BlockDesign { .. }, parameters) => {
            let parameters = parameters.expect("a block design has parameters");
            let design = block_design::construct(parameters);
            Structure::BlockDesign(design.expect("validation refuses designs that are not built"))
        }
    };
    DistributedSwitch::new(structure, spec.ports, spec.cascades)
}

/// The graph of `switch` with `trunks` PCIe-side ports at every terminal.
pub fn build(name: &str, switch: &DistributedSwitch, trunks: u32) -> Network {
    let builder = Builder { switch, trunks };
    let blocks = builder.blocks();
    let mut cables = builder.cables();
    cables.sort_unstable_by_key(|cable| (cable.a, cable.b));
    Network {
        name: name.to_owned(),
        hosts: HostAttachment::of_blocks(&blocks, |block| block),
        blocks,
        cables,
    }
}

struct Builder<'a> {
    switch: &'a DistributedSwitch,
    trunks: u32,
}

impl Builder<'_> {
    fn blocks(&self) -> Vec<Block> {
        let m = self.switch.ports() as u8;
        let block = |name, role, coordinates, network_ports, pcie_ports| Block {
            name,
            role,
            coordinates,
            network_ports,
            pcie_ports,
        };
        let mut blocks = Vec::new();
        for terminal in 0..self.switch.terminals() {
            let name = format!("terminal_{terminal}");
            let pcie_ports = self.trunks as u8;
            blocks.push(block(
                name,
                BlockRole::Terminal,
                vec![terminal],
                m,
                pcie_ports,
            ));
        }
        for cascade in 2..=self.switch.cascades() {
            for copy in 0..self.switch.copies_at(cascade) {
                for unit in 0..self.switch.stage(cascade).terminals() {
                    let mut place = self.copy_path(copy, cascade - 1);
                    place.push(unit);
                    let name = format!("rok{cascade}_{}", joined(&place));
                    let role = BlockRole::Pok {
                        cascade: cascade as u8,
                    };
                    blocks.push(block(name, role, place, m + 1, 0));
                }
            }
        }
        for spine in 0..self.switch.spine_switches() {
            let place = self.copy_path(spine, self.switch.cascades());
            let name = format!("spine_{}", joined(&place));
            blocks.push(block(name, BlockRole::Spine, place, m, 0));
        }
        blocks
    }

    /// Which copy in each of the outermost `depth` stages: the digits of a copy number.
    fn copy_path(&self, copy: u32, depth: u32) -> Vec<u32> {
        let n = self.switch.copies();
        let digit = |place: u32| copy / n.pow(depth - 1 - place) % n;
        (0..depth).map(digit).collect()
    }

    fn cables(&self) -> Vec<Cable> {
        let mut cables = Vec::new();
        for cascade in 1..=self.switch.cascades() {
            let stage = self.switch.stage(cascade);
            for copy in 0..self.switch.copies_at(cascade) {
                for unit in 0..stage.terminals() {
                    for branch in 0..self.switch.ports() {
                        let own = End {
                            block: self.unit(cascade, copy, unit),
                            port: PortIndex(branch as u8),
                        };
                        let up = self.trunk(cascade, copy, stage.up(unit)[branch as usize]);
                        let down = self.trunk(cascade, copy, stage.down(unit)[branch as usize]);
                        let cable = |a, b, kind| Cable {
                            a,
                            b,
                            dimension: cascade as u8,
                            kind,
                        };
                        if self.switch.is_duplex() {
                            cables.push(cable(own, up, CableKind::Pok));
                        } else {
                            cables.push(cable(own, up, CableKind::Simplex));
                            cables.push(cable(down, own, CableKind::Simplex));
                        }
                    }
                }
            }
        }
        cables
    }

    /// The block with unit number `unit` of a copy; terminals are the units of cascade 1.
    fn unit(&self, cascade: u32, copy: u32, unit: u32) -> BlockId {
        let before: u32 = (1..cascade)
            .map(|outer| self.switch.copies_at(outer) * self.switch.stage(outer).terminals())
            .sum();
        BlockId(before + copy * self.switch.stage(cascade).terminals() + unit)
    }

    /// The port that a branch of cascade `cascade`, copy `copy` is plugged into: the trunk of a unit of
    /// the next cascade, or a port of a spine switch.
    fn trunk(&self, cascade: u32, copy: u32, at: Attachment) -> End {
        let copy = copy * self.switch.copies() + at.copy;
        let (m, k) = (self.switch.ports(), self.switch.cascades());
        if cascade < k {
            End {
                block: self.unit(cascade + 1, copy, at.port),
                port: PortIndex(m as u8),
            }
        } else {
            let BlockId(first) = self.unit(k, self.switch.copies_at(k), 0);
            End {
                block: BlockId(first + copy),
                port: PortIndex(at.port as u8),
            }
        }
    }
}

fn joined(place: &[u32]) -> String {
    let place: Vec<String> = place.iter().map(u32::to_string).collect();
    place.join("_")
}
