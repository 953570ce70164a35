// accept_choice: what accept_bank answers in this cycle. Every pair of slots is compared by itself,
// so that the result does not go through one slot after the other.
// A module of its own, so that synthesis makes it short, and nothing else of the bank.
// Latency: combinational. Reset: none. Limits: as accept_bank.
<$ banner $>
`default_nettype none

(* short_paths *) module accept_choice #(
    parameter INPUTS = 10,
    parameter SLOTS = 5,
    parameter VCS = 1,
    parameter STRIDE = INPUTS * VCS
) (
    input  wire [SLOTS-1:0]        flowing,
    input  wire [SLOTS*INPUTS-1:0] chosen_input,
    input  wire [SLOTS*STRIDE-1:0] chosen,
    input  wire [SLOTS*STRIDE-1:0] ready_more,
    input  wire [SLOTS*INPUTS-1:0] from,        // slot n: inputs whose pointer is not behind n
    output reg  [INPUTS-1:0]       barred,
    output reg  [SLOTS-1:0]        blocked,
    output reg  [SLOTS-1:0]        accept
);
    // Slots that want the same input; slots that are at or after the pointer of what they want.
    reg [SLOTS*SLOTS-1:0] meet;
    reg [SLOTS-1:0] early;

    integer slot;
    integer other;

    always @* begin : compare
        reg is_second;                  // the turn of the other, lower slot comes later

        is_second = 1'b0;
        blocked = {SLOTS{1'b0}};
        accept = {SLOTS{1'b1}};
        meet = {SLOTS*SLOTS{1'b0}};
        early = {SLOTS{1'b0}};
        other = 0;
        for (slot = 0; slot < SLOTS; slot = slot + 1) begin
            early[slot] = |(chosen_input[slot*INPUTS +: INPUTS] & from[slot*INPUTS +: INPUTS]);
            for (other = 0; other < slot; other = other + 1)
                meet[slot*SLOTS + other] = |(chosen_input[slot*INPUTS +: INPUTS]
                    & chosen_input[other*INPUTS +: INPUTS]);
        end
        for (slot = 0; slot < SLOTS; slot = slot + 1)
            for (other = 0; other < slot; other = other + 1) begin
                blocked[slot] = blocked[slot] | (meet[slot*SLOTS + other] & flowing[other]);
                blocked[other] = blocked[other] | (meet[slot*SLOTS + other] & flowing[slot]);
                // Their input is the same one, and so is its pointer.
                is_second = early[slot] & ~early[other];
                accept[other] = accept[other] & ~(meet[slot*SLOTS + other] & is_second);
                accept[slot] = accept[slot] & (~meet[slot*SLOTS + other] | is_second);
            end
    end

    // A claim bars the input of its request, so nobody needs to know first whether a slot claims.
    integer claimer;
    integer channel;
    always @* begin
        barred = {INPUTS{1'b0}};
        for (claimer = 0; claimer < SLOTS; claimer = claimer + 1)
            for (channel = 0; channel < VCS; channel = channel + 1)
                barred = barred | (chosen[claimer*STRIDE + channel*INPUTS +: INPUTS]
                    & ready_more[claimer*STRIDE + channel*INPUTS +: INPUTS]);
    end
endmodule

`default_nettype wire
