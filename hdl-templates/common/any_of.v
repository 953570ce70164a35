// any_of: whether any bit is 1.
// A module of its own, so that synthesis makes it a tree: a chain would be as large.
// Latency: combinational. Reset: none. Limits: WIDTH >= 1.
<$ banner $>
`default_nettype none

(* short_paths *) module any_of #(
    parameter WIDTH = 10
) (
    input  wire [WIDTH-1:0] bits,
    output wire             any
);
    assign any = |bits;
endmodule

`default_nettype wire
