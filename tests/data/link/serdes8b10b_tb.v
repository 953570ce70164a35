// Two link_8b10b at a model of an 8b10b transceiver of two symbols a cycle; random words both ways.
// The model is a line of symbols: its pairs begin at either symbol, the receive clock is the peer's,
// a symbol with a bit error comes as K14.7 or as another byte.
// +cycles= (of link_clk), +errors= (one symbol in so many), +slips= (the pairs move once in so many).
`timescale 1ps/1ps
`default_nettype none

module serdes8b10b_direction #(
    parameter integer SEED = 1
) (
    input  wire        tx_clk,
    input  wire [15:0] tx_symbols,
    input  wire [1:0]  tx_is_k,
    output wire        rx_clk,
    output reg  [15:0] rx_symbols,
    output reg  [1:0]  rx_is_k
);
    integer     seed, errors, slips, i;
    reg         is_odd;
    reg [8:0]   line [0:3];

    initial begin
        errors = 0; slips = 0;
        if ($value$plusargs("errors=%d", errors)) ;
        if ($value$plusargs("slips=%d", slips)) ;
        seed = SEED;
        is_odd = SEED;
    end

    assign #777 rx_clk = tx_clk;

    always @(posedge tx_clk) begin
        line[0] = line[2];
        line[1] = line[3];
        for (i = 0; i < 2; i = i + 1) begin
            line[2 + i] = {tx_is_k[i], tx_symbols[8*i +: 8]};
            if (errors != 0 && ($random(seed) & 32'h7FFFFFFF) % errors == 0)
                line[2 + i] = ($random(seed) & 1) ? 9'h1EE : {1'b0, line[2 + i][7:0] ^ 8'h20};
        end
    end

    always @(posedge rx_clk) begin
        if (slips != 0 && ($random(seed) & 32'h7FFFFFFF) % slips == 0)
            is_odd = !is_odd;
        {rx_is_k[0], rx_symbols[7:0]}  <= is_odd ? line[1] : line[0];
        {rx_is_k[1], rx_symbols[15:8]} <= is_odd ? line[2] : line[1];
    end
endmodule

module serdes8b10b_tb;
    integer cycles, errors;
    reg  [1:0] clk, link_clk;
    wire [1:0] rx_clk, line_up;
    reg        rst, enable;
    wire [31:0] sent [0:1], received [0:1], missing [0:1], wrong [0:1];
    wire [15:0] tx_symbols [0:1], rx_symbols [0:1];
    wire [1:0]  tx_is_k [0:1], rx_is_k [0:1];

    initial begin
        cycles = 20000; errors = 0;
        if ($value$plusargs("errors=%d", errors)) ;
        if ($value$plusargs("cycles=%d", cycles)) ;
        clk = 0; link_clk = 0; rst = 1; enable = 0;
        repeat (20) @(posedge link_clk[0]);
        rst = 0;
        repeat (1000) @(posedge link_clk[0]);
        if (line_up != 2'b00 && errors == 0) $display("FAULT up %b without words", line_up);
        enable = 1;
        repeat (cycles) @(posedge link_clk[0]);
        if (line_up != 2'b11) $display("FAULT up %b", line_up);
        enable = 0;
        repeat (300) @(posedge link_clk[0]);
        $display("a sent %0d b received %0d missing %0d wrong %0d", sent[0], received[0], missing[0], wrong[0]);
        $display("b sent %0d a received %0d missing %0d wrong %0d", sent[1], received[1], missing[1], wrong[1]);
        $finish;
    end

    // Transceivers 250 ppm apart; link ports at 50 and 31.4 MHz, just more than a word in 4 cycles
    always #4000 clk[0] = !clk[0];
    initial #333 forever #4001 clk[1] = !clk[1];
    always #10000 link_clk[0] = !link_clk[0];
    always #15900 link_clk[1] = !link_clk[1];

    genvar s;
    generate for (s = 0; s < 2; s = s + 1) begin : side
        wire valid, ctl, ready, rx_valid, rx_ctl;
        wire [63:0] data, rx_data;

        word_source #(.SIDE(s), .PAUSES(0)) source (
            .clk(link_clk[s]), .rst(rst), .enable(enable),
            .valid(valid), .ctl(ctl), .data(data), .ready(ready), .sent(sent[s])
        );
        link_8b10b wrapper (
            .link_clk(link_clk[s]), .link_rst(rst),
            .line_tx_valid(valid), .line_tx_ctl(ctl), .line_tx_data(data), .line_tx_ready(ready),
            .line_rx_valid(rx_valid), .line_rx_ctl(rx_ctl), .line_rx_data(rx_data), .line_rx_up(line_up[s]),
            .tx_clk(clk[s]), .tx_symbols(tx_symbols[s]), .tx_is_k(tx_is_k[s]),
            .rx_clk(rx_clk[s]), .rx_ready(1'b1), .rx_symbols(rx_symbols[s]), .rx_is_k(rx_is_k[s])
        );
        word_sink #(.SIDE(1-s)) sink (
            .clk(link_clk[s]), .rst(rst), .valid(rx_valid), .ctl(rx_ctl), .data(rx_data),
            .received(received[1-s]), .missing(missing[1-s]), .wrong(wrong[1-s])
        );
        serdes8b10b_direction #(.SEED(s)) to_peer (
            .tx_clk(clk[s]), .tx_symbols(tx_symbols[s]), .tx_is_k(tx_is_k[s]),
            .rx_clk(rx_clk[1-s]), .rx_symbols(rx_symbols[1-s]), .rx_is_k(rx_is_k[1-s])
        );
    end endgenerate
endmodule

`default_nettype wire
