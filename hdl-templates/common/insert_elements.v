// insert_elements: rows of elements with zeros inserted where KEEP has none, the reverse of
// remove_elements.
// Wiring only. Latency: combinational. Reset: none. Limits: KEEP is not 0.
<$ banner $>

module insert_elements #(
    parameter ROWS = 1,
    parameter ELEMENTS = 10,
    parameter LANES = 1,                // bits of an element
    parameter [ELEMENTS-1:0] KEEP = {ELEMENTS{1'b1}},
    parameter KEPT = 10                 // ones of KEEP
) (
    input  wire [ROWS*KEPT*LANES-1:0]     kept,
    output wire [ROWS*ELEMENTS*LANES-1:0] all
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
                    moved_by[(element - rank)*BITS + element*LANES +: LANES] = {LANES{1'b1}};
                    rank = rank + 1;
                end
        end
    endfunction

    localparam [ELEMENTS*BITS-1:0] MOVED = moved_by(KEEP);

    generate
        genvar r;
        for (r = 0; r < ROWS; r = r + 1) begin : gen_row
            wire [BITS:0] row = {{BITS-KEPT*LANES+1{1'b0}}, kept[r*KEPT*LANES +: KEPT*LANES]};
            reg [BITS-1:0] spread_row;
            integer distance;

            always @* begin
                spread_row = {BITS{1'b0}};
                for (distance = 0; distance < ELEMENTS; distance = distance + 1)
                    spread_row = spread_row
                        | ((row[BITS-1:0] << distance*LANES) & MOVED[distance*BITS +: BITS]);
            end

            assign all[r*BITS +: BITS] = spread_row;
            wire unused_ok = &{1'b0, row};
        end
    endgenerate
endmodule
