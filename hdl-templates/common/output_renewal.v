// output_renewal: whether an output chooses anew, if a bank serves what it chose, and if not.
// A module of its own, so that each answer takes one LUT: all that is asked is late.
// Latency: combinational. Reset: none.
<$ banner $>
`default_nettype none

(* short_paths *) module output_renewal #(
    parameter REQUESTS = 10
) (
    input  wire [REQUESTS-1:0] candidates,
    input  wire                goes_on,     // the packet that is served does
    input  wire                idles,       // the grant that is served sends nothing: it does not
    input  wire                stays,       // the grant that is not served
    output wire                grants_if_served, // a candidate
    output wire                chooses_if_served, // a candidate, or nothing
    output wire                grants_if_not
);
    // By thirds, each told what is late: of ten candidates, every answer is two LUTs deep.
    reg [2:0] candidate;
    integer request;

    always @* begin
        candidate = 3'd0;
        for (request = 0; request < REQUESTS; request = request + 1)
            candidate[request%3] = candidate[request%3] | candidates[request];
    end

    assign grants_if_served = |(candidate & ~{3{goes_on}});
    assign chooses_if_served = |((candidate | {idles, 2'd0}) & ~{3{goes_on}});
    assign grants_if_not = |(candidate & ~{3{stays}});
endmodule

`default_nettype wire
