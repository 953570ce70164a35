// management_key: the management key of a block, and whether a word of a message is a half of it
// (docs/microarchitecture.md 8.3, 8.6).
// Latency: `equal` stands one cycle after `word`. Reset: synchronous, active high.
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
    // The word comes from a block RAM: a comparison of all bits in the same cycle would be too slow.
    reg [63:0]  key;
    reg [3:0]   equal_bytes;
    wire [31:0] half = high ? key[63:32] : key[31:0];

    assign equal = &equal_bytes;

    always @(posedge clk)
        equal_bytes <= {word[31:24] == half[31:24], word[23:16] == half[23:16],
            word[15:8] == half[15:8], word[7:0] == half[7:0]};

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
