

    // Host 0 tests; others, if any, send nothing and take all.
    localparam HOSTS = <$ hosts $>;

    wire [64*HOSTS-1:0] to_tdata;
    wire [HOSTS-1:0]    to_tvalid;
    wire [HOSTS-1:0]    to_tlast;
    wire [HOSTS-1:0]    to_tready;
    wire [64*HOSTS-1:0] from_tdata;
    wire [8*HOSTS-1:0]  from_tkeep;
    wire [HOSTS-1:0]    from_tvalid;
    wire [HOSTS-1:0]    from_tlast;
    wire [HOSTS-1:0]    from_tuser;
    wire [HOSTS-1:0]    from_tready;
<%- if hosts > 1 %>

    assign to_tdata[64*HOSTS-1:64] = {64*(HOSTS-1){1'b0}};
    assign to_tvalid[HOSTS-1:1]    = {HOSTS-1{1'b0}};
    assign to_tlast[HOSTS-1:1]     = {HOSTS-1{1'b0}};
    assign from_tready[HOSTS-1:1]  = {HOSTS-1{1'b1}};
<%- endif %>

    node_test #(
        .LINKS(<$ links $>),
        .ADDRESS(20'h<$ address $>),
        .PEERS(<$ peers $>),
        .PEER_LIST(<$ peer_list $>),
        .MAX_PAYLOAD(<$ max_payload $>),
        .BAUD_DIVIDER(BAUD_DIVIDER),
        .RUN_CYCLES(RUN_CYCLES),
        .LENGTH(LENGTH),
        .TEXT(TEXT)
    ) test (
        .clk(clock),
        .rst(rst),
        .link_up(link_up),
        .serial_out(uart_tx),
        .led(light),
        .m_axis_tdata(to_tdata[63:0]),
        .m_axis_tvalid(to_tvalid[0]),
        .m_axis_tlast(to_tlast[0]),
        .m_axis_tready(to_tready[0]),
        .s_axis_tdata(from_tdata[63:0]),
        .s_axis_tkeep(from_tkeep[7:0]),
        .s_axis_tvalid(from_tvalid[0]),
        .s_axis_tlast(from_tlast[0]),
        .s_axis_tuser(from_tuser[0]),
        .s_axis_tready(from_tready[0])
    );

    // Nobody uses the control port here.
    wire        axil_awready;
    wire        axil_wready;
    wire [1:0]  axil_bresp;
    wire        axil_bvalid;
    wire        axil_arready;
    wire [31:0] axil_rdata;
    wire [1:0]  axil_rresp;
    wire        axil_rvalid;
    wire        unused_ok = &{1'b0, uart_rx, axil_awready, axil_wready, axil_bresp, axil_bvalid, axil_arready,
                              axil_rdata, axil_rresp, axil_rvalid, to_tready, from_tdata, from_tkeep,
                              from_tvalid, from_tlast, from_tuser};

    <$ core $> core (
        .clk(clock),
        .rst(rst),
        .link_up(link_up),
        .link_clk(<$ link_clk $>),
        .link_rst(<$ link_rst $>),
        .line_tx_valid(line_tx_valid),
        .line_tx_ctl(line_tx_ctl),
        .line_tx_data(line_tx_data),
        .line_tx_ready(line_tx_ready),
        .line_rx_valid(line_rx_valid),
        .line_rx_ctl(line_rx_ctl),
        .line_rx_data(line_rx_data),
        .line_rx_up(line_rx_up),
        .s_axis_pcie_tdata(to_tdata),
        .s_axis_pcie_tkeep({8*HOSTS{1'b1}}),
        .s_axis_pcie_tvalid(to_tvalid),
        .s_axis_pcie_tlast(to_tlast),
        .s_axis_pcie_tuser({HOSTS{1'b0}}),
        .s_axis_pcie_tready(to_tready),
        .m_axis_pcie_tdata(from_tdata),
        .m_axis_pcie_tkeep(from_tkeep),
        .m_axis_pcie_tvalid(from_tvalid),
        .m_axis_pcie_tlast(from_tlast),
        .m_axis_pcie_tuser(from_tuser),
        .m_axis_pcie_tready(from_tready),
        .s_axil_awaddr(20'd0),
        .s_axil_awvalid(1'b0),
        .s_axil_awready(axil_awready),
        .s_axil_wdata(32'd0),
        .s_axil_wstrb(4'd0),
        .s_axil_wvalid(1'b0),
        .s_axil_wready(axil_wready),
        .s_axil_bresp(axil_bresp),
        .s_axil_bvalid(axil_bvalid),
        .s_axil_bready(1'b1),
        .s_axil_araddr(20'd0),
        .s_axil_arvalid(1'b0),
        .s_axil_arready(axil_arready),
        .s_axil_rdata(axil_rdata),
        .s_axil_rresp(axil_rresp),
        .s_axil_rvalid(axil_rvalid),
        .s_axil_rready(1'b1)
    );