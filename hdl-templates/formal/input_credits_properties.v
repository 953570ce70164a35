// input_credits_properties: input_credits between a sender that keeps its credits, and queues from
// which flits leave when they like, one of each bank a cycle, or vanish before they come to one.
// What a sender has, what is on its way back to it, what is inside and what is owed are
// RX_BUFFER_FLITS together, and one more while nothing has paid for a made-up tail.

module input_credits_properties #(
    parameter VCS = 2,
    parameter BANKS = 2,
    parameter RX_BUFFER_FLITS = 4
) (
    input wire                 clk,
    input wire                 rst,
    input wire [VCS-1:0]       sent,
    input wire [BANKS*VCS-1:0] left,
    input wire [VCS-1:0]       lost,
    input wire [VCS-1:0]       made_up
);
    wire [VCS-1:0] rx_credit;

    input_credits #(
        .PORTS(1),
        .VCS(VCS),
        .BANKS(BANKS),
        .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
    ) credits (
        .clk(clk), .rst(rst), .left(left), .lost(lost), .made_up(made_up), .rx_credit(rx_credit)
    );

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
    end

    generate
        genvar v;
        for (v = 0; v < VCS; v = v + 1) begin : gen_channel
            reg [3:0] has;              // credits of the sender
            reg [3:0] inside;           // flits
            reg unpaid;                 // a made-up tail
            reg was_owed;
            reg [3:0] leaving;
            wire [3:0] owed = RX_BUFFER_FLITS + unpaid - has - rx_credit[v] - inside;
            integer bank;

            always @* begin
                leaving = lost[v];
                for (bank = 0; bank < BANKS; bank = bank + 1)
                    leaving = leaving + left[bank*VCS + v];
            end

            always @(posedge clk)
                if (rst) begin
                    has <= RX_BUFFER_FLITS;
                    inside <= 0;
                    unpaid <= 1'b0;
                    was_owed <= 1'b0;
                end else begin
                    assume (!sent[v] || has != 0);
                    assume (leaving <= inside);
                    // A second tail follows a header that has left.
                    assume (!made_up[v] || !unpaid || leaving != 0);
                    has <= has + rx_credit[v] - sent[v];
                    inside <= inside + sent[v] + made_up[v] - leaving;
                    unpaid <= made_up[v] || (unpaid && leaving == 0);
                    was_owed <= owed != 0;
                    // Never less than nothing, nor more than was given.
                    assert (owed <= RX_BUFFER_FLITS);
                    assert (has + rx_credit[v] <= RX_BUFFER_FLITS);
                    // What is owed goes back, one per cycle; nothing else does.
                    assert (rx_credit[v] == was_owed);
                end
        end
    endgenerate
endmodule
