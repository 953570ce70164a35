// cable: a cable between two blocks, a link each way with LATENCY register stages.
//
// A bundle is one direction of a link, {credit, bad, last, vc, valid, data}; its credit goes with
// the flits of that direction and counts those of the other.
// Latency: LATENCY cycles each way. Reset: synchronous, active high, everything 0.
<$ banner $>

module cable #(
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter LATENCY = 1,
    // Follows from the others: data, valid, virtual channel, last, bad, credits.
    parameter LINK_BITS = DATA_WIDTH + (VCS > 2 ? 2 : 1) + 3 + VCS
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [LINK_BITS-1:0] a_tx,
    output wire [LINK_BITS-1:0] b_rx,
    input  wire [LINK_BITS-1:0] b_tx,
    output wire [LINK_BITS-1:0] a_rx
);
    localparam FLIT_BITS = LINK_BITS - VCS;
    localparam LAST = FLIT_BITS - 2;
    localparam BAD = FLIT_BITS - 1;
    localparam VALID = DATA_WIDTH;
    localparam VC = DATA_WIDTH + 1;

    link_pipe #(.DATA_WIDTH(DATA_WIDTH), .VCS(VCS), .LATENCY(LATENCY)) a_to_b (
        .clk(clk),
        .rst(rst),
        .tx_valid(a_tx[VALID]),
        .tx_vc(a_tx[LAST-1:VC]),
        .tx_last(a_tx[LAST]),
        .tx_bad(a_tx[BAD]),
        .tx_data(a_tx[DATA_WIDTH-1:0]),
        .tx_credit(a_rx[FLIT_BITS +: VCS]),
        .rx_valid(b_rx[VALID]),
        .rx_vc(b_rx[LAST-1:VC]),
        .rx_last(b_rx[LAST]),
        .rx_bad(b_rx[BAD]),
        .rx_data(b_rx[DATA_WIDTH-1:0]),
        .rx_credit(b_tx[FLIT_BITS +: VCS])
    );

    link_pipe #(.DATA_WIDTH(DATA_WIDTH), .VCS(VCS), .LATENCY(LATENCY)) b_to_a (
        .clk(clk),
        .rst(rst),
        .tx_valid(b_tx[VALID]),
        .tx_vc(b_tx[LAST-1:VC]),
        .tx_last(b_tx[LAST]),
        .tx_bad(b_tx[BAD]),
        .tx_data(b_tx[DATA_WIDTH-1:0]),
        .tx_credit(b_rx[FLIT_BITS +: VCS]),
        .rx_valid(a_rx[VALID]),
        .rx_vc(a_rx[LAST-1:VC]),
        .rx_last(a_rx[LAST]),
        .rx_bad(a_rx[BAD]),
        .rx_data(a_rx[DATA_WIDTH-1:0]),
        .rx_credit(a_tx[FLIT_BITS +: VCS])
    );
endmodule
