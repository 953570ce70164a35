// input_unit: one input of the switch core: route lookup, packets in progress, stage 1, virtual
// output queues, and the return of credits.
// Requests are numbered place * VCS + channel, where a place is an output in bank order (all
// outputs of bank 0, then bank 1, ...), so that every bank's queues are one slice.
// Latency: a flit on rx_* in cycle t is available for allocation in cycle t + 1 (+1 with
// REGISTER_ROUTE). Reset: synchronous, active high. Limits: as switch_core.
<$ banner $>
`default_nettype none

module input_unit #(
    parameter PORTS = 10,
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter VC_BITS = 1,
    parameter RX_BUFFER_FLITS = 12,
    parameter QUEUE_FLITS = 32,
    parameter BANKS = 2,
    parameter REGISTER_ROUTE = 0,
    parameter REGISTER_READ = 0,
    parameter REGISTERED_ARBITRATION = 0,
    parameter LAYERS = 1,
    parameter TABLES = 1,
    parameter TABLE0_LSB = 0,
    parameter TABLE0_BITS = 3,
    parameter [16*(LAYERS<<TABLE0_BITS)-1:0] TABLE0_INIT = 0,
    parameter TABLE1_LSB = 0,
    parameter TABLE1_BITS = 0,
    parameter [16*(LAYERS<<TABLE1_BITS)-1:0] TABLE1_INIT = 0,
    parameter TABLE2_LSB = 0,
    parameter TABLE2_BITS = 0,
    parameter [16*(LAYERS<<TABLE2_BITS)-1:0] TABLE2_INIT = 0,
    parameter TABLE3_LSB = 0,
    parameter TABLE3_BITS = 0,
    parameter [16*(LAYERS<<TABLE3_BITS)-1:0] TABLE3_INIT = 0,
    parameter TABLE4_LSB = 0,
    parameter TABLE4_BITS = 0,
    parameter [16*(LAYERS<<TABLE4_BITS)-1:0] TABLE4_INIT = 0
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire [PORTS-1:0]            own_port,    // one-hot, constant
    input  wire [PORTS-1:0]            link_up,
    input  wire                        rx_valid,
    input  wire [VC_BITS-1:0]          rx_vc,
    input  wire                        rx_last,
    input  wire                        rx_bad,
    input  wire [DATA_WIDTH-1:0]       rx_data,
    output reg  [VCS-1:0]              rx_credit,
    input  wire                        table_write,
    input  wire [2:0]                  table_select,
    input  wire [11:0]                 table_index,
    input  wire [15:0]                 table_entry,
    output wire [PORTS*VCS-1:0]        available,   // a flit can be popped
    output wire [PORTS*VCS-1:0]        ready,       // with REGISTERED_ARBITRATION (queue bank)
    output wire [PORTS*VCS-1:0]        last,        // and it is the last one of its packet
    output wire [PORTS*VCS-1:0]        held,        // if it is a header, it has to wait
    input  wire [PORTS*VCS-1:0]        pop,         // at most one in every bank's slice
    output wire [BANKS*(DATA_WIDTH+32)-1:0] read_word,  // of every bank: {0, bad, last, data}
    output wire [4:0]                  events,      // link down, U-turn, no route, packet, flit
    output wire [63:0]                 header       // of the packet dropped in this cycle
);
    localparam REQUESTS = PORTS * VCS;
    localparam OWED_BITS = $clog2(RX_BUFFER_FLITS + 1);
    localparam [VCS-1:0] FIRST_CHANNEL = 1;

    // The flit to look up.
    wire flit_valid;
    wire [VC_BITS-1:0] flit_vc;
    wire flit_last;
    wire flit_bad;
    wire [DATA_WIDTH-1:0] flit_data;

    generate
        if (REGISTER_ROUTE != 0) begin : gen_register_route
            reg stage0_valid;
            reg [VC_BITS-1:0] stage0_vc;
            reg stage0_last;
            reg stage0_bad;
            reg [DATA_WIDTH-1:0] stage0_data;
            always @(posedge clk) begin
                stage0_valid <= rx_valid & ~rst;
                stage0_vc <= rx_vc;
                stage0_last <= rx_last;
                stage0_bad <= rx_bad;
                stage0_data <= rx_data;
            end
            assign flit_valid = stage0_valid;
            assign flit_vc = stage0_vc;
            assign flit_last = stage0_last;
            assign flit_bad = stage0_bad;
            assign flit_data = stage0_data;
        end else begin : gen_direct_route
            assign flit_valid = rx_valid;
            assign flit_vc = rx_vc;
            assign flit_last = rx_last;
            assign flit_bad = rx_bad;
            assign flit_data = rx_data;
        end
    endgenerate

    // Packets in progress, one bit a (place, channel): at most one place for every channel.
    reg [REQUESTS-1:0] open_to;
    reg [VCS-1:0] open_dropping;
    reg [REQUESTS-1:0] closing_to;      // cut by the link, still to be closed

    // Stage 1. A made-up tail is pushed, but it is no flit of the sender's.
    reg [REQUESTS-1:0] enter;
    reg enter_last;
    reg [REQUESTS-1:0] push;
    reg stage1_flit;
    reg stage1_packet;                  // and it is its packet's last
    reg [VCS-1:0] stage1_channel;
    reg stage1_last;
    reg stage1_bad;
    reg [DATA_WIDTH-1:0] stage1_data;

    wire [REQUESTS-1:0] crowded;        // queue may not take more than the credits that are out
    wire [PORTS-1:0] route;
    wire [2:0] drop;

    wire up = |(link_up & own_port);
    reg taken;
    reg is_header;
    reg is_closing;                     // the packet before is still to be closed
    reg [VCS-1:0] channel;

    always @* begin
        taken = 1'b0;
        is_header = 1'b0;
        is_closing = 1'b0;
        channel = {VCS{1'b0}};
        if (flit_valid) begin
            channel = VCS > 1 ? FIRST_CHANNEL << flit_vc : FIRST_CHANNEL;
            taken = up;
            is_header = up & ~|(open_to & {PORTS{channel}}) & ~|(open_dropping & channel);
            is_closing = |(closing_to & {PORTS{channel}});
        end
    end

    route_lookup #(
        .PORTS(PORTS),
        .BANKS(BANKS),
        .LAYERS(LAYERS),
        .TABLES(TABLES),
        .TABLE0_LSB(TABLE0_LSB), .TABLE0_BITS(TABLE0_BITS), .TABLE0_INIT(TABLE0_INIT),
        .TABLE1_LSB(TABLE1_LSB), .TABLE1_BITS(TABLE1_BITS), .TABLE1_INIT(TABLE1_INIT),
        .TABLE2_LSB(TABLE2_LSB), .TABLE2_BITS(TABLE2_BITS), .TABLE2_INIT(TABLE2_INIT),
        .TABLE3_LSB(TABLE3_LSB), .TABLE3_BITS(TABLE3_BITS), .TABLE3_INIT(TABLE3_INIT),
        .TABLE4_LSB(TABLE4_LSB), .TABLE4_BITS(TABLE4_BITS), .TABLE4_INIT(TABLE4_INIT)
    ) lookup (
        .clk(clk),
        .table_write(table_write),
        .table_select(table_select),
        .table_index(table_index),
        .table_entry(table_entry),
        .header(is_header),
        .closing(is_closing),
        .destination(flit_data[19:0]),
        .layer(flit_data[55:53]),
        .own_port(own_port),
        .link_up(link_up),
        .to(route),
        .drop(drop)
    );

    assign header = flit_data[63:0];
    assign events = {drop, stage1_packet, stage1_flit};

    // The queue that the arriving packet goes to may start no packet while another queue of the
    // channel withholds the credits which the rest of that packet needs.
    reg [REQUESTS-1:0] hold;
    integer holding;

    always @* begin
        hold = {REQUESTS{1'b0}};
        holding = 0;
        if (|crowded)
            for (holding = 0; holding < VCS; holding = holding + 1)
                if (|(crowded & ~open_to & {PORTS{FIRST_CHANNEL << holding}}))
                    hold = hold | (open_to & {PORTS{FIRST_CHANNEL << holding}});
    end

    generate
        if (REGISTERED_ARBITRATION != 0) begin : gen_registered_hold
            reg [REQUESTS-1:0] hold_before;
            always @(posedge clk)
                hold_before <= hold & {REQUESTS{~rst}};
            assign held = hold_before;
            wire unused_ok = &{1'b0, enter_last};
        end else begin : gen_direct_hold
            assign held = hold;
        end
    endgenerate

    // The queue that a flit enters in this cycle; its words follow one cycle later (`push`).
    always @* begin : choose
        reg [REQUESTS-1:0] header_to;
        integer place;
        integer waiting;

        header_to = {REQUESTS{1'b0}};
        enter = {REQUESTS{1'b0}};
        enter_last = 1'b0;
        place = 0;
        waiting = 0;
        if (taken) begin
            if (is_header)
                for (place = 0; place < PORTS; place = place + 1)
                    header_to[place*VCS +: VCS] = channel & {VCS{route[place]}};
            enter = header_to | (open_to & {PORTS{channel}});
            enter_last = flit_last;
        end else if (|closing_to) begin
            // A made-up tail for the lowest channel that waits for one and whose queue has room.
            enter_last = 1'b1;
            for (waiting = VCS - 1; waiting >= 0; waiting = waiting - 1)
                if (|(closing_to & ~crowded & {PORTS{FIRST_CHANNEL << waiting}}))
                    enter = closing_to & {PORTS{FIRST_CHANNEL << waiting}};
        end
    end

    always @(posedge clk)
        if (rst) begin
            push <= {REQUESTS{1'b0}};
            stage1_flit <= 1'b0;
            stage1_packet <= 1'b0;
            open_to <= {REQUESTS{1'b0}};
            open_dropping <= {VCS{1'b0}};
            closing_to <= {REQUESTS{1'b0}};
        end else begin
            if (taken) begin
                push <= enter;
                stage1_flit <= 1'b1;
                stage1_packet <= flit_last;
                stage1_channel <= channel;
                stage1_last <= flit_last;
                stage1_bad <= flit_bad;
                stage1_data <= flit_data;
                if (flit_last) begin
                    open_to <= open_to & ~{PORTS{channel}};
                    open_dropping <= open_dropping & ~channel;
                end else if (is_header) begin
                    open_to <= open_to | enter;
                    if (~|enter)
                        open_dropping <= open_dropping | channel;
                end
            end else begin
                push <= {REQUESTS{1'b0}};
                stage1_flit <= 1'b0;
                stage1_packet <= 1'b0;
                if (|closing_to) begin
                    push <= enter;
                    stage1_last <= 1'b1;
                    stage1_bad <= 1'b1;
                    stage1_data <= {DATA_WIDTH{1'b0}};
                    closing_to <= closing_to & ~enter;
                end
                if (~up) begin
                    open_to <= {REQUESTS{1'b0}};
                    open_dropping <= {VCS{1'b0}};
                    closing_to <= (closing_to & ~enter) | open_to;
                end
            end
        end

    // Credits: a flit is owed from the moment it is past the lookup, and given back when every
    // queue of its channel has room for all the flits that the sender may still send.
    reg [VCS*OWED_BITS-1:0] owed;
    reg [VCS-1:0] owing;                // owed is not 0

    always @(posedge clk) begin : credits
        reg [VCS*OWED_BITS-1:0] next_owed;
        reg [VCS-1:0] next_owing;
        reg [VCS-1:0] give_back;
        reg [VCS-1:0] lost;             // a flit from a link that is down
        integer counter;

        if (rst) begin
            owed <= {VCS*OWED_BITS{1'b0}};
            owing <= {VCS{1'b0}};
            rx_credit <= {VCS{1'b0}};
        end else if (stage1_flit | flit_valid | |owing) begin
            lost = channel & {VCS{~taken}};
            for (counter = 0; counter < VCS; counter = counter + 1) begin
                give_back[counter] = owing[counter]
                    & ~|(crowded & {PORTS{FIRST_CHANNEL << counter}});
                next_owed[counter*OWED_BITS +: OWED_BITS] = owed[counter*OWED_BITS +: OWED_BITS]
                    + {{OWED_BITS-1{1'b0}}, stage1_flit & stage1_channel[counter]}
                    + {{OWED_BITS-1{1'b0}}, lost[counter]}
                    - {{OWED_BITS-1{1'b0}}, give_back[counter]};
                next_owing[counter] = |next_owed[counter*OWED_BITS +: OWED_BITS];
            end
            owed <= next_owed;
            owing <= next_owing;
            rx_credit <= give_back;
        end else if (|rx_credit)
            rx_credit <= {VCS{1'b0}};
    end

    generate
        genvar bank;
        for (bank = 0; bank < BANKS; bank = bank + 1) begin : gen_bank
            localparam SLOTS = (PORTS - bank + BANKS - 1) / BANKS;
            localparam FIRST = bank * (PORTS / BANKS)
                + (bank < PORTS % BANKS ? bank : PORTS % BANKS);
            if (REGISTERED_ARBITRATION != 0) begin : gen_registered
                registered_queue_bank #(
                    .SLOTS(SLOTS),
                    .VCS(VCS),
                    .DATA_WIDTH(DATA_WIDTH),
                    .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
                    .QUEUE_FLITS(QUEUE_FLITS),
                    .REGISTER_READ(REGISTER_READ)
                ) queues (
                    .clk(clk),
                    .rst(rst),
                    .push(push[FIRST*VCS +: SLOTS*VCS]),
                    .push_last(stage1_last),
                    .push_bad(stage1_bad),
                    .push_data(stage1_data),
                    .pop(pop[FIRST*VCS +: SLOTS*VCS]),
                    .available(available[FIRST*VCS +: SLOTS*VCS]),
                    .ready(ready[FIRST*VCS +: SLOTS*VCS]),
                    .ready_last(last[FIRST*VCS +: SLOTS*VCS]),
                    .crowded(crowded[FIRST*VCS +: SLOTS*VCS]),
                    .read_word(read_word[bank*(DATA_WIDTH+32) +: DATA_WIDTH+32])
                );
            end else begin : gen_direct
                queue_bank #(
                    .SLOTS(SLOTS),
                    .VCS(VCS),
                    .DATA_WIDTH(DATA_WIDTH),
                    .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
                    .QUEUE_FLITS(QUEUE_FLITS),
                    .REGISTER_READ(REGISTER_READ)
                ) queues (
                    .clk(clk),
                    .rst(rst),
                    .enter(enter[FIRST*VCS +: SLOTS*VCS]),
                    .enter_last(enter_last),
                    .push(push[FIRST*VCS +: SLOTS*VCS]),
                    .push_last(stage1_last),
                    .push_bad(stage1_bad),
                    .push_data(stage1_data),
                    .pop(pop[FIRST*VCS +: SLOTS*VCS]),
                    .available(available[FIRST*VCS +: SLOTS*VCS]),
                    .last(last[FIRST*VCS +: SLOTS*VCS]),
                    .crowded(crowded[FIRST*VCS +: SLOTS*VCS]),
                    .read_word(read_word[bank*(DATA_WIDTH+32) +: DATA_WIDTH+32])
                );
                assign ready[FIRST*VCS +: SLOTS*VCS] = {SLOTS*VCS{1'b0}};
            end
        end
    endgenerate

`ifdef MKNS_ASSERT
    integer index;
    always @(posedge clk)
        if (!rst)
            for (index = 0; index < VCS; index = index + 1)
                if (owed[index*OWED_BITS +: OWED_BITS] > RX_BUFFER_FLITS) begin
                    $display("mkns_assert %m: owes more credits than it gave, channel %0d", index);
                    $stop;
                end
`endif
endmodule

`default_nettype wire
