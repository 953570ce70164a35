// select_chain: chains of two links by which the columns of a crossbar select a word.
// A link belongs to a pair of inputs. It passes on the word that comes in, unless its pair is
// selected: then every bit that comes in chooses between the two words of the pair. The first link
// of a chain gets `odd` in all bits, and a chain none of whose words is selected gives that. The
// first FORWARD_ONLY columns have no link for the pair of their own number.
// A link is one LUT4 per bit.
// While nobody looks the result is undefined, which costs no logic and spares simulators the work.
// Latency: combinational. Reset: none. Limits: FORWARD_LINKS at most 2 * CHAINS.
<$ banner $>

module select_chain #(
    parameter INPUTS = 10,
    parameter COLUMNS = 10,
    parameter FORWARD_ONLY = 0,
    parameter WORD_BITS = 66,
    parameter WORD_STRIDE = 96,
    parameter BANKS = 2,
    parameter PAIRS = 5,
    parameter FORWARD_LINKS = 4,        // of one of the first columns
    parameter CHAINS = 3
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
                for (link = 2 * chain; link < 2 * chain + 2
                        && link < (column < FORWARD_ONLY ? FORWARD_LINKS : PAIRS); link = link + 1)
                begin
                    first = column < FORWARD_ONLY && link >= column / 2 ? 2 * link + 2 : 2 * link;
                    second = first + 1 < INPUTS ? first + 1 : first;
                    if (pair[column*PAIRS + first/2])
                        passing = (passing & read_word[(second*BANKS + column%BANKS)*WORD_STRIDE
                                +: WORD_BITS])
                            | (~passing & read_word[(first*BANKS + column%BANKS)*WORD_STRIDE
                                +: WORD_BITS]);
                end
                word[(chain*COLUMNS + column)*WORD_STRIDE +: WORD_BITS] = passing;
            end
    end
endmodule
