// crossbar: all output columns of the crossbar, from allocation to the tx registers.
// Each selects among the memory outputs of one bank of every input, flanked by the pipeline
// registers that carry the choice along while the memories are read. Chains of links stand side by
// side (select_chain). One none of whose words is selected gives 0, so an or joins them. The first
// FORWARD_ONLY columns have no input of their own number: the word of its partner goes to the or
// by itself, and a link that would be alone in its chain stands behind the or.
// The registers of all columns stand side by side, and only columns with a flit are looked at.
// Latency: a match in cycle m is on the tx pins in cycle m + 2.
// Reset: synchronous, active high. Idle: all tx fields 0.
<$ banner $>

module crossbar #(
    parameter INPUTS = 10,
    parameter OUTPUTS = 10,
    parameter DATA_WIDTH = 64,
    parameter VC_BITS = 1,
    parameter BANKS = 2,
    parameter FORWARD_ONLY = 0
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
    // Of the first columns.
    localparam LINK_BEHIND = PAIRS % 2 == 0 && PAIRS > 2 ? 1 : 0;
    localparam FORWARD_LINKS = PAIRS - 1 - LINK_BEHIND;
    localparam FORWARD_CHAINS = (FORWARD_LINKS + 1) / 2;

    reg [OUTPUTS-1:0] fetched_valid;
    reg [OUTPUTS*VC_BITS-1:0] fetched_vc;
    reg [OUTPUTS*PAIRS-1:0] fetched_pair;   // one-hot pair of inputs
    reg [OUTPUTS*CHAINS-1:0] fetched_odd;   // the second one of the pair, by its chain
    wire [CHAINS*OUTPUTS*WORD_STRIDE-1:0] chained;
    wire is_moving = |fetched_valid | |tx_valid; // a flit enters the tx registers or leaves them

    select_chain #(
        .INPUTS(INPUTS), .COLUMNS(OUTPUTS), .FORWARD_ONLY(FORWARD_ONLY), .WORD_BITS(DATA_WIDTH + 2),
        .WORD_STRIDE(WORD_STRIDE), .BANKS(BANKS), .PAIRS(PAIRS), .FORWARD_LINKS(FORWARD_LINKS),
        .CHAINS(CHAINS)
    ) chains (
        .look(is_moving), .pair(fetched_pair), .odd(fetched_odd), .read_word(read_word),
        .word(chained)
    );

    always @(posedge clk) begin : columns
        reg [OUTPUTS*PAIRS-1:0] pair;
        reg [OUTPUTS*CHAINS-1:0] odd;
        reg [OUTPUTS*VC_BITS-1:0] vc;
        reg [OUTPUTS-1:0] last, bad;
        reg [OUTPUTS*DATA_WIDTH-1:0] data;
        reg [DATA_WIDTH+1:0] word;
        integer number, from, link, chain, partner;
        integer first;                  // inputs of the link behind the or
        integer second;

        pair = {OUTPUTS*PAIRS{1'b0}};
        odd = {OUTPUTS*CHAINS{1'b0}};
        {from, link, chain, partner, first, second} = 192'd0;
        word = {DATA_WIDTH+2{1'b0}};
        vc = {OUTPUTS*VC_BITS{1'b0}};
        last = {OUTPUTS{1'b0}};
        bad = {OUTPUTS{1'b0}};
        data = {OUTPUTS{{DATA_WIDTH{1'b0}}}};
        if (rst) begin
            fetched_valid <= {OUTPUTS{1'b0}};
            fetched_pair <= {OUTPUTS*PAIRS{1'b0}};
            fetched_odd <= {OUTPUTS*CHAINS{1'b0}};
            tx_valid <= {OUTPUTS{1'b0}};
            tx_vc <= {OUTPUTS*VC_BITS{1'b0}};
            tx_last <= {OUTPUTS{1'b0}};
            tx_bad <= {OUTPUTS{1'b0}};
            tx_data <= {OUTPUTS{{DATA_WIDTH{1'b0}}}};
        end else begin
            fetched_valid <= match_valid;
            fetched_vc <= match_vc;
            if (|match_valid | |fetched_valid) begin
                for (number = 0; number < OUTPUTS; number = number + 1)
                    if (match_valid[number])
                        for (from = 0; from < INPUTS; from = from + 1)
                            if (match_input[number*INPUTS + from]) begin
                                pair[number*PAIRS + from/2] = 1'b1;
                                link = number < FORWARD_ONLY && from / 2 > number / 2
                                    ? from / 2 - 1 : from / 2;
                                chain = number < FORWARD_ONLY && link / 2 >= FORWARD_CHAINS
                                    ? 0 : link / 2;
                                odd[number*CHAINS + chain] = from % 2 == 1
                                    && (number >= FORWARD_ONLY || from / 2 != number / 2);
                            end
                fetched_pair <= pair;
                fetched_odd <= odd;
            end
            tx_valid <= fetched_valid;
            if (is_moving) begin
                for (number = 0; number < OUTPUTS; number = number + 1) begin
                    word = {DATA_WIDTH+2{1'b0}};
                    for (chain = 0; chain < CHAINS; chain = chain + 1)
                        if (chain < FORWARD_CHAINS || number >= FORWARD_ONLY)
                            word = word
                                | chained[(chain*OUTPUTS + number)*WORD_STRIDE +: DATA_WIDTH+2];
                    partner = number % 2 == 0 ? number + 1 : number - 1;
                    if (number < FORWARD_ONLY && partner < INPUTS
                            && fetched_pair[number*PAIRS + number/2])
                        word = word | read_word[(partner*BANKS + number%BANKS)*WORD_STRIDE
                            +: DATA_WIDTH+2];
                    first = number / 2 == PAIRS - 1 ? 2 * PAIRS - 4 : 2 * PAIRS - 2;
                    second = first + 1 < INPUTS ? first + 1 : first;
                    if (number < FORWARD_ONLY && LINK_BEHIND != 0
                            && fetched_pair[number*PAIRS + first/2])
                        word = (word & read_word[(second*BANKS + number%BANKS)*WORD_STRIDE
                                +: DATA_WIDTH+2])
                            | (~word & read_word[(first*BANKS + number%BANKS)*WORD_STRIDE
                                +: DATA_WIDTH+2]);
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
