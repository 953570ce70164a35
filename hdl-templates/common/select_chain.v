// select_chain: chains of two links by which the columns of a crossbar select a word.
// A link belongs to a pair of inputs. It passes on the word that comes in, unless its pair is
// selected: then every bit that comes in chooses between the two words of the pair. The first link
// of a chain gets `odd` in all bits, so links before the selected one pass on which word of the
// pair it is, and a chain without the selected pair gives `odd` in all bits. A link is one LUT4 a
// bit.
// While nobody looks the result is undefined, which costs no logic and spares simulators the work.
// Latency: combinational. Reset: none. Limits: CHAINS is half of PAIRS, rounded up.
<$ banner $>
`default_nettype none

module select_chain #(
    parameter INPUTS = 10,
    parameter COLUMNS = 10,
    parameter WORD_BITS = 66,
    parameter WORD_STRIDE = 96,
    parameter BANKS = 2,
    parameter PAIRS = 5,
    parameter CHAINS = 3
) (
    input  wire                                   look,        // `word` is used
    input  wire [COLUMNS*PAIRS-1:0]               pair,        // one-hot or 0
    input  wire [COLUMNS-1:0]                     odd,         // the second input of the pair
    input  wire [INPUTS*BANKS*WORD_STRIDE-1:0]    read_word,   // as in crossbar
    output reg  [CHAINS*COLUMNS*WORD_STRIDE-1:0]  word         // by chain, then by column
);
    integer column;
    integer chain;
    integer link;
    integer second;

    always @* begin : select
        reg [WORD_BITS-1:0] passing;

        word = {CHAINS*COLUMNS*WORD_STRIDE{1'bx}};
        passing = {WORD_BITS{1'bx}};
        column = 0;
        chain = 0;
        link = 0;
        second = 0;
        if (look) for (column = 0; column < COLUMNS; column = column + 1)
            for (chain = 0; chain < CHAINS; chain = chain + 1) begin
                passing = {WORD_BITS{odd[column]}};
                for (link = 2 * chain; link < 2 * chain + 2 && link < PAIRS; link = link + 1) begin
                    second = 2 * link + 1 < INPUTS ? 2 * link + 1 : 2 * link;
                    if (pair[column*PAIRS + link])
                        passing = (passing & read_word[(second*BANKS + column%BANKS)*WORD_STRIDE
                                +: WORD_BITS])
                            | (~passing & read_word[(2*link*BANKS + column%BANKS)*WORD_STRIDE
                                +: WORD_BITS]);
                end
                word[(chain*COLUMNS + column)*WORD_STRIDE +: WORD_BITS] = passing;
            end
    end
endmodule

`default_nettype wire
