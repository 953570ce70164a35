// link_properties: output_unit, the wires of a link both ways, and input_credits behind a buffer from
// which flits leave when they like, one of each bank a cycle, and to which a tail may be made up.
// The sum of the link stands: credits at the sender + flits and credits on the wires + flits held and
// credits owed = RX_BUFFER_FLITS on each channel, a made-up tail that is not paid for apart.

module link_properties #(
    parameter INPUTS = 2,
    parameter VCS = 2,
    parameter VC_BITS = 1,
    parameter RX_BUFFER_FLITS = 3,
    parameter BANKS = 2,
    parameter LATENCY = 1
) (
    input wire                  clk,
    input wire                  rst,
    input wire [INPUTS*VCS-1:0] waiting,
    input wire [INPUTS*VCS-1:0] ready,
    input wire [INPUTS*VCS-1:0] ready_last,
    input wire [VCS*INPUTS-1:0] barred,
    input wire                  accept,
    input wire [BANKS*VCS-1:0]  left,
    input wire [VCS-1:0]        made_up
);
    wire [VCS-1:0] tx_credit;
    wire flowing;
    wire match_valid;
    wire [VC_BITS-1:0] match_vc;
    wire rx_valid;
    wire [VC_BITS-1:0] rx_vc;
    wire [VCS-1:0] rx_credit;

    output_unit #(
        .INPUTS(INPUTS), .VCS(VCS), .VC_BITS(VC_BITS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
        .PATIENCE(2)
    ) sender (
        .clk(clk), .rst(rst), .down(1'b0), .tx_credit(tx_credit), .step({INPUTS{1'b0}}),
        .waiting(waiting), .ready(ready), .ready_more(ready & ~ready_last), .barred(barred),
        .flowing(flowing), .chosen(), .chosen_input(), .accepted(accept), .pop(),
        .match_valid(match_valid), .match_vc(match_vc), .match_input(), .events()
    );

    link_pipe #(
        .DATA_WIDTH(64), .VCS(VCS), .LATENCY(LATENCY)
    ) wires (
        .clk(clk), .rst(rst),
        .tx_valid(match_valid), .tx_vc(match_vc), .tx_last(1'b0), .tx_bad(1'b0),
        .tx_data(64'd0), .tx_credit(tx_credit),
        .rx_valid(rx_valid), .rx_vc(rx_vc), .rx_last(), .rx_bad(), .rx_data(),
        .rx_credit(rx_credit)
    );

    input_credits #(
        .PORTS(1), .VCS(VCS), .BANKS(BANKS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
    ) receiver (
        .clk(clk), .rst(rst), .left(left), .lost({VCS{1'b0}}), .made_up(made_up),
        .rx_credit(rx_credit)
    );

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
    end

    generate
        genvar v;
        for (v = 0; v < VCS; v = v + 1) begin : gen_channel
            reg [3:0] inside;
            reg [3:0] spent;            // flits sent whose credit is not yet back at the sender
            reg unpaid;                 // a made-up tail
            reg [3:0] leaving;
            wire sends = match_valid && match_vc == v;
            integer bank;

            always @* begin
                leaving = 0;
                for (bank = 0; bank < BANKS; bank = bank + 1)
                    leaving = leaving + left[bank*VCS + v];
            end

            always @(posedge clk)
                if (rst) begin
                    inside <= 0;
                    spent <= 0;
                    unpaid <= 1'b0;
                end else begin
                    assume (leaving <= inside);
                    // A second tail follows a header that has left.
                    assume (!made_up[v] || !unpaid || leaving != 0);
                    inside <= inside + (rx_valid && rx_vc == v) + made_up[v] - leaving;
                    spent <= spent + sends - tx_credit[v];
                    unpaid <= made_up[v] || (unpaid && leaving == 0);
                    // The buffer never overflows.
                    assert (inside <= RX_BUFFER_FLITS + unpaid);
                    // Sum in range.
                    assert (spent + sends <= RX_BUFFER_FLITS);
                    // Nothing from nothing.
                    assert (!tx_credit[v] || spent != 0);
                end
        end
    endgenerate
endmodule
