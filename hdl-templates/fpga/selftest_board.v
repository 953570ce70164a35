// <$ name $>: the self-test on <$ title $>.
//
// Clock: <$ clock_note $>.
// Reset: <$ reset_note $>, and once after power-up.
// Serial line: <$ baud $> baud, 8 data bits, no parity, one stop bit.
<$ banner $>

module <$ name $> #(
    parameter BAUD_DIVIDER = <$ divider $>, // of <$ mhz $> MHz
    parameter RUN_CYCLES = 1048576,
    parameter DRAIN_CYCLES = 8192
) (
<%- if differential %>
    input  wire       clk_p,
    input  wire       clk_n,
<%- else %>
    input  wire       clk,
<%- endif %>
<%- if has_reset %>
    input  wire       <$ reset_pin $>,
<%- endif %>
    input  wire       uart_rx,
    output wire       uart_tx,
<%- for (pin, _) in tied_pins %>
    output wire       <$ pin $>,
<%- endfor %>
    output wire [<$ last_led $>:0] led
);
    wire clock;
<%- if differential %>
    wire buffered;

    IBUFDS clock_input (
        .I(clk_p),
        .IB(clk_n),
        .O(buffered)
    );

    BUFGCE_DIV #(
        .BUFGCE_DIVIDE(<$ divide $>)
    ) clock_divider (
        .I(buffered),
        .CE(1'b1),
        .CLR(1'b0),
        .O(clock)
    );
<%- else %>

    assign clock = clk;
<%- endif %>
<%- for (pin, level) in tied_pins %>

    assign <$ pin $> = <$ level $>;
<%- endfor %>
<%- if has_reset %>

    // The button in the clock.
    wire level;
    wire pressed = <$ pressed $>;

    bit_synchroniser #(
        .INITIAL(1'b<$ pressed_level $>)
    ) button_crossing (
        .clk(clock),
        .in(<$ reset_pin $>),
        .out(level)
    );
<%- else %>

    wire pressed = 1'b0;
<%- endif %>
<%- if has_reset_release %>

    // High until the whole device is configured; made by build.tcl (Reset Release IP).
    wire ninit_done;
    wire unconfigured;

    reset_release release_of_reset (
        .ninit_done(ninit_done)
    );

    bit_synchroniser #(
        .INITIAL(1'b1)
    ) release_crossing (
        .clk(clock),
        .in(ninit_done),
        .out(unconfigured)
    );
<%- endif %>

    // Registers have their initial values after configuration; the counter then releases the reset.
    reg [4:0] power_up;
    reg       rst;

    initial begin
        power_up = 5'd0;
        rst      = 1'b1;
    end

    always @(posedge clock) begin
<%- if has_reset_release %>
        if (unconfigured)
            power_up <= 5'd0;
        else if (!power_up[4])
<%- else %>
        if (!power_up[4])
<%- endif %>
            power_up <= power_up + 5'd1;
        rst <= pressed || !power_up[4];
    end

    wire [3:0] light;

    assign led = <$ led_level $>;

    selftest #(
        .BAUD_DIVIDER(BAUD_DIVIDER),
        .RUN_CYCLES(RUN_CYCLES),
        .DRAIN_CYCLES(DRAIN_CYCLES)
    ) test (
        .clk(clock),
        .rst(rst),
        .serial_in(uart_rx),
        .serial_out(uart_tx),
        .led(light)
    );
endmodule
