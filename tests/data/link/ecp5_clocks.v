// EHXPLLL of an ECP5 as far as the nodes use it: CLKOP is CLKI (times CLKFB_DIV), CLKOS a quarter period
// later; LOCK after some cycles.
`timescale 1ps/1ps

module EHXPLLL #(
    parameter CLKI_DIV = 1, CLKFB_DIV = 1, FEEDBK_PATH = "CLKOP",
    parameter CLKOP_ENABLE = "ENABLED", CLKOP_DIV = 24, CLKOP_CPHASE = 11, CLKOP_FPHASE = 0,
    parameter CLKOS_ENABLE = "DISABLED", CLKOS_DIV = 24, CLKOS_CPHASE = 11, CLKOS_FPHASE = 0
) (
    input  wire RST, STDBY, CLKI, CLKFB, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG,
    input  wire PLLWAKESYNC, ENCLKOP,
    output reg  CLKOP, CLKOS, LOCK
);
    time    last, period;
    integer edges;

    initial begin
        CLKOP = 0; CLKOS = 0; LOCK = 0; last = 0; period = 0; edges = 0;
    end

    always @(posedge CLKI) begin
        period = $time - last;
        last   = $time;
        edges  = edges + 1;
        LOCK  <= edges > 10;
    end

    always @(posedge CLKI) if (edges > 2) repeat (CLKFB_DIV) begin
        CLKOP = 1;
        CLKOS <= #(period / CLKFB_DIV * (CLKOS_CPHASE - CLKOP_CPHASE) / CLKOP_DIV) 1'b1;
        #(period / CLKFB_DIV / 2);
        CLKOP = 0;
        CLKOS <= #(period / CLKFB_DIV * (CLKOS_CPHASE - CLKOP_CPHASE) / CLKOP_DIV) 1'b0;
        if (CLKFB_DIV > 1) #(period / CLKFB_DIV / 2 - 1);
    end
endmodule
