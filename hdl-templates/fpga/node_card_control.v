

    // Control port.
    wire        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
    wire [19:0] awaddr, araddr;
    wire [31:0] wdata, rdata;
    wire [3:0]  wstrb;
    wire [1:0]  bresp, rresp;
<%- if pcie == "xdma" %>
    wire        pcie_up_here;
<%- else if pcie == "litepcie" %>
    wire        pcie_up_here = pcie_up; // in the node's clock
<%- else %>
    wire        pcie_up_here = 1'b0;
<%- endif %>
    reg  [23:0] beat;
    wire [3:0]  light = {1'b0, pcie_up_here, &link_up, beat[23]};

    assign led = light[<$ last_led $>:0];

    always @(posedge clock)
        beat <= rst ? 24'd0 : beat + 24'd1;
<%- if pcie == "xdma" %>

    bit_synchroniser pcie_crossing (
        .clk(clock),
        .in(pcie_up),
        .out(pcie_up_here)
    );
<%- endif %>
<%- if pcie != "none" %>

    // The serial line and the window of the PCIe core reach the same control port.
    wire        serial_awvalid, serial_awready, serial_wvalid, serial_wready, serial_bvalid;
    wire        serial_bready, serial_arvalid, serial_arready, serial_rvalid, serial_rready;
    wire [19:0] serial_awaddr, serial_araddr;
    wire [31:0] serial_wdata, serial_rdata;
    wire [3:0]  serial_wstrb;
    wire [1:0]  serial_bresp, serial_rresp;

    register_bridge #(
        .BLOCKS(1),
        .DIVIDER(BAUD_DIVIDER)
    ) bridge (
        .clk(clock),
        .rst(rst),
        .rx_line(uart_rx),
        .tx_line(uart_tx),
        .m_axil_awvalid(serial_awvalid),
        .m_axil_awready(serial_awready),
        .m_axil_awaddr(serial_awaddr),
        .m_axil_wvalid(serial_wvalid),
        .m_axil_wready(serial_wready),
        .m_axil_wdata(serial_wdata),
        .m_axil_wstrb(serial_wstrb),
        .m_axil_bvalid(serial_bvalid),
        .m_axil_bready(serial_bready),
        .m_axil_bresp(serial_bresp),
        .m_axil_arvalid(serial_arvalid),
        .m_axil_arready(serial_arready),
        .m_axil_araddr(serial_araddr),
        .m_axil_rvalid(serial_rvalid),
        .m_axil_rready(serial_rready),
        .m_axil_rdata(serial_rdata),
        .m_axil_rresp(serial_rresp)
    );

    register_window #(
        .BLOCKS(1)
    ) window (
<%- if pcie == "xdma" %>
        .core_clk(axi_aclk),
        .core_rst(!axi_aresetn),
<%- else %>
        .core_clk(clock),
        .core_rst(rst || host_is_gone),
<%- endif %>
        .s_axil_awvalid(host_awvalid),
        .s_axil_awready(host_awready),
        .s_axil_awaddr(host_awaddr),
        .s_axil_wvalid(host_wvalid),
        .s_axil_wready(host_wready),
        .s_axil_wdata(host_wdata),
        .s_axil_wstrb(host_wstrb),
        .s_axil_bvalid(host_bvalid),
        .s_axil_bready(host_bready),
        .s_axil_bresp(host_bresp),
        .s_axil_arvalid(host_arvalid),
        .s_axil_arready(host_arready),
        .s_axil_araddr(host_araddr),
        .s_axil_rvalid(host_rvalid),
        .s_axil_rready(host_rready),
        .s_axil_rdata(host_rdata),
        .s_axil_rresp(host_rresp),
        .clk(clock),
        .rst(rst),
        .serial_awvalid(serial_awvalid),
        .serial_awready(serial_awready),
        .serial_awaddr(serial_awaddr),
        .serial_wvalid(serial_wvalid),
        .serial_wready(serial_wready),
        .serial_wdata(serial_wdata),
        .serial_wstrb(serial_wstrb),
        .serial_bvalid(serial_bvalid),
        .serial_bready(serial_bready),
        .serial_bresp(serial_bresp),
        .serial_arvalid(serial_arvalid),
        .serial_arready(serial_arready),
        .serial_araddr(serial_araddr),
        .serial_rvalid(serial_rvalid),
        .serial_rready(serial_rready),
        .serial_rdata(serial_rdata),
        .serial_rresp(serial_rresp),
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
<%- else %>
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
<%- endif %>

<%- if pcie != "none" %>
    wire        block_awvalid, block_awready, block_wvalid, block_wready, block_bvalid, block_bready;
    wire        block_arvalid, block_arready, block_rvalid, block_rready;
    wire [31:0] block_rdata;
    wire [1:0]  block_bresp, block_rresp;

    host_registers #(
        .HOSTS(HOSTS)
    ) buffers (
        .clk(clock),
        .rst(rst),
        .waiting(waiting),
        .damaged(damaged),
        .dropped(dropped),
        .s_axil_awvalid(awvalid),
        .s_axil_awready(awready),
        .s_axil_awaddr(awaddr),
        .s_axil_wvalid(wvalid),
        .s_axil_wready(wready),
        .s_axil_bvalid(bvalid),
        .s_axil_bready(bready),
        .s_axil_bresp(bresp),
        .s_axil_arvalid(arvalid),
        .s_axil_arready(arready),
        .s_axil_araddr(araddr),
        .s_axil_rvalid(rvalid),
        .s_axil_rready(rready),
        .s_axil_rdata(rdata),
        .s_axil_rresp(rresp),
        .block_awvalid(block_awvalid),
        .block_awready(block_awready),
        .block_wvalid(block_wvalid),
        .block_wready(block_wready),
        .block_bvalid(block_bvalid),
        .block_bready(block_bready),
        .block_bresp(block_bresp),
        .block_arvalid(block_arvalid),
        .block_arready(block_arready),
        .block_rvalid(block_rvalid),
        .block_rready(block_rready),
        .block_rdata(block_rdata),
        .block_rresp(block_rresp)
    );

<%- endif %>
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
<%- if pcie != "none" %>
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
<%- endif %>
        .s_axil_awaddr(awaddr),
        .s_axil_awvalid(<$ block_pins $>awvalid),
        .s_axil_awready(<$ block_pins $>awready),
        .s_axil_wdata(wdata),
        .s_axil_wstrb(wstrb),
        .s_axil_wvalid(<$ block_pins $>wvalid),
        .s_axil_wready(<$ block_pins $>wready),
        .s_axil_bresp(<$ block_pins $>bresp),
        .s_axil_bvalid(<$ block_pins $>bvalid),
        .s_axil_bready(<$ block_pins $>bready),
        .s_axil_araddr(araddr),
        .s_axil_arvalid(<$ block_pins $>arvalid),
        .s_axil_arready(<$ block_pins $>arready),
        .s_axil_rdata(<$ block_pins $>rdata),
        .s_axil_rresp(<$ block_pins $>rresp),
        .s_axil_rvalid(<$ block_pins $>rvalid),
        .s_axil_rready(<$ block_pins $>rready)
    );

    wire unused_ok = &{1'b0, light};