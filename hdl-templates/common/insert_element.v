// insert_element: rows of elements with a 0 inserted as element ONE; the elements from there on
// move up. The reverse of remove_element.
// Wiring only. Latency: combinational. Reset: none. Limits: ELEMENTS >= 2.
<$ banner $>

module insert_element #(
    parameter ROWS = 1,
    parameter ELEMENTS = 10,
    parameter LANES = 1,                // bits of an element
    parameter ONE = 0,                  // ELEMENTS: none, both sides are the same
    parameter OTHERS = ONE < ELEMENTS ? ELEMENTS - 1 : ELEMENTS // do not override
) (
    input  wire [ROWS*OTHERS*LANES-1:0]   others,
    output wire [ROWS*ELEMENTS*LANES-1:0] all
);
    localparam BITS = ELEMENTS * LANES;
    localparam [BITS-1:0] BELOW = ~({BITS{1'b1}} << ONE*LANES);

    generate
        genvar r;
        for (r = 0; r < ROWS; r = r + 1) begin : gen_row
            wire [BITS:0] row = {{BITS-OTHERS*LANES+1{1'b0}},
                others[r*OTHERS*LANES +: OTHERS*LANES]};
            assign all[r*BITS +: BITS] = (row[BITS-1:0] & BELOW)
                | ((row[BITS-1:0] & ~BELOW) << LANES);
            wire unused_ok = &{1'b0, row};
        end
    endgenerate
endmodule
