// Starts at a given value and counts every edge: shows an edge too many or too few at once.
module ticks #(
    parameter [31:0] START = 32'd0
) (
    input  wire        clk,
    input  wire [15:0] weight,
    output reg  [31:0] count,
    output reg  [31:0] sum
);
    initial count = START;
    initial sum = 32'd0;
    always @(posedge clk) begin
        count <= count + 32'd1;
        sum <= {sum[30:0], sum[31]} + {16'd0, weight};
    end
endmodule
