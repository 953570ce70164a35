// select_chain: the first links of the chains by which the columns of a crossbar select a word.
// A link belongs to a pair of inputs. It passes on the word that comes in, unless its pair is
// selected: then every bit that comes in chooses between the two words of the pair. The first link
// gets `odd` in all bits, so all links before the selected one pass on which word of the pair it
// is. A link is one LUT4 a bit; longer chains of one module are torn open again by synthesis.
// While nobody looks the result is undefined, which costs no logic and spares simulators the work.
// Latency: combinational. Reset: none. Limits: LINKS 1..4, at most PAIRS.
<$ banner $>
`default_nettype none

module select_chain #(
    parameter INPUTS = 10,
    parameter COLUMNS = 10,
    parameter WORD_BITS = 66,
    parameter WORD_STRIDE = 96,
    parameter BANKS = 2,
    parameter PAIRS = 5,
    parameter LINKS = 4
) (
    input  wire                                look,        // `word` is used
    input  wire [COLUMNS*PAIRS-1:0]            pair,        // one-hot or 0
    input  wire [COLUMNS-1:0]                  odd,         // the second input of the pair
    input  wire [INPUTS*BANKS*WORD_STRIDE-1:0] read_word,   // as in crossbar
    output reg  [COLUMNS*WORD_STRIDE-1:0]      word         // `odd` in every bit: pair of no link
);
    integer column;
    integer link;
    integer second;

    always @* begin : select
        reg [WORD_BITS-1:0] passing;

        word = {COLUMNS*WORD_STRIDE{1'bx}};
        passing = {WORD_BITS{1'bx}};
        column = 0;
        link = 0;
        second = 0;
        if (look) for (column = 0; column < COLUMNS; column = column + 1) begin
            passing = {WORD_BITS{odd[column]}};
            for (link = 0; link < LINKS; link = link + 1) begin
                second = 2 * link + 1 < INPUTS ? 2 * link + 1 : 2 * link;
                if (pair[column*PAIRS + link])
                    passing = (passing & read_word[(second*BANKS + column%BANKS)*WORD_STRIDE
                            +: WORD_BITS])
                        | (~passing & read_word[(2*link*BANKS + column%BANKS)*WORD_STRIDE
                            +: WORD_BITS]);
            end
            word[column*WORD_STRIDE +: WORD_BITS] = passing;
        end
    end
endmodule

`default_nettype wire
