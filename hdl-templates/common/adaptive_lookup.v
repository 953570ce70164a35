// adaptive_lookup: what becomes of headers in an adaptive block, a cycle after they were on the rx
// pins (docs/microarchitecture.md 1.8): they commit to a candidate that has room, wait if a host
// sent them, or take the port of the escape tables.
// Two inputs share what chooses: inputs r and r + READERS. If both are links, at most one of them
// has a header that adaptive_read served; if one leads to a host, its header may still be waiting.
// A host's header moves on in the cycle after it was permitted, so what waits for it is early.
// Latency: combinational; a host's header waits for at most 1536 cycles.
// Reset: synchronous, active high. Limits: as switch_core.
<$ banner $>

(* short_paths *) module adaptive_lookup #(
    parameter PORTS = 10,
    parameter NETWORK_PORTS = PORTS,    // the others lead to hosts
    parameter BANKS = 2,
    parameter LEFT_BITS = 6,
    parameter PORT_BITS = $clog2(PORTS) // do not override
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire [PORTS-1:0]            up,
    input  wire                        turn,
    input  wire [PORTS-1:0]            on_last,     // the header came on the last channel
    // Headers, and what adaptive_read says of them: undefined without one.
    input  wire [PORTS-1:0]            header,      // choose a way
    input  wire [PORTS-1:0]            served,
    input  wire [PORTS-1:0]            unordered,
    input  wire [PORTS-1:0]            leads,       // the escape goes to a network port
    input  wire [PORTS-1:0]            may_commit,
    input  wire [PORTS*NETWORK_PORTS-1:0] possible, // candidates that do not lead back
    input  wire [PORTS*2-1:0]          size,
    input  wire [PORTS*LEFT_BITS-1:0]  behind,      // flits that follow the header
    input  wire [PORTS*PORTS-1:0]      escape_to,   // by place
    input  wire [PORTS*PORT_BITS-1:0]  escape_port,
    input  wire [PORTS-1:0]            stays,       // a host's header waits on the pins
    input  wire [NETWORK_PORTS*3-1:0]  level,       // of each adaptive_room
    input  wire [NETWORK_PORTS*3-1:0]  host_level,
    input  wire [NETWORK_PORTS-1:0]    idle,        // the output has nothing to do
    output wire [PORTS*PORTS-1:0]      to,          // see adaptive_destination
    output wire [PORTS*PORT_BITS-1:0]  to_port,
    output wire [PORTS-1:0]            commits,
    output wire [PORTS-1:0]            waits,       // the header stays where it is
    output wire [PORTS-1:0]            patient,     // a host's header would
    output wire [PORTS-1:0]            escapes,     // it goes to a network port on the escape
    output wire [PORTS-1:0]            detours,     // and is counted in its header
    output wire [NETWORK_PORTS-1:0]    promises,    // by output: a packet commits to it
    output wire [NETWORK_PORTS*PORTS-1:0] grants,   // and is granted at once, of this input
    output reg  [NETWORK_PORTS*LEFT_BITS-1:0] promised // and this many flits follow its header
);
    localparam READERS = (PORTS + 1) / 2;

    function [READERS-1:0] serving_hosts(input integer links);
        integer one;
        for (one = 0; one < READERS; one = one + 1)
            serving_hosts[one] = one >= links || (one + READERS < PORTS && one + READERS >= links);
    endfunction

    wire [PORTS-1:0] granted;               // a host's packet has committed
    wire [PORTS-1:0] claims = served & ~granted;
    wire [PORTS-1:0] may_wait;              // of a host, with a port to wait for
    wire [PORTS-1:0] may_ask = claims & header & may_commit;
    wire [PORTS-1:0] chosen;                // its reader chooses for this input
    wire [READERS-1:0] eligible, of_link;
    wire [READERS*2-1:0] read_size;
    wire [READERS*NETWORK_PORTS-1:0] read_possible;
    wire [READERS*LEFT_BITS-1:0] read_behind;

    generate
        genvar r;
        for (r = 0; r < READERS; r = r + 1) begin : gen_reader
            if (r + READERS < PORTS && r + READERS >= NETWORK_PORTS) begin : gen_with_host
                // Of a link and a host, a header of the link comes first; hosts take turns.
                wire second = ~claims[r] | (r < NETWORK_PORTS ? 1'b0 : claims[r+READERS] & turn);
                assign {chosen[r+READERS], chosen[r]} = {second, ~second};
                assign eligible[r] = second ? may_ask[r+READERS] & may_wait[r+READERS]
                    : may_ask[r] & (r < NETWORK_PORTS ? 1'b1 : may_wait[r]);
                assign of_link[r] = r < NETWORK_PORTS ? claims[r] : 1'b0;
                // Beside a link, what was read of the host's header stands at the link, too.
                wire of_second = r < NETWORK_PORTS ? 1'b0 : second;
                assign read_size[r*2 +: 2]
                    = of_second ? size[(r+READERS)*2 +: 2] : size[r*2 +: 2];
                assign read_possible[r*NETWORK_PORTS +: NETWORK_PORTS]
                    = of_second ? possible[(r+READERS)*NETWORK_PORTS +: NETWORK_PORTS]
                    : possible[r*NETWORK_PORTS +: NETWORK_PORTS];
                assign read_behind[r*LEFT_BITS +: LEFT_BITS]
                    = of_second ? behind[(r+READERS)*LEFT_BITS +: LEFT_BITS]
                    : behind[r*LEFT_BITS +: LEFT_BITS];
            end else begin : gen_alike
                // What was read for one of two links stands at both.
                if (r + READERS < PORTS) begin : gen_pair
                    assign {chosen[r+READERS], chosen[r]} = {claims[r+READERS], claims[r]};
                    assign eligible[r] = may_ask[r] | may_ask[r+READERS];
                end else begin : gen_alone
                    assign chosen[r] = 1'b1;
                    assign eligible[r]
                        = may_ask[r] & (r < NETWORK_PORTS ? 1'b1 : may_wait[r]);
                end
                assign of_link[r] = r < NETWORK_PORTS;
                assign read_size[r*2 +: 2] = size[r*2 +: 2];
                assign read_possible[r*NETWORK_PORTS +: NETWORK_PORTS]
                    = possible[r*NETWORK_PORTS +: NETWORK_PORTS];
                assign read_behind[r*LEFT_BITS +: LEFT_BITS]
                    = behind[r*LEFT_BITS +: LEFT_BITS];
            end
        end
    endgenerate

    // A tick comes in every 512th cycle: a host counts ticks, so it needs no counter of cycles.
    reg [9:0] ticking;                      // the top bit is the tick
    always @(posedge clk)
        ticking <= rst ? 10'd1 : {1'b0, ticking[8:0]} + 10'd1;

    wire [READERS*NETWORK_PORTS-1:0] committed; // by reader
    wire [PORTS*NETWORK_PORTS-1:0] own_committed; // the same by input, now or of a host before
    wire [PORTS-1:0] takes;                     // and whether it is of the input's header
    wire [NETWORK_PORTS*READERS-1:0] permits;   // the same by output

    adaptive_choice #(
        .READERS(READERS), .HOSTS(serving_hosts(NETWORK_PORTS)), .NETWORK_PORTS(NETWORK_PORTS)
    ) choice (
        .clk(clk), .rst(rst), .eligible(eligible), .of_link(of_link), .size(read_size),
        .candidates(read_possible), .level(level), .host_level(host_level), .commits(committed),
        .permits(permits)
    );

    generate
        genvar i, o;
        for (i = 0; i < PORTS; i = i + 1) begin : gen_input
            wire [NETWORK_PORTS-1:0] permitted
                = committed[i%READERS*NETWORK_PORTS +: NETWORK_PORTS];
            if (i < NETWORK_PORTS) begin : gen_link
                assign {granted[i], patient[i], may_wait[i], waits[i]} = 4'd0;
                assign {takes[i], own_committed[i*NETWORK_PORTS +: NETWORK_PORTS]}
                    = {chosen[i], permitted};
            end else begin : gen_host
                reg [2:0] waited;           // one 1 for each tick
                reg [NETWORK_PORTS-1:0] permit; // of the last cycle
                assign patient[i] = ~waited[2];
                assign granted[i] = |permit;
                assign {takes[i], own_committed[i*NETWORK_PORTS +: NETWORK_PORTS]}
                    = {1'b1, permit};
                assign may_wait[i] = patient[i]
                    & |(possible[i*NETWORK_PORTS +: NETWORK_PORTS] & up[NETWORK_PORTS-1:0]);
                assign waits[i] = header[i] & claims[i]
                    & (chosen[i] ? may_commit[i] & may_wait[i] : patient[i]);
                always @(posedge clk) begin
                    permit <= permitted & {NETWORK_PORTS{chosen[i] & ~rst}};
                    if (rst | (header[i] & ~waits[i]))
                        waited <= 3'd0;
                    else if (ticking[9] & (header[i] | stays[i]))
                        waited <= {waited[1:0], 1'b1};
                end
            end
        end
        for (o = 0; o < NETWORK_PORTS; o = o + 1) begin : gen_output
            assign promises[o] = |permits[o*READERS +: READERS];
            genvar g;
            for (g = 0; g < PORTS; g = g + 1) begin : gen_grant
                // Of links: packets come on another channel than the last one after a detour only.
                assign grants[o*PORTS + g] = own_committed[g*NETWORK_PORTS + o] & takes[g] & idle[o]
                    & (g < NETWORK_PORTS ? on_last[g] : 1'b1);
            end
        end
    endgenerate

    // Of links, and in blocks without hosts.
    wire unused_ok = &{1'b0, up, ticking, stays, turn, may_commit, may_wait, possible, size,
        behind, on_last};

    adaptive_destination #(
        .PORTS(PORTS), .NETWORK_PORTS(NETWORK_PORTS), .BANKS(BANKS)
    ) destinations (
        .header(header), .chosen(takes), .committed(own_committed), .escape_to(escape_to),
        .escape_port(escape_port), .may_escape(header & leads & ~waits), .unordered(unordered),
        .to(to), .to_port(to_port), .commits(commits), .escapes(escapes), .detours(detours)
    );

    integer output_port, from;

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
