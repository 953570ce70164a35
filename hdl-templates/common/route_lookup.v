// route_lookup: the output ports of the headers at all inputs, by all routing tables in parallel.
// The first table that does not say `same` decides; a port whose link is down is replaced by the
// entry's alternate.
// Latency: combinational. Reset: none (tables keep their contents).
// Limits: PORTS 2..32, TABLES 1..8. Parameters of all tables stand side by side, as in switch_core.
<$ banner $>

(* short_paths *) module route_lookup #(
    parameter PORTS = 10,
    parameter DATA_WIDTH = 64,
    parameter BANKS = 2,
    parameter [PORTS*PORTS-1:0] TURNS = {PORTS*PORTS{1'b1}}, // as in switch_core
    parameter [PORTS-1:0] BUILT = {PORTS{1'b1}}, // other inputs never look
    parameter ALTERNATES = 1,           // 0: entries have none
    parameter LAYERS = 1,
    parameter TABLES = 1,
    parameter [39:0] TABLE_LSBS = 40'd0,
    parameter [31:0] TABLE_BITS = 32'd3,
    parameter INIT_BITS = 16 * LAYERS * (8 + 7),
    parameter [INIT_BITS-1:0] INIT = 0,
    parameter PORT_BITS = $clog2(PORTS) // do not override
) (
    input  wire                   clk,
    input  wire [31:0]            table_change,   // {write, table, index, entry}
    input  wire [15:0]            table_read,     // {read, table, index}
    output reg  [15:0]            table_entry,    // the entry that is read, or 0
    input  wire [PORTS-1:0]       header,       // look up; drops are 0 otherwise
    input  wire [PORTS-1:0]       closing,      // drop the header as if its link were down
    input  wire [PORTS*DATA_WIDTH-1:0] flit_data, // headers
    input  wire [PORTS-1:0]       link_up,
    // A row an input: one-hot by place, 0 when dropped; undefined if nobody looks.
    output reg  [PORTS*PORTS-1:0] to,
    output reg  [PORTS*PORT_BITS-1:0] to_port,  // its number, undefined when dropped
    output reg  [PORTS-1:0]       drops,        // the header, for one of these reasons
    output wire [PORTS-1:0]       drop_link_down,
    output reg  [PORTS-1:0]       drop_uturn,
    output wire [PORTS-1:0]       drop_no_route
);
    wire [PORTS-1:0] look = header & ~closing;
    wire [TABLES*PORTS*16-1:0] entries;         // what route_table keeps of them
    wire [TABLES*16-1:0] read_entries;          // 0 but of the table that is read

    // Entries of the tables below one.
    function integer entries_below(input integer count);
        integer below;
        begin
            entries_below = 0;
            for (below = 0; below < count; below = below + 1)
                entries_below = entries_below + (LAYERS << TABLE_BITS[below*4 +: 4]);
        end
    endfunction

    generate
        genvar n;
        for (n = 0; n < TABLES; n = n + 1) begin : gen_table
            localparam BITS = TABLE_BITS[n*4 +: 4];
            localparam FIRST = entries_below(n);
            route_table #(
                .PORTS(PORTS), .BUILT(BUILT), .DATA_WIDTH(DATA_WIDTH),
                .ALTERNATES(ALTERNATES), .LAYERS(LAYERS),
                .LSB(TABLE_LSBS[n*5 +: 5]), .BITS(BITS), .INIT(INIT[16*FIRST +: 16*(LAYERS<<BITS)])
            ) entries_of (
                .clk(clk), .write(table_change[31] & table_change[30:28] == n),
                .write_index(table_change[27:16]), .write_entry(table_change[15:0]),
                .read(table_read[15] & table_read[14:12] == n), .read_index(table_read[11:0]),
                .read_entry(read_entries[n*16 +: 16]), .look(look),
                .flit_data(flit_data), .entry(entries[n*PORTS*16 +: PORTS*16])
            );
        end
    endgenerate

    integer answering;

    always @* begin
        table_entry = 16'd0;
        for (answering = 0; answering < TABLES; answering = answering + 1)
            table_entry = table_entry | read_entries[answering*16 +: 16];
    end

    // What is asked of the port and of its alternate is asked side by side, and whether their links
    // are up only then selects: that comes last. A port is told as its group of four, one-hot, and
    // two bits for which of these, so that no place takes more than one LUT behind the outcome.
    localparam GROUPS = (PORTS + 3) / 4;
    localparam GROUP = 2;               // bits of an outcome, above the two
    localparam NO_TURN = GROUP + GROUPS;
    localparam LEAVES = NO_TURN + 1;
    localparam OUTCOME_BITS = LEAVES + 1;

    function [OUTCOME_BITS-1:0] outcome_of(input exists, input may_turn, input [4:0] at);
        integer group;
        begin
            outcome_of = {exists & may_turn, exists & ~may_turn, {GROUPS{1'b0}}, at[1:0]};
            for (group = 0; group < GROUPS; group = group + 1)
                outcome_of[GROUP+group] = exists & may_turn & at[4:2] == group[2:0];
        end
    endfunction

    reg [PORTS-1:0] leads;              // there is a route
    reg [2*PORTS*PORT_BITS-1:0] number; // ports, then alternates
    reg [2*PORTS*OUTCOME_BITS-1:0] if_up; // of each: the outcome if its link is
    integer looking, later;

    always @* begin : decide
        reg [15:0] deciding;
        reg [4:0] main, alternate;
        reg [31:0] turns, back;         // of the input: outputs it turns to; its own

        deciding = 16'd0;
        {main, alternate} = 10'd0;      // above PORT_BITS they stay 0
        {turns, back} = 64'd0;
        leads = {PORTS{1'b0}};
        number = {2*PORTS*PORT_BITS{1'bx}};
        if_up = {2*PORTS{{OUTCOME_BITS-2{1'b0}}, 2'bx}};
        looking = 0;
        later = 0;
        if (|look)
            for (looking = 0; looking < PORTS; looking = looking + 1)
                if (BUILT[looking] && look[looking]) begin
                    deciding = entries[((TABLES-1)*PORTS + looking)*16 +: 16];
                    for (later = TABLES - 2; later >= 0; later = later - 1)
                        if (entries[(later*PORTS + looking)*16 + 2*PORT_BITS +: 2] != 2'd1)
                            deciding = entries[(later*PORTS + looking)*16 +: 16];
                    {alternate[PORT_BITS-1:0], main[PORT_BITS-1:0]} = deciding[0 +: 2*PORT_BITS];
                    turns = {{32-PORTS{1'b0}}, TURNS[looking*PORTS +: PORTS]};
                    back = {31'd0, ~deciding[2*PORT_BITS]} << looking;
                    leads[looking] = deciding[2*PORT_BITS+1];
                    number[looking*PORT_BITS +: PORT_BITS] = main[PORT_BITS-1:0];
                    number[(PORTS+looking)*PORT_BITS +: PORT_BITS] = alternate[PORT_BITS-1:0];
                    if_up[looking*OUTCOME_BITS +: OUTCOME_BITS] = outcome_of(leads[looking],
                        turns[main] & ~back[main], main);
                    if_up[(PORTS+looking)*OUTCOME_BITS +: OUTCOME_BITS] = outcome_of(
                        ALTERNATES != 0 & leads[looking] & deciding[2*PORT_BITS+2],
                        turns[alternate] & ~back[alternate], alternate);
                end
    end

    wire [PORTS-1:0] is_up, alternate_is_up;

    link_lookup #(
        .PORTS(PORTS), .NUMBERS(2 * PORTS), .ASKED({BUILT & {PORTS{ALTERNATES != 0}}, BUILT})
    ) states (
        .link_up(link_up), .number(number), .up({alternate_is_up, is_up})
    );

    // 0 if neither link is up. Of those who do not look, the two bits are undefined.
    wire [PORTS*OUTCOME_BITS-1:0] outcome;

    route_outcome #(
        .PORTS(PORTS), .BITS(OUTCOME_BITS), .ALTERNATES(ALTERNATES), .BUILT(BUILT)
    ) last (
        .is_up(is_up), .alternate_is_up(alternate_is_up), .if_up(if_up[0 +: PORTS*OUTCOME_BITS]),
        .if_alternate(if_up[PORTS*OUTCOME_BITS +: PORTS*OUTCOME_BITS]), .outcome(outcome)
    );

    reg [4:0] told_port;
    integer told, port, place;

    always @* begin
        told_port = 5'd0;
        to = {PORTS*PORTS{1'bx}};
        to_port = {PORTS*PORT_BITS{1'bx}};
        told = 0;
        port = 0;
        place = 0;
        if (|look)
            for (told = 0; told < PORTS; told = told + 1)
                for (port = 0; port < PORTS; port = port + 1) if (BUILT[told]) begin
                    // Place of output o among the outputs of all banks, ordered by bank, then by o.
                    place = (port % BANKS) * (PORTS / BANKS) + port / BANKS
                        + ((port % BANKS) < (PORTS % BANKS) ? port % BANKS : PORTS % BANKS);
                    to[told*PORTS + place] = TURNS[told*PORTS + port]
                        & outcome[told*OUTCOME_BITS + GROUP + port/4]
                        & outcome[told*OUTCOME_BITS +: 2] == port[1:0];
                    told_port = {port[4:2], outcome[told*OUTCOME_BITS +: 2]};
                    if (outcome[told*OUTCOME_BITS + GROUP + port/4])
                        to_port[told*PORT_BITS +: PORT_BITS] = told_port[PORT_BITS-1:0];
                end
    end

    integer dropping;

    always @*
        for (dropping = 0; dropping < PORTS; dropping = dropping + 1) begin
            drops[dropping] = header[dropping] & ~outcome[dropping*OUTCOME_BITS + LEAVES];
            drop_uturn[dropping] = outcome[dropping*OUTCOME_BITS + NO_TURN];
        end

    assign drop_no_route = look & ~leads;
    assign drop_link_down = drops & ~drop_uturn & ~drop_no_route;

    wire unused_ok = &{1'b0, table_change, told_port};
endmodule
