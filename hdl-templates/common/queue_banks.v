// queue_banks: the virtual output queues of all inputs; every input has BANKS memory banks.
// The queues of an input are numbered place * VCS + channel, where a place is an output in bank
// order; their bits stand in a row of STRIDE bits, and those of a bank are one slice of it. Every
// queue holds up to QUEUE_FLITS flits of a fixed part of its bank's memory. In a bank at most one
// queue is pushed and at most one is popped in a cycle; a flit may be popped in the very cycle in
// which it is pushed into an empty queue (it passes through).
// Latency: a flit popped in cycle a is on `read_word` in cycle a + 2 (+1 with REGISTER_READ).
// Reset: synchronous, active high; empties all queues, memory contents stay.
// Limits: QUEUE_FLITS a power of two, RX_BUFFER_FLITS < QUEUE_FLITS, STRIDE > OUTPUTS * VCS.
<$ banner $>
`default_nettype none

module queue_banks #(
    parameter INPUTS = 10,
    parameter OUTPUTS = 10,
    parameter BANKS = 2,
    parameter STRIDE = 32,
    parameter VCS = 2,
    parameter DATA_WIDTH = 64,
    parameter RX_BUFFER_FLITS = 12,
    parameter QUEUE_FLITS = 32,
    parameter REGISTER_READ = 0
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [INPUTS-1:0]            entering,       // 0 where `enter` is 0
    input  wire [INPUTS*STRIDE-1:0]     enter,          // `push` of the next cycle
    input  wire [INPUTS-1:0]            enter_last,
    input  wire [INPUTS-1:0]            pushing,        // 0 where `push` is 0
    input  wire [INPUTS*STRIDE-1:0]     push,
    input  wire [INPUTS-1:0]            push_last,
    input  wire [INPUTS-1:0]            push_bad,
    input  wire [INPUTS*DATA_WIDTH-1:0] push_data,
    input  wire [INPUTS*STRIDE-1:0]     pop,
    output reg  [INPUTS*STRIDE-1:0]     available,      // a flit can be popped in this cycle
    output reg  [INPUTS*STRIDE-1:0]     last,           // and it is the last one of its packet
    output reg  [INPUTS*STRIDE-1:0]     crowded,        // CROWDED flits or more
    // bank b of input i at i * BANKS + b: {0, bad, last, data}
    output wire [INPUTS*BANKS*(DATA_WIDTH+32)-1:0] read_word
);
    localparam WORD_STRIDE = DATA_WIDTH + 32;
    localparam POINTER_BITS = $clog2(QUEUE_FLITS);
    localparam WORD_BITS = DATA_WIDTH + 2;
    localparam CROWDED = QUEUE_FLITS - RX_BUFFER_FLITS;
    localparam [POINTER_BITS:0] LIMIT = CROWDED[POINTER_BITS:0];
    localparam [POINTER_BITS:0] ONE = 1;
    localparam [POINTER_BITS:0] NONE = 0;

    // The oldest flit of a queue is its packet's last; the queue holds a flit; it `moved` (below).
    reg [INPUTS*STRIDE-1:0] head_last;
    reg [INPUTS*STRIDE-1:0] stored;
    reg [INPUTS*STRIDE-1:0] moved;
    reg [INPUTS*BANKS*WORD_STRIDE-1:0] fetched;
    reg [INPUTS*BANKS-1:0] read;

    // Inputs whose queues change in this cycle, and banks that are popped.
    reg [INPUTS-1:0] busy;
    reg [INPUTS*BANKS-1:0] popping;
    integer looking;
    integer part;

    always @* begin
        busy = entering | pushing;
        popping = {INPUTS*BANKS{1'b0}};
        looking = 0;
        part = 0;
        if (|pop)
            for (looking = 0; looking < INPUTS; looking = looking + 1)
                if (|pop[looking*STRIDE +: STRIDE]) begin
                    busy[looking] = 1'b1;
                    for (part = 0; part < BANKS; part = part + 1)
                        popping[looking*BANKS + part]
                            = |(pop[looking*STRIDE +: OUTPUTS*VCS] & queues_of(part));
                end
    end

    // The queues of a bank, as bits of a row.
    function [OUTPUTS*VCS-1:0] queues_of(input integer bank);
        queues_of = ~({OUTPUTS*VCS{1'b1}} << ((OUTPUTS - bank + BANKS - 1) / BANKS * VCS))
            << (VCS * (bank * (OUTPUTS / BANKS)
                + (bank < OUTPUTS % BANKS ? bank : OUTPUTS % BANKS)));
    endfunction

    always @(posedge clk)
        read <= popping & ~{INPUTS*BANKS{rst}};

    generate
        genvar i;
        genvar b;
        for (i = 0; i < INPUTS; i = i + 1) begin : gen_input
            for (b = 0; b < BANKS; b = b + 1) begin : gen_bank
                localparam QUEUES = (OUTPUTS - b + BANKS - 1) / BANKS * VCS;
                localparam FIRST = i * STRIDE + VCS * (b * (OUTPUTS / BANKS)
                    + (b < OUTPUTS % BANKS ? b : OUTPUTS % BANKS));
                // The last bank's slice goes on to the end of the row.
                localparam SLICE = b == BANKS - 1 ? (i + 1) * STRIDE - FIRST : QUEUES;
                // Synthesis has to see that the bits behind the queues never change.
                localparam [SLICE-1:0] USED = {SLICE{1'b1}} >> (SLICE - QUEUES);
                localparam NUMBER = i * BANKS + b;

                // The queues whose number has a 1 at a place.
                function [SLICE-1:0] numbers_with(input integer one);
                    integer candidate;
                    begin
                        numbers_with = {SLICE{1'b0}};
                        for (candidate = 0; candidate < QUEUES; candidate = candidate + 1)
                            numbers_with[candidate] = (candidate >> one) % 2 == 1;
                    end
                endfunction
                // An address is {queue, place}, even where there is one queue only.
                localparam QUEUE_BITS = QUEUES > 1 ? $clog2(QUEUES) : 1;
                localparam DEPTH = (QUEUES > 1 ? QUEUES : 2) * QUEUE_FLITS;
                localparam ADDRESS_BITS = QUEUE_BITS + POINTER_BITS;

                // The flits {bad, last, data}: one write port and one registered read port, for
                // block RAM. A place is never written in the cycle in which it is read: that takes
                // a push to a queue that was full one cycle before, and when a queue is full, the
                // sender has no credits left.
                (* no_rw_check *) reg [WORD_BITS-1:0] memory [0:DEPTH-1];
                reg [ADDRESS_BITS-1:0] read_address;

                // `last` of every stored flit, because allocation needs it two cycles before the
                // data, in words of four places, as wide as LUT RAM is; the oldest flit's is kept
                // in a register.
                reg [3:0] last_memory [0:DEPTH/4-1];

                // Pointers count modulo 2 * QUEUE_FLITS, so their difference is the number of flits
                // held. They fit a LUT RAM, which cannot be reset: the write pointer counts only
                // while the queue holds a flit, the read pointer only while the queue has `moved`;
                // both are 0 otherwise. So queues that empty start again at place 0, and memory in
                // use stays small (simulators' caches).
                (* ram_style = "distributed" *)
                reg [POINTER_BITS:0] write_pointer [0:(1<<QUEUE_BITS)-1];
                (* ram_style = "distributed" *)
                reg [POINTER_BITS:0] read_pointer [0:(1<<QUEUE_BITS)-1];

                always @(posedge clk) begin : move
                    reg [SLICE-1:0] pushed;
                    reg [SLICE-1:0] popped;
                    reg [SLICE-1:0] entered;
                    reg [QUEUE_BITS-1:0] queue;
                    reg [POINTER_BITS:0] tail;
                    reg [POINTER_BITS:0] head;
                    reg [POINTER_BITS:0] count;
                    reg [ADDRESS_BITS-1:0] place;
                    reg [3:0] flags;
                    reg passes;
                    reg becomes_head;
                    reg next_last;
                    reg [SLICE-1:0] next_stored;
                    reg [SLICE-1:0] next_crowded;
                    reg [SLICE-1:0] next_head_last;
                    integer number;

                    pushed = {SLICE{1'b0}};
                    popped = {SLICE{1'b0}};
                    entered = {SLICE{1'b0}};
                    queue = {QUEUE_BITS{1'b0}};
                    tail = NONE;
                    head = NONE;
                    count = NONE;
                    place = {ADDRESS_BITS{1'b0}};
                    flags = 4'd0;
                    passes = 1'b0;
                    becomes_head = 1'b0;
                    next_last = 1'b0;
                    next_stored = {SLICE{1'b0}};
                    next_crowded = {SLICE{1'b0}};
                    next_head_last = {SLICE{1'b0}};
                    if (rst) begin
                        stored[FIRST +: SLICE] <= {SLICE{1'b0}};
                        crowded[FIRST +: SLICE] <= {SLICE{1'b0}};
                        available[FIRST +: SLICE] <= {SLICE{1'b0}};
                        last[FIRST +: SLICE] <= {SLICE{1'b0}};
                        moved[FIRST +: SLICE] <= {SLICE{1'b0}};
                    end else if (busy[i]) begin
                        entered = enter[FIRST +: SLICE] & USED;
                        pushed = push[FIRST +: SLICE] & USED;
                        popped = pop[FIRST +: SLICE] & USED;
                        next_stored = stored[FIRST +: SLICE];
                        next_crowded = crowded[FIRST +: SLICE];
                        next_head_last = head_last[FIRST +: SLICE];
                        becomes_head = 1'b0;
                        passes = |(pushed & popped);
                        if (|pushed) begin
                            for (number = 0; number < QUEUE_BITS; number = number + 1)
                                queue[number] = |(pushed & numbers_with(number));
                            head = |(pushed & moved[FIRST +: SLICE]) ? read_pointer[queue] : NONE;
                            tail = |(pushed & stored[FIRST +: SLICE])
                                ? write_pointer[queue] : head;
                            count = tail - head;
                            place = {queue, tail[POINTER_BITS-1:0]};
                            memory[place] <= {push_bad[i], push_last[i],
                                push_data[i*DATA_WIDTH +: DATA_WIDTH]};
                            flags = last_memory[place[ADDRESS_BITS-1:2]];
                            flags[place[1:0]] = push_last[i];
                            last_memory[place[ADDRESS_BITS-1:2]] <= flags;
                            write_pointer[queue] <= tail + ONE;
`ifdef MKNS_ASSERT
                            if (read[NUMBER] && place == read_address) begin
                                $display("mkns_assert %m: queue %0d is written where it is read",
                                    queue);
                                $stop;
                            end
