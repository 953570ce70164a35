

    // The channels: their transceivers come out of reset first (pma_init), then the rest (reset_pb).
    reg [15:0] start;
    wire       pma_init = !start[14] && !start[15];
    wire       reset_pb = !start[15];

    initial start = 16'd0;

    always @(posedge clock)
        if (!start[15])
            start <= start + 16'd1;

    wire [LINKS-1:0]    channel_up;
    wire [64*LINKS-1:0] axi_tx_tdata;
    wire [8*LINKS-1:0]  axi_tx_tkeep;
    wire [LINKS-1:0]    axi_tx_tlast;
    wire [LINKS-1:0]    axi_tx_tvalid;
    wire [LINKS-1:0]    axi_tx_tready;
    wire [64*LINKS-1:0] axi_rx_tdata;
    wire [8*LINKS-1:0]  axi_rx_tkeep;
    wire [LINKS-1:0]    axi_rx_tlast;
    wire [LINKS-1:0]    axi_rx_tvalid;

    generate
        genvar i;
        for (i = 0; i < LINKS; i = i + 1) begin : gen_line
            bit_synchroniser #(
                .INITIAL(1'b1)
            ) reset_crossing (
                .clk(user_clk[i]),
                .in(rst),
                .out(link_rst[i])
            );

            link_aurora64b66b line (
                .user_clk(user_clk[i]),
                .user_rst(link_rst[i]),
                .channel_up(channel_up[i]),
                .s_axi_tx_tdata(axi_tx_tdata[64*i +: 64]),
                .s_axi_tx_tkeep(axi_tx_tkeep[8*i +: 8]),
                .s_axi_tx_tlast(axi_tx_tlast[i]),
                .s_axi_tx_tvalid(axi_tx_tvalid[i]),
                .s_axi_tx_tready(axi_tx_tready[i]),
                .m_axi_rx_tdata(axi_rx_tdata[64*i +: 64]),
                .m_axi_rx_tkeep(axi_rx_tkeep[8*i +: 8]),
                .m_axi_rx_tlast(axi_rx_tlast[i]),
                .m_axi_rx_tvalid(axi_rx_tvalid[i]),
                .line_tx_valid(line_tx_valid[i]),
                .line_tx_ctl(line_tx_ctl[i]),
                .line_tx_data(line_tx_data[64*i +: 64]),
                .line_tx_ready(line_tx_ready[i]),
                .line_rx_valid(line_rx_valid[i]),
                .line_rx_ctl(line_rx_ctl[i]),
                .line_rx_data(line_rx_data[64*i +: 64]),
                .line_rx_up(line_rx_up[i])
            );
        end
    endgenerate
<%- for lane in lanes %>

    // Lane <$ lane.gt $>.
    aurora_<$ loop.index0 $> channel_<$ loop.index0 $> (
        .gt_refclk1_p(qsfp<$ lane.cage $>_refclk_p),
        .gt_refclk1_n(qsfp<$ lane.cage $>_refclk_n),
        .rxp(link<$ loop.index0 $>_rx_p),
        .rxn(link<$ loop.index0 $>_rx_n),
        .txp(link<$ loop.index0 $>_tx_p),
        .txn(link<$ loop.index0 $>_tx_n),
        .init_clk(clock),
        .pma_init(pma_init),
        .reset_pb(reset_pb),
        .power_down(1'b0),
        .loopback(3'b000),
        .gt_rxcdrovrden_in(1'b0),
        .gt0_drpaddr(10'd0),
        .gt0_drpdi(16'd0),
        .gt0_drpen(1'b0),
        .gt0_drpwe(1'b0),
        .user_clk_out(user_clk[<$ loop.index0 $>]),
        .mmcm_not_locked_out(not_locked[<$ loop.index0 $>]),
        .channel_up(channel_up[<$ loop.index0 $>]),
        .s_axi_tx_tdata(axi_tx_tdata[64*<$ loop.index0 $> +: 64]),
        .s_axi_tx_tkeep(axi_tx_tkeep[8*<$ loop.index0 $> +: 8]),
        .s_axi_tx_tlast(axi_tx_tlast[<$ loop.index0 $>]),
        .s_axi_tx_tvalid(axi_tx_tvalid[<$ loop.index0 $>]),
        .s_axi_tx_tready(axi_tx_tready[<$ loop.index0 $>]),
        .m_axi_rx_tdata(axi_rx_tdata[64*<$ loop.index0 $> +: 64]),
        .m_axi_rx_tkeep(axi_rx_tkeep[8*<$ loop.index0 $> +: 8]),
        .m_axi_rx_tlast(axi_rx_tlast[<$ loop.index0 $>]),
        .m_axi_rx_tvalid(axi_rx_tvalid[<$ loop.index0 $>])
    );
<%- endfor %>