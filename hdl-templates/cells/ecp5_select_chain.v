// select_chain in cells of the ECP5: what common/select_chain.v does, which it replaces where a
// block is mapped to that family, because synthesis finds neither of these multiplexers by itself.
// The first pairs of inputs are not passed one after the other: each has a LUT4 that chooses one of
// its two words, or gives `odd` when none of these pairs is selected, and multiplexers that lie
// behind the LUTs of a slice (PFUMX, L6MUX21) choose between the pairs. Four pairs take four LUT4 a
// bit as before, but one LUT4 and two multiplexers after each other instead of four LUT4.
// Of three links the third one follows as an ordinary link.
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
    input  wire                                look,        // for simulation only
    input  wire [COLUMNS*PAIRS-1:0]            pair,
    input  wire [COLUMNS-1:0]                  odd,
    input  wire [INPUTS*BANKS*WORD_STRIDE-1:0] read_word,
    output wire [COLUMNS*WORD_STRIDE-1:0]      word
);
    localparam LEAVES = LINKS >= 4 ? 4 : LINKS >= 2 ? 2 : 1;
    // A where C is 0, B where it is 1; C where D is 1.
    localparam [15:0] CHOOSE = 16'hF0CA;

    genvar column;
    genvar index;
    genvar link;
    generate
        for (column = 0; column < COLUMNS; column = column + 1) begin : gen_column
            wire [PAIRS-1:0] own = pair[column*PAIRS +: PAIRS];
            wire none = ~|own[LEAVES-1:0];
            for (index = 0; index < WORD_BITS; index = index + 1) begin : gen_bit
                wire [LEAVES-1:0] leaf;
                wire selected;
                for (link = 0; link < LEAVES; link = link + 1) begin : gen_leaf
                    localparam SECOND = 2 * link + 1 < INPUTS ? 2 * link + 1 : 2 * link;
                    LUT4 #(.INIT(CHOOSE)) choose (
                        .A(read_word[(2*link*BANKS + column%BANKS)*WORD_STRIDE + index]),
                        .B(read_word[(SECOND*BANKS + column%BANKS)*WORD_STRIDE + index]),
                        .C(odd[column]), .D(none), .Z(leaf[link])
                    );
                end
                if (LEAVES == 4) begin : gen_four
                    wire lower;
                    wire upper;
                    PFUMX low (.BLUT(leaf[0]), .ALUT(leaf[1]), .C0(own[1] | own[3]), .Z(lower));
                    PFUMX high (.BLUT(leaf[2]), .ALUT(leaf[3]), .C0(own[1] | own[3]), .Z(upper));
                    L6MUX21 both (.D0(lower), .D1(upper), .SD(own[2] | own[3]), .Z(selected));
                end else if (LEAVES == 2) begin : gen_two
                    PFUMX both (.BLUT(leaf[0]), .ALUT(leaf[1]), .C0(own[1]), .Z(selected));
                end else begin : gen_one
                    assign selected = leaf[0];
                end
                if (LINKS == 3) begin : gen_third
                    localparam SECOND = INPUTS > 5 ? 5 : 4;
                    assign word[column*WORD_STRIDE + index] = !own[2] ? selected
                        : selected
                            ? read_word[(SECOND*BANKS + column%BANKS)*WORD_STRIDE + index]
                            : read_word[(4*BANKS + column%BANKS)*WORD_STRIDE + index];
                end else begin : gen_last
                    assign word[column*WORD_STRIDE + index] = selected;
                end
            end
            assign word[column*WORD_STRIDE + WORD_BITS +: WORD_STRIDE - WORD_BITS]
                = {WORD_STRIDE-WORD_BITS{1'bx}};
        end
    endgenerate
endmodule

`default_nettype wire
