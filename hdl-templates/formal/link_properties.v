// link_properties: output_units with one output, a link_pipe and a receiver that gives each credit back once, when
// it likes. The sum of the link stands: credits at the sender + flits and credits on the wires +
// flits held = RX_BUFFER_FLITS on each channel, so the receiver's buffer never overflows.

module link_properties #(
    parameter INPUTS = 2,
    parameter VCS = 2,
    parameter VC_BITS = 1,
    parameter RX_BUFFER_FLITS = 3,
    parameter LATENCY = 1
) (
    input wire                  clk,
    input wire                  rst,
    input wire [INPUTS*VCS-1:0] request,
    input wire [INPUTS*VCS-1:0] request_last,
    input wire [INPUTS-1:0]     reserved,
    input wire                  accept,
    input wire [VCS-1:0]        gives_back
);
    wire [VCS-1:0] tx_credit;
    wire [INPUTS-1:0] grant_input;
    wire match_valid;
    wire [VC_BITS-1:0] match_vc;
    wire rx_valid;
    wire [VC_BITS-1:0] rx_vc;

    output_units #(
        .INPUTS(INPUTS), .OUTPUTS(1), .BANKS(1), .STRIDE(INPUTS * VCS + 1), .VCS(VCS), .VC_BITS(VC_BITS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
    ) sender (
        .clk(clk), .rst(rst), .link_up(1'b1), .tx_credit(tx_credit), .step({INPUTS{1'b0}}),
        .request({1'b0, request}), .request_last({1'b0, request_last}),
        .held({INPUTS*VCS+1{1'b0}}),
        .reserved(reserved), .flow_input(), .grant_input(grant_input), .accept(accept), .pop(),
        .match_valid(match_valid), .match_vc(match_vc), .match_input(), .events()
    );

    link_pipe #(
        .DATA_WIDTH(64), .VCS(VCS), .LATENCY(LATENCY)
    ) wires (
        .clk(clk), .rst(rst),
        .tx_valid(match_valid), .tx_vc(match_vc), .tx_last(1'b0), .tx_bad(1'b0),
        .tx_data(64'd0), .tx_credit(tx_credit),
        .rx_valid(rx_valid), .rx_vc(rx_vc), .rx_last(), .rx_bad(), .rx_data(),
        .rx_credit(gives_back)
    );

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
        assume (!accept || grant_input != 0);
    end

    reg [3:0] buffered [0:VCS-1];
    reg [3:0] spent [0:VCS-1];      // flits sent whose credit is not yet back at the sender
    integer w;
    always @(posedge clk)
        for (w = 0; w < VCS; w = w + 1)
            if (rst) begin
                buffered[w] <= 0;
                spent[w] <= 0;
            end else begin
                assume (!gives_back[w] || buffered[w] != 0);
                buffered[w] <= buffered[w] + (rx_valid && rx_vc == w) - gives_back[w];
                spent[w] <= spent[w] + (match_valid && match_vc == w) - tx_credit[w];
                // Buffer never overflows.
                assert (buffered[w] <= RX_BUFFER_FLITS);
                // Sum in range.
                assert (spent[w] + (match_valid && match_vc == w)
                    <= RX_BUFFER_FLITS);
                // Nothing from nothing.
                assert (!tx_credit[w] || spent[w] != 0);
            end
endmodule
