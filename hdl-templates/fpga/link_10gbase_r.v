// link_10gbase_r: the line of a link port on the 64-bit side of a 10GBASE-R transceiver (one with a
// gearbox: 64 bits and a header a cycle, bit 0 first on the line). Blocks of its own, no Ethernet
// frames: a MAC and its preamble would take a fifth of the line.
//
// A data word is a block with header 01 (bit 0 is the first on the line). Header 10: type byte 0x4B
// and the 56 bits of a control word behind it, or type 0x1E and zeros where there is no word. All but
// the header goes through the scrambler 1 + x^39 + x^58. Blocks of another type or header are dropped.
// One block in 1,024 stays empty, so that a receiver whose clock is up to 200 ppm slower keeps up.
// The link port runs in tx_clk; words that come in cross from rx_clk (line_word_crossing).
// line_rx_up: the receiver knows where blocks begin, and words come.
// Latency from line_tx to the peer's line_rx: 2 + 3 cycles, 4 to 5 of the crossing, transceivers.
// Throughput: 1,023 words in 1,024 cycles. Reset: synchronous to tx_clk, active high, at least 8
// cycles.
<$ banner $>

module link_10gbase_r #(
    parameter SLIP_CYCLES = 32 // of rx_clk, until a pulse of serdes_rx_bitslip has worked
) (
    // the transceiver
    input  wire        tx_clk,
    input  wire        tx_rst,
    input  wire        rx_clk,
    output wire [63:0] serdes_tx_data,
    output reg  [1:0]  serdes_tx_hdr,
    input  wire [63:0] serdes_rx_data,
    input  wire [1:0]  serdes_rx_hdr,
    output wire        serdes_rx_bitslip,
    // the link port
    input  wire        line_tx_valid,
    input  wire        line_tx_ctl,
    input  wire [63:0] line_tx_data,
    output wire        line_tx_ready,
    output wire        line_rx_valid,
    output wire        line_rx_ctl,
    output wire [63:0] line_rx_data,
    output wire        line_rx_up
);
    localparam [1:0] DATA = 2'b01;
    localparam [1:0] CONTROL = 2'b10;
    localparam [7:0] WORD = 8'h4B;
    localparam [7:0] EMPTY = 8'h1E;

    // To the line.
    reg [9:0]  turn;
    reg [63:0] block;
    reg [1:0]  block_header;
    wire       takes = line_tx_valid && line_tx_ready;

    assign line_tx_ready = turn != 10'd0 && !tx_rst;

    always @(posedge tx_clk) begin
        turn          <= tx_rst ? 10'd0 : turn + 10'd1;
        block_header  <= (takes && !line_tx_ctl) ? DATA : CONTROL;
        serdes_tx_hdr <= block_header;
        if (!takes)
            block <= {56'd0, EMPTY};
        else if (line_tx_ctl)
            block <= {line_tx_data[55:0], WORD};
        else
            block <= line_tx_data;
    end

    block_scrambler scrambler (
        .clk(tx_clk),
        .rst(tx_rst),
        .in(block),
        .out(serdes_tx_data)
    );

    // From the line.
    wire        rx_rst;
    wire        locked;
    wire        locked_tx; // in tx_clk
    wire        words_come;
    wire [63:0] clear;
    reg  [1:0]  clear_header;
    reg         rx_valid;
    reg         rx_ctl;
    reg  [63:0] rx_data;

    bit_synchroniser #(
        .INITIAL(1'b1)
    ) reset_crossing (
        .clk(rx_clk),
        .in(tx_rst),
        .out(rx_rst)
    );

    block_lock #(
        .SLIP_CYCLES(SLIP_CYCLES)
    ) lock (
        .clk(rx_clk),
        .rst(rx_rst),
        .header(serdes_rx_hdr),
        .slip(serdes_rx_bitslip),
        .locked(locked)
    );

    block_scrambler #(
        .DESCRAMBLE(1)
    ) descrambler (
        .clk(rx_clk),
        .rst(rx_rst),
        .in(serdes_rx_data),
        .out(clear)
    );

    always @(posedge rx_clk) begin
        clear_header <= serdes_rx_hdr;
        rx_valid     <= locked && !rx_rst
                        && (clear_header == DATA || (clear_header == CONTROL && clear[7:0] == WORD));
        rx_ctl       <= clear_header == CONTROL;
        rx_data      <= (clear_header == CONTROL) ? {8'd0, clear[63:8]} : clear;
    end

    line_word_crossing crossing (
        .line_clk(rx_clk),
        .line_rst(rx_rst),
        .valid(rx_valid),
        .ctl(rx_ctl),
        .data(rx_data),
        .link_clk(tx_clk),
        .link_rst(tx_rst),
        .line_rx_valid(line_rx_valid),
        .line_rx_ctl(line_rx_ctl),
        .line_rx_data(line_rx_data),
        .rx_up(words_come)
    );

    bit_synchroniser lock_crossing (
        .clk(tx_clk),
        .in(locked),
        .out(locked_tx)
    );

    assign line_rx_up = locked_tx && words_come;
endmodule
