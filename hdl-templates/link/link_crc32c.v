// link_crc32c: CRC-32C over one 64-bit word, lowest byte first (docs/microarchitecture.md 7.1).
// Combinational: `next` is the CRC register after `word` when it was `crc` before it. The register
// starts as all ones and is inverted at the end, both outside of this module.
<$ banner $>

module link_crc32c (
    input  wire [31:0] crc,
    input  wire [63:0] word,
    output wire [31:0] next
);
    // The CRC is linear: bit `row` of what 64 steps make of a state is the parity of those of its
    // bits that are marked here. Bit `column` is marked when a lone 1 there ends in bit `row`.
    function [63:0] marked(input [4:0] row);
        integer column;
        integer step;
        reg [31:0] state;
        begin
            // A 1 in column 63 has one step to go, one in column 0 has 64.
            state = 32'd0;
            marked = 64'd0;
            for (column = 63; column >= 0; column = column - 1) begin
                state = 32'd1;
                for (step = column; step < 64; step = step + 1)
                    state = state[0] ? (state >> 1) ^ 32'h82F63B78 : state >> 1;
                marked[column] = state[row];
            end
        end
    endfunction

    wire [63:0] mixed = word ^ {32'd0, crc};

    genvar row;
    generate
        for (row = 0; row < 32; row = row + 1) begin : gen_row
            localparam [31:0] NUMBER = row;
            localparam [63:0] MARKED = marked(NUMBER[4:0]);

            assign next[row] = ^(mixed & MARKED);
        end
    endgenerate
endmodule
