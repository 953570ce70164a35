// link_aurora64b66b: the line of a link port on a duplex Aurora 64B/66B channel of one lane with
// framing interface (PG074). Generate the core with the little-endian option, so that tkeep[0] is
// byte 0. The link port runs in user_clk.
//
// A control word is the last beat of a frame, of seven bytes (tkeep 0x7F); data words before it are
// the frame's other beats, and a control word alone is a frame of one beat. A last beat of another
// length is none of ours: it passes on as a data word, and the link layer's CRC refuses it. Gaps are
// legal both ways; the core takes a beat when its gearbox and clock compensation allow.
// line_rx_up is channel_up. While the channel is down nothing is sent and nothing received.
// Latency: none to the core, one cycle from it. Throughput: that of the core, 31 words in 32 cycles.
// Reset: synchronous to user_clk, active high.
<$ banner $>

module link_aurora64b66b (
    // the Aurora core
    input  wire        user_clk,
    input  wire        user_rst,
    input  wire        channel_up,
    output wire [63:0] s_axi_tx_tdata,
    output wire [7:0]  s_axi_tx_tkeep,
    output wire        s_axi_tx_tlast,
    output wire        s_axi_tx_tvalid,
    input  wire        s_axi_tx_tready,
    input  wire [63:0] m_axi_rx_tdata,
    input  wire [7:0]  m_axi_rx_tkeep,
    input  wire        m_axi_rx_tlast,
    input  wire        m_axi_rx_tvalid,
    // the link port
    input  wire        line_tx_valid,
    input  wire        line_tx_ctl,
    input  wire [63:0] line_tx_data,
    output wire        line_tx_ready,
    output reg         line_rx_valid,
    output reg         line_rx_ctl,
    output reg  [63:0] line_rx_data,
    output reg         line_rx_up
);
    localparam [7:0] SEVEN_BYTES = 8'h7F;

    assign s_axi_tx_tdata  = {line_tx_ctl ? 8'd0 : line_tx_data[63:56], line_tx_data[55:0]};
    assign s_axi_tx_tkeep  = line_tx_ctl ? SEVEN_BYTES : 8'hFF;
    assign s_axi_tx_tlast  = line_tx_ctl;
    assign s_axi_tx_tvalid = line_tx_valid && channel_up;
    assign line_tx_ready   = s_axi_tx_tready && channel_up;

    wire is_control = m_axi_rx_tlast && m_axi_rx_tkeep == SEVEN_BYTES;

    always @(posedge user_clk) begin
        line_rx_valid <= m_axi_rx_tvalid && channel_up && !user_rst;
        line_rx_up    <= channel_up && !user_rst;
        line_rx_ctl   <= is_control;
        line_rx_data  <= {is_control ? 8'd0 : m_axi_rx_tdata[63:56], m_axi_rx_tdata[55:0]};
    end
endmodule
