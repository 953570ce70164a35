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
    output reg  [31:0]             value
);
    reg [PORTS*EVENTS*32-1:0] counters;
    integer counted;
    integer event_number;
    integer selected;
    integer selected_event;

    always @(posedge clk)
        if (rst)
            counters <= {PORTS*EVENTS*32{1'b0}};
        else if (|events)
            for (counted = 0; counted < PORTS; counted = counted + 1)
                if (|events[counted*EVENTS +: EVENTS])
                    for (event_number = 0; event_number < EVENTS; event_number = event_number + 1)
                        if (events[counted*EVENTS + event_number])
                            counters[(counted*EVENTS + event_number)*32 +: 32]
                                <= counters[(counted*EVENTS + event_number)*32 +: 32] + 32'd1;

    always @* begin
        value = 32'd0;
        selected = 0;
        selected_event = 0;
        if (read)
            for (selected = 0; selected < PORTS; selected = selected + 1)
                if (port == selected[4:0])
                    for (selected_event = 0; selected_event < EVENTS;
                        selected_event = selected_event + 1)
                        if (number == selected_event[3:0])
                            value = value
                                | counters[(selected*EVENTS + selected_event)*32 +: 32];
    end
endmodule

`default_nettype wire
