// input_units: what stands before the virtual output queues at all inputs of the switch core: route
// lookup, packets in progress, stage 1, and the return of credits.
// Requests of an input are numbered place * VCS + channel, where a place is an output in bank order
// (all outputs of bank 0, then bank 1, ...), so that every bank's queues are one slice; they stand
// in a row of STRIDE bits. The state of all inputs is kept side by side, and only inputs that have
// something to do are looked at.
// Latency: a flit on rx_* in cycle t is pushed in cycle t + 1 (+1 with REGISTER_ROUTE).
// Reset: synchronous, active high. Limits: as switch_core.
<$ banner $>
`default_nettype none

module input_units #(
    parameter PORTS = 10,
    parameter STRIDE = 32,
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter VC_BITS = 1,
    parameter RX_BUFFER_FLITS = 12,
    parameter BANKS = 2,
    parameter REGISTER_ROUTE = 0,
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
    input  wire [PORTS-1:0]            link_up,
    input  wire [PORTS-1:0]            rx_valid,
    input  wire [PORTS*VC_BITS-1:0]    rx_vc,
    input  wire [PORTS-1:0]            rx_last,
    input  wire [PORTS-1:0]            rx_bad,
    input  wire [PORTS*DATA_WIDTH-1:0] rx_data,
    output reg  [PORTS*VCS-1:0]        rx_credit,
    input  wire                        table_write,
    input  wire [2:0]                  table_select,
    input  wire [11:0]                 table_index,
    input  wire [15:0]                 table_entry,
    // Queues: a row of requests an input, one-hot or 0; `enter` is `push` of the next cycle.
    output wire [PORTS-1:0]            entering,    // 0 where `enter` is 0
    output reg  [PORTS*STRIDE-1:0]     enter,
    output reg  [PORTS-1:0]            enter_last,
    output reg  [PORTS-1:0]            pushing,     // 0 where `push` is 0
    output reg  [PORTS*STRIDE-1:0]     push,
    output reg  [PORTS-1:0]            push_last,
    output reg  [PORTS-1:0]            push_bad,
    output reg  [PORTS*DATA_WIDTH-1:0] push_data,
    input  wire [PORTS*STRIDE-1:0]     crowded,     // may not take more than the credits out
    output wire [PORTS*STRIDE-1:0]     held,        // if it is a header, it has to wait
    output wire [PORTS*5-1:0]          events,      // link down, U-turn, no route, packet, flit
    output reg  [4:0]                  drop_port,   // lowest input that drops a header
    output reg  [63:0]                 drop_header
);
    localparam REQUESTS = PORTS * VCS;
    localparam OWED_BITS = $clog2(RX_BUFFER_FLITS + 1);
    localparam [VCS-1:0] FIRST_CHANNEL = 1;

    // The flits to look up.
    wire [PORTS-1:0] flit_valid;
    wire [PORTS*VC_BITS-1:0] flit_vc;
    wire [PORTS-1:0] flit_last;
    wire [PORTS-1:0] flit_bad;
    wire [PORTS*DATA_WIDTH-1:0] flit_data;

    generate
        if (REGISTER_ROUTE != 0) begin : gen_register_route
            reg [PORTS-1:0] stage0_valid;
            reg [PORTS*VC_BITS-1:0] stage0_vc;
            reg [PORTS-1:0] stage0_last;
            reg [PORTS-1:0] stage0_bad;
            reg [PORTS*DATA_WIDTH-1:0] stage0_data;
            always @(posedge clk) begin
                stage0_valid <= rx_valid & ~{PORTS{rst}};
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

    // Packets in progress. `to` is where a packet that is open or to be closed goes: one bit a
    // (place, channel), at most one for every channel. The other three are one bit a channel.
    reg [PORTS*STRIDE-1:0] to;
    reg [PORTS*VCS-1:0] opened;             // a packet is in progress and goes to a queue
    reg [PORTS*VCS-1:0] dropping;           // a packet is in progress and is dropped
    reg [PORTS*VCS-1:0] closing;            // a packet was cut by the link, to be closed

    // Stage 1 is `push`. A made-up tail is pushed, but it is no flit of the sender's.
    reg [PORTS-1:0] stage1_flit;
    reg [PORTS-1:0] stage1_packet;          // and it is its packet's last
    reg [PORTS*VCS-1:0] stage1_channel;

    wire [PORTS-1:0] taken = flit_valid & link_up;
    reg [PORTS*VCS-1:0] channel;            // of the flit to look up, one-hot
    reg [PORTS-1:0] is_header;
    reg [PORTS-1:0] is_closing;             // the packet before is still to be closed
    integer arriving;

    always @* begin : arrive
        reg [VCS-1:0] one;

        channel = {PORTS*VCS{1'b0}};
        is_header = {PORTS{1'b0}};
        is_closing = {PORTS{1'b0}};
        one = {VCS{1'b0}};
        arriving = 0;
        if (|flit_valid)
            for (arriving = 0; arriving < PORTS; arriving = arriving + 1)
                if (flit_valid[arriving]) begin
                    one = VCS > 1 ? FIRST_CHANNEL << flit_vc[arriving*VC_BITS +: VC_BITS]
                        : FIRST_CHANNEL;
                    channel[arriving*VCS +: VCS] = one;
                    is_header[arriving] = taken[arriving]
                        & ~|((opened[arriving*VCS +: VCS] | dropping[arriving*VCS +: VCS]) & one);
                    is_closing[arriving] = |(closing[arriving*VCS +: VCS] & one);
                end
    end

    wire [PORTS*PORTS-1:0] route;
    wire [PORTS-1:0] drops;
    wire [PORTS-1:0] drop_link_down;
    wire [PORTS-1:0] drop_uturn;
    wire [PORTS-1:0] drop_no_route;

    route_lookup #(
        .PORTS(PORTS),
        .DATA_WIDTH(DATA_WIDTH),
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
        .flit_data(flit_data),
        .link_up(link_up),
        .to(route),
        .drops(drops),
        .drop_link_down(drop_link_down),
        .drop_uturn(drop_uturn),
        .drop_no_route(drop_no_route)
    );

    assign events = {drop_link_down, drop_uturn, drop_no_route, stage1_packet, stage1_flit};

    // The first-drop register of the control port takes the lowest input.
    integer dropper;

    always @* begin
        drop_port = 5'd0;
        drop_header = 64'd0;
        dropper = 0;
        if (|drops)
            for (dropper = PORTS - 1; dropper >= 0; dropper = dropper - 1)
                if (drops[dropper]) begin
                    drop_port = dropper[4:0];
                    drop_header = flit_data[dropper*DATA_WIDTH +: 64];
                end
    end

    // The queue that the arriving packet goes to may start no packet while another queue of the
    // channel withholds the credits which the rest of that packet needs.
    reg [PORTS*VCS-1:0] holding;
    integer holder;
    integer held_channel;

    always @* begin
        holding = {PORTS*VCS{1'b0}};
        holder = 0;
        held_channel = 0;
        if (REGISTERED_ARBITRATION != 0 || |crowded)
            for (holder = 0; holder < PORTS; holder = holder + 1)
                if (REGISTERED_ARBITRATION != 0 || |crowded[holder*STRIDE +: REQUESTS])
                    for (held_channel = 0; held_channel < VCS; held_channel = held_channel + 1)
                        holding[holder*VCS + held_channel] = opened[holder*VCS + held_channel]
                            & |(crowded[holder*STRIDE +: REQUESTS]
                                & ~to[holder*STRIDE +: REQUESTS]
                                & {PORTS{FIRST_CHANNEL << held_channel}});
    end

    generate
        if (REGISTERED_ARBITRATION != 0) begin : gen_registered_hold
            // Cleared by the flip-flops' own reset, which takes no logic.
            reg [PORTS*STRIDE-1:0] hold;
            integer number;
            integer request;
            always @(posedge clk)
                for (number = 0; number < PORTS; number = number + 1)
                    for (request = 0; request < STRIDE; request = request + 1)
                        if (rst || request >= REQUESTS || ~holding[number*VCS + request % VCS])
                            hold[number*STRIDE + request] <= 1'b0;
                        else
                            hold[number*STRIDE + request] <= to[number*STRIDE + request];
            assign held = hold;
        end else begin : gen_direct_hold
            reg [PORTS*STRIDE-1:0] hold;
            integer number;
            always @* begin
                hold = {PORTS*STRIDE{1'b0}};
                number = 0;
                if (|holding)
                    for (number = 0; number < PORTS; number = number + 1)
                        if (|holding[number*VCS +: VCS])
                            hold[number*STRIDE +: REQUESTS] = to[number*STRIDE +: REQUESTS]
                                & {PORTS{holding[number*VCS +: VCS]}};
            end
            assign held = hold;
        end
    endgenerate

    // The queues that flits enter in this cycle; their words follow one cycle later (`push`).
    reg [PORTS*VCS-1:0] closed;             // by a made-up tail
    assign entering = taken | {PORTS{|closing}};
    integer chooser;
    integer place;
    integer waiting;

    always @* begin : choose
        reg [REQUESTS-1:0] header_to;
        reg [REQUESTS-1:0] tails;
        reg [VCS-1:0] through;              // to the queue of the channel's open packet

        enter = {PORTS*STRIDE{1'b0}};
        enter_last = ~taken | flit_last;
        closed = {PORTS*VCS{1'b0}};
        header_to = {REQUESTS{1'b0}};
        tails = {REQUESTS{1'b0}};
        through = {VCS{1'b0}};
        chooser = 0;
        place = 0;
        waiting = 0;
        if (|entering)
            for (chooser = 0; chooser < PORTS; chooser = chooser + 1) begin
                header_to = {REQUESTS{1'b0}};
                through = {VCS{1'b0}};
                if (taken[chooser]) begin
                    if (is_header[chooser])
                        for (place = 0; place < PORTS; place = place + 1)
                            header_to[place*VCS +: VCS] = channel[chooser*VCS +: VCS]
                                & {VCS{route[chooser*PORTS + place]}};
                    through = channel[chooser*VCS +: VCS] & opened[chooser*VCS +: VCS];
                end else if (|closing[chooser*VCS +: VCS]) begin
                    // A made-up tail for the lowest channel that waits for one and whose queue has
                    // room.
                    tails = to[chooser*STRIDE +: REQUESTS]
                        & ~crowded[chooser*STRIDE +: REQUESTS]
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

    always @(posedge clk) begin : commit
        reg [PORTS*STRIDE-1:0] next_to;
        reg [PORTS*VCS-1:0] next_opened;
        reg [PORTS*VCS-1:0] next_dropping;
        reg [PORTS*VCS-1:0] next_closing;
        integer number;
        integer part;

        next_to = {PORTS*STRIDE{1'b0}};
        next_opened = {PORTS*VCS{1'b0}};
        next_dropping = {PORTS*VCS{1'b0}};
        next_closing = {PORTS*VCS{1'b0}};
        if (rst) begin
            pushing <= {PORTS{1'b0}};
            push <= {PORTS*STRIDE{1'b0}};
            stage1_flit <= {PORTS{1'b0}};
            stage1_packet <= {PORTS{1'b0}};
            opened <= {PORTS*VCS{1'b0}};
            dropping <= {PORTS*VCS{1'b0}};
            closing <= {PORTS*VCS{1'b0}};
        end else begin
            pushing <= entering;
            push <= enter;
            push_last <= enter_last;
            push_bad <= ~taken | flit_bad;
            stage1_flit <= taken;
            stage1_packet <= taken & flit_last;
            stage1_channel <= channel;
            next_opened = opened;
            next_dropping = dropping;
            next_closing = closing;
            if (|taken) begin
                next_to = to;
                for (number = 0; number < PORTS; number = number + 1)
                    if (taken[number]) begin
                        if (is_header[number] & ~is_closing[number])
                            for (part = 0; part < VCS; part = part + 1)
                                if (channel[number*VCS + part])
                                    next_to[number*STRIDE +: REQUESTS]
                                        = (enter[number*STRIDE +: REQUESTS]
                                            & {PORTS{FIRST_CHANNEL << part}})
                                        | (next_to[number*STRIDE +: REQUESTS]
                                            & ~{PORTS{FIRST_CHANNEL << part}});
                        if (flit_last[number]) begin
                            next_opened[number*VCS +: VCS] = opened[number*VCS +: VCS]
                                & ~channel[number*VCS +: VCS];
                            next_dropping[number*VCS +: VCS] = dropping[number*VCS +: VCS]
                                & ~channel[number*VCS +: VCS];
                        end else if (drops[number])
                            next_dropping[number*VCS +: VCS] = dropping[number*VCS +: VCS]
                                | channel[number*VCS +: VCS];
                        else if (is_header[number])
                            next_opened[number*VCS +: VCS] = opened[number*VCS +: VCS]
                                | channel[number*VCS +: VCS];
                    end
                to <= next_to;
            end
            if (|opened | |dropping)
                for (number = 0; number < PORTS; number = number + 1)
                    if (~link_up[number]) begin
                        next_closing[number*VCS +: VCS] = closing[number*VCS +: VCS]
                            | opened[number*VCS +: VCS];
                        next_opened[number*VCS +: VCS] = {VCS{1'b0}};
                        next_dropping[number*VCS +: VCS] = {VCS{1'b0}};
                    end
            opened <= next_opened;
            dropping <= next_dropping;
            closing <= next_closing & ~closed;
        end
    end

    // Made-up tails carry no data.
    integer arrived;
    always @(posedge clk) begin
        if (|closing)
            for (arrived = 0; arrived < PORTS; arrived = arrived + 1)
                if (|closing[arrived*VCS +: VCS])
                    push_data[arrived*DATA_WIDTH +: DATA_WIDTH] <= {DATA_WIDTH{1'b0}};
        for (arrived = 0; arrived < PORTS; arrived = arrived + 1)
            if (taken[arrived])
                push_data[arrived*DATA_WIDTH +: DATA_WIDTH]
                    <= flit_data[arrived*DATA_WIDTH +: DATA_WIDTH];
    end

    // Credits: a flit is owed from the moment it is past the lookup, and given back when every
    // queue of its channel has room for all the flits that the sender may still send.
    reg [PORTS*VCS*OWED_BITS-1:0] owed;
    reg [PORTS*VCS-1:0] owing;              // owed is not 0

    always @(posedge clk) begin : credits
        reg [PORTS*VCS*OWED_BITS-1:0] next_owed;
        reg [PORTS*VCS-1:0] next_owing;
        reg [PORTS*VCS-1:0] give_back;
        reg [VCS-1:0] lost;                 // a flit from a link that is down
        integer number;
        integer counter;

        next_owed = {PORTS*VCS*OWED_BITS{1'b0}};
        next_owing = {PORTS*VCS{1'b0}};
        give_back = {PORTS*VCS{1'b0}};
        lost = {VCS{1'b0}};
        if (rst) begin
            owed <= {PORTS*VCS*OWED_BITS{1'b0}};
            owing <= {PORTS*VCS{1'b0}};
            rx_credit <= {PORTS*VCS{1'b0}};
        end else begin
            give_back = {PORTS*VCS{1'b0}};
            if (|stage1_flit | |flit_valid | |owing) begin
                next_owed = owed;
                next_owing = owing;
                for (number = 0; number < PORTS; number = number + 1)
                    if (stage1_flit[number] | flit_valid[number] | |owing[number*VCS +: VCS]) begin
                        lost = channel[number*VCS +: VCS] & {VCS{~taken[number]}};
                        for (counter = 0; counter < VCS; counter = counter + 1) begin
                            give_back[number*VCS + counter] = owing[number*VCS + counter]
                                & ~|(crowded[number*STRIDE +: REQUESTS]
                                    & {PORTS{FIRST_CHANNEL << counter}});
                            next_owed[(number*VCS + counter)*OWED_BITS +: OWED_BITS]
                                = owed[(number*VCS + counter)*OWED_BITS +: OWED_BITS]
                                + {{OWED_BITS-1{1'b0}},
                                    stage1_flit[number] & stage1_channel[number*VCS + counter]}
                                + {{OWED_BITS-1{1'b0}}, lost[counter]}
                                - {{OWED_BITS-1{1'b0}}, give_back[number*VCS + counter]};
                            next_owing[number*VCS + counter]
                                = |next_owed[(number*VCS + counter)*OWED_BITS +: OWED_BITS];
                        end
                    end
                owed <= next_owed;
                owing <= next_owing;
            end
            rx_credit <= give_back;
        end
    end

`ifdef MKNS_ASSERT
    integer index;
    always @(posedge clk)
        if (!rst)
            for (index = 0; index < PORTS * VCS; index = index + 1)
                if (owed[index*OWED_BITS +: OWED_BITS] > RX_BUFFER_FLITS) begin
                    $display("mkns_assert %m: input %0d owes more credits than it gave",
                        index / VCS);
                    $stop;
                end
`endif
endmodule

`default_nettype wire
