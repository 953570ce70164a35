// remove_elements: rows of elements without those that KEEP leaves out, the others moved down.
// Wiring only: every element moves by the number of those that are missing below it, and all that
// move by the same number are moved at once, which is what simulators do quickly.
// Latency: combinational. Reset: none. Limits: KEEP is not 0.
<$ banner $>

module remove_elements #(
    parameter ROWS = 1,
    parameter ELEMENTS = 10,
    parameter LANES = 1,                // bits of an element
    parameter [ELEMENTS-1:0] KEEP = {ELEMENTS{1'b1}},
    parameter KEPT = 10                 // ones of KEEP
) (
    input  wire [ROWS*ELEMENTS*LANES-1:0] all,
    output wire [ROWS*KEPT*LANES-1:0]     kept
);
    localparam BITS = ELEMENTS * LANES;

    // By how many elements one moves: bits of a row, after the move.
    function [ELEMENTS*BITS-1:0] moved_by(input [ELEMENTS-1:0] keep);
        integer element, rank;
        begin
            moved_by = {ELEMENTS*BITS{1'b0}};
            rank = 0;
            for (element = 0; element < ELEMENTS; element = element + 1)
                if (keep[element]) begin
                    moved_by[(element - rank)*BITS + rank*LANES +: LANES] = {LANES{1'b1}};
                    rank = rank + 1;
                end
        end
    endfunction

    localparam [ELEMENTS*BITS-1:0] MOVED = moved_by(KEEP);

    generate
        genvar r;
        for (r = 0; r < ROWS; r = r + 1) begin : gen_row
            wire [BITS-1:0] row = all[r*BITS +: BITS];
            reg [BITS-1:0] packed_row;
            integer distance;

            always @* begin
                packed_row = {BITS{1'b0}};
                for (distance = 0; distance < ELEMENTS; distance = distance + 1)
                    packed_row = packed_row
                        | ((row >> distance*LANES) & MOVED[distance*BITS +: BITS]);
            end

            assign kept[r*KEPT*LANES +: KEPT*LANES] = packed_row[KEPT*LANES-1:0];
            wire unused_ok = &{1'b0, row, packed_row};
        end
    endgenerate
endmodule
