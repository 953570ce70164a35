// header_crc: CRC-6 of bits 57:0 of a header, most significant bit first.
//
// Polynomial x^6 + x + 1, register starts at 0 (docs/microarchitecture.md 3.1). The CRC is linear,
// so every header bit flips a fixed set of check bits, which is worked out at elaboration by
// following the effect of the bit through the register. Of two check bits that stand side by side
// header bits flip the lower one, the higher one, or both: these three parities make both of them.
//
// With ADDRESS_TRAIN the destination is left out, because splitters change it (section 6 there).
//
// Latency: none, combinational. Reset: no state. Limits: none.
<$ banner $>

module header_crc #(
    parameter ADDRESS_TRAIN = 0 // 1: the destination, bits 19:0, counts as 0
) (
    input  wire [57:0] header,
    output wire [5:0]  crc
);
    // The header bits that flip, of check bits low + 1 and low, those that `flipped` says. Header
    // bit 0 enters last and leaves x + 1 in the register; bit n has been followed by n more shifts.
    function [57:0] flipping(input integer low, input [1:0] flipped);
        integer position;
        reg [5:0] register;
        begin
            register = 6'b000011;
            for (position = 0; position < 58; position = position + 1) begin
                flipping[position] = ((register >> low) & 6'd3) == {4'd0, flipped}
                    && (ADDRESS_TRAIN == 0 || position > 19);
                register = {register[4:0], 1'b0} ^ (register[5] ? 6'b000011 : 6'b000000);
            end
        end
    endfunction

    generate
        genvar n;
        for (n = 0; n < 6; n = n + 2) begin : gen_pair
            localparam [57:0] LOWER = flipping(n, 2'd1);
            localparam [57:0] HIGHER = flipping(n, 2'd2);
            localparam [57:0] BOTH = flipping(n, 2'd3);
            wire both = ^(header & BOTH);
            assign crc[n]     = ^(header & LOWER) ^ both;
            assign crc[n + 1] = ^(header & HIGHER) ^ both;
        end
    endgenerate
endmodule
