// round_robin_properties: round_robin with the pointer register that its users keep around it.
// Requests and acceptance are free. One requester, any, is watched for fairness.

module round_robin_properties #(
    parameter WIDTH = 5
) (
    input wire             clk,
    input wire             rst,
    input wire [WIDTH-1:0] request,
    input wire             accept
);
    wire [WIDTH-1:0] grant;
    wire [WIDTH-1:0] next_from;
    reg [WIDTH-1:0] from;

    round_robin #(
        .WIDTH(WIDTH)
    ) arbiter (
        .request(request),
        .from(from),
        .grant(grant),
        .next_from(next_from)
    );

    always @(posedge clk)
        if (rst)
            from <= {WIDTH{1'b0}};
        else if (accept && |request)
            from <= next_from;

    // Accepted grants to others since the watched request began to wait.
    (* anyconst *) reg [WIDTH-1:0] watched;
    reg [WIDTH-1:0] waited;
    reg started = 1'b0;

    always @(posedge clk) begin
        started <= 1'b1;
        if (rst || !(|(request & watched)) || |(grant & watched))
            waited <= 0;
        else if (accept)
            waited <= waited + 1'b1;
    end

    always @(posedge clk) begin
        assume (rst == !started);
        assume (watched != 0 && (watched & (watched - 1'b1)) == 0);
        if (!rst) begin
            // One hot.
            assert ((grant & (grant - 1'b1)) == 0);
            // Only requests.
            assert ((grant & ~request) == 0);
            // Work conserving.
            assert ((|request) == (|grant));
            // Fair.
            assert (waited < WIDTH);
        end
    end
endmodule
