// packet_crossing: packets from one clock to another, with the resets of both sides paired
// (paired_reset). A reset of either side empties the crossing. The packet in progress is cut then:
// its beats that are still to come are thrown away here, so that the first beat which crosses
// after a reset is the first of a packet. `m_cut` tells the receiver that what it has of a packet
// will not be continued.
//
// Latency: that of axis_async_fifo. Throughput: one beat per cycle of the slower clock.
// Reset: each side synchronous to its own clock, active high, one cycle or more, at any time. The
// sender of a side that was reset begins with the first beat of a packet.
// Limits: those of axis_async_fifo. While the resets are exchanged, s_ready is 0.
<$ banner $>

module packet_crossing #(
    parameter WIDTH = 72,        // bits of a beat without its last mark
    parameter ADDRESS_BITS = 5   // 2^ADDRESS_BITS beats
) (
    input  wire             s_clk,
    input  wire             s_rst,
    input  wire             s_valid,
    output wire             s_ready,
    input  wire [WIDTH-1:0] s_data,
    input  wire             s_last,
    input  wire             m_clk,
    input  wire             m_rst,
    output wire             m_valid,
    input  wire             m_ready,
    output wire [WIDTH-1:0] m_data,
    output wire             m_last,
    output wire             m_cut   // for several cycles; m_valid is 0 then
);
    wire s_stops, s_clears, s_request, s_answer;
    wire m_stops, m_clears, m_request, m_answer;
    wire fifo_ready;
    wire fifo_valid;
    reg  is_open;  // a packet has begun and not ended
    reg  is_cut;   // a reset came into it: the rest is thrown away
    wire s_moves = s_valid && s_ready;

    paired_reset s_reset (
        .clk(s_clk),
        .rst(s_rst),
        .stops(s_stops),
        .clears(s_clears),
        .request(s_request),
        .answer(s_answer),
        .other_request(m_request),
        .other_answer(m_answer)
    );

    paired_reset m_reset (
        .clk(m_clk),
        .rst(m_rst),
        .stops(m_stops),
        .clears(m_clears),
        .request(m_request),
        .answer(m_answer),
        .other_request(s_request),
        .other_answer(s_answer)
    );

    assign s_ready = !s_stops && (is_cut || fifo_ready);
    assign m_valid = fifo_valid && !m_stops;
    assign m_cut   = m_stops;

    axis_async_fifo #(
        .WIDTH(WIDTH + 1),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) fifo (
        .s_clk(s_clk),
        .s_rst(s_clears),
        .s_valid(s_valid && !s_stops && !is_cut),
        .s_ready(fifo_ready),
        .s_data({s_last, s_data}),
        .m_clk(m_clk),
        .m_rst(m_clears),
        .m_valid(fifo_valid),
        .m_ready(m_ready && !m_stops),
        .m_data({m_last, m_data})
    );

    always @(posedge s_clk) begin
        if (s_rst) begin
            is_open <= 1'b0;
            is_cut  <= 1'b0;
        end else if (s_clears)
            is_cut <= is_open;
        else if (s_moves) begin
            is_open <= !s_last;
            is_cut  <= is_cut && !s_last;
        end
    end
endmodule
