// All of the card but the maker's cores: wrapper, network, and the echo at host 1, which sends every packet back to
// where it came from. The echo holds one beat; the wrapper waits for it.
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
    input  wire        c2h_tready
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
        .damaged(), .dropped()
    );

    pair_top network (
        .clk(clk), .rst(rst), .cable_up(1'b1),
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
