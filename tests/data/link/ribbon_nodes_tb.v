// Two boards with a node each and a ribbon between them; clocks 200 ppm apart. Prints what they say.
// +lines= (to be said by each), +flip= (data wire 2 from a to b is upside down), +pull= (ns at which the
// cable from a to b is pulled for 400 us, 0: never).
`timescale 1ps/1ps
`default_nettype none

module ribbon_nodes_tb;
    integer     lines, flip, pull;
    reg         clk_a, clk_b, pulled;
    wire        line_a, line_b;
    wire [31:0] lines_a, lines_b;
    wire [3:0]  led_a, led_b;
    wire        a_clk, a_ctl, b_clk, b_ctl;
    wire [3:0]  a_data, b_data;
    reg         at_a_clk, at_a_ctl, at_b_clk, at_b_ctl;
    reg  [3:0]  at_a_data, at_b_data;

    initial begin
        lines = 2; flip = 0; pull = 0; pulled = 0; clk_a = 0; clk_b = 0;
        if ($value$plusargs("lines=%d", lines)) ;
        if ($value$plusargs("flip=%d", flip)) ;
        if ($value$plusargs("pull=%d", pull)) ;
        #1 wait (lines_a >= lines && lines_b >= lines);
        $finish;
    end

    initial #2_000_000_000 begin
        #2_000_000_000 $display("FAULT nothing is said");
        $finish;
    end

    always #20000 clk_a = !clk_a;
    initial #7000 forever #20004 clk_b = !clk_b;

    initial begin
        #1 if (pull != 0) begin
            repeat (pull) #1000;
            pulled = 1;
            #400_000_000 pulled = 0;
        end
    end

    // 1 m of cable, 5 ns
    always @(a_clk or pulled) at_b_clk <= #5000 a_clk && !pulled;
    always @(a_ctl or pulled) at_b_ctl <= #5100 a_ctl && !pulled;
    always @(a_data or pulled) at_b_data <= #5600 (a_data ^ (flip ? 4'b0100 : 4'b0000)) & {4{!pulled}};
    always @(b_clk) at_a_clk <= #5000 b_clk;
    always @(b_ctl) at_a_ctl <= #4700 b_ctl;
    always @(b_data) at_a_data <= #5400 b_data;

    terminal #(.BOARD("a")) terminal_a (.line(line_a), .lines(lines_a));
    terminal #(.BOARD("b")) terminal_b (.line(line_b), .lines(lines_b));

    node_ab_0_0_0_0 #(.BAUD_DIVIDER(4), .RUN_CYCLES(5000)) board_a (
        .clk(clk_a), .button(1'b0), .uart_rx(1'b1), .uart_tx(line_a), .wifi_gpio0(), .led(led_a),
        .ribbon_tx_clk(a_clk), .ribbon_tx_ctl(a_ctl), .ribbon_tx_data(a_data),
        .ribbon_rx_clk(at_a_clk), .ribbon_rx_ctl(at_a_ctl), .ribbon_rx_data(at_a_data)
    );
    node_ab_1_0_0_0 #(.BAUD_DIVIDER(4), .RUN_CYCLES(5000)) board_b (
        .clk(clk_b), .button(1'b0), .uart_rx(1'b1), .uart_tx(line_b), .wifi_gpio0(), .led(led_b),
        .ribbon_tx_clk(b_clk), .ribbon_tx_ctl(b_ctl), .ribbon_tx_data(b_data),
        .ribbon_rx_clk(at_b_clk), .ribbon_rx_ctl(at_b_ctl), .ribbon_rx_data(at_b_data)
    );
endmodule

`default_nettype wire
