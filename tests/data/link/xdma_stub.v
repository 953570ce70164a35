// Xilinx' XDMA core (v4.1, AXI4-Stream, one channel, AXI4-Lite master) for lint: its ports, and no function. xdma_model.v
// has the function.
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off MULTITOP */

module xdma_0 (
    input  wire        sys_clk, sys_clk_gt, sys_rst_n,
    input  wire [3:0]  pci_exp_rxp, pci_exp_rxn,
    output wire [3:0]  pci_exp_txp, pci_exp_txn,
    output wire        user_lnk_up, axi_aclk, axi_aresetn,
    input  wire [0:0]  usr_irq_req,
    output wire [0:0]  usr_irq_ack,
    output wire        m_axil_awvalid, m_axil_wvalid, m_axil_bready, m_axil_arvalid, m_axil_rready,
    input  wire        m_axil_awready, m_axil_wready, m_axil_bvalid, m_axil_arready, m_axil_rvalid,
    output wire [31:0] m_axil_awaddr, m_axil_wdata, m_axil_araddr,
    output wire [3:0]  m_axil_wstrb,
    output wire [2:0]  m_axil_awprot, m_axil_arprot,
    input  wire [1:0]  m_axil_bresp, m_axil_rresp,
    input  wire [31:0] m_axil_rdata,
    output wire [63:0] m_axis_h2c_tdata_0,
    output wire [7:0]  m_axis_h2c_tkeep_0,
    output wire        m_axis_h2c_tlast_0, m_axis_h2c_tvalid_0,
    input  wire        m_axis_h2c_tready_0,
    input  wire [63:0] s_axis_c2h_tdata_0,
    input  wire [7:0]  s_axis_c2h_tkeep_0,
    input  wire        s_axis_c2h_tlast_0, s_axis_c2h_tvalid_0,
    output wire        s_axis_c2h_tready_0
);
    assign pci_exp_txp         = pci_exp_rxp;
    assign pci_exp_txn         = pci_exp_rxn;
    assign usr_irq_ack         = usr_irq_req;
    assign user_lnk_up         = 1'b1;
    assign axi_aclk            = sys_clk;
    assign axi_aresetn         = sys_rst_n;
    assign m_axis_h2c_tdata_0  = s_axis_c2h_tdata_0;
    assign m_axis_h2c_tkeep_0  = s_axis_c2h_tkeep_0;
    assign m_axis_h2c_tlast_0  = s_axis_c2h_tlast_0;
    assign m_axis_h2c_tvalid_0 = s_axis_c2h_tvalid_0;
    assign s_axis_c2h_tready_0 = m_axis_h2c_tready_0;
    assign m_axil_awvalid      = m_axil_bvalid;
    assign m_axil_wvalid       = m_axil_bvalid;
    assign m_axil_bready       = 1'b1;
    assign m_axil_arvalid      = m_axil_rvalid;
    assign m_axil_rready       = 1'b1;
    assign m_axil_awaddr       = m_axil_rdata;
    assign m_axil_wdata        = m_axil_rdata;
    assign m_axil_araddr       = m_axil_rdata;
    assign m_axil_wstrb        = {m_axil_bresp, m_axil_rresp};
    assign m_axil_awprot       = 3'd0;
    assign m_axil_arprot       = 3'd0;
endmodule
