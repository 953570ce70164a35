`timescale 1ps/1ps
`default_nettype none

// A terminal of a board: prints its lines behind the board's letter.
module terminal #(
    parameter [7:0]   BOARD  = "a",
    parameter integer PERIOD = 160000 // of a bit, ps
) (
    input  wire   line,
    output reg [31:0] lines
);
    reg [8*120-1:0] text;
    reg [7:0]       letter;
    integer         bits;

    initial begin
        lines = 0;
        text  = 0;
        // the line is 1 before the first start bit
        wait (line === 1'b1);
        forever begin
            @(negedge line);
            #(PERIOD / 2);
            for (bits = 0; bits < 8; bits = bits + 1) begin
                #PERIOD letter[bits] = line;
            end
            #PERIOD if (line !== 1'b1) $display("FAULT no stop bit");
            if (letter == 8'h0A) begin
                $display("%s: %0s", BOARD, text);
                lines = lines + 1;
                text  = 0;
            end else if (letter != 8'h0D)
                text = {text[8*119-1:0], letter};
        end
    end
endmodule

`default_nettype wire
