// Stores on both edges of the clock: the short pulse of registered models would be wrong here.
module falling (
    input  wire       clk,
    input  wire [7:0] in,
    output reg  [7:0] out
);
    reg [7:0] half;
    always @(negedge clk) half <= in;
    always @(posedge clk) out <= half;
endmodule
