// packets_to_host: the way from the PCIe port of an adapter block to a host that may be late. Every
// beat is taken when it comes, so that a slow host never holds the network. The host gets whole
// packets or nothing: packets wait in a buffer of 2^BUFFER_BITS beats; one that finds no room is
// dropped (`dropped`), and so is one that the adapter block marks as damaged (`damaged`).
//
// A second buffer, in the core's clock, collects each packet behind the crossing. Thus a reset of
// the network does not cut a packet that the core has begun to take. Packets in the first buffer
// survive a reset of the core.
//
// Latency: two whole packets, that of axis_async_fifo, and 4 cycles. Throughput: one beat per cycle
// of the slower clock.
// Reset: each side synchronous to its own clock, active high; paired in packet_crossing.
// Limits: BUFFER_BITS 2..16, ADDRESS_BITS 2..12; 2^BUFFER_BITS >= MAX_PACKET_BEATS, at most 2,048.
<$ banner $>

module packets_to_host #(
    parameter WIDTH = 72,        // bits of a beat without its last mark
    parameter ADDRESS_BITS = 5,  // 2^ADDRESS_BITS beats of crossing
    parameter BUFFER_BITS = 10,  // 2^BUFFER_BITS beats for packets that wait for the host
    parameter MAX_PACKET_BEATS = 33 // with the header
) (
    // the adapter block's side
    input  wire             clk,
    input  wire             rst,
    input  wire             s_valid,
    output wire             s_ready, // 1 out of reset
    input  wire [WIDTH-1:0] s_data,
    input  wire             s_last,
    input  wire             s_user,
    output reg  [31:0]      damaged,
    output reg  [31:0]      dropped,
    output wire             waiting, // a packet waits for the core to take it
    // the core's side
    input  wire             core_clk,
    input  wire             core_rst,
    output wire             m_valid,
    input  wire             m_ready,
    output wire [WIDTH-1:0] m_data,
    output wire             m_last
);
    // Room for one packet that comes and one that leaves.
    localparam PACKET_BITS = MAX_PACKET_BEATS < 2 ? 2 : $clog2(2 * MAX_PACKET_BEATS);

    generate
        if ((1 << BUFFER_BITS) < MAX_PACKET_BEATS) begin : gen_check_buffer_bits
            illegal_parameter_BUFFER_BITS_must_hold_MAX_PACKET_BEATS stop ();
        end
    endgenerate

    wire           is_damaged = s_valid && s_ready && s_last && s_user;
    wire           is_dropped;
    wire           room;
    wire           waits_valid;
    wire           waits_ready;
    wire [WIDTH:0] waits;
    wire           crossed_valid;
    wire           crossed_ready;
    wire           crossed_last;
    wire [WIDTH-1:0] crossed;
    wire           cut;
    wire           core_overflow; // never: s_ready is heeded

    assign s_ready = !rst;

    packet_buffer #(
        .WIDTH(WIDTH + 1),
        .ADDRESS_BITS(BUFFER_BITS)
    ) host_buffer (
        .clk(clk),
        .rst(rst),
        .s_valid(s_valid),
        .s_ready(room),
        .s_data({s_last, s_data}),
        .s_commit(s_valid && s_last),
        .s_discard(is_damaged),
        .overflow(is_dropped),
        .m_valid(waits_valid),
        .m_ready(waits_ready),
        .m_data(waits)
    );

    packet_crossing #(
        .WIDTH(WIDTH),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) crossing (
        .s_clk(clk),
        .s_rst(rst),
        .s_valid(waits_valid),
        .s_ready(waits_ready),
        .s_data(waits[WIDTH-1:0]),
        .s_last(waits[WIDTH]),
        .m_clk(core_clk),
        .m_rst(core_rst),
        .m_valid(crossed_valid),
        .m_ready(crossed_ready),
        .m_data(crossed),
        .m_last(crossed_last),
        .m_cut(cut)
    );

    packet_buffer #(
        .WIDTH(WIDTH + 1),
        .ADDRESS_BITS(PACKET_BITS)
    ) core_buffer (
        .clk(core_clk),
        .rst(core_rst),
        .s_valid(crossed_valid && crossed_ready), // one without room would be lost
        .s_ready(crossed_ready),
        .s_data({crossed_last, crossed}),
        .s_commit(crossed_valid && crossed_ready && crossed_last),
        .s_discard(cut),
        .overflow(core_overflow),
        .m_valid(m_valid),
        .m_ready(m_ready),
        .m_data({m_last, m_data})
    );

    bit_synchroniser waiting_crossing (
        .clk(clk),
        .in(m_valid),
        .out(waiting)
    );

    always @(posedge clk) begin
        if (rst) begin
            damaged <= 32'd0;
            dropped <= 32'd0;
        end else begin
            if (is_damaged)
                damaged <= damaged + 32'd1;
            if (is_dropped)
                dropped <= dropped + 32'd1;
        end
    end

    // No beat waits for room.
    wire unused_ok = &{1'b0, room, core_overflow};
endmodule
