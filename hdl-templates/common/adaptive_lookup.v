// adaptive_lookup: what becomes of headers in an adaptive block (docs/microarchitecture.md 1.8):
// they commit to a candidate that has room, wait at their host, or take the port of the escape
// tables.
// Two inputs share a reader of the candidate table, and what measures and chooses behind it: inputs
// r and r + READERS. Only one of them is served in a cycle.
// Latency: combinational; a host's header waits for at most 1536 cycles.
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

    localparam READERS = (PORTS + 1) / 2;

    function [READERS-1:0] serving_hosts(input integer links);
        integer one;
        for (one = 0; one < READERS; one = one + 1)
            serving_hosts[one] = one >= links || (one + READERS < PORTS && one + READERS >= links);
    endfunction

    // Bits 57:56 of the header: 0 ordered, 1 and 2 may commit, 3 stays on the escape.
    reg [PORTS-1:0] unordered, leads;       // `leads`: the escape goes to a network port
    integer looking;

    always @* begin
        {unordered, leads} = {2*PORTS{1'b0}};
        for (looking = 0; looking < PORTS; looking = looking + 1)
            if (BUILT[looking] && header[looking]) begin
                unordered[looking] = ^flit_data[looking*DATA_WIDTH + 56 +: 2];
                leads[looking] = |(escape_to[looking*PORTS +: PORTS] & NETWORK_PLACES);
            end
    end

    // Of two headers, that of a network port is served; of two alike, each in every other cycle.
    reg turn;
    always @(posedge clk)
        turn <= ~rst & ~turn;

    wire [PORTS-1:0] served;
    wire [READERS-1:0] second;              // the reader serves its second input
    wire [READERS*DATA_WIDTH-1:0] read_data;
    wire [READERS-1:0] read_last, read_bad, read_leads, read_patient;
    wire [PORTS-1:0] patient;

    generate
        genvar r;
        for (r = 0; r < READERS; r = r + 1) begin : gen_reader
            if (r + READERS < PORTS) begin : gen_pair
                localparam ALIKE = r < NETWORK_PORTS ? r + READERS < NETWORK_PORTS : 1;
                assign second[r] = unordered[r+READERS]
                    & (~unordered[r] | (ALIKE != 0 ? turn : 1'b0));
                assign {served[r+READERS], served[r]} = {second[r], ~second[r]};
                assign read_data[r*DATA_WIDTH +: DATA_WIDTH] = second[r]
                    ? flit_data[(r+READERS)*DATA_WIDTH +: DATA_WIDTH]
                    : flit_data[r*DATA_WIDTH +: DATA_WIDTH];
                assign {read_last[r], read_bad[r], read_leads[r], read_patient[r]} = second[r]
                    ? {flit_last[r+READERS], flit_bad[r+READERS], leads[r+READERS],
                        patient[r+READERS]}
                    : {flit_last[r], flit_bad[r], leads[r] & unordered[r], patient[r]};
            end else begin : gen_alone
                assign {second[r], served[r]} = 2'd1;
                assign read_data[r*DATA_WIDTH +: DATA_WIDTH]
                    = flit_data[r*DATA_WIDTH +: DATA_WIDTH];
                assign {read_last[r], read_bad[r], read_leads[r], read_patient[r]}
                    = {flit_last[r], flit_bad[r], leads[r] & unordered[r], patient[r]};
            end
        end
    endgenerate

    wire [READERS*NETWORK_PORTS-1:0] candidates;

    candidate_table #(
        .READERS(READERS), .NETWORK_PORTS(NETWORK_PORTS), .DATA_WIDTH(DATA_WIDTH),
        .LSB(CANDIDATE_LSB), .BITS(CANDIDATE_BITS), .INIT(CANDIDATES_INIT)
    ) candidates_of (
        .clk(clk), .change(candidate_change), .read_index(candidate_read),
        .read_entry(candidate_entry), .flit_data(read_data), .entry(candidates)
    );

    wire [READERS*2-1:0] size;
    wire [READERS-1:0] legal;
    wire [READERS*LEFT_BITS-1:0] read_behind;

    adaptive_size #(
        .HEADERS(READERS), .DATA_WIDTH(DATA_WIDTH), .MAX_PACKET_FLITS(MAX_PACKET_FLITS),
        .LEFT_BITS(LEFT_BITS)
    ) sizes (
        .flit_data(read_data), .flit_last(read_last), .flit_bad(read_bad), .behind(read_behind),
        .size(size), .legal(legal)
    );

    wire [READERS-1:0] eligible = read_leads & legal;
    reg [READERS*NETWORK_PORTS-1:0] possible; // candidates that do not lead back
    integer reader, port;

    always @* begin : leave
        reg turns;

        possible = {READERS*NETWORK_PORTS{1'b0}};
        turns = 1'b0;
        port = 0;
        for (reader = 0; reader < READERS; reader = reader + 1)
            for (port = 0; port < NETWORK_PORTS; port = port + 1) begin
                turns = port != reader && TURNS[reader*PORTS + port];
                if (reader + READERS < PORTS)
                    turns = second[reader] ? port != reader + READERS
                        && TURNS[(reader+READERS < PORTS ? reader+READERS : 0)*PORTS + port]
                        : turns;
                possible[reader*NETWORK_PORTS + port]
                    = turns & candidates[reader*NETWORK_PORTS + port];
            end
    end

    // A tick comes in every 512th cycle: a host counts ticks, so it needs no counter of cycles.
    reg [9:0] ticking;                      // the top bit is the tick
    always @(posedge clk)
        ticking <= rst ? 10'd1 : {1'b0, ticking[8:0]} + 10'd1;

    wire [READERS*NETWORK_PORTS-1:0] committed; // by reader
    wire [NETWORK_PORTS*READERS-1:0] permits;   // the same by output

    adaptive_choice #(
        .READERS(READERS), .HOSTS(serving_hosts(NETWORK_PORTS)), .NETWORK_PORTS(NETWORK_PORTS)
    ) choice (
        .clk(clk), .rst(rst), .eligible(eligible), .patient(read_patient), .size(size),
        .candidates(possible), .up(up[NETWORK_PORTS-1:0]), .level(level),
        .host_level(host_level), .commits(committed), .permits(permits)
    );

    generate
        genvar i, o;
        for (i = 0; i < PORTS; i = i + 1) begin : gen_input
            localparam READER = i % READERS;
            assign behind[i*LEFT_BITS +: LEFT_BITS] = read_behind[READER*LEFT_BITS +: LEFT_BITS];
            assign commits[i] = served[i]
                & |committed[READER*NETWORK_PORTS +: NETWORK_PORTS];
            if (i < NETWORK_PORTS) begin : gen_link
                assign {patient[i], waits[i]} = 2'd0;
            end else begin : gen_host
                reg [2:0] waited;           // one 1 for each tick
                assign patient[i] = ~waited[2];
                assign waits[i] = patient[i] & (served[i] ? eligible[READER] & ~commits[i]
                    & |(possible[READER*NETWORK_PORTS +: NETWORK_PORTS] & up[NETWORK_PORTS-1:0])
                    : unordered[i]);
                always @(posedge clk)
                    if (rst | ~waits[i])
                        waited <= 3'd0;
                    else if (ticking[9])
                        waited <= {waited[1:0], 1'b1};
            end
        end
        for (o = 0; o < NETWORK_PORTS; o = o + 1) begin : gen_output
            assign promises[o] = |permits[o*READERS +: READERS];
        end
    endgenerate

    wire unused_ok = &{1'b0, up, ticking};      // hosts are always there, or there are none

    reg [READERS*PORT_BITS-1:0] committed_port;
    integer committing, number;

    always @* begin
        committed_port = {READERS*PORT_BITS{1'b0}};
        number = 0;
        for (committing = 0; committing < READERS; committing = committing + 1)
            for (number = 0; number < NETWORK_PORTS; number = number + 1)
                committed_port[committing*PORT_BITS +: PORT_BITS]
                    = committed_port[committing*PORT_BITS +: PORT_BITS]
                    | (number[PORT_BITS-1:0]
                        & {PORT_BITS{committed[committing*NETWORK_PORTS + number]}});
    end

    integer told, at, output_port, from;

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
                    if (served[told] & committed[told%READERS*NETWORK_PORTS + at])
                        to[told*PORTS + place_of(at)] = 1'b1;
                if (commits[told])
                    to_port[told*PORT_BITS +: PORT_BITS]
                        = committed_port[told%READERS*PORT_BITS +: PORT_BITS];
            end
    end

    always @* begin
        promised = {NETWORK_PORTS*LEFT_BITS{1'b0}};
        from = 0;
        for (output_port = 0; output_port < NETWORK_PORTS; output_port = output_port + 1)
            for (from = 0; from < READERS; from = from + 1)
                promised[output_port*LEFT_BITS +: LEFT_BITS]
                    = promised[output_port*LEFT_BITS +: LEFT_BITS]
                    | (read_behind[from*LEFT_BITS +: LEFT_BITS]
                        & {LEFT_BITS{permits[output_port*READERS + from]}});
    end
endmodule
