// output_units: allocation of all outputs: eligibility, running packets (flows), grants, packet
// locks, credits, and the discarding of packets towards links that are down.
// Requests of an output are numbered k = channel * INPUTS + input and stand in a row of STRIDE
// bits; rows, and one-hot vectors of inputs, are in bank order (place: outputs of bank 0, then bank
// 1, ...), everything else by output. The lock of an outgoing channel is held as one bit a request
// (`owner`) and one bit a channel (`locked`), so eligibility is a few vector operations. The state
// of all outputs is kept side by side, and only outputs that have something to do are looked at.
// Latency: `pop` is combinational; `match_*` follows in the next cycle.
// Reset: synchronous, active high. Limits: VCS 1, 2 or 4; STRIDE > INPUTS * VCS.
<$ banner $>
`default_nettype none

module output_units #(
    parameter INPUTS = 10,
    parameter OUTPUTS = 10,
    parameter BANKS = 2,
    parameter STRIDE = 32,
    parameter VCS = 2,
    parameter VC_BITS = 1,
    parameter RX_BUFFER_FLITS = 12,
    parameter MAX_PACKET_FLITS = 33,
    parameter SWITCHING_VCT = 0,
    parameter STEPS = 1                 // 0: no packet goes a channel up, `step` is not looked at
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire [OUTPUTS-1:0]         link_up,
    input  wire [OUTPUTS*VCS-1:0]     tx_credit,
    input  wire [OUTPUTS*INPUTS-1:0]  step,         // packets from input i go one channel up
    // By place.
    input  wire [OUTPUTS*STRIDE-1:0]  request,      // a flit is available
    input  wire [OUTPUTS*STRIDE-1:0]  request_last, // and it is the last one of its packet
    input  wire [OUTPUTS*STRIDE-1:0]  held,         // if it is a header, it has to wait
    input  wire [BANKS*INPUTS-1:0]    reserved,     // inputs whose bank serves a running packet
    output reg  [OUTPUTS*INPUTS-1:0]  flow_input,   // one-hot input of the running packet
    output reg  [OUTPUTS*INPUTS-1:0]  grant_input,  // one-hot input granted in this cycle
    input  wire [OUTPUTS-1:0]         accept,       // the granted input accepts
    output reg  [OUTPUTS*STRIDE-1:0]  pop,          // one-hot or 0
    // By output.
    output reg  [OUTPUTS-1:0]         match_valid,  // a flit is on its way to the output
    output reg  [OUTPUTS*VC_BITS-1:0] match_vc,
    output reg  [OUTPUTS*INPUTS-1:0]  match_input,  // one-hot
    output wire [OUTPUTS*4-1:0]       events        // lost packet, stall, packet sent, flit sent
);
    localparam REQUESTS = INPUTS * VCS;
    localparam CREDIT_BITS = $clog2(RX_BUFFER_FLITS + 1);
    localparam [CREDIT_BITS-1:0] FULL = RX_BUFFER_FLITS[CREDIT_BITS-1:0];
    localparam [REQUESTS-1:0] ONE = 1;
    // Credits that a header needs.
    localparam HEADER_NEED = SWITCHING_VCT != 0 ? MAX_PACKET_FLITS : 1;
    localparam [CREDIT_BITS-1:0] NEED = HEADER_NEED[CREDIT_BITS-1:0];

    // Rows of requests, by place.
    reg [OUTPUTS*STRIDE-1:0] owner;
    reg [OUTPUTS*STRIDE-1:0] flow;
    reg [OUTPUTS*STRIDE-1:0] grant_from;    // bit k: k is at or after the grant pointer; 0 = all
    // By output.
    reg [OUTPUTS-1:0] flowing;              // there is a flow
    reg [OUTPUTS*VCS-1:0] locked;
    reg [OUTPUTS*VCS-1:0] discard;
    reg [OUTPUTS*VCS*CREDIT_BITS-1:0] credit;
    reg [OUTPUTS*VCS-1:0] has_credit;       // at least 1
    reg [OUTPUTS*VCS-1:0] has_room;         // at least NEED

    wire [OUTPUTS*INPUTS-1:0] upward = step & {OUTPUTS*INPUTS{STEPS != 0}};

    // Place of an output in bank order.
    function integer place_of(input integer number);
        place_of = (number % BANKS) * (OUTPUTS / BANKS) + number / BANKS
            + ((number % BANKS) < (OUTPUTS % BANKS) ? number % BANKS : OUTPUTS % BANKS);
    endfunction

    // Requests that leave on a channel: those of this channel stay on it unless they step up, those
    // of the channel below join it if they do. There is no way up from the top channel.
    function [REQUESTS-1:0] members(input [INPUTS-1:0] up, input integer channel);
        begin
            members = {REQUESTS{1'b0}};
            members[channel*INPUTS +: INPUTS] = ~up | {INPUTS{channel == VCS - 1}};
            if (channel > 0)
                members[(channel > 0 ? channel - 1 : 0)*INPUTS +: INPUTS] = up;
        end
    endfunction

    // A channel without a lock admits every header, one with a lock only its owner's flits.
    reg [OUTPUTS*STRIDE-1:0] eligible;
    reg [OUTPUTS*STRIDE-1:0] grant;
    integer chooser;
    integer channel;

    always @* begin : choose
        reg [REQUESTS-1:0] wanted;
        reg [REQUESTS-1:0] admitted;
        reg [REQUESTS-1:0] later;
        reg [REQUESTS-1:0] chosen;
        integer row;
        integer part;

        eligible = {OUTPUTS*STRIDE{1'b0}};
        grant = {OUTPUTS*STRIDE{1'b0}};
        grant_input = {OUTPUTS*INPUTS{1'b0}};
        wanted = {REQUESTS{1'b0}};
        admitted = {REQUESTS{1'b0}};
        later = {REQUESTS{1'b0}};
        chosen = {REQUESTS{1'b0}};
        row = 0;
        part = 0;
        channel = 0;
        chooser = 0;
        if (|request)
            for (chooser = 0; chooser < OUTPUTS; chooser = chooser + 1) begin
                row = place_of(chooser);
                wanted = request[row*STRIDE +: REQUESTS];
                if (|wanted) begin
                    admitted = {REQUESTS{1'b0}};
                    for (channel = 0; channel < VCS; channel = channel + 1)
                        admitted = admitted | (members(upward[chooser*INPUTS +: INPUTS], channel)
                            & ((owner[row*STRIDE +: REQUESTS]
                                    & {REQUESTS{has_credit[chooser*VCS + channel]
                                        | discard[chooser*VCS + channel] | ~link_up[chooser]}})
                                | (~held[row*STRIDE +: REQUESTS]
                                    & {REQUESTS{~locked[chooser*VCS + channel]
                                        & (has_room[chooser*VCS + channel]
                                            | ~link_up[chooser])}})));
                    wanted = wanted & admitted;
                    eligible[row*STRIDE +: REQUESTS] = wanted;
                    // The first candidate at or after the pointer, cyclically: x & -x keeps the
                    // lowest 1. Not the module round_robin: here nothing is evaluated, and
                    // simulated, without a request.
                    wanted = wanted & ~{VCS{reserved[(chooser % BANKS)*INPUTS +: INPUTS]}};
                    if (~flowing[chooser] & |wanted) begin
                        later = wanted & grant_from[row*STRIDE +: REQUESTS];
                        wanted = |later ? later : wanted;
                        chosen = wanted & (~wanted + ONE);
                        grant[row*STRIDE +: REQUESTS] = chosen;
                        for (part = 0; part < VCS; part = part + 1)
                            grant_input[row*INPUTS +: INPUTS]
                                = grant_input[row*INPUTS +: INPUTS]
                                | chosen[part*INPUTS +: INPUTS];
                    end
                end
            end
    end

    // What is popped, on which channel it leaves, and what happens to it.
    reg [OUTPUTS-1:0] popped;
    reg [OUTPUTS-1:0] popped_last;
    reg [OUTPUTS-1:0] sent;
    reg [OUTPUTS-1:0] stalled;
    reg [OUTPUTS*VCS-1:0] popped_channel;
    integer server;
    integer outgoing;

    always @* begin : serve
        reg [REQUESTS-1:0] served;
        integer row;

        pop = {OUTPUTS*STRIDE{1'b0}};
        popped = {OUTPUTS{1'b0}};
        popped_last = {OUTPUTS{1'b0}};
        sent = {OUTPUTS{1'b0}};
        stalled = {OUTPUTS{1'b0}};
        popped_channel = {OUTPUTS*VCS{1'b0}};
        served = {REQUESTS{1'b0}};
        row = 0;
        outgoing = 0;
        server = 0;
        if (|request)
            for (server = 0; server < OUTPUTS; server = server + 1) begin
                row = place_of(server);
                if (|request[row*STRIDE +: REQUESTS]) begin
                    served = accept[row] ? grant[row*STRIDE +: REQUESTS]
                        : eligible[row*STRIDE +: REQUESTS] & flow[row*STRIDE +: REQUESTS];
                    if (|served) begin
                        pop[row*STRIDE +: REQUESTS] = served;
                        popped[server] = 1'b1;
                        popped_last[server] = |(served & request_last[row*STRIDE +: REQUESTS]);
                        for (outgoing = 0; outgoing < VCS; outgoing = outgoing + 1)
                            popped_channel[server*VCS + outgoing]
                                = |(served & members(upward[server*INPUTS +: INPUTS], outgoing));
                        sent[server] = link_up[server]
                            & ~|(popped_channel[server*VCS +: VCS] & discard[server*VCS +: VCS]);
                    end else
                        stalled[server] = 1'b1;
                end
            end
    end

    assign events = {popped_last & ~sent, stalled, sent & popped_last, sent};

    always @(posedge clk) begin : commit
        reg [OUTPUTS*STRIDE-1:0] next_owner;
        reg [OUTPUTS*STRIDE-1:0] next_flow;
        reg [OUTPUTS*STRIDE-1:0] next_from;
        reg [OUTPUTS*INPUTS-1:0] next_flow_input;
        reg [OUTPUTS*INPUTS-1:0] next_match_input;
        reg [OUTPUTS*VC_BITS-1:0] next_match_vc;
        reg [OUTPUTS*VCS-1:0] next_locked;
        reg [OUTPUTS*VCS-1:0] next_discard;
        reg [REQUESTS-1:0] served;
        reg [INPUTS-1:0] from_input;
        reg [VC_BITS-1:0] on_channel;
        integer row;
        integer number;
        integer part;

        next_owner = {OUTPUTS*STRIDE{1'b0}};
        next_flow = {OUTPUTS*STRIDE{1'b0}};
        next_from = {OUTPUTS*STRIDE{1'b0}};
        next_flow_input = {OUTPUTS*INPUTS{1'b0}};
        next_match_input = {OUTPUTS*INPUTS{1'b0}};
        next_match_vc = {OUTPUTS*VC_BITS{1'b0}};
        next_locked = {OUTPUTS*VCS{1'b0}};
        next_discard = {OUTPUTS*VCS{1'b0}};
        served = {REQUESTS{1'b0}};
        from_input = {INPUTS{1'b0}};
        on_channel = {VC_BITS{1'b0}};
        if (rst) begin
            owner <= {OUTPUTS*STRIDE{1'b0}};
            flow <= {OUTPUTS*STRIDE{1'b0}};
            grant_from <= {OUTPUTS*STRIDE{1'b0}};
            flow_input <= {OUTPUTS*INPUTS{1'b0}};
            flowing <= {OUTPUTS{1'b0}};
            locked <= {OUTPUTS*VCS{1'b0}};
            discard <= {OUTPUTS*VCS{1'b0}};
            match_valid <= {OUTPUTS{1'b0}};
            match_vc <= {OUTPUTS*VC_BITS{1'b0}};
            match_input <= {OUTPUTS*INPUTS{1'b0}};
        end else begin
            match_valid <= sent;
            flowing <= popped & ~popped_last;
            // A link that is down cuts every packet that has begun.
            next_discard = discard;
            if (|locked)
                for (number = 0; number < OUTPUTS; number = number + 1)
                    if (~link_up[number])
                        next_discard[number*VCS +: VCS] = next_discard[number*VCS +: VCS]
                            | locked[number*VCS +: VCS];
            if (|popped | |flowing) begin
                next_owner = owner;
                next_flow = flow;
                next_from = grant_from;
                next_flow_input = flow_input;
                next_match_input = {OUTPUTS*INPUTS{1'b0}};
                next_match_vc = {OUTPUTS*VC_BITS{1'b0}};
                next_locked = locked;
                for (number = 0; number < OUTPUTS; number = number + 1) begin
                    row = place_of(number);
                    if (flowing[number]) begin
                        next_flow[row*STRIDE +: STRIDE] = {STRIDE{1'b0}};
                        next_flow_input[row*INPUTS +: INPUTS] = {INPUTS{1'b0}};
                    end
                    if (popped[number]) begin
                        served = pop[row*STRIDE +: REQUESTS];
                        from_input = {INPUTS{1'b0}};
                        on_channel = {VC_BITS{1'b0}};
                        for (part = 0; part < VCS; part = part + 1) begin
                            from_input = from_input | served[part*INPUTS +: INPUTS];
                            on_channel = on_channel
                                | ({VC_BITS{popped_channel[number*VCS + part]}}
                                    & part[VC_BITS-1:0]);
                        end
                        next_match_input[number*INPUTS +: INPUTS] = from_input;
                        next_match_vc[number*VC_BITS +: VC_BITS] = on_channel;
                        next_discard[number*VCS +: VCS] = next_discard[number*VCS +: VCS]
                            & ~popped_channel[number*VCS +: VCS];
                        if (accept[row])
                            next_from[row*STRIDE +: REQUESTS] = ~(served | (served - ONE));
                        if (popped_last[number]) begin
                            next_owner[row*STRIDE +: REQUESTS]
                                = next_owner[row*STRIDE +: REQUESTS] & ~served;
                            next_locked[number*VCS +: VCS] = next_locked[number*VCS +: VCS]
                                & ~popped_channel[number*VCS +: VCS];
                        end else begin
                            next_owner[row*STRIDE +: REQUESTS]
                                = next_owner[row*STRIDE +: REQUESTS] | served;
                            next_locked[number*VCS +: VCS] = next_locked[number*VCS +: VCS]
                                | popped_channel[number*VCS +: VCS];
                            if (~sent[number])
                                next_discard[number*VCS +: VCS]
                                    = next_discard[number*VCS +: VCS]
                                    | popped_channel[number*VCS +: VCS];
                            next_flow[row*STRIDE +: REQUESTS] = served;
                            next_flow_input[row*INPUTS +: INPUTS] = from_input;
                        end
                    end
                end
                owner <= next_owner;
                flow <= next_flow;
                grant_from <= next_from;
                flow_input <= next_flow_input;
                match_input <= next_match_input;
                match_vc <= next_match_vc;
                locked <= next_locked;
            end
            discard <= next_discard;
        end
    end

    // Credits: one counter a channel, with its two comparisons kept in registers.
    always @(posedge clk) begin : count
        reg [VCS-1:0] spent;
        reg [CREDIT_BITS-1:0] next;
        reg [OUTPUTS*VCS*CREDIT_BITS-1:0] next_credit;
        reg [OUTPUTS*VCS-1:0] next_has_credit;
        reg [OUTPUTS*VCS-1:0] next_has_room;
        integer number;
        integer counter;

        spent = {VCS{1'b0}};
        next = {CREDIT_BITS{1'b0}};
        next_credit = {OUTPUTS*VCS*CREDIT_BITS{1'b0}};
        next_has_credit = {OUTPUTS*VCS{1'b0}};
        next_has_room = {OUTPUTS*VCS{1'b0}};
        if (rst) begin
            credit <= {OUTPUTS*VCS{FULL}};
            has_credit <= {OUTPUTS*VCS{1'b1}};
            has_room <= {OUTPUTS*VCS{1'b1}};
        end else if (|tx_credit | |sent) begin
            next_credit = credit;
            next_has_credit = has_credit;
            next_has_room = has_room;
            for (number = 0; number < OUTPUTS; number = number + 1)
                if (sent[number] | |tx_credit[number*VCS +: VCS]) begin
                    spent = popped_channel[number*VCS +: VCS] & {VCS{sent[number]}};
                    for (counter = 0; counter < VCS; counter = counter + 1) begin
                        next = credit[(number*VCS + counter)*CREDIT_BITS +: CREDIT_BITS]
                            + {{CREDIT_BITS-1{1'b0}}, tx_credit[number*VCS + counter]}
                            - {{CREDIT_BITS-1{1'b0}}, spent[counter]};
                        next_credit[(number*VCS + counter)*CREDIT_BITS +: CREDIT_BITS] = next;
                        next_has_credit[number*VCS + counter] = |next;
                        next_has_room[number*VCS + counter] = next >= NEED;
                    end
                end
            credit <= next_credit;
            has_credit <= next_has_credit;
            has_room <= next_has_room;
        end
    end

`ifdef MKNS_ASSERT
    integer unit;
    integer index;
    integer bit_of;
    integer unit_row;
    always @(posedge clk)
        if (!rst)
            for (unit = 0; unit < OUTPUTS; unit = unit + 1) begin
                unit_row = place_of(unit);
                for (index = 0; index < VCS; index = index + 1) begin
                    bit_of = unit * VCS + index;
                    if (tx_credit[bit_of] & ~(sent[unit] & popped_channel[bit_of])
                        & credit[bit_of*CREDIT_BITS +: CREDIT_BITS] >= FULL) begin
                        $display("mkns_assert %m: more credits than buffer slots at output %0d",
                            unit);
                        $stop;
                    end
                    if (sent[unit] & popped_channel[bit_of]
                        & credit[bit_of*CREDIT_BITS +: CREDIT_BITS] == 0) begin
                        $display("mkns_assert %m: flit sent without a credit by output %0d", unit);
                        $stop;
                    end
                    // Contiguous packets: while a channel is locked only its owner is popped.
                    if (popped_channel[bit_of] & locked[bit_of]
                        & ~|(pop[unit_row*STRIDE +: STRIDE]
                            & owner[unit_row*STRIDE +: STRIDE])) begin
                        $display("mkns_assert %m: packets interleave at output %0d", unit);
                        $stop;
                    end
                end
                if (|(pop[unit_row*STRIDE +: STRIDE]
                    & (pop[unit_row*STRIDE +: STRIDE] - 1'b1))) begin
                    $display("mkns_assert %m: more than one input drives output %0d", unit);
                    $stop;
                end
                if (|(flow[unit_row*STRIDE +: STRIDE]
                    & ~owner[unit_row*STRIDE +: STRIDE])) begin
                    $display("mkns_assert %m: running packet without a lock at output %0d", unit);
                    $stop;
                end
            end
`endif
endmodule

`default_nettype wire
