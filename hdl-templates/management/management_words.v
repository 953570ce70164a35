// management_words: a word of a message on its way out, with hop, route, operation and status as
// they become in this block (docs/microarchitecture.md 8.3, sending). Every change replaces
// nibbles of the word by the same nibble, so each bit of the word takes one gate.
// Latency: what replaces what is decided a cycle before its word is here, because the word goes on
// to block RAM of distant links; the word itself takes none. Reset: none.
<$ banner $>

module management_words (
    input  wire        clk,
    input  wire [2:0]  next_number,         // of the word that is here in the next cycle
    input  wire [31:0] word,
    input  wire        records,             // hop and route change
    input  wire        back,                // operation and status change
    input  wire        returns,             // an answer or error
    input  wire [3:0]  hop,
    input  wire [3:0]  entry,               // of the route
    input  wire [3:0]  place,
    input  wire [7:0]  status,
    output reg  [31:0] changed
);
    wire       is_first = next_number == 3'd0;
    wire       is_route = records & next_number == {2'd1, entry[3]};
    wire       is_last  = back & next_number == 3'd6;
    wire [7:0] in_route = {7'd0, is_route} << entry[2:0];

    wire [3:0] next_hop  = returns ? entry : hop + 4'd1;
    wire [3:0] operation = {3'b001, |status[3:2]};

    reg  [3:0] value;
    reg  [7:0] replaced;
    reg        has_status;

    always @(posedge clk) begin
        value <= is_first ? (back ? operation : next_hop) : is_last ? status[3:0] : place;
        replaced <= in_route | {{3{is_last}}, 1'b0, is_first & records, is_first & back, 2'b00};
        has_status <= is_last;
    end

    integer    part;
    always @* begin
        for (part = 0; part < 8; part = part + 1)
            changed[part*4 +: 4] = replaced[part] ? value : word[part*4 +: 4];
        // Two more nibbles of the status, where only the route is replaced otherwise.
        if (has_status)
            changed[31:24] = {4'd0, status[7:4]};
    end
endmodule
