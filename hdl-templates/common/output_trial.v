// output_trial: what becomes of the request that an output has chosen (its running packet, or what
// it granted), apart from whether the bank accepts it.
// A module of its own, so that synthesis makes it short: what the output does next waits for it.
// Latency: combinational. Reset: none. Limits: as output_unit.
<$ banner $>

(* short_paths *) module output_trial #(
    parameter VCS = 1
) (
    input  wire [VCS-1:0] leaving,          // its outgoing channel
    input  wire           stored,           // a flit can be popped
    input  wire           more,             // and it is not the last one of its packet
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
    output wire           goes_on,          // and more of its packet is to come
    output wire           idles,            // nothing runs, and no grant would send if accepted
    output wire           stays             // a grant stays, if it is not accepted
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
    wire welcomed = (is_watched | for_owner) & (owns | for_watched);
    wire may_go_on = |(flow_channel & body_allowed);
    assign leaves = stored & (may_go_on | welcomed);
    assign goes_on = more & (may_go_on | welcomed);
    assign idles = ~flowing & ~leaves;

    // Only the grant of a flit that may leave waits: of a last flit, which takes its bank for one
    // cycle only, and of any on a channel where one is overdue: there only that one and the owner
    // of the lock may leave.
    assign stays = stored & welcomed & (is_overdue | ~more);
endmodule
