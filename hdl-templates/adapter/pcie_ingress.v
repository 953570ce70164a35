// pcie_ingress: packets from one PCIe-side host into the network (docs/microarchitecture.md 3.1).
//
// Stores a packet until its last beat has come, so that a faulty one never enters the network:
// beats are checked as they arrive, a faulty packet is dropped whole and counted by its first
// cause. Stored packets leave flit by flit while the switch core has credits for them; the header
// gets its source address and CRC on the way. With more than one host channel every packet is on
// the one that its source and destination say, and waits for the credits of that one alone.
// With PATHS path_choice stands before it, says that channel and hands over, a cycle later, every
// beat that the host was told would be taken.
//
// Latency: the beat that completes a packet in cycle t puts the packet's header on the flit pins in
// cycle t + 3 (empty buffer). Throughput: one beat and one flit per cycle.
// Reset: synchronous, active high; clears everything but the memory.
// Limits: DATA_WIDTH 64, 128, 256, 512; RX_BUFFER_FLITS 4..256; MAX_PACKET_FLITS 1..1024;
// LAYERS 1..8; FIELDS 1..8, every field within bits 19:0; HOST_CHANNELS 1, 2 or 4.
<$ banner $>

module pcie_ingress #(
    parameter DATA_WIDTH = 64, // bits of a beat and of a flit
    parameter RX_BUFFER_FLITS = 12, // credits per host channel after reset
    parameter HOST_CHANNELS = 1,  // channels of the core's input that packets start on
    parameter HOST_CHANNEL_BITS = HOST_CHANNELS > 2 ? 2 : 1, // do not override
    parameter MAX_PACKET_FLITS = 33, // longest packet with its header
    parameter LAYERS = 1,  // legal values of the layer field
    parameter PCIE_PORT = 0,  // own number, stamped into field 0 of the source
    parameter ADDRESS_TRAIN = 0,  // 1: source as given, CRC without the destination
    parameter PATHS = 0,  // 1: behind path_choice
    parameter ADAPTIVE = 0,  // 1: packets may be unordered; a header may have to wait
    // layout of an address; field 0 is the PCIe port
    parameter FIELDS = 1,
    parameter [39:0] FIELD_LSBS = 40'd0, // field 0 in the low bits, 5 bits each
    parameter [39:0] FIELD_BITS = 40'd0, // 5 bits each
    parameter [167:0] FIELD_SIZES = 168'd1 // 21 bits each
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [19:0]             node_address,
    // from the host, by way of ingress_width
    input  wire [DATA_WIDTH-1:0]   s_axis_tdata,
    input  wire [DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  wire                    s_axis_tvalid,
    input  wire                    s_axis_tlast,
    input  wire                    s_axis_tuser,
    output reg                     s_axis_tready,
    // with PATHS, of a header: no layer leads to its destination; the host channel of its packet
    input  wire                    unreachable,
    input  wire [HOST_CHANNEL_BITS-1:0] given_channel,
    // to the switch core
    input  wire                    hold, // with ADAPTIVE: what is on the pins stays there
    output reg                     flit_valid,
    output wire [HOST_CHANNEL_BITS-1:0] flit_channel,
    output reg                     flit_last,
    output reg  [DATA_WIDTH-1:0]   flit_data,
    input  wire [HOST_CHANNELS-1:0] credit,
    // this cycle's events: 0 packet in, 1 keep, 2 reserved, 3 layer, 4 destination, 5 over length,
    // 6 too short, 7 too long, 8 aborted
    output wire [8:0]              events
);
    localparam BYTES = DATA_WIDTH / 8;
    localparam BYTES_LOG = $clog2(BYTES);
    localparam MAX_BYTES = (MAX_PACKET_FLITS - 1) * BYTES; // payload of a packet
    localparam BEAT_BITS = $clog2(MAX_PACKET_FLITS + 2); // bits of a number of beats
    localparam POINTER_BITS = $clog2(2 * MAX_PACKET_FLITS);
    localparam CREDIT_BITS = $clog2(RX_BUFFER_FLITS + 1);

    // Of the memory: the host channel stands above the rest if there is a choice.
    localparam WORD_BITS = DATA_WIDTH + 1 + (HOST_CHANNELS > 1 ? HOST_CHANNEL_BITS : 0);

    localparam [CREDIT_BITS-1:0] CREDITS = RX_BUFFER_FLITS[CREDIT_BITS-1:0];
    localparam [CREDIT_BITS-1:0] ONE_CREDIT = 1;
    localparam [POINTER_BITS:0] ONE_FLIT = 1;
    localparam [BEAT_BITS-1:0] ONE_BEAT = 1;
    localparam [BYTES-1:0] ALL_BYTES = {BYTES{1'b1}};
    localparam [3:0]             LAYER_COUNT = LAYERS[3:0];
    localparam [1:0] UNORDERED = ADAPTIVE != 0 ? 2'd1 : 2'd0; // bits 57:56 that may be 1

    // Address bits of a field, and of all fields.
    function [31:0] field_mask(input integer field);
        field_mask = ((32'd1 << FIELD_BITS[field*5 +: 5]) - 32'd1) << FIELD_LSBS[field*5 +: 5];
    endfunction

    function [31:0] all_fields(input integer fields);
        integer field;
        begin
            all_fields = 32'd0;
            for (field = 0; field < fields; field = field + 1)
                all_fields = all_fields | field_mask(field);
        end
    endfunction

    localparam [31:0] ALL_FIELDS = all_fields(FIELDS);

    // Source address: the block's own, with the number of this PCIe port in field 0.
    localparam [31:0] STAMP_BITS = ADDRESS_TRAIN != 0 ? 32'd0 : field_mask(0);
    localparam [31:0] STAMP = (PCIE_PORT << FIELD_LSBS[4:0]) & STAMP_BITS;

    // Faults, in the order in which they are counted.
    localparam KEEP = 0;
    localparam RESERVED = 1;
    localparam LAYER = 2;
    localparam DESTINATION = 3;
    localparam OVER_LENGTH = 4;
    localparam TOO_SHORT = 5;
    localparam TOO_LONG = 6;
    localparam ABORTED = 7;

    generate
        if (MAX_PACKET_FLITS < 1 || MAX_PACKET_FLITS > 1024) begin : gen_check_max_packet_flits
            illegal_parameter_MAX_PACKET_FLITS_must_be_1_to_1024 stop ();
        end
        if (FIELDS < 1 || FIELDS > 8) begin : gen_check_fields
            illegal_parameter_FIELDS_must_be_1_to_8 stop ();
        end
        if (ALL_FIELDS > 32'h000F_FFFF) begin : gen_check_layout
            illegal_parameter_FIELDn_must_lie_within_20_bits stop ();
        end
        if (HOST_CHANNELS != 1 && HOST_CHANNELS != 2 && HOST_CHANNELS != 4)
        begin : gen_check_host_channels
            illegal_parameter_HOST_CHANNELS_must_be_1_2_or_4 stop ();
        end
        if (PCIE_PORT >= FIELD_SIZES[20:0]) begin : gen_check_pcie_port
            illegal_parameter_PCIE_PORT_must_be_below_FIELD0_SIZE stop ();
        end
    endgenerate

    // ---- checks of the arriving beat ------------------------------------------------------------

    wire take = s_axis_tvalid && (PATHS != 0 || s_axis_tready);

    wire [31:0] length     = {19'd0, s_axis_tdata[52:40]};
    wire [31:0] full_beats = length >> BYTES_LOG;
    wire        unused_full_beats = &{1'b0, full_beats};

    wire [31:0] destination = {12'd0, s_axis_tdata[19:0]};
    reg         wrong_destination;
    integer     field;
    always @* begin
        wrong_destination = (destination & ~ALL_FIELDS) != 32'd0;
        for (field = 0; field < FIELDS; field = field + 1)
            if ((destination & field_mask(field)) >> FIELD_LSBS[field*5 +: 5]
                >= {11'd0, FIELD_SIZES[field*21 +: 21]})
                wrong_destination = 1'b1;
    end

    wire keep_is_full = &s_axis_tkeep;

    reg                 in_payload;  // the header has been taken
    reg [BEAT_BITS-1:0] full_left;   // payload beats of all bytes that must still come
    reg [BYTES-1:0]     tail_keep;   // tkeep that the last payload beat must have
    reg [7:0]           first_fault; // of the packet in progress, one-hot; 0: none so far
    reg [7:0]           fault;       // the same with this beat

    wire last_is_due = full_left == {{(BEAT_BITS - 1){1'b0}}, tail_keep[BYTES-1]};

    always @* begin : check
        reg has_payload, keep_has_hole;

        fault = first_fault;
        has_payload = 1'b0;
        keep_has_hole = 1'b0;
        if (s_axis_tvalid && first_fault == 8'd0) begin
            has_payload = length != 32'd0;
            keep_has_hole = |(s_axis_tkeep[BYTES-1:1] & ~s_axis_tkeep[BYTES-2:0]);
            if (!in_payload) begin
                if (!(&s_axis_tkeep[7:0]) || keep_has_hole || (!s_axis_tlast && !keep_is_full))
                    fault[KEEP] = 1'b1;
                else if (ADAPTIVE != 0 ? s_axis_tdata[57] : s_axis_tdata[57:56] != 2'd0)
                    fault[RESERVED] = 1'b1;
                else if (PATHS == 0 && {1'b0, s_axis_tdata[55:53]} >= LAYER_COUNT)
                    fault[LAYER] = 1'b1;
                else if (wrong_destination)
                    fault[DESTINATION] = 1'b1;
                else if (PATHS != 0 && unreachable)
                    fault[LAYER] = 1'b1;
                else if (length > MAX_BYTES)
                    fault[OVER_LENGTH] = 1'b1;
                else if (s_axis_tlast && has_payload)
                    fault[TOO_SHORT] = 1'b1;
                else if (!s_axis_tlast && !has_payload)
                    fault[TOO_LONG] = 1'b1;
                else if (s_axis_tlast && s_axis_tuser)
                    fault[ABORTED] = 1'b1;
            end else if (!s_axis_tlast) begin
                if (!keep_is_full)
                    fault[KEEP] = 1'b1;
                else if (last_is_due)
                    fault[TOO_LONG] = 1'b1;
            end else begin
                if (!s_axis_tkeep[0] || keep_has_hole)
                    fault[KEEP] = 1'b1;
                else if (last_is_due && (s_axis_tkeep & ~tail_keep) != {BYTES{1'b0}})
                    fault[TOO_LONG] = 1'b1;
                else if (!last_is_due || s_axis_tkeep != tail_keep)
                    fault[TOO_SHORT] = 1'b1;
                else if (s_axis_tuser)
                    fault[ABORTED] = 1'b1;
            end
        end
    end

    wire good = fault == 8'd0;

    assign events = {
        (take && s_axis_tlast) ? fault : 8'd0,
        take && s_axis_tlast && good
    };

    // ---- buffer ---------------------------------------------------------------------------------
    // Pointers have one bit more than an address, so that full and empty differ.

    // {host channel, last, beat}; what is read was committed, so it is not written in this cycle.
    (* no_rw_check *) reg [WORD_BITS-1:0] memory [0:(1 << POINTER_BITS) - 1];
    reg [WORD_BITS-1:0]   stored;       // memory output
    reg                   stored_valid;
    reg [POINTER_BITS:0]  write_pointer, commit_pointer, read_pointer;
    reg [HOST_CHANNELS*CREDIT_BITS-1:0] credits;

    wire [WORD_BITS-1:0]     word; // that is stored
    wire [HOST_CHANNELS-1:0] has_credit;
    wire [HOST_CHANNELS-1:0] stored_channel; // one-hot

    wire write = take && good;
    wire leave;
    wire issue = read_pointer != commit_pointer && (!stored_valid || leave);

    // A beat of a faulty packet may be stored too: it lies beyond the write pointer, in free space.
    always @(posedge clk) begin
        if (take)
            memory[write_pointer[POINTER_BITS-1:0]] <= word;
        if (issue)
            stored <= memory[read_pointer[POINTER_BITS-1:0]];
    end

    wire [19:0] source = (node_address & ~STAMP_BITS[19:0]) | STAMP[19:0];

    // ---- host channel ---------------------------------------------------------------------------

    generate
        genvar channel;
        for (channel = 0; channel < HOST_CHANNELS; channel = channel + 1) begin : gen_has_credit
            assign has_credit[channel] = credits[channel*CREDIT_BITS +: CREDIT_BITS]
                != {CREDIT_BITS{1'b0}};
        end
        if (ADAPTIVE != 0) begin : gen_holding
            assign leave = stored_valid && |(stored_channel & has_credit) && !hold;
        end else begin : gen_leaving
            assign leave = stored_valid && |(stored_channel & has_credit);
        end
        if (HOST_CHANNELS == 1) begin : gen_one_channel
            assign word           = {s_axis_tlast, s_axis_tdata};
            assign stored_channel = 1'b1;
            assign flit_channel   = 1'b0;
        end else begin : gen_spread
            // All digits of two bits of the source, and of the destination with their bits swapped.
            wire [HOST_CHANNEL_BITS-1:0] own;
            if (PATHS != 0) begin : gen_given
                assign own = given_channel;
            end else begin : gen_own
                assign own[0] = ^{source & 20'h55555, s_axis_tdata[19:0] & 20'hAAAAA};
                if (HOST_CHANNELS > 2) begin : gen_high_bit
                    assign own[1] = ^{source & 20'hAAAAA, s_axis_tdata[19:0] & 20'h55555};
                end
            end
            reg  [HOST_CHANNEL_BITS-1:0] packet_channel; // of the packet that is written
            reg  [HOST_CHANNEL_BITS-1:0] sent_channel;
            wire [HOST_CHANNEL_BITS-1:0] written = in_payload ? packet_channel : own;
            wire [HOST_CHANNEL_BITS-1:0] read = stored[WORD_BITS-1:DATA_WIDTH+1];

            assign word           = {written, s_axis_tlast, s_axis_tdata};
            assign stored_channel = {{(HOST_CHANNELS - 1){1'b0}}, 1'b1} << read;
            assign flit_channel   = sent_channel;

            always @(posedge clk) begin
                if (rst) begin
                    packet_channel <= {HOST_CHANNEL_BITS{1'b0}};
                    sent_channel   <= {HOST_CHANNEL_BITS{1'b0}};
                end else begin
                    if (take && !in_payload)
                        packet_channel <= written;
                    if (leave)
                        sent_channel <= read;
                end
            end
        end
    endgenerate

    wire unused_given = &{1'b0, unreachable, given_channel, hold};

    // What path_choice holds is taken whatever comes, so it has a place of its own.
    wire [POINTER_BITS:0] next_write = write ? write_pointer + ONE_FLIT
        : (take && s_axis_tlast) ? commit_pointer : write_pointer;
    wire [POINTER_BITS:0] next_read = read_pointer + {{POINTER_BITS{1'b0}}, issue};
    wire [POINTER_BITS:0] will_occupy = next_write - next_read;
    wire has_two_places = !will_occupy[POINTER_BITS] && !(&will_occupy[POINTER_BITS-1:0]);

    // ---- completion of the header ---------------------------------------------------------------

    reg  stored_is_header;
    wire stored_last = stored[DATA_WIDTH];

    // Bits that may be 1 in a header that was accepted: layer, length, source, destination.
    localparam [2:0] LAYER_BITS = (3'd1 << $clog2(LAYERS)) - 3'd1;
    localparam [31:0] LENGTH_BITS = (32'd1 << $clog2(MAX_BYTES + 1)) - 32'd1;
    localparam [57:0] USED_BITS = {
        UNORDERED, LAYER_BITS, LENGTH_BITS[12:0], 20'hFFFFF, ALL_FIELDS[19:0]
    };

    // Undefined without a flit, so that simulators need not put it together.
    wire [57:0] checked = stored_valid
        ? {stored[57:40], source, stored[19:0]} & USED_BITS : 58'dx;
    wire [5:0]  crc;

    header_crc #(.ADDRESS_TRAIN(ADDRESS_TRAIN)) header_crc (
        .header(checked), .crc(crc)
    );

    reg [DATA_WIDTH-1:0] header;
    always @* begin
        header = {DATA_WIDTH{1'b0}};
        header[63:0] = {crc, checked};
    end

    // ---- all registers --------------------------------------------------------------------------
    // One block with a guard for each event, so that simulators pass a port without work quickly.

    always @(posedge clk) begin : move
        reg [POINTER_BITS:0] occupied;
        integer number;

        occupied = {(POINTER_BITS + 1){1'b0}};
        number = 0;
        if (rst) begin
            in_payload       <= 1'b0;
            first_fault      <= 8'd0;
            full_left        <= {BEAT_BITS{1'b0}};
            tail_keep        <= ALL_BYTES;
            s_axis_tready    <= 1'b0;
            write_pointer    <= {(POINTER_BITS + 1){1'b0}};
            commit_pointer   <= {(POINTER_BITS + 1){1'b0}};
            read_pointer     <= {(POINTER_BITS + 1){1'b0}};
            credits          <= {HOST_CHANNELS{CREDITS}};
            stored_valid     <= 1'b0;
            stored_is_header <= 1'b1;
            flit_valid       <= 1'b0;
            flit_last        <= 1'b0;
            flit_data        <= {DATA_WIDTH{1'b0}};
        end else begin
            // A packet that is dropped only makes room, and a beat is taken only while there is
            // room: the write pointer's return needs no look here.
            if (PATHS != 0) begin
                s_axis_tready <= has_two_places;
            end else if (take || issue || !s_axis_tready) begin
                occupied = write_pointer - read_pointer;
                s_axis_tready <= issue || !(occupied[POINTER_BITS]
                    || (write && (&occupied[POINTER_BITS-1:0])));
            end
            if (take) begin
                in_payload  <= !s_axis_tlast;
                first_fault <= s_axis_tlast ? 8'd0 : fault;
                if (in_payload) begin
                    full_left <= full_left - ONE_BEAT;
                end else begin
                    full_left <= full_beats[BEAT_BITS-1:0];
                    tail_keep  <= (length[BYTES_LOG-1:0] == {BYTES_LOG{1'b0}})
                        ? ALL_BYTES : ~(ALL_BYTES << length[BYTES_LOG-1:0]);
                end
                if (good)
                    write_pointer <= write_pointer + ONE_FLIT;
                else if (s_axis_tlast)
                    write_pointer <= commit_pointer;
                if (good && s_axis_tlast)
                    commit_pointer <= write_pointer + ONE_FLIT;
            end
            if (issue)
                read_pointer <= read_pointer + ONE_FLIT;
            for (number = 0; number < HOST_CHANNELS; number = number + 1) begin
                if ((leave && stored_channel[number]) != credit[number])
                    credits[number*CREDIT_BITS +: CREDIT_BITS] <= credit[number]
                        ? credits[number*CREDIT_BITS +: CREDIT_BITS] + ONE_CREDIT
                        : credits[number*CREDIT_BITS +: CREDIT_BITS] - ONE_CREDIT;
            end
            if (issue != leave)
                stored_valid <= issue;
            flit_valid <= leave;
            if (ADAPTIVE != 0 && hold)
                flit_valid <= flit_valid;
            if (leave) begin
                stored_is_header <= stored_last;
                flit_last        <= stored_last;
                flit_data        <= stored_is_header ? header : stored[DATA_WIDTH-1:0];
            end
        end
    end
endmodule
