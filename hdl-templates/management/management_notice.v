// management_notice: when a management unit tells its manager that a link came up or went down
// (docs/microarchitecture.md 8.5).
// Latency: one cycle from link_up to `due`. Reset: synchronous, active high.
<$ banner $>

module management_notice #(
    parameter PORTS = 4,
    parameter [PORTS-1:0] LINKS = {PORTS{1'b1}}
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [PORTS-1:0] link_up,
    input  wire             acknowledge,    // what was due is known
    input  wire             arm,            // with acknowledge: whether the next change is due
    input  wire             leaves,         // the notice was sent or dropped
    output reg              due,
    output wire             full            // the notice waits to be sent
);
    // `pause` of the page is the number of steps since reset, of a register that has all values
    // but 0 in turn. It is 4094 where all bits are 1.
    localparam [11:0] FIRST = 12'hffe;

    reg  [PORTS-1:0] link_up_seen;
    reg              armed;
    reg              told;
    reg  [11:0]      pause;
    wire             feedback = pause[11] ^ pause[5] ^ pause[3] ^ pause[0];

    assign full = due & ~told;

    always @(posedge clk)
        if (rst) begin
            link_up_seen <= {PORTS{1'b0}};
            armed <= 1'b0;
            due <= 1'b0;
            told <= 1'b0;
            pause <= FIRST;
        end else begin
            link_up_seen <= link_up & LINKS;
            if (acknowledge)
                armed <= arm;
            // A change in the cycle of the acknowledgement is due again.
            due <= (due & ~acknowledge) | (armed & (link_up & LINKS) != link_up_seen);
            told <= leaves | (told & ~acknowledge & ~&pause);
            pause <= {pause[10:0], feedback};
        end
endmodule
