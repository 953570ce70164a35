// All of the card but the maker's cores: wrapper, window of registers, network, and the echo at host 1, which sends every
// packet back to where it came from. The echo holds one beat; the wrapper waits for it.
`default_nettype none
module card_network (
    input  wire        axi_aclk,
    input  wire        axi_aresetn,
    input  wire        clk,
    input  wire [63:0] h2c_tdata,
    input  wire [7:0]  h2c_tkeep,
    input  wire        h2c_tlast,
    input  wire        h2c_tvalid,
    output wire        h2c_tready,
    output wire [63:0] c2h_tdata,
    output wire [7:0]  c2h_tkeep,
    output wire        c2h_tlast,
    output wire        c2h_tvalid,
    input  wire        c2h_tready,
    output wire        irq_request,
    input  wire        irq_acknowledge,
    input  wire        host_awvalid,
    output wire        host_awready,
    input  wire [31:0] host_awaddr,
    input  wire        host_wvalid,
    output wire        host_wready,
    input  wire [31:0] host_wdata,
    input  wire [3:0]  host_wstrb,
    output wire        host_bvalid,
    input  wire        host_bready,
    output wire [1:0]  host_bresp,
    input  wire        host_arvalid,
    output wire        host_arready,
    input  wire [31:0] host_araddr,
    output wire        host_rvalid,
    input  wire        host_rready,
    output wire [31:0] host_rdata,
    output wire [1:0]  host_rresp
);
    reg [2:0] reset = 3'b111;
    always @(posedge clk)
        reset <= {reset[1:0], !axi_aresetn};
    wire rst = reset[2];

    wire [127:0] s_tdata;
    wire [15:0] s_tkeep;
    wire [1:0] s_tlast;
    wire [1:0] s_tuser;
    wire [1:0] s_tvalid;
    wire [1:0] s_tready;
    wire [127:0] m_tdata;
    wire [15:0] m_tkeep;
    wire [1:0] m_tlast;
    wire [1:0] m_tuser;
    wire [1:0] m_tvalid;
    wire [1:0] m_tready;

    wire [31:0] damaged;
    wire [31:0] dropped;
    wire waiting;

    adapter_xdma #(.DATA_WIDTH(64)) host (
        .axi_aclk(axi_aclk), .axi_aresetn(axi_aresetn),
        .m_axis_h2c_tdata_0(h2c_tdata), .m_axis_h2c_tkeep_0(h2c_tkeep),
        .m_axis_h2c_tlast_0(h2c_tlast), .m_axis_h2c_tvalid_0(h2c_tvalid),
        .m_axis_h2c_tready_0(h2c_tready),
        .s_axis_c2h_tdata_0(c2h_tdata), .s_axis_c2h_tkeep_0(c2h_tkeep),
        .s_axis_c2h_tlast_0(c2h_tlast), .s_axis_c2h_tvalid_0(c2h_tvalid),
        .s_axis_c2h_tready_0(c2h_tready),
        .clk(clk), .rst(rst),
        .s_axis_pcie_tdata(s_tdata[63:0]), .s_axis_pcie_tkeep(s_tkeep[7:0]),
        .s_axis_pcie_tlast(s_tlast[0]), .s_axis_pcie_tuser(s_tuser[0]),
        .s_axis_pcie_tvalid(s_tvalid[0]), .s_axis_pcie_tready(s_tready[0]),
        .m_axis_pcie_tdata(m_tdata[63:0]), .m_axis_pcie_tkeep(m_tkeep[7:0]),
        .m_axis_pcie_tlast(m_tlast[0]), .m_axis_pcie_tuser(m_tuser[0]),
        .m_axis_pcie_tvalid(m_tvalid[0]), .m_axis_pcie_tready(m_tready[0]),
        .damaged(damaged), .dropped(dropped), .waiting(waiting)
    );

    packet_interrupt interrupt (
        .clk(axi_aclk), .rst(!axi_aresetn), .waiting(c2h_tvalid), .request(irq_request),
        .acknowledge(irq_acknowledge)
    );

    wire [1:0] awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
    wire [39:0] awaddr, araddr;
    wire [63:0] wdata, rdata;
    wire [7:0] wstrb;
    wire [3:0] bresp, rresp;

    register_window #(.BLOCKS(2)) window (
        .core_clk(axi_aclk), .core_rst(!axi_aresetn),
        .s_axil_awvalid(host_awvalid), .s_axil_awready(host_awready), .s_axil_awaddr(host_awaddr),
        .s_axil_wvalid(host_wvalid), .s_axil_wready(host_wready), .s_axil_wdata(host_wdata),
        .s_axil_wstrb(host_wstrb), .s_axil_bvalid(host_bvalid), .s_axil_bready(host_bready),
        .s_axil_bresp(host_bresp), .s_axil_arvalid(host_arvalid), .s_axil_arready(host_arready),
        .s_axil_araddr(host_araddr), .s_axil_rvalid(host_rvalid), .s_axil_rready(host_rready),
        .s_axil_rdata(host_rdata), .s_axil_rresp(host_rresp),
        .clk(clk), .rst(rst),
        .serial_awvalid(2'd0), .serial_awready(), .serial_awaddr(40'd0), .serial_wvalid(2'd0), .serial_wready(),
        .serial_wdata(64'd0), .serial_wstrb(8'd0), .serial_bvalid(), .serial_bready(2'd0), .serial_bresp(),
        .serial_arvalid(2'd0), .serial_arready(), .serial_araddr(40'd0), .serial_rvalid(), .serial_rready(2'd0),
        .serial_rdata(), .serial_rresp(),
        .m_axil_awvalid(awvalid), .m_axil_awready(awready), .m_axil_awaddr(awaddr), .m_axil_wvalid(wvalid),
        .m_axil_wready(wready), .m_axil_wdata(wdata), .m_axil_wstrb(wstrb), .m_axil_bvalid(bvalid),
        .m_axil_bready(bready), .m_axil_bresp(bresp), .m_axil_arvalid(arvalid), .m_axil_arready(arready),
        .m_axil_araddr(araddr), .m_axil_rvalid(rvalid), .m_axil_rready(rready), .m_axil_rdata(rdata),
        .m_axil_rresp(rresp)
    );

    // Block 0 has the registers of the host's buffer in front of it.
    wire block_awvalid, block_awready, block_wvalid, block_wready, block_bvalid, block_bready;
    wire block_arvalid, block_arready, block_rvalid, block_rready;
    wire [31:0] block_rdata;
    wire [1:0] block_bresp, block_rresp;

    host_registers #(.HOSTS(1)) buffers (
        .clk(clk), .rst(rst), .waiting(waiting), .damaged(damaged), .dropped(dropped),
        .s_axil_awvalid(awvalid[0]), .s_axil_awready(awready[0]), .s_axil_awaddr(awaddr[19:0]),
        .s_axil_wvalid(wvalid[0]), .s_axil_wready(wready[0]), .s_axil_bvalid(bvalid[0]),
        .s_axil_bready(bready[0]), .s_axil_bresp(bresp[1:0]), .s_axil_arvalid(arvalid[0]),
        .s_axil_arready(arready[0]), .s_axil_araddr(araddr[19:0]), .s_axil_rvalid(rvalid[0]),
        .s_axil_rready(rready[0]), .s_axil_rdata(rdata[31:0]), .s_axil_rresp(rresp[1:0]),
        .block_awvalid(block_awvalid), .block_awready(block_awready), .block_wvalid(block_wvalid),
        .block_wready(block_wready), .block_bvalid(block_bvalid), .block_bready(block_bready),
        .block_bresp(block_bresp), .block_arvalid(block_arvalid), .block_arready(block_arready),
        .block_rvalid(block_rvalid), .block_rready(block_rready), .block_rdata(block_rdata),
        .block_rresp(block_rresp)
    );

    xdma_card_top network (
        .clk(clk), .rst(rst), .cable_up(1'b1),
        .s_axil_awvalid({awvalid[1], block_awvalid}), .s_axil_awready({awready[1], block_awready}),
        .s_axil_awaddr(awaddr), .s_axil_wvalid({wvalid[1], block_wvalid}),
        .s_axil_wready({wready[1], block_wready}), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
        .s_axil_bvalid({bvalid[1], block_bvalid}), .s_axil_bready({bready[1], block_bready}),
        .s_axil_bresp({bresp[3:2], block_bresp}), .s_axil_arvalid({arvalid[1], block_arvalid}),
        .s_axil_arready({arready[1], block_arready}), .s_axil_araddr(araddr),
        .s_axil_rvalid({rvalid[1], block_rvalid}), .s_axil_rready({rready[1], block_rready}),
        .s_axil_rdata({rdata[63:32], block_rdata}), .s_axil_rresp({rresp[3:2], block_rresp}),
        .s_axis_pcie_tdata(s_tdata), .s_axis_pcie_tkeep(s_tkeep), .s_axis_pcie_tvalid(s_tvalid),
        .s_axis_pcie_tlast(s_tlast), .s_axis_pcie_tuser(s_tuser), .s_axis_pcie_tready(s_tready),
        .m_axis_pcie_tdata(m_tdata), .m_axis_pcie_tkeep(m_tkeep), .m_axis_pcie_tvalid(m_tvalid),
        .m_axis_pcie_tlast(m_tlast), .m_axis_pcie_tuser(m_tuser), .m_axis_pcie_tready(m_tready)
    );

    reg [63:0] beat;
    reg [7:0] keep;
    reg last;
    reg abort;
    reg full;
    reg is_header;
    assign m_tready[1] = !full || s_tready[1];
    assign s_tdata[127:64] = beat;
    assign s_tkeep[15:8] = keep;
    assign s_tlast[1] = last;
    assign s_tuser[1] = abort;
    assign s_tvalid[1] = full;
    always @(posedge clk)
        if (rst) begin
            full <= 1'b0;
            is_header <= 1'b1;
        end else if (m_tready[1]) begin
            full <= m_tvalid[1];
            beat <= is_header ? {m_tdata[127:104], 20'd0, m_tdata[103:84]} : m_tdata[127:64];
            keep <= m_tkeep[15:8];
            last <= m_tlast[1];
            abort <= m_tuser[1];
            if (m_tvalid[1])
                is_header <= m_tlast[1];
        end
endmodule
`default_nettype wire
