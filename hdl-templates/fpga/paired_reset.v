// paired_reset: one side of a reset that the two clocks of a crossing share. Two of these, joined
// crosswise, reset both sides whenever either is reset.
//
// The order keeps old beats from moving, because a side that cleared its pointers while the other
// one runs would show it beats that are no longer there. After `rst` this side stops and requests.
// The other side stops, clears and answers. Then this side clears and ends its request, which
// starts the other side; when the answer has ended, this side starts.
//
// Latency: `rst` stops this side at once and the other side after 4 to 5 of its cycles. Both start
// again 7 to 9 cycles of each clock after the end of `rst`, at the earliest.
// Reset: `rst`, synchronous, active high, one cycle or more; power-up counts as a reset.
// Limits: both sides remain stopped until both clocks run. The signals between the two sides are
// levels that stay until they are answered; each crosses through a bit_synchroniser.
<$ banner $>

module paired_reset (
    input  wire clk,
    input  wire rst,
    output wire stops,         // no beat may move
    output wire clears,        // reset of the crossing's registers in this clock
    output reg  request,       // to the other side: it has to stop and to clear
    output reg  answer,        // to the other side: it asked, and this side is clear
    input  wire other_request, // from the other side, in its clock
    input  wire other_answer
);
    localparam [1:0] CLEAR_CYCLES = 2'd3;

    wire       asked;
    wire       answered;
    reg        wanted;         // a reset has begun and is not complete
    reg  [1:0] cleared_before; // cycles in which this side cleared since the answer came
    reg  [1:0] cleared_on_request;

    initial begin
        request            = 1'b0;
        answer             = 1'b0;
        wanted             = 1'b1;
        cleared_before     = 2'd0;
        cleared_on_request = 2'd0;
    end

    bit_synchroniser request_crossing (
        .clk(clk),
        .in(other_request),
        .out(asked)
    );

    bit_synchroniser answer_crossing (
        .clk(clk),
        .in(other_answer),
        .out(answered)
    );

    assign stops  = rst || wanted || request || answered || asked;
    assign clears = answered || asked;

    wire completes = request && cleared_before == CLEAR_CYCLES && !rst;

    always @(posedge clk) begin
        if (rst)
            wanted <= 1'b1;
        else if (completes)
            wanted <= 1'b0;

        // An answer that still stands belongs to the request before.
        if (!request)
            request <= wanted && !answered;
        else if (completes)
            request <= 1'b0;

        if (!(request && answered))
            cleared_before <= 2'd0;
        else if (cleared_before != CLEAR_CYCLES)
            cleared_before <= cleared_before + 2'd1;

        if (!asked)
            cleared_on_request <= 2'd0;
        else if (cleared_on_request != CLEAR_CYCLES)
            cleared_on_request <= cleared_on_request + 2'd1;
        answer <= asked && cleared_on_request == CLEAR_CYCLES;
    end
endmodule
