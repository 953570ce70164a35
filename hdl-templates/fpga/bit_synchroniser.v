// bit_synchroniser: a level from another clock, by two registers. For levels that stay for at least
// two cycles of clk; constraints/common/bit_synchroniser.* take the way to the first register off
// timing. `in` has no logic in front of it that a change of another signal could make glitch.
// Latency: two cycles. Reset: none; both registers start as INITIAL.
<$ banner $>

module bit_synchroniser #(
    parameter [0:0] INITIAL = 1'b0
) (
    input  wire clk,
    input  wire in,
    output wire out
);
    (* ASYNC_REG = "TRUE", syn_preserve = 1,
       altera_attribute = "-name SYNCHRONIZER_IDENTIFICATION FORCED" *)
    reg level_1, level_2;

    initial {level_1, level_2} = {2{INITIAL}};

    always @(posedge clk) begin
        level_1 <= in;
        level_2 <= level_1;
    end

    assign out = level_2;
endmodule
