// queue_bank: the virtual output queues of one input that share one memory bank.
// Queue q = slot * VCS + channel; every queue holds up to QUEUE_FLITS flits of a fixed part of the
// memory. At most one queue is pushed and at most one is popped in a cycle; a flit may be popped in
// the very cycle in which it is pushed into an empty queue (it passes through).
// Latency: a flit popped in cycle a is on `read_word` in cycle a + 2 (+1 with REGISTER_READ).
// Reset: synchronous, active high; empties all queues, memory contents stay.
// Limits: QUEUE_FLITS a power of two, RX_BUFFER_FLITS < QUEUE_FLITS.
<$ banner $>
`default_nettype none

module queue_bank #(
    parameter SLOTS = 5,
    parameter VCS = 2,
    parameter DATA_WIDTH = 64,
    parameter RX_BUFFER_FLITS = 12,
    parameter QUEUE_FLITS = 32,
    parameter REGISTER_READ = 0
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [SLOTS*VCS-1:0]  enter,         // one-hot or 0: `push` of the next cycle
    input  wire                  enter_last,
    input  wire [SLOTS*VCS-1:0]  push,          // one-hot or 0
    input  wire                  push_last,
    input  wire                  push_bad,
    input  wire [DATA_WIDTH-1:0] push_data,
    input  wire [SLOTS*VCS-1:0]  pop,           // one-hot or 0
    output reg  [SLOTS*VCS-1:0]  available,     // a flit can be popped in this cycle
    output reg  [SLOTS*VCS-1:0]  last,          // and it is the last one of its packet
    output reg  [SLOTS*VCS-1:0]  crowded,       // holds QUEUE_FLITS - RX_BUFFER_FLITS or more
    output wire [DATA_WIDTH+31:0] read_word     // {0, bad, last, data}
);
    localparam QUEUES = SLOTS * VCS;
    // An address is {queue, place}, even where there is one queue only.
    localparam QUEUE_BITS = QUEUES > 1 ? $clog2(QUEUES) : 1;
    localparam POINTER_BITS = $clog2(QUEUE_FLITS);
    localparam DEPTH = (QUEUES > 1 ? QUEUES : 2) * QUEUE_FLITS;
    localparam WORD_BITS = DATA_WIDTH + 2;
    localparam ADDRESS_BITS = QUEUE_BITS + POINTER_BITS;
    localparam CROWDED = QUEUE_FLITS - RX_BUFFER_FLITS;
    localparam [POINTER_BITS:0] LIMIT = CROWDED[POINTER_BITS:0];
    localparam [POINTER_BITS:0] ONE = 1;
    localparam [POINTER_BITS:0] NONE = 0;

    // The flits {bad, last, data}: one write port and one registered read port, for block RAM. A
    // place is never written in the cycle in which it is read: that takes a push to a queue that
    // was full one cycle before, and when a queue is full, the sender has no credits left.
    (* no_rw_check *) reg [WORD_BITS-1:0] memory [0:DEPTH-1];
    reg [WORD_BITS-1:0] fetched;
    reg read;
    reg [ADDRESS_BITS-1:0] read_address;

    // `last` of every stored flit, because allocation needs it two cycles before the data; the
    // oldest flit's is kept in a register.
    reg last_memory [0:DEPTH-1];
    reg [QUEUES-1:0] head_last;
    reg [QUEUES-1:0] stored;

    // Pointers count modulo 2 * QUEUE_FLITS, so their difference is the number of flits held. They
    // fit a LUT RAM, which cannot be reset: the write pointer counts only while the queue holds a
    // flit, the read pointer only while the queue has `moved`; both are 0 otherwise. So queues that
    // empty start again at place 0, and memory in use stays small (simulators' caches).
    reg [POINTER_BITS:0] write_pointer [0:QUEUES-1];
    reg [POINTER_BITS:0] read_pointer [0:QUEUES-1];
    reg [QUEUES-1:0] moved;

    always @(posedge clk) begin : move
        reg [QUEUE_BITS-1:0] push_queue;
        reg [QUEUE_BITS-1:0] pop_queue;
        reg [POINTER_BITS:0] tail;
        reg [POINTER_BITS:0] head;
        reg [POINTER_BITS:0] count;
        reg [ADDRESS_BITS-1:0] place;
        reg becomes_head;
        reg next_last;
        reg [QUEUES-1:0] next_stored;
        reg [QUEUES-1:0] next_crowded;
        reg [QUEUES-1:0] next_head_last;
        integer number;

        read <= 1'b0;
        if (|enter | |push | |pop) begin
            next_stored = stored;
            next_crowded = crowded;
            next_head_last = head_last;
            becomes_head = 1'b0;
            if (|push) begin
                push_queue = {QUEUE_BITS{1'b0}};
                for (number = 0; number < QUEUES; number = number + 1)
                    push_queue = push_queue
                        | ({QUEUE_BITS{push[number]}} & number[QUEUE_BITS-1:0]);
                head = |(push & moved) ? read_pointer[push_queue] : NONE;
                tail = |(push & stored) ? write_pointer[push_queue] : head;
                count = tail - head;
                place = {push_queue, tail[POINTER_BITS-1:0]};
                memory[place] <= {push_bad, push_last, push_data};
                last_memory[place] <= push_last;
                write_pointer[push_queue] <= tail + ONE;
`ifdef MKNS_ASSERT
                if (~rst & read && place == read_address) begin
                    $display("mkns_assert %m: queue %0d is written where it is read", push_queue);
                    $stop;
                end
