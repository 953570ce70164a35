// accept_bank: for every input one memory bank, which accepts one of the outputs that granted it,
// unless it serves a packet already (docs/microarchitecture.md 1.6), and which will be busy in the
// next cycle when an output claims it. The outputs of the bank are its
// slots; they show what they granted from registers. Every pair of slots is compared by itself, so
// that the result does not go through one slot after the other.
// Latency: combinational; the pointers move at the end of the cycle.
// Reset: synchronous, active high; pointers to slot 0. Limits: INPUTS, SLOTS >= 1.
<$ banner $>
`default_nettype none

(* short_paths *) module accept_bank #(
    parameter INPUTS = 10,
    parameter SLOTS = 5
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [SLOTS-1:0]        flowing,     // slots with a running packet
    input  wire [SLOTS*INPUTS-1:0] chosen_input, // slot n: one-hot or 0, of its packet or grant
    input  wire [SLOTS-1:0]        claims,      // slot n has a flit of that which is not a last
    output reg  [INPUTS-1:0]       barred,      // inputs whose bank is claimed
    output reg  [SLOTS-1:0]        blocked,     // what slot n chose serves another one's packet
    output reg  [SLOTS-1:0]        accept       // if not blocked, the grant of slot n, if any
);
    // Bit i of slot n: n is at or after the accept pointer of input i.
    reg [SLOTS*INPUTS-1:0] from;
    reg [SLOTS*INPUTS-1:0] next_from;
    reg [INPUTS-1:0] moving;            // inputs whose pointer moves
    integer slot;
    integer other;

    // Slots that want the same input; slots that are at or after the pointer of what they want.
    reg [SLOTS*SLOTS-1:0] meet;
    reg [SLOTS-1:0] early;

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

    integer claimer;
    always @* begin
        barred = {INPUTS{1'b0}};
        for (claimer = 0; claimer < SLOTS; claimer = claimer + 1)
            barred = barred
                | (chosen_input[claimer*INPUTS +: INPUTS] & {INPUTS{claims[claimer]}});
    end

    always @* begin : advance
        reg [INPUTS-1:0] passed;        // inputs that accepted a slot before this one
        reg [INPUTS-1:0] served;        // inputs of running packets
        integer passing;

        next_from = {SLOTS*INPUTS{1'b0}};
        passed = {INPUTS{1'b0}};
        served = {INPUTS{1'b0}};
        for (passing = 0; passing < SLOTS; passing = passing + 1) begin
            next_from[passing*INPUTS +: INPUTS] = passed;
            passed = passed
                | (chosen_input[passing*INPUTS +: INPUTS] & {INPUTS{accept[passing]}});
            served = served
                | (chosen_input[passing*INPUTS +: INPUTS] & {INPUTS{flowing[passing]}});
        end
        moving = passed & ~served;
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

`ifdef MKNS_ASSERT
    always @(posedge clk) begin : check
        reg [INPUTS-1:0] served;
        reg [INPUTS-1:0] serves;
        integer index;
        served = {INPUTS{1'b0}};
        serves = {INPUTS{1'b0}};
        if (!rst)
            for (index = 0; index < SLOTS; index = index + 1) begin
                serves = chosen_input[index*INPUTS +: INPUTS]
                    & {INPUTS{flowing[index] | (accept[index] & ~blocked[index])}};
                if ((served & serves) != 0) begin
                    $display("mkns_assert %m: a bank serves two outputs");
                    $stop;
                end
                served = served | serves;
            end
    end
`endif
endmodule

`default_nettype wire
