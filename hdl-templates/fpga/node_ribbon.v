// <$ name $>: <$ block $> on <$ title $>, side <$ side $> of a ribbon cable.
//
// Clock: <$ mhz $> MHz; a PLL makes it anew, and once more a quarter period later for the cable.
// Reset: button, 1 when pressed, and once after power-up.
// The node tests itself (node_test); serial line: <$ baud $> baud, 8 data bits, no parity, one stop bit.
<$ banner $>

module <$ name $> #(
    parameter BAUD_DIVIDER = <$ divider $>, // of <$ mhz $> MHz
    parameter RUN_CYCLES = <$ clock_hz $>
) (
    input  wire       clk,
    input  wire       button,
    input  wire       uart_rx, // nothing is listened to
    output wire       uart_tx,
    output wire       wifi_gpio0,
    output wire [3:0] led,
    output wire       ribbon_tx_clk,
    output wire       ribbon_tx_ctl,
    output wire [3:0] ribbon_tx_data,
    input  wire       ribbon_rx_clk,
    input  wire       ribbon_rx_ctl,
    input  wire [3:0] ribbon_rx_data
);
    localparam LENGTH = <$ length $>;
    localparam [8*LENGTH-1:0] TEXT = "<$ text $>\015\012";

    wire clock;
    wire clock_90;
    wire locked;

    assign wifi_gpio0 = 1'b1;

    // 600 MHz inside; the second output is 6 of 24 steps later.
    (* ICP_CURRENT="12" *) (* LPF_RESISTOR="8" *) (* MFG_ENABLE_FILTEROPAMP="1" *) (* MFG_GMCREF_SEL="2" *)
    EHXPLLL #(
        .CLKI_DIV(1),
        .CLKFB_DIV(1),
        .FEEDBK_PATH("CLKOP"),
        .CLKOP_ENABLE("ENABLED"),
        .CLKOP_DIV(24),
        .CLKOP_CPHASE(11),
        .CLKOP_FPHASE(0),
        .CLKOS_ENABLE("ENABLED"),
        .CLKOS_DIV(24),
        .CLKOS_CPHASE(17),
        .CLKOS_FPHASE(0)
    ) clocks (
        .RST(1'b0),
        .STDBY(1'b0),
        .CLKI(clk),
        .CLKFB(clock),
        .CLKOP(clock),
        .CLKOS(clock_90),
        .PHASESEL0(1'b0),
        .PHASESEL1(1'b0),
        .PHASEDIR(1'b1),
        .PHASESTEP(1'b1),
        .PHASELOADREG(1'b1),
        .PLLWAKESYNC(1'b0),
        .ENCLKOP(1'b0),
        .LOCK(locked)
    );
<%- include "fpga/node_power_up.v" %>

    wire [3:0]  light;
    wire        link_up;
    wire        line_tx_valid;
    wire        line_tx_ctl;
    wire [63:0] line_tx_data;
    wire        line_tx_ready;
    wire        line_rx_valid;
    wire        line_rx_ctl;
    wire [63:0] line_rx_data;
    wire        line_rx_up;

    assign led = light;

    link_ribbon line (
        .link_clk(clock),
        .link_clk_90(clock_90),
        .link_rst(rst),
        .line_tx_valid(line_tx_valid),
        .line_tx_ctl(line_tx_ctl),
        .line_tx_data(line_tx_data),
        .line_tx_ready(line_tx_ready),
        .line_rx_valid(line_rx_valid),
        .line_rx_ctl(line_rx_ctl),
        .line_rx_data(line_rx_data),
        .line_rx_up(line_rx_up),
        .ribbon_tx_clk(ribbon_tx_clk),
        .ribbon_tx_ctl(ribbon_tx_ctl),
        .ribbon_tx_data(ribbon_tx_data),
        .ribbon_rx_clk(ribbon_rx_clk),
        .ribbon_rx_ctl(ribbon_rx_ctl),
        .ribbon_rx_data(ribbon_rx_data)
    );
<%- include "fpga/node_test_host.v" %>
endmodule
