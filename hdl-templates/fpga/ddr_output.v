// ddr_output: one bit for each edge of the clock on a pin. `rise` is on the pin while the clock is
// high, `fall` while it is low, both one cycle after they were taken.
//
// A macro names the device's cell for this: MKNS_DDR_XILINX (UltraScale, UltraScale+: ODDRE1),
// MKNS_DDR_INTEL (up to Arria 10 and Cyclone 10: ALTDDIO_OUT), MKNS_DDR_GOWIN (ODDR). For ECP5 the
// module of hdl-templates/cells/ecp5_ddr_output.v stands in its place. Without any of these it is
// plain Verilog for simulators: there the clock itself is data of the pin, which makes glitches in a
// device, so that synthesis by Vivado or Quartus is refused.
// Reset: none. Latency of the cells: one or two cycles, the same at every pin.
<$ banner $>

module ddr_output (
    input  wire clk,
    input  wire rise,
    input  wire fall,
    output wire pin
);
`ifdef MKNS_DDR_XILINX
    ODDRE1 cell_1 (
        .C(clk), .D1(rise), .D2(fall), .SR(1'b0), .Q(pin)
    );
`elsif MKNS_DDR_INTEL
    altddio_out #(
        .width(1)
    ) cell_1 (
        .outclock(clk), .datain_h(rise), .datain_l(fall), .dataout(pin)
    );
`elsif MKNS_DDR_GOWIN
    wire unused_q1;

    ODDR cell_1 (
        .CLK(clk), .D0(rise), .D1(fall), .TX(1'b0), .Q0(pin), .Q1(unused_q1)
    );
`else
    // Yosys sets SYNTHESIS and YOSYS; its ECP5 flow reads another ddr_output.
`ifndef YOSYS
`ifdef SYNTHESIS
    illegal_synthesis_of_ddr_output_define_MKNS_DDR_XILINX_or_INTEL_or_GOWIN stop ();
`endif
`ifdef ALTERA_RESERVED_QIS
    illegal_synthesis_of_ddr_output_define_MKNS_DDR_XILINX_or_INTEL_or_GOWIN stop ();
`endif
`endif
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
`endif
endmodule
