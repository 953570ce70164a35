// The network of duo.toml with one set of pins a stream, as cocotbext-axi wants them; block 0's control
// port, block 1's unused.
`timescale 1ns / 1ps
`default_nettype none

module bench (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] s0_axis_tdata,
    input  wire [7:0]  s0_axis_tkeep,
    input  wire        s0_axis_tvalid,
    input  wire        s0_axis_tlast,
    input  wire        s0_axis_tuser,
    output wire        s0_axis_tready,
    input  wire [63:0] s1_axis_tdata,
    input  wire [7:0]  s1_axis_tkeep,
    input  wire        s1_axis_tvalid,
    input  wire        s1_axis_tlast,
    input  wire        s1_axis_tuser,
    output wire        s1_axis_tready,
    output wire [63:0] m0_axis_tdata,
    output wire [7:0]  m0_axis_tkeep,
    output wire        m0_axis_tvalid,
    output wire        m0_axis_tlast,
    output wire        m0_axis_tuser,
    input  wire        m0_axis_tready,
    output wire [63:0] m1_axis_tdata,
    output wire [7:0]  m1_axis_tkeep,
    output wire        m1_axis_tvalid,
    output wire        m1_axis_tlast,
    output wire        m1_axis_tuser,
    input  wire        m1_axis_tready,
    input  wire [19:0] s_axil_awaddr,
    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    output wire [1:0]  s_axil_bresp,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    input  wire [19:0] s_axil_araddr,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready
);
    // Outputs of block 1's control port.
    wire        awready_1, wready_1, bvalid_1, arready_1, rvalid_1;
    wire [1:0]  bresp_1, rresp_1;
    wire [31:0] rdata_1;

    duo_top network (
        .clk(clk),
        .rst(rst),
        .cable_up(1'b1),
        .s_axis_pcie_tdata({s1_axis_tdata, s0_axis_tdata}),
        .s_axis_pcie_tkeep({s1_axis_tkeep, s0_axis_tkeep}),
        .s_axis_pcie_tvalid({s1_axis_tvalid, s0_axis_tvalid}),
        .s_axis_pcie_tlast({s1_axis_tlast, s0_axis_tlast}),
        .s_axis_pcie_tuser({s1_axis_tuser, s0_axis_tuser}),
        .s_axis_pcie_tready({s1_axis_tready, s0_axis_tready}),
        .m_axis_pcie_tready({m1_axis_tready, m0_axis_tready}),
        .m_axis_pcie_tdata({m1_axis_tdata, m0_axis_tdata}),
        .m_axis_pcie_tkeep({m1_axis_tkeep, m0_axis_tkeep}),
        .m_axis_pcie_tvalid({m1_axis_tvalid, m0_axis_tvalid}),
        .m_axis_pcie_tlast({m1_axis_tlast, m0_axis_tlast}),
        .m_axis_pcie_tuser({m1_axis_tuser, m0_axis_tuser}),
        .s_axil_awaddr({20'd0, s_axil_awaddr}),
        .s_axil_awvalid({1'b0, s_axil_awvalid}),
        .s_axil_wdata({32'd0, s_axil_wdata}),
        .s_axil_wstrb({4'd0, s_axil_wstrb}),
        .s_axil_wvalid({1'b0, s_axil_wvalid}),
        .s_axil_bready({1'b1, s_axil_bready}),
        .s_axil_araddr({20'd0, s_axil_araddr}),
        .s_axil_arvalid({1'b0, s_axil_arvalid}),
        .s_axil_rready({1'b1, s_axil_rready}),
        .s_axil_awready({awready_1, s_axil_awready}),
        .s_axil_wready({wready_1, s_axil_wready}),
        .s_axil_bresp({bresp_1, s_axil_bresp}),
        .s_axil_bvalid({bvalid_1, s_axil_bvalid}),
        .s_axil_arready({arready_1, s_axil_arready}),
        .s_axil_rdata({rdata_1, s_axil_rdata}),
        .s_axil_rresp({rresp_1, s_axil_rresp}),
        .s_axil_rvalid({rvalid_1, s_axil_rvalid})
    );
endmodule

`default_nettype wire
