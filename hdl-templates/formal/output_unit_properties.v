// output_unit_properties: output_unit between inputs that ask and accept as they like and a neighbour
// that returns only credits that it holds. Packets of one channel leave one after the other, whole, or
// are thrown away where the link is down or has cut them.
// The link goes up and down at any time; `step` stays as it is, as the specification demands.
// What is decided in one cycle shows in the next: names with `was_` are of the cycle before.

module output_unit_properties #(
    parameter INPUTS = 2,
    parameter VCS = 2,
    parameter VC_BITS = 1,
    parameter RX_BUFFER_FLITS = 3,
    parameter MAX_PACKET_FLITS = 2,
    parameter SWITCHING_VCT = 0,
    parameter PATIENCE = 2
) (
    input wire                  clk,
    input wire                  rst,
    input wire                  up,
    input wire [VCS-1:0]        tx_credit,
    input wire [INPUTS*VCS-1:0] waiting,
    input wire [INPUTS*VCS-1:0] ready,
    input wire [INPUTS*VCS-1:0] ready_last,
    input wire [VCS*INPUTS-1:0] barred,         // by the channel that claims
    input wire                  accept
);
    localparam REQUESTS = INPUTS * VCS;
    localparam [REQUESTS-1:0] CLAIMS = {VCS{{{INPUTS-1{1'b0}}, 1'b1}}}; // of one input
    localparam NEED = SWITCHING_VCT != 0 ? MAX_PACKET_FLITS : 1;
    (* anyconst *) reg [INPUTS-1:0] step;
    wire flowing;
    wire [INPUTS-1:0] chosen_input;
    wire [REQUESTS-1:0] chosen;
    wire [REQUESTS-1:0] pop;
    wire match_valid;
    wire [VC_BITS-1:0] match_vc;
    wire [INPUTS-1:0] match_input;
    wire [3:0] events;

    output_unit #(
        .INPUTS(INPUTS),
        .VCS(VCS),
        .VC_BITS(VC_BITS),
        .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
        .MAX_PACKET_FLITS(MAX_PACKET_FLITS),
        .SWITCHING_VCT(SWITCHING_VCT),
        .PATIENCE(PATIENCE)
    ) unit (
        .clk(clk), .rst(rst), .down(~up), .tx_credit(tx_credit), .step(step),
        .waiting(waiting), .ready(ready), .ready_more(ready & ~ready_last), .barred(barred),
        .flowing(flowing), .chosen(chosen), .chosen_input(chosen_input), .accepted(accept),
        .pop(pop), .match_valid(match_valid), .match_vc(match_vc), .match_input(match_input),
        .events(events)
    );

    reg started = 1'b0;
    reg running = 1'b0;         // the cycle before was not one of reset
    always @(posedge clk) begin
        started <= 1'b1;
        running <= started;
        assume (rst == !started);
    end

    reg was_up;
    reg was_taken;              // accepted, or running
    reg [REQUESTS-1:0] was_ready;
    reg [REQUESTS-1:0] was_last;
    reg [3:0] was_events;
    reg should_grant;           // some flit had a right to be granted, if nothing runs
    reg should_go_on;           // the running packet had a flit that may leave

    // Per outgoing channel: flits at the neighbour; as of the pop before this cycle's, the packet in
    // progress and whether its rest is thrown away.
    reg [7:0] outstanding [0:VCS-1];
    reg [REQUESTS-1:0] lock [0:VCS-1];
    reg [VCS-1:0] cut;
    // The same as of this cycle's pop.
    reg [REQUESTS-1:0] next_lock [0:VCS-1];
    reg [VCS-1:0] next_cut;
    reg [VCS-1:0] room;         // credits for a flit, for a header
    reg [VCS-1:0] header_room;
    reg may_begin;
    reg continues;
    // The watch of a channel: request, the chances that passed it, whether it is overdue.
    reg [REQUESTS-1:0] watched [0:VCS-1];
    reg [7:0] passed [0:VCS-1];
    reg [VCS-1:0] overdue;
    reg [REQUESTS-1:0] was_watched [0:VCS-1];
    reg [VCS-1:0] was_overdue;
    integer w;
    integer k;

    // The outgoing channel of request k.
    function [VC_BITS-1:0] outgoing(input integer number);
        outgoing = (number / INPUTS == VCS - 1) ? VCS - 1
            : number / INPUTS + step[number % INPUTS];
    endfunction

    always @* begin
        next_cut = cut;
        for (w = 0; w < VCS; w = w + 1) begin
            next_lock[w] = lock[w];
            room[w] = !up
                || outstanding[w] + (match_valid && match_vc == w) < RX_BUFFER_FLITS;
            header_room[w] = !up
                || outstanding[w] + (match_valid && match_vc == w) + NEED <= RX_BUFFER_FLITS;
        end
        for (k = 0; k < REQUESTS; k = k + 1)
            if (pop[k]) begin
                next_lock[outgoing(k)] = was_last[k] ? 0 : 1 << k;
                next_cut[outgoing(k)] = !was_last[k] && (cut[outgoing(k)] || !was_up);
            end
        for (w = 0; w < VCS; w = w + 1)
            if (next_lock[w] != 0 && !was_up)
                next_cut[w] = 1'b1;
        may_begin = 1'b0;
        continues = 1'b0;
        for (k = 0; k < REQUESTS; k = k + 1) begin
            // Of a channel on which one is overdue, only that one, and whatever its bank does.
            if (waiting[k] && !chosen_input[k % INPUTS]
                && (overdue[outgoing(k)] ? watched[outgoing(k)][k] : !(barred >> k % INPUTS & CLAIMS))
                && next_lock[outgoing(k)] == 0 && header_room[outgoing(k)])
                may_begin = 1'b1;
            if (pop[k] && ready[k] && (room[outgoing(k)] || next_cut[outgoing(k)]))
                continues = 1'b1;
        end
    end

    // Requests that leave on channel w.
    reg [REQUESTS-1:0] members [0:VCS-1];
    integer member;

    always @*
        for (w = 0; w < VCS; w = w + 1) begin
            members[w] = 0;
            for (member = 0; member < REQUESTS; member = member + 1)
                members[w][member] = outgoing(member) == w;
        end

    always @(posedge clk) begin
        was_up <= up;
        was_taken <= flowing || accept;
        was_ready <= ready;
        was_last <= ready_last;
        was_events <= events;
        should_grant <= may_begin;
        should_go_on <= flowing && continues;
        was_overdue <= rst ? 0 : overdue;
        for (w = 0; w < VCS; w = w + 1) begin
            was_watched[w] <= watched[w];
            if (rst) begin
                watched[w] <= 1;
                overdue[w] <= 1'b0;
                passed[w] <= 0;
            end else begin
                passed[w] <= passed[w] + (!flowing && passed[w] != PATIENCE);
                overdue[w] <= passed[w] == PATIENCE;
                if ((watched[w] & ready & members[w] & ~pop) == 0) begin
                    watched[w] <= {watched[w], watched[w][REQUESTS-1]};
                    overdue[w] <= 1'b0;
                    passed[w] <= 0;
                end
            end
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            cut <= 0;
            for (w = 0; w < VCS; w = w + 1) begin
                outstanding[w] <= 0;
                lock[w] <= 0;
            end
        end else begin
            cut <= next_cut;
            for (w = 0; w < VCS; w = w + 1) begin
                assume (!tx_credit[w] || outstanding[w] != 0);
                // Credits are kept.
                assert (outstanding[w]
                    + (match_valid && match_vc == w) <= RX_BUFFER_FLITS);
                outstanding[w] <= outstanding[w] + (match_valid && match_vc == w)
                    - tx_credit[w];
                lock[w] <= next_lock[w];
            end
            // One pop, one choice.
            assert ((pop & (pop - 1'b1)) == 0);
            assert ((chosen & (chosen - 1'b1)) == 0);
            assert ((chosen & ~{VCS{chosen_input}}) == 0 && (chosen != 0) == (chosen_input != 0));
            // What runs was popped.
            assert (!flowing || (chosen != 0 && chosen == pop));
            // What leaves was popped.
            assert (!match_valid || pop != 0);
            if (running) begin
                // Pops what was there, and nothing that no bank gave.
                assert ((pop & ~was_ready) == 0);
                assert (pop == 0 || was_taken);
                // Work conserving, within a packet and between packets.
                assert (!should_go_on || pop != 0);
                assert (!should_grant || flowing || chosen_input != 0);
                // What is counted is what happens.
                assert (was_events[0] == match_valid);
                assert (was_events[1] == (match_valid && |(pop & was_last)));
                assert (was_events[3] == (!match_valid && |(pop & was_last)));
            end
            for (k = 0; k < REQUESTS; k = k + 1)
                if (pop[k]) begin
                    // Packets do not mix.
                    assert (lock[outgoing(k)] == 0 || lock[outgoing(k)][k]);
                    // None begins before what is overdue.
                    assert (lock[outgoing(k)] != 0 || !was_overdue[outgoing(k)]
                        || was_watched[outgoing(k)][k]);
                    // A flit leaves at once, on its channel, or its link is down or has cut it.
                    assert (match_valid == (was_up && !cut[outgoing(k)]));
                    assert (match_input == 1 << k % INPUTS);
                    assert (!match_valid || match_vc == outgoing(k));
                end
        end
    end
endmodule
