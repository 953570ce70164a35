// A combinational output beside a register, and state that nothing initialises.
module accumulator (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] add,
    output wire [31:0] next,
    output reg  [31:0] sum,
    output reg  [63:0] noise
);
    assign next = sum + add;
    always @(posedge clk) if (rst) sum <= 32'd0; else sum <= next;
    always @(posedge clk) noise <= {noise[0], noise[63:1]};
endmodule
