// crossbar_properties: what a match asks for is on the tx pins of its output two cycles later, whole,
// once, and nothing else ever is.

module crossbar_properties #(
    parameter INPUTS = 3,
    parameter OUTPUTS = 2,
    parameter DATA_WIDTH = 2,
    parameter VC_BITS = 1,
    parameter BANKS = 2,
    parameter [INPUTS*OUTPUTS-1:0] TURNS = {INPUTS*OUTPUTS{1'b1}}
) (
    input wire                       clk,
    input wire                       rst,
    input wire [OUTPUTS-1:0]         match_valid,
    input wire [OUTPUTS*VC_BITS-1:0] match_vc,
    input wire [OUTPUTS*INPUTS-1:0]  match_input,
    input wire [BANKS*INPUTS*(DATA_WIDTH+32)-1:0] read_word // {0, bad, last, data}
);
    wire [OUTPUTS-1:0] tx_valid;
    wire [OUTPUTS*VC_BITS-1:0] tx_vc;
    wire [OUTPUTS-1:0] tx_last;
    wire [OUTPUTS-1:0] tx_bad;
    wire [OUTPUTS*DATA_WIDTH-1:0] tx_data;

    crossbar #(
        .INPUTS(INPUTS),
        .OUTPUTS(OUTPUTS),
        .DATA_WIDTH(DATA_WIDTH),
        .VC_BITS(VC_BITS),
        .BANKS(BANKS),
        .TURNS(TURNS)
    ) columns (
        .clk(clk), .rst(rst),
        .match_valid(match_valid), .match_vc(match_vc), .match_input(match_input),
        .read_word(read_word),
        .tx_valid(tx_valid), .tx_vc(tx_vc), .tx_last(tx_last), .tx_bad(tx_bad), .tx_data(tx_data)
    );

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
    end

    generate
        genvar o;
        for (o = 0; o < OUTPUTS; o = o + 1) begin : gen_output
            wire [INPUTS-1:0] chosen = match_input[o*INPUTS +: INPUTS];
            integer input_number;
            always @(posedge clk) begin
                assume (chosen != 0 && (chosen & (chosen - 1'b1)) == 0);
                for (input_number = 0; input_number < INPUTS; input_number = input_number + 1)
                    assume (TURNS[input_number*OUTPUTS + o] || !chosen[input_number]);
            end

            // The match on its way, and what it selects when the memories have been read.
            reg [1+VC_BITS+INPUTS-1:0] now;
            wire now_valid = now[VC_BITS+INPUTS];
            reg expected_valid;
            reg [VC_BITS-1:0] expected_vc;
            reg expected_last;
            reg expected_bad;
            reg [DATA_WIDTH-1:0] expected_data;
            integer number;

            always @(posedge clk) begin
                now <= rst ? 0 : {match_valid[o], match_vc[o*VC_BITS +: VC_BITS], chosen};
                expected_valid <= !rst && now_valid;
                expected_vc <= (!rst && now_valid) ? now[INPUTS +: VC_BITS] : 0;
                expected_last <= 1'b0;
                expected_bad <= 1'b0;
                expected_data <= 0;
                if (!rst && now_valid)
                    for (number = 0; number < INPUTS; number = number + 1)
                        if (now[number]) begin
                            {expected_bad, expected_last, expected_data}
                                <= read_word[(number*BANKS + o%BANKS)*(DATA_WIDTH+32)
                                    +: DATA_WIDTH+2];
                        end
                if (!rst) begin
                    // Neither lost nor made up.
                    assert (tx_valid[o] == expected_valid);
                    // Whole.
                    assert ({tx_vc[o*VC_BITS +: VC_BITS], tx_last[o], tx_bad[o],
                            tx_data[o*DATA_WIDTH +: DATA_WIDTH]}
                        == {expected_vc, expected_last, expected_bad, expected_data});
                end
            end
        end
    endgenerate
endmodule
