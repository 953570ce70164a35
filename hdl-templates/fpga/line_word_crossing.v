// line_word_crossing: words of a line from the clock they came with to that of the link port, by a
// queue of 16 with Gray-coded pointers (axis_async_fifo).
//
// The link port takes every word at once, so the queue only bridges the phase of the two clocks. It
// never overflows as long as words come less often than link_clk ticks: a sender leaves one word in
// 1,024 empty where both rates are nominally equal. Of a control word the lower 56 bits count, the
// others become 0. `rx_up` is high while words come: it falls SILENCE cycles after the last one.
// Latency: 4 to 5 cycles of link_clk. Reset: each side synchronous to its clock, active high. When
// the clock of the line was stopped during a reset, up to 31 old words may come once.
<$ banner $>

module line_word_crossing #(
    parameter SILENCE = 4096 // cycles of link_clk without a word, 2..65535
) (
    input  wire        line_clk,
    input  wire        line_rst,
    input  wire        valid,
    input  wire        ctl,
    input  wire [63:0] data,
    input  wire        link_clk,
    input  wire        link_rst,
    output wire        line_rx_valid,
    output wire        line_rx_ctl,
    output wire [63:0] line_rx_data,
    output wire        rx_up
);
    wire        has_room;
    wire        waits;
    reg  [15:0] time_left;

    axis_async_fifo #(
        .WIDTH(65),
        .ADDRESS_BITS(4)
    ) crossing (
        .s_clk(line_clk),
        .s_rst(line_rst),
        .s_valid(valid),
        .s_ready(has_room),
        .s_data({ctl, ctl ? 8'd0 : data[63:56], data[55:0]}),
        .m_clk(link_clk),
        .m_rst(link_rst),
        .m_valid(waits),
        .m_ready(1'b1),
        .m_data({line_rx_ctl, line_rx_data})
    );

    assign line_rx_valid = waits;
    assign rx_up         = time_left != 16'd0;

    always @(posedge link_clk) begin
        if (link_rst)
            time_left <= 16'd0;
        else if (waits)
            time_left <= SILENCE[15:0];
        else if (rx_up)
            time_left <= time_left - 16'd1;
    end

    // A word that finds no room is lost; the link layer asks for it again.
    wire unused_ok = &{1'b0, has_room};
endmodule
