// accept_bank_properties: accept_bank between any legal grants and running packets.
// Legal: a slot grants at most one input, none while its packet runs, and no input whose bank is
// reserved; an input's bank serves one running packet at most.

module accept_bank_properties #(
    parameter INPUTS = 3,
    parameter SLOTS = 3
) (
    input wire                    clk,
    input wire                    rst,
    input wire [SLOTS*INPUTS-1:0] flow_input,
    input wire [SLOTS*INPUTS-1:0] grant_input
);
    wire [INPUTS-1:0] reserved;
    wire [SLOTS-1:0] accept;

    accept_bank #(
        .INPUTS(INPUTS),
        .SLOTS(SLOTS)
    ) bank (
        .clk(clk), .rst(rst), .flow_input(flow_input), .grant_input(grant_input),
        .reserved(reserved), .accept(accept)
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
    reg [INPUTS-1:0] flow;
    reg [INPUTS-1:0] flows;
    reg legal;
    integer slot;

    always @* begin
        legal = 1'b1;
        flow = 0;
        flows = 0;
        for (slot = 0; slot < SLOTS; slot = slot + 1) begin
            flow = flow_input[slot*INPUTS +: INPUTS];
            legal = legal && (flows & flow) == 0 && (flow & (flow - 1'b1)) == 0
                && (grant_input[slot*INPUTS +: INPUTS]
                    & (grant_input[slot*INPUTS +: INPUTS] - 1'b1)) == 0
                && (flow == 0 || grant_input[slot*INPUTS +: INPUTS] == 0);
            flows = flows | flow;
            grants[slot] = |(grant_input[slot*INPUTS +: INPUTS] & watched_input);
        end
        for (slot = 0; slot < SLOTS; slot = slot + 1)
            legal = legal && (grant_input[slot*INPUTS +: INPUTS] & flows) == 0;
    end

    wire [SLOTS-1:0] accepted = accept & grants;

    always @(posedge clk) begin
        assume (legal);
        assume (watched_input != 0 && (watched_input & (watched_input - 1'b1)) == 0);
        assume (watched_slot != 0 && (watched_slot & (watched_slot - 1'b1)) == 0);
        if (rst || (grants & watched_slot) == 0 || (accepted & watched_slot) != 0)
            waited <= 0;
        else if (accepted != 0)
            waited <= waited + 1'b1;
        if (!rst) begin
            // Reserved by packets.
            assert (reserved == flows);
            // One of the grants.
            assert ((accepted & (accepted - 1'b1)) == 0);
            // Work conserving.
            assert ((grants != 0) == (accepted != 0));
            // Fair.
            assert (waited < SLOTS);
        end
    end
endmodule
