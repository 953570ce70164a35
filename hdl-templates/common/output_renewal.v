// output_renewal: whether an output chooses anew, if a bank serves what it chose, and if not.
// A module of its own, so that synthesis makes it short: all that is asked is late.
// Latency: combinational. Reset: none. Limits: REQUESTS >= 1.
<$ banner $>

(* short_paths *) module output_renewal #(
    parameter REQUESTS = 10
) (
    input  wire [REQUESTS-1:0] candidates,
    input  wire                goes_on,     // the packet that is served does
    input  wire                idles,       // the grant that is served sends nothing
    input  wire                stays,       // the grant that is not served
    output wire                grants_if_served, // a candidate
    output wire                chooses_if_served, // a candidate, or nothing
    output wire                grants_if_not
);
    // By thirds, of which one has room for `idles`. Written so that what is late is asked of each
    // third, every answer of ten candidates is two LUTs deep; asked of all at once, three.
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
