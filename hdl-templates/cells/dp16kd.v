// DP16KD: block RAM of Lattice ECP5 as Yosys maps memories to it, for simulation of netlists.
//
// Written from the way in which Yosys uses the pins (techlibs/lattice/brams_map_16kd.v), whose own
// model of this cell has no behaviour; not checked against the maker's guide. Writes go through
// port A, reads through port B, without output registers; another use stops the simulation.
// Latency: read data one cycle after the address. A place that is read while it is written gives the
// complement of its old contents, so that a design that relies on either value is found.
`default_nettype none

module DP16KD #(
    parameter DATA_WIDTH_A = 18,
    parameter DATA_WIDTH_B = 18,
    parameter REGMODE_A = "NOREG",
    parameter REGMODE_B = "NOREG",
    parameter RESETMODE = "SYNC",
    parameter ASYNC_RESET_RELEASE = "SYNC",
    parameter CSDECODE_A = "0b000",
    parameter CSDECODE_B = "0b000",
    parameter WRITEMODE_A = "NORMAL",
    parameter WRITEMODE_B = "NORMAL",
    parameter CLKAMUX = "CLKA",
    parameter CLKBMUX = "CLKB",
    parameter GSR = "ENABLED",
    parameter [319:0] INITVAL_00 = 320'd0,
    parameter [319:0] INITVAL_01 = 320'd0,
    parameter [319:0] INITVAL_02 = 320'd0,
    parameter [319:0] INITVAL_03 = 320'd0,
    parameter [319:0] INITVAL_04 = 320'd0,
    parameter [319:0] INITVAL_05 = 320'd0,
    parameter [319:0] INITVAL_06 = 320'd0,
    parameter [319:0] INITVAL_07 = 320'd0,
    parameter [319:0] INITVAL_08 = 320'd0,
    parameter [319:0] INITVAL_09 = 320'd0,
    parameter [319:0] INITVAL_0A = 320'd0,
    parameter [319:0] INITVAL_0B = 320'd0,
    parameter [319:0] INITVAL_0C = 320'd0,
    parameter [319:0] INITVAL_0D = 320'd0,
    parameter [319:0] INITVAL_0E = 320'd0,
    parameter [319:0] INITVAL_0F = 320'd0,
    parameter [319:0] INITVAL_10 = 320'd0,
    parameter [319:0] INITVAL_11 = 320'd0,
    parameter [319:0] INITVAL_12 = 320'd0,
    parameter [319:0] INITVAL_13 = 320'd0,
    parameter [319:0] INITVAL_14 = 320'd0,
    parameter [319:0] INITVAL_15 = 320'd0,
    parameter [319:0] INITVAL_16 = 320'd0,
    parameter [319:0] INITVAL_17 = 320'd0,
    parameter [319:0] INITVAL_18 = 320'd0,
    parameter [319:0] INITVAL_19 = 320'd0,
    parameter [319:0] INITVAL_1A = 320'd0,
    parameter [319:0] INITVAL_1B = 320'd0,
    parameter [319:0] INITVAL_1C = 320'd0,
    parameter [319:0] INITVAL_1D = 320'd0,
    parameter [319:0] INITVAL_1E = 320'd0,
    parameter [319:0] INITVAL_1F = 320'd0,
    parameter [319:0] INITVAL_20 = 320'd0,
    parameter [319:0] INITVAL_21 = 320'd0,
    parameter [319:0] INITVAL_22 = 320'd0,
    parameter [319:0] INITVAL_23 = 320'd0,
    parameter [319:0] INITVAL_24 = 320'd0,
    parameter [319:0] INITVAL_25 = 320'd0,
    parameter [319:0] INITVAL_26 = 320'd0,
    parameter [319:0] INITVAL_27 = 320'd0,
    parameter [319:0] INITVAL_28 = 320'd0,
    parameter [319:0] INITVAL_29 = 320'd0,
    parameter [319:0] INITVAL_2A = 320'd0,
    parameter [319:0] INITVAL_2B = 320'd0,
    parameter [319:0] INITVAL_2C = 320'd0,
    parameter [319:0] INITVAL_2D = 320'd0,
    parameter [319:0] INITVAL_2E = 320'd0,
    parameter [319:0] INITVAL_2F = 320'd0,
    parameter [319:0] INITVAL_30 = 320'd0,
    parameter [319:0] INITVAL_31 = 320'd0,
    parameter [319:0] INITVAL_32 = 320'd0,
    parameter [319:0] INITVAL_33 = 320'd0,
    parameter [319:0] INITVAL_34 = 320'd0,
    parameter [319:0] INITVAL_35 = 320'd0,
    parameter [319:0] INITVAL_36 = 320'd0,
    parameter [319:0] INITVAL_37 = 320'd0,
    parameter [319:0] INITVAL_38 = 320'd0,
    parameter [319:0] INITVAL_39 = 320'd0,
    parameter [319:0] INITVAL_3A = 320'd0,
    parameter [319:0] INITVAL_3B = 320'd0,
    parameter [319:0] INITVAL_3C = 320'd0,
    parameter [319:0] INITVAL_3D = 320'd0,
    parameter [319:0] INITVAL_3E = 320'd0,
    parameter [319:0] INITVAL_3F = 320'd0
) (
    input  wire
        DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9,
        DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0,
    input  wire
        DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9,
        DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
    input  wire
        ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7,
        ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
    input  wire
        ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7,
        ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
    input  wire CLKA, CEA, OCEA, WEA, RSTA, CSA2, CSA1, CSA0,
    input  wire CLKB, CEB, OCEB, WEB, RSTB, CSB2, CSB1, CSB0,
    output wire
        DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9,
        DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0,
    output wire
        DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9,
        DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
);
    // Bits of a word of 36 below an access, from the low bits of its address.
    function [5:0] below;
        input integer width;
        input [4:0] address;
        begin
            below = width == 36 ? 6'd0 : 6'd18 * {5'd0, address[4]};
            if (width < 18)
                below = below + 6'd9 * {5'd0, address[3]};
            if (width < 9)
                below = below + {3'd0, address[2], address[1] && width < 4, address[0] && width < 2};
        end
    endfunction

    wire [13:0] write_address = {
        ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7,
        ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0
    };
    wire [13:0] read_address = {
        ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7,
        ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0
    };
    wire [35:0] write_data = {
        DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9,
        DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
        DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9,
        DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0
    };

    // Nine bits an enable; narrower accesses have none.
    wire [35:0] enables = {
        {9{write_address[3]}}, {9{write_address[2]}}, {9{write_address[1]}}, {9{write_address[0]}}
    };
    wire [35:0] mask = DATA_WIDTH_A == 36 ? enables
        : DATA_WIDTH_A == 18 ? {18'd0, enables[17:0]}
        : (36'd1 << DATA_WIDTH_A) - 36'd1;

    reg [35:0] memory [0:511];
    reg [35:0] read_word;
    reg [4:0] read_low;
    wire write = CEA & WEA & ~CSA2 & ~CSA1 & ~CSA0;
    wire read = CEB & ~CSB2 & ~CSB1 & ~CSB0;
    wire [35:0] written = mask << below(DATA_WIDTH_A, write_address[4:0]);
    // The place that is written, whatever of it is.
    wire [35:0] place_written = {36{write && |written && write_address[13:5] == read_address[13:5]}}
        & (((36'd1 << DATA_WIDTH_A) - 36'd1) << below(DATA_WIDTH_A, write_address[4:0]));

    // Contents at power-up: 16 places of 18 bits in each value, 20 bits apart.
    localparam [64*320-1:0] CONTENTS = {
        INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38,
        INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
        INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28,
        INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20,
        INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
        INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10,
        INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
        INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00
    };
    integer place;
    initial begin
        for (place = 0; place < 1024; place = place + 1)
            memory[place / 2][18 * (place % 2) +: 18] = CONTENTS[20 * place +: 18];
        if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CLKAMUX != "CLKA" || CLKBMUX != "CLKB")
        begin
            $display("DP16KD %m: no model of output registers and inverted clocks");
            $stop;
        end
    end

    always @(posedge CLKA)
        if (write)
            memory[write_address[13:5]] <= (memory[write_address[13:5]] & ~written)
                | ((write_data << below(DATA_WIDTH_A, write_address[4:0])) & written);

    always @(posedge CLKB) begin
        if (read) begin
            read_word <= memory[read_address[13:5]] ^ place_written;
            read_low <= read_address[4:0];
        end
        if (WEB | RSTB) begin
            $display("DP16KD %m: no model of writes and resets through port B");
            $stop;
        end
    end

    wire [35:0] shifted = read_word >> below(DATA_WIDTH_B, read_low);
    wire [35:0] whole = DATA_WIDTH_B == 36 ? read_word : {shifted[17:0], 18'd0};
    assign {
        DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9,
        DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0,
        DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9,
        DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0
    } = whole;
endmodule

`default_nettype wire
