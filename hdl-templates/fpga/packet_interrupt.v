// packet_interrupt: the user interrupt of Xilinx' XDMA core (PG195) that says that a packet waits for
// its reader. The request stays until the core has sent it and nothing waits any more, as the core
// demands; then a packet that comes later makes a new one. For MSI and MSI-X.
// Latency: one cycle. Reset: synchronous, active high. Limits: none.
<$ banner $>

module packet_interrupt (
    input  wire clk,
    input  wire rst,
    input  wire waiting,
    output reg  request,
    input  wire acknowledge // by the core, one cycle or more
);
    reg is_sent;

    always @(posedge clk) begin
        if (rst) begin
            request <= 1'b0;
            is_sent <= 1'b0;
        end else if (!request) begin
            request <= waiting;
            is_sent <= 1'b0;
        end else begin
            is_sent <= is_sent || acknowledge;
            request <= waiting || !is_sent;
        end
    end
endmodule
