// crossbar: all output columns of the crossbar, from allocation to the tx registers.
// Each selects among the memory outputs of one bank of every input, flanked by the pipeline
// registers that carry the choice along while the memories are read. Chains of selects stand side
// by side (select_chain). Those without the selected pair give `odd`, so an exclusive or joins
// them: of an odd number of words, all but one of which are the same, it is that one.
// The registers of all columns stand side by side, and only columns with a flit are looked at.
// Latency: a match in cycle m is on the tx pins in cycle m + 2.
// Reset: synchronous, active high. Idle: all tx fields 0.
<$ banner $>
`default_nettype none

module crossbar #(
    parameter INPUTS = 10,
    parameter OUTPUTS = 10,
    parameter DATA_WIDTH = 64,
    parameter VC_BITS = 1,
    parameter BANKS = 2
) (
    input  wire                               clk,
    input  wire                               rst,
    input  wire [OUTPUTS-1:0]                 match_valid,
    input  wire [OUTPUTS*VC_BITS-1:0]         match_vc,
    input  wire [OUTPUTS*INPUTS-1:0]          match_input,  // one-hot inputs
    // bank b of input i at i * BANKS + b: {0, bad, last, data}
    input  wire [BANKS*INPUTS*(DATA_WIDTH+32)-1:0] read_word,
    output reg  [OUTPUTS-1:0]                 tx_valid,
    output reg  [OUTPUTS*VC_BITS-1:0]         tx_vc,
    output reg  [OUTPUTS-1:0]                 tx_last,
    output reg  [OUTPUTS-1:0]                 tx_bad,
    output reg  [OUTPUTS*DATA_WIDTH-1:0]      tx_data
);
    localparam WORD_STRIDE = DATA_WIDTH + 32;

    localparam PAIRS = (INPUTS + 1) / 2;
    localparam CHAINS = (PAIRS + 1) / 2;

    reg [OUTPUTS-1:0] fetched_valid;
    reg [OUTPUTS*VC_BITS-1:0] fetched_vc;
    reg [OUTPUTS*PAIRS-1:0] fetched_pair;   // one-hot pair of inputs
    reg [OUTPUTS-1:0] fetched_odd;          // the second one of the pair
    wire [CHAINS*OUTPUTS*WORD_STRIDE-1:0] chained;
    wire is_moving = |fetched_valid | |tx_valid; // a flit enters the tx registers or leaves them

    select_chain #(
        .INPUTS(INPUTS),
        .COLUMNS(OUTPUTS),
        .WORD_BITS(DATA_WIDTH + 2),
        .WORD_STRIDE(WORD_STRIDE), .BANKS(BANKS), .PAIRS(PAIRS),
        .CHAINS(CHAINS)
    ) chains (
        .look(is_moving), .pair(fetched_pair), .odd(fetched_odd),
        .read_word(read_word), .word(chained)
    );

    always @(posedge clk) begin : columns
        reg [OUTPUTS*PAIRS-1:0] pair;
        reg [OUTPUTS-1:0] odd;
        reg [OUTPUTS*VC_BITS-1:0] vc;
        reg [OUTPUTS-1:0] last;
        reg [OUTPUTS-1:0] bad;
        reg [OUTPUTS*DATA_WIDTH-1:0] data;
        reg [DATA_WIDTH+1:0] word;
        integer number;
        integer link;
        integer second;
        integer chain;

        pair = {OUTPUTS*PAIRS{1'b0}};
        odd = {OUTPUTS{1'b0}};
        second = 0;
        vc = {OUTPUTS*VC_BITS{1'b0}};
        last = {OUTPUTS{1'b0}};
        bad = {OUTPUTS{1'b0}};
        data = {OUTPUTS*DATA_WIDTH{1'b0}};
        word = {DATA_WIDTH+2{1'b0}};
        if (rst) begin
            fetched_valid <= {OUTPUTS{1'b0}};
            fetched_pair <= {OUTPUTS*PAIRS{1'b0}};
            fetched_odd <= {OUTPUTS{1'b0}};
            tx_valid <= {OUTPUTS{1'b0}};
            tx_vc <= {OUTPUTS*VC_BITS{1'b0}};
            tx_last <= {OUTPUTS{1'b0}};
            tx_bad <= {OUTPUTS{1'b0}};
            tx_data <= {OUTPUTS*DATA_WIDTH{1'b0}};
        end else begin
            fetched_valid <= match_valid;
            fetched_vc <= match_vc;
            if (|match_valid | |fetched_valid) begin
                pair = {OUTPUTS*PAIRS{1'b0}};
                odd = {OUTPUTS{1'b0}};
                for (number = 0; number < OUTPUTS; number = number + 1)
                    if (match_valid[number])
                        for (link = 0; link < PAIRS; link = link + 1) begin
                            second = 2 * link + 1 < INPUTS ? 2 * link + 1 : 2 * link;
                            pair[number*PAIRS + link] = match_input[number*INPUTS + 2*link]
                                | match_input[number*INPUTS + second];
                            odd[number] = odd[number] | match_input[number*INPUTS + second];
                        end
                fetched_pair <= pair;
                fetched_odd <= odd;
            end
            tx_valid <= fetched_valid;
            if (is_moving) begin
                vc = {OUTPUTS*VC_BITS{1'b0}};
                last = {OUTPUTS{1'b0}};
                bad = {OUTPUTS{1'b0}};
                data = {OUTPUTS*DATA_WIDTH{1'b0}};
                for (number = 0; number < OUTPUTS; number = number + 1) begin
                    word = {DATA_WIDTH+2{fetched_odd[number] & CHAINS % 2 == 0}};
                    for (chain = 0; chain < CHAINS; chain = chain + 1)
                        word = word ^ chained[(chain*OUTPUTS + number)*WORD_STRIDE +: DATA_WIDTH+2];
                    if (fetched_valid[number])
                        vc[number*VC_BITS +: VC_BITS] = fetched_vc[number*VC_BITS +: VC_BITS];
                    {bad[number], last[number], data[number*DATA_WIDTH +: DATA_WIDTH]} = word;
                end
                tx_vc <= vc;
                tx_last <= last;
                tx_bad <= bad;
                tx_data <= data;
            end
        end
    end
endmodule

`default_nettype wire
