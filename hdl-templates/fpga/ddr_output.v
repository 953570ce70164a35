// ddr_output: one bit for each edge of the clock on a pin. `rise` is on the pin while the clock is
// high, `fall` while it is low, both one cycle after they were taken.
//
// In plain Verilog, for simulators and devices without such a cell; for ECP5 the module of
// hdl-templates/cells/ecp5_ddr_output.v stands in its place.
// Reset: none.
<$ banner $>

module ddr_output (
    input  wire clk,
    input  wire rise,
    input  wire fall,
    output wire pin
);
    reg rise_1;
    reg fall_1;
    reg fall_2;

    always @(posedge clk) begin
        rise_1 <= rise;
        fall_1 <= fall;
    end

    // Changes while the clock is high, when the pin shows the other bit.
    always @(negedge clk)
        fall_2 <= fall_1;

    assign pin = clk ? rise_1 : fall_2;
endmodule
