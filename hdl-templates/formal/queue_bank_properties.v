// queue_bank_properties: one bank of queue_banks between any legal pushes and pops.
// Legal: at most one push and one pop a cycle, no pop of an empty queue, and a push only where there
// is room even without the pop of this cycle and the last: credits come back later than that
// (docs/microarchitecture.md 1.5). One flit, any, of one queue, any, is followed from its push to its
// way out.

module queue_bank_properties #(
    parameter SLOTS = 1,
    parameter VCS = 2,
    parameter DATA_WIDTH = 1,
    parameter RX_BUFFER_FLITS = 2,
    parameter QUEUE_FLITS = 4,
    parameter REGISTER_READ = 0
) (
    input wire                  clk,
    input wire                  rst,
    input wire [SLOTS*VCS-1:0]  enter,      // pushed in the next cycle
    input wire                  enter_last,
    input wire                  enter_bad,
    input wire [DATA_WIDTH-1:0] enter_data,
    input wire [SLOTS*VCS-1:0]  pop,
    input wire                  choose      // the flit pushed in this cycle is the one to follow
);
    localparam QUEUES = SLOTS * VCS;
    localparam COUNT_BITS = $clog2(QUEUE_FLITS) + 1;
    localparam WAY = REGISTER_READ != 0 ? 3 : 2;
    wire [QUEUES-1:0] available;
    wire [QUEUES-1:0] last;
    wire [QUEUES-1:0] crowded;
    wire [2:0] unused_top;
    wire [DATA_WIDTH+31:0] read_word;
    reg [QUEUES-1:0] push;
    reg push_last;
    reg push_bad;
    reg [DATA_WIDTH-1:0] push_data;

    always @(posedge clk) begin
        push <= rst ? {QUEUES{1'b0}} : enter;
        push_last <= enter_last;
        push_bad <= enter_bad;
        push_data <= enter_data;
    end

    queue_banks #(
        .INPUTS(1),
        .OUTPUTS(SLOTS),
        .BANKS(1),
        .STRIDE(QUEUES + 1),
        .VCS(VCS),
        .DATA_WIDTH(DATA_WIDTH),
        .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
        .QUEUE_FLITS(QUEUE_FLITS),
        .REGISTER_READ(REGISTER_READ)
    ) bank (
        .clk(clk), .rst(rst),
        .entering(|enter), .enter({1'b0, enter}), .enter_last(enter_last),
        .pushing(|push), .push({1'b0, push}), .push_last(push_last), .push_bad(push_bad),
        .push_data(push_data), .pop({1'b0, pop}), .available({unused_top[0], available}),
        .last({unused_top[1], last}), .crowded({unused_top[2], crowded}),
        .read_word(read_word)
    );

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
    end

    // Fill of every queue, and which would be full without the pop of the last cycle.
    reg [QUEUES*COUNT_BITS-1:0] held;
    reg [QUEUES-1:0] was_full;
    integer queue;
    always @(posedge clk) begin
        assume ((push & (push - 1'b1)) == 0);
        assume ((pop & (pop - 1'b1)) == 0);
        for (queue = 0; queue < QUEUES; queue = queue + 1) begin
            was_full[queue] <= !rst && held[queue*COUNT_BITS +: COUNT_BITS] + push[queue]
                == QUEUE_FLITS;
            if (rst)
                held[queue*COUNT_BITS +: COUNT_BITS] <= 0;
            else begin
                assume (!(push[queue] && (was_full[queue]
                    || held[queue*COUNT_BITS +: COUNT_BITS] == QUEUE_FLITS)));
                assume (!(pop[queue] && !push[queue]
                    && held[queue*COUNT_BITS +: COUNT_BITS] == 0));
                held[queue*COUNT_BITS +: COUNT_BITS]
                    <= held[queue*COUNT_BITS +: COUNT_BITS] + push[queue] - pop[queue];
                // Available when filled.
                assert (available[queue]
                    == (push[queue] || held[queue*COUNT_BITS +: COUNT_BITS] != 0));
                // Crowded when crowded.
                assert (crowded[queue] == (held[queue*COUNT_BITS +: COUNT_BITS]
                    >= QUEUE_FLITS - RX_BUFFER_FLITS));
            end
        end
    end

    // The flit that is followed.
    (* anyconst *) reg [QUEUES-1:0] watched;
    reg [COUNT_BITS-1:0] watched_held;
    reg following;
    reg [COUNT_BITS-1:0] ahead;         // flits of its queue that leave before it
    reg [DATA_WIDTH+1:0] flit;          // {bad, last, data}
    reg [WAY-1:0] on_its_way;           // cycles since its pop
    wire enters = |(push & watched) && choose && !following && on_its_way == 0;
    wire [COUNT_BITS-1:0] ahead_now = following ? ahead : watched_held;
    wire leaves = (following || enters) && |(pop & watched) && ahead_now == 0;

    integer place;
    always @* begin
        watched_held = 0;
        for (place = 0; place < QUEUES; place = place + 1)
            watched_held = watched_held
                | (held[place*COUNT_BITS +: COUNT_BITS] & {COUNT_BITS{watched[place]}});
    end

    always @(posedge clk) begin
        assume (watched != 0 && (watched & (watched - 1'b1)) == 0);
        if (rst) begin
            following <= 1'b0;
            on_its_way <= 0;
        end else begin
            following <= (following || enters) && !leaves;
            on_its_way <= {on_its_way[WAY-2:0], leaves};
            ahead <= ahead_now - |(pop & watched);
            if (enters)
                flit <= {push_bad, push_last, push_data};
            if (following && ahead == 0)
                // Last of the oldest.
                assert (|(last & watched) == flit[DATA_WIDTH]);
            if (enters && watched_held == 0)
                // Last of the passing.
                assert (|(last & watched) == push_last);
            if (on_its_way[WAY-1])
                // In order and whole.
                assert (read_word == {30'd0, flit});
        end
    end
endmodule
