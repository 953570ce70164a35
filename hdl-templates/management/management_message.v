// management_message: what a management unit keeps of the message that it reads
// (docs/microarchitecture.md 8.3, reading).
// Latency: the fields of a word stand one cycle after it. Reset: synchronous, active high.
<$ banner $>

module management_message (
    input  wire        clk,
    input  wire        rst,
    input  wire        reading,
    input  wire [3:0]  at,                  // word `at` - 2 is here
    input  wire [31:0] word,
    input  wire        key_equal,           // the word is the half of the key that stands there
    output reg         version_good,
    output wire        returns,             // an answer or error
    output wire        writes,              // of a request: a write
    output reg  [3:0]  hop,
    output wire        arrived,             // a request at its end
    output reg  [31:0] number,
    output wire [3:0]  entry,               // of the route
    output reg  [3:0]  port,                // that this entry names
    output reg         key_good,
    output reg  [19:0] address
);
    localparam [7:0] VERSION = 8'd1;

    reg  [1:0] operation;
    reg  [3:0] length;

    assign returns = operation[1];
    assign writes  = operation[0];
    assign arrived = ~returns & hop == length;
    assign entry   = hop - {3'd0, returns};

    wire [3:0] entry_read = word[{entry[2:0], 2'd0} +: 4];

    always @(posedge clk)
        if (rst) begin
            version_good <= 1'b0;
            operation <= 2'd0;
            hop <= 4'd0;
            length <= 4'd0;
            number <= 32'd0;
            port <= 4'd0;
            key_good <= 1'b0;
            address <= 20'd0;
        end else if (reading) begin
            if (at == 4'd2) begin
                version_good <= word[7:0] == VERSION
                    & ~word[11] & (~word[10] | word[9:8] == 2'd2);
                operation <= word[9:8];
                hop <= word[15:12];
                length <= word[19:16];
            end
            if (at == 4'd3)
                number <= word;
            if (at == (entry[3] ? 4'd5 : 4'd4))
                port <= entry_read;
            if (at == 4'd6 | at == 4'd7)
                key_good <= key_equal & (~at[0] | key_good);
            if (at == 4'd8)
                address <= word[19:0];
        end
endmodule
