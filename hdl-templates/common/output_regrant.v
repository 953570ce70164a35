// output_regrant: whether an output chooses anew (docs/microarchitecture.md 1.6 rule 4), if a bank
// serves what it chose, and if not.
// A module of its own, so that synthesis makes it short: all that is asked is late.
// Latency: combinational. Reset: none. Limits: REQUESTS >= 1.
<$ banner $>

(* short_paths *) module output_regrant #(
    parameter REQUESTS = 10,
    parameter ROOM = 0                          // 1: `nothing_chosen` counts
) (
    input  wire [REQUESTS-1:0] candidates,
    input  wire                continues,       // the packet that is served does
    input  wire                sends_nothing,   // the grant that is served does
    input  wire                keeps_grant,     // the grant that is not served is made again
    input  wire                nothing_chosen,  // there may be something to take besides candidates
    output wire                grants_if_served,  // a candidate
    output wire                chooses_if_served, // a candidate, or nothing
    output wire                grants_if_not,
    output wire                chooses_if_not
);
    // By thirds, one of which has a free input for another signal. The late signals are combined
    // with each third, so every answer for ten candidates is two LUTs deep; combined with all
    // candidates at once, it would be three.
    reg [2:0] candidate;
    integer request;

    always @* begin
        candidate = 3'd0;
        for (request = 0; request < REQUESTS; request = request + 1)
            candidate[request%3] = candidate[request%3] | candidates[request];
    end

    assign grants_if_served = |(candidate & ~{3{continues}});
    assign chooses_if_served = |((candidate | {sends_nothing, 2'd0}) & ~{3{continues}});
    assign grants_if_not = |(candidate & ~{3{keeps_grant}});
    assign chooses_if_not = ROOM != 0
        ? |((candidate | {nothing_chosen, 2'd0}) & ~{3{keeps_grant}}) : grants_if_not;
    wire unused_ok = &{1'b0, nothing_chosen};
endmodule
