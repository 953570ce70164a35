// event_counters: wrapping 32-bit counters, EVENTS of them for each of PORTS ports.
// Latency: an event in cycle c is in `value` from cycle c + 1 on; `value` is combinational in
// `port` and `number` (0 for counters that do not exist).
// Reset: synchronous, active high; all 0. Limits: PORTS 1..32, EVENTS 1..16.
<$ banner $>
`default_nettype none

module event_counters #(
    parameter PORTS = 10,
    parameter EVENTS = 5
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [PORTS*EVENTS-1:0] events,      // event e of port p at p * EVENTS + e
    input  wire                    read,        // `value` is 0 otherwise
    input  wire [4:0]              port,
    input  wire [3:0]              number,
    output wire [31:0]             value
);
    localparam COUNTERS = PORTS * EVENTS;
    localparam INDEX_BITS = COUNTERS > 1 ? $clog2(COUNTERS) : 1;
    localparam [8:0] PER_PORT = EVENTS;

    (* mem2reg *) reg [31:0] counters [0:COUNTERS-1];
    integer member;
    integer event_number;
    integer counter;

    wire [8:0] index = {4'd0, port} * PER_PORT + {5'd0, number};
    assign value = read & {1'b0, number} < EVENTS[4:0] ? counters[index[INDEX_BITS-1:0]] : 32'd0;

    // Simulators shall run these loops, not unroll them: events are rare.
    always @(posedge clk)
        if (rst) begin
            /* verilator unroll_disable */
            for (counter = 0; counter < COUNTERS; counter = counter + 1)
                counters[counter] <= 32'd0;
        end else if (|events) begin
            /* verilator unroll_disable */
            for (member = 0; member < PORTS; member = member + 1)
                if (|events[member*EVENTS +: EVENTS]) begin
                    /* verilator unroll_disable */
                    for (event_number = 0; event_number < EVENTS; event_number = event_number + 1)
                        if (events[member*EVENTS + event_number])
                            counters[member*EVENTS + event_number]
                                <= counters[member*EVENTS + event_number] + 32'd1;
                end
        end

    wire unused_ok = &{1'b0, index};
endmodule

`default_nettype wire
