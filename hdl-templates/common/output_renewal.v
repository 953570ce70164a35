// output_renewal: whether an output chooses anew, if a bank serves what it chose, and if not.
// A module of its own, so that each answer takes one LUT: all that is asked is late.
// Latency: combinational. Reset: none.
<$ banner $>
`default_nettype none

(* short_paths *) module output_renewal (
    input  wire [1:0] candidate,        // either: there is one
    input  wire       goes_on,          // the packet that is served does
    input  wire       idles,            // the grant that is served sends nothing
    input  wire       stays,            // the grant that is not served
    output wire       grants_if_served, // a candidate
    output wire       chooses_if_served, // a candidate, or nothing
    output wire       grants_if_not
);
    assign grants_if_served = |candidate & ~goes_on;
    assign chooses_if_served = |candidate ? ~goes_on : idles;
    assign grants_if_not = |candidate & ~stays;
endmodule

`default_nettype wire
