// accept_bank: for every input one memory bank, which accepts one of the outputs that granted it,
// unless it serves a packet already (docs/microarchitecture.md 1.6), and which will be busy in the
// next cycle when an output claims it. The outputs of the bank are its slots.
// Latency: combinational; the pointers move at the end of the cycle.
// A row of requests a slot (channel * INPUTS + input) has STRIDE bits.
// Reset: synchronous, active high; pointers to slot 0. Limits: INPUTS, SLOTS, VCS >= 1.
<$ banner $>
`default_nettype none

(* short_paths *) module accept_bank #(
    parameter INPUTS = 10,
    parameter SLOTS = 5,
    parameter VCS = 1,
    parameter STRIDE = INPUTS * VCS
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [SLOTS-1:0]        flowing,     // slots with a running packet
    input  wire [SLOTS*INPUTS-1:0] chosen_input, // slot n: one-hot or 0, of its packet or grant
    input  wire [SLOTS*STRIDE-1:0] chosen,      // the same by request
    input  wire [SLOTS*STRIDE-1:0] ready_more,  // has a flit that is not its packet's last
    output wire [INPUTS-1:0]       barred,      // inputs whose bank is claimed
    output wire [SLOTS-1:0]        blocked,     // what slot n chose serves another one's packet
    output wire [SLOTS-1:0]        accept       // if not blocked, the grant of slot n, if any
);
    // Bit i of slot n: n is at or after the accept pointer of input i.
    reg [SLOTS*INPUTS-1:0] from;
    reg [SLOTS*INPUTS-1:0] next_from;
    reg [INPUTS-1:0] moving;            // inputs whose pointer moves

    accept_choice #(
        .INPUTS(INPUTS), .SLOTS(SLOTS), .VCS(VCS), .STRIDE(STRIDE)
    ) choice (
        .flowing(flowing), .chosen_input(chosen_input), .chosen(chosen), .ready_more(ready_more),
        .from(from), .barred(barred), .blocked(blocked), .accept(accept)
    );

    integer slot;

    always @* begin
        next_from = {SLOTS*INPUTS{1'b0}};
        moving = {INPUTS{1'b0}};
        for (slot = 0; slot < SLOTS; slot = slot + 1) begin
            next_from[slot*INPUTS +: INPUTS] = moving;
            moving = moving | (chosen_input[slot*INPUTS +: INPUTS]
                & {INPUTS{accept[slot] & ~blocked[slot] & ~flowing[slot]}});
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
