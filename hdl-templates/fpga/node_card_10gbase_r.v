

    // The transceivers of a cage share the PLL of its first one. They start when the free clock has run for a while.
    reg [START_BITS:0] start;
    wire               gt_reset = !start[START_BITS];

    initial start = {(START_BITS + 1){1'b0}};

    always @(posedge clock)
        if (gt_reset)
            start <= start + 1'b1;

    wire [LINKS-1:0]    rx_clk;
    wire [LINKS-1:0]    rx_restart;
    wire [LINKS-1:0]    bitslip;
    wire [LINKS-1:0]    tx_done;
    wire [64*LINKS-1:0] serdes_tx_data;
    wire [2*LINKS-1:0]  serdes_tx_hdr;
    wire [64*LINKS-1:0] serdes_rx_data;
    wire [2*LINKS-1:0]  serdes_rx_hdr;
    wire [64*LINKS-1:0] gt_tx_data;
    wire [2*LINKS-1:0]  gt_tx_hdr;
    wire [64*LINKS-1:0] gt_rx_data;
    wire [2*LINKS-1:0]  gt_rx_hdr;
    wire [4*LINKS-1:0]  gt_rx_hdr_unused;

    assign not_locked = ~tx_done;

    // Registers, because receiver_watch takes them into another clock.
    reg [LINKS-1:0] words_come;

    generate
        genvar i, n;
        for (i = 0; i < LINKS; i = i + 1) begin : gen_line
            bit_synchroniser #(
                .INITIAL(1'b1)
            ) reset_crossing (
                .clk(user_clk[i]),
                .in(rst),
                .out(link_rst[i])
            );

            link_10gbase_r line (
                .tx_clk(user_clk[i]),
                .tx_rst(link_rst[i]),
                .rx_clk(rx_clk[i]),
                .serdes_tx_data(serdes_tx_data[64*i +: 64]),
                .serdes_tx_hdr(serdes_tx_hdr[2*i +: 2]),
                .serdes_rx_data(serdes_rx_data[64*i +: 64]),
                .serdes_rx_hdr(serdes_rx_hdr[2*i +: 2]),
                .serdes_rx_bitslip(bitslip[i]),
                .line_tx_valid(line_tx_valid[i]),
                .line_tx_ctl(line_tx_ctl[i]),
                .line_tx_data(line_tx_data[64*i +: 64]),
                .line_tx_ready(line_tx_ready[i]),
                .line_rx_valid(line_rx_valid[i]),
                .line_rx_ctl(line_rx_ctl[i]),
                .line_rx_data(line_rx_data[64*i +: 64]),
                .line_rx_up(line_rx_up[i])
            );

            always @(posedge user_clk[i])
                words_come[i] <= line_rx_up[i];

            receiver_watch #(
                .QUIET_BITS(QUIET_BITS)
            ) watch (
                .clk(clock),
                .rst(rst),
                .up(words_come[i]),
                .restart(rx_restart[i])
            );

            // The transceiver's gearbox sends the highest bit first.
            for (n = 0; n < 64; n = n + 1) begin : gen_data
                assign gt_tx_data[64*i + n]     = serdes_tx_data[64*i + 63 - n];
                assign serdes_rx_data[64*i + n] = gt_rx_data[64*i + 63 - n];
            end
            for (n = 0; n < 2; n = n + 1) begin : gen_header
                assign gt_tx_hdr[2*i + n]     = serdes_tx_hdr[2*i + 1 - n];
                assign serdes_rx_hdr[2*i + n] = gt_rx_hdr[2*i + 1 - n];
            end
        end
    endgenerate
<%- for lane in lanes %>
<%- if lane.is_first %>

    wire gt_refclk_<$ lane.cage $>;
    wire pll_clk_<$ lane.cage $>;
    wire pll_refclk_<$ lane.cage $>;
    wire pll_lock_<$ lane.cage $>;
    wire gt_refclk_half_<$ lane.cage $>;

    IBUFDS_GTE4 #(
        .REFCLK_HROW_CK_SEL(2'b00)
    ) cage_clock_<$ lane.cage $> (
        .I(qsfp<$ lane.cage $>_refclk_p),
        .IB(qsfp<$ lane.cage $>_refclk_n),
        .CEB(1'b0),
        .O(gt_refclk_<$ lane.cage $>),
        .ODIV2(gt_refclk_half_<$ lane.cage $>)
    );
<%- endif %>

    // Lane <$ lane.gt $>.
    gty_<$ loop.index0 $> transceiver_<$ loop.index0 $> (
        .gtyrxp_in(link<$ loop.index0 $>_rx_p),
        .gtyrxn_in(link<$ loop.index0 $>_rx_n),
        .gtytxp_out(link<$ loop.index0 $>_tx_p),
        .gtytxn_out(link<$ loop.index0 $>_tx_n),
<%- if lane.is_first %>
        .gtrefclk00_in(gt_refclk_<$ lane.cage $>),
        .qpll0outclk_out(pll_clk_<$ lane.cage $>),
        .qpll0outrefclk_out(pll_refclk_<$ lane.cage $>),
        .qpll0lock_out(pll_lock_<$ lane.cage $>),
<%- else %>
        .qpll0clk_in(pll_clk_<$ lane.cage $>),
        .qpll0refclk_in(pll_refclk_<$ lane.cage $>),
        .qpll1clk_in(1'b0),
        .qpll1refclk_in(1'b0),
        .gtwiz_reset_qpll0lock_in(pll_lock_<$ lane.cage $>),
        .gtwiz_reset_qpll0reset_out(),
<%- endif %>
        .gtwiz_reset_clk_freerun_in(clock),
        .gtwiz_reset_all_in(gt_reset),
        .gtwiz_reset_tx_pll_and_datapath_in(1'b0),
        .gtwiz_reset_tx_datapath_in(1'b0),
        .gtwiz_reset_rx_pll_and_datapath_in(1'b0),
        .gtwiz_reset_rx_datapath_in(rx_restart[<$ loop.index0 $>]),
        .gtwiz_reset_rx_cdr_stable_out(),
        .gtwiz_reset_tx_done_out(tx_done[<$ loop.index0 $>]),
        .gtwiz_reset_rx_done_out(),
        .gtwiz_userclk_tx_reset_in(1'b0),
        .gtwiz_userclk_tx_srcclk_out(),
        .gtwiz_userclk_tx_usrclk_out(),
        .gtwiz_userclk_tx_usrclk2_out(user_clk[<$ loop.index0 $>]),
        .gtwiz_userclk_tx_active_out(),
        .gtwiz_userclk_rx_reset_in(1'b0),
        .gtwiz_userclk_rx_srcclk_out(),
        .gtwiz_userclk_rx_usrclk_out(),
        .gtwiz_userclk_rx_usrclk2_out(rx_clk[<$ loop.index0 $>]),
        .gtwiz_userclk_rx_active_out(),
        .gtwiz_userdata_tx_in(gt_tx_data[64*<$ loop.index0 $> +: 64]),
        .txheader_in({4'd0, gt_tx_hdr[2*<$ loop.index0 $> +: 2]}),
        .txsequence_in(7'd0),
        .gtwiz_userdata_rx_out(gt_rx_data[64*<$ loop.index0 $> +: 64]),
        .rxheader_out({gt_rx_hdr_unused[4*<$ loop.index0 $> +: 4], gt_rx_hdr[2*<$ loop.index0 $> +: 2]}),
        .rxheadervalid_out(),
        .rxdatavalid_out(),
        .rxstartofseq_out(),
        .rxgearboxslip_in(bitslip[<$ loop.index0 $>]),
        .gtpowergood_out(),
        .txpmaresetdone_out(),
        .txprgdivresetdone_out(),
        .rxpmaresetdone_out(),
        .rxprgdivresetdone_out()
    );
<%- endfor %>

    wire gt_unused_ok = &{1'b0, gt_rx_hdr_unused<% for lane in lanes %><% if lane.is_first %>, gt_refclk_half_<$ lane.cage $>,
        pll_clk_<$ lane.cage $>, pll_refclk_<$ lane.cage $>, pll_lock_<$ lane.cage $><% endif %><% endfor %>};