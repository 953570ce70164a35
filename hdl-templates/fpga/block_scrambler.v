// block_scrambler: 64 bits per cycle through the self-synchronous scrambler 1 + x^39 + x^58 of
// 64B/66B lines (IEEE 802.3 clause 49.2.6), bit 0 first; with DESCRAMBLE = 1 the way back.
//
// The descrambler is right from the second block on, whatever it held; an error on the line comes
// out three times.
// Latency: one cycle. Reset: synchronous, active high.
<$ banner $>

module block_scrambler #(
    parameter DESCRAMBLE = 0
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] in,
    output reg  [63:0] out
);
    // Bit n goes out as itself, what was on the line 39 bits before and what was 58 bits before.
    reg  [57:0]  state; // the last 58 bits on the line, the newest in bit 57
    wire [121:0] line;  // these, then the bits of this block
    wire [63:0]  mixed = in ^ line[82:19] ^ line[63:0];

    assign line[57:0] = state;

    generate
        if (DESCRAMBLE != 0) begin : gen_descramble
            assign line[121:58] = in;
        end else begin : gen_scramble
            // The first 39 bits need old ones only.
            assign line[96:58]  = in[38:0] ^ state[57:19] ^ state[38:0];
            assign line[121:97] = in[63:39] ^ line[82:58] ^ line[63:39];
        end
    endgenerate

    always @(posedge clk) begin
        out   <= mixed;
        state <= rst ? {58{1'b1}} : line[121:64];
    end
endmodule
