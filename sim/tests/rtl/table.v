// Reads its memory from a file that each instance names itself.
module table_reader (
    input  wire       clk,
    input  wire [1:0] index,
    output reg  [7:0] value
);
    reg [7:0] memory [0:3];
    reg [8*256-1:0] path;
    initial if ($value$plusargs("TABLE=%s", path)) $readmemh(path, memory);
    always @(posedge clk) value <= memory[index];
endmodule
