// accept_bank: lets every input serve one of the outputs that granted it through one memory bank.
// The outputs of the bank are its slots. All inputs are handled side by side: every vector below
// has one bit an input, so the round robin over the slots is a chain of vector operations.
// GRANTS_MAY_WAIT: inputs may be granted while they are reserved; `accept` is then wrong for them
// and the user has to ignore it, but their pointers stay.
// Latency: combinational; the pointers move at the end of the cycle.
// Reset: synchronous, active high; pointers to slot 0. Limits: INPUTS, SLOTS >= 1.
<$ banner $>
`default_nettype none

module accept_bank #(
    parameter INPUTS = 10,
    parameter SLOTS = 5,
    parameter GRANTS_MAY_WAIT = 0
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [SLOTS*INPUTS-1:0] flow_input,  // slot n: one-hot input of its running packet
    input  wire [SLOTS*INPUTS-1:0] grant_input, // slot n: one-hot input that it grants
    output reg  [INPUTS-1:0]       reserved,    // inputs whose bank serves a running packet
    output reg  [SLOTS-1:0]        accept       // the grant of slot n is accepted
);
    // Bit i of slot n: n is at or after the accept pointer of input i.
    reg [SLOTS*INPUTS-1:0] from;
    reg [SLOTS*INPUTS-1:0] next_from;
    reg [SLOTS*INPUTS-1:0] later;       // grants at or after the pointer, first one only
    reg [SLOTS*INPUTS-1:0] any;         // grants wherever they are, first one only
    reg [SLOTS*INPUTS-1:0] accepted;
    reg [INPUTS-1:0] later_taken;
    reg [INPUTS-1:0] taken;
    wire [INPUTS-1:0] free = GRANTS_MAY_WAIT != 0 ? ~reserved : {INPUTS{1'b1}};
    reg [INPUTS-1:0] passed;
    integer member;
    integer slot;

    always @* begin
        reserved = {INPUTS{1'b0}};
        for (member = 0; member < SLOTS; member = member + 1)
            reserved = reserved | flow_input[member*INPUTS +: INPUTS];
    end

    always @* begin
        accept = {SLOTS{1'b0}};
        accepted = {SLOTS*INPUTS{1'b0}};
        later = {SLOTS*INPUTS{1'b0}};
        any = {SLOTS*INPUTS{1'b0}};
        later_taken = {INPUTS{1'b0}};
        taken = {INPUTS{1'b0}};
        passed = {INPUTS{1'b0}};
        next_from = from;
        slot = 0;
        if (|grant_input) begin
            for (slot = 0; slot < SLOTS; slot = slot + 1) begin
                later[slot*INPUTS +: INPUTS] = grant_input[slot*INPUTS +: INPUTS]
                    & from[slot*INPUTS +: INPUTS] & ~later_taken;
                any[slot*INPUTS +: INPUTS] = grant_input[slot*INPUTS +: INPUTS] & ~taken;
                later_taken = later_taken | later[slot*INPUTS +: INPUTS];
                taken = taken | any[slot*INPUTS +: INPUTS];
            end
            accepted = later | (any & ~{SLOTS{later_taken}});
            for (slot = 0; slot < SLOTS; slot = slot + 1) begin
                accept[slot] = |accepted[slot*INPUTS +: INPUTS];
                // `passed`: inputs that accepted a slot before this one.
                next_from[slot*INPUTS +: INPUTS]
                    = (from[slot*INPUTS +: INPUTS] & ~(taken & free)) | (passed & free);
                passed = passed | accepted[slot*INPUTS +: INPUTS];
            end
        end
    end

    always @(posedge clk)
        if (rst)
            from <= {SLOTS*INPUTS{1'b0}};
        else if (|grant_input)
            from <= next_from;

`ifdef MKNS_ASSERT
    always @(posedge clk) begin : check
        reg [INPUTS-1:0] served;
        integer index;
        served = reserved;
        if (!rst)
            for (index = 0; index < SLOTS; index = index + 1) begin
                if ((served & free & accepted[index*INPUTS +: INPUTS]) != 0) begin
                    $display("mkns_assert %m: a bank serves two outputs");
                    $stop;
                end
                served = served | accepted[index*INPUTS +: INPUTS];
            end
    end
`endif
endmodule

`default_nettype wire
