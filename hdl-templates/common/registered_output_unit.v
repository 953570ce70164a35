// registered_output_unit: what output_units does, of one output, for REGISTERED_ARBITRATION: what
// it grants in one cycle, the inputs accept in the next (docs/microarchitecture.md 1.8).
// One one-hot register, `chosen`, holds the running packet (flow) or else the grant: an output has
// at most one of them. What acceptance asks first stands in registers of its own: the input of what
// is chosen, and of a flow. What is popped is told to the queues, and taken off the credits, one
// cycle later, from registers. Requests are numbered k = channel * INPUTS + input.
// Latency: `pop` and `match_*` follow the decision by one cycle.
// Reset: synchronous, active high. Limits: VCS 1, 2 or 4.
<$ banner $>
`default_nettype none

module registered_output_unit #(
    parameter INPUTS = 10,
    parameter VCS = 2,
    parameter VC_BITS = 1,
    parameter RX_BUFFER_FLITS = 12,
    parameter MAX_PACKET_FLITS = 33,
    parameter SWITCHING_VCT = 0,
    parameter STEPS = 1                 // 0: no packet goes a channel up, `step` is not looked at
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  link_up,
    input  wire [VCS-1:0]        tx_credit,
    input  wire [INPUTS-1:0]     step,          // bit i: packets from input i go one channel up
    input  wire [INPUTS*VCS-1:0] waiting,       // a flit is there besides the one just popped
    input  wire [INPUTS*VCS-1:0] ready,         // a flit can be popped
    input  wire [INPUTS*VCS-1:0] ready_last,    // and it is the last one of its packet
    input  wire [INPUTS*VCS-1:0] held,          // if it is a header, it has to wait
    input  wire [INPUTS*VCS-1:0] crowded,       // the queue withholds credits from its sender
    input  wire [INPUTS-1:0]     barred,        // inputs that serve others' packets
    output reg                   flowing,       // a packet is running
    output reg  [INPUTS-1:0]     flow_input,    // its input, one-hot, or 0
    output reg  [INPUTS-1:0]     chosen_input,  // the same, or else the granted input, or 0
    input  wire                  blocked,       // the granted input is barred
    input  wire                  accept,        // if not, the granted input accepts
    output reg  [INPUTS*VCS-1:0] pop,           // one-hot or 0: popped in the last cycle
    output wire                  match_valid,   // a flit is on its way to the output
    output reg  [VC_BITS-1:0]    match_vc,
    output reg  [INPUTS-1:0]     match_input,   // one-hot, if there is one
    output wire [3:0]            events         // lost packet, stall, packet sent, flit sent
);
    localparam REQUESTS = INPUTS * VCS;
    localparam CREDIT_BITS = $clog2(RX_BUFFER_FLITS + 2);
    localparam [CREDIT_BITS-1:0] FULL = RX_BUFFER_FLITS[CREDIT_BITS-1:0];
    // Credits that a header needs.
    localparam HEADER_NEED = SWITCHING_VCT != 0 ? MAX_PACKET_FLITS : 1;
    localparam [CREDIT_BITS-1:0] NEED = HEADER_NEED[CREDIT_BITS-1:0];

    // Inputs with a request among these.
    function [INPUTS-1:0] inputs_of(input [REQUESTS-1:0] requests);
        integer part;
        begin
            inputs_of = {INPUTS{1'b0}};
            for (part = 0; part < VCS; part = part + 1)
                inputs_of = inputs_of | requests[part*INPUTS +: INPUTS];
        end
    endfunction

    reg was_up;                         // the link was up in the last cycle: what may leave waits
                                        // for no pin
    reg [REQUESTS-1:0] chosen;          // request of the running packet, or else that granted; or 0
    reg [VCS-1:0] flow_channel;         // outgoing channel of the flow, one-hot or 0
    // Requests that hold the lock of their outgoing channel. A request gets or loses it one cycle
    // after its pop, and in that cycle is not asked: it is that of a flow, or its packet is over.
    reg [REQUESTS-1:0] owner;
    reg [VCS-1:0] locked;
    reg [VCS-1:0] discard;
    reg [REQUESTS-1:0] granted;         // one-hot: the request before the grant pointer
    reg urges;                          // a queue was crowded in the last cycle, and it is its turn
    reg [INPUTS-1:0] patient;           // then, behind a running packet: inputs that had none
    reg was_flowing;                    // a packet was running in the last cycle
    reg [1:0] preferred;                // packets in turn whose end urged, at most 3; without one
                                        // that ended in the last cycle
    reg [1:0] preferred_after;          // with that one
    reg popped;                         // |pop
    reg [VCS-1:0] spent;                // channel on which a flit was sent in the last cycle
    reg [VCS*CREDIT_BITS-1:0] credit;   // the flit of `spent` is not yet taken off
    reg [VCS-1:0] one_credit;           // credit is at least 1
    reg [VCS-1:0] two_credits;
    reg [VCS-1:0] room;                 // credit is at least NEED
    reg [VCS-1:0] more_room;            // and one more

    // Per outgoing channel: the requests that leave on it; whether a body flit, a header may.
    wire [INPUTS-1:0] upward = step & {INPUTS{STEPS != 0}};
    reg [VCS*REQUESTS-1:0] members;
    reg [VCS-1:0] body_allowed;
    reg [VCS-1:0] header_allowed;
    // Requests whose oldest flit may leave, or may when the running packet has ended.
    reg [REQUESTS-1:0] welcome;
    integer channel;

    always @* begin
        members = {VCS*REQUESTS{1'b0}};
        for (channel = 0; channel < VCS; channel = channel + 1) begin
            // As in output_units: there is no way up from the top channel.
            members[channel*REQUESTS + channel*INPUTS +: INPUTS]
                = ~upward | {INPUTS{channel == VCS - 1}};
            if (channel > 0)
                members[channel*REQUESTS + (channel > 0 ? channel - 1 : 0)*INPUTS +: INPUTS]
                    = upward;
        end
        body_allowed = two_credits | (one_credit & ~spent) | discard | {VCS{~was_up}};
        header_allowed = more_room | (room & ~spent) | {VCS{~was_up}};
        welcome = {REQUESTS{1'b0}};
        for (channel = 0; channel < VCS; channel = channel + 1)
            welcome = welcome | (members[channel*REQUESTS +: REQUESTS]
                & ((owner & {REQUESTS{locked[channel] & body_allowed[channel]}})
                    | (~held & {REQUESTS{(~locked[channel] | flow_channel[channel])
                        & header_allowed[channel]}})));
    end

    // The trial of what was chosen, beside acceptance.
    wire [VCS-1:0] leaving;
    wire stored;
    wire last;
    wire leaves;

    output_trial #(
        .REQUESTS(REQUESTS),
        .VCS(VCS)
    ) trial (
        .rst(rst), .chosen(chosen), .members(members), .ready(ready),
        .ready_last(ready_last), .welcome(welcome), .flow_channel(flow_channel),
        .body_allowed(body_allowed), .leaving(leaving), .stored(stored), .last(last),
        .leaves(leaves)
    );

    // What was chosen stays without being accepted: a running packet goes on, or the flit of a
    // grant is its packet's last, since what it lost to may be over in a cycle.
    wire stays = stored & (flowing ? |(flow_channel & body_allowed) & ~last : last);

    // Behind a running packet inputs with a crowded queue come first, since it holds up their other
    // ones. What follows every fourth packet is anybody's, and moves the pointer, which the others
    // leave: so nobody starves.
    wire [INPUTS-1:0] crowded_input = inputs_of(crowded);
    // Counted a cycle late, from registers: whether a packet goes on is known late.
    wire [1:0] in_turn = was_flowing & ~flowing ? preferred_after : preferred;
    wire urged = |crowded & ~&in_turn;
    wire preferring = flowing & urges;

    // The next grant. A running packet may end in this cycle, so its lock keeps nobody out.
    wire [REQUESTS-1:0] candidates
        = waiting & welcome & ~chosen & ~{VCS{barred | patient}};

    // Round robin: of the candidates written down twice, taking away the place behind the last
    // grant clears the first 1 from there on; the bit above the second copy tells that there is
    // none.
    wire [2*REQUESTS:0] searched = {1'b0, candidates, candidates}
        - {{REQUESTS{1'b0}}, granted, 1'b0};
    wire [REQUESTS-1:0] grant
        = candidates & ~(searched[REQUESTS-1:0] & searched[2*REQUESTS-1:REQUESTS]);
    wire any_candidate = ~searched[2*REQUESTS];
    wire [INPUTS-1:0] grant_input = inputs_of(grant);

    // What follows, with and without a pop. A link that is down cuts every packet that has begun.
    wire sendable = link_up & was_up & ~|(leaving & discard);
    wire [VCS-1:0] cut = discard | (locked & {VCS{~link_up}});
    wire go;
    wire goes_on;
    wire keeps;
    wire gives_up;
    wire [VCS-1:0] next_flow_channel;
    wire [VCS-1:0] next_spent;
    wire [VCS-1:0] next_locked;
    wire [VCS-1:0] next_discard;

    output_outcome #(
        .VCS(VCS)
    ) decision (
        .flowing(flowing), .blocked(blocked), .accept(accept), .leaves(leaves),
        .last(last), .stays(stays), .sendable(sendable), .leaving(leaving), .locked(locked),
        .discard(cut),
        .popped_locked((locked & ~leaving) | (leaving & {VCS{~last}})),
        .popped_discard((cut & ~leaving) | (leaving & {VCS{~last & ~sendable}})),
        .go(go), .goes_on(goes_on), .next_flow_channel(next_flow_channel),
        .next_spent(next_spent), .next_locked(next_locked), .next_discard(next_discard),
        .keeps(keeps), .gives_up(gives_up)
    );

    assign events = {go & last & ~sendable, (|waiting | popped) & ~go, go & last & sendable,
        go & sendable};

    always @(posedge clk) begin : commit
        integer number;

        if (rst) begin
            chosen <= {REQUESTS{1'b0}};
            chosen_input <= {INPUTS{1'b0}};
            flowing <= 1'b0;
            was_flowing <= 1'b0;
            flow_channel <= {VCS{1'b0}};
            granted <= {1'b1, {REQUESTS-1{1'b0}}};
            preferred <= 2'd0;
            popped <= 1'b0;
            spent <= {VCS{1'b0}};
            match_vc <= {VC_BITS{1'b0}};
            locked <= {VCS{1'b0}};
            discard <= {VCS{1'b0}};
        end else begin
            flowing <= goes_on;
            was_flowing <= flowing;
            flow_channel <= next_flow_channel;
            // What waits for a bank in use makes room for a candidate.
            if (any_candidate ? blocked | ~keeps : gives_up) begin
                chosen <= grant;
                chosen_input <= grant_input;
            end
            if (any_candidate & ~preferring & (blocked | ~keeps))
                granted <= grant;
            preferred <= in_turn;
            popped <= go;
            spent <= next_spent;
            match_vc <= {VC_BITS{1'b0}};
            for (number = 0; number < VCS; number = number + 1)
                if (leaving[number])
                    match_vc <= number[VC_BITS-1:0];
            locked <= next_locked;
            discard <= next_discard;
        end
    end

    // Cleared by the flip-flops' own reset, which takes no logic. What says when is not made of
    // `go`, so that it is a LUT beside that of `go`, not one behind it. In a reset nothing leaves.
    wire rests = ~leaves | (~flowing & (~accept | blocked));

    always @(posedge clk) begin
        pop <= rests ? {REQUESTS{1'b0}} : chosen;
        flow_input <= rests | last ? {INPUTS{1'b0}} : chosen_input;
        patient <= rests | last ? {INPUTS{1'b0}} : ~crowded_input & {INPUTS{urged}};
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

    always @(posedge clk) begin
        was_up <= link_up;
        urges <= urged;
        preferred_after <= {2{urges}} & (preferred + 2'd1);
    end

    // Credits: one counter a channel, with its comparisons kept in registers.
    always @(posedge clk) begin : count
        reg [CREDIT_BITS-1:0] next;
        integer counter;

        next = {CREDIT_BITS{1'b0}};
        if (rst) begin
            credit <= {VCS{FULL}};
            one_credit <= {VCS{1'b1}};
            two_credits <= {VCS{1'b1}};
            room <= {VCS{1'b1}};
            more_room <= {VCS{FULL > NEED}};
        end else if (|(tx_credit ^ spent))
            for (counter = 0; counter < VCS; counter = counter + 1)
                if (tx_credit[counter] ^ spent[counter]) begin
                    // One more, or one less: -1 is a 1 in every bit.
                    next = credit[counter*CREDIT_BITS +: CREDIT_BITS]
                        + {{CREDIT_BITS-1{spent[counter]}}, 1'b1};
                    credit[counter*CREDIT_BITS +: CREDIT_BITS] <= next;
                    one_credit[counter] <= |next;
                    two_credits[counter] <= |next[CREDIT_BITS-1:1];
                    room[counter] <= next >= NEED;
                    more_room[counter] <= next > NEED;
                end
    end

`ifdef MKNS_ASSERT
    reg [INPUTS-1:0] inputs_of_chosen;
    integer chosen_part;

    always @* begin
        inputs_of_chosen = {INPUTS{1'b0}};
        for (chosen_part = 0; chosen_part < VCS; chosen_part = chosen_part + 1)
            inputs_of_chosen = inputs_of_chosen | chosen[chosen_part*INPUTS +: INPUTS];
    end

    reg [INPUTS-1:0] last_crowded;
    reg last_preferring;
    reg [REQUESTS-1:0] last_granted;
    always @(posedge clk) begin
        last_crowded <= crowded_input;
        last_preferring <= preferring & ~rst;
        last_granted <= granted;
    end

    integer index;
    always @(posedge clk)
        if (!rst) begin
            for (index = 0; index < VCS; index = index + 1) begin
                if (tx_credit[index] & ~spent[index]
                    & credit[index*CREDIT_BITS +: CREDIT_BITS] >= FULL) begin
                    $display("mkns_assert %m: more credits than buffer slots, channel %0d", index);
                    $stop;
                end
                if (spent[index] & credit[index*CREDIT_BITS +: CREDIT_BITS] == 0) begin
                    $display("mkns_assert %m: flit sent without a credit, channel %0d", index);
                    $stop;
                end
                // Contiguous packets: while a channel is locked only its owner is popped.
                if (go & leaving[index] & locked[index] & ~flowing & ~|(chosen & owner)) begin
                    $display("mkns_assert %m: packets interleave on channel %0d", index);
                    $stop;
                end
            end
            if ((chosen & (chosen - 1'b1)) != 0) begin
                $display("mkns_assert %m: more than one input drives the output");
                $stop;
            end
            if (chosen_input != inputs_of_chosen
                || flow_input != (chosen_input & {INPUTS{flowing}})) begin
                $display("mkns_assert %m: inputs are not those of the choice");
                $stop;
            end
            if (flowing & ~|(chosen & (owner | pop))) begin
                $display("mkns_assert %m: running packet without a lock");
                $stop;
            end
            if (patient != (~last_crowded & {INPUTS{preferring}})) begin
                $display("mkns_assert %m: not all wait that have no crowded queue, or others do");
                $stop;
            end
            if (preferring & &preferred) begin
                $display("mkns_assert %m: crowded queues urge more than three times in turn");
                $stop;
            end
            if (last_preferring & granted != last_granted) begin
                $display("mkns_assert %m: a grant to a crowded queue moves the pointer");
                $stop;
            end
        end
`endif
endmodule

`default_nettype wire
