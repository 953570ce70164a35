// adaptive_room_properties: adaptive_room of an output whose packets commit whenever a level says that
// there is room, whose flits leave when they like, sent or thrown away, and whose next block returns
// credits when it likes. Promised flits that never come are given back.
// What is promised and not yet popped, and what the next block holds or owes, never are more than its
// buffer; a level says exactly which packets the rest had room for a cycle before, and no packet
// after a commit.

module adaptive_room_properties #(
    parameter RX_BUFFER_FLITS = 12,
    parameter MAX_PACKET_FLITS = 6,
    parameter LEFT_BITS = 3
) (
    input wire                 clk,
    input wire                 rst,
    input wire                 up,
    input wire                 promises,
    input wire [LEFT_BITS-1:0] promised,
    input wire                 of_host,     // the packet asks for a host's room
    input wire                 sends,       // a flit is popped and sent
    input wire                 wastes,      // a flit is popped and thrown away
    input wire                 tx_credit,
    input wire [LEFT_BITS-1:0] returned
);
    wire [2:0] level, host_level;
    reg wasted;

    adaptive_room #(
        .RX_BUFFER_FLITS(RX_BUFFER_FLITS), .MAX_PACKET_FLITS(MAX_PACKET_FLITS),
        .LEFT_BITS(LEFT_BITS)
    ) room (
        .clk(clk), .rst(rst), .up(up), .promises(promises), .promised(promised),
        .tx_credit(tx_credit), .wasted(wasted), .returned(returned), .level(level),
        .host_level(host_level)
    );

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
    end

    reg [3:0] coming;               // promised and not yet popped
    reg [3:0] away;                 // sent, in the next block, or owed there
    wire [4:0] taken = coming + away;
    wire [4:0] left = RX_BUFFER_FLITS - taken;
    reg [4:0] was_left;
    reg closed_last;                // a packet committed in the cycle before, or the link was down
    wire [3:0] length = promised + 1;
    // With these parameters classes are packets of 5 flits, and of 6.
    wire [1:0] size = length > 5 ? 1 : 0;
    wire [2:0] asked = of_host ? host_level : level;

    always @(posedge clk)
        if (rst) begin
            coming <= 0;
            away <= 0;
            wasted <= 0;
            was_left <= RX_BUFFER_FLITS;
            closed_last <= 0;
        end else begin
            was_left <= left;
            closed_last <= promises || !up;
            assume (!promises || length <= MAX_PACKET_FLITS);
            assume (!promises || (!asked[2] && asked[1:0] >= size));
            assume (!(sends && wastes));
            assume (returned + sends + wastes <= coming);
            assume (!tx_credit || away != 0);
            coming <= coming + (promises ? length : 0) - sends - wastes - returned;
            away <= away + sends - tx_credit;
            wasted <= wastes;
            assert (taken <= RX_BUFFER_FLITS);
            assert (level[2] == (closed_last || was_left < 5));
            assert (level[2] || (level[1:0] >= 1) == (was_left >= 6));
            assert (host_level[2] == (closed_last || was_left < 8));
            assert (host_level[2] || (host_level[1:0] >= 1) == (was_left >= 9));
            assert (level[2] || left >= (level[1:0] >= 1 ? 6 : 5));
        end
endmodule
