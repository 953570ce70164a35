// adapter_eth_mac_10g: one PCIe port of an adapter block at a 10GBASE-R MAC of 64 bits, with the
// crossings between the MAC's two clocks and the network's. One packet is one Ethernet frame. The
// signals are those of verilog-ethernet's eth_mac_10g; Xilinx' 10G/25G subsystem (PG210) has the
// same ones with the number of the port behind them (tx_axis_tdata_0).
//
// To the MAC: once a frame has begun the MAC needs a beat whenever it is ready, so packets are
// stored whole before they go on. A MAC that stalls for ever fills the buffers, and then the
// adapter block's timeout drops and counts (HOST_TIMEOUT). A damaged packet (m_axis_pcie_tuser) is
// sent with tx_axis_tuser = 1, which makes the frame bad for its receiver; `damaged` counts such
// packets.
// From the MAC: it cannot wait (there is no rx_axis_tready). Frames are stored whole before they
// go on; one that finds no room vanishes as a whole (`overflowed`), so do one that is marked bad
// or too short for its packet (`bad_frames`) and one for others (`foreign`).
//
// Latency: that of axis_async_fifo each way, one whole packet + 2 cycles, and 2 beats of Ethernet
// header; one cycle more to the network.
// Reset: each side synchronous to its clock, active high. Any of the three may come at any time,
// those of the MAC between frames of the MAC: the wrapper resets both sides of its crossings.
// Packets that one of the MAC's sides has stored whole survive a reset of the network.
// Limits: DATA_WIDTH 64 only; 2^BUFFER_BITS >= MAX_PACKET_BEATS, the longest packet from the
// adapter block. Frames have at most 24 bytes more than a packet's payload: more than 1490 bytes
// of payload need a MAC that passes longer frames.
<$ banner $>

