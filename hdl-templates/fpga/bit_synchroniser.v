// bit_synchroniser: a level from another clock, by two registers. For levels that stay for at least
// two cycles of clk; constraints/common/bit_synchroniser.xdc takes the way to the first register off
// timing.
// Latency: two cycles. Reset: none; both registers start as INITIAL.
<$ banner $>

module bit_synchroniser #(
    parameter [0:0] INITIAL = 1'b0
) (
    input  wire clk,
    input  wire in,
    output wire out
);
    (* ASYNC_REG = "TRUE" *) reg [1:0] stage;

    initial stage = {2{INITIAL}};

    always @(posedge clk)
        stage <= {stage[0], in};

    assign out = stage[1];
endmodule
