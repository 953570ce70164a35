// Random words for the line of a wrapper, and what must come out at the other end. A word carries its
// number and a hash of it, so that a lost word is told from a wrong one.
`timescale 1ps/1ps
`default_nettype none

// Offers words while `enable`, with random pauses or without any.
module word_source #(
    parameter integer SIDE   = 0,
    parameter integer PAUSES = 1
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        enable,
    output reg         valid,
    output wire        ctl,
    output wire [63:0] data,
    input  wire        ready,
    output reg  [31:0] sent
);
    integer seed;
    wire [32:0] hashed = word_hash(sent, SIDE);

    `include "word_hash.vh"

    initial seed = 77 + SIDE;

    assign ctl  = hashed[32];
    // The top byte of a control word is not carried: something stands there.
    assign data = ctl ? {8'hA5, sent[23:0], hashed[31:0]} : {sent, hashed[31:0]};

    always @(posedge clk) begin
        if (rst) begin
            valid <= 1'b0;
            sent  <= 32'd0;
        end else begin
            if (valid && ready)
                sent <= sent + 32'd1;
            if (!valid || ready)
                valid <= enable && (PAUSES == 0 || ($random(seed) & 32'd63) != 0);
        end
    end
endmodule

// Counts words in order, numbers that are missing, and words that nobody sent.
module word_sink #(
    parameter integer SIDE = 0 // of the source
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        valid,
    input  wire        ctl,
    input  wire [63:0] data,
    output reg  [31:0] received,
    output reg  [31:0] missing,
    output reg  [31:0] wrong
);
    reg  [31:0] next;
    wire [31:0] number  = ctl ? {next[31:24], data[55:32]} : data[63:32];
    wire [32:0] hashed  = word_hash(number, SIDE);
    wire        is_good = hashed == {ctl, data[31:0]} && (!ctl || data[63:56] == 8'd0)
                          && number >= next && number - next < 32'd100000;

    `include "word_hash.vh"

    always @(posedge clk) begin
        if (rst) begin
            next     <= 32'd0;
            received <= 32'd0;
            missing  <= 32'd0;
            wrong    <= 32'd0;
        end else if (valid && is_good) begin
            received <= received + 32'd1;
            missing  <= missing + (number - next);
            next     <= number + 32'd1;
        end else if (valid)
            wrong <= wrong + 32'd1;
    end
endmodule

`default_nettype wire
