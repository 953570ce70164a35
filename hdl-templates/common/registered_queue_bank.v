// registered_queue_bank: what queue_banks does, of one bank, for REGISTERED_ARBITRATION: pops come
// from registers, one cycle after their decision, and the block RAM's own register takes the read
// address.
// Queue q = slot * VCS + channel; every queue holds up to QUEUE_FLITS flits of a fixed part of the
// memory. At most one queue is pushed and at most one is popped in a cycle. `waiting`, `ready` and
// `ready_last` take the pop of this cycle off at once; `crowded` still counts it.
// Latency: a flit popped in cycle a is on `read_word` in cycle a + 1 (+1 with REGISTER_READ).
// Reset: synchronous, active high; empties all queues, memory contents stay.
// Limits: QUEUE_FLITS a power of two, RX_BUFFER_FLITS < QUEUE_FLITS.
<$ banner $>
`default_nettype none

module registered_queue_bank #(
    parameter SLOTS = 5,
    parameter VCS = 2,
    parameter DATA_WIDTH = 64,
    parameter RX_BUFFER_FLITS = 12,
    parameter QUEUE_FLITS = 32,
    parameter REGISTER_READ = 0
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [SLOTS*VCS-1:0]  push,          // one-hot or 0
    input  wire                  push_last,
    input  wire                  push_bad,
    input  wire [DATA_WIDTH-1:0] push_data,
    input  wire [SLOTS*VCS-1:0]  pop,           // one-hot or 0; only of queues that hold a flit
    output wire [SLOTS*VCS-1:0]  waiting,       // holds a flit or is pushed, and is not popped
    output wire [SLOTS*VCS-1:0]  ready,         // holds a flit besides the one popped
    output wire [SLOTS*VCS-1:0]  ready_last,    // and it is the last one of its packet
    output reg  [SLOTS*VCS-1:0]  crowded,       // holds QUEUE_FLITS - RX_BUFFER_FLITS or more
    output wire [DATA_WIDTH+31:0] read_word     // {0, bad, last, data}
);
    localparam QUEUES = SLOTS * VCS;
    // An address is {queue, place}, even where there is one queue only.
    localparam QUEUE_BITS = QUEUES > 1 ? $clog2(QUEUES) : 1;
    localparam POINTER_BITS = $clog2(QUEUE_FLITS);
    localparam DEPTH = (QUEUES > 1 ? QUEUES : 2) * QUEUE_FLITS;
    localparam WORD_BITS = DATA_WIDTH + 2;
    localparam CROWDED = QUEUE_FLITS - RX_BUFFER_FLITS;
    localparam [POINTER_BITS:0] LIMIT = CROWDED[POINTER_BITS:0];
    localparam [POINTER_BITS:0] ONE = 1;
    localparam [POINTER_BITS:0] TWO = 2;
    localparam [POINTER_BITS:0] THREE = 3;

    // One write port and one registered read port, for block RAM. A place is never written in the
    // cycle in which it is read: a queue that is pushed holds less than QUEUE_FLITS flits.
    (* no_rw_check *) reg [WORD_BITS-1:0] memory [0:DEPTH-1];
    reg [WORD_BITS-1:0] fetched;

    // `last` of every stored flit, because arbitration needs it before the data, in words of four
    // places, as wide as LUT RAM is; `recent_last` has every queue's word of the newest flit. That
    // of the two oldest flits is kept in registers, which follow the pushed flit while there is no
    // such flit. A word is not written before it has two new flags: those behind them are then of
    // no flit, or of the two oldest. With one it would take the flag of the third oldest flit of a
    // queue that becomes full.
    reg [3:0] last_memory [0:DEPTH/4-1];
    reg [3:0] recent_last [0:QUEUES-1];
    reg [QUEUES-1:0] first_last;
    reg [QUEUES-1:0] second_last;
    reg [QUEUES-1:0] holds_one;         // at least
    reg [QUEUES-1:0] holds_two;

    // Pointers count modulo 2 * QUEUE_FLITS. The read pointer is kept as the write pointer with
    // which the queue is just crowded. LUT RAM cannot be reset: the write pointer counts only while
    // the queue holds a flit.
    reg [POINTER_BITS:0] write_pointer [0:QUEUES-1];
    reg [POINTER_BITS:0] crowded_pointer [0:QUEUES-1];

    assign waiting = (holds_one | push) & ~pop;
    assign ready = (pop & holds_two) | (~pop & holds_one);
    assign ready_last = (pop & second_last) | (~pop & first_last);

    reg [QUEUE_BITS-1:0] push_queue;
    reg [QUEUE_BITS-1:0] pop_queue;
    integer number;

    always @* begin
        push_queue = {QUEUE_BITS{1'b0}};
        pop_queue = {QUEUE_BITS{1'b0}};
        for (number = 0; number < QUEUES; number = number + 1) begin
            push_queue = push_queue | ({QUEUE_BITS{push[number]}} & number[QUEUE_BITS-1:0]);
            pop_queue = pop_queue | ({QUEUE_BITS{pop[number]}} & number[QUEUE_BITS-1:0]);
        end
    end

    wire both = push_queue == pop_queue & |push & |pop;

    // The pushed queue.
    wire [POINTER_BITS:0] push_limit = crowded_pointer[push_queue];
    wire [POINTER_BITS:0] push_tail
        = |(push & holds_one) ? write_pointer[push_queue] : push_limit - LIMIT;
    wire [POINTER_BITS:0] push_next = push_tail + ONE;
    wire becomes_crowded = push_next == push_limit & ~both;
    wire [3:0] push_place = 4'd1 << push_tail[1:0];
    wire [3:0] push_flags
        = (recent_last[push_queue] & ~push_place) | (push_place & {4{push_last}});

    // The popped one.
    wire [POINTER_BITS:0] pop_limit = crowded_pointer[pop_queue];
    wire [POINTER_BITS:0] pop_tail = write_pointer[pop_queue];
    wire [POINTER_BITS-1:0] pop_head = pop_limit[POINTER_BITS-1:0] - LIMIT[POINTER_BITS-1:0];
    wire [POINTER_BITS:0] pop_third = pop_limit - (LIMIT - TWO);
    wire held_two = pop_tail == pop_third;
    wire held_three = pop_tail == pop_limit - (LIMIT - THREE);
    wire held_limit = pop_tail == pop_limit;
    wire [3:0] pop_flags = last_memory[{pop_queue, pop_third[POINTER_BITS-1:2]}];
    // `last` of the flit that becomes the second oldest.
    wire pop_third_last = held_three & pop_third[1:0] == 2'd0
        ? recent_last[pop_queue][0] : pop_flags[pop_third[1:0]];
    wire pop_second_last = held_two ? push_last : pop_third_last;

    always @(posedge clk) begin
        if (|push) begin
            memory[{push_queue, push_tail[POINTER_BITS-1:0]}] <= {push_bad, push_last, push_data};
            if (|push_tail[1:0])
                last_memory[{push_queue, push_tail[POINTER_BITS-1:2]}] <= push_flags;
            recent_last[push_queue] <= push_flags;
            write_pointer[push_queue] <= push_next;
        end
        if (|pop) begin
            fetched <= memory[{pop_queue, pop_head}];
            crowded_pointer[pop_queue] <= pop_limit + ONE;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            holds_one <= {QUEUES{1'b0}};
            holds_two <= {QUEUES{1'b0}};
            crowded <= {QUEUES{1'b0}};
        end else begin
            holds_one <= ready | push;
            holds_two <= (holds_two | (push & ready)) & ~(pop & {QUEUES{held_two & ~both}});
            crowded <= (crowded | (push & {QUEUES{becomes_crowded}}))
                & ~(pop & {QUEUES{held_limit & ~both}});
        end
        first_last <= (ready & ready_last) | (~ready & {QUEUES{push_last}});
        second_last <= (pop & {QUEUES{pop_second_last}}) | (~pop & holds_two & second_last)
            | (~pop & ~holds_two & {QUEUES{push_last}});
    end

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

    // LUT RAM comes up with known contents; where a queue starts does not matter.
    integer queue;
    initial
        for (queue = 0; queue < QUEUES; queue = queue + 1)
            crowded_pointer[queue] = {POINTER_BITS+1{1'b0}};

`ifdef MKNS_ASSERT
    // A count of every queue kept on its own.
    reg [POINTER_BITS:0] held [0:QUEUES-1];
    integer index;
    always @(posedge clk)
        for (index = 0; index < QUEUES; index = index + 1)
            if (rst)
                held[index] <= {POINTER_BITS+1{1'b0}};
            else begin
                held[index] <= held[index] + {{POINTER_BITS{1'b0}}, push[index]}
                    - {{POINTER_BITS{1'b0}}, pop[index]};
                if (pop[index] & held[index] == 0) begin
                    $display("mkns_assert %m: pop of empty queue %0d", index);
                    $stop;
                end
                if (held[index] > QUEUE_FLITS) begin
                    $display("mkns_assert %m: queue %0d overflows", index);
                    $stop;
                end
                if (holds_one[index] != (held[index] != 0)
                    || holds_two[index] != (held[index] >= TWO)
                    || crowded[index] != (held[index] >= LIMIT)) begin
                    $display("mkns_assert %m: fill of queue %0d disagrees", index);
                    $stop;
                end
            end
    always @(posedge clk)
        if (!rst && ((push & (push - 1'b1)) != 0 || (pop & (pop - 1'b1)) != 0)) begin
            $display("mkns_assert %m: more than one push or pop in a cycle");
            $stop;
        end
`endif
endmodule

`default_nettype wire
