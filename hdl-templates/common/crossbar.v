// crossbar: all output columns of the crossbar, from allocation to the tx registers.
// Each selects among the memory outputs of one bank of every input that turns to it, flanked by the
// pipeline registers that carry the choice along while the memories are read. Chains of links stand
// side by side (select_chain). One none of whose words is selected gives 0, so an or joins them.
// The last of an odd number of inputs goes to the or by itself. A link that would then be alone in
// its chain stands behind the or.
// The registers of all columns stand side by side, and only columns with a flit are looked at.
// With ADAPTIVE, the data of a bad last flit that was popped on channel A, sent or not, tells what
// its packet gives back to the room of its output (docs/microarchitecture.md 1.8, *Room*).
// Latency: a match in cycle m is on the tx pins, and in `returned`, in cycle m + 2.
// Reset: synchronous, active high. Idle: all tx fields 0.
<$ banner $>

module crossbar #(
    parameter INPUTS = 10,
    parameter OUTPUTS = 10,
    parameter DATA_WIDTH = 64,
    parameter VC_BITS = 1,
    parameter BANKS = 2,
    parameter ADAPTIVE = 0,             // 1: `returned`, else 0
    parameter LEFT_BITS = 6,
    parameter [INPUTS*OUTPUTS-1:0] TURNS = {INPUTS*OUTPUTS{1'b1}} // bit i * OUTPUTS + o
) (
    input  wire                               clk,
    input  wire                               rst,
    input  wire [OUTPUTS-1:0]                 match_valid,
    input  wire [OUTPUTS-1:0]                 match_adaptive, // with ADAPTIVE, sent or not
    input  wire [OUTPUTS*VC_BITS-1:0]         match_vc,
    input  wire [OUTPUTS*INPUTS-1:0]          match_input,  // one-hot inputs
    // bank b of input i at i * BANKS + b: {0, bad, last, data}
    input  wire [BANKS*INPUTS*(DATA_WIDTH+32)-1:0] read_word,
    output reg  [OUTPUTS*LEFT_BITS-1:0]       returned,   // promised flits that will never come
    output reg  [OUTPUTS-1:0]                 tx_valid,
    output reg  [OUTPUTS*VC_BITS-1:0]         tx_vc,
    output reg  [OUTPUTS-1:0]                 tx_last,
    output reg  [OUTPUTS-1:0]                 tx_bad,
    output reg  [OUTPUTS*DATA_WIDTH-1:0]      tx_data
);
    localparam WORD_STRIDE = DATA_WIDTH + 32;

    localparam PAIRS = (INPUTS + 1) / 2;
    localparam CHAINS = (PAIRS + 1) / 2;

    // Inputs that lead to each column, in ascending order: how many, and which.
    function [OUTPUTS*6-1:0] counted(input [INPUTS*OUTPUTS-1:0] turns);
        integer to, one;
        begin
            counted = {OUTPUTS{6'd0}};
            for (to = 0; to < OUTPUTS; to = to + 1)
                for (one = 0; one < INPUTS; one = one + 1)
                    if (turns[one*OUTPUTS + to])
                        counted[to*6 +: 6] = counted[to*6 +: 6] + 6'd1;
        end
    endfunction

    function [OUTPUTS*INPUTS*5-1:0] ranked(input [INPUTS*OUTPUTS-1:0] turns);
        integer to, one, rank;
        begin
            ranked = {OUTPUTS*INPUTS{5'd0}};
            for (to = 0; to < OUTPUTS; to = to + 1) begin
                rank = 0;
                for (one = 0; one < INPUTS; one = one + 1)
                    if (turns[one*OUTPUTS + to]) begin
                        ranked[(to*INPUTS + rank)*5 +: 5] = one[4:0];
                        rank = rank + 1;
                    end
            end
        end
    endfunction

    // A link behind the or: for an odd number of inputs with an odd number of pairs, and several.
    function [OUTPUTS-1:0] having_link_behind(input [OUTPUTS*6-1:0] counts);
        integer to;
        for (to = 0; to < OUTPUTS; to = to + 1)
            having_link_behind[to] = counts[to*6 +: 2] == 2'd3 && counts[to*6 +: 6] > 6'd3;
    endfunction

    function [OUTPUTS*6-1:0] links_of(input [OUTPUTS*6-1:0] counts, input [OUTPUTS-1:0] behind);
        integer to;
        for (to = 0; to < OUTPUTS; to = to + 1)
            links_of[to*6 +: 6] = counts[to*6 +: 6] / 6'd2 - {5'd0, behind[to]};
    endfunction

    localparam [OUTPUTS*6-1:0] COUNTS = counted(TURNS);
    localparam [OUTPUTS*INPUTS*5-1:0] RANKED = ranked(TURNS);
    localparam [OUTPUTS-1:0] LINK_BEHIND = having_link_behind(COUNTS);
    localparam [OUTPUTS*6-1:0] LINKS = links_of(COUNTS, LINK_BEHIND);

    reg [OUTPUTS-1:0] fetched_valid;
    reg [OUTPUTS*VC_BITS-1:0] fetched_vc;
    reg [OUTPUTS*PAIRS-1:0] fetched_pair;   // one-hot pair of inputs
    reg [OUTPUTS*CHAINS-1:0] fetched_odd;   // the second one of the pair, by its chain
    wire [CHAINS*OUTPUTS*WORD_STRIDE-1:0] chained;
    wire is_moving;                     // a flit enters the tx registers or leaves them

    select_chain #(
        .INPUTS(INPUTS), .COLUMNS(OUTPUTS), .WORD_BITS(DATA_WIDTH + 2), .WORD_STRIDE(WORD_STRIDE),
        .BANKS(BANKS), .PAIRS(PAIRS), .CHAINS(CHAINS), .LINKS(LINKS), .RANKED(RANKED)
    ) chains (
        .look(is_moving), .pair(fetched_pair), .odd(fetched_odd), .read_word(read_word),
        .word(chained)
    );

    // What is fetched of a flit that is not sent is only looked at.
    wire [OUTPUTS-1:0] matched, fetched_adaptive;
    wire renews;                        // a column begins or ceases to fetch
    generate
        if (ADAPTIVE != 0) begin : gen_looked_at
            reg [OUTPUTS-1:0] fetched;
            always @(posedge clk)
                fetched <= match_adaptive & {OUTPUTS{~rst}};
            assign fetched_adaptive = fetched;
            assign matched = match_valid | match_adaptive;
            assign renews = |matched | |fetched_valid | |fetched_adaptive;
            assign is_moving = |fetched_valid | |tx_valid | |fetched_adaptive;
        end else begin : gen_all_sent
            assign fetched_adaptive = {OUTPUTS{1'b0}};
            assign matched = match_valid;
            assign renews = |match_valid | |fetched_valid;
            assign is_moving = |fetched_valid | |tx_valid;
            wire unused_ok = &{1'b0, match_adaptive, fetched_adaptive};
        end
    endgenerate

    always @(posedge clk) begin : columns
        reg [OUTPUTS*PAIRS-1:0] pair;
        reg [OUTPUTS*CHAINS-1:0] odd;
        reg [OUTPUTS*VC_BITS-1:0] vc;
        reg [OUTPUTS-1:0] last, bad;
        reg [OUTPUTS*DATA_WIDTH-1:0] data;
        reg [DATA_WIDTH+1:0] word;
        integer number, rank, links, chain;
        integer first;                  // inputs of the link behind the or; the last input
        integer second, alone;

        pair = {OUTPUTS*PAIRS{1'b0}};
        odd = {OUTPUTS*CHAINS{1'b0}};
        {rank, links, chain, first, second, alone} = 192'd0;
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
            returned <= {OUTPUTS*LEFT_BITS{1'b0}};
        end else begin
            fetched_valid <= match_valid;
            fetched_vc <= match_vc;
            if (renews) begin
                for (number = 0; number < OUTPUTS; number = number + 1)
                    if (matched[number])
                        for (rank = 0; rank < COUNTS[number*6 +: 6]; rank = rank + 1)
                            if (match_input[number*INPUTS
                                    + {27'd0, RANKED[(number*INPUTS + rank)*5 +: 5]}]) begin
                                pair[number*PAIRS + rank/2] = 1'b1;
                                links = {26'd0, LINKS[number*6 +: 6]};
                                chain = rank / 2 < links ? rank / 4 : 0;
                                odd[number*CHAINS + chain] = rank % 2 == 1;
                            end
                fetched_pair <= pair;
                fetched_odd <= odd;
            end
            tx_valid <= fetched_valid;
            if (is_moving) begin
                for (number = 0; number < OUTPUTS; number = number + 1) begin
                    word = {DATA_WIDTH+2{1'b0}};
                    links = {26'd0, LINKS[number*6 +: 6]};
                    for (chain = 0; chain < ({26'd0, LINKS[number*6 +: 6]} + 1) / 2;
                            chain = chain + 1)
                        word = word
                            | chained[(chain*OUTPUTS + number)*WORD_STRIDE +: DATA_WIDTH+2];
                    if (COUNTS[number*6]) begin
                        rank = {26'd0, COUNTS[number*6 +: 6]} - 1;
                        alone = {27'd0, RANKED[(number*INPUTS + rank)*5 +: 5]};
                        if (fetched_pair[number*PAIRS + rank/2])
                            word = word | read_word[(alone*BANKS + number%BANKS)*WORD_STRIDE
                                +: DATA_WIDTH+2];
                    end
                    if (LINK_BEHIND[number]) begin
                        first = {27'd0, RANKED[(number*INPUTS + 2*links)*5 +: 5]};
                        second = {27'd0, RANKED[(number*INPUTS + 2*links + 1)*5 +: 5]};
                        if (fetched_pair[number*PAIRS + links])
                            word = (word & read_word[(second*BANKS + number%BANKS)*WORD_STRIDE
                                    +: DATA_WIDTH+2])
                                | (~word & read_word[(first*BANKS + number%BANKS)*WORD_STRIDE
                                    +: DATA_WIDTH+2]);
                    end
                    if (fetched_valid[number])
                        vc[number*VC_BITS +: VC_BITS] = fetched_vc[number*VC_BITS +: VC_BITS];
                    {bad[number], last[number], data[number*DATA_WIDTH +: DATA_WIDTH]} = word;
                end
                tx_vc <= vc;
                tx_last <= last;
                tx_bad <= bad;
                tx_data <= data;
            end
            // The flip-flops' own reset, which takes no logic, holds back what is not to be seen.
            returned <= {OUTPUTS*LEFT_BITS{1'b0}};
            if (ADAPTIVE != 0)
                for (number = 0; number < OUTPUTS; number = number + 1) begin
                    if (~fetched_valid[number])
                        {tx_bad[number], tx_last[number],
                            tx_data[number*DATA_WIDTH +: DATA_WIDTH]} <= {DATA_WIDTH+2{1'b0}};
                    if (fetched_adaptive[number] & bad[number] & last[number])
                        returned[number*LEFT_BITS +: LEFT_BITS]
                            <= data[number*DATA_WIDTH +: LEFT_BITS];
                end
        end
    end
endmodule
