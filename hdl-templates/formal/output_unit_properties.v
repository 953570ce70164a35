// output_unit_properties: output_units with one output between inputs that ask as they like and a neighbour that
// returns only credits that it holds. Packets of one channel leave one after the other.
// The link goes up and down at any time; `step` stays as it is, as the specification demands.

module output_unit_properties #(
    parameter INPUTS = 2,
    parameter VCS = 2,
    parameter VC_BITS = 1,
    parameter RX_BUFFER_FLITS = 3,
    parameter MAX_PACKET_FLITS = 2,
    parameter SWITCHING_VCT = 0
) (
    input wire                  clk,
    input wire                  rst,
    input wire                  link_up,
    input wire [VCS-1:0]        tx_credit,
    input wire [INPUTS*VCS-1:0] request,
    input wire [INPUTS*VCS-1:0] request_last,
    input wire [INPUTS*VCS-1:0] held,
    input wire [INPUTS-1:0]     reserved,
    input wire                  accept
);
    localparam REQUESTS = INPUTS * VCS;
    localparam NEED = SWITCHING_VCT != 0 ? MAX_PACKET_FLITS : 1;
    (* anyconst *) reg [INPUTS-1:0] step;
    wire [INPUTS-1:0] flow_input;
    wire [INPUTS-1:0] grant_input;
    wire [REQUESTS-1:0] pop;
    wire match_valid;
    wire [VC_BITS-1:0] match_vc;
    wire [INPUTS-1:0] match_input;
    wire [3:0] events;

    localparam STRIDE = REQUESTS + 1;
    wire unused_top;

    output_units #(
        .INPUTS(INPUTS),
        .OUTPUTS(1),
        .BANKS(1),
        .STRIDE(STRIDE),
        .VCS(VCS),
        .VC_BITS(VC_BITS),
        .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
        .MAX_PACKET_FLITS(MAX_PACKET_FLITS),
        .SWITCHING_VCT(SWITCHING_VCT)
    ) unit (
        .clk(clk), .rst(rst), .link_up(link_up), .tx_credit(tx_credit), .step(step),
        .request({1'b0, request}), .request_last({1'b0, request_last}), .held({1'b0, held}),
        .reserved(reserved), .flow_input(flow_input), .grant_input(grant_input), .accept(accept),
        .pop({unused_top, pop}),
        .match_valid(match_valid), .match_vc(match_vc), .match_input(match_input),
        .events(events)
    );

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
        // What a bank accepts is what was granted; what is not popped stays asked for.
        assume (!accept || grant_input != 0);
    end

    // Per outgoing channel: flits at the neighbour, the packet in progress, its flits so far.
    reg [7:0] outstanding [0:VCS-1];
    reg [REQUESTS-1:0] lock [0:VCS-1];
    reg may_begin;      // some header could leave in this cycle
    integer w;
    integer k;

    // The outgoing channel of request k.
    function [VC_BITS-1:0] outgoing(input integer number);
        outgoing = (number / INPUTS == VCS - 1) ? VCS - 1
            : number / INPUTS + step[number % INPUTS];
    endfunction

    always @* begin
        may_begin = 1'b0;
        for (k = 0; k < REQUESTS; k = k + 1)
            if (request[k] && !held[k] && !reserved[k % INPUTS] && lock[outgoing(k)] == 0
                && (!link_up || outstanding[outgoing(k)]
                    + (match_valid && match_vc == outgoing(k)) + NEED <= RX_BUFFER_FLITS))
                may_begin = 1'b1;
    end

    always @(posedge clk) begin
        if (rst) begin
            for (w = 0; w < VCS; w = w + 1) begin
                outstanding[w] <= 0;
                lock[w] <= 0;
            end
        end else begin
            // One pop.
            assert ((pop & (pop - 1'b1)) == 0);
            // Pops what is there.
            assert ((pop & ~request) == 0);
            // One grant.
            assert ((grant_input & (grant_input - 1'b1)) == 0);
            // No grant beside a packet.
            assert (flow_input == 0 || grant_input == 0);
            // Work conserving.
            assert (!(may_begin && flow_input == 0) || grant_input != 0);
            for (w = 0; w < VCS; w = w + 1) begin
                assume (!tx_credit[w] || outstanding[w] != 0);
                // Credits are kept.
                assert (outstanding[w]
                    + (match_valid && match_vc == w) <= RX_BUFFER_FLITS);
                outstanding[w] <= outstanding[w] + (match_valid && match_vc == w)
                    - tx_credit[w];
            end
            for (k = 0; k < REQUESTS; k = k + 1)
                if (pop[k]) begin
                    // Packets do not mix.
                    assert (lock[outgoing(k)] == 0
                        || lock[outgoing(k)][k]);
                    lock[outgoing(k)] <= request_last[k] ? 0 : 1 << k;
                end
        end
    end
endmodule
