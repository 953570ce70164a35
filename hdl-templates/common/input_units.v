// input_units: what stands before the virtual output queues at all inputs of the switch core: route
// lookup, packets in progress, stage 1.
// Requests of an input are numbered place * VCS + channel, where a place is an output in bank order
// (all outputs of bank 0, then bank 1, ...), so that every bank's queues are one slice; they stand
// in a row of STRIDE bits. The state of all inputs is kept side by side, and only inputs that have
// something to do are looked at.
// Latency: a flit on rx_* in cycle t is pushed in cycle t + 1, with ADAPTIVE in cycle t + 2.
// Reset: synchronous, active high. Limits: as switch_core.
<$ banner $>

module input_units #(
    parameter PORTS = 10,
    parameter STRIDE = 32,
    parameter DATA_WIDTH = 64,
    parameter VCS = 1,
    parameter VC_BITS = 1,
    parameter BANKS = 2,
    parameter ALTERNATES = 1,           // 0: table entries have none
    parameter [PORTS*PORTS-1:0] TURNS = {PORTS*PORTS{1'b1}}, // as in switch_core
    parameter [PORTS-1:0] BUILT = {PORTS{1'b1}}, // other inputs never get a flit
    parameter LAYERS = 1,
    parameter TABLES = 1,
    parameter [39:0] TABLE_LSBS = 40'd0,
    parameter [31:0] TABLE_BITS = 32'd3,
    parameter INIT_BITS = 16 * LAYERS * (8 + 7),
    parameter [INIT_BITS-1:0] INIT = 0,
    parameter QUEUE_BITS = 4,           // of a queue's number: see input_queues
    parameter ADAPTIVE = 0,             // 1: headers may take another port than `route_lookup` says
    parameter NETWORK_PORTS = PORTS,    // these and those below: see adaptive_lookup
    parameter MAX_PACKET_FLITS = 33,
    parameter LEFT_BITS = 6,
    parameter CANDIDATE_LSB = 0,
    parameter CANDIDATE_BITS = 0,
    parameter [(NETWORK_PORTS<<CANDIDATE_BITS)-1:0] CANDIDATES_INIT = 0,
    parameter EVENTS = ADAPTIVE != 0 ? 8 : 5 // do not override
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire [PORTS-1:0]            up,          // links, registered
    input  wire [PORTS-1:0]            rx_valid,
    input  wire [PORTS*VC_BITS-1:0]    rx_vc,
    input  wire [PORTS-1:0]            rx_last,
    input  wire [PORTS-1:0]            rx_bad,
    input  wire [PORTS*DATA_WIDTH-1:0] rx_data,
    input  wire [31:0]                 table_change,   // {write, table, index, entry}
    input  wire [15:0]                 table_read,     // {read, table, index}
    output wire [15:0]                 table_entry,    // the entry that is read, or 0
    // With ADAPTIVE, else 0 and not looked at: the candidates, the outputs' room.
    input  wire [36:0]                 candidate_change, // {write, index, entry}
    input  wire [11:0]                 candidate_read,
    output wire [23:0]                 candidate_entry,
    input  wire [NETWORK_PORTS*3-1:0]  level,
    input  wire [NETWORK_PORTS*3-1:0]  host_level,
    output wire [NETWORK_PORTS-1:0]    promises,
    output wire [NETWORK_PORTS*LEFT_BITS-1:0] promised,
    input  wire [NETWORK_PORTS-1:0]    idle,
    output wire [NETWORK_PORTS*PORTS-1:0] grants,
    output wire [PORTS*PORTS-1:0]      coming,
    output wire [PORTS-1:0]            waits,       // what is on the pins stays there
    output wire [PORTS-1:0]            push_adaptive, // its packet leaves on channel A
    // Queues: a row of requests an input.
    input  wire [PORTS*STRIDE-1:0]     holds,       // the queue is not empty
    output reg  [PORTS*STRIDE-1:0]     push,        // one-hot or 0
    output reg  [PORTS-1:0]            pushes,      // there is a push
    output reg  [PORTS*QUEUE_BITS-1:0] push_queue,  // {bank, number in it}; if not, undefined
    output reg  [PORTS-1:0]            push_last,
    output reg  [PORTS-1:0]            push_bad,
    output wire [PORTS*DATA_WIDTH-1:0] push_data,
    // Channel v of input i at i * VCS + v: what is in stage 1.
    output reg  [PORTS*VCS-1:0]        lost,        // a flit that goes to no queue
    output reg  [PORTS*VCS-1:0]        made_up,     // a tail for a packet that its link has cut
    output reg  [PORTS-1:0]            dropped,     // a header that is dropped
    // With ADAPTIVE detour, escape, adaptive; then link down, U-turn, no route, packet, flit.
    output wire [PORTS*EVENTS-1:0]     events
);
    localparam REQUESTS = PORTS * VCS;
    localparam PORT_BITS = $clog2(PORTS);
    localparam BANK_BITS = BANKS > 1 ? $clog2(BANKS) : 1;
    localparam [VCS-1:0] FIRST_CHANNEL = 1;

    function [PORTS*VCS-1:0] lanes_of(input [PORTS-1:0] ports);
        integer one;
        for (one = 0; one < PORTS; one = one + 1)
            lanes_of[one*VCS +: VCS] = {VCS{ports[one]}};
    endfunction

    localparam [PORTS*VCS-1:0] BUILT_LANES = lanes_of(BUILT);

    // Packets in progress. `to` is where a packet that is open or to be closed goes: one bit a
    // (place, channel), at most one for every channel. `to_queue` is the number of that queue. The
    // other three are one bit per channel.
    reg [PORTS*STRIDE-1:0] to;
    reg [PORTS*VCS*QUEUE_BITS-1:0] to_queue;
    reg [PORTS*VCS-1:0] opened;             // a packet is in progress and goes to a queue
    reg [PORTS*VCS-1:0] dropping;           // a packet is in progress and is dropped
    reg [PORTS*VCS-1:0] closing;            // a packet was cut by the link, to be closed

    // Stage 1 is `push`, `lost` and `made_up`; of these two, counters know only what was dropped.
    reg [PORTS-1:0] stage1_flit;
    reg [PORTS-1:0] stage1_packet;          // and it is its packet's last
    reg [PORTS*VCS-1:0] stage1_channel;     // of a flit or made-up tail, one-hot or 0

    // The queue of a flit in stage 1 stands in `to_queue` by now, even of a header.
    integer pushing, through_channel;

    always @* begin
        pushes = {PORTS{1'b0}};
        push_queue = {PORTS*QUEUE_BITS{1'b0}};
        through_channel = 0;
        for (pushing = 0; pushing < PORTS; pushing = pushing + 1) begin
            pushes[pushing] = (stage1_flit[pushing] & ~|lost[pushing*VCS +: VCS])
                | |made_up[pushing*VCS +: VCS];
            push_queue[pushing*QUEUE_BITS +: QUEUE_BITS]
                = to_queue[pushing*VCS*QUEUE_BITS +: QUEUE_BITS];
            for (through_channel = 1; through_channel < VCS; through_channel = through_channel + 1)
                if (stage1_channel[pushing*VCS + through_channel])
                    push_queue[pushing*QUEUE_BITS +: QUEUE_BITS]
                        = to_queue[(pushing*VCS + through_channel)*QUEUE_BITS +: QUEUE_BITS];
        end
    end

    // The flits to deal with: on the pins, or with ADAPTIVE in a register behind them.
    wire [PORTS-1:0] in_valid;
    wire [PORTS-1:0] present;               // and its link is up
    wire [PORTS-1:0] taken;                 // and does not wait
    reg [PORTS*VCS-1:0] seen_channel;       // of the flit to look up, one-hot
    wire [PORTS*VCS-1:0] channel;           // and of one that is taken
    wire [PORTS-1:0] flit_last, flit_bad, cuts;
    reg [PORTS-1:0] is_header;
    reg [PORTS-1:0] is_closing;             // the packet before is still to be closed

    wire [PORTS*PORTS-1:0] table_route, route;
    wire [PORTS*PORT_BITS-1:0] table_port, route_port;
    wire [PORTS-1:0] look, look_closing;    // on the pins
    wire [PORTS-1:0] table_drops;
    wire [PORTS*3-1:0] table_causes;
    wire [PORTS-1:0] drops, drop_link_down, drop_uturn, drop_no_route;
    wire [PORTS*4-1:0] drop_events;         // the same of headers that do not wait

    route_lookup #(
        .PORTS(PORTS), .DATA_WIDTH(DATA_WIDTH), .BANKS(BANKS), .TURNS(TURNS), .BUILT(BUILT),
        .ALTERNATES(ALTERNATES), .LAYERS(LAYERS), .TABLES(TABLES), .TABLE_LSBS(TABLE_LSBS),
        .TABLE_BITS(TABLE_BITS), .INIT_BITS(INIT_BITS), .INIT(INIT)
    ) lookup (
        .clk(clk), .table_change(table_change), .table_read(table_read),
        .table_entry(table_entry), .header(look), .closing(look_closing),
        .flit_data(rx_data), .link_up(up), .to(table_route), .to_port(table_port),
        .drops(table_drops), .drop_link_down(table_causes[2*PORTS +: PORTS]),
        .drop_uturn(table_causes[PORTS +: PORTS]), .drop_no_route(table_causes[0 +: PORTS])
    );

    reg [PORTS*3-1:0] stage1_cause;         // of a drop: link down, U-turn, no route
    assign events[5*PORTS-1:0] = {stage1_cause, stage1_packet, stage1_flit};

    // The numbers of the queues from every input to every port, on channel 0: a bank's queues are
    // numbered over the turns that there are.
    function [(PORTS<<PORT_BITS)*QUEUE_BITS-1:0] numbered(input [PORTS*PORTS-1:0] turns);
        integer from, bank, port, slot;
        begin
            numbered = {(PORTS<<PORT_BITS)*QUEUE_BITS{1'b0}};
            for (from = 0; from < PORTS; from = from + 1)
                for (bank = 0; bank < BANKS; bank = bank + 1) begin
                    slot = 0;
                    for (port = bank; port < PORTS; port = port + BANKS)
                        if (turns[from*PORTS + port]) begin
                            numbered[((from << PORT_BITS) + port)*QUEUE_BITS +: QUEUE_BITS]
                                = (bank[QUEUE_BITS-1:0] << (QUEUE_BITS - BANK_BITS))
                                | (slot[QUEUE_BITS-1:0] * VCS[QUEUE_BITS-1:0]);
                            slot = slot + 1;
                        end
                end
        end
    endfunction

    localparam [(PORTS<<PORT_BITS)*QUEUE_BITS-1:0] QUEUE_TO = numbered(TURNS);

    // The queues that flits enter after this cycle.
    reg [PORTS*STRIDE-1:0] enter;
    reg [PORTS*VCS-1:0] closed;             // by a made-up tail
    integer chooser, place, waiting;

    always @* begin : choose
        reg [REQUESTS-1:0] header_to, tails;
        reg [VCS-1:0] through;              // to the queue of the channel's open packet

        enter = {PORTS*STRIDE{1'b0}};
        closed = {PORTS*VCS{1'b0}};
        header_to = {REQUESTS{1'b0}};
        tails = {REQUESTS{1'b0}};
        through = {VCS{1'b0}};
        chooser = 0;
        place = 0;
        waiting = 0;
        // Only headers wait, so what a flit of an open packet does is known without that.
        if (|present | |closing)
            for (chooser = 0; chooser < PORTS; chooser = chooser + 1) if (BUILT[chooser]) begin
                header_to = {REQUESTS{1'b0}};
                through = {VCS{1'b0}};
                if (present[chooser]) begin
                    // Of other flits `route` may be undefined.
                    if (is_header[chooser] & ~is_closing[chooser])
                        for (place = 0; place < PORTS; place = place + 1)
                            header_to[place*VCS +: VCS] = channel[chooser*VCS +: VCS]
                                & {VCS{route[chooser*PORTS + place]}};
                    through = seen_channel[chooser*VCS +: VCS] & opened[chooser*VCS +: VCS];
                end else if (~in_valid[chooser] & |closing[chooser*VCS +: VCS]) begin
                    // A made-up tail for the lowest channel that waits for one and whose queue is
                    // empty: there is room, though nobody spent a credit for it.
                    tails = to[chooser*STRIDE +: REQUESTS] & ~holds[chooser*STRIDE +: REQUESTS]
                        & {PORTS{closing[chooser*VCS +: VCS]}};
                    for (waiting = VCS - 1; waiting >= 0; waiting = waiting - 1)
                        if (|(tails & {PORTS{FIRST_CHANNEL << waiting}}))
                            through = FIRST_CHANNEL << waiting;
                    closed[chooser*VCS +: VCS] = through;
                end
                // A channel's packet goes to one queue, so `to` needs no look at the tails again.
                enter[chooser*STRIDE +: REQUESTS] = header_to
                    | (to[chooser*STRIDE +: REQUESTS] & {PORTS{through}});
            end
    end

    // By channel: a header comes; it is dropped, which is known last; a flit of an open packet
    // comes; the last one of a packet; the link is down. `refused` counts only with `begins`.
    reg [PORTS*VCS-1:0] begins, refused, passes, ends, cut;
    integer lane;

    always @* begin
        {begins, refused, passes, ends} = {4*PORTS*VCS{1'b0}};
        cut = {PORTS*VCS{1'b0}};
        lane = 0;
        if (|present)
            for (lane = 0; lane < PORTS * VCS; lane = lane + 1) begin
                begins[lane] = channel[lane] & is_header[lane/VCS];
                passes[lane] = seen_channel[lane] & opened[lane] & present[lane/VCS];
                ends[lane] = seen_channel[lane] & flit_last[lane/VCS];
            end
        if (|drops)
            for (lane = 0; lane < PORTS * VCS; lane = lane + 1)
                refused[lane] = drops[lane/VCS];
        if (~&up)
            for (lane = 0; lane < PORTS * VCS; lane = lane + 1)
                cut[lane] = ~up[lane/VCS];
    end

    always @(posedge clk) begin : commit
        reg [PORTS*STRIDE-1:0] next_to;
        reg [PORTS*VCS*QUEUE_BITS-1:0] next_to_queue;
        integer number, part;

        next_to = {PORTS*STRIDE{1'b0}};
        next_to_queue = {PORTS*VCS*QUEUE_BITS{1'b0}};
        if (rst) begin
            push <= {PORTS*STRIDE{1'b0}};
            stage1_flit <= {PORTS{1'b0}};
            stage1_packet <= {PORTS{1'b0}};
            dropped <= {PORTS{1'b0}};
            stage1_cause <= {PORTS*3{1'b0}};
            made_up <= {PORTS*VCS{1'b0}};
            lost <= {PORTS*VCS{1'b0}};
            opened <= {PORTS*VCS{1'b0}};
            dropping <= {PORTS*VCS{1'b0}};
            closing <= {PORTS*VCS{1'b0}};
        end else begin
            push <= enter;
            stage1_channel <= channel | closed;
            push_last <= ~present | flit_last;
            push_bad <= ~present | flit_bad;
            stage1_flit <= taken;
            stage1_packet <= taken & flit_last;
            {dropped, stage1_cause} <= drop_events;
            made_up <= closed;
            lost <= (channel & ~passes & ~begins) | (begins & refused);
            opened <= ((opened & ~ends) | (begins & ~ends & ~refused)) & ~cut;
            dropping <= ((dropping & ~ends) | (begins & ~ends & refused)) & ~cut;
            if (ADAPTIVE != 0)
                dropping <= ((dropping & ~ends) | (begins & ~ends & refused)
                    | (seen_channel & lanes_of(cuts))) & ~cut;
            closing <= (closing | (opened & cut)) & ~closed & BUILT_LANES;
            if (|present) begin
                next_to = to;
                next_to_queue = to_queue;
                for (number = 0; number < PORTS; number = number + 1)
                    if (BUILT[number] && is_header[number] & ~is_closing[number])
                        for (part = 0; part < VCS; part = part + 1)
                            if (channel[number*VCS + part]) begin
                                next_to_queue[(number*VCS + part)*QUEUE_BITS +: QUEUE_BITS]
                                    = QUEUE_TO[{number[4:0],
                                        route_port[number*PORT_BITS +: PORT_BITS]}*QUEUE_BITS
                                        +: QUEUE_BITS] | part[QUEUE_BITS-1:0];
                                next_to[number*STRIDE +: REQUESTS]
                                    = (enter[number*STRIDE +: REQUESTS]
                                        & {PORTS{FIRST_CHANNEL << part}})
                                    | (next_to[number*STRIDE +: REQUESTS]
                                        & ~{PORTS{FIRST_CHANNEL << part}});
                            end
                to <= next_to;
                to_queue <= next_to_queue;
            end
        end
    end

    generate
        if (ADAPTIVE != 0) begin : gen_adaptive
            wire [PORTS-1:0] keeps, came, in_header, in_closing, in_drops;
            wire [PORTS*VCS-1:0] in_channel;
            wire [PORTS*3-1:0] in_causes;

            always @* begin
                seen_channel = in_channel;
                is_header = in_header & up;
                is_closing = in_closing;
            end

            assign present = came & up;
            assign taken = present & ~keeps;
            assign channel = seen_channel & ~lanes_of(keeps);
            assign look_closing = {PORTS{1'b0}};
            assign {drop_link_down, drop_uturn, drop_no_route} = {3{is_header}}
                & {in_causes[2*PORTS +: PORTS] | is_closing, in_causes[0 +: 2*PORTS]
                    & ~{2{is_closing}}};
            assign drops = is_header & (in_drops | is_closing);
            assign drop_events = {drops, drop_link_down, drop_uturn, drop_no_route} & ~{4{keeps}};

            adaptive_inputs #(
                .PORTS(PORTS), .NETWORK_PORTS(NETWORK_PORTS), .DATA_WIDTH(DATA_WIDTH), .VCS(VCS),
                .VC_BITS(VC_BITS), .BANKS(BANKS), .TURNS(TURNS), .BUILT(BUILT),
                .MAX_PACKET_FLITS(MAX_PACKET_FLITS), .LEFT_BITS(LEFT_BITS),
                .CANDIDATE_LSB(CANDIDATE_LSB), .CANDIDATE_BITS(CANDIDATE_BITS),
                .CANDIDATES_INIT(CANDIDATES_INIT)
            ) headers (
                .clk(clk), .rst(rst), .candidate_change(candidate_change),
                .candidate_read(candidate_read), .candidate_entry(candidate_entry), .up(up),
                .rx_valid(rx_valid), .rx_vc(rx_vc), .rx_last(rx_last), .rx_bad(rx_bad),
                .rx_data(rx_data), .waits(waits), .closing(closing), .rx_header(look),
                .rx_to(table_route), .rx_to_port(table_port), .rx_drops(table_drops),
                .rx_causes(table_causes), .valid(in_valid), .came(came), .is_header(in_header),
                .is_closing(in_closing), .channel(in_channel), .drops(in_drops),
                .causes(in_causes), .keeps(keeps),
                .header(is_header & ~is_closing), .taken(taken),
                .begins(begins & ~lanes_of(is_closing)), .passes(passes), .made_up(closed),
                .flit_last(flit_last), .flit_bad(flit_bad), .cuts(cuts), .to(route),
                .to_port(route_port), .level(level), .host_level(host_level),
                .promises(promises), .promised(promised), .idle(idle), .grants(grants),
                .coming(coming), .push_channel(stage1_channel),
                .push_adaptive(push_adaptive), .push_data(push_data),
                .choices(events[8*PORTS-1:5*PORTS])
            );
        end else begin : gen_fixed
            assign in_valid = rx_valid;
            assign present = rx_valid & up;
            assign {look, look_closing, drops} = {is_header, is_closing, table_drops};
            assign {drop_link_down, drop_uturn, drop_no_route} = table_causes;
            assign {taken, channel} = {present, seen_channel};
            assign drop_events = {drops, drop_link_down, drop_uturn, drop_no_route};
            assign {route, route_port} = {table_route, table_port};
            assign {flit_last, flit_bad} = {rx_last, rx_bad};
            assign {cuts, waits, push_adaptive} = {3*PORTS{1'b0}};
            assign candidate_entry = 24'd0;
            assign promises = {NETWORK_PORTS{1'b0}};
            assign promised = {NETWORK_PORTS*LEFT_BITS{1'b0}};
            assign grants = {NETWORK_PORTS*PORTS{1'b0}};
            assign coming = {PORTS*PORTS{1'b0}};

            integer arriving;

            always @* begin : arrive
                reg [VCS-1:0] one;

                seen_channel = {PORTS*VCS{1'b0}};
                is_header = {PORTS{1'b0}};
                is_closing = {PORTS{1'b0}};
                one = {VCS{1'b0}};
                arriving = 0;
                if (|rx_valid)
                    for (arriving = 0; arriving < PORTS; arriving = arriving + 1)
                        if (BUILT[arriving] && rx_valid[arriving]) begin
                            one = VCS > 1 ? FIRST_CHANNEL << rx_vc[arriving*VC_BITS +: VC_BITS]
                                : FIRST_CHANNEL;
                            seen_channel[arriving*VCS +: VCS] = one;
                            is_header[arriving] = present[arriving]
                                & ~|((opened[arriving*VCS +: VCS]
                                    | dropping[arriving*VCS +: VCS]) & one);
                            is_closing[arriving] = |(closing[arriving*VCS +: VCS] & one);
                        end
            end

            // Made-up tails carry no data.
            reg [PORTS*DATA_WIDTH-1:0] data;
            integer arrived;
            assign push_data = data;
            always @(posedge clk) begin
                if (|closing)
                    for (arrived = 0; arrived < PORTS; arrived = arrived + 1)
                        if (BUILT[arrived] && |closing[arrived*VCS +: VCS])
                            data[arrived*DATA_WIDTH +: DATA_WIDTH] <= {DATA_WIDTH{1'b0}};
                for (arrived = 0; arrived < PORTS; arrived = arrived + 1)
                    if (BUILT[arrived] && taken[arrived])
                        data[arrived*DATA_WIDTH +: DATA_WIDTH]
                            <= rx_data[arrived*DATA_WIDTH +: DATA_WIDTH];
            end
            wire unused_ok = &{1'b0, candidate_change, candidate_read, level, host_level, idle};
        end
    endgenerate
endmodule
