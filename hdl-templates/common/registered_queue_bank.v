// registered_queue_bank: what queue_banks does, of one bank, for REGISTERED_ARBITRATION: pops come
// from registers, one cycle after their decision, and the block RAM's own register takes the read
// address.
// Queue q = slot * VCS + channel; every queue holds up to QUEUE_FLITS flits of a fixed part of the
// memory. At most one queue is pushed and at most one is popped in a cycle. `ready` and
// `ready_last` take the pop of this cycle off at once; `available` and `crowded` still count it.
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
    output wire [SLOTS*VCS-1:0]  available,     // holds a flit, or is pushed
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

    // One write port and one registered read port, for block RAM. A place is never written in the
    // cycle in which it is read: a queue that is pushed holds less than QUEUE_FLITS flits.
    (* no_rw_check *) reg [WORD_BITS-1:0] memory [0:DEPTH-1];
    reg [WORD_BITS-1:0] fetched;

    // `last` of every stored flit, because arbitration needs it before the data, in words of four
    // places, as wide as LUT RAM is. That of the two oldest flits of a queue is kept in registers.
    reg [3:0] last_memory [0:DEPTH/4-1];
    reg [QUEUES-1:0] first_last;
    reg [QUEUES-1:0] second_last;
    reg [QUEUES-1:0] holds_one;         // at least
    reg [QUEUES-1:0] holds_two;

    // Pointers count modulo 2 * QUEUE_FLITS, so their difference is the number of flits held. LUT
    // RAM cannot be reset: the write pointer counts only while the queue holds a flit.
    reg [POINTER_BITS:0] write_pointer [0:QUEUES-1];
    reg [POINTER_BITS:0] read_pointer [0:QUEUES-1];

    assign available = holds_one | push;
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

    // Of the pushed queue and of the popped one: the oldest flit, and how many there are.
    wire [POINTER_BITS:0] push_head = read_pointer[push_queue];
    wire [POINTER_BITS:0] push_tail
        = |(push & holds_one) ? write_pointer[push_queue] : push_head;
    wire [POINTER_BITS:0] push_count = push_tail - push_head;
    wire [POINTER_BITS:0] pop_head = read_pointer[pop_queue];
    wire [POINTER_BITS:0] pop_count = write_pointer[pop_queue] - pop_head;
    wire [POINTER_BITS-1:0] pop_third = pop_head[POINTER_BITS-1:0] + TWO[POINTER_BITS-1:0];
    wire both = |(push & pop);          // the same queue
    // The pushed flit is the oldest, the second oldest, of its queue after this cycle.
    wire becomes_first = both ? push_count == ONE : ~|(push & holds_one);
    wire becomes_second = push_count == (both ? TWO : ONE);
    wire [3:0] pop_flags = last_memory[{pop_queue, pop_third[POINTER_BITS-1:2]}];
    wire third_last = pop_flags[pop_third[1:0]];
    wire [3:0] push_flags = last_memory[{push_queue, push_tail[POINTER_BITS-1:2]}];
    wire [3:0] push_place = 4'd1 << push_tail[1:0];

    always @(posedge clk) begin
        if (|push) begin
            memory[{push_queue, push_tail[POINTER_BITS-1:0]}] <= {push_bad, push_last, push_data};
            last_memory[{push_queue, push_tail[POINTER_BITS-1:2]}]
                <= (push_flags & ~push_place) | (push_place & {4{push_last}});
            write_pointer[push_queue] <= push_tail + ONE;
        end
        if (|pop) begin
            fetched <= memory[{pop_queue, pop_head[POINTER_BITS-1:0]}];
            read_pointer[pop_queue] <= pop_head + ONE;
        end
    end

    always @(posedge clk)
        if (rst) begin
            holds_one <= {QUEUES{1'b0}};
            holds_two <= {QUEUES{1'b0}};
            crowded <= {QUEUES{1'b0}};
        end else if (|push | |pop) begin
            if (~both) begin
                holds_one <= (holds_one | push) & ~(pop & ~holds_two);
                holds_two <= (holds_two | (push & {QUEUES{push_count == ONE}}))
                    & ~(pop & {QUEUES{pop_count == TWO}});
                crowded <= (crowded | (push & {QUEUES{push_count == LIMIT - ONE}}))
                    & ~(pop & {QUEUES{pop_count == LIMIT}});
            end
            first_last <= (first_last & ~pop & ~(push & {QUEUES{becomes_first}}))
                | (pop & second_last & ~(push & {QUEUES{becomes_first}}))
                | (push & {QUEUES{becomes_first & push_last}});
            second_last <= (second_last & ~pop & ~(push & {QUEUES{becomes_second}}))
                | (pop & {QUEUES{third_last}} & ~(push & {QUEUES{becomes_second}}))
                | (push & {QUEUES{becomes_second & push_last}});
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
            read_pointer[queue] = {POINTER_BITS+1{1'b0}};

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
