// output_eligible: the requests that have a flit which may leave an output, whatever their bank
// does (docs/microarchitecture.md 1.6 rule 3). A running packet may end in this cycle, so its lock
// keeps nobody out.
// A module of its own because synthesis takes all inputs of a module to come at the same time: what
// comes later passes one LUT in output_candidates.
// Requests are numbered channel * INPUTS + input.
// Latency: combinational. Reset: none. Limits: as output_unit.
<$ banner $>

(* short_paths *) module output_eligible #(
    parameter INPUTS = 10,
    parameter VCS = 1,
    parameter STEPS = 1,                // 0: no packet goes a channel up
    parameter ADAPTIVE = 0,             // 1: `way` and `escaping` tell the channels
    parameter REQUESTS = INPUTS * VCS   // do not override
) (
    input  wire [REQUESTS-1:0]     waiting,     // a flit is there, or comes
    input  wire [REQUESTS-1:0]     chosen,      // one-hot or 0: not eligible again
    input  wire [INPUTS-1:0]       upward,      // inputs whose packets go one channel up
    input  wire [REQUESTS-1:0]     way,         // requests that leave on the last channel
    input  wire [VCS*REQUESTS-1:0] escaping,    // by channel, those that else leave on it
    input  wire [REQUESTS-1:0]     owner,       // requests that hold a lock
    input  wire [VCS*REQUESTS-1:0] watched,     // by channel, one-hot
    input  wire [VCS-1:0]          overdue,     // none but the watched request may begin a packet
    input  wire [VCS-1:0]          free_for_owner,
    input  wire [VCS-1:0]          free_for_watched,
    output reg  [REQUESTS-1:0]     eligible,    // with ADAPTIVE, if `waiting` and not `chosen`
    output reg  [REQUESTS-1:0]     urgent       // leave on a channel where one is overdue
);
    wire [INPUTS-1:0] up = upward & {INPUTS{STEPS != 0}};
    reg [REQUESTS-1:0] members;         // requests that leave on the channel
    reg [REQUESTS-1:0] own_watched;     // with ADAPTIVE, by the channel on which they came
    reg [REQUESTS-1:0] owner_may, watched_may;
    integer channel;

    always @* begin
        eligible = {REQUESTS{1'b0}};
        urgent = {REQUESTS{1'b0}};
        {own_watched, owner_may, watched_may} = {3*REQUESTS{1'b0}};
        for (channel = 0; channel < VCS; channel = channel + 1) begin
            // There is no way up from the top channel.
            members = {REQUESTS{1'b0}};
            members[channel*INPUTS +: INPUTS] = ~up | {INPUTS{channel == VCS - 1}};
            if (channel > 0)
                members[(channel > 0 ? channel - 1 : 0)*INPUTS +: INPUTS] = up;
            if (ADAPTIVE != 0) begin
                members = channel == VCS - 1 ? way
                    : VCS == 2 ? ~way : escaping[channel*REQUESTS +: REQUESTS] & ~way;
                own_watched[channel*INPUTS +: INPUTS]
                    = watched[channel*REQUESTS + channel*INPUTS +: INPUTS];
                owner_may = owner_may | (members & {REQUESTS{free_for_owner[channel]}});
                watched_may = watched_may | (members & {REQUESTS{free_for_watched[channel]}});
            end else
                eligible = eligible | (members & waiting & ~chosen
                    & ((owner & {REQUESTS{free_for_owner[channel]}})
                        | (watched[channel*REQUESTS +: REQUESTS]
                            & {REQUESTS{free_for_watched[channel]}})
                        | {REQUESTS{free_for_owner[channel] & free_for_watched[channel]}}));
            urgent = urgent | (members & {REQUESTS{overdue[channel]}});
        end
        if (ADAPTIVE != 0)
            eligible = (owner_may & (owner | watched_may)) | (own_watched & watched_may);
    end

    wire unused_ok = &{1'b0, way, escaping, waiting, chosen};
endmodule
