// remove_element: rows of elements without the element ONE of each, those above it moved down.
// Wiring only. Latency: combinational. Reset: none. Limits: ELEMENTS >= 2.
<$ banner $>

module remove_element #(
    parameter ROWS = 1,
    parameter ELEMENTS = 10,
    parameter LANES = 1,                // bits of an element
    parameter ONE = 0,                  // ELEMENTS: none, both sides are the same
    parameter OTHERS = ONE < ELEMENTS ? ELEMENTS - 1 : ELEMENTS // do not override
) (
    input  wire [ROWS*ELEMENTS*LANES-1:0] all,
    output wire [ROWS*OTHERS*LANES-1:0]   others
);
    localparam BITS = ELEMENTS * LANES;
    localparam [BITS-1:0] BELOW = ~({BITS{1'b1}} << ONE*LANES);

    generate
        genvar r;
        for (r = 0; r < ROWS; r = r + 1) begin : gen_row
            wire [BITS-1:0] row = all[r*BITS +: BITS];
            wire [BITS-1:0] moved = (row & BELOW) | ((row >> LANES) & ~BELOW);
            assign others[r*OTHERS*LANES +: OTHERS*LANES] = moved[OTHERS*LANES-1:0];
            wire unused_ok = &{1'b0, moved};
        end
    endgenerate
endmodule
