//! The port table: names, widths and order of every block's ports, and their place in packed words.
//!
//! Packed words are how co-simulation hands a cycle's inputs and outputs over: every port starts on
//! a 64-bit word boundary, in table order, low bits first. `clk` is not in the table.

use serde::Serialize;

use super::block_module::BlockModule;

/// Bits of a control-port address.
pub const CONTROL_ADDRESS_BITS: u32 = 20;

/// One port of a block module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Port {
    pub name: &'static str,
    pub bits: u32,
}

/// Inputs and outputs of a module, in the order of the packed words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PortTable {
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
}

impl BlockModule {
    /// Ports of the switch core: network ports, then PCIe ports.
    pub fn core_ports(&self) -> u32 {
        self.network_ports + self.pcie_ports
    }

    /// Bits of a virtual channel number, at least 1.
    pub fn virtual_channel_bits(&self) -> u32 {
        self.parameters.virtual_channels.ilog2().max(1)
    }

    /// Port table of the module (`docs/microarchitecture.md`).
    pub fn port_table(&self) -> PortTable {
        let ports = self.network_ports;
        let flit = self.parameters.flit_bits;
        let credits = ports * self.parameters.virtual_channels;
        let channel = ports * self.virtual_channel_bits();
        let port = |name, bits| Port { name, bits };
        let mut inputs = vec![
            port("rst", 1),
            port("rx_valid", ports),
            port("rx_vc", channel),
            port("rx_last", ports),
            port("rx_bad", ports),
            port("rx_data", ports * flit),
            port("tx_credit", credits),
            port("link_up", ports),
        ];
        let mut outputs = vec![
            port("rx_credit", credits),
            port("tx_valid", ports),
            port("tx_vc", channel),
            port("tx_last", ports),
            port("tx_bad", ports),
            port("tx_data", ports * flit),
        ];
        if self.kind.has_hosts() {
            let hosts = self.pcie_ports;
            let bits = self.parameters.pcie_bits;
            inputs.extend([
                port("s_axis_pcie_tdata", hosts * bits),
                port("s_axis_pcie_tkeep", hosts * bits / 8),
                port("s_axis_pcie_tvalid", hosts),
                port("s_axis_pcie_tlast", hosts),
                port("s_axis_pcie_tuser", hosts),
                port("m_axis_pcie_tready", hosts),
            ]);
            outputs.extend([
                port("s_axis_pcie_tready", hosts),
                port("m_axis_pcie_tdata", hosts * bits),
                port("m_axis_pcie_tkeep", hosts * bits / 8),
                port("m_axis_pcie_tvalid", hosts),
                port("m_axis_pcie_tlast", hosts),
                port("m_axis_pcie_tuser", hosts),
            ]);
        }
        inputs.extend([
            port("s_axil_awaddr", CONTROL_ADDRESS_BITS),
            port("s_axil_awvalid", 1),
            port("s_axil_wdata", 32),
            port("s_axil_wstrb", 4),
            port("s_axil_wvalid", 1),
            port("s_axil_bready", 1),
            port("s_axil_araddr", CONTROL_ADDRESS_BITS),
            port("s_axil_arvalid", 1),
            port("s_axil_rready", 1),
        ]);
        outputs.extend([
            port("s_axil_awready", 1),
            port("s_axil_wready", 1),
            port("s_axil_bresp", 2),
            port("s_axil_bvalid", 1),
            port("s_axil_arready", 1),
            port("s_axil_rdata", 32),
            port("s_axil_rresp", 2),
            port("s_axil_rvalid", 1),
        ]);
        PortTable { inputs, outputs }
    }
}

/// 64-bit words that a list of ports takes when packed.
pub fn packed_words(ports: &[Port]) -> usize {
    ports
        .iter()
        .map(|port| port.bits.div_ceil(64) as usize)
        .sum()
}

/// First word of the named port.
///
/// # Panics
/// When the table has no such port: names come from [`BlockModule::port_table`] itself.
pub fn word_offset(ports: &[Port], name: &str) -> usize {
    let index = ports
        .iter()
        .position(|port| port.name == name)
        .unwrap_or_else(|| panic!("no port `{name}` in the port table"));
    packed_words(&ports[..index])
}

/// What a port of the table is for, in one line; vectors hold port 0 in the low bits.
///
/// # Panics
/// When no block has such a port: names come from [`BlockModule::port_table`] itself.
pub fn port_meaning(name: &str) -> &'static str {
    match name {
        "rst" => "synchronous reset, active high",
        "rx_valid" => "a flit arrives; it is always taken",
        "rx_vc" => "its virtual channel",
        "rx_last" => "last flit of its packet",
        "rx_bad" => "with `rx_last`: the packet was cut or damaged upstream",
        "rx_data" => "the flit",
        "rx_credit" => "one pulse a freed buffer slot, per port and virtual channel",
        "tx_valid" => "a flit leaves; only sent when a credit is held",
        "tx_vc" => "its virtual channel",
        "tx_last" => "last flit of its packet",
        "tx_bad" => "with `tx_last`: the packet is cut or damaged",
        "tx_data" => "the flit",
        "tx_credit" => "one pulse a slot freed by the receiver, per port and virtual channel",
        "link_up" => "0: nothing is sent there",
        "s_axis_pcie_tdata" => "host to network: first beat is the header",
        "s_axis_pcie_tkeep" => "bytes of the beat that count",
        "s_axis_pcie_tvalid" => "a beat is offered",
        "s_axis_pcie_tready" => "the beat is taken",
        "s_axis_pcie_tlast" => "last beat of the packet",
        "s_axis_pcie_tuser" => "on the last beat: the packet is to be dropped",
        "m_axis_pcie_tdata" => "network to host: first beat is the header",
        "m_axis_pcie_tkeep" => "bytes of the beat that count",
        "m_axis_pcie_tvalid" => "a beat is offered",
        "m_axis_pcie_tready" => "the host takes the beat",
        "m_axis_pcie_tlast" => "last beat of the packet",
        "m_axis_pcie_tuser" => "on the last beat: the packet is damaged",
        _ => control_meaning(name),
    }
}

/// [`port_meaning`] of the AXI4-Lite signals.
fn control_meaning(name: &str) -> &'static str {
    match name {
        "s_axil_awaddr" => "byte address of a write",
        "s_axil_awvalid" => "the write address is offered",
        "s_axil_awready" => "the write address is taken",
        "s_axil_wdata" => "word to write",
        "s_axil_wstrb" => "must be 15",
        "s_axil_wvalid" => "the word is offered",
        "s_axil_wready" => "the word is taken",
        "s_axil_bresp" => "0 okay, 2 refused",
        "s_axil_bvalid" => "the write is answered",
        "s_axil_bready" => "the answer is taken",
        "s_axil_araddr" => "byte address of a read",
        "s_axil_arvalid" => "the read address is offered",
        "s_axil_arready" => "the read address is taken",
        "s_axil_rdata" => "word read",
        "s_axil_rresp" => "0 okay, 2 refused",
        "s_axil_rvalid" => "the read is answered",
        "s_axil_rready" => "the answer is taken",
        _ => panic!("no port `{name}` in any port table"),
    }
}
