// event_counters: wrapping 32-bit counters whose totals lie in one block RAM, behind one adder.
// Groups of 15 counters keep the low bits; `turn` goes around all counters, one per cycle, and
// brings the total of the counter up to date. A read waits for that turn and takes the sum on its
// way to the RAM. Counter 0 of all core ports comes first, then counter 1, at last counter 8, or 11
// with ADAPTIVE; then the 14 of the PCIe ports likewise. A round is their number, rounded up to a
// multiple of 15.
// Latency: `comes` three cycles after the turn of the counter that is wanted, `value` one later;
// it has the events of all cycles before the turn.
// Reset: synchronous, active high; all COUNTER_START, `turn` at the first counter.
<$ banner $>

module event_counters #(
    parameter PORTS = 10,                   // core ports, 1..32
    parameter PCIE_PORTS = 0,               // 0..16
    parameter PCIE_LANES = PCIE_PORTS > 0 ? PCIE_PORTS : 1,
    parameter [PORTS-1:0] BUILT = {PORTS{1'b1}}, // the others have no events
    parameter [31:0] COUNTER_START = 32'd0,
    parameter ADAPTIVE = 0,
    parameter INPUT_EVENTS = ADAPTIVE != 0 ? 8 : 5 // do not override
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [PORTS*INPUT_EVENTS-1:0] input_events,   // as of control_port
    input  wire [PORTS*4-1:0]       output_events,
    input  wire [PCIE_LANES*14-1:0] pcie_events,
    input  wire                     wanted,         // a counter that exists is to be read
    input  wire                     pcie,           // its page,
    input  wire [4:0]               port,           // port
    input  wire [3:0]               number,         // and number of the port's counters
    output reg                      comes,          // the cycle before that of `value`
    output wire [31:0]              value
);
    localparam NUMBERS = INPUT_EVENTS + 4;  // counters of a core port
    localparam CORE_COUNTERS = PORTS * NUMBERS;
    localparam COUNTERS = CORE_COUNTERS + PCIE_PORTS * 14;
    localparam GROUPS = (COUNTERS + 14) / 15;
    localparam GROUP_BITS = GROUPS > 1 ? $clog2(GROUPS) : 1;
    // A counter can gain as many events as a round has cycles.
    localparam BITS = $clog2(GROUPS * 15 + 1) > 5 ? $clog2(GROUPS * 15 + 1) : 5;
    localparam [31:0] LAST_GROUP = GROUPS - 1;
    localparam [31:0] LAST_PORT = PORTS - 1;
    localparam [31:0] LAST_NUMBER = NUMBERS - 1;
    localparam [31:0] LAST_PCIE_PORT = PCIE_LANES - 1;

    localparam [CORE_COUNTERS-1:0] CORE_COUNTING = {NUMBERS{BUILT}};
    localparam [GROUPS*15-1:0] COUNTING = {{GROUPS*15-CORE_COUNTERS{1'b1}}, CORE_COUNTING};

    wire [GROUPS*15-1:0] events;
    assign events[9*PORTS-1:0] = {
        output_events[3*PORTS +: PORTS],
        input_events[2*PORTS +: 3*PORTS],
        output_events[0 +: 3*PORTS],
        input_events[0 +: 2*PORTS]
    };
    generate
        if (ADAPTIVE != 0) begin : gen_adaptive
            assign events[CORE_COUNTERS-1:9*PORTS] = input_events[5*PORTS +: 3*PORTS];
        end
        if (PCIE_PORTS > 0) begin : gen_pcie_ports
            reg [PCIE_PORTS*14-1:0] by_number;
            integer n, q;
            always @* begin
                by_number = {PCIE_PORTS*14{1'b0}};
                n = 0;
                q = 0;
                if (|pcie_events)
                    for (n = 0; n < 14; n = n + 1)
                        for (q = 0; q < PCIE_PORTS; q = q + 1)
                            by_number[n*PCIE_PORTS + q] = pcie_events[q*14 + n];
            end
            assign events[COUNTERS-1:CORE_COUNTERS] = by_number;
        end
        if (GROUPS * 15 > COUNTERS) begin : gen_unused
            assign events[GROUPS*15-1:COUNTERS] = {GROUPS*15-COUNTERS{1'b0}};
        end
    endgenerate

    // The counter whose turn it is: as place and group, and as number and port of a page.
    reg first;                      // no round has ended since the reset
    reg [3:0] place;
    reg [GROUP_BITS-1:0] group;
    reg turn_pcie;
    reg [4:0] turn_number, turn_port;
    wire group_ends = place == 4'd14;
    wire round_ends = group_ends & group == LAST_GROUP[GROUP_BITS-1:0];
    wire ports_end = turn_port == (turn_pcie ? LAST_PCIE_PORT[4:0] : LAST_PORT[4:0]);
    wire core_ends = PCIE_PORTS > 0 && ports_end & ~turn_pcie & turn_number == LAST_NUMBER[4:0];

    always @(posedge clk) begin
        place <= rst | group_ends ? 4'd0 : place + 4'd1;
        first <= rst | first & ~round_ends;
        if (rst | round_ends) begin
            group <= {GROUP_BITS{1'b0}};
            turn_pcie <= 1'b0;
            turn_number <= 5'd0;
            turn_port <= 5'd0;
        end else begin
            if (group_ends)
                group <= group + 1'b1;
            turn_port <= ports_end ? 5'd0 : turn_port + 5'd1;
            if (ports_end)
                turn_number <= core_ends ? 5'd0 : turn_number + 5'd1;
            if (core_ends)
                turn_pcie <= 1'b1;
        end
    end

    // The four cycles after the turn: look at the group; low bits; did they wrap; total.
    reg [3:0] place_1, place_2, place_3, place_4;
    reg [GROUP_BITS-1:0] group_1, group_2, group_3, group_4;
    reg first_1, first_2;           // of the counter
    reg first_of_place;             // of the place, in every group
    reg wanted_1;                   // a counter was wanted
    reg found_1;                    // the turn was that of the one that is asked for
    reg found_2;                    // both

    always @(posedge clk) begin
        {place_4, place_3, place_2, place_1} <= {place_3, place_2, place_1, place};
        {group_4, group_3, group_2, group_1} <= {group_3, group_2, group_1, group};
        {first_2, first_1} <= {first_1, first};
        first_of_place <= first & group == {GROUP_BITS{1'b0}};
        wanted_1 <= wanted & ~rst;
        found_1 <= turn_pcie == pcie & turn_port == port & turn_number == {1'b0, number};
        {comes, found_2} <= {found_2, wanted_1 & found_1} & {2{~rst}};
    end

    wire [GROUPS*BITS-1:0] recent;
    generate
        genvar g;
        for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
            counter_group #(
                .BITS(BITS), .COUNTING(COUNTING[g*15 +: 15]), .COUNTER_START(COUNTER_START)
            ) members (
                .clk(clk), .rst(rst), .events(events[g*15 +: 15]), .place(place_1),
                .first(first_of_place), .recent(recent[g*BITS +: BITS])
            );
        end
    endgenerate

    (* no_rw_check, ram_style = "block" *) reg [31:0] totals [0:(16<<GROUP_BITS)-1];
    reg [31:0] stored, earlier;
    reg [BITS-1:0] low;
    reg [31:BITS] earlier_high;
    reg [BITS-1:0] value_low;
    reg wrapped;

    always @(posedge clk) begin
        stored <= totals[{group_1, place_1}];
        earlier <= first_2 ? COUNTER_START : stored;
        low <= recent[group_2*BITS +: BITS];
        earlier_high <= earlier[31:BITS];
        value_low <= low;
        wrapped <= low < earlier[BITS-1:0];
        totals[{group_4, place_4}] <= value;
    end

    assign value = {earlier_high + {{31-BITS{1'b0}}, wrapped}, value_low};

    wire unused_ok = &{1'b0, pcie_events};
endmodule
