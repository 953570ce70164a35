// adapter_xdma: one PCIe port of an adapter block at one channel of Xilinx' XDMA core in
// AXI4-Stream mode (PG195), with the crossing between the core's clock and the network's.
//
// Host to card (h2c): the core is the source. It marks packets by tlast on the last beat of a
// descriptor with EOP; a beat in mid-packet with bytes missing is handed on as it is, and the
// adapter block's ingress drops that packet as *keep*: descriptors without EOP must be multiples of
// the width.
// Card to host (c2h): the core is the sink, ready only while descriptors are posted. tkeep is
// all ones but on the last beat, and never 0. The network is never held, however late the host
// reads: 2^BUFFER_BITS beats wait for it, and a packet that finds no room is dropped and counted in
// `dropped`. The host gets whole packets only. This interface cannot mark a damaged packet
// (m_axis_pcie_tuser), so such packets are dropped too and counted in `damaged`.
//
// Latency: that of packets_to_network and packets_to_host.
// Reset: each side synchronous to its clock; axi_aresetn active low as the core gives it, rst
// active high. Either may come at any time: the wrapper resets both sides of its crossings.
// Limits: DATA_WIDTH 64, 128, 256 or 512, the same on both sides; 2^BUFFER_BITS >=
// MAX_PACKET_BEATS, the longest packet from the adapter block.
<$ banner $>

module adapter_xdma #(
    parameter DATA_WIDTH = 64,
    parameter ADDRESS_BITS = 5,  // 2^ADDRESS_BITS beats of crossing each way
    parameter BUFFER_BITS = 10,  // 2^BUFFER_BITS beats for packets that wait for the host
    parameter MAX_PACKET_BEATS = 33 // with the header
) (
    // the XDMA core's side, channel 0
    input  wire                    axi_aclk,
    input  wire                    axi_aresetn,
    input  wire [DATA_WIDTH-1:0]   m_axis_h2c_tdata_0,
    input  wire [DATA_WIDTH/8-1:0] m_axis_h2c_tkeep_0,
    input  wire                    m_axis_h2c_tlast_0,
    input  wire                    m_axis_h2c_tvalid_0,
    output wire                    m_axis_h2c_tready_0,
    output wire [DATA_WIDTH-1:0]   s_axis_c2h_tdata_0,
    output wire [DATA_WIDTH/8-1:0] s_axis_c2h_tkeep_0,
    output wire                    s_axis_c2h_tlast_0,
    output wire                    s_axis_c2h_tvalid_0,
    input  wire                    s_axis_c2h_tready_0,
    // the adapter block's side
    input  wire                    clk,
    input  wire                    rst,
    output wire [DATA_WIDTH-1:0]   s_axis_pcie_tdata,
    output wire [DATA_WIDTH/8-1:0] s_axis_pcie_tkeep,
    output wire                    s_axis_pcie_tlast,
    output wire                    s_axis_pcie_tuser,
    output wire                    s_axis_pcie_tvalid,
    input  wire                    s_axis_pcie_tready,
    input  wire [DATA_WIDTH-1:0]   m_axis_pcie_tdata,
    input  wire [DATA_WIDTH/8-1:0] m_axis_pcie_tkeep,
    input  wire                    m_axis_pcie_tlast,
    input  wire                    m_axis_pcie_tuser,
    input  wire                    m_axis_pcie_tvalid,
    output wire                    m_axis_pcie_tready,
    output wire [31:0]             damaged, // packets that ended with tuser = 1
    output wire [31:0]             dropped, // packets that found no room
    output wire                    waiting  // a packet waits for the core to take it
);
    packets_to_network #(
        .DATA_WIDTH(DATA_WIDTH),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) to_network (
        .core_clk(axi_aclk),
        .core_rst(!axi_aresetn),
        .s_tdata(m_axis_h2c_tdata_0),
        .s_tkeep(m_axis_h2c_tkeep_0),
        .s_tlast(m_axis_h2c_tlast_0),
        .s_tuser(1'b0), // the core has no mark for a packet that is to be dropped
        .s_tvalid(m_axis_h2c_tvalid_0),
        .s_tready(m_axis_h2c_tready_0),
        .clk(clk),
        .rst(rst),
        .m_tdata(s_axis_pcie_tdata),
        .m_tkeep(s_axis_pcie_tkeep),
        .m_tlast(s_axis_pcie_tlast),
        .m_tuser(s_axis_pcie_tuser),
        .m_tvalid(s_axis_pcie_tvalid),
        .m_tready(s_axis_pcie_tready)
    );

    packets_to_host #(
        .WIDTH(DATA_WIDTH + DATA_WIDTH / 8),
        .ADDRESS_BITS(ADDRESS_BITS),
        .BUFFER_BITS(BUFFER_BITS),
        .MAX_PACKET_BEATS(MAX_PACKET_BEATS)
    ) to_host (
        .clk(clk),
        .rst(rst),
        .s_valid(m_axis_pcie_tvalid),
        .s_ready(m_axis_pcie_tready),
        .s_data({m_axis_pcie_tkeep, m_axis_pcie_tdata}),
        .s_last(m_axis_pcie_tlast),
        .s_user(m_axis_pcie_tuser),
        .damaged(damaged),
        .dropped(dropped),
        .waiting(waiting),
        .core_clk(axi_aclk),
        .core_rst(!axi_aresetn),
        .m_valid(s_axis_c2h_tvalid_0),
        .m_ready(s_axis_c2h_tready_0),
        .m_data({s_axis_c2h_tkeep_0, s_axis_c2h_tdata_0}),
        .m_last(s_axis_c2h_tlast_0)
    );
endmodule
