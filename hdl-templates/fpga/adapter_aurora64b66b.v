// adapter_aurora64b66b: one PCIe port of an adapter block at a duplex Aurora 64B/66B channel with
// framing interface (PG074), with the crossing between the core's clock and the network's. One
// packet is one frame. Generate the core with the little-endian option, so that tkeep[0] is byte
// 0.
//
// To the channel: the core takes a beat or not as its gearbox and clock compensation allow; gaps
// in a frame are legal. Packets are stored whole before they go on, so that a reset of the network
// does not cut a frame. While the channel is down nothing is sent, and the adapter block's timeout
// drops and counts (HOST_TIMEOUT). A packet that the fall of channel_up cut short is not
// continued: its rest is thrown away and `tx_cut` counts it. The adapter block's mark of a damaged
// packet has no place in this interface: `damaged` counts such packets.
// From the channel: the core cannot wait (there is no m_axi_rx_tready). Whole frames are stored
// before they go on; one that finds no room, because the network holds the port back, vanishes as
// a whole and `overflowed` counts it. One that the fall of channel_up cut short vanishes too;
// `rx_cut` counts it.
// Native flow control and user flow control are not used. The core's CRC verdict is not looked at.
//
// Latency: that of axis_async_fifo and one whole packet + 2 cycles each way, and one cycle more to
// the network.
// Reset: each side synchronous to its clock, active high. Either may come at any time: the wrapper
// resets both sides of its crossings. Frames from the channel that came whole survive a reset of
// the network.
// Limits: DATA_WIDTH 64, 128, 256 or 512 (1, 2, 4 or 8 lanes), the same on both sides;
// 2^BUFFER_BITS >= MAX_PACKET_BEATS, the longest packet from the adapter block.
<$ banner $>

