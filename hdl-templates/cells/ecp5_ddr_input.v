// ddr_input in the cells of an ECP5: read instead of hdl-templates/fpga/ddr_input.v, whose text says what
// it does.
`default_nettype none

module ddr_input (
    input  wire clk,
    input  wire pin,
    output wire rise,
    output wire fall
);
    IDDRX1F cell_1 (
        .SCLK(clk),
        .RST(1'b0),
        .D(pin),
        .Q0(rise),
        .Q1(fall)
    );
endmodule

`default_nettype wire
