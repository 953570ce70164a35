// ecp5_serdes: channel 0 of a serial transceiver (DCU) of an ECP5 with its 8b10b coder, two symbols
// per cycle, and the order in which its parts come out of reset.
//
// Line rate: the reference clock times 10; tx_clk and rx_clk are a twentieth of the rate.
// `rx_ready`: the transmit PLL and the receive clock are locked and there is a signal.
// Settings of the cell that no manual names (D_CMU*, CH0_DCO*, …) are those of Lattice's generator,
// as LiteICLink (liteiclink/serdes/serdes_ecp5.py) and Yumewatari list them.
// Reset: rst, active high, in any clock that runs freely (clk).
<$ banner $>

module ecp5_serdes (
    input  wire        clk,
    input  wire        rst,
    input  wire        refclk_p,
    input  wire        refclk_n,
    input  wire        serial_rx_p,
    input  wire        serial_rx_n,
    output wire        serial_tx_p,
    output wire        serial_tx_n,
    output wire        tx_clk,
    input  wire [15:0] tx_symbols, // the first in the low byte
    input  wire [1:0]  tx_is_k,
    output wire        rx_clk,
    output reg         rx_ready,
    output wire [15:0] rx_symbols,
    output wire [1:0]  rx_is_k
);
    wire        reference;
    wire        tx_unlocked;
    wire        rx_unlocked;
    wire        rx_silent;
    wire [23:0] tx_bus = {3'd0, tx_is_k[1], tx_symbols[15:8], 3'd0, tx_is_k[0], tx_symbols[7:0]};
    wire [23:0] rx_bus;

    assign rx_symbols = {rx_bus[19:12], rx_bus[7:0]};
    assign rx_is_k    = {rx_bus[20], rx_bus[8]};

    // Resets: everything, then the transmitter's PLL, then the receiver's clock, then the coders.
    localparam [1:0] ALL = 2'd0;
    localparam [1:0] TRANSMIT = 2'd1;
    localparam [1:0] RECEIVE = 2'd2;
    localparam [1:0] READY = 2'd3;

    reg  [1:0]  state;
    reg  [13:0] time_left;
    wire        pll_lost;
    wire        clock_lost;
    wire        signal_lost;

    bit_synchroniser #(.INITIAL(1'b1)) pll_crossing (.clk(clk), .in(tx_unlocked), .out(pll_lost));
    bit_synchroniser #(.INITIAL(1'b1)) clock_crossing (.clk(clk), .in(rx_unlocked), .out(clock_lost));
    bit_synchroniser #(.INITIAL(1'b1)) signal_crossing (.clk(clk), .in(rx_silent), .out(signal_lost));

    always @(posedge clk) begin
        rx_ready <= state == READY;
        if (rst) begin
            state     <= ALL;
            time_left <= 14'h3FFF;
        end else if (time_left != 14'd0)
            time_left <= time_left - 14'd1;
        else begin
            time_left <= 14'h3FFF;
            case (state)
                ALL:      state <= TRANSMIT;
                TRANSMIT: state <= pll_lost ? TRANSMIT : RECEIVE;
                RECEIVE:  state <= pll_lost ? ALL : (clock_lost || signal_lost) ? TRANSMIT : READY;
                default: begin
                    state     <= pll_lost ? ALL : (clock_lost || signal_lost) ? TRANSMIT : READY;
                    time_left <= 14'd0;
                end
            endcase
        end
    end

    wire tx_rst  = state == ALL;
    wire rx_rst  = state == ALL || state == TRANSMIT;
    wire pcs_rst = state != READY;

    (* LOC="<$ extref $>" *)
    EXTREFB #(
        .REFCK_PWDNB("0b1"),
        .REFCK_RTERM("0b1") // 100 ohm
    ) reference_input (
        .REFCLKP(refclk_p),
        .REFCLKN(refclk_n),
        .REFCLKO(reference)
    );

    (* LOC="<$ dcu $>" *)
    (* CHAN="CH0" *)
    DCUA #(
        // power and clocks of both channels: 20 times the reference, halved
        .D_MACROPDB("0b1"),
        .D_IB_PWDNB("0b1"),
        .D_TXPLL_PWDNB("0b1"),
        .D_REFCK_MODE("0b000"),
        .D_TX_MAX_RATE("5.0"),
        .D_TX_VCO_CK_DIV("0b010"),
        .D_BITCLK_LOCAL_EN("0b1"),
        .D_LOW_MARK("0d4"),
        .D_HIGH_MARK("0d12"),
        .D_CMUSETBIASI("0b00"),
        .D_CMUSETI4CPP("0d3"),
        .D_CMUSETI4CPZ("0d3"),
        .D_CMUSETI4VCO("0b00"),
        .D_CMUSETICP4P("0b01"),
        .D_CMUSETICP4Z("0b101"),
        .D_CMUSETINITVCT("0b00"),
        .D_CMUSETISCL4VCO("0b000"),
        .D_CMUSETP1GM("0b000"),
        .D_CMUSETP2AGM("0b000"),
        .D_CMUSETZGM("0b000"),
        .D_SETIRPOLY_AUX("0b01"),
        .D_SETICONST_AUX("0b01"),
        .D_SETIRPOLY_CH("0b01"),
        .D_SETICONST_CH("0b10"),
        .D_SETPLLRC("0d1"),
        .D_RG_EN("0b0"),
        .D_RG_SET("0b00"),
        .D_REQ_ISET("0b011"),
        .D_PD_ISET("0b11"),
        // 8b10b coder and decoder, symbols aligned to K28.5, no clock compensation, two symbols per
        // cycle
        .CH0_PROTOCOL("G8B10B"),
        .CH0_UC_MODE("0b1"),
        .CH0_ENC_BYPASS("0b0"),
        .CH0_DEC_BYPASS("0b0"),
        .CH0_WA_BYPASS("0b0"),
        .CH0_ENABLE_CG_ALIGN("0b1"),
        .CH0_UDF_COMMA_MASK("0x3ff"),
        .CH0_UDF_COMMA_A("0x283"),
        .CH0_UDF_COMMA_B("0x17C"),
        .CH0_CTC_BYPASS("0b1"),
        .CH0_MIN_IPG_CNT("0b11"),
        .CH0_MATCH_2_ENABLE("0b0"),
        .CH0_MATCH_4_ENABLE("0b0"),
        .CH0_RX_GEAR_MODE("0b1"),
        .CH0_FF_RX_H_CLK_EN("0b1"),
        .CH0_FF_RX_F_CLK_DIS("0b1"),
        .CH0_TX_GEAR_MODE("0b1"),
        .CH0_FF_TX_H_CLK_EN("0b1"),
        .CH0_FF_TX_F_CLK_DIS("0b1"),
        .CH0_SEL_SD_RX_CLK("0b1"),
        // receiver
        .CH0_RPWDNB("0b1"),
        .CH0_REQ_EN("0b0"),
        .CH0_RX_RATE_SEL("0d10"),
        .CH0_RTERM_RX("0d19"), // 50 ohm
        .CH0_RXIN_CM("0b11"),
        .CH0_RXTERM_CM("0b11"),
        .CH0_CDR_MAX_RATE("5.0"),
        .CH0_RX_DCO_CK_DIV("0b010"),
        .CH0_AUTO_FACQ_EN("0b1"),
        .CH0_AUTO_CALIB_EN("0b1"),
        .CH0_PDEN_SEL("0b1"),
        .CH0_DCOATDCFG("0b00"),
        .CH0_DCOATDDLY("0b00"),
        .CH0_DCOBYPSATD("0b1"),
        .CH0_DCOCALDIV("0b000"),
        .CH0_DCOCTLGI("0b011"),
        .CH0_DCODISBDAVOID("0b0"),
        .CH0_DCOFLTDAC("0b00"),
        .CH0_DCOFTNRG("0b001"),
        .CH0_DCOIOSTUNE("0b010"),
        .CH0_DCOITUNE("0b00"),
        .CH0_DCOITUNE4LSB("0b010"),
        .CH0_DCOIUPDNX2("0b1"),
        .CH0_DCONUOFLSB("0b100"),
        .CH0_DCOSCALEI("0b01"),
        .CH0_DCOSTARTVAL("0b010"),
        .CH0_DCOSTEP("0b11"),
        .CH0_RLOS_SEL("0b1"),
        .CH0_RX_LOS_EN("0b1"),
        .CH0_RX_LOS_LVL("0b100"),
        .CH0_RX_LOS_CEQ("0b11"),
        // transmitter
        .CH0_TPWDNB("0b1"),
        .CH0_TXAMPLITUDE("0d1000"), // mV
        .CH0_RTERM_TX("0d19"),      // 50 ohm
        .CH0_TDRV_SLICE0_CUR("0b011"),
        .CH0_TDRV_SLICE0_SEL("0b01"),
        .CH0_TDRV_SLICE1_CUR("0b000"),
        .CH0_TDRV_SLICE1_SEL("0b00"),
        .CH0_TDRV_SLICE2_CUR("0b11"),
        .CH0_TDRV_SLICE2_SEL("0b01"),
        .CH0_TDRV_SLICE3_CUR("0b10"),
        .CH0_TDRV_SLICE3_SEL("0b01"),
        .CH0_TDRV_SLICE4_CUR("0b00"),
        .CH0_TDRV_SLICE4_SEL("0b00"),
        .CH0_TDRV_SLICE5_CUR("0b00"),
        .CH0_TDRV_SLICE5_SEL("0b00")
    ) transceiver (
        .D_REFCLKI(reference),
        .D_FFC_MACROPDB(1'b1),
        .D_FFC_MACRO_RST(rst),
        .D_FFC_DUAL_RST(rst),
        .D_FFC_TRST(tx_rst),
        .D_FFS_PLOL(tx_unlocked),
        .CH0_RX_REFCLK(reference),
        .CH0_HDINP(serial_rx_p),
        .CH0_HDINN(serial_rx_n),
        .CH0_HDOUTP(serial_tx_p),
        .CH0_HDOUTN(serial_tx_n),
        .CH0_FFC_RXPWDNB(1'b1),
        .CH0_FFC_TXPWDNB(1'b1),
        .CH0_FFC_RRST(rx_rst),
        .CH0_FFC_LANE_RX_RST(pcs_rst),
        .CH0_FFC_LANE_TX_RST(tx_rst),
        .CH0_FFC_SIGNAL_DETECT(1'b1),
        .CH0_FFC_ENABLE_CGALIGN(1'b1),
        .CH0_FFC_SB_INV_RX(1'b0),
        .CH0_FFS_RLOL(rx_unlocked),
        .CH0_FFS_RLOS(rx_silent),
        .CH0_FF_TX_PCLK(tx_clk),
        .CH0_FF_TXI_CLK(tx_clk),
        .CH0_FF_RX_PCLK(rx_clk),
        .CH0_FF_RXI_CLK(rx_clk),
<%- for bit in 0..24 %>
        .CH0_FF_TX_D_<$ bit $>(tx_bus[<$ bit $>]),
        .CH0_FF_RX_D_<$ bit $>(rx_bus[<$ bit $>])<% if bit < 23 %>,<% endif %>
<%- endfor %>
    );

    // Marks of errors in the bus do not count: the decoder puts K14.7 where it refuses a symbol.
    wire unused_ok = &{1'b0, rx_bus[23:21], rx_bus[11:9]};
endmodule
