// The network of network.toml on a card: host 0 is the host behind Xilinx' XDMA, host 1 an echo on the card. XDMA:
// AXI4-Stream, 64 bits, one channel each way, an AXI4-Lite master of 2 MiB, an
// interrupt, named xdma_0. The network runs at half the core's
// clock.
`default_nettype none
module card (
    input  wire       pcie_refclk_p,
    input  wire       pcie_refclk_n,
    input  wire       pcie_perst_n,
    input  wire [3:0] pcie_rx_p,
    input  wire [3:0] pcie_rx_n,
    output wire [3:0] pcie_tx_p,
    output wire [3:0] pcie_tx_n
);
    wire refclk;
    wire refclk_gt;
    wire axi_aclk;
    wire axi_aresetn;
    wire clk;
    wire [63:0] h2c_tdata;
    wire [7:0] h2c_tkeep;
    wire h2c_tlast;
    wire h2c_tvalid;
    wire h2c_tready;
    wire [63:0] c2h_tdata;
    wire [7:0] c2h_tkeep;
    wire c2h_tlast;
    wire c2h_tvalid;
    wire c2h_tready;
    wire irq_request;
    wire irq_acknowledge;
    wire host_awvalid, host_awready, host_wvalid, host_wready, host_bvalid, host_bready;
    wire host_arvalid, host_arready, host_rvalid, host_rready;
    wire [31:0] host_awaddr, host_araddr, host_wdata, host_rdata;
    wire [3:0] host_wstrb;
    wire [1:0] host_bresp, host_rresp;

    IBUFDS_GTE4 refclk_buffer (
        .I(pcie_refclk_p), .IB(pcie_refclk_n), .CEB(1'b0), .O(refclk_gt), .ODIV2(refclk)
    );

    xdma_0 xdma (
        .sys_clk(refclk), .sys_clk_gt(refclk_gt), .sys_rst_n(pcie_perst_n),
        .pci_exp_rxp(pcie_rx_p), .pci_exp_rxn(pcie_rx_n),
        .pci_exp_txp(pcie_tx_p), .pci_exp_txn(pcie_tx_n),
        .axi_aclk(axi_aclk), .axi_aresetn(axi_aresetn), .usr_irq_req(irq_request), .usr_irq_ack(irq_acknowledge),
        .m_axil_awvalid(host_awvalid), .m_axil_awready(host_awready), .m_axil_awaddr(host_awaddr),
        .m_axil_wvalid(host_wvalid), .m_axil_wready(host_wready), .m_axil_wdata(host_wdata),
        .m_axil_wstrb(host_wstrb), .m_axil_bvalid(host_bvalid), .m_axil_bready(host_bready),
        .m_axil_bresp(host_bresp), .m_axil_arvalid(host_arvalid), .m_axil_arready(host_arready),
        .m_axil_araddr(host_araddr), .m_axil_rvalid(host_rvalid), .m_axil_rready(host_rready),
        .m_axil_rdata(host_rdata), .m_axil_rresp(host_rresp),
        .m_axil_awprot(), .m_axil_arprot(),
        .m_axis_h2c_tdata_0(h2c_tdata), .m_axis_h2c_tkeep_0(h2c_tkeep),
        .m_axis_h2c_tlast_0(h2c_tlast), .m_axis_h2c_tvalid_0(h2c_tvalid),
        .m_axis_h2c_tready_0(h2c_tready),
        .s_axis_c2h_tdata_0(c2h_tdata), .s_axis_c2h_tkeep_0(c2h_tkeep),
        .s_axis_c2h_tlast_0(c2h_tlast), .s_axis_c2h_tvalid_0(c2h_tvalid),
        .s_axis_c2h_tready_0(c2h_tready)
    );

    BUFGCE_DIV #(.BUFGCE_DIVIDE(2)) divider (.I(axi_aclk), .CE(1'b1), .CLR(1'b0), .O(clk));

    card_network network (
        .axi_aclk(axi_aclk), .axi_aresetn(axi_aresetn), .clk(clk),
        .h2c_tdata(h2c_tdata), .h2c_tkeep(h2c_tkeep), .h2c_tlast(h2c_tlast),
        .h2c_tvalid(h2c_tvalid), .h2c_tready(h2c_tready),
        .c2h_tdata(c2h_tdata), .c2h_tkeep(c2h_tkeep), .c2h_tlast(c2h_tlast),
        .c2h_tvalid(c2h_tvalid), .c2h_tready(c2h_tready),
        .irq_request(irq_request), .irq_acknowledge(irq_acknowledge),
        .host_awvalid(host_awvalid), .host_awready(host_awready), .host_awaddr(host_awaddr),
        .host_wvalid(host_wvalid), .host_wready(host_wready), .host_wdata(host_wdata),
        .host_wstrb(host_wstrb), .host_bvalid(host_bvalid), .host_bready(host_bready),
        .host_bresp(host_bresp), .host_arvalid(host_arvalid), .host_arready(host_arready),
        .host_araddr(host_araddr), .host_rvalid(host_rvalid), .host_rready(host_rready),
        .host_rdata(host_rdata), .host_rresp(host_rresp)
    );
endmodule
`default_nettype wire