`endif
                // The pushed flit is the oldest of its queue after this cycle.
                becomes_head = count == {{POINTER_BITS{1'b0}}, |(push & pop)};
                if (becomes_head)
                    next_head_last = (next_head_last & ~push) | (push & {QUEUES{push_last}});
                if (~|(push & pop)) begin
                    next_stored = next_stored | push;
                    if (count == LIMIT - ONE)
                        next_crowded = next_crowded | push;
                end
            end
            if (|pop) begin
                pop_queue = {QUEUE_BITS{1'b0}};
                for (number = 0; number < QUEUES; number = number + 1)
                    pop_queue = pop_queue
                        | ({QUEUE_BITS{pop[number]}} & number[QUEUE_BITS-1:0]);
                head = |(pop & moved) ? read_pointer[pop_queue] : NONE;
                tail = |(pop & stored) ? write_pointer[pop_queue] : head;
                count = tail - head;
                place = {pop_queue, head[POINTER_BITS-1:0]};
                read_address <= place;
                read_pointer[pop_queue] <= head + ONE;
                head = head + ONE;
                place = {pop_queue, head[POINTER_BITS-1:0]};
                next_last = last_memory[place];
                if (~(becomes_head & |(push & pop)))
                    next_head_last = (next_head_last & ~pop) | (pop & {QUEUES{next_last}});
                if (~|(push & pop)) begin
                    if (count == ONE)
                        next_stored = next_stored & ~pop;
                    if (count == LIMIT)
                        next_crowded = next_crowded & ~pop;
                end
            end
            stored <= next_stored;
            crowded <= next_crowded;
            head_last <= next_head_last;
            available <= next_stored | enter;
            last <= (next_stored & next_head_last) | (enter & ~next_stored & {QUEUES{enter_last}});
            // An empty queue goes back to place 0, but never to a place that is being read.
            moved <= (read ? moved : moved & (stored | push)) | pop;
            read <= |pop;
        end
        if (rst) begin
            read <= 1'b0;
            available <= {QUEUES{1'b0}};
            last <= {QUEUES{1'b0}};
            stored <= {QUEUES{1'b0}};
            crowded <= {QUEUES{1'b0}};
            moved <= {QUEUES{1'b0}};
        end
    end

    always @(posedge clk)
        if (read)
            fetched <= memory[read_address];

    generate
        if (REGISTER_READ != 0) begin : gen_register_read
            reg [WORD_BITS-1:0] fetched_again;
            always @(posedge clk)
                fetched_again <= fetched;
            assign read_word = {30'd0, fetched_again};
        end else begin : gen_direct_read
            assign read_word = {30'd0, fetched};
        end
    endgenerate

`ifdef MKNS_ASSERT
    integer index;
    always @(posedge clk)
        if (!rst) begin
            if (|(pop & ~available)) begin
                $display("mkns_assert %m: pop of an empty queue");
                $stop;
            end
            if ((push & (push - 1'b1)) != 0 || (pop & (pop - 1'b1)) != 0) begin
                $display("mkns_assert %m: more than one push or pop in a cycle");
                $stop;
            end
        end

    // A second count of every queue, kept on its own.
    reg [POINTER_BITS:0] held [0:QUEUES-1];
    always @(posedge clk)
        for (index = 0; index < QUEUES; index = index + 1)
            if (rst)
                held[index] <= NONE;
            else begin
                held[index] <= held[index] + {{POINTER_BITS{1'b0}}, push[index]}
                    - {{POINTER_BITS{1'b0}}, pop[index]};
                if (held[index] > QUEUE_FLITS) begin
                    $display("mkns_assert %m: queue %0d overflows", index);
                    $stop;
                end
                if (stored[index] != (held[index] != 0)
                    || crowded[index] != (held[index] >= LIMIT)) begin
                    $display("mkns_assert %m: fill of queue %0d disagrees", index);
                    $stop;
                end
            end
`endif
endmodule

`default_nettype wire
