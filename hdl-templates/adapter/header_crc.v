// header_crc: CRC-6 of bits 57:0 of a header, most significant bit first.
//
// Polynomial x^6 + x + 1, register starts at 0 (docs/microarchitecture.md 3.1). The CRC is linear,
// so every check bit is the parity of a fixed set of header bits; the sets are worked out at
// elaboration by following the effect of one header bit through the register.
//
// With ADDRESS_TRAIN the destination is left out, because splitters change it (section 6 there).
//
// Latency: none, combinational. Reset: no state. Limits: none.
<$ banner $>
`default_nettype none

module header_crc #(
    parameter integer ADDRESS_TRAIN = 0 // 1: the destination, bits 19:0, counts as 0
) (
    input  wire [57:0] header,
    output wire [5:0]  crc
);
    // The header bits that take part in the check bits that `check` marks (one-hot). Header bit 0
    // enters last and leaves x + 1 in the register; bit n has then been followed by n more shifts.
    function [57:0] covered;
        input [5:0] check;
        integer position;
        reg [5:0] register;
        begin
            register = 6'b000011;
            covered  = 58'd0;
            for (position = 0; position < 58; position = position + 1) begin
                covered[position] = |(register & check) && (ADDRESS_TRAIN == 0 || position > 19);
                register = {register[4:0], 1'b0} ^ (register[5] ? 6'b000011 : 6'b000000);
            end
        end
    endfunction

    localparam [57:0] COVERED_0 = covered(6'b000001);
    localparam [57:0] COVERED_1 = covered(6'b000010);
    localparam [57:0] COVERED_2 = covered(6'b000100);
    localparam [57:0] COVERED_3 = covered(6'b001000);
    localparam [57:0] COVERED_4 = covered(6'b010000);
    localparam [57:0] COVERED_5 = covered(6'b100000);

    assign crc = {
        ^(header & COVERED_5), ^(header & COVERED_4), ^(header & COVERED_3),
        ^(header & COVERED_2), ^(header & COVERED_1), ^(header & COVERED_0)
    };
endmodule

`default_nettype wire
