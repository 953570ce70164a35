// adaptive_lookup: what becomes of headers in an adaptive block (docs/microarchitecture.md 1.8):
// they commit to a candidate that has room, wait at their host, or take the port of the escape
// tables.
// Structure and the hosts' patience.
// Latency: combinational; a host's header waits for at most 1023 cycles.
// Reset: synchronous, active high; the candidate table keeps its contents. Limits: as switch_core.
<$ banner $>

module adaptive_lookup #(
    parameter PORTS = 10,
    parameter NETWORK_PORTS = PORTS,    // the others lead to hosts
    parameter DATA_WIDTH = 64,
    parameter BANKS = 2,
    parameter [PORTS*PORTS-1:0] TURNS = {PORTS*PORTS{1'b1}}, // as in switch_core
    parameter [PORTS-1:0] BUILT = {PORTS{1'b1}},
    parameter MAX_PACKET_FLITS = 33,
    parameter LEFT_BITS = 6,
    parameter CANDIDATE_LSB = 0,
    parameter CANDIDATE_BITS = 0,
    parameter [(NETWORK_PORTS<<CANDIDATE_BITS)-1:0] CANDIDATES_INIT = 0,
    parameter PORT_BITS = $clog2(PORTS) // do not override
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire [36:0]                 candidate_change, // {write, index, entry}
    input  wire [11:0]                 candidate_read,
    output wire [23:0]                 candidate_entry,
    input  wire [PORTS-1:0]            up,
    input  wire [PORTS-1:0]            header,      // look up
    input  wire [PORTS*DATA_WIDTH-1:0] flit_data,
    input  wire [PORTS-1:0]            flit_last,
    input  wire [PORTS-1:0]            flit_bad,
    input  wire [PORTS*PORTS-1:0]      escape_to,   // by place; undefined without a header
    input  wire [PORTS*PORT_BITS-1:0]  escape_port,
    input  wire [NETWORK_PORTS*3-1:0]  level,       // of each adaptive_room
    input  wire [NETWORK_PORTS*3-1:0]  host_level,
    output reg  [PORTS*PORTS-1:0]      to,          // as of route_lookup
    output reg  [PORTS*PORT_BITS-1:0]  to_port,
    output wire [PORTS-1:0]            commits,
    output wire [PORTS-1:0]            waits,       // the header stays on the pins
    output reg  [PORTS-1:0]            escapes,     // it goes to a network port on the escape
    output reg  [PORTS-1:0]            detours,     // and is counted in its header
    output wire [PORTS*LEFT_BITS-1:0]  behind,      // flits that follow the header
    output wire [NETWORK_PORTS-1:0]    promises,    // by output: a packet commits to it
    output reg  [NETWORK_PORTS*LEFT_BITS-1:0] promised // and this many flits follow its header
);
    // Place of an output, as in input_units.
    function integer place_of(input integer port);
        place_of = port % BANKS * (PORTS / BANKS) + port / BANKS
            + (port % BANKS < PORTS % BANKS ? port % BANKS : PORTS % BANKS);
    endfunction

    function [PORTS-1:0] network_places(input integer ports);
        integer port;
        begin
            network_places = {PORTS{1'b0}};
            for (port = 0; port < ports; port = port + 1)
                network_places[place_of(port)] = 1'b1;
        end
    endfunction

    localparam [PORTS-1:0] NETWORK_PLACES = network_places(NETWORK_PORTS);

    wire [PORTS*NETWORK_PORTS-1:0] candidates;

    candidate_table #(
        .PORTS(PORTS), .BUILT(BUILT), .NETWORK_PORTS(NETWORK_PORTS), .DATA_WIDTH(DATA_WIDTH),
        .LSB(CANDIDATE_LSB), .BITS(CANDIDATE_BITS), .INIT(CANDIDATES_INIT)
    ) candidates_of (
        .clk(clk), .change(candidate_change), .read_index(candidate_read),
        .read_entry(candidate_entry), .flit_data(flit_data), .entry(candidates)
    );

    wire [PORTS*2-1:0] size;
    wire [PORTS-1:0] legal;

    adaptive_size #(
        .PORTS(PORTS), .BUILT(BUILT), .DATA_WIDTH(DATA_WIDTH), .MAX_PACKET_FLITS(MAX_PACKET_FLITS),
        .LEFT_BITS(LEFT_BITS)
    ) sizes (
        .flit_data(flit_data), .flit_last(flit_last), .flit_bad(flit_bad), .behind(behind),
        .size(size), .legal(legal)
    );

    // Bits 57:56 of the header: 0 ordered, 1 and 2 may commit, 3 stays on the escape.
    reg [PORTS-1:0] unordered, leads;       // `leads`: the escape goes to a network port
    reg [PORTS-1:0] eligible;
    reg [PORTS*NETWORK_PORTS-1:0] possible; // candidates that do not lead back
    integer looking, port;

    always @* begin
        {unordered, leads, eligible} = {3*PORTS{1'b0}};
        possible = {PORTS*NETWORK_PORTS{1'b0}};
        port = 0;
        for (looking = 0; looking < PORTS; looking = looking + 1)
            if (BUILT[looking] && header[looking]) begin
                unordered[looking] = ^flit_data[looking*DATA_WIDTH + 56 +: 2];
                leads[looking] = |(escape_to[looking*PORTS +: PORTS] & NETWORK_PLACES);
                eligible[looking] = unordered[looking] & leads[looking] & legal[looking];
                for (port = 0; port < NETWORK_PORTS; port = port + 1)
                    possible[looking*NETWORK_PORTS + port] = port != looking
                        & TURNS[looking*PORTS + port] & candidates[looking*NETWORK_PORTS + port];
            end
    end

    wire [PORTS-1:0] patient;
    wire [PORTS*NETWORK_PORTS-1:0] committed;   // by input
    wire [NETWORK_PORTS*PORTS-1:0] permits;     // the same by output

    adaptive_choice #(.PORTS(PORTS), .NETWORK_PORTS(NETWORK_PORTS)) choice (
        .clk(clk), .rst(rst), .eligible(eligible), .patient(patient), .size(size),
        .candidates(possible), .up(up[NETWORK_PORTS-1:0]), .level(level),
        .host_level(host_level), .commits(committed), .permits(permits)
    );

    generate
        genvar i, o;
        for (i = 0; i < PORTS; i = i + 1) begin : gen_input
            assign commits[i] = |committed[i*NETWORK_PORTS +: NETWORK_PORTS];
            if (i < NETWORK_PORTS) begin : gen_link
                assign {patient[i], waits[i]} = 2'd0;
            end else begin : gen_host
                reg [9:0] waited;
                assign patient[i] = ~&waited;
                assign waits[i] = eligible[i] & ~commits[i] & patient[i]
                    & |(possible[i*NETWORK_PORTS +: NETWORK_PORTS] & up[NETWORK_PORTS-1:0]);
                always @(posedge clk)
                    waited <= rst | ~waits[i] ? 10'd0 : waited + 10'd1;
            end
        end
        for (o = 0; o < NETWORK_PORTS; o = o + 1) begin : gen_output
            assign promises[o] = |permits[o*PORTS +: PORTS];
        end
    endgenerate

    wire unused_ok = &{1'b0, up};               // hosts are always there

    integer told, at, output_port, input_port;

    always @* begin
        to = escape_to;
        to_port = escape_port;
        {escapes, detours} = {2*PORTS{1'b0}};
        told = 0;
        at = 0;
        if (|header)
            for (told = 0; told < PORTS; told = told + 1) begin
                escapes[told] = leads[told] & ~commits[told] & ~waits[told];
                detours[told] = escapes[told] & unordered[told];
                if (commits[told])
                    to[told*PORTS +: PORTS] = {PORTS{1'b0}};
                for (at = 0; at < NETWORK_PORTS; at = at + 1)
                    if (committed[told*NETWORK_PORTS + at]) begin
                        to[told*PORTS + place_of(at)] = 1'b1;
                        to_port[told*PORT_BITS +: PORT_BITS] = at[PORT_BITS-1:0];
                    end
            end
    end

    always @* begin
        promised = {NETWORK_PORTS*LEFT_BITS{1'b0}};
        input_port = 0;
        for (output_port = 0; output_port < NETWORK_PORTS; output_port = output_port + 1)
            for (input_port = 0; input_port < PORTS; input_port = input_port + 1)
                promised[output_port*LEFT_BITS +: LEFT_BITS]
                    = promised[output_port*LEFT_BITS +: LEFT_BITS]
                    | (behind[input_port*LEFT_BITS +: LEFT_BITS]
                        & {LEFT_BITS{permits[output_port*PORTS + input_port]}});
    end
endmodule
