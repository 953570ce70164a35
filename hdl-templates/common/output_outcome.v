// output_outcome: what an output does in the end, when it is told what becomes of its grant. All
// that may follow is finished before; here it is only selected.
// A module of its own because synthesis takes all inputs of a module to come at the same time: this
// way the late ones, `blocked`, `accept` and `leaves`, pass two LUTs, not as many as the rest took.
// Latency: combinational. Reset: none. Limits: VCS >= 1.
<$ banner $>
`default_nettype none

(* short_paths *) module output_outcome #(
    parameter VCS = 1
) (
    input  wire           flowing,          // a packet is running, so there is no grant
    input  wire           blocked,          // the grant's input serves another packet
    input  wire           accept,           // if not, the grant is accepted
    input  wire           leaves,           // a flit leaves, if it is a grant's and accepted
    input  wire           more,             // it is not its packet's last
    input  wire           stays,            // what was chosen stays, if not accepted
    input  wire           sendable,         // the flit is sent, not thrown away
    input  wire [VCS-1:0] leaving,          // its outgoing channel
    // Locks, and what is thrown away, without a pop and after it.
    input  wire [VCS-1:0] locked,
    input  wire [VCS-1:0] discard,
    input  wire [VCS-1:0] popped_locked,
    input  wire [VCS-1:0] popped_discard,
    output wire           go,               // the flit is popped
    output wire           goes_on,          // its packet has more
    output wire [VCS-1:0] next_flow_channel,
    output wire [VCS-1:0] next_spent,
    output wire [VCS-1:0] next_locked,
    output wire [VCS-1:0] next_discard,
    // If the grant is not blocked: there is room for a candidate; what was accepted has nothing to
    // send. What becomes of them when it is blocked is for the last LUT to say.
    output wire           makes_room,
    output wire           gives_up
);
    assign go = leaves & (flowing | (accept & ~blocked));
    assign goes_on = go & more;
    assign next_flow_channel = leaving & {VCS{goes_on}};
    assign next_spent = leaving & {VCS{go & sendable}};
    assign next_locked = go ? popped_locked : locked;
    assign next_discard = go ? popped_discard : discard;
    assign makes_room = ~(accept ? leaves & more : stays);
    assign gives_up = accept & ~leaves & ~flowing;
endmodule

`default_nettype wire
