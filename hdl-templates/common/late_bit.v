// late_bit: a vector which a bit from block RAM joins last, where both masks say so.
// A module of its own, because synthesis maps modules one by one: the bit passes one LUT here, as
// long as its other inputs are ready before it.
// Latency: combinational. Reset: none. Limits: WIDTH >= 1.
<$ banner $>

(* short_paths *) module late_bit #(
    parameter WIDTH = 8
) (
    input  wire [WIDTH-1:0] early,
    input  wire [WIDTH-1:0] one,
    input  wire [WIDTH-1:0] other,
    input  wire             late,
    output wire [WIDTH-1:0] joined
);
    assign joined = early | (one & other & {WIDTH{late}});
endmodule
