// Two link_10gbase_r at a model of a transceiver; random words both ways. The model is a line of bits:
// the receiver begins its blocks anywhere in them and one bit later after every pulse of bitslip, bits
// turn over at a rate, and its clock is that of the sender.
// +cycles=, +errors= (one bit in so many is wrong), +slips= (the receiver loses a bit once in so many blocks).
`timescale 1ps/1ps
`default_nettype none

module serdes66_direction #(
    parameter integer SEED = 1
) (
    input  wire        tx_clk,
    input  wire [63:0] tx_data,
    input  wire [1:0]  tx_hdr,
    output wire        rx_clk,
    output reg  [63:0] rx_data,
    output reg  [1:0]  rx_hdr,
    input  wire        bitslip
);
    integer      seed, offset, errors, slips, n;
    reg [131:0]  line; // the last two blocks, the older in the low bits
    reg [65:0]   block;

    initial begin
        errors = 0; slips = 0;
        if ($value$plusargs("errors=%d", errors)) ;
        if ($value$plusargs("slips=%d", slips)) ;
        seed = SEED;
        offset = ($random(seed) & 32'h7FFFFFFF) % 66;
        line = 0;
    end

    assign #1234 rx_clk = tx_clk;

    always @(posedge tx_clk) begin
        block = {tx_data, tx_hdr};
        // Errors come in ones: at most one of a block, at 66 times the rate.
        if (errors != 0 && ($random(seed) & 32'h7FFFFFFF) % errors < 66) begin
            n = ($random(seed) & 32'h7FFFFFFF) % 66;
            block[n] = !block[n];
        end
        line = {block, line[131:66]};
    end

    always @(posedge rx_clk) begin
        if (bitslip || (slips != 0 && ($random(seed) & 32'h7FFFFFFF) % slips == 0))
            offset = (offset + 1) % 66;
        {rx_data, rx_hdr} <= line[offset +: 66];
    end
endmodule

module serdes66_tb;
    integer cycles, slips;
    reg  [1:0] clk;
    wire [1:0] rx_clk;
    reg        rst, enable;
    wire [1:0] line_up, bitslip;
    wire [31:0] sent [0:1], received [0:1], missing [0:1], wrong [0:1];
    wire [63:0] tx_data [0:1], rx_data [0:1];
    wire [1:0]  tx_hdr [0:1], rx_hdr [0:1];

    initial begin
        cycles = 20000; slips = 0;
        if ($value$plusargs("cycles=%d", cycles)) ;
        if ($value$plusargs("slips=%d", slips)) ;
        clk = 0; rst = 1; enable = 0;
        repeat (20) @(posedge clk[0]);
        rst = 0;
        // 66 slips of 34 cycles and 64 good headers at most; empty blocks alone are no words
        repeat (66 * 40 + 200) @(posedge clk[0]);
        enable = 1;
        repeat (cycles) @(posedge clk[0]);
        enable = 0;
        repeat (100) @(posedge clk[0]);
        if (line_up != 2'b11 && slips == 0) $display("FAULT up %b", line_up);
        repeat (6000) @(posedge clk[0]);
        if (line_up != 2'b00) $display("FAULT up %b without words", line_up);
        $display("a sent %0d b received %0d missing %0d wrong %0d", sent[0], received[0], missing[0], wrong[0]);
        $display("b sent %0d a received %0d missing %0d wrong %0d", sent[1], received[1], missing[1], wrong[1]);
        $finish;
    end

    // 625 ppm apart: without the empty blocks the slower side's queue overflows after 25,000 words
    always #3200 clk[0] = !clk[0];
    initial #777 forever #3202 clk[1] = !clk[1];

    genvar s;
    generate for (s = 0; s < 2; s = s + 1) begin : side
        wire valid, ctl, ready, rx_valid, rx_ctl;
        wire [63:0] data, rx_word;

        word_source #(.SIDE(s), .PAUSES(0)) source (
            .clk(clk[s]), .rst(rst), .enable(enable),
            .valid(valid), .ctl(ctl), .data(data), .ready(ready), .sent(sent[s])
        );
        link_10gbase_r wrapper (
            .tx_clk(clk[s]), .tx_rst(rst), .rx_clk(rx_clk[s]),
            .serdes_tx_data(tx_data[s]), .serdes_tx_hdr(tx_hdr[s]),
            .serdes_rx_data(rx_data[s]), .serdes_rx_hdr(rx_hdr[s]), .serdes_rx_bitslip(bitslip[s]),
            .line_tx_valid(valid), .line_tx_ctl(ctl), .line_tx_data(data), .line_tx_ready(ready),
            .line_rx_valid(rx_valid), .line_rx_ctl(rx_ctl), .line_rx_data(rx_word), .line_rx_up(line_up[s])
        );
        word_sink #(.SIDE(1-s)) sink (
            .clk(clk[s]), .rst(rst), .valid(rx_valid), .ctl(rx_ctl), .data(rx_word),
            .received(received[1-s]), .missing(missing[1-s]), .wrong(wrong[1-s])
        );
        serdes66_direction #(.SEED(s + 1)) to_peer (
            .tx_clk(clk[s]), .tx_data(tx_data[s]), .tx_hdr(tx_hdr[s]),
            .rx_clk(rx_clk[1-s]), .rx_data(rx_data[1-s]), .rx_hdr(rx_hdr[1-s]), .bitslip(bitslip[1-s])
        );
    end endgenerate
endmodule

`default_nettype wire
