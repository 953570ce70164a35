// route_outcome: where headers go, by whether the link at the port of each is up, or else the one
// at its alternate.
// A module of its own, so that each bit takes one LUT: these two come last.
// Latency: combinational. Reset: none. Limits: BITS >= 1.
<$ banner $>

(* short_paths *) module route_outcome #(
    parameter PORTS = 10, BITS = 1,
    parameter ALTERNATES = 1,           // 0: there are none
    parameter [PORTS-1:0] BUILT = {PORTS{1'b1}} // of the others the outcome is 0
) (
    input  wire [PORTS-1:0]      is_up,     // undefined where both outcomes are 0 or undefined
    input  wire [PORTS-1:0]      alternate_is_up,
    input  wire [PORTS*BITS-1:0] if_up,
    input  wire [PORTS*BITS-1:0] if_alternate,
    output reg  [PORTS*BITS-1:0] outcome    // 0 if neither is up
);
    integer row;

    always @* begin
        outcome = {PORTS*BITS{1'b0}};
        for (row = 0; row < PORTS; row = row + 1) if (BUILT[row])
            outcome[row*BITS +: BITS] = is_up[row] ? if_up[row*BITS +: BITS]
                : if_alternate[row*BITS +: BITS] & {BITS{ALTERNATES != 0 & alternate_is_up[row]}};
    end
endmodule
