// round_robin: picks one of several requests, the first at or after a pointer, cyclically.
// The pointer is a mask held by the user: bit k of `from` is 1 when k is at or after the pointer.
// `next_from` is that mask with the pointer right behind the granted request; an all-zero mask
// means the same as an all-one mask: begin at request 0.
// Latency: combinational. Reset: none. Limits: WIDTH >= 1.
<$ banner $>

module round_robin #(
    parameter WIDTH = 4
) (
    input  wire [WIDTH-1:0] request,
    input  wire [WIDTH-1:0] from,
    output wire [WIDTH-1:0] grant,     // one-hot, or 0 without a request
    output wire [WIDTH-1:0] next_from
);
    localparam [WIDTH-1:0] ONE = 1;

    wire [WIDTH-1:0] later = request & from;
    wire [WIDTH-1:0] pool = |later ? later : request;

    // x & -x keeps the lowest 1.
    assign grant = pool & (~pool + ONE);
    assign next_from = ~(grant | (grant - ONE));
endmodule
