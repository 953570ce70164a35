

    // PCIe: channel q of the core is host q.
    localparam HOSTS = <$ hosts $>;

    wire                pcie_clk;
    wire                pcie_clk_gt;
    wire                axi_aclk;
    wire                axi_aresetn;
    wire                pcie_up;
    wire [64*HOSTS-1:0] h2c_tdata;
    wire [8*HOSTS-1:0]  h2c_tkeep;
    wire [HOSTS-1:0]    h2c_tlast;
    wire [HOSTS-1:0]    h2c_tvalid;
    wire [HOSTS-1:0]    h2c_tready;
    wire [64*HOSTS-1:0] c2h_tdata;
    wire [8*HOSTS-1:0]  c2h_tkeep;
    wire [HOSTS-1:0]    c2h_tlast;
    wire [HOSTS-1:0]    c2h_tvalid;
    wire [HOSTS-1:0]    c2h_tready;

    // Interrupt q says that a packet waits for host q.
    wire [HOSTS-1:0]    irq_request;
    wire [HOSTS-1:0]    irq_acknowledge;

    // Window of registers in a BAR.
    wire        host_awvalid, host_awready, host_wvalid, host_wready, host_bvalid, host_bready;
    wire        host_arvalid, host_arready, host_rvalid, host_rready;
    wire [31:0] host_awaddr, host_araddr, host_wdata, host_rdata;
    wire [3:0]  host_wstrb;
    wire [1:0]  host_bresp, host_rresp;
    wire [2:0]  unused_awprot, unused_arprot;
<%- include "fpga/node_card_hosts.v" %>

    IBUFDS_GTE4 #(
        .REFCLK_HROW_CK_SEL(2'b00)
    ) pcie_clock (
        .I(pcie_refclk_p),
        .IB(pcie_refclk_n),
        .CEB(1'b0),
        .O(pcie_clk_gt),
        .ODIV2(pcie_clk)
    );

    xdma_0 pcie (
        .sys_clk(pcie_clk),
        .sys_clk_gt(pcie_clk_gt),
        .sys_rst_n(pcie_reset_n),
        .pci_exp_rxp(pcie_rx_p),
        .pci_exp_rxn(pcie_rx_n),
        .pci_exp_txp(pcie_tx_p),
        .pci_exp_txn(pcie_tx_n),
        .user_lnk_up(pcie_up),
        .axi_aclk(axi_aclk),
        .axi_aresetn(axi_aresetn),
        .usr_irq_req(irq_request),
        .usr_irq_ack(irq_acknowledge),
        .m_axil_awvalid(host_awvalid),
        .m_axil_awready(host_awready),
        .m_axil_awaddr(host_awaddr),
        .m_axil_wvalid(host_wvalid),
        .m_axil_wready(host_wready),
        .m_axil_wdata(host_wdata),
        .m_axil_wstrb(host_wstrb),
        .m_axil_bvalid(host_bvalid),
        .m_axil_bready(host_bready),
        .m_axil_bresp(host_bresp),
        .m_axil_arvalid(host_arvalid),
        .m_axil_arready(host_arready),
        .m_axil_araddr(host_araddr),
        .m_axil_rvalid(host_rvalid),
        .m_axil_rready(host_rready),
        .m_axil_rdata(host_rdata),
        .m_axil_rresp(host_rresp),
        .m_axil_awprot(unused_awprot),
        .m_axil_arprot(unused_arprot),
<%- for q in channels %>
        .m_axis_h2c_tdata_<$ q $>(h2c_tdata[64*<$ q $> +: 64]),
        .m_axis_h2c_tkeep_<$ q $>(h2c_tkeep[8*<$ q $> +: 8]),
        .m_axis_h2c_tlast_<$ q $>(h2c_tlast[<$ q $>]),
        .m_axis_h2c_tvalid_<$ q $>(h2c_tvalid[<$ q $>]),
        .m_axis_h2c_tready_<$ q $>(h2c_tready[<$ q $>]),
        .s_axis_c2h_tdata_<$ q $>(c2h_tdata[64*<$ q $> +: 64]),
        .s_axis_c2h_tkeep_<$ q $>(c2h_tkeep[8*<$ q $> +: 8]),
        .s_axis_c2h_tlast_<$ q $>(c2h_tlast[<$ q $>]),
        .s_axis_c2h_tvalid_<$ q $>(c2h_tvalid[<$ q $>]),
        .s_axis_c2h_tready_<$ q $>(c2h_tready[<$ q $>])<% if !loop.last %>,<% endif %>
<%- endfor %>
    );

    generate
        genvar q;
        for (q = 0; q < HOSTS; q = q + 1) begin : gen_host
            packet_interrupt interrupt (
                .clk(axi_aclk),
                .rst(!axi_aresetn),
                .waiting(c2h_tvalid[q]),
                .request(irq_request[q]),
                .acknowledge(irq_acknowledge[q])
            );

            adapter_xdma #(
                .BUFFER_BITS(<$ buffer_bits $>),
                .MAX_PACKET_BEATS(<$ longest_packet $>)
            ) host (
                .axi_aclk(axi_aclk),
                .axi_aresetn(axi_aresetn),
                .m_axis_h2c_tdata_0(h2c_tdata[64*q +: 64]),
                .m_axis_h2c_tkeep_0(h2c_tkeep[8*q +: 8]),
                .m_axis_h2c_tlast_0(h2c_tlast[q]),
                .m_axis_h2c_tvalid_0(h2c_tvalid[q]),
                .m_axis_h2c_tready_0(h2c_tready[q]),
                .s_axis_c2h_tdata_0(c2h_tdata[64*q +: 64]),
                .s_axis_c2h_tkeep_0(c2h_tkeep[8*q +: 8]),
                .s_axis_c2h_tlast_0(c2h_tlast[q]),
                .s_axis_c2h_tvalid_0(c2h_tvalid[q]),
                .s_axis_c2h_tready_0(c2h_tready[q]),
<%- include "fpga/node_card_host.v" %>