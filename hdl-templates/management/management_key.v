// management_key: the management key of a block, and whether a word of a message is a half of it
// (docs/microarchitecture.md 8.3, 8.6).
// Combinational, but for the key. Reset: synchronous, active high.
<$ banner $>

module management_key (
    input  wire        clk,
    input  wire        rst,
    input  wire [1:0]  set,                 // the low half, the high half
    input  wire [31:0] value,
    input  wire        high,
    input  wire [31:0] word,
    output wire        equal
);
    reg [63:0] key;

    assign equal = word == (high ? key[63:32] : key[31:0]);

    always @(posedge clk)
        if (rst)
            key <= 64'd0;
        else begin
            if (set[0])
                key[31:0] <= value;
            if (set[1])
                key[63:32] <= value;
        end
endmodule
