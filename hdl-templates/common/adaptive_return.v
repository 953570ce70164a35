// adaptive_return: what the last flits of damaged packets give back to the room of their outputs
// (docs/microarchitecture.md 1.8, *Room*): the data of a bad last flit that was popped on channel
// A, sent or not, as the crossbar joins it from its chains.
// Latency: combinational. Reset: none. Limits: as crossbar.
<$ banner $>

module adaptive_return #(
    parameter INPUTS = 10,
    parameter OUTPUTS = 10,
    parameter DATA_WIDTH = 64,
    parameter BANKS = 2,
    parameter LEFT_BITS = 6,
    parameter PAIRS = 5,
    parameter CHAINS = 3,
    // By output, as in crossbar.
    parameter [OUTPUTS*6-1:0] COUNTS = {OUTPUTS{6'd10}},
    parameter [OUTPUTS*INPUTS*5-1:0] RANKED = 0,
    parameter [OUTPUTS-1:0] LINK_BEHIND = {OUTPUTS{1'b0}},
    parameter [OUTPUTS*6-1:0] LINKS = {OUTPUTS{6'd5}}
) (
    input  wire [OUTPUTS-1:0]                        adaptive,  // a flit was popped on channel A
    input  wire [OUTPUTS*PAIRS-1:0]                  pair,      // the inputs it came from
    input  wire [CHAINS*OUTPUTS*(DATA_WIDTH+32)-1:0] chained,   // of select_chain
    input  wire [BANKS*INPUTS*(DATA_WIDTH+32)-1:0]   read_word,
    output reg  [OUTPUTS*LEFT_BITS-1:0]              returned
);
    localparam WORD_STRIDE = DATA_WIDTH + 32;
    // {bad, last} and the low bits of the data.
    localparam PART_BITS = LEFT_BITS + 2;

    integer number, chain, links, at, other;

    always @* begin : join_words
        reg [PART_BITS-1:0] part, one, two;

        returned = {OUTPUTS*LEFT_BITS{1'b0}};
        {part, one, two} = {3*PART_BITS{1'b0}};
        {number, chain, links, at, other} = 160'd0;
        if (|adaptive)
            for (number = 0; number < OUTPUTS; number = number + 1) begin
                part = {PART_BITS{1'b0}};
                links = {26'd0, LINKS[number*6 +: 6]};
                for (chain = 0; chain < ({26'd0, LINKS[number*6 +: 6]} + 1) / 2;
                        chain = chain + 1) begin
                    at = (chain*OUTPUTS + number) * WORD_STRIDE;
                    part = part | {chained[at + DATA_WIDTH +: 2], chained[at +: LEFT_BITS]};
                end
                if (COUNTS[number*6]) begin
                    other = {26'd0, COUNTS[number*6 +: 6]} - 1;
                    at = ({27'd0, RANKED[(number*INPUTS + other)*5 +: 5]}*BANKS + number%BANKS)
                        * WORD_STRIDE;
                    if (pair[number*PAIRS + other/2])
                        part = part | {read_word[at + DATA_WIDTH +: 2], read_word[at +: LEFT_BITS]};
                end
                if (LINK_BEHIND[number]) begin
                    at = ({27'd0, RANKED[(number*INPUTS + 2*links)*5 +: 5]}*BANKS + number%BANKS)
                        * WORD_STRIDE;
                    one = {read_word[at + DATA_WIDTH +: 2], read_word[at +: LEFT_BITS]};
                    at = ({27'd0, RANKED[(number*INPUTS + 2*links + 1)*5 +: 5]}*BANKS
                        + number%BANKS) * WORD_STRIDE;
                    two = {read_word[at + DATA_WIDTH +: 2], read_word[at +: LEFT_BITS]};
                    if (pair[number*PAIRS + links])
                        part = (part & two) | (~part & one);
                end
                returned[number*LEFT_BITS +: LEFT_BITS] = part[LEFT_BITS-1:0]
                    & {LEFT_BITS{adaptive[number] & part[LEFT_BITS] & part[LEFT_BITS+1]}};
            end
    end

    wire unused_ok = &{1'b0, chained, read_word, pair};
endmodule
