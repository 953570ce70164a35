// adapter_xdma: one PCIe port of an adapter block at one channel of Xilinx' XDMA core in AXI4-Stream
// mode (PG195), with the crossing between the core's clock and the network's.
//
// Host to card (h2c): the core is the source. It marks packets by tlast on the last beat of a
// descriptor with EOP; a beat in mid-packet with bytes missing is handed on as it is, and the adapter
// block's ingress drops that packet as *keep*: descriptors without EOP must be multiples of the width.
// Card to host (c2h): the core is the sink, ready only while descriptors are posted. tkeep is
// all ones but on the last beat, and never 0. The adapter block's mark of a damaged packet
// (m_axis_pcie_tuser) has no place in this interface: `damaged` counts such packets, and the
// header's CRC or the packet's length tells the software. A core that stalls for ever fills the FIFO
// and then the adapter block's timeout drops and counts (HOST_TIMEOUT); the network is never held.
//
// Latency: that of axis_async_fifo, each way. Reset: each side synchronous to its clock; axi_aresetn
// active low as the core gives it, rst active high. Hold both together.
// Limits: DATA_WIDTH 64, 128, 256 or 512, the same on both sides.
<$ banner $>

module adapter_xdma #(
    parameter DATA_WIDTH = 64,
    parameter ADDRESS_BITS = 5   // 2^ADDRESS_BITS beats of buffer each way
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
    output reg  [31:0]             damaged // packets handed to the host with tuser = 1
);
    localparam WIDTH = DATA_WIDTH + DATA_WIDTH / 8 + 1;

    reg [1:0] core_reset;

    always @(posedge axi_aclk)
        core_reset <= {core_reset[0], !axi_aresetn};

    axis_async_fifo #(
        .WIDTH(WIDTH),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) to_network (
        .s_clk(axi_aclk),
        .s_rst(core_reset[1]),
        .s_valid(m_axis_h2c_tvalid_0),
        .s_ready(m_axis_h2c_tready_0),
        .s_data({m_axis_h2c_tlast_0, m_axis_h2c_tkeep_0, m_axis_h2c_tdata_0}),
        .m_clk(clk),
        .m_rst(rst),
        .m_valid(s_axis_pcie_tvalid),
        .m_ready(s_axis_pcie_tready),
        .m_data({s_axis_pcie_tlast, s_axis_pcie_tkeep, s_axis_pcie_tdata})
    );

    // The core has no mark for a packet that is to be dropped.
    assign s_axis_pcie_tuser = 1'b0;

    axis_async_fifo #(
        .WIDTH(WIDTH),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) to_host (
        .s_clk(clk),
        .s_rst(rst),
        .s_valid(m_axis_pcie_tvalid),
        .s_ready(m_axis_pcie_tready),
        .s_data({m_axis_pcie_tlast, m_axis_pcie_tkeep, m_axis_pcie_tdata}),
        .m_clk(axi_aclk),
        .m_rst(core_reset[1]),
        .m_valid(s_axis_c2h_tvalid_0),
        .m_ready(s_axis_c2h_tready_0),
        .m_data({s_axis_c2h_tlast_0, s_axis_c2h_tkeep_0, s_axis_c2h_tdata_0})
    );

    always @(posedge clk) begin
        if (rst)
            damaged <= 32'd0;
        else if (m_axis_pcie_tvalid && m_axis_pcie_tready && m_axis_pcie_tlast && m_axis_pcie_tuser)
            damaged <= damaged + 32'd1;
    end
endmodule
