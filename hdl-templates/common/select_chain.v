// select_chain: chains of two links by which the columns of a crossbar select a word.
// A link belongs to a pair of inputs. It passes on the word that comes in, unless its pair is
// selected: then every bit that comes in chooses between the two words of the pair. The first link
// of a chain gets `odd` in all bits, and a chain none of whose words is selected gives that.
// The inputs that lead to a column are counted from 0 on; pair n is those of rank 2n and 2n + 1.
// A link is one LUT4 per bit.
// While nobody looks the result is undefined, which costs no logic and spares simulators the work.
// Latency: combinational. Reset: none. Limits: LINKS at most 2 * CHAINS each.
<$ banner $>

module select_chain #(
    parameter INPUTS = 10,
    parameter COLUMNS = 10,
    parameter WORD_BITS = 66,
    parameter WORD_STRIDE = 96,
    parameter BANKS = 2,
    parameter PAIRS = 5,
    parameter CHAINS = 3,
    parameter [COLUMNS*6-1:0] LINKS = {COLUMNS{6'd5}}, // links of a column
    parameter [COLUMNS*INPUTS*5-1:0] RANKED = 0 // by column and rank: the input
) (
    input  wire                                  look,      // `word` is used
    input  wire [COLUMNS*PAIRS-1:0]              pair,      // one-hot or 0
    input  wire [COLUMNS*CHAINS-1:0]             odd,       // the second word of the pair
    input  wire [INPUTS*BANKS*WORD_STRIDE-1:0]   read_word, // as in crossbar
    output reg  [CHAINS*COLUMNS*WORD_STRIDE-1:0] word       // by chain, then by column
);
    integer column, chain, link;
    integer first;                      // inputs of the link's pair
    integer second;

    always @* begin : select
        reg [WORD_BITS-1:0] passing;

        word = {CHAINS*COLUMNS{{WORD_STRIDE{1'bx}}}};
        passing = {WORD_BITS{1'bx}};
        {column, chain, link, first, second} = 160'd0;
        if (look) for (column = 0; column < COLUMNS; column = column + 1)
            for (chain = 0; chain < CHAINS; chain = chain + 1) begin
                passing = {WORD_BITS{odd[column*CHAINS + chain]}};
                for (link = 2 * chain; link < 2 * chain + 2 && link < LINKS[column*6 +: 6];
                        link = link + 1)
                begin
                    first = {27'd0, RANKED[(column*INPUTS + 2*link)*5 +: 5]};
                    second = {27'd0, RANKED[(column*INPUTS + 2*link + 1)*5 +: 5]};
                    if (pair[column*PAIRS + link])
                        passing = (passing & read_word[(second*BANKS + column%BANKS)*WORD_STRIDE
                                +: WORD_BITS])
                            | (~passing & read_word[(first*BANKS + column%BANKS)*WORD_STRIDE
                                +: WORD_BITS]);
                end
                word[(chain*COLUMNS + column)*WORD_STRIDE +: WORD_BITS] = passing;
            end
    end
endmodule
