// Two cards with a node each and a cable of one lane between them; clocks 200 ppm apart. Prints what they say.
// The transceivers are models on the level of bits: header first, highest bit first, one every UI. The receiver counts
// bits between edges, begins its blocks anywhere and a bit later after a slip, and its clock is the line's. A receiver that
// saw no edge for 2 us sees noise only, until it is restarted.
// +lines= (to be said by each), +flip= (every 40th block from a to b has a wrong bit), +pull= (ns at which the cable from a
// to b is pulled for 40 us, 0: never).
`timescale 1ps/1ps
`default_nettype none

module gty_0 (
    input  wire        gtrefclk00_in,
    output wire        qpll0outclk_out, qpll0outrefclk_out, qpll0lock_out,
    input  wire        gtyrxp_in, gtyrxn_in, gtwiz_reset_clk_freerun_in, gtwiz_reset_all_in,
    input  wire        gtwiz_reset_tx_pll_and_datapath_in, gtwiz_reset_tx_datapath_in,
    input  wire        gtwiz_reset_rx_pll_and_datapath_in, gtwiz_reset_rx_datapath_in,
    input  wire        gtwiz_userclk_tx_reset_in, gtwiz_userclk_rx_reset_in, rxgearboxslip_in,
    input  wire [63:0] gtwiz_userdata_tx_in,
    input  wire [5:0]  txheader_in,
    input  wire [6:0]  txsequence_in,
    output reg         gtytxp_out,
    output wire        gtytxn_out, gtwiz_reset_rx_cdr_stable_out,
    output reg         gtwiz_reset_tx_done_out,
    output wire        gtwiz_reset_rx_done_out, gtwiz_userclk_tx_srcclk_out, gtwiz_userclk_tx_usrclk_out,
    output wire        gtwiz_userclk_tx_usrclk2_out, gtwiz_userclk_tx_active_out, gtwiz_userclk_rx_srcclk_out,
    output wire        gtwiz_userclk_rx_usrclk_out,
    output reg         gtwiz_userclk_rx_usrclk2_out,
    output wire        gtwiz_userclk_rx_active_out,
    output reg  [63:0] gtwiz_userdata_rx_out,
    output reg  [5:0]  rxheader_out,
    output wire [1:0]  rxheadervalid_out, rxdatavalid_out, rxstartofseq_out,
    output wire        gtpowergood_out, txpmaresetdone_out, txprgdivresetdone_out, rxpmaresetdone_out,
    output wire        rxprgdivresetdone_out
);
    localparam real UI = 6400.0 / 66.0;

    // The reference clock has the line's rate by 66, as its PLL makes of it.
    assign gtwiz_userclk_tx_usrclk2_out = gtrefclk00_in;
    assign gtytxn_out = !gtytxp_out;

    initial begin
        gtytxp_out = 0;
        gtwiz_reset_tx_done_out = 0;
        gtwiz_userclk_rx_usrclk2_out = 0;
    end

    reg [65:0] going;
    integer    sent;

    always @(posedge gtrefclk00_in) begin
        gtwiz_reset_tx_done_out <= !gtwiz_reset_all_in;
        going = gtwiz_reset_all_in ? 66'd0 : {txheader_in[1:0], gtwiz_userdata_tx_in};
        for (sent = 0; sent < 66; sent = sent + 1)
            gtytxp_out <= #(sent * 6400 / 66) going[65 - sent];
    end

    real       last;
    integer    bits, count, skipped;
    reg        stuck, slips;
    reg [65:0] come;

    initial begin
        last = 0; count = 17; stuck = 0; slips = 0; come = 0;
        rxheader_out = 0; gtwiz_userdata_rx_out = 0;
    end

    always @(posedge rxgearboxslip_in) slips = 1;

    always @(gtyrxp_in) begin
        bits = ($realtime - last) / UI;
        last = $realtime;
        if (bits > 20_000) stuck = 1;
        // the level before this edge
        for (skipped = 0; skipped < bits && bits <= 20_000; skipped = skipped + 1) begin
            come = {come[64:0], !gtyrxp_in};
            if (slips && count == 0) slips = 0;
            else count = count + 1;
            if (count == 66) begin
                count = 0;
                {rxheader_out[1:0], gtwiz_userdata_rx_out} = stuck ? {66{1'b1}} : come;
                gtwiz_userclk_rx_usrclk2_out = 0;
                #1 gtwiz_userclk_rx_usrclk2_out = 1;
            end
        end
    end

    always @(posedge gtwiz_reset_clk_freerun_in)
        if (gtwiz_reset_rx_datapath_in) stuck = 0;
endmodule

module card_nodes_tb;
    integer     lines, flip, pull, blocks;
    reg         clk_a, clk_b, ref_a, ref_b, pulled;
    wire        line_a, line_b, a_p, b_p;
    wire [31:0] lines_a, lines_b;
    reg         at_b;

    initial begin
        lines = 2; flip = 0; pull = 0; pulled = 0; blocks = 0;
        clk_a = 0; clk_b = 0; ref_a = 0; ref_b = 0;
        if ($value$plusargs("lines=%d", lines)) ;
        if ($value$plusargs("flip=%d", flip)) ;
        if ($value$plusargs("pull=%d", pull)) ;
        #1 wait (lines_a >= lines && lines_b >= lines);
        $finish;
    end

    initial #2_000_000_000 begin
        $display("FAULT nothing is said");
        $finish;
    end

    always #4000 clk_a = !clk_a;
    initial #700 forever #4001 clk_b = !clk_b;
    always #3200 ref_a = !ref_a;
    initial #1700 forever #3201 ref_b = !ref_b;

    initial begin
        #1 if (pull != 0) begin
            repeat (pull) #1000;
            pulled = 1;
            #40_000_000 pulled = 0;
        end
    end

    always @(posedge ref_a) blocks = blocks + 1;
    always @(a_p or pulled or blocks)
        at_b <= #5000 (a_p ^ (flip != 0 && blocks % 40 == 0)) && !pulled;

    terminal #(.BOARD("a"), .PERIOD(16000)) terminal_a (.line(line_a), .lines(lines_a));
    terminal #(.BOARD("b"), .PERIOD(16000)) terminal_b (.line(line_b), .lines(lines_b));

    node_ab_0_0_0_0 #(.BAUD_DIVIDER(2), .RUN_CYCLES(2000), .START_BITS(6), .QUIET_BITS(11)) board_a (
        .clk_p(clk_a), .clk_n(!clk_a), .button(1'b0), .uart_rx(1'b1), .uart_tx(line_a), .led(),
        .qsfp0_refclk_p(ref_a), .qsfp0_refclk_n(!ref_a),
        .link0_rx_p(b_p), .link0_rx_n(!b_p), .link0_tx_p(a_p), .link0_tx_n()
    );
    node_ab_1_0_0_0 #(.BAUD_DIVIDER(2), .RUN_CYCLES(2000), .START_BITS(6), .QUIET_BITS(11)) board_b (
        .clk_p(clk_b), .clk_n(!clk_b), .button(1'b0), .uart_rx(1'b1), .uart_tx(line_b), .led(),
        .qsfp0_refclk_p(ref_b), .qsfp0_refclk_n(!ref_b),
        .link0_rx_p(at_b), .link0_rx_n(!at_b), .link0_tx_p(b_p), .link0_tx_n()
    );
endmodule

`default_nettype wire
