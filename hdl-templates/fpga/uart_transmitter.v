// uart_transmitter: sends bytes on a serial line, 8 data bits, no parity, one stop bit.
//
// A byte is taken in a cycle with valid = ready = 1. Reset: synchronous, active high, line idle (1).
// Limits: DIVIDER (cycles a bit) 2..65535.
<$ banner $>

module uart_transmitter #(
    parameter DIVIDER = 217
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       valid,
    output wire       ready,
    input  wire [7:0] data,
    output reg        line
);
    generate
        if (DIVIDER < 2 || DIVIDER > 65535) begin : gen_check_divider
            illegal_parameter_DIVIDER_must_be_2_to_65535 stop ();
        end
    endgenerate

    reg [15:0] time_left; // of the bit on the line
    reg [3:0]  bits_left;
    reg [8:0]  shift;

    assign ready = bits_left == 4'd0;

    always @(posedge clk) begin
        if (rst) begin
            line      <= 1'b1;
            time_left <= 16'd0;
            bits_left <= 4'd0;
            shift     <= 9'h1FF;
        end else if (ready) begin
            if (valid) begin
                line      <= 1'b0;
                shift     <= {1'b1, data};
                bits_left <= 4'd10;
                time_left <= DIVIDER[15:0] - 16'd1;
            end
        end else if (time_left != 16'd0) begin
            time_left <= time_left - 16'd1;
        end else begin
            line      <= shift[0];
            shift     <= {1'b1, shift[8:1]};
            bits_left <= bits_left - 4'd1;
            time_left <= DIVIDER[15:0] - 16'd1;
        end
    end
endmodule
