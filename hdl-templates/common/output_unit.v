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
    output wire [INPUTS*VCS-1:0] pop,           // one-hot or 0
    output reg                   match_valid,   // a flit is on its way to the output
    output reg  [VC_BITS-1:0]    match_vc,
    output reg  [INPUTS-1:0]     match_input,   // one-hot
    output wire [3:0]            events         // lost packet, stall, packet sent, flit sent
);
    localparam REQUESTS = INPUTS * VCS;
    localparam CREDIT_BITS = $clog2(RX_BUFFER_FLITS + 1);
    localparam [CREDIT_BITS-1:0] FULL = RX_BUFFER_FLITS;
    localparam [CREDIT_BITS-1:0] ONE = 1;
    // Credits that a header needs.
    localparam HEADER_NEED = SWITCHING_VCT != 0 ? MAX_PACKET_FLITS : 1;
    localparam [CREDIT_BITS-1:0] NEED = HEADER_NEED[CREDIT_BITS-1:0];

    reg [REQUESTS-1:0] owner;
    reg [VCS-1:0] locked;
    reg [VCS-1:0] discard;
    reg [REQUESTS-1:0] flow;
    reg [INPUTS-1:0] flow_input_held;
    reg [REQUESTS-1:0] grant_from;
    reg [VCS*CREDIT_BITS-1:0] credit;
    reg [VCS-1:0] has_credit;           // at least 1
    reg [VCS-1:0] has_room;             // at least NEED

    reg [REQUESTS-1:0] eligible;
    reg [REQUESTS-1:0] candidates;
    reg [VCS*REQUESTS-1:0] members;     // per outgoing channel: the requests that leave on it
    wire [REQUESTS-1:0] grant;
    wire [REQUESTS-1:0] next_grant_from;
    wire [INPUTS-1:0] pop_input;
    reg [VCS-1:0] pop_channel;
    reg [VC_BITS-1:0] pop_vc;
    integer channel;
    integer granted;
    integer outgoing;
    integer counter;

    wire [VCS-1:0] header_allowed = ~locked & (has_room | {VCS{~link_up}});
    wire [VCS-1:0] body_allowed = has_credit | discard | {VCS{~link_up}};

    // A channel without a lock admits every header, one with a lock only its owner's flits.
    always @* begin
        eligible = {REQUESTS{1'b0}};
        candidates = {REQUESTS{1'b0}};
        members = {VCS*REQUESTS{1'b0}};
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
                eligible = eligible | (request & members[channel*REQUESTS +: REQUESTS]
                    & ((owner & {REQUESTS{body_allowed[channel]}})
                        | (~held & {REQUESTS{header_allowed[channel]}})));
            end
            if (~|flow)
                candidates = eligible & ~{VCS{reserved}};
        end
    end

    round_robin #(
        .WIDTH(REQUESTS)
    ) arbiter (
        .request(candidates),
        .from(grant_from),
        .grant(grant),
        .next_from(next_grant_from)
    );

    always @* begin
        grant_input = {INPUTS{1'b0}};
        for (granted = 0; granted < VCS; granted = granted + 1)
            grant_input = grant_input | grant[granted*INPUTS +: INPUTS];
    end

    assign flow_input = flow_input_held;
    assign pop = (eligible & flow) | (grant & {REQUESTS{accept}});
    assign pop_input = accept ? grant_input : flow_input_held;

    wire popped = |pop;
    wire pop_last = |(pop & request_last);
    wire sent = popped & link_up & ~|(pop_channel & discard);

    always @* begin
        pop_channel = {VCS{1'b0}};
        pop_vc = {VC_BITS{1'b0}};
        outgoing = 0;
        if (popped)
            for (outgoing = 0; outgoing < VCS; outgoing = outgoing + 1) begin
                pop_channel[outgoing] = |(pop & members[outgoing*REQUESTS +: REQUESTS]);
                pop_vc = pop_vc | ({VC_BITS{pop_channel[outgoing]}} & outgoing[VC_BITS-1:0]);
            end
    end

    assign events = {popped & pop_last & ~sent, |request & ~popped, sent & pop_last, sent};

    always @(posedge clk) begin
        if (rst) begin
            owner <= {REQUESTS{1'b0}};
            locked <= {VCS{1'b0}};
            discard <= {VCS{1'b0}};
            flow <= {REQUESTS{1'b0}};
            flow_input_held <= {INPUTS{1'b0}};
            grant_from <= {REQUESTS{1'b0}};
            match_valid <= 1'b0;
            match_vc <= {VC_BITS{1'b0}};
            match_input <= {INPUTS{1'b0}};
        end else begin
            match_valid <= sent;
            match_vc <= pop_vc;
            match_input <= pop_input;
            flow <= {REQUESTS{1'b0}};
            flow_input_held <= {INPUTS{1'b0}};
            if (accept)
                grant_from <= next_grant_from;
            if (popped) begin
                if (pop_last) begin
                    owner <= owner & ~pop;
                    locked <= locked & ~pop_channel;
                    discard <= discard & ~pop_channel;
                end else begin
                    owner <= owner | pop;
                    locked <= locked | pop_channel;
                    discard <= (discard & ~pop_channel) | (pop_channel & {VCS{~sent}});
                    flow <= pop;
                    flow_input_held <= pop_input;
                end
            end
        end
    end

    // Credits: one counter a channel, with its two comparisons kept in registers.
    wire [VCS-1:0] spent = pop_channel & {VCS{sent}};
    reg [CREDIT_BITS-1:0] next_credit;
    reg [VCS*CREDIT_BITS-1:0] next_credits;
    reg [VCS-1:0] next_has_credit;
    reg [VCS-1:0] next_has_room;

    always @* begin
        next_credits = credit;
        next_has_credit = has_credit;
        next_has_room = has_room;
        next_credit = {CREDIT_BITS{1'b0}};
        counter = 0;
        if (|(tx_credit ^ spent))
            for (counter = 0; counter < VCS; counter = counter + 1)
                if (tx_credit[counter] ^ spent[counter]) begin
                    next_credit = tx_credit[counter]
                        ? credit[counter*CREDIT_BITS +: CREDIT_BITS] + ONE
                        : credit[counter*CREDIT_BITS +: CREDIT_BITS] - ONE;
                    next_credits[counter*CREDIT_BITS +: CREDIT_BITS] = next_credit;
                    next_has_credit[counter] = |next_credit;
                    next_has_room[counter] = next_credit >= NEED;
                end
    end

    always @(posedge clk) begin
        if (rst) begin
            credit <= {VCS{FULL}};
            has_credit <= {VCS{1'b1}};
            has_room <= {VCS{1'b1}};
        end else begin
            credit <= next_credits;
            has_credit <= next_has_credit;
            has_room <= next_has_room;
        end
    end

`ifdef MKNS_ASSERT
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
