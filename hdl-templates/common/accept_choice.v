// accept_choice: what accept_bank accepts in this cycle (docs/microarchitecture.md 1.6 rule 1).
// Every pair of slots is compared by itself, so that the result does not go through one slot after
// the other.
// A module of its own, so that synthesis makes it short.
// Latency: combinational. Reset: none. Limits: as accept_bank.
<$ banner $>

(* short_paths *) module accept_choice #(
    parameter INPUTS = 10, SLOTS = 5,
    parameter [SLOTS*INPUTS-1:0] TURNS = {SLOTS*INPUTS{1'b1}} // as `chosen_input`
) (
    input  wire [SLOTS-1:0]        flowing,
    input  wire [SLOTS*INPUTS-1:0] chosen_input,
    input  wire [SLOTS*INPUTS-1:0] from,        // slot n: inputs whose pointer is not behind n
    output reg  [SLOTS-1:0]        accepted
);
    // Of every slot: others that want the same input; others whose turn comes first, if they do.
    reg [SLOTS*SLOTS-1:0] meet, first;
    reg [SLOTS-1:0] early;              // at or after the pointer of what it wants
    wire [SLOTS*INPUTS-1:0] wanted = chosen_input & TURNS;

    integer slot, other;

    always @* begin
        meet = {SLOTS*SLOTS{1'b0}};
        first = {SLOTS*SLOTS{1'b0}};
        for (slot = 0; slot < SLOTS; slot = slot + 1)
            early[slot] = |(wanted[slot*INPUTS +: INPUTS] & from[slot*INPUTS +: INPUTS]);
        for (slot = 0; slot < SLOTS; slot = slot + 1)
            for (other = 0; other < slot; other = other + 1) begin
                meet[slot*SLOTS + other] = |(wanted[slot*INPUTS +: INPUTS]
                    & wanted[other*INPUTS +: INPUTS]);
                meet[other*SLOTS + slot] = meet[slot*SLOTS + other];
                // Asked only where they meet: there both have the same pointer.
                first[slot*SLOTS + other] = early[other] | ~early[slot];
                first[other*SLOTS + slot] = early[slot] & ~early[other];
            end
        for (slot = 0; slot < SLOTS; slot = slot + 1)
            accepted[slot] = ~|(meet[slot*SLOTS +: SLOTS] & (flowing | first[slot*SLOTS +: SLOTS]));
    end
endmodule
