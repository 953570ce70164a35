// <$ name $>: <$ block $> on <$ title $>, its hosts behind PCIe, its links on QSFP cages.
//
// Clocks: <$ mhz $> MHz for the node; each Aurora channel and the PCIe core have clocks of their own.
// Reset: <$ reset_note $>, and until the clocks of all channels run.
// Cores of Vivado, made by build.tcl: xdma_0<%- for lane in lanes %>, aurora_<$ loop.index0 $><%- endfor %>.
// Serial line: <$ baud $> baud, 8 data bits, no parity, one stop bit; the control ports behind it
// (register_bridge, `mkns manage --serial`): block 0 is this node's.
// LEDs: 0 beats, 1 all links are up, 2 PCIe is up.
<$ banner $>
`default_nettype none

module <$ name $> #(
    parameter integer BAUD_DIVIDER = <$ divider $> // of <$ mhz $> MHz
) (
    input  wire       clk_p,
    input  wire       clk_n,
<%- if has_button %>
    input  wire       button,
<%- endif %>
    input  wire       uart_rx,
    output wire       uart_tx,
<%- for (pin, _) in tied_pins %>
    output wire       <$ pin $>,
<%- endfor %>
    output wire [<$ last_led $>:0] led,
    input  wire       pcie_refclk_p,
    input  wire       pcie_refclk_n,
    input  wire       pcie_reset_n,
    input  wire [3:0] pcie_rx_p,
    input  wire [3:0] pcie_rx_n,
    output wire [3:0] pcie_tx_p,
    output wire [3:0] pcie_tx_n,
<%- for lane in lanes %>
    input  wire       qsfp<$ loop.index0 $>_refclk_p,
    input  wire       qsfp<$ loop.index0 $>_refclk_n,
    input  wire       qsfp<$ loop.index0 $>_rx_p,
    input  wire       qsfp<$ loop.index0 $>_rx_n,
    output wire       qsfp<$ loop.index0 $>_tx_p,
    output wire       qsfp<$ loop.index0 $>_tx_n<% if !loop.last %>,<% endif %>
<%- endfor %>
);
    localparam integer LINKS = <$ lanes.len() $>;
    localparam integer HOSTS = <$ hosts $>;

    wire clock;
    wire buffered;
<%- for (pin, level) in tied_pins %>

    assign <$ pin $> = <$ level $>;
<%- endfor %>

    IBUFDS clock_input (
        .I(clk_p),
        .IB(clk_n),
        .O(buffered)
    );

    BUFGCE_DIV #(
        .BUFGCE_DIVIDE(1)
    ) clock_buffer (
        .I(buffered),
        .CE(1'b1),
        .CLR(1'b0),
        .O(clock)
    );

    wire [LINKS-1:0] user_clk;
    wire [LINKS-1:0] not_locked;
    wire [LINKS-1:0] channel_up;
    wire             unstable;

    bit_synchroniser #(
        .INITIAL(1'b1)
    ) lock_crossing (
        .clk(clock),
        .in(|not_locked),
        .out(unstable)
    );
<%- include "fpga/node_power_up.v" %>

    // The channels: their transceivers come out of reset first (pma_init), then the rest (reset_pb).
    reg [15:0] start;
    wire       pma_init = !start[14] && !start[15];
    wire       reset_pb = !start[15];

    initial start = 16'd0;

    always @(posedge clock)
        if (!start[15])
            start <= start + 16'd1;

    wire [LINKS-1:0]    link_up;
    wire [LINKS-1:0]    link_rst;
    wire [LINKS-1:0]    line_tx_valid;
    wire [LINKS-1:0]    line_tx_ctl;
    wire [64*LINKS-1:0] line_tx_data;
    wire [LINKS-1:0]    line_tx_ready;
    wire [LINKS-1:0]    line_rx_valid;
    wire [LINKS-1:0]    line_rx_ctl;
    wire [64*LINKS-1:0] line_rx_data;
    wire [LINKS-1:0]    line_rx_up;
    wire [64*LINKS-1:0] axi_tx_tdata;
    wire [8*LINKS-1:0]  axi_tx_tkeep;
    wire [LINKS-1:0]    axi_tx_tlast;
    wire [LINKS-1:0]    axi_tx_tvalid;
    wire [LINKS-1:0]    axi_tx_tready;
    wire [64*LINKS-1:0] axi_rx_tdata;
    wire [8*LINKS-1:0]  axi_rx_tkeep;
    wire [LINKS-1:0]    axi_rx_tlast;
    wire [LINKS-1:0]    axi_rx_tvalid;

    generate
        genvar i;
        for (i = 0; i < LINKS; i = i + 1) begin : gen_line
            bit_synchroniser #(
                .INITIAL(1'b1)
            ) reset_crossing (
                .clk(user_clk[i]),
                .in(rst),
                .out(link_rst[i])
            );

            link_aurora64b66b line (
                .user_clk(user_clk[i]),
                .user_rst(link_rst[i]),
                .channel_up(channel_up[i]),
                .s_axi_tx_tdata(axi_tx_tdata[64*i +: 64]),
                .s_axi_tx_tkeep(axi_tx_tkeep[8*i +: 8]),
                .s_axi_tx_tlast(axi_tx_tlast[i]),
                .s_axi_tx_tvalid(axi_tx_tvalid[i]),
                .s_axi_tx_tready(axi_tx_tready[i]),
                .m_axi_rx_tdata(axi_rx_tdata[64*i +: 64]),
                .m_axi_rx_tkeep(axi_rx_tkeep[8*i +: 8]),
                .m_axi_rx_tlast(axi_rx_tlast[i]),
                .m_axi_rx_tvalid(axi_rx_tvalid[i]),
                .line_tx_valid(line_tx_valid[i]),
                .line_tx_ctl(line_tx_ctl[i]),
                .line_tx_data(line_tx_data[64*i +: 64]),
                .line_tx_ready(line_tx_ready[i]),
                .line_rx_valid(line_rx_valid[i]),
                .line_rx_ctl(line_rx_ctl[i]),
                .line_rx_data(line_rx_data[64*i +: 64]),
                .line_rx_up(line_rx_up[i])
            );
        end
    endgenerate
<%- for lane in lanes %>

    // Lane <$ lane.gt $>.
    aurora_<$ loop.index0 $> channel_<$ loop.index0 $> (
        .gt_refclk1_p(qsfp<$ loop.index0 $>_refclk_p),
        .gt_refclk1_n(qsfp<$ loop.index0 $>_refclk_n),
        .rxp(qsfp<$ loop.index0 $>_rx_p),
        .rxn(qsfp<$ loop.index0 $>_rx_n),
        .txp(qsfp<$ loop.index0 $>_tx_p),
        .txn(qsfp<$ loop.index0 $>_tx_n),
        .init_clk(clock),
        .pma_init(pma_init),
        .reset_pb(reset_pb),
        .power_down(1'b0),
        .loopback(3'b000),
        .gt_rxcdrovrden_in(1'b0),
        .gt0_drpaddr(10'd0),
        .gt0_drpdi(16'd0),
        .gt0_drpen(1'b0),
        .gt0_drpwe(1'b0),
        .user_clk_out(user_clk[<$ loop.index0 $>]),
        .mmcm_not_locked_out(not_locked[<$ loop.index0 $>]),
        .channel_up(channel_up[<$ loop.index0 $>]),
        .s_axi_tx_tdata(axi_tx_tdata[64*<$ loop.index0 $> +: 64]),
        .s_axi_tx_tkeep(axi_tx_tkeep[8*<$ loop.index0 $> +: 8]),
        .s_axi_tx_tlast(axi_tx_tlast[<$ loop.index0 $>]),
        .s_axi_tx_tvalid(axi_tx_tvalid[<$ loop.index0 $>]),
        .s_axi_tx_tready(axi_tx_tready[<$ loop.index0 $>]),
        .m_axi_rx_tdata(axi_rx_tdata[64*<$ loop.index0 $> +: 64]),
        .m_axi_rx_tkeep(axi_rx_tkeep[8*<$ loop.index0 $> +: 8]),
        .m_axi_rx_tlast(axi_rx_tlast[<$ loop.index0 $>]),
        .m_axi_rx_tvalid(axi_rx_tvalid[<$ loop.index0 $>])
    );
<%- endfor %>

    // PCIe: channel q of the core is host q.
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
    wire [64*HOSTS-1:0] to_tdata;
    wire [8*HOSTS-1:0]  to_tkeep;
    wire [HOSTS-1:0]    to_tlast;
    wire [HOSTS-1:0]    to_tuser;
    wire [HOSTS-1:0]    to_tvalid;
    wire [HOSTS-1:0]    to_tready;
    wire [64*HOSTS-1:0] from_tdata;
    wire [8*HOSTS-1:0]  from_tkeep;
    wire [HOSTS-1:0]    from_tlast;
    wire [HOSTS-1:0]    from_tuser;
    wire [HOSTS-1:0]    from_tvalid;
    wire [HOSTS-1:0]    from_tready;
    wire [32*HOSTS-1:0] damaged;

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
            adapter_xdma host (
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
                .clk(clock),
                .rst(rst),
                .s_axis_pcie_tdata(to_tdata[64*q +: 64]),
                .s_axis_pcie_tkeep(to_tkeep[8*q +: 8]),
                .s_axis_pcie_tlast(to_tlast[q]),
                .s_axis_pcie_tuser(to_tuser[q]),
                .s_axis_pcie_tvalid(to_tvalid[q]),
                .s_axis_pcie_tready(to_tready[q]),
                .m_axis_pcie_tdata(from_tdata[64*q +: 64]),
                .m_axis_pcie_tkeep(from_tkeep[8*q +: 8]),
                .m_axis_pcie_tlast(from_tlast[q]),
                .m_axis_pcie_tuser(from_tuser[q]),
                .m_axis_pcie_tvalid(from_tvalid[q]),
                .m_axis_pcie_tready(from_tready[q]),
                .damaged(damaged[32*q +: 32])
            );
        end
    endgenerate

    // Control port.
    wire        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
    wire [19:0] awaddr, araddr;
    wire [31:0] wdata, rdata;
    wire [3:0]  wstrb;
    wire [1:0]  bresp, rresp;
    wire        pcie_up_here;
    reg  [23:0] beat;
    wire [3:0]  light = {1'b0, pcie_up_here, &link_up, beat[23]};

    assign led = light[<$ last_led $>:0];

    always @(posedge clock)
        beat <= rst ? 24'd0 : beat + 24'd1;

    bit_synchroniser pcie_crossing (
        .clk(clock),
        .in(pcie_up),
        .out(pcie_up_here)
    );

    register_bridge #(
        .BLOCKS(1),
        .DIVIDER(BAUD_DIVIDER)
    ) bridge (
        .clk(clock),
        .rst(rst),
        .rx_line(uart_rx),
        .tx_line(uart_tx),
        .m_axil_awvalid(awvalid),
        .m_axil_awready(awready),
        .m_axil_awaddr(awaddr),
        .m_axil_wvalid(wvalid),
        .m_axil_wready(wready),
        .m_axil_wdata(wdata),
        .m_axil_wstrb(wstrb),
        .m_axil_bvalid(bvalid),
        .m_axil_bready(bready),
        .m_axil_bresp(bresp),
        .m_axil_arvalid(arvalid),
        .m_axil_arready(arready),
        .m_axil_araddr(araddr),
        .m_axil_rvalid(rvalid),
        .m_axil_rready(rready),
        .m_axil_rdata(rdata),
        .m_axil_rresp(rresp)
    );

    <$ core $> core (
        .clk(clock),
        .rst(rst),
        .link_up(link_up),
        .link_clk(user_clk),
        .link_rst(link_rst),
        .line_tx_valid(line_tx_valid),
        .line_tx_ctl(line_tx_ctl),
        .line_tx_data(line_tx_data),
        .line_tx_ready(line_tx_ready),
        .line_rx_valid(line_rx_valid),
        .line_rx_ctl(line_rx_ctl),
        .line_rx_data(line_rx_data),
        .line_rx_up(line_rx_up),
        .s_axis_pcie_tdata(to_tdata),
        .s_axis_pcie_tkeep(to_tkeep),
        .s_axis_pcie_tvalid(to_tvalid),
        .s_axis_pcie_tlast(to_tlast),
        .s_axis_pcie_tuser(to_tuser),
        .s_axis_pcie_tready(to_tready),
        .m_axis_pcie_tdata(from_tdata),
        .m_axis_pcie_tkeep(from_tkeep),
        .m_axis_pcie_tvalid(from_tvalid),
        .m_axis_pcie_tlast(from_tlast),
        .m_axis_pcie_tuser(from_tuser),
        .m_axis_pcie_tready(from_tready),
        .s_axil_awaddr(awaddr),
        .s_axil_awvalid(awvalid),
        .s_axil_awready(awready),
        .s_axil_wdata(wdata),
        .s_axil_wstrb(wstrb),
        .s_axil_wvalid(wvalid),
        .s_axil_wready(wready),
        .s_axil_bresp(bresp),
        .s_axil_bvalid(bvalid),
        .s_axil_bready(bready),
        .s_axil_araddr(araddr),
        .s_axil_arvalid(arvalid),
        .s_axil_arready(arready),
        .s_axil_rdata(rdata),
        .s_axil_rresp(rresp),
        .s_axil_rvalid(rvalid),
        .s_axil_rready(rready)
    );

    // Damaged packets are counted by the wrappers; nobody reads the counters here.
    wire unused_ok = &{1'b0, damaged, light};
endmodule

`default_nettype wire
