// adaptive_outgoing: the requests that leave an output of an adaptive block on each of its escape
// channels unless their oldest packet has committed (docs/microarchitecture.md 1.8), by the channel
// on which they came and by `step`. On A, the last channel, nobody else leaves.
// Requests are numbered channel * INPUTS + input.
// Latency: combinational. Reset: none. Limits: VCS 2 or 4.
<$ banner $>

module adaptive_outgoing #(
    parameter INPUTS = 10,
    parameter VCS = 2,
    parameter REQUESTS = INPUTS * VCS   // do not override
) (
    input  wire [INPUTS-1:0]       upward,      // inputs whose packets go one channel up
    output reg  [VCS*REQUESTS-1:0] members      // by outgoing channel
);
    localparam TOP = VCS - 2;                   // the highest escape channel
    integer channel, from, joined, above;

    always @* begin
        members = {VCS*REQUESTS{1'b0}};
        joined = 0;
        above = 0;
        for (from = 0; from < VCS; from = from + 1) begin
            joined = from < VCS - 1 ? from : 0; // the escape, from A
            above = joined < TOP ? joined + 1 : TOP;
            for (channel = 0; channel < VCS - 1; channel = channel + 1)
                members[channel*REQUESTS + from*INPUTS +: INPUTS]
                    = (upward & {INPUTS{above == channel}})
                    | (~upward & {INPUTS{joined == channel}});
        end
    end
endmodule
