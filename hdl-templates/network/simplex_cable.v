// simplex_cable: one direction of a link, from the port that sends (a) to the port that receives
// (b), with LATENCY register stages.
//
// A bundle is what a port drives, {credit, bad, last, vc, valid, data}: its flits go out by this
// cable when the port is a, its credits come back by this cable when the port is b.
// Latency: LATENCY cycles each way. Reset: synchronous, active high, everything 0.
<$ banner $>

module simplex_cable #(
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter LATENCY = 1,
    // Follows from the others: data, valid, virtual channel, last, bad, credits.
    parameter LINK_BITS = DATA_WIDTH + (VCS > 2 ? 2 : 1) + 3 + VCS
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [LINK_BITS-1:0]     a_tx,
    output wire [VCS-1:0]           a_credit,
    input  wire [LINK_BITS-1:0]     b_tx,
    output wire [LINK_BITS-VCS-1:0] b_flit
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
        .tx_credit(a_credit),
        .rx_valid(b_flit[VALID]),
        .rx_vc(b_flit[LAST-1:VC]),
        .rx_last(b_flit[LAST]),
        .rx_bad(b_flit[BAD]),
        .rx_data(b_flit[DATA_WIDTH-1:0]),
        .rx_credit(b_tx[FLIT_BITS +: VCS])
    );

    // The credits of a and the flits of b go by other cables.
    wire unused_ok = &{1'b0, a_tx[FLIT_BITS +: VCS], b_tx[FLIT_BITS-1:0]};
endmodule
