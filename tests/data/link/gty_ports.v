// Transceivers of 10GBASE-R for lint: ports as in stubs that Vivado 2018.3 to 2024.2 wrote in public projects
// (gtwizard_ultrascale v1.7, preset GTY-10GBASE-R). gty_0 has the PLL of its cage in it, the others use that.
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off MULTITOP */

`define GTY_PORTS \
    input  wire        gtyrxp_in, gtyrxn_in, gtwiz_reset_clk_freerun_in, gtwiz_reset_all_in, \
    input  wire        gtwiz_reset_tx_pll_and_datapath_in, gtwiz_reset_tx_datapath_in, \
    input  wire        gtwiz_reset_rx_pll_and_datapath_in, gtwiz_reset_rx_datapath_in, \
    input  wire        gtwiz_userclk_tx_reset_in, gtwiz_userclk_rx_reset_in, rxgearboxslip_in, \
    input  wire [63:0] gtwiz_userdata_tx_in, \
    input  wire [5:0]  txheader_in, \
    input  wire [6:0]  txsequence_in, \
    output wire        gtytxp_out, gtytxn_out, gtwiz_reset_rx_cdr_stable_out, gtwiz_reset_tx_done_out, \
    output wire        gtwiz_reset_rx_done_out, gtwiz_userclk_tx_srcclk_out, gtwiz_userclk_tx_usrclk_out, \
    output wire        gtwiz_userclk_tx_usrclk2_out, gtwiz_userclk_tx_active_out, gtwiz_userclk_rx_srcclk_out, \
    output wire        gtwiz_userclk_rx_usrclk_out, gtwiz_userclk_rx_usrclk2_out, gtwiz_userclk_rx_active_out, \
    output wire [63:0] gtwiz_userdata_rx_out, \
    output wire [5:0]  rxheader_out, \
    output wire [1:0]  rxheadervalid_out, rxdatavalid_out, rxstartofseq_out, \
    output wire        gtpowergood_out, txpmaresetdone_out, txprgdivresetdone_out, rxpmaresetdone_out, \
    output wire        rxprgdivresetdone_out

`define GTY_BODY \
    assign {gtytxp_out, gtytxn_out} = {gtyrxp_in, gtyrxn_in}; \
    assign {gtwiz_reset_rx_cdr_stable_out, gtwiz_reset_tx_done_out, gtwiz_reset_rx_done_out} = 3'b111; \
    assign {gtwiz_userclk_tx_srcclk_out, gtwiz_userclk_tx_usrclk_out} = {2{gtwiz_reset_clk_freerun_in}}; \
    assign gtwiz_userclk_tx_usrclk2_out = gtwiz_reset_clk_freerun_in; \
    assign {gtwiz_userclk_rx_srcclk_out, gtwiz_userclk_rx_usrclk_out} = {2{gtwiz_reset_clk_freerun_in}}; \
    assign gtwiz_userclk_rx_usrclk2_out = gtwiz_reset_clk_freerun_in; \
    assign {gtwiz_userclk_tx_active_out, gtwiz_userclk_rx_active_out} = 2'b11; \
    assign gtwiz_userdata_rx_out = gtwiz_userdata_tx_in; \
    assign rxheader_out = txheader_in; \
    assign {rxheadervalid_out, rxdatavalid_out, rxstartofseq_out} = 6'b111111; \
    assign {gtpowergood_out, txpmaresetdone_out, txprgdivresetdone_out} = 3'b111; \
    assign {rxpmaresetdone_out, rxprgdivresetdone_out} = 2'b11;

`define GTY_BESIDE(NAME) \
module NAME ( \
    input  wire qpll0clk_in, qpll0refclk_in, qpll1clk_in, qpll1refclk_in, gtwiz_reset_qpll0lock_in, \
    output wire gtwiz_reset_qpll0reset_out, \
    `GTY_PORTS \
); \
    assign gtwiz_reset_qpll0reset_out = 1'b0; \
    `GTY_BODY \
endmodule

module gty_0 (
    input  wire gtrefclk00_in,
    output wire qpll0outclk_out, qpll0outrefclk_out, qpll0lock_out,
    `GTY_PORTS
);
    assign qpll0outclk_out    = gtrefclk00_in;
    assign qpll0outrefclk_out = gtrefclk00_in;
    assign qpll0lock_out      = 1'b1;
    `GTY_BODY
endmodule

`GTY_BESIDE(gty_1)
`GTY_BESIDE(gty_2)
