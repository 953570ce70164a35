// output_pop: what is the case in a cycle in which a flit is popped, and only then.
// A module of its own because synthesis takes all inputs of a module to come at the same time: this
// way `accepted`, which is late, passes one LUT.
// Latency: combinational. Reset: none. Limits: BITS >= 1.
<$ banner $>
`default_nettype none

(* short_paths *) module output_pop #(
    parameter BITS = 1
) (
    input  wire            leaves,          // a flit is popped if its packet runs or is accepted
    input  wire            flowing,
    input  wire            accepted,
    input  wire            waiting,         // some request is: a stall, if nothing is popped
    input  wire [BITS-1:0] if_popped,
    output wire [BITS-1:0] popped,
    output wire            stalls
);
    wire pops = leaves & (flowing | accepted);
    assign popped = if_popped & {BITS{pops}};
    assign stalls = waiting & ~pops;
endmodule

`default_nettype wire
