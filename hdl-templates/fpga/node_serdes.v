// <$ name $>: <$ block $> on <$ title $>, its link on a serial transceiver of the FPGA.
//
// Clocks: <$ mhz $> MHz, of which a PLL makes <$ core_mhz $> MHz for the node; 200 MHz for the transceiver, 2 Gb/s.
// Reset: button_n, 0 when pressed, and once after power-up.
// The node tests itself (node_test); serial line: <$ baud $> baud, 8 data bits, no parity, one stop bit.
<$ banner $>

module <$ name $> #(
    parameter BAUD_DIVIDER = <$ divider $>, // of <$ core_mhz $> MHz
    parameter RUN_CYCLES = <$ clock_hz $>
) (
    input  wire       clk,
    input  wire       button_n,
    input  wire       uart_rx, // nothing is listened to
    output wire       uart_tx,
    output wire [3:0] led,
    input  wire       refclk_p,
    input  wire       refclk_n,
    input  wire       serial_rx_p,
    input  wire       serial_rx_n,
    output wire       serial_tx_p,
    output wire       serial_tx_n
);
    localparam LENGTH = <$ length $>;
    localparam [8*LENGTH-1:0] TEXT = "<$ text $>\015\012";

    wire clock;
    wire locked;

    // 612 MHz inside.
    (* ICP_CURRENT="12" *) (* LPF_RESISTOR="8" *) (* MFG_ENABLE_FILTEROPAMP="1" *) (* MFG_GMCREF_SEL="2" *)
    EHXPLLL #(
        .CLKI_DIV(1),
        .CLKFB_DIV(3),
        .FEEDBK_PATH("CLKOP"),
        .CLKOP_ENABLE("ENABLED"),
        .CLKOP_DIV(17),
        .CLKOP_CPHASE(8),
        .CLKOP_FPHASE(0)
    ) clocks (
        .RST(1'b0),
        .STDBY(1'b0),
        .CLKI(clk),
        .CLKFB(clock),
        .CLKOP(clock),
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
    // Kept by name: board.lpf gives their rates.
    (* keep *) wire tx_clk;
    wire [15:0] tx_symbols;
    wire [1:0]  tx_is_k;
    (* keep *) wire rx_clk;
    wire        rx_ready;
    wire [15:0] rx_symbols;
    wire [1:0]  rx_is_k;

    assign led = ~light;

    link_8b10b line (
        .link_clk(clock),
        .link_rst(rst),
        .line_tx_valid(line_tx_valid),
        .line_tx_ctl(line_tx_ctl),
        .line_tx_data(line_tx_data),
        .line_tx_ready(line_tx_ready),
        .line_rx_valid(line_rx_valid),
        .line_rx_ctl(line_rx_ctl),
        .line_rx_data(line_rx_data),
        .line_rx_up(line_rx_up),
        .tx_clk(tx_clk),
        .tx_symbols(tx_symbols),
        .tx_is_k(tx_is_k),
        .rx_clk(rx_clk),
        .rx_ready(rx_ready),
        .rx_symbols(rx_symbols),
        .rx_is_k(rx_is_k)
    );

    ecp5_serdes serdes (
        .clk(clock),
        .rst(rst),
        .refclk_p(refclk_p),
        .refclk_n(refclk_n),
        .serial_rx_p(serial_rx_p),
        .serial_rx_n(serial_rx_n),
        .serial_tx_p(serial_tx_p),
        .serial_tx_n(serial_tx_n),
        .tx_clk(tx_clk),
        .tx_symbols(tx_symbols),
        .tx_is_k(tx_is_k),
        .rx_clk(rx_clk),
        .rx_ready(rx_ready),
        .rx_symbols(rx_symbols),
        .rx_is_k(rx_is_k)
    );
<%- include "fpga/node_test_host.v" %>
endmodule
