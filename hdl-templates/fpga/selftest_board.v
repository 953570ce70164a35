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

    // Registers have their initial values after configuration; the counter then releases the reset.
    reg [4:0] power_up;
    reg [1:0] pressed;
    reg       rst;

    initial begin
        power_up = 5'd0;
        pressed  = 2'b11;
        rst      = 1'b1;
    end

    always @(posedge clock) begin
        pressed <= {pressed[0], <$ reset_level $>};
        if (!power_up[4])
            power_up <= power_up + 5'd1;
        rst <= pressed[1] || !power_up[4];
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
