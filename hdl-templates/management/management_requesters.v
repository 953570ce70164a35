// management_requesters: the last write that was carried out for each requester of a management
// unit, sixteen of them, and how the number of a message compares with it
// (docs/microarchitecture.md 8.3).
// Latency: the verdict stands four cycles after `number`. Reset: none, because the unit clears all
// entries after a reset.
<$ banner $>

module management_requesters (
    input  wire        clk,
    input  wire [31:0] number,              // requester, sequence
    input  wire        clear,
    input  wire [3:0]  clear_at,
    input  wire        store,
    input  wire [1:0]  response,
    output reg         repeated,
    output reg         old,
    output wire [1:0]  last_response
);
    // The entry of a requester is read long after it was written.
    (* ram_style = "block", no_rw_check *)
    reg  [30:0] last [0:15];                // {valid, number without its index, response}
    reg  [30:0] read;
    reg  [30:0] entry;                      // behind the memory, whose output is late

    wire [3:0]  requester = number[19:16];
    wire        is_known  = entry[30] & entry[29:18] == number[31:20];
    wire [15:0] distance  = number[15:0] - entry[17:2];

    assign last_response = entry[1:0];

    always @(posedge clk) begin
        read <= last[requester];
        entry <= read;
        repeated <= is_known & distance == 16'd0;
        old <= is_known & distance[15];
        if (clear | store)
            last[clear ? clear_at : requester]
                <= {~clear, number[31:20], number[15:0], response};
    end
endmodule
