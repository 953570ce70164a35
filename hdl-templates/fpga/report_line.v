// report_line: a line of text with numbers in it on a serial line.
//
// `start` takes `digits`; the text follows, letter by letter. In TEXT S, R, E and P stand for the
// next hexadecimal digit, T for `traffic`, and WXYZ for `pass` or `fail`.
// Latency: `busy` from the cycle behind `start` to the end of the last letter but one.
// Reset: synchronous, active high. Limits: LENGTH 1..255; `digits` has as many as TEXT at most.
<$ banner $>

module report_line #(
    parameter DIVIDER = 217, // cycles a bit of the serial line
    parameter LENGTH = 4,
    parameter [8*LENGTH-1:0] TEXT = "WXYZ"
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         start,
    input  wire [111:0] digits,
    input  wire [1:0]   traffic,
    input  wire         passed,
    output reg          busy,
    output wire         serial_out
);
    reg  [7:0]   character; // the place of the next one
    reg  [111:0] left;      // digits still to be printed
    reg  [7:0]   letter;
    wire [7:0]   symbol = TEXT[8*(LENGTH-1-{24'd0, character}) +: 8];
    wire         ready;

    function [7:0] hexadecimal;
        input [3:0] value;
        hexadecimal = (value < 4'd10) ? {4'h3, value} : {4'h6, value - 4'd9};
    endfunction

    wire is_digit = (symbol == "S") || (symbol == "R") || (symbol == "E") || (symbol == "P");

    always @(*) begin
        letter = symbol;
        if (is_digit)
            letter = hexadecimal(left[111:108]);
        if (symbol == "T")
            letter = {6'b001100, traffic};
        if (symbol == "W")
            letter = passed ? "p" : "f";
        if (symbol == "X")
            letter = "a";
        if (symbol == "Y")
            letter = passed ? "s" : "i";
        if (symbol == "Z")
            letter = passed ? "s" : "l";
    end

    always @(posedge clk) begin
        if (rst) begin
            busy      <= 1'b0;
            character <= 8'd0;
            left      <= 112'd0;
        end else if (start) begin
            busy      <= 1'b1;
            character <= 8'd0;
            left      <= digits;
        end else if (busy && ready) begin
            character <= character + 8'd1;
            if (is_digit)
                left <= {left[107:0], 4'd0};
            if (character == LENGTH[7:0] - 8'd1) begin
                busy      <= 1'b0;
                character <= 8'd0;
            end
        end
    end

    uart_transmitter #(
        .DIVIDER(DIVIDER)
    ) transmitter (
        .clk(clk),
        .rst(rst),
        .valid(busy),
        .ready(ready),
        .data(letter),
        .line(serial_out)
    );
endmodule
