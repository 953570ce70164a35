// <$ name $>: <$ block $> on <$ title $>, its links on QSFP cages<% if pcie != "none" %>, its hosts behind PCIe<% endif %>.
//
// Clocks: <$ mhz $> MHz for the node; each link<% if pcie == "xdma" %> and the PCIe core have clocks<% else %> has a clock<% endif %> of its own.
// Reset: <$ reset_note $>, and until the clocks of all links run.
<%- if !cores.is_empty() %>
// Cores of Vivado, made by build.tcl: <$ cores $>.
<%- endif %>
<%- if pcie == "litepcie" %>
// litepcie_core is made by litepcie_gen of litepcie.yml.
<%- endif %>
<%- if has_test %>
// The node tests itself (node_test); serial line: <$ baud $> baud, 8 data bits, no parity, one stop bit.
<%- else %>
// Serial line: <$ baud $> baud, 8 data bits, no parity, one stop bit; the control ports behind it
// (register_bridge, `mkns manage --serial`): block 0 is this node's.
// LEDs: 0 beats, 1 all links are up<% if pcie == "xdma" %>, 2 PCIe is up<% endif %><% if pcie == "litepcie" %>, 2 a DMA channel is on<% endif %>.
<%- endif %>
<$ banner $>

module <$ name $> #(
    parameter BAUD_DIVIDER = <$ divider $><% if has_test || !aurora %>,<% endif %> // of <$ mhz $> MHz
<%- if has_test %>
    parameter RUN_CYCLES = <$ clock_hz $><% if !aurora %>,<% endif %>
<%- endif %>
<%- if !aurora %>
    parameter START_BITS = 15, // cycles until transceivers start, as a power of two
    parameter QUIET_BITS = 24  // and until a receiver without words begins anew
<%- endif %>
) (
    input  wire       clk_p,
    input  wire       clk_n,
<%- if has_button %>
    input  wire       button,
<%- endif %>
    input  wire       uart_rx,<% if has_test %> // nothing is listened to<% endif %>
    output wire       uart_tx,
<%- for (pin, _) in tied_pins %>
    output wire       <$ pin $>,
<%- endfor %>
    output wire [<$ last_led $>:0] led,
<%- if pcie != "none" %>
    input  wire       pcie_refclk_p,
    input  wire       pcie_refclk_n,
    input  wire       pcie_reset_n,
    input  wire [3:0] pcie_rx_p,
    input  wire [3:0] pcie_rx_n,
    output wire [3:0] pcie_tx_p,
    output wire [3:0] pcie_tx_n,
<%- endif %>
<%- for lane in lanes %>
<%- if lane.is_first %>
    input  wire       qsfp<$ lane.cage $>_refclk_p,
    input  wire       qsfp<$ lane.cage $>_refclk_n,
<%- endif %>
    input  wire       link<$ loop.index0 $>_rx_p,
    input  wire       link<$ loop.index0 $>_rx_n,
    output wire       link<$ loop.index0 $>_tx_p,
    output wire       link<$ loop.index0 $>_tx_n<% if !loop.last %>,<% endif %>
<%- endfor %>
);
    localparam LINKS = <$ lanes.len() $>;
<%- if has_test %>
    localparam LENGTH = <$ length $>;
    localparam [8*LENGTH-1:0] TEXT = "<$ text $>\015\012";
<%- endif %>

    wire clock;
    wire buffered;
<%- for (pin, level) in tied_pins %>

    assign <$ pin $> = <$ level $>;
<%- endfor %>

    IBUFDS clock_input (
        .I(clk_p),
        .IB(clk_n),
        .O(buffered)
    );

    BUFGCE_DIV #(
        .BUFGCE_DIVIDE(1)
    ) clock_buffer (
        .I(buffered),
        .CE(1'b1),
        .CLR(1'b0),
        .O(clock)
    );

    wire [LINKS-1:0] user_clk;
    wire [LINKS-1:0] not_locked;
    wire [LINKS-1:0] unstable; // the same in the node's clock

    generate
        genvar l;
        for (l = 0; l < LINKS; l = l + 1) begin : gen_lock
            bit_synchroniser #(
                .INITIAL(1'b1)
            ) lock_crossing (
                .clk(clock),
                .in(not_locked[l]),
                .out(unstable[l])
            );
        end
    endgenerate
<%- include "fpga/node_power_up.v" %>

    wire [LINKS-1:0]    link_up;
    wire [LINKS-1:0]    link_rst;
    wire [LINKS-1:0]    line_tx_valid;
    wire [LINKS-1:0]    line_tx_ctl;
    wire [64*LINKS-1:0] line_tx_data;
    wire [LINKS-1:0]    line_tx_ready;
    wire [LINKS-1:0]    line_rx_valid;
    wire [LINKS-1:0]    line_rx_ctl;
    wire [64*LINKS-1:0] line_rx_data;
    wire [LINKS-1:0]    line_rx_up;
<%- if aurora %>
<%- include "fpga/node_card_aurora.v" %>
<%- else %>
<%- include "fpga/node_card_10gbase_r.v" %>
<%- endif %>
<%- if has_test %>

    wire [3:0] light;

    assign led = light[<$ last_led $>:0];
<%- include "fpga/node_test_host.v" %>
<%- else %>
<%- if pcie == "xdma" %>
<%- include "fpga/node_card_xdma.v" %>
<%- endif %>
<%- if pcie == "litepcie" %>
<%- include "fpga/node_card_litepcie.v" %>
<%- endif %>
<%- include "fpga/node_card_control.v" %>
<%- endif %>
endmodule
