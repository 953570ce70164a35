// output_outcome: what an output does in the end, when it is told what becomes of its grant. All
// that may follow is finished before; here it is only selected.
// A module of its own because synthesis takes all inputs of a module to come at the same time: this
// way the late ones, `blocked`, `accepted` and `leaves`, pass two LUTs, not as many as the others.
// Latency: combinational. Reset: none. Limits: VCS >= 1.
<$ banner $>
`default_nettype none

(* short_paths *) module output_outcome #(
    parameter VCS = 1
) (
    input  wire           flowing,          // a packet is running, so there is no grant
    input  wire           blocked,          // the grant's input serves another packet
    input  wire           accepted,         // the grant is accepted
    input  wire           leaves,           // a flit leaves, if it is a grant's and accepted
    input  wire           more,             // it is not its packet's last
    input  wire           stays,            // the grant stays, if not accepted nor blocked
    input  wire           presses,          // it stays, if not accepted
    input  wire           sendable,         // the flit is sent, not thrown away
    input  wire           waiting,          // somebody is, for something to be popped
    // Of a pop: the end of a lost packet, that of a packet which is sent.
    input  wire           ends_lost,
    input  wire           ends_sent,
    input  wire [VCS-1:0] leaving,          // its outgoing channel
    // Locks, and what is thrown away, without a pop and after it.
    input  wire [VCS-1:0] locked,
    input  wire [VCS-1:0] discard,
    input  wire [VCS-1:0] popped_locked,
    input  wire [VCS-1:0] popped_discard,
    output wire           goes_on,          // its packet has more
    output wire [VCS-1:0] next_flow_channel,
    output wire [VCS-1:0] next_spent,
    output wire [VCS-1:0] next_locked,
    output wire [VCS-1:0] next_discard,
    output wire           keeps,            // there is no room for a candidate
    output wire           gives_up,         // what was accepted has nothing to send
    output wire [3:0]     events            // lost packet, stall, packet sent, flit sent
);
    wire go = leaves & (flowing | accepted); // the flit is popped
    assign goes_on = go & more;
    assign next_flow_channel = leaving & {VCS{goes_on}};
    assign next_spent = leaving & {VCS{go & sendable}};
    assign next_locked = go ? popped_locked : locked;
    assign next_discard = go ? popped_discard : discard;
    assign keeps = accepted ? leaves & more : presses | (stays & ~blocked);
    assign gives_up = accepted & ~leaves & ~flowing;
    assign events = {go & ends_lost, waiting & ~go, go & ends_sent, go & sendable};
endmodule

`default_nettype wire
