// event_counters: wrapping 32-bit counters, EVENTS of them for each of PORTS ports.
// Event e of port p is bit e * EVENT_STRIDE + p * PORT_STRIDE of `events`.
// Latency: an event in cycle c is in `value` from cycle c + 1 on; `value` is combinational in
// `port` and `number` (0 for counters that do not exist).
// Reset: synchronous, active high; all COUNTER_START. Limits: PORTS 1..32, EVENTS 1..16.
<$ banner $>
`default_nettype none

module event_counters #(
    parameter PORTS = 10,
    parameter EVENTS = 5,
    parameter PORT_STRIDE = 1,
    parameter EVENT_STRIDE = PORTS,
    parameter [31:0] COUNTER_START = 32'd0
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [PORTS*EVENTS-1:0] events,
    input  wire [3:0]              turn,        // counts 0..14 cyclically
    input  wire                    read,        // `value` is 0 otherwise
    input  wire [4:0]              port,
    input  wire [3:0]              number,
    output reg  [31:0]             value
);
    localparam COUNTERS = PORTS * EVENTS;
    localparam PER_GROUP = 15;
    localparam GROUPS = (COUNTERS + PER_GROUP - 1) / PER_GROUP;
    localparam [8:0] BETWEEN_PORTS = PORT_STRIDE[8:0];
    localparam [8:0] BETWEEN_EVENTS = EVENT_STRIDE[8:0];

    reg [8:0] index;
    always @* begin
        index = 9'h1FF;
        if (read & {1'b0, number} < EVENTS[4:0])
            index = {4'd0, port} * BETWEEN_PORTS + {5'd0, number} * BETWEEN_EVENTS;
    end

    // The group that has the counter.
    reg [GROUPS-1:0] reading;
    integer candidate;
    always @* begin
        reading = {GROUPS{1'b0}};
        candidate = 0;
        if (read)
            for (candidate = 0; candidate < GROUPS; candidate = candidate + 1)
                reading[candidate] = {23'd0, index} >= candidate * PER_GROUP
                    & {23'd0, index} < (candidate + 1) * PER_GROUP;
    end

    wire [GROUPS*32-1:0] values;
    wire [GROUPS*PER_GROUP-1:0] lanes;

    generate
        if (GROUPS * PER_GROUP > COUNTERS) begin : gen_unused_lanes
            assign lanes = {{GROUPS*PER_GROUP-COUNTERS{1'b0}}, events};
        end else begin : gen_all_lanes
            assign lanes = events;
        end
    endgenerate

    generate
        genvar g;
        for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
            localparam [31:0] FIRST = g * PER_GROUP;
            wire [3:0] place = index[3:0] - FIRST[3:0];
            counter_group #(.COUNTER_START(COUNTER_START)) group (
                .clk(clk),
                .rst(rst),
                .events(lanes[g*PER_GROUP +: PER_GROUP]),
                .turn(turn),
                .read(reading[g]),
                .place(place),
                .value(values[g*32 +: 32])
            );
        end
    endgenerate

    integer member;
    always @* begin
        value = 32'd0;
        member = 0;
        if (read)
            for (member = 0; member < GROUPS; member = member + 1)
                value = value | values[member*32 +: 32];
    end
endmodule

`default_nettype wire
