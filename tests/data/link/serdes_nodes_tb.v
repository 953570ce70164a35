// Two ECP5 boards with a node each, their transceivers joined; clocks 200 ppm apart. Prints what they say.
// The transceivers are models: symbols go over as they are, pairs may begin at the other symbol.
// +lines= (to be said by each), +flip= (a bit of every second symbol from a to b is wrong).
`timescale 1ps/1ps
`default_nettype none

// ecp5_serdes as far as its fabric side goes. The bench carries `out` to the other's `in`.
module ecp5_serdes (
    input  wire        clk, rst, refclk_p, refclk_n, serial_rx_p, serial_rx_n,
    output wire        serial_tx_p, serial_tx_n, tx_clk,
    input  wire [15:0] tx_symbols,
    input  wire [1:0]  tx_is_k,
    output wire        rx_clk,
    output reg         rx_ready,
    output wire [15:0] rx_symbols,
    output wire [1:0]  rx_is_k
);
    reg        half;
    reg [17:0] out;
    reg [17:0] in;
    reg        in_clk;

    // 200 MHz in, two symbols of 2 Gb/s in 10 ns
    initial begin half = 0; in_clk = 0; rx_ready = 0; end
    always @(posedge refclk_p) half <= !half;
    always @(posedge tx_clk) out <= {tx_is_k, tx_symbols};
    always @(posedge clk) rx_ready <= !rst;

    assign tx_clk = half;
    assign rx_clk = in_clk;
    assign {rx_is_k, rx_symbols} = in;
    assign {serial_tx_p, serial_tx_n} = 2'b01;
endmodule

module serdes_nodes_tb;
    integer     lines, flip;
    reg         clk_a, clk_b, ref_a, ref_b;
    wire        line_a, line_b;
    wire [31:0] lines_a, lines_b;
    reg  [8:0]  late; // the symbol of before: b's pairs begin at the second one

    initial begin
        lines = 2; flip = 0; clk_a = 0; clk_b = 0; ref_a = 0; ref_b = 0;
        if ($value$plusargs("lines=%d", lines)) ;
        if ($value$plusargs("flip=%d", flip)) ;
        #1 wait (lines_a >= lines && lines_b >= lines);
        $finish;
    end

    initial #2_000_000_000 begin
        $display("FAULT nothing is said");
        $finish;
    end

    always #41667 clk_a = !clk_a;
    always #41675 clk_b = !clk_b;
    always #2500 ref_a = !ref_a;
    initial #777 forever #2501 ref_b = !ref_b;

    // 3 ns of cable each way
    always @(board_a.serdes.tx_clk) board_b.serdes.in_clk <= #3000 board_a.serdes.tx_clk;
    always @(board_b.serdes.tx_clk) board_a.serdes.in_clk <= #3000 board_b.serdes.tx_clk;
    always @(posedge board_b.serdes.in_clk) begin
        late <= {board_a.serdes.out[17], board_a.serdes.out[15:8]};
        board_b.serdes.in <= {board_a.serdes.out[16], late[8], board_a.serdes.out[7:0],
                              late[7:0] ^ (flip ? 8'h10 : 8'h00)};
    end
    always @(posedge board_a.serdes.in_clk) board_a.serdes.in <= board_b.serdes.out;

    // 36 MHz, 4 cycles a bit
    terminal #(.BOARD("a"), .PERIOD(111112)) terminal_a (.line(line_a), .lines(lines_a));
    terminal #(.BOARD("b"), .PERIOD(111132)) terminal_b (.line(line_b), .lines(lines_b));

    node_ab_0_0_0_0 #(.BAUD_DIVIDER(4), .RUN_CYCLES(5000)) board_a (
        .clk(clk_a), .button_n(1'b1), .uart_rx(1'b1), .uart_tx(line_a), .led(),
        .refclk_p(ref_a), .refclk_n(!ref_a), .serial_rx_p(1'b0), .serial_rx_n(1'b1), .serial_tx_p(), .serial_tx_n()
    );
    node_ab_1_0_0_0 #(.BAUD_DIVIDER(4), .RUN_CYCLES(5000)) board_b (
        .clk(clk_b), .button_n(1'b1), .uart_rx(1'b1), .uart_tx(line_b), .led(),
        .refclk_p(ref_b), .refclk_n(!ref_b), .serial_rx_p(1'b0), .serial_rx_n(1'b1), .serial_tx_p(), .serial_tx_n()
    );
endmodule

`default_nettype wire
