// queue_bank: the virtual output queues of one input that share one memory bank.
// Queue q = slot * VCS + channel; every queue holds up to QUEUE_FLITS flits of a fixed part of the
// memory. At most one queue is pushed and at most one is popped in a cycle; a flit may be popped in
// the very cycle in which it is pushed into an empty queue (it passes through).
// Latency: a flit popped in cycle a is on `read_*` in cycle a + 2 (+1 with REGISTER_READ).
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
    input  wire [SLOTS*VCS-1:0]  push,          // one-hot or 0
    input  wire                  push_last,
    input  wire                  push_bad,
    input  wire [DATA_WIDTH-1:0] push_data,
    input  wire [SLOTS*VCS-1:0]  pop,           // one-hot or 0
    output wire [SLOTS*VCS-1:0]  available,     // a flit can be popped in this cycle
    output wire [SLOTS*VCS-1:0]  last,          // and it is the last one of its packet
    output reg  [SLOTS*VCS-1:0]  crowded,       // holds QUEUE_FLITS - RX_BUFFER_FLITS or more
    output wire [DATA_WIDTH-1:0] read_data,
    output wire                  read_last,
    output wire                  read_bad
);
    localparam QUEUES = SLOTS * VCS;
    localparam QUEUE_BITS = QUEUES > 1 ? $clog2(QUEUES) : 1;
    localparam POINTER_BITS = $clog2(QUEUE_FLITS);
    localparam DEPTH = QUEUES * QUEUE_FLITS;
    localparam ADDRESS_BITS = $clog2(DEPTH);
    localparam [POINTER_BITS:0] LIMIT = QUEUE_FLITS - RX_BUFFER_FLITS;
    localparam [POINTER_BITS:0] ONE = 1;

    // Every queue knows how many flits it holds and where the next one goes; its oldest flit is
    // that many places before. So only the counts need a reset, and the pointers fit a LUT RAM.
    (* mem2reg *) reg [POINTER_BITS:0] count [0:QUEUES-1];
    reg [POINTER_BITS-1:0] write_pointer [0:QUEUES-1];

    // `last` of every stored flit, because allocation needs it two cycles before the data; the
    // oldest flit's is kept in a register.
    reg last_memory [0:DEPTH-1];
    reg [QUEUES-1:0] head_last;
    reg [QUEUES-1:0] stored;

    wire [QUEUE_BITS-1:0] push_queue = number_of(push);
    wire [QUEUE_BITS-1:0] pop_queue = number_of(pop);
    wire [QUEUE_BITS+POINTER_BITS-1:0] push_place;
    wire [QUEUE_BITS+POINTER_BITS-1:0] pop_place;
    wire [QUEUE_BITS+POINTER_BITS-1:0] next_place;
    wire [POINTER_BITS-1:0] read_pointer;
    reg read;
    reg [ADDRESS_BITS-1:0] read_address;
    integer queue;

    function [QUEUE_BITS-1:0] number_of;
        input [QUEUES-1:0] one_hot;
        integer number;
        begin
            number_of = {QUEUE_BITS{1'b0}};
            if (|one_hot)
                for (number = 0; number < QUEUES; number = number + 1)
                    number_of = number_of
                        | ({QUEUE_BITS{one_hot[number]}} & number[QUEUE_BITS-1:0]);
        end
    endfunction

    assign available = stored | push;
    assign last = (stored & head_last) | (push & ~stored & {QUEUES{push_last}});

    assign read_pointer = write_pointer[pop_queue] - count[pop_queue][POINTER_BITS-1:0];
    assign push_place = {push_queue, write_pointer[push_queue]};
    assign pop_place = {pop_queue, read_pointer};
    assign next_place = {pop_queue, read_pointer + ONE[POINTER_BITS-1:0]};

    always @(posedge clk) begin
        if (|push) begin
            write_pointer[push_queue] <= write_pointer[push_queue] + ONE[POINTER_BITS-1:0];
            last_memory[push_place[ADDRESS_BITS-1:0]] <= push_last;
        end
    end

    always @(posedge clk) begin
        read <= |pop;
        if (|pop)
            read_address <= pop_place[ADDRESS_BITS-1:0];
        if (rst) begin
            read <= 1'b0;
            stored <= {QUEUES{1'b0}};
            crowded <= {QUEUES{1'b0}};
            for (queue = 0; queue < QUEUES; queue = queue + 1)
                count[queue] <= {POINTER_BITS+1{1'b0}};
        end else if (|(push | pop)) begin
            for (queue = 0; queue < QUEUES; queue = queue + 1) begin
                if (push[queue] & ~pop[queue]) begin
                    count[queue] <= count[queue] + ONE;
                    stored[queue] <= 1'b1;
                    crowded[queue] <= count[queue] >= LIMIT - ONE;
                end
                if (pop[queue] & ~push[queue]) begin
                    count[queue] <= count[queue] - ONE;
                    stored[queue] <= count[queue] != ONE;
                    crowded[queue] <= count[queue] > LIMIT;
                end
                // The pushed flit is the oldest one after this cycle, or a stored one is.
                if (push[queue] & count[queue] == {{POINTER_BITS{1'b0}}, pop[queue]})
                    head_last[queue] <= push_last;
                else if (pop[queue])
                    head_last[queue] <= last_memory[next_place[ADDRESS_BITS-1:0]];
            end
        end
    end

    queue_memory #(
        .WIDTH(DATA_WIDTH + 2),
        .DEPTH(DEPTH),
        .ADDRESS_BITS(ADDRESS_BITS),
        .REGISTER_READ(REGISTER_READ)
    ) storage (
        .clk(clk),
        .write(|push),
        .write_address(push_place[ADDRESS_BITS-1:0]),
        .write_word({push_bad, push_last, push_data}),
        .read(read),
        .read_address(read_address),
        .read_word({read_bad, read_last, read_data})
    );

    // With a single queue the queue number is no part of an address.
    wire unused_ok = &{1'b0, push_place, pop_place, next_place};

    // Power-up pointers: any value works in hardware, simulators need a known one.
    integer start;
    initial
        for (start = 0; start < QUEUES; start = start + 1)
            write_pointer[start] = {POINTER_BITS{1'b0}};

`ifdef MKNS_ASSERT
    integer checked;
    always @(posedge clk)
        if (!rst)
            for (checked = 0; checked < QUEUES; checked = checked + 1) begin
                if (pop[checked] & ~available[checked]) begin
                    $display("mkns_assert %m: pop of empty queue %0d", checked);
                    $stop;
                end
                if (push[checked] & ~pop[checked] & count[checked] >= QUEUE_FLITS) begin
                    $display("mkns_assert %m: queue %0d overflows", checked);
                    $stop;
                end
                if (stored[checked] != (count[checked] != 0)) begin
                    $display("mkns_assert %m: count of queue %0d disagrees", checked);
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
