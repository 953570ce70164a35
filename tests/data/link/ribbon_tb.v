// Two link_ribbon at the ends of a cable, each with its own clock; random words both ways.
// +period_a= +period_b= (ps), +skew= (ps that data wires lag the clock), +cycles=, +flip= (one bit in so
// many edges of the data wires is wrong), +unplug= (cycle at which side a's cable is pulled for 20,000).
`timescale 1ps/1ps
`default_nettype none

module ribbon_tb;
    integer period_a, period_b;
    integer skew, cycles, flip, unplug, seed;
    reg  [1:0] clk, clk_90, rst;
    reg        enable;
    reg        plugged;
    wire [1:0] up;
    wire [1:0] wire_clk, wire_ctl;
    wire [3:0] wire_data [0:1];
    reg  [1:0] far_clk, far_ctl;
    reg  [3:0] far_data [0:1];
    wire [31:0] sent [0:1], received [0:1], missing [0:1], wrong [0:1];
    reg  [3:0] error;

    initial begin
        period_a = 40000; period_b = 40000; skew = 0; cycles = 20000; flip = 0; unplug = 0; seed = 5;
        if ($value$plusargs("period_a=%d", period_a)) ;
        if ($value$plusargs("period_b=%d", period_b)) ;
        if ($value$plusargs("skew=%d", skew)) ;
        if ($value$plusargs("cycles=%d", cycles)) ;
        if ($value$plusargs("flip=%d", flip)) ;
        if ($value$plusargs("unplug=%d", unplug)) ;
        clk = 0; clk_90 = 0; rst = 3; enable = 1; plugged = 1; error = 0;
        repeat (16) @(posedge clk[0]);
        rst = 0;
        if (unplug != 0) begin
            repeat (unplug) @(posedge clk[0]);
            plugged = 0;
            repeat (20000) @(posedge clk[0]);
            if (up != 2'b01) $display("FAULT up %b while unplugged", up);
            plugged = 1;
        end
        repeat (cycles) @(posedge clk[0]);
        enable = 0;
        repeat (200) @(posedge clk[0]);
        if (up != 2'b11) $display("FAULT up %b", up);
        $display("a sent %0d b received %0d missing %0d wrong %0d", sent[0], received[0], missing[0], wrong[0]);
        $display("b sent %0d a received %0d missing %0d wrong %0d", sent[1], received[1], missing[1], wrong[1]);
        $finish;
    end

    genvar s;
    generate for (s = 0; s < 2; s = s + 1) begin : side
        always begin
            #((s == 0 ? period_a : period_b) / 4) clk_90[s] = 1'b0;
            #((s == 0 ? period_a : period_b) / 4) clk[s] = 1'b1;
            #((s == 0 ? period_a : period_b) / 4) clk_90[s] = 1'b1;
            #((s == 0 ? period_a : period_b) / 4) clk[s] = 1'b0;
        end

        wire valid, ctl, ready, rx_valid, rx_ctl;
        wire [63:0] data, rx_data;

        word_source #(.SIDE(s)) source (
            .clk(clk[s]), .rst(rst[s]), .enable(enable),
            .valid(valid), .ctl(ctl), .data(data), .ready(ready), .sent(sent[s])
        );
        link_ribbon wrapper (
            .link_clk(clk[s]), .link_clk_90(clk_90[s]), .link_rst(rst[s]),
            .line_tx_valid(valid), .line_tx_ctl(ctl), .line_tx_data(data), .line_tx_ready(ready),
            .line_rx_valid(rx_valid), .line_rx_ctl(rx_ctl), .line_rx_data(rx_data), .line_rx_up(up[s]),
            .ribbon_tx_clk(wire_clk[s]), .ribbon_tx_ctl(wire_ctl[s]), .ribbon_tx_data(wire_data[s]),
            .ribbon_rx_clk(far_clk[1-s]), .ribbon_rx_ctl(far_ctl[1-s]), .ribbon_rx_data(far_data[1-s])
        );
        word_sink #(.SIDE(1-s)) sink (
            .clk(clk[s]), .rst(rst[s]), .valid(rx_valid), .ctl(rx_ctl), .data(rx_data),
            .received(received[1-s]), .missing(missing[1-s]), .wrong(wrong[1-s])
        );

        // The cable: 3 ns, data wires later by `skew`; the wires of side a's transmitter can be pulled.
        always @(wire_clk[s] or plugged) far_clk[s] <= #3000 wire_clk[s] && (plugged || s == 1);
        always @(wire_ctl[s] or plugged) far_ctl[s] <= #(3000 + skew) wire_ctl[s] && (plugged || s == 1);
        always @(wire_data[s] or error) far_data[s] <= #(3000 + skew) wire_data[s] ^ error;
    end endgenerate

    // An error lasts for the time of one bit.
    always @(posedge clk_90[0] or negedge clk_90[0]) begin
        error = 0;
        if (flip != 0 && ($random(seed) & 32'h7FFFFFFF) % flip == 0)
            error[$random(seed) & 3] = 1'b1;
    end
endmodule

`default_nettype wire
