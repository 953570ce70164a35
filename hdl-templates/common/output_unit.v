// output_unit: allocation of one output: eligibility, running packet (flow), grant, packet locks,
// credits, and the discarding of packets towards a link that is down.
// Requests are numbered k = channel * INPUTS + input. The lock of an outgoing channel is held as
// one bit a request (`owner`) and one bit a channel (`locked`), so eligibility is a few vector
// operations.
// Latency: `pop` is combinational; `match_*` follows in the next cycle.
// Reset: synchronous, active high. Limits: VCS 1, 2 or 4.
<$ banner $>
`default_nettype none

module output_unit #(
    parameter INPUTS = 10,
    parameter VCS = 2,
    parameter VC_BITS = 1,
    parameter RX_BUFFER_FLITS = 12,
    parameter MAX_PACKET_FLITS = 33,
    parameter SWITCHING_VCT = 0
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  link_up,
    input  wire [VCS-1:0]        tx_credit,
    input  wire [INPUTS-1:0]     step,          // bit i: packets from input i go one channel up
    input  wire [INPUTS*VCS-1:0] request,       // a flit is available
    input  wire [INPUTS*VCS-1:0] request_last,  // and it is the last one of its packet
    input  wire [INPUTS*VCS-1:0] held,          // if it is a header, it has to wait
    input  wire [INPUTS-1:0]     reserved,      // inputs whose bank serves a running packet
    output wire [INPUTS-1:0]     flow_input,    // one-hot input of this output's running packet
    output reg  [INPUTS-1:0]     grant_input,   // one-hot input granted in this cycle
    input  wire                  accept,        // the granted input accepts
    output reg  [INPUTS*VCS-1:0] pop,           // one-hot or 0
    output reg                   match_valid,   // a flit is on its way to the output
    output reg  [VC_BITS-1:0]    match_vc,
    output reg  [INPUTS-1:0]     match_input,   // one-hot
    output reg  [3:0]            events         // lost packet, stall, packet sent, flit sent
);
    localparam REQUESTS = INPUTS * VCS;
    localparam CREDIT_BITS = $clog2(RX_BUFFER_FLITS + 1);
    localparam [CREDIT_BITS-1:0] FULL = RX_BUFFER_FLITS[CREDIT_BITS-1:0];
    localparam [REQUESTS-1:0] ONE = 1;
    // Credits that a header needs.
    localparam HEADER_NEED = SWITCHING_VCT != 0 ? MAX_PACKET_FLITS : 1;
    localparam [CREDIT_BITS-1:0] NEED = HEADER_NEED[CREDIT_BITS-1:0];

    reg [REQUESTS-1:0] owner;
    reg [VCS-1:0] locked;
    reg [VCS-1:0] discard;
    reg [REQUESTS-1:0] flow;
    reg [INPUTS-1:0] flow_input_held;
    reg [REQUESTS-1:0] grant_from;      // bit k: k is at or after the grant pointer; 0 = all
    reg [VCS*CREDIT_BITS-1:0] credit;
    reg [VCS-1:0] has_credit;           // at least 1
    reg [VCS-1:0] has_room;             // at least NEED

    reg [REQUESTS-1:0] eligible;
    reg [REQUESTS-1:0] candidates;
    reg [VCS*REQUESTS-1:0] members;     // per outgoing channel: the requests that leave on it
    reg [REQUESTS-1:0] grant;
    reg [VCS-1:0] pop_channel;
    reg pop_last;
    reg sent;
    integer channel;
    integer part;
    integer outgoing;

    // A channel without a lock admits every header, one with a lock only its owner's flits.
    always @* begin : select
        reg header_allowed;
        reg body_allowed;

        eligible = {REQUESTS{1'b0}};
        candidates = {REQUESTS{1'b0}};
        members = {VCS*REQUESTS{1'b0}};
        header_allowed = 1'b0;
        body_allowed = 1'b0;
        channel = 0;
        if (|request) begin
            for (channel = 0; channel < VCS; channel = channel + 1) begin
                // Requests of this channel stay on it unless they step up; those of the channel
                // below join it if they do. There is no way up from the top channel.
                members[channel*REQUESTS + channel*INPUTS +: INPUTS]
                    = ~step | {INPUTS{channel == VCS - 1}};
                if (channel > 0)
                    members[channel*REQUESTS + (channel > 0 ? channel - 1 : 0)*INPUTS +: INPUTS]
                        = step;
                header_allowed = ~locked[channel] & (has_room[channel] | ~link_up);
                body_allowed = has_credit[channel] | discard[channel] | ~link_up;
                eligible = eligible | (request & members[channel*REQUESTS +: REQUESTS]
                    & ((owner & {REQUESTS{body_allowed}})
                        | (~held & {REQUESTS{header_allowed}})));
            end
            if (~|flow)
                candidates = eligible & ~{VCS{reserved}};
        end
    end

    // The first candidate at or after the pointer, cyclically: x & -x keeps the lowest 1. Not the
    // module round_robin: here nothing is evaluated, and simulated, without a candidate.
    always @* begin : choose
        reg [REQUESTS-1:0] later;
        reg [REQUESTS-1:0] pool;

        later = {REQUESTS{1'b0}};
        pool = {REQUESTS{1'b0}};
        grant = {REQUESTS{1'b0}};
        grant_input = {INPUTS{1'b0}};
        part = 0;
        if (|candidates) begin
            later = candidates & grant_from;
            pool = |later ? later : candidates;
            grant = pool & (~pool + ONE);
            for (part = 0; part < VCS; part = part + 1)
                grant_input = grant_input | grant[part*INPUTS +: INPUTS];
        end
    end

    assign flow_input = flow_input_held;

    always @* begin
        pop = {REQUESTS{1'b0}};
        pop_channel = {VCS{1'b0}};
        pop_last = 1'b0;
        sent = 1'b0;
        events = 4'd0;
        outgoing = 0;
        if (|request) begin
            pop = accept ? grant : eligible & flow;
            for (outgoing = 0; outgoing < VCS; outgoing = outgoing + 1)
                pop_channel[outgoing] = |(pop & members[outgoing*REQUESTS +: REQUESTS]);
            pop_last = |(pop & request_last);
            sent = |pop & link_up & ~|(pop_channel & discard);
            events = {pop_last & ~sent, ~|pop, sent & pop_last, sent};
        end
    end

    always @(posedge clk)
        if (rst)
            grant_from <= {REQUESTS{1'b0}};
        else if (accept)
            grant_from <= ~(grant | (grant - ONE));

    always @(posedge clk) begin : commit
        reg [INPUTS-1:0] pop_input;
        reg [VC_BITS-1:0] pop_vc;
        reg [VCS-1:0] discarding;       // a link that is down cuts every packet that has begun
        integer number;

        discarding = discard | (locked & {VCS{~link_up}});
        if (rst) begin
            owner <= {REQUESTS{1'b0}};
            locked <= {VCS{1'b0}};
            discard <= {VCS{1'b0}};
            flow <= {REQUESTS{1'b0}};
            flow_input_held <= {INPUTS{1'b0}};
            match_valid <= 1'b0;
            match_vc <= {VC_BITS{1'b0}};
            match_input <= {INPUTS{1'b0}};
        end else if (~|pop) begin
            if (match_valid)
                match_valid <= 1'b0;
            if (~link_up)
                discard <= discarding;
            if (|flow) begin
                flow <= {REQUESTS{1'b0}};
                flow_input_held <= {INPUTS{1'b0}};
            end
        end else begin
            pop_input = accept ? grant_input : flow_input_held;
            pop_vc = {VC_BITS{1'b0}};
            for (number = 0; number < VCS; number = number + 1)
                pop_vc = pop_vc | ({VC_BITS{pop_channel[number]}} & number[VC_BITS-1:0]);
            match_valid <= sent;
            match_vc <= pop_vc;
            match_input <= pop_input;
            if (pop_last) begin
                owner <= owner & ~pop;
                locked <= locked & ~pop_channel;
                discard <= discarding & ~pop_channel;
                flow <= {REQUESTS{1'b0}};
                flow_input_held <= {INPUTS{1'b0}};
            end else begin
                owner <= owner | pop;
                locked <= locked | pop_channel;
                discard <= (discarding & ~pop_channel) | (pop_channel & {VCS{~sent}});
                flow <= pop;
                flow_input_held <= pop_input;
            end
        end
    end

    // Credits: one counter a channel, with its two comparisons kept in registers.
    always @(posedge clk) begin : count
        reg [VCS-1:0] spent;
        reg [CREDIT_BITS-1:0] next;
        reg [VCS*CREDIT_BITS-1:0] next_credit;
        reg [VCS-1:0] next_has_credit;
        reg [VCS-1:0] next_has_room;
        integer counter;

        if (rst) begin
            credit <= {VCS{FULL}};
            has_credit <= {VCS{1'b1}};
            has_room <= {VCS{1'b1}};
        end else if (|tx_credit | sent) begin
            spent = pop_channel & {VCS{sent}};
            for (counter = 0; counter < VCS; counter = counter + 1) begin
                next = credit[counter*CREDIT_BITS +: CREDIT_BITS]
                    + {{CREDIT_BITS-1{1'b0}}, tx_credit[counter]}
                    - {{CREDIT_BITS-1{1'b0}}, spent[counter]};
                next_credit[counter*CREDIT_BITS +: CREDIT_BITS] = next;
                next_has_credit[counter] = |next;
                next_has_room[counter] = next >= NEED;
            end
            credit <= next_credit;
            has_credit <= next_has_credit;
            has_room <= next_has_room;
        end
    end

`ifdef MKNS_ASSERT
    integer index;
    always @(posedge clk)
        if (!rst) begin
            for (index = 0; index < VCS; index = index + 1) begin
                if (tx_credit[index] & ~(sent & pop_channel[index])
                    & credit[index*CREDIT_BITS +: CREDIT_BITS] >= FULL) begin
                    $display("mkns_assert %m: more credits than buffer slots, channel %0d", index);
                    $stop;
                end
                if (sent & pop_channel[index]
                    & credit[index*CREDIT_BITS +: CREDIT_BITS] == 0) begin
                    $display("mkns_assert %m: flit sent without a credit, channel %0d", index);
                    $stop;
                end
                // Contiguous packets: while a channel is locked only its owner is popped.
                if (pop_channel[index] & locked[index] & (pop & owner) == 0) begin
                    $display("mkns_assert %m: packets interleave on channel %0d", index);
                    $stop;
                end
            end
            if ((pop & (pop - 1'b1)) != 0) begin
                $display("mkns_assert %m: more than one input drives the output");
                $stop;
            end
            if ((flow & ~owner) != 0) begin
                $display("mkns_assert %m: running packet without a lock");
                $stop;
            end
        end
`endif
endmodule

`default_nettype wire
