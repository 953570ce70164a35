// output_unit: arbitration for one output (docs/microarchitecture.md 1.6): what it grants in one
// cycle, the inputs accept in the next.
// One one-hot register, `chosen`, holds the running packet (flow) or else the grant: an output has
// at most one of them. What is popped is told to the queues, and taken off the credits, one cycle
// later, from registers. Requests are numbered k = channel * INPUTS + input.
// Latency: `pop` and `match_*` follow the decision by one cycle.
// Reset: synchronous, active high. Limits: VCS 1, 2 or 4, PATIENCE 1..126.
<$ banner $>

module output_unit #(
    parameter INPUTS = 10,
    parameter VCS = 1,
    parameter VC_BITS = 1,
    parameter RX_BUFFER_FLITS = 62,
    parameter MAX_PACKET_FLITS = 33,
    parameter SWITCHING_VCT = 0,
    parameter STEPS = 1,                // 0: no packet goes a channel up, `step` is not looked at
    parameter PATIENCE = 16 * VCS,      // chances that may go past a watched request
    parameter ADAPTIVE = 0,             // 1: the packets whose `way` is 1 leave on the last channel
    parameter ROOM = 0,                 // 1: with adaptive_room in place of its credits
    parameter LEFT_BITS = 6
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  down,          // the link, registered
    input  wire [VCS-1:0]        tx_credit,
    input  wire [INPUTS-1:0]     step,          // bit i: packets from input i go one channel up
    input  wire [INPUTS*VCS-1:0] waiting,       // a flit is there besides the popped one, or comes
    input  wire [INPUTS*VCS-1:0] ready,         // a flit can be popped
    input  wire [INPUTS*VCS-1:0] ready_more,    // and it is not the last one of its packet
    input  wire [INPUTS*VCS-1:0] way,           // with ADAPTIVE: of the oldest flit
    input  wire                  promises,      // these and the next two: see adaptive_room
    input  wire [LEFT_BITS-1:0]  promised,
    input  wire [LEFT_BITS-1:0]  returned,
    output wire [2:0]            level,
    output wire [2:0]            host_level,
    output wire                  idle,          // with ROOM: nothing runs, is granted or waits
    input  wire [INPUTS*VCS-1:0] commits,       // then: one-hot or 0, granted at once
    input  wire [VCS*INPUTS-1:0] barred,        // inputs whose bank is claimed, by channel
    output reg                   flowing,       // a packet is running
    output reg  [INPUTS*VCS-1:0] chosen,        // its request, or else the granted one, or 0
    output reg  [INPUTS-1:0]     chosen_input,  // its input, one-hot or 0
    input  wire                  accepted,      // the grant is, if there is one
    output reg  [INPUTS*VCS-1:0] pop,           // one-hot or 0: popped in the last cycle
    output wire                  match_valid,   // a flit is on its way to the output
    output wire                  match_adaptive, // popped on the last channel, sent or not
    output reg  [VC_BITS-1:0]    match_vc,
    output reg  [INPUTS-1:0]     match_input,   // one-hot, if there is one
    output wire [3:0]            events         // lost packet, stall, packet sent, flit sent
);
    localparam REQUESTS = INPUTS * VCS;
    localparam [REQUESTS-1:0] FIRST_REQUEST = 1;
    // Chances are counted by a shift register with feedback, which goes from 0 through all values
    // but the last one, all ones: it takes no adder.
    localparam PASSED_BITS = $clog2(PATIENCE + 2);
    localparam FEEDBACK = PASSED_BITS == 5 ? 2 : PASSED_BITS - 2;
    function [PASSED_BITS-1:0] next_count(input [PASSED_BITS-1:0] count);
        next_count = {count[PASSED_BITS-2:0], ~(count[PASSED_BITS-1] ^ count[FEEDBACK])};
    endfunction

    function [PASSED_BITS-1:0] after(input integer chances);
        integer chance;
        begin
            after = {PASSED_BITS{1'b0}};
            for (chance = 0; chance < chances; chance = chance + 1)
                after = next_count(after);
        end
    endfunction

    localparam [PASSED_BITS-1:0] LAST_COUNT = after(PATIENCE);

    reg [VCS-1:0] flow_channel;         // outgoing channel of the flow, one-hot or 0
    // Requests that hold the lock of their outgoing channel. A request gets or loses it one cycle
    // after its pop, and in that cycle is not asked: it is that of a flow, or its packet is over.
    reg [REQUESTS-1:0] owner;
    reg [VCS-1:0] locked, discard;
    reg [REQUESTS-1:0] granted;         // one-hot: the request before the grant pointer
    // The watch, so that nobody starves, one per channel: a request, the chances that went past it,
    // whether no other one may begin a packet on this channel.
    reg [VCS*REQUESTS-1:0] watched;     // one-hot; without steps among the channel's own requests
    reg [VCS*PASSED_BITS-1:0] passed;
    reg [VCS-1:0] overdue;
    reg [VCS-1:0] spent;                // channel on which a flit was sent in the last cycle

    integer part;

    always @* begin
        chosen_input = {INPUTS{1'b0}};
        for (part = 0; part < VCS; part = part + 1)
            chosen_input = chosen_input | chosen[part*INPUTS +: INPUTS];
    end

    // The credits of each channel (1.6, `credit` and *need*).
    wire [VCS-1:0] body_allowed, free_for_owner, free_for_watched;
    wire [INPUTS-1:0] upward = step & {INPUTS{STEPS != 0}};
    // With ADAPTIVE: requests that leave on each channel, and on the escape without their way.
    wire [VCS*REQUESTS-1:0] outgoing, escaping;
    localparam LAST_CHANNEL = VCS - 1;
    // An outgoing channel watches the requests of all incoming channels. With ADAPTIVE, requests
    // are watched by the channel on which they came instead, whatever channel they leave on.
    localparam WATCHES_ALL = STEPS != 0 && ADAPTIVE == 0 ? 1 : 0;

    generate
        genvar v;
        for (v = 0; v < VCS; v = v + 1) begin : gen_channel
            if (ROOM != 0 && v == LAST_CHANNEL) begin : gen_promised
                // Whoever leaves on this channel has its room.
                assign body_allowed[v] = 1'b1;
                assign free_for_watched[v] = ~locked[v] | flow_channel[v];
                assign free_for_owner[v] = (free_for_watched[v] & ~overdue[v])
                    | (locked[v] & ~flow_channel[v]);
            end else begin : gen_credits
                output_channel #(
                    .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
                    .HEADER_NEED(SWITCHING_VCT != 0 ? MAX_PACKET_FLITS : 1)
                ) credits (
                    .clk(clk), .rst(rst), .down(down), .tx_credit(tx_credit[v]), .spent(spent[v]),
                    .locked(locked[v]), .flowing(flow_channel[v]), .discard(discard[v]),
                    .overdue(overdue[v]), .body_allowed(body_allowed[v]),
                    .free_for_owner(free_for_owner[v]), .free_for_watched(free_for_watched[v])
                );
            end
        end
        if (ADAPTIVE != 0) begin : gen_outgoing_channels
            adaptive_outgoing #(.INPUTS(INPUTS), .VCS(VCS)) channels (
                .upward(upward), .members(escaping)
            );
            genvar c;
            for (c = 0; c < VCS; c = c + 1) begin : gen_members
                assign outgoing[c*REQUESTS +: REQUESTS] = c == LAST_CHANNEL ? way
                    : VCS == 2 ? ~way : escaping[c*REQUESTS +: REQUESTS] & ~way;
            end
        end else begin : gen_no_ways
            assign {outgoing, escaping} = {2*VCS*REQUESTS{1'b0}};
            wire unused_ok = &{1'b0, way};
        end
    endgenerate

    // 1.6 rule 2: whether the chosen request is popped, computed beside its acceptance.
    wire [VCS-1:0] leaving;             // its outgoing channel; there is no way up from the top one
    wire owns, is_watched, is_overdue;  // see output_progress
    wire [VCS-1:0] may_leave_on;

    wire stored, more, leaves, continues, sends_nothing, keeps_grant;
    wire [VCS-1:0] owned;               // `chosen` is in `owner`, by its own channel
    wire [VCS-1:0] watches;             // it is `watched`, by the channel that watches it

    any_common #(.ELEMENTS(REQUESTS)) ready_match (.one(chosen), .other(ready), .any(stored));
    any_common #(.ELEMENTS(REQUESTS)) more_match (.one(chosen), .other(ready_more), .any(more));
    generate
        genvar w;
        for (w = 0; w < VCS; w = w + 1) begin : gen_outgoing
            any_common #(.ELEMENTS(INPUTS)) lock_match (
                .one(chosen[w*INPUTS +: INPUTS]), .other(owner[w*INPUTS +: INPUTS]), .any(owned[w])
            );
            // Without steps the watched request is among those of the channel.
            localparam FIRST = WATCHES_ALL != 0 ? 0 : w * INPUTS;
            localparam COUNT = WATCHES_ALL != 0 ? REQUESTS : INPUTS;
            any_common #(.ELEMENTS(COUNT)) watch_match (
                .one(chosen[FIRST +: COUNT]), .other(watched[w*REQUESTS + FIRST +: COUNT]),
                .any(watches[w])
            );
        end
    endgenerate

    // `owner` is a cycle late: of a packet that has just ended, `locked` is 0 already, or with
    // ADAPTIVE nothing is chosen. What is watched on a locked channel cannot begin. Without steps
    // the two vectors tell the channel.
    generate
        if (ADAPTIVE != 0) begin : gen_adaptive_leaving
            adaptive_leaving #(.REQUESTS(REQUESTS), .VCS(VCS)) leaves_on (
                .chosen(chosen), .way(way), .outgoing(outgoing), .overdue(overdue),
                .leaving(leaving), .is_overdue(is_overdue)
            );
            assign may_leave_on = (({VCS{|watches}} & ~locked) | free_for_owner)
                & (({VCS{|owned}} & locked) | free_for_watched);
            assign {owns, is_watched} = 2'd0;
        end else begin : gen_fixed_leaving
            wire [VCS-1:0] lanes = leaving | {VCS{STEPS == 0}};
            genvar to;
            for (to = 0; to < VCS; to = to + 1) begin : gen_to
                assign leaving[to] = |(chosen[to*INPUTS +: INPUTS]
                        & (~upward | {INPUTS{to == VCS - 1}}))
                    | (to > 0 && |(chosen[(to > 0 ? to - 1 : 0)*INPUTS +: INPUTS] & upward));
            end
            assign owns = STEPS == 0 ? |(owned & locked) : |owned & |(leaving & locked);
            assign is_watched = |(watches & lanes & ~locked);
            assign is_overdue = |(leaving & overdue);
            assign may_leave_on = {VCS{1'b0}};
        end
    endgenerate

    output_progress #(.VCS(VCS), .ADAPTIVE(ADAPTIVE)) progress (
        .leaving(leaving), .stored(stored), .more(more), .may_leave_on(may_leave_on),
        .owns(owns), .is_watched(is_watched), .is_overdue(is_overdue),
        .free_for_owner(free_for_owner), .free_for_watched(free_for_watched),
        .flow_channel(flow_channel), .body_allowed(body_allowed), .leaves(leaves),
        .flowing(flowing), .continues(continues), .sends_nothing(sends_nothing),
        .keeps_grant(keeps_grant)
    );

    wire [REQUESTS-1:0] candidates;

    // 1.6 rule 3
    output_candidates #(
        .INPUTS(INPUTS), .VCS(VCS), .STEPS(STEPS), .ADAPTIVE(ADAPTIVE)
    ) candidate_requests (
        .waiting(waiting), .chosen(chosen), .upward(upward), .way(way),
        .escaping(escaping), .owner(owner),
        .watched(watched), .overdue(overdue), .free_for_owner(free_for_owner),
        .free_for_watched(free_for_watched),
        .barred(barred), .candidates(candidates)
    );
    // 1.6 rule 4, round robin: subtracting the position after the last grant from the candidates
    // written twice clears the first 1 from there on.
    wire [2*REQUESTS-1:0] after_granted = {{REQUESTS{1'b0}}, granted} << 1;
    wire [2*REQUESTS-1:0] searched = {candidates, candidates} - after_granted;
    wire [REQUESTS-1:0] grant
        = candidates & ~(searched[REQUESTS-1:0] & searched[2*REQUESTS-1:REQUESTS]);

    // There are no candidates when there are commits, so this costs no LUT. Where nothing is
    // chosen, the output takes what there is, if anything.
    wire [REQUESTS-1:0] next_chosen = ROOM != 0 ? grant | commits : grant;
    wire nothing_chosen = ROOM != 0 ? ~|chosen : 1'b0;
    wire grants_if_served, chooses_if_served, grants_if_not, chooses_if_not;

    output_regrant #(.REQUESTS(REQUESTS), .ROOM(ROOM)) regrant (
        .candidates(candidates), .continues(continues), .sends_nothing(sends_nothing),
        .keeps_grant(keeps_grant), .grants_if_served(grants_if_served),
        .chooses_if_served(chooses_if_served), .grants_if_not(grants_if_not),
        .nothing_chosen(nothing_chosen), .chooses_if_not(chooses_if_not)
    );

    // The state after this cycle. A link that is down cuts every packet that has begun.
    wire sendable = ~down & ~|(leaving & discard);
    wire [VCS-1:0] cut = discard | (locked & {VCS{down}});
    wire [VCS-1:0] popped = leaving & {VCS{leaves}};    // if a bank serves it
    wire grants, chooses, next_flowing;
    wire [VCS-1:0] next_flow_channel, next_spent, next_locked, next_discard;

    output_outcome #(.POPPED_BITS(2 * VCS + 4), .BITS(2 * VCS + 2)) decision (
        .flowing(flowing), .accepted(accepted), .leaves(leaves), .waiting(|waiting),
        .if_popped({leaving & {VCS{more}}, leaving & {VCS{sendable}}, more,
            ~more & ~sendable, ~more & sendable, sendable}),
        .popped({next_flow_channel, next_spent, next_flowing, events[3], events[1:0]}),
        .stalls(events[2]),
        .if_served({(locked & ~popped) | (popped & {VCS{more}}),
            (cut & ~popped) | (popped & {VCS{more & ~sendable}}),
            grants_if_served, chooses_if_served}),
        .if_not({locked, cut, grants_if_not, chooses_if_not}),
        .outcome({next_locked, next_discard, grants, chooses})
    );

    always @(posedge clk) begin : commit
        integer number;

        if (rst) begin
            chosen <= {REQUESTS{1'b0}};
            flowing <= 1'b0;
            flow_channel <= {VCS{1'b0}};
            granted <= FIRST_REQUEST << (REQUESTS - 1);
            spent <= {VCS{1'b0}};
            match_vc <= {VC_BITS{1'b0}};
            locked <= {VCS{1'b0}};
            discard <= {VCS{1'b0}};
        end else begin
            flowing <= next_flowing;
            flow_channel <= next_flow_channel;
            if (chooses)
                chosen <= next_chosen;
            if (grants)
                granted <= next_chosen;
            spent <= next_spent;
            match_vc <= {VC_BITS{1'b0}};
            for (number = 0; number < VCS; number = number + 1)
                if (leaving[number])
                    match_vc <= number[VC_BITS-1:0];
            locked <= next_locked;
            discard <= next_discard;
        end
    end

    // Cleared by the flip-flops' own reset, which takes no logic.
    wire pops_nothing = rst | ~(leaves & (flowing | accepted));

    always @(posedge clk) begin
        pop <= pops_nothing ? {REQUESTS{1'b0}} : chosen;
        match_input <= chosen_input;
    end

    integer request;
    always @(posedge clk)
        if (rst)
            owner <= {REQUESTS{1'b0}};
        else if (|pop)
            for (request = 0; request < REQUESTS; request = request + 1)
                if (pop[request])
                    owner[request] <= flowing;

    assign match_valid = |spent;

    generate
        if (ROOM != 0) begin : gen_room
            // Of what leaves on the last channel, `wasted` tells what is not sent.
            reg wasted;
            always @(posedge clk)
                wasted <= ~rst & leaving[LAST_CHANNEL] & leaves & (flowing | accepted) & ~sendable;
            assign match_adaptive = spent[LAST_CHANNEL] | wasted;
            assign idle = nothing_chosen & ~|waiting;

            adaptive_room #(
                .RX_BUFFER_FLITS(RX_BUFFER_FLITS), .MAX_PACKET_FLITS(MAX_PACKET_FLITS),
                .LEFT_BITS(LEFT_BITS)
            ) promised_room (
                .clk(clk), .rst(rst), .up(~down), .promises(promises), .promised(promised),
                .tx_credit(tx_credit[LAST_CHANNEL]), .wasted(wasted), .returned(returned),
                .level(level), .host_level(host_level)
            );
        end else begin : gen_no_room
            assign {match_adaptive, level, host_level, idle} = 8'd0;
            wire unused_ok = &{1'b0, promises, promised, returned, commits};
        end
    endgenerate

    // 1.6 rule 5. The watch goes to the next request when this one has nothing to send on the
    // channel or was served: `one` is one-hot.
    always @(posedge clk) begin : watch
        reg [REQUESTS-1:0] one;
        reg [REQUESTS-1:0] members;     // requests that leave on the channel
        reg patience_spent, stays;
        reg [VCS-1:0] next_overdue;
        integer of, on;

        one = {REQUESTS{1'b0}};
        members = {REQUESTS{1'b0}};
        {patience_spent, stays} = 2'd0;
        next_overdue = {VCS{1'b0}};
        on = 0;
        if (rst) begin
            watched <= {VCS*REQUESTS{1'b0}};
            for (of = 0; of < VCS; of = of + 1)
                watched[of*REQUESTS + (WATCHES_ALL != 0 ? 0 : of*INPUTS)] <= 1'b1;
            passed <= {VCS*PASSED_BITS{1'b0}};
            overdue <= {VCS{1'b0}};
        end else begin
            for (of = 0; of < VCS; of = of + 1) begin
                one = watched[of*REQUESTS +: REQUESTS];
                // There is no way up from the top channel.
                members = {REQUESTS{1'b0}};
                members[of*INPUTS +: INPUTS] = ~upward | {INPUTS{of == VCS - 1}};
                if (of > 0)
                    members[(of > 0 ? of - 1 : 0)*INPUTS +: INPUTS] = upward;
                if (ADAPTIVE != 0) begin
                    members = {REQUESTS{1'b0}};
                    members[of*INPUTS +: INPUTS] = {INPUTS{1'b1}};
                end
                patience_spent = passed[of*PASSED_BITS +: PASSED_BITS] == LAST_COUNT;
                stays = |(one & ready & ~pop & members);
                if (~stays) begin
                    if (WATCHES_ALL != 0)
                        watched[of*REQUESTS +: REQUESTS] <= (one << 1) | (one >> (REQUESTS - 1));
                    else
                        watched[of*REQUESTS + of*INPUTS +: INPUTS]
                            <= (one[of*INPUTS +: INPUTS] << 1)
                            | (one[of*INPUTS +: INPUTS] >> (INPUTS - 1));
                    passed[of*PASSED_BITS +: PASSED_BITS] <= {PASSED_BITS{1'b0}};
                    overdue[of] <= 1'b0;
                end else begin
                    if (~flowing & ~patience_spent)
                        passed[of*PASSED_BITS +: PASSED_BITS]
                            <= next_count(passed[of*PASSED_BITS +: PASSED_BITS]);
                    overdue[of] <= patience_spent;
                end
                // With ADAPTIVE: the channel on which the watched request leaves.
                for (on = 0; on < VCS; on = on + 1)
                    if (stays & patience_spent & (VCS == 2 && on == 0 ? ~|(one & members & way)
                            : |(one & members & outgoing[on*REQUESTS +: REQUESTS])))
                        next_overdue[on] = 1'b1;
            end
            if (ADAPTIVE != 0)
                overdue <= next_overdue;
        end
    end
endmodule
