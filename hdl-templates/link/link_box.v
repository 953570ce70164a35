// link_box: a word that changes in any way, again and again from one clock to another
// (docs/microarchitecture.md 7.3). A toggle says that the box is full, one back that it was taken.
// Latency: with equal clocks a box is loaded every 6 cycles, and taken 3 cycles later. Reset: each
// side synchronous to its own clock, active high, both together.
<$ banner $>

module link_box #(
    parameter WIDTH = 42
) (
    input  wire             from_clk,
    input  wire             from_rst,
    input  wire [WIDTH-1:0] from,
    input  wire             to_clk,
    input  wire             to_rst,
    output wire             taken,          // in this cycle of to_clk
    output wire [WIDTH-1:0] word            // while it is taken
);
    reg  [WIDTH-1:0] box_word;
    reg  box_sent;
    reg  box_taken;
    wire box_back;
    wire box_seen;

    assign taken = box_seen != box_taken;
    assign word  = box_word;

    link_synchronizer forth (.clk(to_clk), .rst(to_rst), .from(box_sent), .seen(box_seen));
    link_synchronizer back (.clk(from_clk), .rst(from_rst), .from(box_taken), .seen(box_back));

    always @(posedge from_clk)
        if (from_rst) begin
            box_word <= {WIDTH{1'b0}};
            box_sent <= 1'b0;
        end else if (box_back == box_sent) begin
            box_word <= from;
            box_sent <= ~box_sent;
        end

    always @(posedge to_clk)
        if (to_rst)
            box_taken <= 1'b0;
        else
            box_taken <= box_seen;
endmodule
