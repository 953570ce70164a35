// adaptive_read: what is read for headers on the rx pins of an adaptive block: candidates, length,
// size class (docs/microarchitecture.md 1.8, *Readers*).
// Two inputs share a reader of the candidate table, and what measures behind it: inputs r and
// r + READERS. Only one of them is served in a cycle. A host's header that is not served stays on
// the pins.
// Latency: one cycle; `stays` combinational.
// Reset: none; the candidate table keeps its contents. Limits: as switch_core.
<$ banner $>

module adaptive_read #(
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
    parameter [(NETWORK_PORTS<<CANDIDATE_BITS)-1:0] CANDIDATES_INIT = 0
) (
    input  wire                        clk,
    input  wire [36:0]                 candidate_change, // {write, index, entry}
    input  wire [11:0]                 candidate_read,
    output wire [23:0]                 candidate_entry,
    input  wire                        turn,
    // On the pins.
    input  wire [PORTS-1:0]            header,      // look up
    input  wire [PORTS*DATA_WIDTH-1:0] flit_data,
    input  wire [PORTS-1:0]            flit_last,
    input  wire [PORTS-1:0]            flit_bad,
    input  wire [PORTS*PORTS-1:0]      escape_to,   // by place; undefined without a header
    input  wire [PORTS-1:0]            patient,     // a host, whose header may wait
    output reg  [PORTS-1:0]            stays,       // it waits here
    // Of the headers that have left the pins: see adaptive_lookup.
    input  wire [PORTS-1:0]            keeps,       // these stay as they are
    output reg  [PORTS-1:0]            served,
    output reg  [PORTS-1:0]            unordered,
    output reg  [PORTS-1:0]            leads,       // the escape goes to a network port
    output reg  [PORTS-1:0]            eligible,
    // At a link that shares its reader with a host: of the host's header, unless the link has one.
    output wire [PORTS*NETWORK_PORTS-1:0] possible, // candidates that do not lead back
    output wire [PORTS*2-1:0]          size,
    output wire [PORTS*LEFT_BITS-1:0]  behind       // flits that follow the header
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

    // Bits 57:56 of the header: 0 ordered, 1 and 2 may commit, 3 stays on the escape.
    reg [PORTS-1:0] claims, escapes;
    integer looking;

    always @* begin
        {claims, escapes} = {2*PORTS{1'b0}};
        for (looking = 0; looking < PORTS; looking = looking + 1)
            if (BUILT[looking] && header[looking]) begin
                claims[looking] = ^flit_data[looking*DATA_WIDTH + 56 +: 2];
                escapes[looking] = |(escape_to[looking*PORTS +: PORTS] & NETWORK_PLACES);
            end
    end

    // Of two headers, that of a network port is served; of two alike, each in every other cycle.
    wire [READERS-1:0] second;              // the reader serves its second input
    wire [PORTS-1:0] serves;
    wire [READERS*DATA_WIDTH-1:0] read_data;
    wire [READERS-1:0] read_last, read_bad, read_escapes;

    generate
        genvar r;
        for (r = 0; r < READERS; r = r + 1) begin : gen_reader
            if (r + READERS < PORTS) begin : gen_pair
                localparam ALIKE = r < NETWORK_PORTS ? r + READERS < NETWORK_PORTS : 1;
                assign second[r] = claims[r+READERS]
                    & (~claims[r] | (ALIKE != 0 ? turn : 1'b0));
                assign {serves[r+READERS], serves[r]} = {second[r], claims[r] & ~second[r]};
                assign read_data[r*DATA_WIDTH +: DATA_WIDTH] = second[r]
                    ? flit_data[(r+READERS)*DATA_WIDTH +: DATA_WIDTH]
                    : flit_data[r*DATA_WIDTH +: DATA_WIDTH];
                assign {read_last[r], read_bad[r], read_escapes[r]} = second[r]
                    ? {flit_last[r+READERS], flit_bad[r+READERS], escapes[r+READERS]}
                    : {flit_last[r], flit_bad[r], escapes[r]};
            end else begin : gen_alone
                assign {second[r], serves[r]} = {1'b0, claims[r]};
                assign read_data[r*DATA_WIDTH +: DATA_WIDTH]
                    = flit_data[r*DATA_WIDTH +: DATA_WIDTH];
                assign {read_last[r], read_bad[r], read_escapes[r]}
                    = {flit_last[r], flit_bad[r], escapes[r]};
            end
        end
    endgenerate

    always @*
        stays = patient & claims & ~serves;

    wire [READERS*NETWORK_PORTS-1:0] candidates;

    candidate_table #(
        .READERS(READERS), .NETWORK_PORTS(NETWORK_PORTS), .DATA_WIDTH(DATA_WIDTH),
        .LSB(CANDIDATE_LSB), .BITS(CANDIDATE_BITS), .INIT(CANDIDATES_INIT)
    ) candidates_of (
        .clk(clk), .change(candidate_change), .read_index(candidate_read),
        .read_entry(candidate_entry), .flit_data(read_data), .entry(candidates)
    );

    wire [READERS*2-1:0] read_size;
    wire [READERS-1:0] legal;
    wire [READERS*LEFT_BITS-1:0] read_behind;

    adaptive_size #(
        .HEADERS(READERS), .DATA_WIDTH(DATA_WIDTH), .MAX_PACKET_FLITS(MAX_PACKET_FLITS),
        .LEFT_BITS(LEFT_BITS)
    ) sizes (
        .flit_data(read_data), .flit_last(read_last), .flit_bad(read_bad), .behind(read_behind),
        .size(read_size), .legal(legal)
    );

    reg [READERS*NETWORK_PORTS-1:0] read_possible;
    integer reader, port;

    always @* begin : leave
        reg turns;

        read_possible = {READERS*NETWORK_PORTS{1'b0}};
        turns = 1'b0;
        port = 0;
        for (reader = 0; reader < READERS; reader = reader + 1)
            for (port = 0; port < NETWORK_PORTS; port = port + 1) begin
                turns = port != reader && TURNS[reader*PORTS + port];
                if (reader + READERS < PORTS)
                    turns = second[reader] ? port != reader + READERS
                        && TURNS[(reader+READERS < PORTS ? reader+READERS : 0)*PORTS + port]
                        : turns;
                read_possible[reader*NETWORK_PORTS + port]
                    = turns & candidates[reader*NETWORK_PORTS + port];
            end
    end

    integer kept;

    always @(posedge clk)
        for (kept = 0; kept < PORTS; kept = kept + 1)
            if (!BUILT[kept])
                {served[kept], unordered[kept], leads[kept], eligible[kept]} <= 4'd0;
            else if (~keeps[kept]) begin
                served[kept] <= serves[kept];
                unordered[kept] <= claims[kept];
                leads[kept] <= escapes[kept];
                eligible[kept] <= read_escapes[kept%READERS] & legal[kept%READERS];
            end

    // What is read of a header: {size, behind, possible}. That of a host's header stays at its
    // input. A reader of a link and a host has it besides, but for a header of the link: so what
    // chooses needs no look at both.
    localparam READ_BITS = 2 + LEFT_BITS + NETWORK_PORTS;

    generate
        genvar k;
        for (k = 0; k < READERS; k = k + 1) begin : gen_read
            localparam OTHER = k + READERS < PORTS ? k + READERS : k;
            wire [READ_BITS-1:0] read = {read_size[k*2 +: 2],
                read_behind[k*LEFT_BITS +: LEFT_BITS],
                read_possible[k*NETWORK_PORTS +: NETWORK_PORTS]};
            reg [READ_BITS-1:0] first, other;   // of input k, of the other one

            if (!BUILT[k] && !BUILT[OTHER]) begin : gen_none
                always @(posedge clk)
                    {first, other} <= {2*READ_BITS{1'b0}};
                wire unused_read = &{1'b0, read};
            end else if (OTHER == k || OTHER < NETWORK_PORTS) begin : gen_one
                always @(posedge clk)
                    if (~keeps[k])
                        {first, other} <= {read, read};
            end else begin : gen_two
                always @(posedge clk) begin
                    if (~keeps[OTHER])
                        other <= read;
                    if (k < NETWORK_PORTS)
                        first <= keeps[OTHER] & ~serves[k] ? other : read;
                    else if (~keeps[k])
                        first <= read;
                end
            end
            assign {size[k*2 +: 2], behind[k*LEFT_BITS +: LEFT_BITS],
                possible[k*NETWORK_PORTS +: NETWORK_PORTS]} = first;
            if (OTHER != k) begin : gen_other
                assign {size[OTHER*2 +: 2], behind[OTHER*LEFT_BITS +: LEFT_BITS],
                    possible[OTHER*NETWORK_PORTS +: NETWORK_PORTS]} = other;
            end else begin : gen_alone
                wire unused_other = &{1'b0, other};
            end
        end
    endgenerate
endmodule
