// any_common: whether two vectors have a 1 in common, by lane. Bit `lane` of element e is at
// e * LANES + lane.
// A module of its own, so that synthesis makes it a tree.
// Latency: combinational. Reset: none. Limits: ELEMENTS, LANES >= 1.
<$ banner $>

(* short_paths *) module any_common #(
    parameter ELEMENTS = 10, LANES = 1
) (
    input  wire [ELEMENTS*LANES-1:0] one,
    input  wire [ELEMENTS*LANES-1:0] other,
    output reg  [LANES-1:0]          any
);
    integer element;

    always @* begin
        any = {LANES{1'b0}};
        for (element = 0; element < ELEMENTS; element = element + 1)
            any = any | (one[element*LANES +: LANES] & other[element*LANES +: LANES]);
    end
endmodule
