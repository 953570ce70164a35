// uart_receiver: takes bytes from a serial line, 8 data bits, no parity, one stop bit.
//
// The line may change at any time: bit_synchroniser brings it into the clock. `valid` is 1 for one
// cycle for each byte with a right stop bit. Reset: synchronous, active high.
// Limits: DIVIDER (cycles a bit) 4..65535.
<$ banner $>

module uart_receiver #(
    parameter DIVIDER = 217
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       line,
    output reg        valid,
    output reg  [7:0] data
);
    generate
        if (DIVIDER < 4 || DIVIDER > 65535) begin : gen_check_divider
            illegal_parameter_DIVIDER_must_be_4_to_65535 stop ();
        end
    endgenerate

    wire       level;
    reg        busy;
    reg [15:0] time_left; // to the middle of the next bit
    reg [3:0]  bits_left;
    reg [7:0]  shift;

    bit_synchroniser #(
        .INITIAL(1'b1)
    ) line_crossing (
        .clk(clk),
        .in(line),
        .out(level)
    );

    always @(posedge clk) begin
        valid <= 1'b0;
        if (rst) begin
            busy      <= 1'b0;
            time_left <= 16'd0;
            bits_left <= 4'd0;
            shift     <= 8'd0;
            data      <= 8'd0;
        end else if (!busy) begin
            if (!level) begin
                busy      <= 1'b1;
                bits_left <= 4'd9;
                time_left <= DIVIDER[15:0] + (DIVIDER[15:0] >> 1) - 16'd1;
            end
        end else if (time_left != 16'd0) begin
            time_left <= time_left - 16'd1;
        end else begin
            shift     <= {level, shift[7:1]};
            bits_left <= bits_left - 4'd1;
            time_left <= DIVIDER[15:0] - 16'd1;
            if (bits_left == 4'd1) begin
                busy  <= 1'b0;
                valid <= level;
                data  <= shift;
            end
        end
    end
endmodule