`endif
                            // The pushed flit is the oldest of its queue after this cycle.
                            becomes_head = count == {{POINTER_BITS{1'b0}}, passes};
                            if (becomes_head)
                                next_head_last = (next_head_last & ~pushed)
                                    | (pushed & {SLICE{push_last[i]}});
                            if (~passes) begin
                                next_stored = next_stored | pushed;
                                if (count == LIMIT - ONE)
                                    next_crowded = next_crowded | pushed;
                            end
                        end
                        if (popping[NUMBER]) begin
                            for (number = 0; number < QUEUE_BITS; number = number + 1)
                                queue[number] = |(popped & numbers_with(number));
                            head = |(popped & moved[FIRST +: SLICE]) ? read_pointer[queue] : NONE;
                            tail = |(popped & stored[FIRST +: SLICE])
                                ? write_pointer[queue] : head;
                            count = tail - head;
                            place = {queue, head[POINTER_BITS-1:0]};
                            read_address <= place;
                            read_pointer[queue] <= head + ONE;
                            head = head + ONE;
                            place = {queue, head[POINTER_BITS-1:0]};
                            flags = last_memory[place[ADDRESS_BITS-1:2]];
                            next_last = flags[place[1:0]];
                            if (~(becomes_head & passes))
                                next_head_last = (next_head_last & ~popped)
                                    | (popped & {SLICE{next_last}});
                            if (~passes) begin
                                if (count == ONE)
                                    next_stored = next_stored & ~popped;
                                if (count == LIMIT)
                                    next_crowded = next_crowded & ~popped;
                            end
                        end
                        stored[FIRST +: SLICE] <= next_stored;
                        crowded[FIRST +: SLICE] <= next_crowded;
                        head_last[FIRST +: SLICE] <= next_head_last;
                        available[FIRST +: SLICE] <= next_stored | entered;
                        last[FIRST +: SLICE] <= (next_stored & next_head_last)
                            | (entered & ~next_stored & {SLICE{enter_last[i]}});
                        // An empty queue goes back to place 0, but never to a place that is being
                        // read.
                        moved[FIRST +: SLICE] <= popped | (moved[FIRST +: SLICE]
                            & ({SLICE{read[NUMBER]}} | stored[FIRST +: SLICE] | pushed));
                    end
                end

                always @(posedge clk)
                    if (read[NUMBER])
                        fetched[NUMBER*WORD_STRIDE +: WORD_STRIDE]
                            <= {30'd0, memory[read_address]};

`ifdef MKNS_ASSERT
                integer index;
                always @(posedge clk)
                    if (!rst) begin
                        if (|(pop[FIRST +: QUEUES] & ~available[FIRST +: QUEUES])) begin
                            $display("mkns_assert %m: pop of an empty queue");
                            $stop;
                        end
                        if ((push[FIRST +: QUEUES] & (push[FIRST +: QUEUES] - 1'b1)) != 0
                            || (pop[FIRST +: QUEUES] & (pop[FIRST +: QUEUES] - 1'b1)) != 0) begin
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
                            held[index] <= held[index] + {{POINTER_BITS{1'b0}}, push[FIRST + index]}
                                - {{POINTER_BITS{1'b0}}, pop[FIRST + index]};
                            if (held[index] > QUEUE_FLITS) begin
                                $display("mkns_assert %m: queue %0d overflows", index);
                                $stop;
                            end
                            if (stored[FIRST + index] != (held[index] != 0)
                                || crowded[FIRST + index] != (held[index] >= LIMIT)) begin
                                $display("mkns_assert %m: fill of queue %0d disagrees", index);
                                $stop;
                            end
                        end
`endif
            end
        end
    endgenerate

    generate
        if (REGISTER_READ != 0) begin : gen_register_read
            reg [INPUTS*BANKS*WORD_STRIDE-1:0] fetched_again;
            always @(posedge clk)
                fetched_again <= fetched;
            assign read_word = fetched_again;
        end else begin : gen_direct_read
            assign read_word = fetched;
        end
    endgenerate
endmodule

`default_nettype wire
