// link_8b10b: the line of a link port on a transceiver with 8b10b, two symbols per cycle
// (link_8b10b_transmitter). The link port has a clock of its own: words cross into the
// transceiver's transmit clock and out of its receive clock.
//
// line_rx_up: words come. Latency from line_tx to the peer's line_rx: 4 + 4 cycles for the word, 3
// to 5 of each crossing, transceivers. Throughput: a word in 4 cycles of tx_clk, less one in 1,024;
// link_clk must tick at least that often.
// Reset: synchronous to link_clk, active high, at least 8 cycles of the slowest clock.
<$ banner $>

module link_8b10b (
    input  wire        link_clk,
    input  wire        link_rst,
    // the link port
    input  wire        line_tx_valid,
    input  wire        line_tx_ctl,
    input  wire [63:0] line_tx_data,
    output wire        line_tx_ready,
    output wire        line_rx_valid,
    output wire        line_rx_ctl,
    output wire [63:0] line_rx_data,
    output wire        line_rx_up,
    // the transceiver; the first symbol is in the low byte
    input  wire        tx_clk,
    output wire [15:0] tx_symbols,
    output wire [1:0]  tx_is_k,
    input  wire        rx_clk,
    input  wire        rx_ready, // 0: what comes is no signal; a register of any clock
    input  wire [15:0] rx_symbols,
    input  wire [1:0]  rx_is_k
);
    wire        tx_rst;
    wire        tx_waits;
    wire        tx_taken;
    wire        tx_ctl;
    wire [63:0] tx_data;
    wire        rx_link_rst;
    wire        rx_signal;
    wire        rx_rst = rx_link_rst || !rx_signal;
    wire        rx_valid;
    wire        rx_ctl;
    wire [63:0] rx_data;
    wire        placed;

    bit_synchroniser #(
        .INITIAL(1'b1)
    ) tx_reset_crossing (
        .clk(tx_clk),
        .in(link_rst),
        .out(tx_rst)
    );

    bit_synchroniser #(
        .INITIAL(1'b1)
    ) rx_reset_crossing (
        .clk(rx_clk),
        .in(link_rst),
        .out(rx_link_rst)
    );

    bit_synchroniser ready_crossing (
        .clk(rx_clk),
        .in(rx_ready),
        .out(rx_signal)
    );

    axis_async_fifo #(
        .WIDTH(65),
        .ADDRESS_BITS(2)
    ) tx_crossing (
        .s_clk(link_clk),
        .s_rst(link_rst),
        .s_valid(line_tx_valid),
        .s_ready(line_tx_ready),
        .s_data({line_tx_ctl, line_tx_data}),
        .m_clk(tx_clk),
        .m_rst(tx_rst),
        .m_valid(tx_waits),
        .m_ready(tx_taken),
        .m_data({tx_ctl, tx_data})
    );

    link_8b10b_transmitter transmitter (
        .clk(tx_clk),
        .rst(tx_rst),
        .valid(tx_waits),
        .ctl(tx_ctl),
        .data(tx_data),
        .ready(tx_taken),
        .symbols(tx_symbols),
        .is_k(tx_is_k[0])
    );

    assign tx_is_k[1] = 1'b0;

    link_8b10b_receiver receiver (
        .clk(rx_clk),
        .rst(rx_rst),
        .symbols(rx_symbols),
        .is_k(rx_is_k),
        .placed(placed),
        .valid(rx_valid),
        .ctl(rx_ctl),
        .data(rx_data)
    );

    line_word_crossing crossing (
        .line_clk(rx_clk),
        .line_rst(rx_rst),
        .valid(rx_valid),
        .ctl(rx_ctl),
        .data(rx_data),
        .link_clk(link_clk),
        .link_rst(link_rst),
        .line_rx_valid(line_rx_valid),
        .line_rx_ctl(line_rx_ctl),
        .line_rx_data(line_rx_data),
        .rx_up(line_rx_up)
    );

    wire unused_ok = &{1'b0, placed};
endmodule
