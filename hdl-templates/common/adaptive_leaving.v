// adaptive_leaving: the channel on which the chosen request of an output leaves in an adaptive
// block, and whether one is overdue there (docs/microarchitecture.md 1.6, 1.8).
// A module of its own, so that synthesis makes it short.
// Latency: combinational. Reset: none. Limits: as switch_core.
<$ banner $>

(* short_paths *) module adaptive_leaving #(
    parameter REQUESTS = 20,
    parameter VCS = 2
) (
    input  wire [REQUESTS-1:0]     chosen,      // one-hot or 0
    input  wire [REQUESTS-1:0]     way,         // requests that leave on the last channel
    input  wire [VCS*REQUESTS-1:0] outgoing,    // by channel, those that leave on it
    input  wire [VCS-1:0]          overdue,
    output reg  [VCS-1:0]          leaving,
    output wire                    is_overdue   // on a channel where one is overdue
);
    integer channel;

    // If nothing is chosen, nobody asks. Else it is the escape, where there is one.
    always @*
        for (channel = 0; channel < VCS; channel = channel + 1)
            leaving[channel] = VCS == 2 && channel == 0 ? ~|(chosen & way)
                : |(chosen & outgoing[channel*REQUESTS +: REQUESTS]);

    assign is_overdue = |(leaving & overdue);
    wire unused_ok = &{1'b0, way};
endmodule
