// queue_bank: the virtual output queues of one memory bank of an input. Pops come from registers,
// one cycle after their decision, and the block RAM's own register takes the read address.
// Queue q = slot * VCS + channel; every queue holds less than QUEUE_FLITS flits, in a fixed part of
// the memory. At most one queue is pushed and at most one is popped in a cycle. `waiting`, `ready`
// and `ready_more` take the pop of this cycle off at once; `holds` still counts it.
// With ADAPTIVE a flit may be popped right behind its push, so what is pushed is ready.
// Latency: `pop` in cycle a puts the flit on `read_word` in cycle a + 1.
// Reset: synchronous, active high; empties all queues, memory contents stay.
// Limits: QUEUE_FLITS a power of two, 8 at least.
<$ banner $>

module queue_bank #(
    parameter SLOTS = 5,
    parameter VCS = 1,
    parameter DATA_WIDTH = 64,
    parameter QUEUE_FLITS = 64,
    parameter ADAPTIVE = 0,             // 1: `way` of every queue
    parameter [VCS-1:0] CHANNELS = {VCS{1'b1}}, // the queues of the others stay empty
    // These follow.
    parameter QUEUES = SLOTS * VCS,
    // An address is {queue, place}, even where there is one queue only.
    parameter QUEUE_BITS = QUEUES > 1 ? $clog2(QUEUES) : 1,
    parameter PLACE_BITS = $clog2(QUEUE_FLITS)
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [QUEUES-1:0]     push,          // one-hot or 0
    input  wire                  pushes,        // there is a push
    // What input_queues knows of the push: queue, place, place before it, number of the word in
    // which its last mark stands, and what this word becomes.
    input  wire [QUEUE_BITS-1:0] push_queue,
    input  wire [PLACE_BITS-1:0] push_place,
    input  wire [PLACE_BITS-1:0] previous,
    input  wire [PLACE_BITS-3:0] mark_word,
    input  wire [3:0]            marks,
    input  wire [PLACE_BITS-1:0] mark_place,    // that flag's own place
    input  wire                  push_last,
    input  wire                  push_adaptive,
    input  wire                  push_bad,
    input  wire [DATA_WIDTH-1:0] push_data,
    output wire [PLACE_BITS-1:0] first_place,   // of `push_queue`: of its oldest or next flit
    input  wire [QUEUES-1:0]     pop,           // one-hot or 0; only of queues that hold a flit
    output wire [QUEUES-1:0]     waiting,       // holds a flit besides the one popped, or is pushed
    output wire [QUEUES-1:0]     ready,         // holds a flit besides the one popped; see above
    output wire [QUEUES-1:0]     ready_more,    // and it is not the last one of its packet
    output wire [QUEUES-1:0]     holds,         // is not empty
    output wire [QUEUES-1:0]     way,           // of one that waits: of its oldest or popped flit
    input  wire [QUEUES-1:0]     chosen,        // by their outputs: packet or grant
    output wire [VCS-1:0]        claims,        // channels of chosen ones with `ready_more`
    output wire [VCS-1:0]        left,          // channel of the flit that is popped, or 0
    output reg  [DATA_WIDTH+31:0] read_word     // {0, bad, last, data}
);
    localparam DEPTH = (QUEUES > 1 ? QUEUES : 2) * QUEUE_FLITS;
    localparam WORD_BITS = DATA_WIDTH + 2;
    localparam [VCS-1:0] CHANNEL = 1;
    localparam [PLACE_BITS-1:0] ONE = 1;

    // One write port and one registered read port, for block RAM. A place is never written in the
    // cycle in which it is read: a queue never holds QUEUE_FLITS flits.
    (* no_rw_check *) reg [WORD_BITS-1:0] memory [0:DEPTH-1];

    // Places of the oldest flits, or of the next ones where there are none; those before the newest
    // flits: the queue holds two flits when this is the place of the oldest one.
    reg [PLACE_BITS-1:0] heads [0:QUEUES-1];
    reg [PLACE_BITS-1:0] previous_places [0:QUEUES-1];

    // `last` of every stored flit, because arbitration needs it before the data, in words of four
    // flits, as wide as LUT RAM is, for all queues side by side. Those of the two oldest flits are
    // kept in registers, which follow the pushed flit while there are no such flits. A pop needs
    // that of the third: a flit's flag stands two places before the flit, where the pop is. A word
    // is written with what input_queues knows of the flits of this word. What it overwrites besides
    // are flags of free places and of the two oldest flits, as long as one place is free.
    reg [4*QUEUES-1:0] last_memory [0:QUEUE_FLITS/4-1];
    reg [QUEUES-1:0] first_more;        // there is an oldest flit, and it is no last
    reg [QUEUES-1:0] second_last;
    reg [QUEUES-1:0] holds_one;         // at least
    reg [QUEUES-1:0] holds_two;

    // That queues stay empty is beyond what synthesis finds out.
    localparam [QUEUES-1:0] USED = {SLOTS{CHANNELS}};
    wire [QUEUES-1:0] stored = USED & ((pop & holds_two) | (~pop & holds_one));
    wire [QUEUES-1:0] stored_more
        = USED & ((pop & holds_two & ~second_last) | (~pop & first_more));
    wire [QUEUES-1:0] next_more = stored_more | (push & ~stored & {QUEUES{~push_last}});
    assign holds = USED & holds_one;
    assign waiting = USED & (stored | push);
    assign ready = ADAPTIVE != 0 ? waiting : stored;
    assign ready_more = ADAPTIVE != 0 ? USED & next_more : stored_more;

    any_common #(.ELEMENTS(SLOTS), .LANES(VCS)) claimed (
        .one(chosen), .other(ready_more), .any(claims)
    );

    reg [QUEUE_BITS-1:0] pop_queue;
    integer number;

    always @* begin
        pop_queue = {QUEUE_BITS{1'b0}};
        for (number = 0; number < QUEUES; number = number + 1)
            pop_queue = pop_queue | ({QUEUE_BITS{pop[number]}} & number[QUEUE_BITS-1:0]);
    end

    assign first_place = heads[push_queue];

    // The popped queue.
    wire [PLACE_BITS-1:0] pop_head = heads[pop_queue];
    wire [PLACE_BITS-1:0] pop_next = pop_head + ONE;
    wire held_two = previous_places[pop_queue] == pop_head;
    wire [4*QUEUES-1:0] pop_flags = last_memory[pop_head[PLACE_BITS-1:2]];

    // Queues that begin or cease to hold two flits: those that are pushed begin.
    wire [QUEUES-1:0] two_turns = (push & ~pop & holds_one) | (pop & {QUEUES{held_two}});
    integer queue, pushed;

    always @(posedge clk) begin
        if (pushes) begin
            memory[{push_queue, push_place}] <= {push_bad, push_last, push_data};
            previous_places[push_queue] <= previous;
        end
        for (pushed = 0; pushed < QUEUES; pushed = pushed + 1)
            if (push[pushed])
                last_memory[mark_word][pushed*4 +: 4] <= marks;
        if (|pop) begin
            read_word <= {30'd0, memory[{pop_queue, pop_head}]};
            heads[pop_queue] <= pop_next;
        end
    end

    always @(posedge clk) begin : follow
        reg [3:0] flags;                // of four flits of the queue, the third among them

        flags = 4'd0;
        if (rst) begin
            holds_one <= {QUEUES{1'b0}};
            holds_two <= {QUEUES{1'b0}};
            first_more <= {QUEUES{1'b0}};
        end else if (|push | |pop) begin
            holds_one <= waiting;
            first_more <= next_more;
            for (queue = 0; queue < QUEUES; queue = queue + 1)
                if (two_turns[queue])
                    holds_two[queue] <= push[queue];
        end
        if (|push | |pop)
            for (queue = 0; queue < QUEUES; queue = queue + 1)
                if (pop[queue]) begin
                    flags = pop_flags[queue*4 +: 4];
                    second_last[queue] <= held_two ? push_last : flags[pop_head[1:0]];
                end else if (~holds_two[queue])
                    second_last[queue] <= push_last;
    end

    // The way of a flit, too, stands two places before it, but in block RAM: it is there a cycle
    // after the pop that asks for it, and late. So only registers take it, and in the cycle of a
    // pop `way` is that of the popped flit.
    generate
        if (ADAPTIVE != 0) begin : gen_way
            (* no_rw_check, ram_style = "block" *) reg ways [0:DEPTH-1];
            reg [QUEUES-1:0] first_way, second_way;
            reg third_way;                  // read by the last pop
            reg [QUEUES-1:0] reads;         // by it, unless it left one flit
            wire [QUEUES-1:0] second = (reads & {QUEUES{third_way}}) | (~reads & second_way);
            integer moved;

            assign way = USED & ((holds_one & first_way) | (~holds_one & {QUEUES{push_adaptive}}));

            always @(posedge clk) begin
                if (pushes)
                    ways[{push_queue, mark_place}] <= push_adaptive;
                if (|pop)
                    third_way <= ways[{pop_queue, pop_head}];
            end

            always @(posedge clk) begin
                reads <= pop & ~{QUEUES{held_two}};
                if (|push | |pop)
                    first_way <= (stored & ((pop & second) | (~pop & first_way)))
                        | (~stored & {QUEUES{push_adaptive}});
                for (moved = 0; moved < QUEUES; moved = moved + 1)
                    second_way[moved]
                        <= pop[moved] | ~holds_two[moved] ? push_adaptive : second[moved];
            end
        end else begin : gen_no_way
            assign way = {QUEUES{1'b0}};
            wire unused_ok = &{1'b0, mark_place, push_adaptive};
        end
    endgenerate

    generate
        genvar v;
        for (v = 0; v < VCS; v = v + 1) begin : gen_left
            assign left[v] = |(pop & {SLOTS{CHANNEL << v}});
        end
    endgenerate

    // LUT RAM comes up with known contents; where a queue starts does not matter.
    integer start;
    initial
        for (start = 0; start < QUEUES; start = start + 1)
            heads[start] = {PLACE_BITS{1'b0}};

`ifdef MKNS_ASSERT
    always @(posedge clk)
        if (!rst && (pushes != |push || (pushes && !push[push_queue]))) begin
            $display("mkns_assert %m: the pushed queue is another one than its number says");
            $stop;
        end
`endif
endmodule
