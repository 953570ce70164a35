// packets_to_network: the way from the core of a host to the PCIe port of an adapter block. Packets
// cross from the core's clock to the network's. One that a reset of the core cuts ends with
// tuser = 1, so that the adapter block drops it; of one that a reset of the network cuts, the rest
// is thrown away.
//
// Latency: that of axis_async_fifo and one cycle. Throughput: one beat per cycle of the slower
// clock.
// Reset: each side synchronous to its own clock, active high; paired in packet_crossing.
// Limits: ADDRESS_BITS 2..12.
<$ banner $>

module packets_to_network #(
    parameter DATA_WIDTH = 64,
    parameter ADDRESS_BITS = 5   // 2^ADDRESS_BITS beats of crossing
) (
    // the core's side
    input  wire                    core_clk,
    input  wire                    core_rst,
    input  wire [DATA_WIDTH-1:0]   s_tdata,
    input  wire [DATA_WIDTH/8-1:0] s_tkeep,
    input  wire                    s_tlast,
    input  wire                    s_tuser,
    input  wire                    s_tvalid,
    output wire                    s_tready,
    // the adapter block's side
    input  wire                    clk,
    input  wire                    rst,
    output wire [DATA_WIDTH-1:0]   m_tdata,
    output wire [DATA_WIDTH/8-1:0] m_tkeep,
    output wire                    m_tlast,
    output wire                    m_tuser,
    output wire                    m_tvalid,
    input  wire                    m_tready
);
    localparam WIDTH = DATA_WIDTH + DATA_WIDTH / 8;

    wire             crossed_valid;
    wire             crossed_ready;
    wire             crossed_last;
    wire             crossed_user;
    wire [WIDTH-1:0] crossed;
    wire             cut;

    packet_crossing #(
        .WIDTH(WIDTH + 1),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) crossing (
        .s_clk(core_clk),
        .s_rst(core_rst),
        .s_valid(s_tvalid),
        .s_ready(s_tready),
        .s_data({s_tuser, s_tkeep, s_tdata}),
        .s_last(s_tlast),
        .m_clk(clk),
        .m_rst(rst),
        .m_valid(crossed_valid),
        .m_ready(crossed_ready),
        .m_data({crossed_user, crossed}),
        .m_last(crossed_last),
        .m_cut(cut)
    );

    packet_closer #(.WIDTH(WIDTH)) closer (
        .clk(clk),
        .rst(rst),
        .cut(cut),
        .s_valid(crossed_valid),
        .s_ready(crossed_ready),
        .s_data(crossed),
        .s_last(crossed_last),
        .s_user(crossed_user),
        .m_valid(m_tvalid),
        .m_ready(m_tready),
        .m_data({m_tkeep, m_tdata}),
        .m_last(m_tlast),
        .m_user(m_tuser)
    );
endmodule
