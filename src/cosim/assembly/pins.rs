//! How the pins of an assembly lie against those of its six members: as the ports of the RTL module
//! `switch_assembly`, and as joints between packed words.

use crate::network::single_model::{Vectors, control, reset};
use mkns_design::{Port, word_offset};
use mkns_topology::BlockId;

use super::{Bench, LEAVES, MEMBERS};

/// Bits of the outside words and the member's bits that they are joined to.
pub(super) struct BitMapping {
    pub outside: usize,
    pub member: usize,
    pub own: usize,
    pub bits: usize,
}

impl Bench {
    /// Ports of `switch_assembly`: links in bundles {credit, bad, last, vc, valid, data} by external
    /// port, control signals by member.
    pub(super) fn vectors(&self) -> (Vectors, Vectors) {
        let (mut inputs, mut outputs) = (Vectors::default(), Vectors::default());
        let table = self.member_module().port_table();
        let externals = self.outside.network_ports as usize;
        reset(&mut inputs, &self.plan);
        let up = inputs.port("link_up", externals);
        for external in 0..externals {
            let (leaf, port) = self.leaf_port(external);
            let own = 64 * word_offset(&table.inputs, "link_up") + port;
            inputs.field(BlockId(leaf as u32), own, up + external, 1);
        }
        inputs.cables("inner_up", self.plan.network.cables.len());
        let arriving = [
            "rx_data",
            "rx_valid",
            "rx_vc",
            "rx_last",
            "rx_bad",
            "tx_credit",
        ];
        let leaving = [
            "tx_data",
            "tx_valid",
            "tx_vc",
            "tx_last",
            "tx_bad",
            "rx_credit",
        ];
        self.bundles(&mut inputs, "link_rx", arriving);
        self.bundles(&mut outputs, "link_tx", leaving);
        control(&mut inputs, &mut outputs, &self.plan);
        (inputs, outputs)
    }

    fn bundles(&self, vectors: &mut Vectors, name: &str, signals: [&str; 6]) {
        let table = self.member_module().port_table();
        let ports = match name {
            "link_rx" => table.inputs,
            _ => table.outputs,
        };
        let width = |signal: &str| {
            let port = ports.iter().find(|port| port.name == signal);
            port.map_or(0, |port| port.bits / self.member_module().network_ports) as usize
        };
        let bundle: usize = signals.iter().map(|signal| width(signal)).sum();
        let externals = self.outside.network_ports as usize;
        let mut at = vectors.port(name, externals * bundle);
        for external in 0..externals {
            let (leaf, port) = self.leaf_port(external);
            for signal in signals {
                let bits = width(signal);
                let own = 64 * word_offset(&ports, signal) + port * bits;
                vectors.field(BlockId(leaf as u32), own, at, bits);
                at += bits;
            }
        }
    }

    /// Leaf and its port behind an external port.
    fn leaf_port(&self, external: usize) -> (usize, usize) {
        let half = self.outside.network_ports as usize / LEAVES;
        (external / half, external % half)
    }

    /// Joints between the outside words and the members': inputs, outputs.
    pub(super) fn joints(&self) -> (Vec<BitMapping>, Vec<BitMapping>) {
        let (outside, member) = (self.outside.port_table(), self.member_module().port_table());
        let all = 0..MEMBERS as usize;
        let join = |outer: &[Port], inner, shared: std::ops::Range<usize>| {
            let mut joints = Vec::new();
            for port in outer {
                let (from, to) = (
                    64 * word_offset(outer, port.name),
                    64 * word_offset(inner, port.name),
                );
                if port.name == "rst" || port.name.starts_with("s_axil") {
                    joints.extend(shared.clone().map(|member| BitMapping {
                        outside: from,
                        member,
                        own: to,
                        bits: port.bits as usize,
                    }));
                    continue;
                }
                let bits = (port.bits / self.outside.network_ports) as usize;
                joints.extend((0..self.outside.network_ports as usize).map(|external| {
                    let (member, own) = self.leaf_port(external);
                    BitMapping {
                        outside: from + external * bits,
                        member,
                        own: to + own * bits,
                        bits,
                    }
                }));
            }
            joints
        };
        (
            join(&outside.inputs, &member.inputs, all),
            // All members answer in the same cycle; the stimulus listens to the first.
            join(&outside.outputs, &member.outputs, 0..1),
        )
    }
}
