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
    input  wire           accepted,         // the grant is; of a running packet it says nothing
    input  wire           leaves,           // a flit is popped if its packet runs or is accepted
    input  wire           more,             // it is not its packet's last
    input  wire           stays,            // what was chosen stays, if not accepted nor blocked
    input  wire           presses,          // it stays, if not accepted, even if blocked
    // Locks, and what is thrown away, without a pop and after it.
    input  wire [VCS-1:0] locked,
    input  wire [VCS-1:0] discard,
    input  wire [VCS-1:0] popped_locked,
    input  wire [VCS-1:0] popped_discard,
    output wire [VCS-1:0] next_locked,
    output wire [VCS-1:0] next_discard,
    // There is no room for a candidate: what was chosen goes on or presses; or it only lost. Two
    // signals, so that `blocked` passes one LUT, too.
    output wire           keeps,
    output wire           loses,
    output wire           gives_up          // what was accepted has nothing to send
);
    wire pops = leaves & (flowing | accepted);
    assign next_locked = pops ? popped_locked : locked;
    assign next_discard = pops ? popped_discard : discard;
    assign keeps = accepted ? leaves & more : presses;
    assign loses = stays & ~blocked & ~accepted;
    assign gives_up = accepted & ~leaves & ~flowing;
endmodule

`default_nettype wire
