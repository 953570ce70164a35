// link_synchronizer: a level, or a Gray code, from another clock (docs/microarchitecture.md 7.3).
// Of WIDTH bits at most one may change at a time, or none while anybody looks: levels that are
// independent of each other have an instance each. `from` is a register of the other clock, with no
// logic behind it. The timing of the crossing is in constraints/common/link_port.*.
// Latency: two cycles of clk. Reset: synchronous, active high, 0.
<$ banner $>

module link_synchronizer #(
    parameter WIDTH = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WIDTH-1:0] from,
    output wire [WIDTH-1:0] seen
);
    (* ASYNC_REG = "TRUE", syn_preserve = 1,
       altera_attribute = "-name SYNCHRONIZER_IDENTIFICATION FORCED" *)
    reg [WIDTH-1:0] stage_1, stage_2;

    assign seen = stage_2;

    always @(posedge clk)
        if (rst) begin
            stage_1 <= {WIDTH{1'b0}};
            stage_2 <= {WIDTH{1'b0}};
        end else begin
            stage_1 <= from;
            stage_2 <= stage_1;
        end
endmodule
