// output_trial: what becomes of the request that an output has chosen (its running packet, or what
// it granted), apart from whether the bank accepts it.
// A module of its own, so that synthesis makes it short: what the output does next waits for it.
// Requests are numbered channel * INPUTS + input.
// Latency: combinational. Reset: none. Limits: as output_unit.
<$ banner $>
`default_nettype none

(* short_paths *) module output_trial #(
    parameter INPUTS = 10,
    parameter VCS = 1,
    parameter STEPS = 1,                // 0: no packet goes a channel up
    parameter REQUESTS = INPUTS * VCS   // do not override
) (
    input  wire                    rst,         // nothing leaves
    input  wire [REQUESTS-1:0]     chosen,      // one-hot or 0
    input  wire [INPUTS-1:0]       upward,      // inputs whose packets go one channel up
    input  wire [REQUESTS-1:0]     ready,       // a flit can be popped
    input  wire [REQUESTS-1:0]     ready_more,  // and it is not the last one of its packet
    input  wire [REQUESTS-1:0]     owner,       // requests that hold a lock
    input  wire [VCS*REQUESTS-1:0] watched,     // by channel, one-hot; its own without steps
    // What the channels say, which is late.
    input  wire [VCS-1:0]          free_for_owner,
    input  wire [VCS-1:0]          free_for_watched,
    input  wire [VCS-1:0]          flow_channel, // outgoing channel of the running packet, or 0
    input  wire [VCS-1:0]          body_allowed,
    input  wire                    flowing,     // a packet is running
    input  wire [VCS-1:0]          overdue,     // none but the watched request may begin a packet
    output reg  [VCS-1:0]          leaving,     // the outgoing channel
    output wire                    more,        // a flit can be popped that is not a last
    output wire                    leaves,      // it leaves, if what was chosen is accepted
    // What was chosen stays, if it is not accepted; and though its bank is in use.
    output wire                    stays,
    output wire                    presses
);
    localparam [REQUESTS-1:0] OWN = {REQUESTS{1'b1}} >> (REQUESTS - INPUTS);
    reg welcomed;                       // if a flit is there, it may leave; not of what runs
    wire [INPUTS-1:0] up = upward & {INPUTS{STEPS != 0}};
    integer outgoing;
    integer lane;

    // There is no way up from the top channel.
    always @*
        for (outgoing = 0; outgoing < VCS; outgoing = outgoing + 1)
            leaving[outgoing] = |(chosen[outgoing*INPUTS +: INPUTS]
                    & (~up | {INPUTS{outgoing == VCS - 1}}))
                | (outgoing > 0 && |(chosen[(outgoing > 0 ? outgoing - 1 : 0)*INPUTS +: INPUTS]
                    & up));

    wire stored = |(chosen & ready);
    assign more = |(chosen & ready_more);

    always @* begin
        welcomed = 1'b0;
        for (lane = 0; lane < VCS; lane = lane + 1)
            welcomed = welcomed | ((VCS == 1 | leaving[lane])
                & ((free_for_owner[lane] & |(chosen & owner))
                    | (free_for_watched[lane] & |(chosen & watched[lane*REQUESTS +: REQUESTS]
                        & ({REQUESTS{STEPS != 0}} | (OWN << lane*INPUTS))))
                    | (free_for_owner[lane] & free_for_watched[lane])));
    end

    wire goes_on = |(flow_channel & body_allowed);
    assign leaves = ~rst & stored & (goes_on | welcomed);

    // A grant that waits for its bank whatever other channels ask; with one channel nobody asks.
    assign presses = VCS > 1 & stored & welcomed & |(leaving & overdue);

    // A running packet goes on, or the flit of a grant is its packet's last, since what it lost to
    // may be over in a cycle.
    assign stays = flowing ? goes_on & more : (stored & ~more) | presses;
endmodule

`default_nettype wire
