// counter_group: 15 wrapping 32-bit counters that share one adder and one LUT RAM.
// Each counter has four bits of its own that take its events; in `turn`, one counter a cycle, they
// are added to the total in the RAM, so they hold 15 at most. A counter's value is the sum of both.
// COUNTER_START: the value after a reset; tests begin below the overflow, to reach the high bits.
// Latency: an event in cycle c is in `value` from cycle c + 1 on; `value` is combinational in
// `place`. Reset: synchronous, active high; all COUNTER_START (totals
// count from their first addition on).
<$ banner $>
`default_nettype none

module counter_group #(
    parameter [31:0] COUNTER_START = 32'd0
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [14:0] events,
    input  wire [3:0]  turn,        // counts 0..14 cyclically
    input  wire        read,        // `value` is 0 otherwise
    input  wire [3:0]  place,       // 0..14
    output wire [31:0] value
);
    reg [31:0] total [0:15];
    reg [14:0] counted;             // the total is valid, otherwise it counts as COUNTER_START
    reg [59:0] pending;             // 4 bits a counter

    // No turn is beyond a word of 64 bits: simulators need not ask.
    wire [63:0] shares = {4'd0, pending};
    wire [3:0] share = shares[{turn, 2'b00} +: 4];

    // With a start of 0 this is an AND with the total, and nothing else.
    wire [31:0] start_of_place = COUNTER_START & {32{~counted[place]}};
    wire [31:0] start_of_turn = COUNTER_START & {32{~counted[turn]}};

    assign value = read ? (total[place] & {32{counted[place]}} | start_of_place)
        + {28'd0, pending[{place, 2'b00} +: 4]} : 32'd0;

    always @(posedge clk) begin : count
        reg [59:0] next;
        integer member;

        next = 60'd0;
        if (rst) begin
            counted <= 15'd0;
            pending <= 60'd0;
        end else if (|events | share != 4'd0) begin
            next = pending & ~(60'hF << {turn, 2'b00});
            if (|events)
                for (member = 0; member < 15; member = member + 1)
                    if (events[member])
                        next[member*4 +: 4] = next[member*4 +: 4] + 4'd1;
            pending <= next;
            if (share != 4'd0) begin
                total[turn] <= (total[turn] & {32{counted[turn]}} | start_of_turn)
                    + {28'd0, share};
                counted[turn] <= 1'b1;
            end
        end
    end
endmodule

`default_nettype wire
