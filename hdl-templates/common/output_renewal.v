// output_renewal: whether an output chooses anew in this cycle.
// A module of its own, so that both answers take one LUT: all that is asked is late.
// Latency: combinational. Reset: none.
<$ banner $>
`default_nettype none

(* short_paths *) module output_renewal (
    input  wire any_candidate,
    input  wire keeps,                  // for these three see output_outcome
    input  wire loses,
    input  wire gives_up,
    output wire grants,                 // a candidate
    output wire chooses                 // a candidate, or nothing
);
    assign grants = any_candidate & ~(keeps | loses);
    assign chooses = any_candidate ? ~(keeps | loses) : gives_up;
endmodule

`default_nettype wire
