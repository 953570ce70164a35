// link_8b10b_receiver: words out of the symbols of link_8b10b_transmitter, in the clock that came
// with them. The decoder may begin its pairs at either symbol.
//
// K28.1 and K28.5 begin a word whatever was before, so a wrong begin is corrected by the next right
// one; data words follow each other in step. Another K symbol drops its word: the decoder of an
// ECP5 puts K14.7 where it refuses a symbol. `placed`: a word has begun since the reset.
// Latency: two cycles from a word's last symbol. Reset: synchronous, active high.
<$ banner $>

module link_8b10b_receiver (
    input  wire        clk,
    input  wire        rst,
    input  wire [15:0] symbols,
    input  wire [1:0]  is_k,
    output reg         placed,
    output reg         valid,
    output reg         ctl,
    output wire [63:0] data
);
    localparam [7:0] K28_1 = 8'h3C;
    localparam [7:0] K28_5 = 8'hBC;

    function is_begin;
        input [8:0] symbol;
        is_begin = symbol == {1'b1, K28_5} || symbol == {1'b1, K28_1};
    endfunction

    // Pairs that begin with the first symbol of a word: as they come, or one symbol later.
    reg        is_odd;
    reg [8:0]  held; // {is K, symbol}
    wire [8:0] low  = {is_k[0], symbols[7:0]};
    wire [8:0] high = {is_k[1], symbols[15:8]};
    reg [17:0] pair;
    wire [8:0] first  = pair[8:0];
    wire [8:0] second = pair[17:9];

    // Of words.
    reg [1:0] turn;
    reg       is_whole;
    wire      begins    = is_begin(first);
    wire      is_first  = begins || turn == 2'd0;
    wire      is_broken = second[8] || (first[8] && !begins);

    always @(posedge clk) begin
        held <= high;
        pair <= is_odd ? {low, held} : {high, low};
        if (is_begin(low))
            is_odd <= 1'b0;
        else if (is_begin(high))
            is_odd <= 1'b1;
        if (rst) begin
            is_odd <= 1'b0;
            placed <= 1'b0;
            turn   <= 2'd0;
            valid  <= 1'b0;
        end else begin
            turn <= is_first ? 2'd1 : turn + 2'd1;
            if (begins)
                placed <= 1'b1;
            // an empty word is none
            if (is_first)
                is_whole <= (begins || placed) && !is_broken && !(begins && first[7:0] == K28_5);
            else if (is_broken)
                is_whole <= 1'b0;
            valid <= turn == 2'd3 && !is_first && is_whole && !is_broken;
        end
    end

    reg        is_control;
    reg [63:0] shift;

    always @(posedge clk) begin
        if (is_first)
            is_control <= begins;
        shift <= {second[7:0], first[7:0], shift[63:16]};
        ctl   <= is_control;
    end

    // A control word's bits stand behind its K symbol.
    assign data = ctl ? {8'd0, shift[63:8]} : shift;
endmodule
