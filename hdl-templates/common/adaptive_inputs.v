// adaptive_inputs: what an adaptive block has at its inputs besides input_units: the choices of
// headers, the lengths of packets in progress, and what of them stage 1 takes
// (docs/microarchitecture.md 1.8).
// Latency: a flit on rx_* is told as `valid` one cycle later; `push_*` and `choices` follow that by
// one cycle; the others are combinational.
// Reset: synchronous, active high. Limits: as switch_core.
<$ banner $>

module adaptive_inputs #(
    parameter PORTS = 10,
    parameter NETWORK_PORTS = PORTS,
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter VC_BITS = 1,
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
    // The pins: see adaptive_arrival.
    input  wire [PORTS-1:0]            rx_valid,
    input  wire [PORTS*VC_BITS-1:0]    rx_vc,
    input  wire [PORTS-1:0]            rx_last,
    input  wire [PORTS-1:0]            rx_bad,
    input  wire [PORTS*DATA_WIDTH-1:0] rx_data,
    output wire [PORTS-1:0]            waits,       // the flit stays on the pins
    input  wire [PORTS*VCS-1:0]        closing,
    output wire [PORTS-1:0]            rx_header,
    input  wire [PORTS*PORTS-1:0]      rx_to,
    input  wire [PORTS*PORT_BITS-1:0]  rx_to_port,
    input  wire [PORTS-1:0]            rx_drops,
    input  wire [PORTS*3-1:0]          rx_causes,
    // The register behind them.
    output wire [PORTS-1:0]            valid,
    output wire [PORTS-1:0]            came,
    output wire [PORTS-1:0]            is_header,
    output wire [PORTS-1:0]            is_closing,
    output wire [PORTS*VCS-1:0]        channel,
    output wire [PORTS-1:0]            drops,
    output wire [PORTS*3-1:0]          causes,
    output wire [PORTS-1:0]            keeps,       // the header stays there
    input  wire [PORTS-1:0]            header,      // it is neither lost nor dropped unread
    // The same of those that do not wait, and by channel: see adaptive_length.
    input  wire [PORTS-1:0]            taken,
    input  wire [PORTS*VCS-1:0]        begins,
    input  wire [PORTS*VCS-1:0]        passes,
    input  wire [PORTS*VCS-1:0]        made_up,
    output wire [PORTS-1:0]            flit_last,   // as stage 1 takes it
    output wire [PORTS-1:0]            flit_bad,
    output wire [PORTS-1:0]            cuts,        // the rest of the packet is dropped
    // Where headers go: by place, and its number.
    output wire [PORTS*PORTS-1:0]      to,
    output wire [PORTS*PORT_BITS-1:0]  to_port,
    // The outputs' room.
    input  wire [NETWORK_PORTS*3-1:0]  level,
    input  wire [NETWORK_PORTS*3-1:0]  host_level,
    output wire [NETWORK_PORTS-1:0]    promises,
    output wire [NETWORK_PORTS*LEFT_BITS-1:0] promised,
    input  wire [NETWORK_PORTS-1:0]    idle,
    output wire [NETWORK_PORTS*PORTS-1:0] grants,
    // By place: a header on the last channel of this link will go to this host.
    output reg  [PORTS*PORTS-1:0]      coming,
    // Stage 1.
    input  wire [PORTS*VCS-1:0]        push_channel, // one-hot or 0
    output reg  [PORTS-1:0]            push_adaptive, // its packet leaves on channel A
    output reg  [PORTS*DATA_WIDTH-1:0] push_data,
    output reg  [PORTS*3-1:0]          choices      // of headers: detour, escape, adaptive
);
    // Place of an output, as in input_units.
    function integer place_of(input integer port);
        place_of = port % BANKS * (PORTS / BANKS) + port / BANKS
            + (port % BANKS < PORTS % BANKS ? port % BANKS : PORTS % BANKS);
    endfunction

    wire [PORTS-1:0] stays, patient, served, unordered, leads, may_commit;
    wire [PORTS*NETWORK_PORTS-1:0] possible;
    wire [PORTS*2-1:0] size;
    wire [PORTS-1:0] last, bad;
    wire [PORTS*DATA_WIDTH-1:0] data;
    wire [PORTS-1:0] commits, escapes, detours, closes, is_adaptive;
    wire [PORTS*LEFT_BITS-1:0] behind, remaining;
    wire [PORTS*VCS-1:0] adaptive;
    wire [PORTS*PORTS-1:0] escape_to;
    wire [PORTS*PORT_BITS-1:0] escape_port;

    reg [PORTS-1:0] on_last;
    integer input_port;

    always @*
        for (input_port = 0; input_port < PORTS; input_port = input_port + 1)
            on_last[input_port] = channel[input_port*VCS + VCS - 1];

    assign waits = keeps | stays;

    integer link, host;

    always @* begin
        coming = {PORTS*PORTS{1'b0}};
        host = 0;
        for (link = 0; link < NETWORK_PORTS; link = link + 1)
            if (is_header[link] & on_last[link] & ~is_closing[link])
                for (host = NETWORK_PORTS; host < PORTS; host = host + 1)
                    coming[link*PORTS + place_of(host)] = escape_to[link*PORTS + place_of(host)];
    end

    reg turn;
    always @(posedge clk)
        turn <= ~rst & ~turn;

    adaptive_arrival #(
        .PORTS(PORTS), .NETWORK_PORTS(NETWORK_PORTS), .DATA_WIDTH(DATA_WIDTH), .VCS(VCS),
        .VC_BITS(VC_BITS), .BUILT(BUILT)
    ) arrivals (
        .clk(clk), .rst(rst), .up(up), .rx_valid(rx_valid), .rx_vc(rx_vc), .rx_last(rx_last),
        .rx_bad(rx_bad), .rx_data(rx_data), .closing(closing), .rx_header(rx_header),
        .rx_to(rx_to), .rx_to_port(rx_to_port), .rx_drops(rx_drops), .rx_causes(rx_causes),
        .keeps(keeps), .stays(stays), .valid(valid), .came(came), .header(is_header),
        .is_closing(is_closing), .channel(channel), .last(last), .bad(bad), .data(data),
        .to(escape_to), .to_port(escape_port), .drops(drops), .causes(causes)
    );

    adaptive_read #(
        .PORTS(PORTS), .NETWORK_PORTS(NETWORK_PORTS), .DATA_WIDTH(DATA_WIDTH), .BANKS(BANKS),
        .TURNS(TURNS), .BUILT(BUILT), .MAX_PACKET_FLITS(MAX_PACKET_FLITS), .LEFT_BITS(LEFT_BITS),
        .CANDIDATE_LSB(CANDIDATE_LSB), .CANDIDATE_BITS(CANDIDATE_BITS),
        .CANDIDATES_INIT(CANDIDATES_INIT)
    ) readers (
        .clk(clk), .candidate_change(candidate_change), .candidate_read(candidate_read),
        .candidate_entry(candidate_entry), .turn(turn), .header(rx_header), .flit_data(rx_data),
        .flit_last(rx_last), .flit_bad(rx_bad), .escape_to(rx_to), .patient(patient),
        .stays(stays), .keeps(keeps), .served(served), .unordered(unordered), .leads(leads),
        .eligible(may_commit), .possible(possible), .size(size), .behind(behind)
    );

    adaptive_lookup #(
        .PORTS(PORTS), .NETWORK_PORTS(NETWORK_PORTS), .BANKS(BANKS), .LEFT_BITS(LEFT_BITS)
    ) choice (
        .clk(clk), .rst(rst), .up(up), .turn(turn), .on_last(on_last), .header(header),
        .served(served), .idle(idle), .grants(grants),
        .unordered(unordered), .leads(leads), .may_commit(may_commit), .possible(possible),
        .size(size), .behind(behind), .escape_to(escape_to), .escape_port(escape_port),
        .stays(stays), .level(level), .host_level(host_level), .to(to), .to_port(to_port),
        .commits(commits), .waits(keeps), .patient(patient), .escapes(escapes),
        .detours(detours), .promises(promises), .promised(promised)
    );

    adaptive_length #(
        .PORTS(PORTS), .NETWORK_PORTS(NETWORK_PORTS), .VCS(VCS), .BUILT(BUILT),
        .LEFT_BITS(LEFT_BITS)
    ) lengths (
        .clk(clk), .rst(rst), .begins(begins), .passes(passes), .made_up(made_up), .last(last),
        .bad(bad), .commits(commits), .behind(behind), .adaptive(adaptive), .closes(closes),
        .cuts(cuts), .remaining(remaining), .is_adaptive(is_adaptive)
    );

    assign flit_last = last | cuts;
    assign flit_bad = bad | closes;

    always @(posedge clk)
        choices <= rst ? {3*PORTS{1'b0}} : {detours, escapes, commits};

    // What is known of the packet of a flit in stage 1 stands in `adaptive` by now.
    integer pushing;

    always @*
        for (pushing = 0; pushing < PORTS; pushing = pushing + 1)
            push_adaptive[pushing]
                = |(push_channel[pushing*VCS +: VCS] & adaptive[pushing*VCS +: VCS]);

    // A packet that ends early tells what was promised for it. A header tells that it took the
    // escape, and its CRC changes with it: see the table of the page.
    integer arrived;

    always @(posedge clk) begin : enter_stage1
        reg [7:0] top;

        top = 8'd0;
        for (arrived = 0; arrived < PORTS; arrived = arrived + 1)
            if (closes[arrived] | |made_up[arrived*VCS +: VCS])
                push_data[arrived*DATA_WIDTH +: DATA_WIDTH] <= {{DATA_WIDTH-LEFT_BITS{1'b0}},
                    remaining[arrived*LEFT_BITS +: LEFT_BITS] & {LEFT_BITS{is_adaptive[arrived]}}};
            else if (BUILT[arrived] && taken[arrived]) begin
                top = data[arrived*DATA_WIDTH + 56 +: 8];
                push_data[arrived*DATA_WIDTH +: DATA_WIDTH]
                    <= data[arrived*DATA_WIDTH +: DATA_WIDTH];
                if (detours[arrived])
                    push_data[arrived*DATA_WIDTH + 56 +: 8]
                        <= {~top[7], top[6:3], top[2] ^ top[1], 1'b1, ~top[0]};
            end
    end
endmodule
