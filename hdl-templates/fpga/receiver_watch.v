// receiver_watch: has a transceiver's receiver begin anew when it has brought nothing for 2^QUIET_BITS
// cycles: equalisers that followed noise while a cable was out may not find back by themselves.
//
// `up`: words come (a register of any clock). `restart` is then high for 64 cycles.
// Reset: synchronous, active high.
<$ banner $>

module receiver_watch #(
    parameter QUIET_BITS = 24 // 8..31
) (
    input  wire clk,
    input  wire rst,
    input  wire up,
    output reg  restart
);
    wire                  up_here;
    reg  [QUIET_BITS-1:0] quiet;

    bit_synchroniser crossing (
        .clk(clk),
        .in(up),
        .out(up_here)
    );

    always @(posedge clk) begin
        restart <= &quiet[QUIET_BITS-1:6];
        quiet   <= (rst || up_here) ? {QUIET_BITS{1'b0}} : quiet + 1'b1;
    end
endmodule
