// switch_core_properties: a whole switch core of two ports and one channel between neighbours that
// keep the link contract. Every flit carries its input and its number there (bits 63 and 62:58), so
// what leaves can be named: nothing twice, nothing made up, nothing lost from a packet, in order,
// packets never mixed.

module switch_core_properties #(
    parameter BANKS = 1
) (
    input wire         clk,
    input wire         rst,
    input wire [1:0]   rx_valid,
    input wire [1:0]   rx_last,
    input wire [1:0]   destination,     // of headers, by input
    input wire [1:0]   tx_credit
);
    localparam CREDITS = 4;
    localparam NUMBER_BITS = 5;
    wire [1:0] rx_credit;
    wire [1:0] tx_valid;
    wire [1:0] tx_last;
    wire [127:0] tx_data;
    wire [127:0] rx_data;
    reg [NUMBER_BITS-1:0] entered [0:1];

    // Entry n of the table leads to port n; a packet may go back to its own port.
    switch_core #(
        .PORTS(2), .DATA_WIDTH(64), .VCS(1), .RX_BUFFER_FLITS(CREDITS), .QUEUE_FLITS(8),
        .BANKS(BANKS), .TABLES(1), .TABLE_LSBS(40'd0), .TABLE_BITS(32'd1),
        .INIT_BITS(144), .INIT({112'd0, 16'h00c1, 16'h00c0})
    ) core (
        .clk(clk), .rst(rst),
        .rx_valid(rx_valid), .rx_vc(2'd0), .rx_last(rx_last), .rx_bad(2'd0), .rx_data(rx_data),
        .rx_credit(rx_credit), .tx_valid(tx_valid), .tx_vc(), .tx_last(tx_last), .tx_bad(),
        .tx_data(tx_data), .tx_credit(tx_credit), .link_up(2'b11), .step(4'd0),
        .table_change(32'd0),
        .table_read(16'd0),
        .table_entry(),
        .input_events(), .output_events(), .drop_valid(), .drop_port(), .drop_header()
    );

    assign rx_data[63:0] = {1'b0, entered[0], 57'd0, destination[0]};
    assign rx_data[127:64] = {1'b1, entered[1], 57'd0, destination[1]};

    reg started = 1'b0;
    reg [3:0] sender_credits [0:1];
    reg [3:0] receiver_holds [0:1];
    reg [1:0] in_packet;                            // of an output
    reg [1:0] packet_input;                         // whose packet it is
    reg [NUMBER_BITS-1:0] next_least [0:3];         // least number that may leave, {output, input}
    integer p;
    wire [1:0] from = {tx_data[127], tx_data[63]};

    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
        for (p = 0; p < 2; p = p + 1)
            if (rst) begin
                sender_credits[p] <= CREDITS;
                receiver_holds[p] <= 0;
                entered[p] <= 0;
                in_packet[p] <= 1'b0;
                next_least[2*p] <= 0;
                next_least[2*p+1] <= 0;
            end else begin
                assume (!rx_valid[p] || sender_credits[p] != 0);
                assume (!tx_credit[p] || receiver_holds[p] != 0);
                assume (!(&entered[p]));
                sender_credits[p] <= sender_credits[p] + rx_credit[p] - rx_valid[p];
                receiver_holds[p] <= receiver_holds[p] + tx_valid[p] - tx_credit[p];
                entered[p] <= entered[p] + rx_valid[p];
                // Credit range.
                assert (sender_credits[p] <= CREDITS);
                // Receiver never overflows.
                assert (receiver_holds[p] <= CREDITS);
                if (tx_valid[p]) begin
                    // Not made up.
                    assert (tx_data[64*p + 58 +: NUMBER_BITS] < entered[from[p]]);
                    // In order and once.
                    assert (tx_data[64*p + 58 +: NUMBER_BITS]
                        >= next_least[2*p + from[p]]);
                    // One channel: the flits of a packet came in one after the other.
                    // Nothing lost.
                    assert (!in_packet[p]
                        || tx_data[64*p + 58 +: NUMBER_BITS] == next_least[2*p + from[p]]);
                    // Packets do not mix.
                    assert (!in_packet[p] || packet_input[p] == from[p]);
                    next_least[2*p + from[p]] <= tx_data[64*p + 58 +: NUMBER_BITS] + 1'b1;
                    in_packet[p] <= !tx_last[p];
                    packet_input[p] <= from[p];
                end
            end
    end
endmodule
