// beat_buffer: two entries between a host and the ingress, so that the host's ready can be a
// register and no cycle is lost (docs/microarchitecture.md 3.3).
//
// Latency: an entry pushed in cycle t is the head in cycle t + 1 (empty buffer). Throughput: one
// entry per cycle. Reset: synchronous, active high; clears everything but the contents.
// Limits: WIDTH >= 1; nothing is pushed while room = 0.
<$ banner $>

module beat_buffer #(
    parameter WIDTH = 64 // bits of an entry
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,
    input  wire [WIDTH-1:0] push_data,
    output reg              room,   // an entry may be pushed
    input  wire             pop,
    output wire             filled, // head holds an entry
    output reg  [WIDTH-1:0] head    // the oldest entry
);
    reg [WIDTH-1:0] second;
    reg [1:0]       entries;

    assign filled = entries != 2'd0;

    wire [1:0] left = entries - {1'b0, pop};
    wire [1:0] next = left + {1'b0, push};

    always @(posedge clk) begin
        if (rst) begin
            room    <= 1'b0;
            entries <= 2'd0;
        end else begin
            room    <= !next[1];
            entries <= next;
        end
    end

    always @(posedge clk) begin
        if (push && left == 2'd0)
            head <= push_data;
        else if (pop)
            head <= second;
        if (push)
            second <= push_data;
    end
endmodule
