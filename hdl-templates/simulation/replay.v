// replay: plays recorded vectors to a block and compares its outputs, in any Verilog simulator.
//
// Reads vectors.txt of the working folder: one line per cycle, all inputs and all expected outputs as one
// hexadecimal number each (docs/reference/verification.md). Expected bits that are x are not compared; everywhere
// else an x or z of the block is a difference. Prints `mkns_equal CYCLES`, or `mkns_difference CYCLE
// OUTPUTS` with the outputs in binary, and ends.
<$ banner $>

`timescale 1ns / 1ps

module replay;
    localparam INPUTS = <$ inputs $>;
    localparam OUTPUTS = <$ outputs $>;

    reg                clk;
    reg  [INPUTS-1:0]  stimulus;
    reg  [OUTPUTS-1:0] expected;
    wire [OUTPUTS-1:0] response;
    integer            file;
    integer            found;
    integer            cycle;

    // Where expected is x, the exclusive or with itself is x too.
    wire [OUTPUTS-1:0] ignored = expected ^ expected;

    initial begin
        clk = 1'b0;
        cycle = 0;
        file = $fopen("vectors.txt", "r");
        found = $fscanf(file, "%h %h", stimulus, expected);
        while (found == 2) begin
            #5;
            if ((response ^ ignored) !== expected) begin
                $display("mkns_difference %0d %b", cycle, response);
                $finish;
            end
            clk = 1'b1;
            #5;
            clk = 1'b0;
            cycle = cycle + 1;
            found = $fscanf(file, "%h %h", stimulus, expected);
        end
        $display("mkns_equal %0d", cycle);
        $finish;
    end

    <$ module $> #(
<$ parameters $>
    ) block (
        .clk(clk),
<$ connections $>
    );
endmodule