module adapter_eth_mac_10g #(
    parameter [47:0] LOCAL_ADDRESS = 48'h020000000001,
    parameter [47:0] REMOTE_ADDRESS = 48'hffffffffffff,
    parameter [15:0] ETHER_TYPE = 16'h88b5, // IEEE 802: local experimental
    parameter ADDRESS_BITS = 5,  // 2^ADDRESS_BITS beats of crossing each way
    parameter BUFFER_BITS = 8,  // 2^BUFFER_BITS beats for whole packets each way
    parameter MAX_PACKET_BEATS = 33  // with the header
) (
    // the MAC's side
    input  wire        tx_clk,
    input  wire        tx_rst,
    output wire [63:0] tx_axis_tdata,
    output wire [7:0]  tx_axis_tkeep,
    output wire        tx_axis_tvalid,
    input  wire        tx_axis_tready,
    output wire        tx_axis_tlast,
    output wire        tx_axis_tuser,
    input  wire        rx_clk,
    input  wire        rx_rst,
    input  wire [63:0] rx_axis_tdata,
    input  wire [7:0]  rx_axis_tkeep,
    input  wire        rx_axis_tvalid,
    input  wire        rx_axis_tlast,
    input  wire        rx_axis_tuser,
    output reg  [31:0] overflowed, // in rx_clk, as the next two
    output reg  [31:0] bad_frames,
    output reg  [31:0] foreign,
    // the adapter block's side
    input  wire        clk,
    input  wire        rst,
    output wire [63:0] s_axis_pcie_tdata,
    output wire [7:0]  s_axis_pcie_tkeep,
    output wire        s_axis_pcie_tlast,
    output wire        s_axis_pcie_tuser,
    output wire        s_axis_pcie_tvalid,
    input  wire        s_axis_pcie_tready,
    input  wire [63:0] m_axis_pcie_tdata,
    input  wire [7:0]  m_axis_pcie_tkeep,
    input  wire        m_axis_pcie_tlast,
    input  wire        m_axis_pcie_tuser,
    input  wire        m_axis_pcie_tvalid,
    output wire        m_axis_pcie_tready,
    output reg  [31:0] damaged // packets handed to the MAC with tuser = 1
);
    generate
        if ((1 << BUFFER_BITS) < MAX_PACKET_BEATS) begin : gen_check_buffer_bits
            illegal_parameter_BUFFER_BITS_must_hold_MAX_PACKET_BEATS stop ();
        end
    endgenerate

    // To the MAC: {tuser, tlast, tkeep, tdata}.
    wire        crossed_valid;
    wire        crossed_ready;
    wire        tx_reset;    // the packet that is being stored will not be continued
    wire [73:0] crossed;
    wire        whole_valid;
    wire        whole_ready;
    wire [73:0] whole;
    wire        tx_overflow; // never: s_ready is heeded

    packet_crossing #(
        .WIDTH(73),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) to_host (
        .s_clk(clk),
        .s_rst(rst),
        .s_valid(m_axis_pcie_tvalid),
        .s_ready(m_axis_pcie_tready),
        .s_data({m_axis_pcie_tuser, m_axis_pcie_tkeep, m_axis_pcie_tdata}),
        .s_last(m_axis_pcie_tlast),
        .m_clk(tx_clk),
        .m_rst(tx_rst),
        .m_valid(crossed_valid),
        .m_ready(crossed_ready),
        .m_data({crossed[73], crossed[71:0]}),
        .m_last(crossed[72]),
        .m_cut(tx_reset)
    );

    packet_buffer #(
        .WIDTH(74),
        .ADDRESS_BITS(BUFFER_BITS)
    ) tx_buffer (
        .clk(tx_clk),
        .rst(tx_rst),
        .s_valid(crossed_valid && crossed_ready),
        .s_ready(crossed_ready),
        .s_data(crossed),
        .s_commit(crossed_valid && crossed_ready && crossed[72]),
        .s_discard(tx_reset),
        .overflow(tx_overflow),
        .m_valid(whole_valid),
        .m_ready(whole_ready),
        .m_data(whole)
    );

    ethernet_framer #(
        .DESTINATION(REMOTE_ADDRESS),
        .SOURCE(LOCAL_ADDRESS),
        .ETHER_TYPE(ETHER_TYPE)
    ) framer (
        .clk(tx_clk),
        .rst(tx_rst),
        .s_tdata(whole[63:0]),
        .s_tkeep(whole[71:64]),
        .s_tlast(whole[72]),
        .s_tuser(whole[73]),
        .s_tvalid(whole_valid),
        .s_tready(whole_ready),
        .m_tdata(tx_axis_tdata),
        .m_tkeep(tx_axis_tkeep),
        .m_tlast(tx_axis_tlast),
        .m_tuser(tx_axis_tuser),
        .m_tvalid(tx_axis_tvalid),
        .m_tready(tx_axis_tready)
    );

    always @(posedge clk) begin
        if (rst)
            damaged <= 32'd0;
        else if (m_axis_pcie_tvalid && m_axis_pcie_tready && m_axis_pcie_tlast && m_axis_pcie_tuser)
            damaged <= damaged + 32'd1;
    end

    // From the MAC: {tlast, tkeep, tdata}.
    wire [7:0]  beat_keep;
    wire        beat_last;
    wire        beat_valid;
    wire        commit;
    wire        discard;
    wire        overflow;
    wire        rx_room;
    wire        is_bad;
    wire        is_foreign;
    wire        stored_valid;
    wire        stored_ready;
    wire [72:0] stored;

    ethernet_deframer #(
        .LOCAL(LOCAL_ADDRESS),
        .ETHER_TYPE(ETHER_TYPE)
    ) deframer (
        .clk(rx_clk),
        .rst(rx_rst),
        .s_tdata(rx_axis_tdata),
        .s_tkeep(rx_axis_tkeep),
        .s_tlast(rx_axis_tlast),
        .s_tuser(rx_axis_tuser),
        .s_tvalid(rx_axis_tvalid),
        .m_tkeep(beat_keep),
        .m_tlast(beat_last),
        .m_valid(beat_valid),
        .m_commit(commit),
        .m_discard(discard),
        .is_bad(is_bad),
        .foreign(is_foreign)
    );

    packet_buffer #(
        .WIDTH(73),
        .ADDRESS_BITS(BUFFER_BITS)
    ) rx_buffer (
        .clk(rx_clk),
        .rst(rx_rst),
        .s_valid(beat_valid),
        .s_ready(rx_room),
        .s_data({beat_last, beat_keep, rx_axis_tdata}),
        .s_commit(commit),
        .s_discard(discard),
        .overflow(overflow),
        .m_valid(stored_valid),
        .m_ready(stored_ready),
        .m_data(stored)
    );

    packets_to_network #(
        .DATA_WIDTH(64),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) to_network (
        .core_clk(rx_clk),
        .core_rst(rx_rst),
        .s_tdata(stored[63:0]),
        .s_tkeep(stored[71:64]),
        .s_tlast(stored[72]),
        .s_tuser(1'b0), // packets that are not whole and good do not come this far
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

    // The MAC could not wait for room.
    wire unused_ok = &{1'b0, rx_room, tx_overflow};

    always @(posedge rx_clk) begin
        if (rx_rst) begin
            overflowed <= 32'd0;
            bad_frames <= 32'd0;
            foreign    <= 32'd0;
        end else begin
            if (overflow)
                overflowed <= overflowed + 32'd1;
            if (is_bad)
                bad_frames <= bad_frames + 32'd1;
            if (is_foreign)
                foreign <= foreign + 32'd1;
        end
    end
endmodule
