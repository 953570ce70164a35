// switch_core: PORTS inputs with virtual output queues in front of a full crossbar. Structure only.
// TURNS says which inputs lead to which outputs. There is no queue, request or crossbar input for
// the other pairs, so the modules of a port count over the turns that it has. A port without turns
// in either direction is not built: its outputs are 0 and its inputs are ignored.
// Latency: 5 cycles from rx to tx without load, with ADAPTIVE 5 or 6.
// Throughput: one flit per cycle and output. Reset: synchronous, active high.
// Limits: PORTS 2..32, VCS 1, 2 or 4, DATA_WIDTH >= 64, BANKS 1..PORTS,
// QUEUE_FLITS a power of two and at least RX_BUFFER_FLITS + 2, TABLES 1..8; with SWITCHING_VCT
// RX_BUFFER_FLITS and HOST_BUFFER_FLITS >= MAX_PACKET_FLITS. VC_BITS is max(1, log2 VCS).
// With ADAPTIVE (docs/microarchitecture.md 1.8) packets may leave over any shortest cable that has
// room; it needs VCS >= 2, LAYERS 1, RX_BUFFER_FLITS >= MAX_PACKET_FLITS and no SWITCHING_VCT.
<$ banner $>

module switch_core #(
    parameter PORTS = 10,
    parameter DATA_WIDTH = 64,
    parameter VCS = 1,
    parameter VC_BITS = VCS > 2 ? 2 : 1,
    parameter RX_BUFFER_FLITS = 62,
    parameter QUEUE_FLITS = 64,
    parameter BANKS = 2,
    parameter MAX_PACKET_FLITS = 33,
    parameter SWITCHING_VCT = 0,
    parameter HOST_PORTS = 0,           // the last ports lead to hosts, whose buffers hold
    parameter HOST_BUFFER_FLITS = RX_BUFFER_FLITS,
    parameter STEPS = 1,                // 0: `step` is always 0
    parameter ALTERNATES = 1,           // 0: table entries have none
    parameter [PORTS*PORTS-1:0] TURNS = {PORTS*PORTS{1'b1}}, // bit i * PORTS + o
    parameter LAYERS = 1,
    parameter TABLES = 1,
    parameter [39:0] TABLE_LSBS = 40'd0, // table 0 in the low bits, 5 bits each
    parameter [31:0] TABLE_BITS = 32'd3, // 4 bits each
    parameter INIT_BITS = 16 * LAYERS * (8 + 7), // of eight tables, those that are left out, too
    parameter [INIT_BITS-1:0] INIT = 0,
    parameter ADAPTIVE = 0,
    parameter CANDIDATE_LSB = 0,        // of the node address, by which candidates are looked up
    parameter CANDIDATE_BITS = 0,
    parameter NETWORK_PORTS = PORTS - HOST_PORTS, // do not override this and the last one
    parameter [(NETWORK_PORTS<<CANDIDATE_BITS)-1:0] CANDIDATES_INIT = 0,
    parameter EVENTS = ADAPTIVE != 0 ? 8 : 5
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire [PORTS-1:0]            rx_valid,
    input  wire [PORTS*VC_BITS-1:0]    rx_vc,
    input  wire [PORTS-1:0]            rx_last,
    input  wire [PORTS-1:0]            rx_bad,
    input  wire [PORTS*DATA_WIDTH-1:0] rx_data,
    output wire [PORTS*VCS-1:0]        rx_credit,
    output wire [PORTS-1:0]            tx_valid,
    output wire [PORTS*VC_BITS-1:0]    tx_vc,
    output wire [PORTS-1:0]            tx_last,
    output wire [PORTS-1:0]            tx_bad,
    output wire [PORTS*DATA_WIDTH-1:0] tx_data,
    input  wire [PORTS*VCS-1:0]        tx_credit,
    input  wire [PORTS-1:0]            link_up,
    input  wire [PORTS*PORTS-1:0]      step,           // bit i * PORTS + o
    input  wire [31:0]                 table_change,   // {write, table, index, entry}
    input  wire [15:0]                 table_read,     // {read, table, index}
    output wire [15:0]                 table_entry,    // the entry that is read, or 0
    // With ADAPTIVE, else not looked at and 0.
    input  wire [36:0]                 candidate_change, // {write, index, entry}
    input  wire [11:0]                 candidate_read, // its index
    output wire [23:0]                 candidate_entry,
    output wire [PORTS-1:0]            waits,          // what is on a host's rx_* stays there
    // Events of this cycle, each a vector of PORTS bits (bit p: port p), the last in the low bits:
    // {link down, U-turn, no route, packets, flits} of the inputs, in front of these with ADAPTIVE
    // {detour, escape, adaptive}, and {lost packets, stalls, packets, flits} of the outputs.
    output wire [PORTS*EVENTS-1:0]     input_events,
    output wire [PORTS*4-1:0]          output_events,
    // One cycle later: a header was dropped; the lowest input that did, and the header.
    output wire                        drop_valid,
    output wire [4:0]                  drop_port,
    output wire [63:0]                 drop_header
);
    localparam REQUESTS = PORTS * VCS;
    localparam [VCS-1:0] FIRST_CHANNEL = 1;
    localparam [VCS-1:0] LAST_CHANNEL = FIRST_CHANNEL << (VCS - 1);

    // Inputs that turn to an output; outputs of an input, by place: see input_units.
    function [PORTS-1:0] inputs_of(input integer output_port);
        integer one;
        for (one = 0; one < PORTS; one = one + 1)
            inputs_of[one] = TURNS[one*PORTS + output_port];
    endfunction

    function [PORTS-1:0] places_of(input integer input_port);
        integer one;
        for (one = 0; one < PORTS; one = one + 1)
            places_of[one % BANKS * (PORTS / BANKS) + one / BANKS
                    + (one % BANKS < PORTS % BANKS ? one % BANKS : PORTS % BANKS)]
                = TURNS[input_port*PORTS + one];
    endfunction

    function integer ones(input [PORTS-1:0] ports);
        integer one;
        begin
            ones = 0;
            for (one = 0; one < PORTS; one = one + 1)
                ones = ones + (ports[one] ? 1 : 0);
        end
    endfunction

    // Ports with a turn in either direction: the others are not built.
    function [PORTS-1:0] with_turns(input [PORTS*PORTS-1:0] turns);
        integer from, to;
        begin
            with_turns = {PORTS{1'b0}};
            for (from = 0; from < PORTS; from = from + 1)
                for (to = 0; to < PORTS; to = to + 1)
                    if (turns[from*PORTS + to]) begin
                        with_turns[from] = 1'b1;
                        with_turns[to] = 1'b1;
                    end
        end
    endfunction

    // Bit p * PORTS + i: input i turns to the output at place p.
    function [PORTS*PORTS-1:0] by_place(input [PORTS*PORTS-1:0] turns);
        integer from, to, place;
        for (to = 0; to < PORTS; to = to + 1) begin
            place = to % BANKS * (PORTS / BANKS) + to / BANKS
                + (to % BANKS < PORTS % BANKS ? to % BANKS : PORTS % BANKS);
            for (from = 0; from < PORTS; from = from + 1)
                by_place[place*PORTS + from] = turns[from*PORTS + to];
        end
    endfunction

    localparam [PORTS-1:0] BUILT = with_turns(TURNS);
    localparam [PORTS*PORTS-1:0] TURNS_BY_PLACE = by_place(TURNS);

    generate
        if (PORTS < 2 || PORTS > 32) begin : gen_check_ports
            illegal_parameter_PORTS_must_be_2_to_32 stop ();
        end
        if (DATA_WIDTH != 64 && DATA_WIDTH != 128 && DATA_WIDTH != 256 && DATA_WIDTH != 512)
        begin : gen_check_data_width
            illegal_parameter_DATA_WIDTH_must_be_64_128_256_or_512 stop ();
        end
        if (VCS != 1 && VCS != 2 && VCS != 4) begin : gen_check_vcs
            illegal_parameter_VCS_must_be_1_2_or_4 stop ();
        end
        if (RX_BUFFER_FLITS < 4 || RX_BUFFER_FLITS > 256) begin : gen_check_rx_buffer_flits
            illegal_parameter_RX_BUFFER_FLITS_must_be_4_to_256 stop ();
        end
        if (QUEUE_FLITS < 8 || QUEUE_FLITS > 1024 || 1 << $clog2(QUEUE_FLITS) != QUEUE_FLITS)
        begin : gen_check_queue_flits
            illegal_parameter_QUEUE_FLITS_must_be_a_power_of_two_8_to_1024 stop ();
        end
        if (QUEUE_FLITS < RX_BUFFER_FLITS + 2) begin : gen_check_queue_room
            illegal_parameter_QUEUE_FLITS_must_be_at_least_RX_BUFFER_FLITS_plus_2 stop ();
        end
        if (BANKS < 1 || BANKS > PORTS) begin : gen_check_banks
            illegal_parameter_BANKS_must_be_1_to_PORTS stop ();
        end
        if (HOST_BUFFER_FLITS < 4 || HOST_BUFFER_FLITS > RX_BUFFER_FLITS)
        begin : gen_check_host_buffer_flits
            illegal_parameter_HOST_BUFFER_FLITS_must_be_4_to_RX_BUFFER_FLITS stop ();
        end
        if (MAX_PACKET_FLITS < 1 || MAX_PACKET_FLITS > 1024) begin : gen_check_max_packet_flits
            illegal_parameter_MAX_PACKET_FLITS_must_be_1_to_1024 stop ();
        end
        if (SWITCHING_VCT != 0 && HOST_BUFFER_FLITS < MAX_PACKET_FLITS) begin : gen_check_vct
            illegal_parameter_SWITCHING_VCT_needs_buffers_of_MAX_PACKET_FLITS stop ();
        end
        if (ADAPTIVE != 0 && (VCS < 2 || LAYERS != 1 || SWITCHING_VCT != 0
                || RX_BUFFER_FLITS < MAX_PACKET_FLITS)) begin : gen_check_adaptive
            illegal_parameter_ADAPTIVE_needs_VCS_of_2_LAYERS_of_1_MAX_PACKET_FLITS_no_VCT stop ();
        end
        if (CANDIDATE_LSB < 0 || CANDIDATE_LSB > 19) begin : gen_check_candidate_lsb
            illegal_parameter_CANDIDATE_LSB_must_be_0_to_19 stop ();
        end
        if (CANDIDATE_BITS < 0 || CANDIDATE_BITS > 12) begin : gen_check_candidate_bits
            illegal_parameter_CANDIDATE_BITS_must_be_0_to_12 stop ();
        end
        if (TABLES < 1 || TABLES > 8) begin : gen_check_tables
            illegal_parameter_TABLES_must_be_1_to_8 stop ();
        end
    endgenerate

    // Rows of the request matrices start at multiples of 32 bits, the top bit of a row is unused;
    // memory words are {0, bad, last, data} in DATA_WIDTH + 32 bits: simulators move whole words.
    localparam STRIDE = 32 * (REQUESTS / 32 + 1);
    localparam WORD_STRIDE = DATA_WIDTH + 32;

    // Of the flits behind a header.
    localparam LEFT_BITS = MAX_PACKET_FLITS > 2 ? $clog2(MAX_PACKET_FLITS) : 1;

    // The number of an input's queue: {bank, number in this bank}.
    localparam BANK_QUEUES = (PORTS + BANKS - 1) / BANKS * VCS;
    localparam QUEUE_BITS = (BANK_QUEUES > 1 ? $clog2(BANK_QUEUES) : 1)
        + (BANKS > 1 ? $clog2(BANKS) : 1);

    // What is asked of the links, inside: by inputs, and by outputs, which stand elsewhere. Of two
    // equal registers synthesis would make one.
    reg [PORTS-1:0] up, down;
    always @(posedge clk) begin
        up <= link_up & BUILT;
        down <= ~link_up;
    end

    // Input-major: request (place, channel) of input i. Output-major: (channel, input) of place p.
    wire [PORTS*STRIDE-1:0] holds, waiting, ready, ready_more, input_pop, input_chosen;
    wire [PORTS*STRIDE-1:0] way, request_way;   // with ADAPTIVE
    wire [PORTS*STRIDE-1:0] request_waiting, request_ready, request_more, chosen, pop;

    wire [PORTS*PORTS-1:0] step_by_output;
    wire [PORTS-1:0] flowing;               // by place, as the next one and `accepted`
    wire [PORTS*PORTS-1:0] chosen_input;
    wire [BANKS*VCS*PORTS-1:0] barred;      // by bank, channel, input
    wire [PORTS-1:0] accepted;

    wire [PORTS*BANKS*VCS-1:0] claims, left; // by input, bank, channel
    wire [PORTS*BANKS*WORD_STRIDE-1:0] read_word;

    generate
        genvar t, m;
        for (t = 0; t < 3; t = t + 1) begin : gen_status_by_output
            wire [PORTS*STRIDE-1:0] by_input = t == 0 ? waiting : t == 1 ? ready : ready_more;
            wire [PORTS*STRIDE-1:0] by_output;
            transpose #(
                .ROWS(PORTS), .COLUMNS(PORTS), .LANES(VCS), .ROW_STRIDE(STRIDE),
                .COLUMN_STRIDE(STRIDE), .IN_COLUMN(VCS), .IN_LANE(1), .OUT_ROW(1), .OUT_LANE(PORTS)
            ) by_other_side (
                .by_row(by_input), .by_column(by_output)
            );
        end
        for (m = 0; m < 2; m = m + 1) begin : gen_grant_by_input
            wire [PORTS*STRIDE-1:0] by_output = m == 0 ? pop : chosen;
            wire [PORTS*STRIDE-1:0] by_input;
            transpose #(
                .ROWS(PORTS), .COLUMNS(PORTS), .LANES(VCS), .ROW_STRIDE(STRIDE),
                .COLUMN_STRIDE(STRIDE), .IN_COLUMN(1), .IN_LANE(PORTS), .OUT_ROW(VCS), .OUT_LANE(1)
            ) by_other_side (
                .by_row(by_output), .by_column(by_input)
            );
        end
    endgenerate
    generate
        if (ADAPTIVE != 0) begin : gen_way_by_output
            transpose #(
                .ROWS(PORTS), .COLUMNS(PORTS), .LANES(VCS), .ROW_STRIDE(STRIDE),
                .COLUMN_STRIDE(STRIDE), .IN_COLUMN(VCS), .IN_LANE(1), .OUT_ROW(1), .OUT_LANE(PORTS)
            ) by_other_side (
                .by_row(way), .by_column(request_way)
            );
        end else begin : gen_no_ways
            assign request_way = way;
        end
    endgenerate
    assign request_waiting = gen_status_by_output[0].by_output;
    assign request_ready = gen_status_by_output[1].by_output;
    assign request_more = gen_status_by_output[2].by_output;
    assign input_pop = gen_grant_by_input[0].by_input;
    assign input_chosen = gen_grant_by_input[1].by_input;
    transpose #(.ROWS(PORTS), .COLUMNS(BANKS * VCS)) claims_by_output (
        .by_row(claims), .by_column(barred)
    );
    transpose #(.ROWS(PORTS), .COLUMNS(PORTS)) steps_by_output (
        .by_row(step), .by_column(step_by_output)
    );

    wire [PORTS*STRIDE-1:0] push;
    wire [PORTS*QUEUE_BITS-1:0] push_queue;
    wire [PORTS-1:0] pushes, push_last, push_bad, dropped;
    wire [PORTS*DATA_WIDTH-1:0] push_data;
    wire [PORTS*VCS-1:0] lost, made_up;

    // With ADAPTIVE: commits, by output; room that comes back; levels of room.
    wire [PORTS-1:0] push_adaptive, match_adaptive;
    wire [NETWORK_PORTS-1:0] promises;
    wire [NETWORK_PORTS*LEFT_BITS-1:0] promised;
    wire [PORTS*LEFT_BITS-1:0] returned;
    wire [PORTS*3-1:0] level, host_level;
    wire [PORTS-1:0] idle;                  // outputs that would grant a commit at once
    wire [NETWORK_PORTS*PORTS-1:0] grants;  // those that do, by output and input
    wire [PORTS*PORTS-1:0] coming;          // by input and place: see adaptive_inputs

    input_units #(
        .PORTS(PORTS), .STRIDE(STRIDE), .DATA_WIDTH(DATA_WIDTH), .VCS(VCS), .VC_BITS(VC_BITS),
        .BANKS(BANKS), .ALTERNATES(ALTERNATES), .TURNS(TURNS), .BUILT(BUILT), .LAYERS(LAYERS),
        .TABLES(TABLES),
        .TABLE_LSBS(TABLE_LSBS), .TABLE_BITS(TABLE_BITS), .INIT_BITS(INIT_BITS), .INIT(INIT),
        .QUEUE_BITS(QUEUE_BITS), .ADAPTIVE(ADAPTIVE), .NETWORK_PORTS(NETWORK_PORTS),
        .MAX_PACKET_FLITS(MAX_PACKET_FLITS), .LEFT_BITS(LEFT_BITS),
        .CANDIDATE_LSB(CANDIDATE_LSB), .CANDIDATE_BITS(CANDIDATE_BITS),
        .CANDIDATES_INIT(CANDIDATES_INIT)
    ) inputs (
        .clk(clk), .rst(rst), .up(up), .rx_valid(rx_valid & BUILT), .rx_vc(rx_vc),
        .rx_last(rx_last), .rx_bad(rx_bad), .rx_data(rx_data),
        .table_change(table_change), .table_read(table_read), .table_entry(table_entry),
        .candidate_change(candidate_change), .candidate_read(candidate_read),
        .candidate_entry(candidate_entry), .level(level[0 +: NETWORK_PORTS*3]),
        .host_level(host_level[0 +: NETWORK_PORTS*3]), .promises(promises), .promised(promised),
        .idle(idle[0 +: NETWORK_PORTS]), .grants(grants), .coming(coming),
        .waits(waits), .push_adaptive(push_adaptive),
        .holds(holds), .push(push), .pushes(pushes), .push_queue(push_queue),
        .push_last(push_last), .push_bad(push_bad), .push_data(push_data), .lost(lost),
        .made_up(made_up), .dropped(dropped), .events(input_events)
    );

    first_drop #(.PORTS(PORTS), .DATA_WIDTH(DATA_WIDTH), .BUILT(BUILT)) drops (
        .clk(clk), .rst(rst), .dropped(dropped), .data(push_data), .valid(drop_valid),
        .port(drop_port), .header(drop_header)
    );

    input_credits #(
        .PORTS(PORTS), .VCS(VCS), .BANKS(BANKS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
        .BUILT(BUILT)
    ) credits (
        .clk(clk), .rst(rst), .left(left), .lost(lost), .made_up(made_up), .rx_credit(rx_credit)
    );

    generate
        genvar i, b;
        for (i = 0; i < PORTS; i = i + 1) begin : gen_input
            // Queues are numbered by place, then by channel.
            localparam [PORTS-1:0] PLACES = places_of(i);
            localparam PLACE_COUNT = ones(PLACES);
            if (PLACE_COUNT == 0) begin : gen_no_queues
                assign waiting[i*STRIDE +: REQUESTS] = {REQUESTS{1'b0}};
                assign ready[i*STRIDE +: REQUESTS] = {REQUESTS{1'b0}};
                assign ready_more[i*STRIDE +: REQUESTS] = {REQUESTS{1'b0}};
                assign holds[i*STRIDE +: REQUESTS] = {REQUESTS{1'b0}};
                assign way[i*STRIDE +: REQUESTS] = {REQUESTS{1'b0}};
                assign claims[i*BANKS*VCS +: BANKS*VCS] = {BANKS*VCS{1'b0}};
                assign left[i*BANKS*VCS +: BANKS*VCS] = {BANKS*VCS{1'b0}};
                assign read_word[i*BANKS*WORD_STRIDE +: BANKS*WORD_STRIDE]
                    = {BANKS*WORD_STRIDE{1'b0}};
            end else begin : gen_queues
                wire [PLACE_COUNT*VCS-1:0] own_push, own_pop, own_chosen;
                wire [PLACE_COUNT*VCS-1:0] own_waiting, own_ready, own_more, own_holds;
                wire [PLACE_COUNT*VCS-1:0] own_way;
                wire [REQUESTS-1:0] held;   // waiting in a queue or in front of it

                remove_elements #(
                    .ROWS(3), .ELEMENTS(PORTS), .LANES(VCS), .KEEP(PLACES), .KEPT(PLACE_COUNT)
                ) own_grants (
                    .all({push[i*STRIDE +: REQUESTS], input_pop[i*STRIDE +: REQUESTS],
                        input_chosen[i*STRIDE +: REQUESTS]}),
                    .kept({own_push, own_pop, own_chosen})
                );
                insert_elements #(
                    .ROWS(4), .ELEMENTS(PORTS), .LANES(VCS), .KEEP(PLACES), .KEPT(PLACE_COUNT)
                ) status_of_all (
                    .kept({own_waiting, own_ready, own_more, own_holds}),
                    .all({held, ready[i*STRIDE +: REQUESTS],
                        ready_more[i*STRIDE +: REQUESTS], holds[i*STRIDE +: REQUESTS]})
                );
                insert_elements #(
                    .ELEMENTS(PORTS), .LANES(VCS), .KEEP(PLACES), .KEPT(PLACE_COUNT)
                ) way_of_all (
                    .kept(own_way), .all(way[i*STRIDE +: REQUESTS])
                );
                genvar p;
                for (p = 0; p < PORTS; p = p + 1) begin : gen_waiting
                    assign waiting[i*STRIDE + p*VCS +: VCS] = ADAPTIVE == 0 ? held[p*VCS +: VCS]
                        : held[p*VCS +: VCS] | (LAST_CHANNEL & {VCS{coming[i*PORTS + p]}});
                end
                // In adaptive blocks, hosts' flits are on channel 0.
                localparam [VCS-1:0] CHANNELS
                    = ADAPTIVE != 0 && i >= NETWORK_PORTS ? FIRST_CHANNEL : {VCS{1'b1}};
                input_queues #(
                    .PORTS(PORTS), .VCS(VCS), .BANKS(BANKS), .DATA_WIDTH(DATA_WIDTH),
                    .QUEUE_FLITS(QUEUE_FLITS), .ADAPTIVE(ADAPTIVE), .CHANNELS(CHANNELS),
                    .KEEP(PLACES), .PLACES(PLACE_COUNT)
                ) queues (
                    .clk(clk), .rst(rst), .push(own_push), .pushes(pushes[i]),
                    .push_queue(push_queue[i*QUEUE_BITS +: QUEUE_BITS]), .push_last(push_last[i]),
                    .push_adaptive(push_adaptive[i]), .way(own_way),
                    .push_bad(push_bad[i]), .push_data(push_data[i*DATA_WIDTH +: DATA_WIDTH]),
                    .pop(own_pop), .waiting(own_waiting), .ready(own_ready), .ready_more(own_more),
                    .holds(own_holds), .chosen(own_chosen),
                    .claims(claims[i*BANKS*VCS +: BANKS*VCS]),
                    .left(left[i*BANKS*VCS +: BANKS*VCS]),
                    .read_word(read_word[i*BANKS*WORD_STRIDE +: BANKS*WORD_STRIDE])
                );
            end
            assign waiting[i*STRIDE + REQUESTS +: STRIDE-REQUESTS] = {STRIDE-REQUESTS{1'b0}};
            assign ready[i*STRIDE + REQUESTS +: STRIDE-REQUESTS] = {STRIDE-REQUESTS{1'b0}};
            assign ready_more[i*STRIDE + REQUESTS +: STRIDE-REQUESTS] = {STRIDE-REQUESTS{1'b0}};
            assign holds[i*STRIDE + REQUESTS +: STRIDE-REQUESTS] = {STRIDE-REQUESTS{1'b0}};
            assign way[i*STRIDE + REQUESTS +: STRIDE-REQUESTS] = {STRIDE-REQUESTS{1'b0}};
        end
        for (b = 0; b < BANKS; b = b + 1) begin : gen_accept
            localparam SLOTS = (PORTS - b + BANKS - 1) / BANKS;
            localparam FIRST = b * (PORTS / BANKS) + (b < PORTS % BANKS ? b : PORTS % BANKS);
            accept_bank #(
                .INPUTS(PORTS), .SLOTS(SLOTS), .TURNS(TURNS_BY_PLACE[FIRST*PORTS +: SLOTS*PORTS])
            ) bank (
                .clk(clk), .rst(rst), .flowing(flowing[FIRST +: SLOTS]),
                .chosen_input(chosen_input[FIRST*PORTS +: SLOTS*PORTS]),
                .accepted(accepted[FIRST +: SLOTS])
            );
        end
    endgenerate

    wire [PORTS-1:0] match_valid;
    wire [PORTS*VC_BITS-1:0] match_vc;
    wire [PORTS*PORTS-1:0] match_input;

    generate
        genvar o;
        for (o = 0; o < PORTS; o = o + 1) begin : gen_output
            localparam BANK = o % BANKS;
            localparam PLACE = BANK * (PORTS / BANKS)
                + (BANK < PORTS % BANKS ? BANK : PORTS % BANKS) + o / BANKS;
            // Requests are numbered by channel, then by input.
            localparam [PORTS-1:0] TURNING = inputs_of(o);
            localparam INPUTS = ones(TURNING);
            localparam ROOM = ADAPTIVE != 0 && o < NETWORK_PORTS ? 1 : 0;
            wire out_promises;
            wire [LEFT_BITS-1:0] out_promised;
            if (o < NETWORK_PORTS) begin : gen_commits
                assign out_promises = promises[o];
                assign out_promised = promised[o*LEFT_BITS +: LEFT_BITS];
            end else begin : gen_no_commits
                assign out_promises = 1'b0;
                assign out_promised = {LEFT_BITS{1'b0}};
            end
            if (INPUTS == 0) begin : gen_nothing
                assign {flowing[PLACE], match_valid[o], match_adaptive[o]} = 3'd0;
                assign {level[o*3 +: 3], host_level[o*3 +: 3], idle[o]} = 7'd0;
                assign match_vc[o*VC_BITS +: VC_BITS] = {VC_BITS{1'b0}};
                assign match_input[o*PORTS +: PORTS] = {PORTS{1'b0}};
                assign chosen_input[PLACE*PORTS +: PORTS] = {PORTS{1'b0}};
                assign chosen[PLACE*STRIDE +: REQUESTS] = {REQUESTS{1'b0}};
                assign pop[PLACE*STRIDE +: REQUESTS] = {REQUESTS{1'b0}};
                assign {output_events[3*PORTS + o], output_events[2*PORTS + o],
                    output_events[PORTS + o], output_events[o]} = 4'd0;
                wire unused_ok = &{1'b0, out_promises, out_promised};
            end else begin : gen_unit
                wire [INPUTS-1:0] own_step, own_input, own_match;
                wire [VCS*INPUTS-1:0] own_barred, own_waiting, own_ready, own_more;
                wire [VCS*INPUTS-1:0] own_chosen, own_pop, own_way, own_commits;

                // No packet commits to a host.
                if (ROOM != 0) begin : gen_ways
                    remove_elements #(
                        .ROWS(VCS), .ELEMENTS(PORTS), .KEEP(TURNING), .KEPT(INPUTS)
                    ) own_ways (
                        .all(request_way[PLACE*STRIDE +: REQUESTS]), .kept(own_way)
                    );
                    // Links' packets that are granted at once come on the last channel.
                    localparam [PORTS-1:0] LINKS = {PORTS{1'b1}} >> HOST_PORTS;
                    wire [PORTS-1:0] of_inputs = grants[o*PORTS +: PORTS];
                    remove_elements #(
                        .ROWS(VCS), .ELEMENTS(PORTS), .KEEP(TURNING), .KEPT(INPUTS)
                    ) own_grants (
                        .all({of_inputs & LINKS, {REQUESTS-PORTS{1'b0}}}
                            | {{REQUESTS-PORTS{1'b0}}, of_inputs & ~LINKS}),
                        .kept(own_commits)
                    );
                end else begin : gen_one_way
                    assign {own_way, own_commits} = {2*VCS*INPUTS{1'b0}};
                end

                remove_elements #(
                    .ROWS(4*VCS + 1), .ELEMENTS(PORTS), .KEEP(TURNING), .KEPT(INPUTS)
                ) own_requests (
                    .all({step_by_output[o*PORTS +: PORTS], barred[BANK*REQUESTS +: REQUESTS],
                        request_waiting[PLACE*STRIDE +: REQUESTS],
                        request_ready[PLACE*STRIDE +: REQUESTS],
                        request_more[PLACE*STRIDE +: REQUESTS]}),
                    .kept({own_step, own_barred, own_waiting, own_ready, own_more})
                );
                output_unit #(
                    .INPUTS(INPUTS), .VCS(VCS), .VC_BITS(VC_BITS),
                    .RX_BUFFER_FLITS(o < PORTS - HOST_PORTS ? RX_BUFFER_FLITS : HOST_BUFFER_FLITS),
                    .MAX_PACKET_FLITS(MAX_PACKET_FLITS), .SWITCHING_VCT(SWITCHING_VCT),
                    .STEPS(STEPS), .ADAPTIVE(ADAPTIVE), .ROOM(ROOM), .LEFT_BITS(LEFT_BITS)
                ) unit (
                    .clk(clk), .rst(rst),
                    .down(down[o]),
                    .tx_credit(tx_credit[o*VCS +: VCS]),
                    .step(own_step),
                    .waiting(own_waiting),
                    .ready(own_ready),
                    .ready_more(own_more),
                    .way(own_way), .promises(out_promises), .promised(out_promised),
                    .returned(returned[o*LEFT_BITS +: LEFT_BITS]),
                    .level(level[o*3 +: 3]), .host_level(host_level[o*3 +: 3]),
                    .idle(idle[o]), .commits(own_commits),
                    .barred(own_barred),
                    .flowing(flowing[PLACE]),
                    .chosen(own_chosen),
                    .chosen_input(own_input),
                    .accepted(accepted[PLACE]),
                    .pop(own_pop),
                    .match_valid(match_valid[o]),
                    .match_adaptive(match_adaptive[o]),
                    .match_vc(match_vc[o*VC_BITS +: VC_BITS]),
                    .match_input(own_match),
                    .events({output_events[3*PORTS + o], output_events[2*PORTS + o],
                        output_events[PORTS + o], output_events[o]})
                );
                insert_elements #(
                    .ROWS(2*VCS + 2), .ELEMENTS(PORTS), .KEEP(TURNING), .KEPT(INPUTS)
                ) choice_of_all (
                    .kept({own_chosen, own_pop, own_input, own_match}),
                    .all({chosen[PLACE*STRIDE +: REQUESTS], pop[PLACE*STRIDE +: REQUESTS],
                        chosen_input[PLACE*PORTS +: PORTS], match_input[o*PORTS +: PORTS]})
                );
            end
            assign chosen[PLACE*STRIDE + REQUESTS +: STRIDE-REQUESTS] = {STRIDE-REQUESTS{1'b0}};
            assign pop[PLACE*STRIDE + REQUESTS +: STRIDE-REQUESTS] = {STRIDE-REQUESTS{1'b0}};
        end
    endgenerate

    crossbar #(
        .INPUTS(PORTS), .OUTPUTS(PORTS), .DATA_WIDTH(DATA_WIDTH), .VC_BITS(VC_BITS), .BANKS(BANKS),
        .ADAPTIVE(ADAPTIVE), .LEFT_BITS(LEFT_BITS), .TURNS(TURNS)
    ) columns (
        .clk(clk), .rst(rst), .match_valid(match_valid), .match_adaptive(match_adaptive),
        .match_vc(match_vc), .returned(returned),
        .match_input(match_input), .read_word(read_word), .tx_valid(tx_valid), .tx_vc(tx_vc),
        .tx_last(tx_last), .tx_bad(tx_bad), .tx_data(tx_data)
    );

    // Of ports and turns that are not built.
    wire unused_ok = &{1'b0, push, request_waiting, request_ready, request_more, input_pop,
        input_chosen, tx_credit, down, step_by_output, barred, push_queue, pushes, push_last,
        push_bad, push_adaptive, request_way, level, host_level, returned, promises, promised,
        idle, grants, coming};
endmodule
