// output_candidates: the requests that an output may grant next (docs/microarchitecture.md 1.6 rule
// 3).
// On a channel where one is overdue, banks are not asked; with ADAPTIVE, on no channel.
// A module of its own, so that synthesis makes it short: the search for the next one waits for it.
// Requests are numbered channel * INPUTS + input.
// Latency: combinational. Reset: none. Limits: as output_unit.
<$ banner $>

(* short_paths *) module output_candidates #(
    parameter INPUTS = 10,
    parameter VCS = 1,
    parameter STEPS = 1,                // 0: no packet goes a channel up
    parameter ADAPTIVE = 0,             // 1: `way` and `escaping` tell the channels
    parameter REQUESTS = INPUTS * VCS   // do not override
) (
    input  wire [REQUESTS-1:0]     waiting,     // a flit is there, or comes
    input  wire [REQUESTS-1:0]     chosen,      // one-hot or 0: no candidate
    input  wire [INPUTS-1:0]       upward,      // inputs whose packets go one channel up
    input  wire [REQUESTS-1:0]     way,         // requests that leave on the last channel
    input  wire [VCS*REQUESTS-1:0] escaping,    // by channel, those that else leave on it
    input  wire [REQUESTS-1:0]     owner,       // requests that hold a lock
    input  wire [VCS*REQUESTS-1:0] watched,     // by channel, one-hot
    input  wire [VCS-1:0]          overdue,     // none but the watched request may begin a packet
    input  wire [VCS-1:0]          free_for_owner,
    input  wire [VCS-1:0]          free_for_watched,
    input  wire [VCS*INPUTS-1:0]   barred,      // inputs whose bank is claimed, by channel
    output wire [REQUESTS-1:0]     candidates
);
    wire [REQUESTS-1:0] eligible, urgent;

    output_eligible #(
        .INPUTS(INPUTS), .VCS(VCS), .STEPS(STEPS), .ADAPTIVE(ADAPTIVE)
    ) eligible_requests (
        .waiting(waiting), .chosen(chosen), .upward(upward), .way(way),
        .escaping(escaping), .owner(owner),
        .watched(watched), .overdue(overdue), .free_for_owner(free_for_owner),
        .free_for_watched(free_for_watched),
        .eligible(eligible), .urgent(urgent)
    );

    // By channel up to here, so that the or of two takes no LUT of its own.
    reg [INPUTS-1:0] claimed;
    integer channel;

    always @* begin
        claimed = {INPUTS{1'b0}};
        for (channel = 0; channel < VCS; channel = channel + 1)
            claimed = claimed | barred[channel*INPUTS +: INPUTS];
    end

    // With ADAPTIVE, each of these is one LUT, and each `open` serves all channels of an input.
    wire [INPUTS-1:0] open = {INPUTS{|overdue}} | ~claimed;
    assign candidates = ADAPTIVE != 0 ? eligible & waiting & ~chosen & {VCS{open}}
        : eligible & (urgent | ~{VCS{claimed}});
endmodule
