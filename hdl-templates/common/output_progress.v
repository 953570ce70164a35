// output_progress: whether the request that an output has chosen (its running packet, or its grant)
// sends a flit in this cycle (docs/microarchitecture.md 1.6 rule 2), apart from whether the bank
// accepts it.
// A module of its own, so that synthesis makes it short: what the output does next waits for it.
// Latency: combinational. Reset: none. Limits: as output_unit.
<$ banner $>

(* short_paths *) module output_progress #(
    parameter VCS = 1,
    parameter ADAPTIVE = 0              // 1: `may_leave_on` in place of the two behind it
) (
    input  wire [VCS-1:0] leaving,          // its outgoing channel
    input  wire           stored,           // a flit can be popped
    input  wire           more,             // and it is not the last one of its packet
    input  wire [VCS-1:0] may_leave_on,     // the flit of a grant may leave, if on this channel
    input  wire           owns,             // it holds a lock
    input  wire           is_watched,       // on a channel without a lock
    input  wire           is_overdue,       // on a channel where one is overdue
    // What the channels say, which is late.
    input  wire [VCS-1:0] free_for_owner,
    input  wire [VCS-1:0] free_for_watched,
    input  wire [VCS-1:0] flow_channel,     // outgoing channel of the running packet, or 0
    input  wire [VCS-1:0] body_allowed,
    input  wire           flowing,          // a packet is running
    output wire           leaves,           // its flit leaves, if it runs or is accepted
    output wire           continues,        // and more of its packet is to come
    // Nothing runs, and no grant would send if accepted; with ADAPTIVE, also that a packet ends.
    output wire           sends_nothing,
    output wire           keeps_grant       // a grant is made again, if it is not accepted
);
    // What its channel says: `leaving` is one-hot if there is a flit.
    reg for_owner, for_watched;
    integer lane;

    always @* begin
        {for_owner, for_watched} = {free_for_owner[0], free_for_watched[0]};
        for (lane = 1; lane < VCS; lane = lane + 1)
            if (leaving[lane])
                {for_owner, for_watched} = {free_for_owner[lane], free_for_watched[lane]};
    end

    // Whether the flit of a grant, if there is one, may leave. What runs may go on whenever this
    // says that it might begin.
    wire may_leave = ADAPTIVE != 0 ? |(leaving & may_leave_on)
        : (is_watched | for_owner) & (owns | for_watched);
    wire may_go_on = |(flow_channel & body_allowed);
    assign leaves = stored & (may_go_on | may_leave);
    assign continues = more & (may_go_on | may_leave);
    // Where it counts, nothing continues, so that what leaves is a last flit.
    assign sends_nothing = ADAPTIVE != 0 ? ~flowing | leaves : ~flowing & ~leaves;

    // Only the grant of a flit that may leave waits: of a last flit, which takes its bank for one
    // cycle only, and of any on a channel where one is overdue: there only that one and the owner
    // of the lock may leave.
    assign keeps_grant = stored & may_leave & (is_overdue | ~more);
    wire unused_ok = &{1'b0, may_leave_on, owns, is_watched, for_owner, for_watched};
endmodule
