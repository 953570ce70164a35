// bank_reservation: which inputs an output of a memory bank cannot have, because the bank serves a
// packet of another one, for REGISTERED_ARBITRATION. The outputs of the bank are its slots.
// A module of its own, so that synthesis makes it short: everything that is decided waits for it.
// Latency: combinational. Reset: none. Limits: INPUTS, SLOTS >= 1.
<$ banner $>
`default_nettype none

(* short_paths *) module bank_reservation #(
    parameter INPUTS = 10,
    parameter SLOTS = 5
) (
    input  wire [SLOTS*INPUTS-1:0] flow_input,  // slot n: one-hot input of its packet, or 0
    output reg  [SLOTS*INPUTS-1:0] barred       // slot n: inputs of the others' packets
);
    integer slot;
    integer other;

    always @* begin
        barred = {SLOTS*INPUTS{1'b0}};
        other = 0;
        for (slot = 0; slot < SLOTS; slot = slot + 1)
            for (other = 0; other < SLOTS; other = other + 1)
                if (other != slot)
                    barred[slot*INPUTS +: INPUTS] = barred[slot*INPUTS +: INPUTS]
                        | flow_input[other*INPUTS +: INPUTS];
    end
endmodule

`default_nettype wire
