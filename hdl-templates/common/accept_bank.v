// accept_bank: lets every input serve one of the outputs that granted it through one memory bank.
// The outputs of the bank are its slots. All inputs are handled side by side: every vector below
// has one bit an input, so the round robin over the slots is a chain of vector operations.
// Latency: combinational; the pointers move at the end of the cycle.
// Reset: synchronous, active high; pointers to slot 0. Limits: INPUTS, SLOTS >= 1.
<$ banner $>
`default_nettype none

module accept_bank #(
    parameter INPUTS = 10,
    parameter SLOTS = 5
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [SLOTS*INPUTS-1:0] flow_input,  // slot n: one-hot input of its packet, or 0
    input  wire [SLOTS*INPUTS-1:0] grant_input, // slot n: one-hot input that it grants
    output reg  [INPUTS-1:0]       reserved,    // inputs whose bank serves a running packet
    output reg  [SLOTS-1:0]        accept       // the grant of slot n is accepted
);
    // Bit i of slot n: n is at or after the accept pointer of input i.
    reg [SLOTS*INPUTS-1:0] from;
    reg [SLOTS*INPUTS-1:0] next_from;
    reg [SLOTS*INPUTS-1:0] accepted;
    reg [INPUTS-1:0] later;             // inputs with a grant at or after their pointer
    reg [INPUTS-1:0] passed;            // inputs that accepted a slot before this one
    integer member;
    integer slot;

    always @* begin
        reserved = {INPUTS{1'b0}};
        member = 0;
        if (|flow_input)
            for (member = 0; member < SLOTS; member = member + 1)
                reserved = reserved | flow_input[member*INPUTS +: INPUTS];
    end

    always @* begin
        accept = {SLOTS{1'b0}};
        accepted = {SLOTS*INPUTS{1'b0}};
        later = {INPUTS{1'b0}};
        passed = {INPUTS{1'b0}};
        next_from = from;
        slot = 0;
        if (|grant_input) begin
            for (slot = 0; slot < SLOTS; slot = slot + 1)
                later = later
                    | (grant_input[slot*INPUTS +: INPUTS] & from[slot*INPUTS +: INPUTS]);
            for (slot = 0; slot < SLOTS; slot = slot + 1) begin
                accepted[slot*INPUTS +: INPUTS] = grant_input[slot*INPUTS +: INPUTS]
                    & (from[slot*INPUTS +: INPUTS] | ~later) & ~passed;
                accept[slot] = |accepted[slot*INPUTS +: INPUTS];
                next_from[slot*INPUTS +: INPUTS] = passed;
                passed = passed | accepted[slot*INPUTS +: INPUTS];
            end
            next_from = (from & ~{SLOTS{passed}}) | (next_from & {SLOTS{passed}});
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
                if ((served & accepted[index*INPUTS +: INPUTS]) != 0) begin
                    $display("mkns_assert %m: a bank serves two outputs");
                    $stop;
                end
                served = served | accepted[index*INPUTS +: INPUTS];
            end
    end
`endif
endmodule

`default_nettype wire
