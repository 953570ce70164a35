// ddr_output in the cells of an ECP5: read instead of hdl-templates/fpga/ddr_output.v, whose text says
// what it does.
`default_nettype none

module ddr_output (
    input  wire clk,
    input  wire rise,
    input  wire fall,
    output wire pin
);
    ODDRX1F cell_1 (
        .SCLK(clk),
        .RST(1'b0),
        .D0(rise),
        .D1(fall),
        .Q(pin)
    );
endmodule

`default_nettype wire
