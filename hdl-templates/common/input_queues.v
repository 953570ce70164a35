// input_queues: the virtual output queues of one input, in BANKS memory banks. One flit enters in a
// cycle, so what a push needs to know stands here, once for all banks.
// Queue q = place * VCS + channel, where a place is an output in bank order; in its bank it has a
// number from 0 on. Places of a queue's part of the memory are counted modulo QUEUE_FLITS.
// Only the places in KEEP have queues; `push` and its like have no bits for the others.
// Synthesis makes it short: the memories of a push wait for its place.
// Latency, reset, limits: see queue_bank.
<$ banner $>

(* short_paths *) module input_queues #(
    parameter PORTS = 10,
    parameter VCS = 1,
    parameter BANKS = 2,
    parameter DATA_WIDTH = 64,
    parameter QUEUE_FLITS = 64,
    parameter ADAPTIVE = 0,                     // this and the next one: see queue_bank
    parameter [VCS-1:0] CHANNELS = {VCS{1'b1}},
    parameter [PORTS-1:0] KEEP = {PORTS{1'b1}}, // by place, of all banks; not 0
    parameter PLACES = PORTS,                   // ones of KEEP
    parameter NUMBER_BITS = (PORTS + BANKS - 1) / BANKS * VCS > 1
        ? $clog2((PORTS + BANKS - 1) / BANKS * VCS) : 1,
    parameter QUEUE_BITS = NUMBER_BITS + (BANKS > 1 ? $clog2(BANKS) : 1)
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [PLACES*VCS-1:0] push,          // one-hot or 0
    input  wire                  pushes,        // there is a push
    input  wire [QUEUE_BITS-1:0] push_queue,    // {bank, number in it}; if not, undefined
    input  wire                  push_last,
    input  wire                  push_adaptive,
    input  wire                  push_bad,
    input  wire [DATA_WIDTH-1:0] push_data,
    input  wire [PLACES*VCS-1:0] pop,           // one-hot or 0 in every bank
    output wire [PLACES*VCS-1:0] waiting,       // these and those below: see queue_bank
    output wire [PLACES*VCS-1:0] ready,
    output wire [PLACES*VCS-1:0] ready_more,
    output wire [PLACES*VCS-1:0] holds,
    output wire [PLACES*VCS-1:0] way,
    input  wire [PLACES*VCS-1:0] chosen,
    output wire [BANKS*VCS-1:0]  claims,
    output wire [BANKS*VCS-1:0]  left,
    output wire [BANKS*(DATA_WIDTH+32)-1:0] read_word
);
    localparam PLACE_BITS = $clog2(QUEUE_FLITS);
    localparam [PLACE_BITS-1:0] ONE = 1;
    localparam [PLACE_BITS-1:0] TWO = 2;

    // Places that have queues, of those from one on and before another.
    function integer kept_between(input integer from, input integer to);
        integer one;
        begin
            kept_between = 0;
            for (one = from; one < to; one = one + 1)
                kept_between = kept_between + (KEEP[one] ? 1 : 0);
        end
    endfunction

    // Of every queue: three marks of the word written last, place of the next flit. LUT RAM cannot
    // be reset: they count only while the queue holds a flit; the next place is that of the oldest
    // flit otherwise. Words of last marks hold four flits each (see queue_bank).
    reg [PLACE_BITS+2:0] behind [0:(1<<QUEUE_BITS)-1];

    wire [BANKS*PLACE_BITS-1:0] first_place;
    reg [PLACE_BITS-1:0] head_place;
    integer part;

    always @* begin
        head_place = {PLACE_BITS{1'b0}};
        for (part = 0; part < BANKS; part = part + 1)
            if (push_queue[QUEUE_BITS-1:NUMBER_BITS] == part[QUEUE_BITS-NUMBER_BITS-1:0])
                head_place = first_place[part*PLACE_BITS +: PLACE_BITS];
    end

    wire [2:0] recent;
    wire [PLACE_BITS-1:0] next_place;
    assign {recent, next_place} = behind[push_queue];
    wire [PLACE_BITS-1:0] push_place = |(push & holds) ? next_place : head_place;
    wire [PLACE_BITS-1:0] previous = push_place - ONE;
    wire [PLACE_BITS-1:0] mark_place = push_place - TWO;
    wire [3:0] mark = 4'd1 << mark_place[1:0];
    wire [3:0] marks = (mark & {4{push_last}}) | (~mark & {push_last, recent});

    always @(posedge clk)
        if (pushes)
            behind[push_queue] <= {marks[2:0], push_place + ONE};

    generate
        genvar bank;
        for (bank = 0; bank < BANKS; bank = bank + 1) begin : gen_bank
            localparam FIRST_PLACE = bank * (PORTS / BANKS)
                + (bank < PORTS % BANKS ? bank : PORTS % BANKS);
            localparam END_PLACE = FIRST_PLACE + (PORTS - bank + BANKS - 1) / BANKS;
            localparam SLOTS = kept_between(FIRST_PLACE, END_PLACE);
            localparam QUEUES = SLOTS * VCS;
            localparam FIRST = VCS * kept_between(0, FIRST_PLACE);
            localparam BITS = QUEUES > 1 ? $clog2(QUEUES) : 1;
            if (SLOTS == 0) begin : gen_none
                assign first_place[bank*PLACE_BITS +: PLACE_BITS] = {PLACE_BITS{1'b0}};
                assign {claims[bank*VCS +: VCS], left[bank*VCS +: VCS]} = {2*VCS{1'b0}};
                assign read_word[bank*(DATA_WIDTH+32) +: DATA_WIDTH+32] = {DATA_WIDTH+32{1'b0}};
            end else begin : gen_queues
                wire enters = pushes & push_queue[QUEUE_BITS-1:NUMBER_BITS]
                    == bank[QUEUE_BITS-NUMBER_BITS-1:0];
                queue_bank #(
                    .SLOTS(SLOTS), .VCS(VCS), .DATA_WIDTH(DATA_WIDTH), .QUEUE_FLITS(QUEUE_FLITS),
                    .ADAPTIVE(ADAPTIVE), .CHANNELS(CHANNELS)
                ) queues (
                    .clk(clk), .rst(rst), .push(push[FIRST +: QUEUES]), .pushes(enters),
                    .push_queue(push_queue[BITS-1:0]), .push_place(push_place), .previous(previous),
                    .mark_word(mark_place[PLACE_BITS-1:2]), .marks(marks), .mark_place(mark_place),
                    .push_last(push_last), .push_adaptive(push_adaptive),
                    .push_bad(push_bad), .push_data(push_data),
                    .first_place(first_place[bank*PLACE_BITS +: PLACE_BITS]),
                    .pop(pop[FIRST +: QUEUES]), .waiting(waiting[FIRST +: QUEUES]),
                    .ready(ready[FIRST +: QUEUES]), .ready_more(ready_more[FIRST +: QUEUES]),
                    .holds(holds[FIRST +: QUEUES]), .way(way[FIRST +: QUEUES]),
                    .chosen(chosen[FIRST +: QUEUES]),
                    .claims(claims[bank*VCS +: VCS]), .left(left[bank*VCS +: VCS]),
                    .read_word(read_word[bank*(DATA_WIDTH+32) +: DATA_WIDTH+32])
                );
            end
        end
    endgenerate
endmodule
