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
    localparam PER_GROUP = 15;
    localparam GROUPS = (COUNTERS + PER_GROUP - 1) / PER_GROUP;
    localparam [8:0] PER_PORT = EVENTS[8:0];

    wire [8:0] index = {4'd0, port} * PER_PORT + {5'd0, number};
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
            localparam [8:0] FIRST = g * PER_GROUP;
            wire [8:0] place = index - FIRST;   // far above 15 for groups after it
            counter_group group (
                .clk(clk),
                .rst(rst),
                .events(lanes[g*PER_GROUP +: PER_GROUP]),
                .turn(turn),
                .read(read & {1'b0, number} < EVENTS[4:0] & place < 9'd15),
                .place(place[3:0]),
                .value(values[g*32 +: 32])
            );
        end
    endgenerate

    // Whose events are added to their total in this cycle, in every group.
    localparam [3:0] LAST_TURN = PER_GROUP - 1;
    reg [3:0] turn;
    always @(posedge clk)
        turn <= rst | turn == LAST_TURN ? 4'd0 : turn + 4'd1;

    reg [31:0] sum;
    integer member;
    always @* begin
        sum = 32'd0;
        member = 0;
        if (read)
            for (member = 0; member < GROUPS; member = member + 1)
                sum = sum | values[member*32 +: 32];
    end
    assign value = sum;
endmodule

`default_nettype wire
