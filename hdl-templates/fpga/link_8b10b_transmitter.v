// link_8b10b_transmitter: words of a link port as symbols of 8b10b, two per cycle; eight are a
// word.
//
// A data word is eight bytes, lowest first. A control word is K28.1 and seven bytes; where there is
// no word, K28.5 and seven bytes D10.2. One word in 1,024 is such an empty one, so that the
// receiver finds its place again. Only the first symbol of a word is ever a K symbol.
// Latency: one cycle. Throughput: a word in 4 cycles. Reset: synchronous, active high.
<$ banner $>

module link_8b10b_transmitter (
    input  wire        clk,
    input  wire        rst,
    input  wire        valid,
    input  wire        ctl,
    input  wire [63:0] data,
    output wire        ready,
    output wire [15:0] symbols, // the first in the low byte
    output reg         is_k     // of the first; the second never is one
);
    localparam [7:0] K28_1 = 8'h3C;
    localparam [7:0] K28_5 = 8'hBC;
    localparam [7:0] D10_2 = 8'h4A;

    reg [1:0]  turn;
    reg [9:0]  word;
    reg [63:0] shift;

    assign ready   = turn == 2'd0 && word != 10'd0 && !rst;
    assign symbols = shift[15:0];

    always @(posedge clk) begin
        turn <= rst ? 2'd0 : turn + 2'd1;
        if (rst)
            word <= 10'd0;
        else if (turn == 2'd0)
            word <= word + 10'd1;
        if (turn != 2'd0)
            {is_k, shift} <= {1'b0, 16'd0, shift[63:16]};
        else if (!valid || !ready)
            {is_k, shift} <= {1'b1, {7{D10_2}}, K28_5};
        else if (ctl)
            {is_k, shift} <= {1'b1, data[55:0], K28_1};
        else
            {is_k, shift} <= {1'b0, data};
    end
endmodule
