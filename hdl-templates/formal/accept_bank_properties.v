// accept_bank_properties: accept_bank between any legal choices of the outputs. Legal: a slot
// shows one input at most, that of its running packet or of its grant; an input's bank serves one
// running packet at most. Grants may wait for a bank in use.

module accept_bank_properties #(
    parameter INPUTS = 3,
    parameter SLOTS = 3
) (
    input wire                    clk,
    input wire                    rst,
    input wire [SLOTS-1:0]        flowing,
    input wire [SLOTS*INPUTS-1:0] chosen_input
);
    wire [SLOTS-1:0] accepted;

    accept_bank #(
        .INPUTS(INPUTS),
        .SLOTS(SLOTS)
    ) bank (
        .clk(clk), .rst(rst), .flowing(flowing), .chosen_input(chosen_input),
        .accepted(accepted)
    );

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
    end

    // Of the watched input: the slots that grant it, and how long the watched slot waits.
    (* anyconst *) reg [INPUTS-1:0] watched_input;
    (* anyconst *) reg [SLOTS-1:0] watched_slot;
    reg [SLOTS-1:0] grants;
    reg [SLOTS:0] waited;
    reg [INPUTS-1:0] chosen;
    reg [INPUTS-1:0] flows;
    reg legal;
    integer slot;

    always @* begin
        legal = 1'b1;
        flows = 0;
        for (slot = 0; slot < SLOTS; slot = slot + 1) begin
            chosen = chosen_input[slot*INPUTS +: INPUTS];
            legal = legal && (chosen & (chosen - 1'b1)) == 0
                && (!flowing[slot] || (chosen != 0 && (flows & chosen) == 0));
            flows = flows | (chosen & {INPUTS{flowing[slot]}});
            grants[slot] = |(chosen & watched_input) && !flowing[slot];
        end
    end

    wire served = |(flows & watched_input);
    wire [SLOTS-1:0] wins = accepted & grants;

    always @(posedge clk) begin
        assume (legal);
        assume (watched_input != 0 && (watched_input & (watched_input - 1'b1)) == 0);
        assume (watched_slot != 0 && (watched_slot & (watched_slot - 1'b1)) == 0);
        if (rst || (grants & watched_slot) == 0 || (wins & watched_slot) != 0)
            waited <= 0;
        else if (wins != 0)
            waited <= waited + 1'b1;
        if (!rst) begin
            // One of the grants.
            assert ((wins & (wins - 1'b1)) == 0);
            // None of a bank in use, else work conserving.
            assert ((wins != 0) == (grants != 0 && !served));
            // Fair.
            assert (waited < SLOTS);
        end
    end
endmodule