module adapter_aurora64b66b #(
    parameter DATA_WIDTH = 64,
    parameter ADDRESS_BITS = 5,  // 2^ADDRESS_BITS beats of crossing each way
    parameter BUFFER_BITS = 8,   // 2^BUFFER_BITS beats for whole packets each way
    parameter MAX_PACKET_BEATS = 33 // with the header
) (
    // the Aurora core's side
    input  wire                    user_clk,
    input  wire                    user_rst,
    input  wire                    channel_up,
    output wire [DATA_WIDTH-1:0]   s_axi_tx_tdata,
    output wire [DATA_WIDTH/8-1:0] s_axi_tx_tkeep,
    output wire                    s_axi_tx_tlast,
    output wire                    s_axi_tx_tvalid,
    input  wire                    s_axi_tx_tready,
    input  wire [DATA_WIDTH-1:0]   m_axi_rx_tdata,
    input  wire [DATA_WIDTH/8-1:0] m_axi_rx_tkeep,
    input  wire                    m_axi_rx_tlast,
    input  wire                    m_axi_rx_tvalid,
    output reg  [31:0]             tx_cut,     // in user_clk, as the next two
    output reg  [31:0]             rx_cut,
    output reg  [31:0]             overflowed,
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
    output reg  [31:0]             damaged // packets handed to the channel with tuser = 1
);
    localparam WIDTH = DATA_WIDTH + DATA_WIDTH / 8 + 1;

    generate
        if ((1 << BUFFER_BITS) < MAX_PACKET_BEATS) begin : gen_check_buffer_bits
            illegal_parameter_BUFFER_BITS_must_hold_MAX_PACKET_BEATS stop ();
        end
    endgenerate

    // To the channel.
    wire crossed_valid;
    wire crossed_ready;
    wire crossed_last;
    wire [WIDTH-2:0] crossed;
    wire tx_reset;    // the packet that is being stored will not be continued
    wire tx_overflow; // never: s_ready is heeded
    wire tx_waits;
    wire tx_moves;
    reg  tx_open;    // a packet has begun and not ended
    reg  tx_cutting; // the rest of a packet is thrown away

    packet_crossing #(
        .WIDTH(WIDTH - 1),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) to_host (
        .s_clk(clk),
        .s_rst(rst),
        .s_valid(m_axis_pcie_tvalid),
        .s_ready(m_axis_pcie_tready),
        .s_data({m_axis_pcie_tkeep, m_axis_pcie_tdata}),
        .s_last(m_axis_pcie_tlast),
        .m_clk(user_clk),
        .m_rst(user_rst),
        .m_valid(crossed_valid),
        .m_ready(crossed_ready),
        .m_data(crossed),
        .m_last(crossed_last),
        .m_cut(tx_reset)
    );

    packet_buffer #(
        .WIDTH(WIDTH),
        .ADDRESS_BITS(BUFFER_BITS)
    ) tx_buffer (
        .clk(user_clk),
        .rst(user_rst),
        .s_valid(crossed_valid && crossed_ready),
        .s_ready(crossed_ready),
        .s_data({crossed_last, crossed}),
        .s_commit(crossed_valid && crossed_ready && crossed_last),
        .s_discard(tx_reset),
        .overflow(tx_overflow),
        .m_valid(tx_waits),
        .m_ready(tx_cutting || (channel_up && s_axi_tx_tready)),
        .m_data({s_axi_tx_tlast, s_axi_tx_tkeep, s_axi_tx_tdata})
    );

    assign s_axi_tx_tvalid = tx_waits && channel_up && !tx_cutting;
    assign tx_moves        = tx_waits && (tx_cutting || (channel_up && s_axi_tx_tready));

    always @(posedge user_clk) begin
        if (user_rst) begin
            tx_open    <= 1'b0;
            tx_cutting <= 1'b0;
            tx_cut     <= 32'd0;
        end else begin
            if (tx_moves)
                tx_open <= !s_axi_tx_tlast;
            if (tx_moves && s_axi_tx_tlast)
                tx_cutting <= 1'b0;
            else if (!channel_up && tx_open && !tx_cutting) begin
                tx_cutting <= 1'b1;
                tx_cut     <= tx_cut + 32'd1;
            end
        end
    end

    // From the channel.
    wire rx_moves = m_axi_rx_tvalid && channel_up;
    wire rx_overflow;
    wire rx_room;
    reg  rx_open;
    wire stored_valid;
    wire stored_ready;
    wire [WIDTH-1:0] stored;

    packet_buffer #(
        .WIDTH(WIDTH),
        .ADDRESS_BITS(BUFFER_BITS)
    ) from_host (
        .clk(user_clk),
        .rst(user_rst),
        .s_valid(rx_moves),
        .s_ready(rx_room),
        .s_data({m_axi_rx_tlast, m_axi_rx_tkeep, m_axi_rx_tdata}),
        .s_commit(rx_moves && m_axi_rx_tlast),
        .s_discard(!channel_up),
        .overflow(rx_overflow),
        .m_valid(stored_valid),
        .m_ready(stored_ready),
        .m_data(stored)
    );

    packets_to_network #(
        .DATA_WIDTH(DATA_WIDTH),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) to_network (
        .core_clk(user_clk),
        .core_rst(user_rst),
        .s_tdata(stored[DATA_WIDTH-1:0]),
        .s_tkeep(stored[WIDTH-2:DATA_WIDTH]),
        .s_tlast(stored[WIDTH-1]),
        .s_tuser(1'b0), // packets that are not whole do not come this far
        .s_tvalid(stored_valid),
        .s_tready(stored_ready),
        .clk(clk),
        .rst(rst),
        .m_tdata(s_axis_pcie_tdata),
        .m_tkeep(s_axis_pcie_tkeep),
        .m_tlast(s_axis_pcie_tlast),
        .m_tuser(s_axis_pcie_tuser),
        .m_tvalid(s_axis_pcie_tvalid),
        .m_tready(s_axis_pcie_tready)
    );

    // The core could not wait for room.
    wire unused_ok = &{1'b0, rx_room, tx_overflow};

    always @(posedge user_clk) begin
        if (user_rst) begin
            rx_open    <= 1'b0;
            rx_cut     <= 32'd0;
            overflowed <= 32'd0;
        end else begin
            if (!channel_up)
                rx_open <= 1'b0;
            else if (rx_moves)
                rx_open <= !m_axi_rx_tlast;
            if (!channel_up && rx_open)
                rx_cut <= rx_cut + 32'd1;
            if (rx_overflow)
                overflowed <= overflowed + 32'd1;
        end
    end

    always @(posedge clk) begin
        if (rst)
            damaged <= 32'd0;
        else if (m_axis_pcie_tvalid && m_axis_pcie_tready && m_axis_pcie_tlast && m_axis_pcie_tuser)
            damaged <= damaged + 32'd1;
    end
endmodule
