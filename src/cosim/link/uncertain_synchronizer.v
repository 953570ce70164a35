// link_synchronizer for clocks whose edges meet: of what changes at the edge at which it is taken, every bit is seen
// as it was or as it will be. The clock falls after all that changed with it.
module link_synchronizer #(
    parameter WIDTH = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WIDTH-1:0] from,
    output wire [WIDTH-1:0] seen
);
    reg [WIDTH-1:0] was;
    reg [WIDTH-1:0] stage_1;
    reg [WIDTH-1:0] stage_2;

    assign seen = stage_2;

    always @(posedge clk) begin
        was <= from;
        stage_2 <= rst ? {WIDTH{1'b0}} : stage_1;
    end

    always @(negedge clk)
        if (rst)
            stage_1 <= {WIDTH{1'b0}};
        else if (was == from)
            stage_1 <= from;
        else
            stage_1 <= was ^ ((was ^ from) & $urandom);
endmodule
