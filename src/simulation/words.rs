//! Where a block's ports lie in its packed words.
//!
//! The port table of `design` decides; here are only its offsets, looked up once.

use mkns_design::{BlockModule, Port, packed_words, word_offset};

/// First word of each input port; PCIe offsets are 0 on blocks without hosts.
#[derive(Debug, Clone)]
pub struct InputWords {
    pub count: usize,
    pub rst: usize,
    pub rx_valid: usize,
    pub rx_vc: usize,
    pub rx_last: usize,
    pub rx_bad: usize,
    pub rx_data: usize,
    pub tx_credit: usize,
    pub link_up: usize,
    pub pcie_tdata: usize,
    pub pcie_tkeep: usize,
    pub pcie_tvalid: usize,
    pub pcie_tlast: usize,
    pub pcie_tuser: usize,
    pub pcie_tready: usize,
    pub awaddr: usize,
    pub awvalid: usize,
    pub wdata: usize,
    pub wstrb: usize,
    pub wvalid: usize,
    pub bready: usize,
    pub araddr: usize,
    pub arvalid: usize,
    pub rready: usize,
}

/// First word of each output port; PCIe offsets are 0 on blocks without hosts.
#[derive(Debug, Clone)]
pub struct OutputWords {
    pub count: usize,
    pub rx_credit: usize,
    pub tx_valid: usize,
    pub tx_vc: usize,
    pub tx_last: usize,
    pub tx_bad: usize,
    pub tx_data: usize,
    pub pcie_tready: usize,
    pub pcie_tdata: usize,
    pub pcie_tkeep: usize,
    pub pcie_tvalid: usize,
    pub pcie_tlast: usize,
    pub pcie_tuser: usize,
    pub awready: usize,
    pub wready: usize,
    pub bresp: usize,
    pub bvalid: usize,
    pub arready: usize,
    pub rdata: usize,
    pub rresp: usize,
    pub rvalid: usize,
}

impl InputWords {
    pub fn new(module: &BlockModule) -> InputWords {
        let ports = module.port_table().inputs;
        let at = |name| word_offset(&ports, name);
        let pcie = |name| pcie_offset(module, &ports, name);
        InputWords {
            count: packed_words(&ports),
            rst: at("rst"),
            rx_valid: at("rx_valid"),
            rx_vc: at("rx_vc"),
            rx_last: at("rx_last"),
            rx_bad: at("rx_bad"),
            rx_data: at("rx_data"),
            tx_credit: at("tx_credit"),
            link_up: at("link_up"),
            pcie_tdata: pcie("s_axis_pcie_tdata"),
            pcie_tkeep: pcie("s_axis_pcie_tkeep"),
            pcie_tvalid: pcie("s_axis_pcie_tvalid"),
            pcie_tlast: pcie("s_axis_pcie_tlast"),
            pcie_tuser: pcie("s_axis_pcie_tuser"),
            pcie_tready: pcie("m_axis_pcie_tready"),
            awaddr: at("s_axil_awaddr"),
            awvalid: at("s_axil_awvalid"),
            wdata: at("s_axil_wdata"),
            wstrb: at("s_axil_wstrb"),
            wvalid: at("s_axil_wvalid"),
            bready: at("s_axil_bready"),
            araddr: at("s_axil_araddr"),
            arvalid: at("s_axil_arvalid"),
            rready: at("s_axil_rready"),
        }
    }
}

impl OutputWords {
    pub fn new(module: &BlockModule) -> OutputWords {
        let ports = module.port_table().outputs;
        let at = |name| word_offset(&ports, name);
        let pcie = |name| pcie_offset(module, &ports, name);
        OutputWords {
            count: packed_words(&ports),
            rx_credit: at("rx_credit"),
            tx_valid: at("tx_valid"),
            tx_vc: at("tx_vc"),
            tx_last: at("tx_last"),
            tx_bad: at("tx_bad"),
            tx_data: at("tx_data"),
            pcie_tready: pcie("s_axis_pcie_tready"),
            pcie_tdata: pcie("m_axis_pcie_tdata"),
            pcie_tkeep: pcie("m_axis_pcie_tkeep"),
            pcie_tvalid: pcie("m_axis_pcie_tvalid"),
            pcie_tlast: pcie("m_axis_pcie_tlast"),
            pcie_tuser: pcie("m_axis_pcie_tuser"),
            awready: at("s_axil_awready"),
            wready: at("s_axil_wready"),
            bresp: at("s_axil_bresp"),
            bvalid: at("s_axil_bvalid"),
            arready: at("s_axil_arready"),
            rdata: at("s_axil_rdata"),
            rresp: at("s_axil_rresp"),
            rvalid: at("s_axil_rvalid"),
        }
    }
}

fn pcie_offset(module: &BlockModule, ports: &[Port], name: &str) -> usize {
    if module.kind.has_hosts() {
        word_offset(ports, name)
    } else {
        0
    }
}
