// ddr_input: the bits that a pin has at the two edges of a clock. `rise` and `fall` are those of a
// rising edge and of the falling edge behind it, from the next rising edge on.
//
// In plain Verilog, for simulators and devices without such a cell; for ECP5 the module of
// hdl-templates/cells/ecp5_ddr_input.v stands in its place.
// Reset: none.
<$ banner $>

module ddr_input (
    input  wire clk,
    input  wire pin,
    output reg  rise,
    output reg  fall
);
    reg rise_1;
    reg fall_1;

    always @(negedge clk)
        fall_1 <= pin;

    always @(posedge clk) begin
        rise_1 <= pin;
        rise   <= rise_1;
        fall   <= fall_1;
    end
endmodule
