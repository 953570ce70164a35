// accept_bank: for every input one memory bank, which accepts one of the outputs that granted it,
// unless it serves a packet already (docs/microarchitecture.md 1.6 rule 1). The outputs of the bank
// are its slots. TURNS says which inputs a slot can choose: synthesis does not look into the
// modules that choose, so it removes the others only when it is told.
// Latency: combinational; the pointers move at the end of the cycle.
// Reset: synchronous, active high; every search from slot 0 on. Limits: INPUTS, SLOTS >= 1.
<$ banner $>

(* short_paths *) module accept_bank #(
    parameter INPUTS = 10, SLOTS = 5,
    parameter [SLOTS*INPUTS-1:0] TURNS = {SLOTS*INPUTS{1'b1}} // as `chosen_input`
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [SLOTS-1:0]        flowing,     // slots with a running packet
    input  wire [SLOTS*INPUTS-1:0] chosen_input, // slot n: one-hot or 0, of its packet or grant
    output wire [SLOTS-1:0]        accepted     // the grant of slot n, if it has one
);
    // Bit i of slot n: n is at or after the accept pointer of input i. All 0: the search begins at
    // slot 0.
    reg [SLOTS*INPUTS-1:0] from, next_from;
    reg [INPUTS-1:0] moving;            // inputs whose pointer moves

    accept_choice #(.INPUTS(INPUTS), .SLOTS(SLOTS), .TURNS(TURNS)) choice (
        .flowing(flowing), .chosen_input(chosen_input), .from(from), .accepted(accepted)
    );

    integer slot;

    // What runs was accepted, so the pointer of its input is where it would go: `flowing` is not
    // asked.
    always @* begin
        next_from = {SLOTS*INPUTS{1'b0}};
        moving = {INPUTS{1'b0}};
        for (slot = 0; slot < SLOTS; slot = slot + 1) begin
            next_from[slot*INPUTS +: INPUTS] = moving & TURNS[slot*INPUTS +: INPUTS];
            moving = moving | (chosen_input[slot*INPUTS +: INPUTS]
                & TURNS[slot*INPUTS +: INPUTS] & {INPUTS{accepted[slot]}});
        end
    end

    // The flip-flops' own enables keep the pointers that stay.
    integer pointer;
    always @(posedge clk)
        if (rst)
            from <= {SLOTS*INPUTS{1'b0}};
        else if (|moving)
            for (pointer = 0; pointer < SLOTS*INPUTS; pointer = pointer + 1)
                if (moving[pointer%INPUTS])
                    from[pointer] <= next_from[pointer];
endmodule
