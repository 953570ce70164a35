// route_lookup: the output ports of the headers at all inputs, by all routing tables in parallel.
// The first table that does not say `same` decides; a port whose link is down is replaced by the
// entry's alternate.
// Latency: combinational. Reset: none (tables keep their contents).
// Limits: PORTS 2..32, TABLES 1..5. Parameters of all tables stand side by side, as in switch_core.
<$ banner $>
`default_nettype none

(* short_paths *) module route_lookup #(
    parameter PORTS = 10,
    parameter DATA_WIDTH = 64,
    parameter BANKS = 2,
    parameter FORWARD_ONLY = 0,         // the first ports, which send nothing back
    parameter LAYERS = 1,
    parameter TABLES = 1,
    parameter [24:0] TABLE_LSBS = 25'd0,
    parameter [19:0] TABLE_BITS = 20'd3,
    parameter INIT_BITS = 16 * LAYERS * (8 + 4),
    parameter [INIT_BITS-1:0] INIT = 0,
    parameter PORT_BITS = $clog2(PORTS) // do not override
) (
    input  wire                   clk,
    input  wire [31:0]            table_change,   // {write, table, index, entry}
    input  wire [PORTS-1:0]       header,       // look up; outputs are 0 otherwise
    input  wire [PORTS-1:0]       closing,      // drop the header as if its link were down
    input  wire [PORTS*DATA_WIDTH-1:0] flit_data, // headers
    input  wire [PORTS-1:0]       link_up,
    output reg  [PORTS*PORTS-1:0] to,           // a row an input: one-hot by place, 0 when dropped
    output reg  [PORTS*PORT_BITS-1:0] to_port,  // its number, undefined when dropped
    output reg  [PORTS-1:0]       drops,        // the header, for one of these reasons
    output reg  [PORTS-1:0]       drop_link_down,
    output reg  [PORTS-1:0]       drop_uturn,
    output reg  [PORTS-1:0]       drop_no_route
);
    localparam LINKS = 1 << PORT_BITS;

    wire [PORTS-1:0] look = header & ~closing;
    wire [TABLES*PORTS*16-1:0] entries;         // what route_table keeps of them

    // Entries of the tables below one.
    function integer entries_below(input integer number);
        integer below;
        begin
            entries_below = 0;
            for (below = 0; below < number; below = below + 1)
                entries_below = entries_below + (LAYERS << TABLE_BITS[below*4 +: 4]);
        end
    endfunction

    generate
        genvar n;
        for (n = 0; n < TABLES; n = n + 1) begin : gen_table
            localparam BITS = TABLE_BITS[n*4 +: 4];
            localparam FIRST = entries_below(n);
            route_table #(
                .PORTS(PORTS), .DATA_WIDTH(DATA_WIDTH), .LAYERS(LAYERS),
                .LSB(TABLE_LSBS[n*5 +: 5]), .BITS(BITS),
                .INIT(INIT[16*FIRST +: 16*(LAYERS<<BITS)])
            ) entries_of (
                .clk(clk), .write(table_change[31] & table_change[30:28] == n),
                .write_index(table_change[27:16]), .write_entry(table_change[15:0]), .look(look),
                .flit_data(flit_data),
                .entry(entries[n*PORTS*16 +: PORTS*16])
            );
        end
    endgenerate

    reg [LINKS-1:0] links;              // ports that do not exist are down
    reg [15:0] deciding;
    integer looking, port, place, later;

    // What is asked of the port and of its alternate is asked side by side, and the answer for the
    // port's link only then selects: it comes last.
    always @* begin : decide
        reg [PORT_BITS-1:0] main;
        reg [PORT_BITS-1:0] alternate;
        reg may_turn;
        reg leads;                      // there is a route
        reg is_up;                      // the link of the port
        reg alternate_is_up;            // it may be taken, and its link is up
        reg turns;                      // the port is this input, which is not allowed
        reg alternate_turns;
        reg [LINKS-1:0] port_bit;
        reg [LINKS-1:0] alternate_bit;

        links = {LINKS{1'b0}};
        links[PORTS-1:0] = link_up;
        deciding = 16'd0;
        {alternate, main} = {2*PORT_BITS{1'b0}};
        {may_turn, leads, is_up, alternate_is_up, turns, alternate_turns} = 6'd0;
        port_bit = {LINKS{1'b0}};
        alternate_bit = {LINKS{1'b0}};
        to = {PORTS*PORTS{1'b0}};
        to_port = {PORTS*PORT_BITS{1'b0}};
        drops = header & closing;
        drop_link_down = header & closing;
        drop_uturn = {PORTS{1'b0}};
        drop_no_route = {PORTS{1'b0}};
        looking = 0;
        port = 0;
        place = 0;
        later = 0;
        if (|look)
            for (looking = 0; looking < PORTS; looking = looking + 1)
                if (look[looking]) begin
                    deciding = entries[((TABLES-1)*PORTS + looking)*16 +: 16];
                    for (later = TABLES - 2; later >= 0; later = later - 1)
                        if (entries[(later*PORTS + looking)*16 + 2*PORT_BITS +: 2] != 2'd1)
                            deciding = entries[(later*PORTS + looking)*16 +: 16];
                    {leads, may_turn, alternate, main} = deciding[2*PORT_BITS+1:0];
                    may_turn = may_turn & looking >= FORWARD_ONLY;
                    is_up = links[main];
                    alternate_is_up = deciding[2*PORT_BITS+2] & links[alternate];
                    turns = main == looking[PORT_BITS-1:0] & ~may_turn;
                    alternate_turns = alternate == looking[PORT_BITS-1:0] & ~may_turn;
                    drops[looking] = ~leads
                        | (is_up ? turns : ~alternate_is_up | alternate_turns);
                    drop_no_route[looking] = ~leads;
                    drop_link_down[looking] = leads & ~is_up & ~alternate_is_up;
                    drop_uturn[looking] = leads
                        & (is_up ? turns : alternate_is_up & alternate_turns);
                    to_port[looking*PORT_BITS +: PORT_BITS] = is_up ? main : alternate;
                    port_bit = {{LINKS-1{1'b0}}, 1'b1} << main;
                    alternate_bit = {{LINKS-1{1'b0}}, 1'b1} << alternate;
                    for (port = 0; port < PORTS; port = port + 1) begin
                        // Place of output o among the outputs of all banks, ordered by bank,
                        // then by o.
                        place = (port % BANKS) * (PORTS / BANKS) + port / BANKS
                            + ((port % BANKS) < (PORTS % BANKS) ? port % BANKS : PORTS % BANKS);
                        to[looking*PORTS + place] = leads & (port != looking | may_turn)
                            & (is_up ? port_bit[port] : alternate_is_up & alternate_bit[port]);
                    end
                end
    end

    wire unused_ok = &{1'b0, table_change, deciding};
endmodule

`default_nettype wire
