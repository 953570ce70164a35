// Every output is a register. Stops when it counts past LIMIT.
module counter #(
    parameter WIDTH = 16,
    parameter LIMIT = 1000
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             enable,
    input  wire [99:0]      wide,
    output reg  [WIDTH-1:0] count,
    output reg  [99:0]      wide__q
);
    always @(posedge clk) begin
        wide__q <= wide;
        if (rst) count <= {WIDTH{1'b0}};
        else if (enable) count <= count + 1'b1;
        if (!rst && enable && LIMIT != 0 && count == LIMIT) begin
            $display("count passed %0d", LIMIT);
            $stop;
        end
    end
endmodule
