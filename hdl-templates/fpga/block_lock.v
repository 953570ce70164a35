// block_lock: finds where the 66-bit blocks of a 64B/66B line begin, by their headers (01 or 10),
// after IEEE 802.3 figure 49-12.
//
// 64 good headers in a row: locked. 16 bad ones within 64: not locked any more. Where it is not locked,
// every bad header asks for the next bit by a pulse of `slip`, and headers are looked at again
// SLIP_CYCLES later.
// Latency: one cycle. Reset: synchronous, active high.
<$ banner $>

module block_lock #(
    parameter SLIP_CYCLES = 32 // until a slip has taken place, 1..63
) (
    input  wire       clk,
    input  wire       rst,
    input  wire [1:0] header,
    output reg        slip,
    output reg        locked
);
    reg [5:0] blocks; // of the window
    reg [4:0] bad;
    reg [5:0] pause;
    wire      is_bad = header[0] == header[1];

    always @(posedge clk) begin
        slip <= 1'b0;
        if (rst) begin
            locked <= 1'b0;
            blocks <= 6'd0;
            bad    <= 5'd0;
            pause  <= 6'd0;
        end else if (pause != 6'd0) begin
            pause  <= pause - 6'd1;
            blocks <= 6'd0;
            bad    <= 5'd0;
        end else if (is_bad && (!locked || bad == 5'd15)) begin
            locked <= 1'b0;
            slip   <= 1'b1;
            pause  <= SLIP_CYCLES[5:0];
        end else begin
            blocks <= blocks + 6'd1;
            bad    <= (blocks == 6'd63) ? 5'd0 : bad + {4'd0, is_bad};
            if (blocks == 6'd63 && bad == 5'd0 && !is_bad)
                locked <= 1'b1;
        end
    end
endmodule
