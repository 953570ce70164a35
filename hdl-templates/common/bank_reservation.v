// bank_reservation: which inputs an output of a memory bank cannot have, because the bank serves a
// packet of another one, for REGISTERED_ARBITRATION. The outputs of the bank are its slots; a slot
// shows the request of its running packet, or else the one that it granted.
// A module of its own, so that synthesis makes it short: everything that is decided waits for it.
// Latency: combinational. Reset: none. Limits: INPUTS, SLOTS, VCS >= 1.
<$ banner $>
`default_nettype none

(* short_paths *) module bank_reservation #(
    parameter INPUTS = 10,
    parameter SLOTS = 5,
    parameter VCS = 2
) (
    input  wire [SLOTS-1:0]            flowing,     // slots with a running packet
    input  wire [SLOTS*INPUTS*VCS-1:0] chosen,      // slot n: one-hot request, or 0
    output reg  [SLOTS*INPUTS-1:0]     barred       // slot n: inputs of the others' packets
);
    reg [SLOTS*INPUTS-1:0] flow_input;  // slot n: the input of its packet, or 0
    integer slot;
    integer channel;
    integer other;

    always @* begin
        flow_input = {SLOTS*INPUTS{1'b0}};
        barred = {SLOTS*INPUTS{1'b0}};
        channel = 0;
        other = 0;
        for (slot = 0; slot < SLOTS; slot = slot + 1)
            for (channel = 0; channel < VCS; channel = channel + 1)
                flow_input[slot*INPUTS +: INPUTS] = flow_input[slot*INPUTS +: INPUTS]
                    | (chosen[(slot*VCS + channel)*INPUTS +: INPUTS] & {INPUTS{flowing[slot]}});
        for (slot = 0; slot < SLOTS; slot = slot + 1)
            for (other = 0; other < SLOTS; other = other + 1)
                if (other != slot)
                    barred[slot*INPUTS +: INPUTS] = barred[slot*INPUTS +: INPUTS]
                        | flow_input[other*INPUTS +: INPUTS];
    end
endmodule

`default_nettype wire
