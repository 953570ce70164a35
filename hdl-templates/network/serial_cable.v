// serial_cable: the cable between two link ports in a simulation of the whole network: FLIGHT words
// are on their way each way, and none of them is ever lost. A board has a transceiver here.
//
// A bundle is a line as on the ports of a board.
// Latency: FLIGHT cycles each way. Reset: synchronous, active high, nothing is on its way.
<$ banner $>

module serial_cable #(
    parameter VCS = 2,
    parameter FLIGHT = 40,
    // Follows: data, valid, virtual channel, last, bad, credits.
    parameter LINK_BITS = 68 + VCS
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [LINK_BITS-1:0] a_tx,
    output wire [LINK_BITS-1:0] b_rx,
    input  wire [LINK_BITS-1:0] b_tx,
    output wire [LINK_BITS-1:0] a_rx
);
    reg [FLIGHT*LINK_BITS-1:0] a_to_b;
    reg [FLIGHT*LINK_BITS-1:0] b_to_a;

    // What comes in, and behind it all words, of which the last comes out.
    wire [(FLIGHT+1)*LINK_BITS-1:0] all_a_to_b = {a_to_b, a_tx};
    wire [(FLIGHT+1)*LINK_BITS-1:0] all_b_to_a = {b_to_a, b_tx};
    assign b_rx = all_a_to_b[FLIGHT*LINK_BITS +: LINK_BITS];
    assign a_rx = all_b_to_a[FLIGHT*LINK_BITS +: LINK_BITS];

    always @(posedge clk) begin
        a_to_b <= all_a_to_b[FLIGHT*LINK_BITS-1:0] & {FLIGHT*LINK_BITS{~rst}};
        b_to_a <= all_b_to_a[FLIGHT*LINK_BITS-1:0] & {FLIGHT*LINK_BITS{~rst}};
    end
endmodule
