// link_pointer: a counter that another clock may look at, through a link_synchronizer
// (docs/microarchitecture.md 7.3).
// Latency: `gray` is the Gray code of `count`, both registers. Reset: `clear`, synchronous, active
// high, 0; nobody may look while it is cleared from another value than 0.
<$ banner $>

module link_pointer #(
    parameter BITS = 8
) (
    input  wire            clk,
    input  wire            clear,
    input  wire            advance,
    output reg  [BITS-1:0] count,
    output reg  [BITS-1:0] gray
);
    wire [BITS-1:0] next = count + {{BITS-1{1'b0}}, 1'b1};

    always @(posedge clk)
        if (clear) begin
            count <= {BITS{1'b0}};
            gray <= {BITS{1'b0}};
        end else if (advance) begin
            count <= next;
            gray <= next ^ (next >> 1);
        end
endmodule
