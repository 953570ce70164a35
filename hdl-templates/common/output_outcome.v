// output_outcome: what an output does next. All that may follow is finished when `accepted` comes.
// A module of its own because synthesis takes all inputs of a module to come at the same time: this
// way `accepted`, which is the last one, passes one LUT.
// Latency: combinational. Reset: none. Limits: POPPED_BITS, BITS >= 1.
<$ banner $>

(* short_paths *) module output_outcome #(
    parameter POPPED_BITS = 1, BITS = 1
) (
    input  wire                   flowing,      // a packet is running, so there is no grant
    input  wire                   accepted,     // the grant is; of what runs it says nothing
    input  wire                   leaves,       // a flit is popped if its packet has a bank
    input  wire                   waiting,      // some request is: a stall, if nothing is popped
    input  wire [POPPED_BITS-1:0] if_popped,
    output wire [POPPED_BITS-1:0] popped,       // 0 without a pop
    output wire                   stalls,
    input  wire [BITS-1:0]        if_served,    // by a bank
    input  wire [BITS-1:0]        if_not,
    output wire [BITS-1:0]        outcome
);
    wire served = flowing | accepted;
    assign popped = if_popped & {POPPED_BITS{leaves & served}};
    assign stalls = waiting & ~(leaves & served);
    assign outcome = served ? if_served : if_not;
endmodule
