

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
        .usr_irq_req(1'b0),
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