// link_ribbon: the line of a link port on a ribbon cable between two boards without serial
// transceivers. Six wires each way: a clock, a control wire, four data wires, two bits per clock
// and wire; a word is 8 clocks (link_ribbon_transmitter).
//
// Towards the cable: link_clk_90 is link_clk a quarter period later; the cable's clock is made of
// it, so that its edges lie in the middle of the bits. The two cables' sides may have clocks of any
// phase; words that come in cross into link_clk (line_word_crossing).
// line_rx_up: words come. A cable that is not plugged holds its control wire at 0: the pins need
// pull-downs.
// Latency from line_tx to the peer's line_rx: 8 clocks of the word, 2 + 3 of the registers, 4 to 5
// of the crossing. Throughput: a word in 8 cycles; 25 MHz give 200 Mb/s.
// Reset: synchronous, active high, at least 8 cycles.
<$ banner $>

module link_ribbon (
    input  wire        link_clk,
    input  wire        link_clk_90,
    input  wire        link_rst,
    // the link port
    input  wire        line_tx_valid,
    input  wire        line_tx_ctl,
    input  wire [63:0] line_tx_data,
    output wire        line_tx_ready,
    output wire        line_rx_valid,
    output wire        line_rx_ctl,
    output wire [63:0] line_rx_data,
    output wire        line_rx_up,
    // the cable
    output wire        ribbon_tx_clk,
    output wire        ribbon_tx_ctl,
    output wire [3:0]  ribbon_tx_data,
    input  wire        ribbon_rx_clk,
    input  wire        ribbon_rx_ctl,
    input  wire [3:0]  ribbon_rx_data
);
    wire       tx_ctl_rise;
    wire       tx_ctl_fall;
    wire [3:0] tx_data_rise;
    wire [3:0] tx_data_fall;
    wire       rx_ctl_rise;
    wire       rx_ctl_fall;
    wire [3:0] rx_data_rise;
    wire [3:0] rx_data_fall;

    link_ribbon_transmitter transmitter (
        .clk(link_clk),
        .rst(link_rst),
        .valid(line_tx_valid),
        .ctl(line_tx_ctl),
        .data(line_tx_data),
        .ready(line_tx_ready),
        .ctl_rise(tx_ctl_rise),
        .ctl_fall(tx_ctl_fall),
        .data_rise(tx_data_rise),
        .data_fall(tx_data_fall)
    );

    ddr_output clock_pin (
        .clk(link_clk_90),
        .rise(1'b1),
        .fall(1'b0),
        .pin(ribbon_tx_clk)
    );

    generate
        genvar i;
        for (i = 0; i < 5; i = i + 1) begin : gen_wire
            if (i == 4) begin : gen_control
                ddr_output tx_pin (
                    .clk(link_clk), .rise(tx_ctl_rise), .fall(tx_ctl_fall), .pin(ribbon_tx_ctl)
                );
                ddr_input rx_pin (
                    .clk(ribbon_rx_clk), .pin(ribbon_rx_ctl), .rise(rx_ctl_rise), .fall(rx_ctl_fall)
                );
            end else begin : gen_data
                ddr_output tx_pin (
                    .clk(link_clk), .rise(tx_data_rise[i]), .fall(tx_data_fall[i]), .pin(ribbon_tx_data[i])
                );
                ddr_input rx_pin (
                    .clk(ribbon_rx_clk), .pin(ribbon_rx_data[i]), .rise(rx_data_rise[i]), .fall(rx_data_fall[i])
                );
            end
        end
    endgenerate

    // The reset in the clock of the cable.
    wire        rx_rst;
    wire        rx_valid;
    wire        rx_ctl;
    wire [63:0] rx_data;

    bit_synchroniser #(
        .INITIAL(1'b1)
    ) reset_crossing (
        .clk(ribbon_rx_clk),
        .in(link_rst),
        .out(rx_rst)
    );

    link_ribbon_receiver receiver (
        .clk(ribbon_rx_clk),
        .rst(rx_rst),
        .ctl_rise(rx_ctl_rise),
        .ctl_fall(rx_ctl_fall),
        .data_rise(rx_data_rise),
        .data_fall(rx_data_fall),
        .valid(rx_valid),
        .ctl(rx_ctl),
        .data(rx_data)
    );

    line_word_crossing crossing (
        .line_clk(ribbon_rx_clk),
        .line_rst(rx_rst),
        .valid(rx_valid),
        .ctl(rx_ctl),
        .data(rx_data),
        .link_clk(link_clk),
        .link_rst(link_rst),
        .line_rx_valid(line_rx_valid),
        .line_rx_ctl(line_rx_ctl),
        .line_rx_data(line_rx_data),
        .rx_up(line_rx_up)
    );
endmodule
