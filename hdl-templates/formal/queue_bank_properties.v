// queue_bank_properties: input_queues with one queue_bank between any legal pushes and pops.
// Legal: at most one push and one pop a cycle, no pop of a queue that held nothing at the start of
// the cycle, no push of a full one. One flit, any, of one queue, any, is followed from its push to
// its way out.
// With ADAPTIVE a flit also has a way, which is told while it is the oldest one and in the cycle of
// its pop, and what is pushed is ready.

module queue_bank_properties #(
    parameter SLOTS = 1,
    parameter VCS = 2,
    parameter DATA_WIDTH = 1,
    parameter QUEUE_FLITS = 8,
    parameter ADAPTIVE = 0
) (
    input wire                  clk,
    input wire                  rst,
    input wire [SLOTS*VCS-1:0]  push,
    input wire                  push_last,
    input wire                  push_bad,
    input wire                  push_adaptive,
    input wire [DATA_WIDTH-1:0] push_data,
    input wire [SLOTS*VCS-1:0]  pop,
    input wire [SLOTS*VCS-1:0]  chosen,
    input wire                  choose      // the flit pushed in this cycle is the one to follow
);
    localparam QUEUES = SLOTS * VCS;
    localparam COUNT_BITS = $clog2(QUEUE_FLITS) + 1;
    // Without a push any number.
    localparam QUEUE_BITS = 1 + (QUEUES > 1 ? $clog2(QUEUES) : 1);
    (* anyseq *) reg [QUEUE_BITS-1:0] push_queue;
    integer pushed;
    always @*
        for (pushed = 0; pushed < QUEUES; pushed = pushed + 1)
            assume (!push[pushed] || push_queue == pushed);
    wire [QUEUES-1:0] waiting;
    wire [QUEUES-1:0] ready;
    wire [QUEUES-1:0] ready_more;
    wire [QUEUES-1:0] holds;
    wire [QUEUES-1:0] way;
    wire [VCS-1:0] claims;
    wire [VCS-1:0] left;
    wire [DATA_WIDTH+31:0] read_word;

    input_queues #(
        .PORTS(SLOTS),
        .VCS(VCS),
        .BANKS(1),
        .DATA_WIDTH(DATA_WIDTH),
        .QUEUE_FLITS(QUEUE_FLITS),
        .ADAPTIVE(ADAPTIVE)
    ) bank (
        .clk(clk), .rst(rst),
        .push(push), .pushes(|push), .push_queue(push_queue), .push_last(push_last),
        .push_bad(push_bad), .push_data(push_data), .push_adaptive(push_adaptive), .way(way),
        .pop(pop), .waiting(waiting), .ready(ready), .ready_more(ready_more), .holds(holds),
        .chosen(chosen), .claims(claims), .left(left), .read_word(read_word)
    );

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
    end

    // Fill of every queue at the start of the cycle.
    reg [QUEUES*COUNT_BITS-1:0] held;
    integer queue;
    always @(posedge clk) begin
        assume ((push & (push - 1'b1)) == 0);
        assume ((pop & (pop - 1'b1)) == 0);
        for (queue = 0; queue < QUEUES; queue = queue + 1)
            if (rst) begin
                // Nothing comes or goes in a reset.
                assume (!push[queue] && !pop[queue]);
                held[queue*COUNT_BITS +: COUNT_BITS] <= 0;
            end else begin
                assume (!(push[queue] && held[queue*COUNT_BITS +: COUNT_BITS] == QUEUE_FLITS - 1));
                assume (!(pop[queue] && held[queue*COUNT_BITS +: COUNT_BITS] == 0));
                held[queue*COUNT_BITS +: COUNT_BITS]
                    <= held[queue*COUNT_BITS +: COUNT_BITS] + push[queue] - pop[queue];
                // Waiting with a flit besides the popped one or one that comes.
                assert (waiting[queue] == (push[queue]
                    || held[queue*COUNT_BITS +: COUNT_BITS] > pop[queue]));
                // Ready with a flit besides the popped one.
                assert (ready[queue] == (held[queue*COUNT_BITS +: COUNT_BITS] > pop[queue]
                    || (ADAPTIVE != 0 && push[queue])));
                assert (ready[queue] || !ready_more[queue]);
                // Holds one still, though it is popped.
                assert (holds[queue] == (held[queue*COUNT_BITS +: COUNT_BITS] != 0));
                // What leaves is told with its channel.
                assert (!pop[queue] || left == 1 << queue % VCS);
                assert (pop != 0 || left == 0);
                // What was chosen claims the bank on its channel if it goes on.
                assert (!(chosen[queue] && ready_more[queue]) || claims[queue % VCS]);
                assert ((chosen & ready_more) != 0 || claims == 0);
            end
    end

    // The flit that is followed.
    (* anyconst *) reg [QUEUES-1:0] watched;
    reg [COUNT_BITS-1:0] watched_held;
    reg following;
    reg [COUNT_BITS-1:0] ahead;         // flits of its queue that leave before it
    reg [DATA_WIDTH+1:0] flit;          // {bad, last, data}
    reg on_its_way;                     // it was popped in the last cycle
    reg adaptive;                       // its way
    wire enters = |(push & watched) && choose && !following && !on_its_way;
    wire leaves = following && |(pop & watched) && ahead == 0;

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
            on_its_way <= 1'b0;
        end else begin
            following <= (following || enters) && !leaves;
            on_its_way <= leaves;
            ahead <= (following ? ahead : watched_held) - |(pop & watched);
            if (enters)
                {adaptive, flit} <= {push_adaptive, push_bad, push_last, push_data};
            // Behind an empty queue it is the oldest one at once.
            if (ADAPTIVE != 0 && enters && watched_held == |(pop & watched))
                assert (|(ready_more & watched) != push_last);
            if (ADAPTIVE != 0 && enters && watched_held == 0)
                assert (|(way & watched) == push_adaptive);
            if (following && ahead == |(pop & watched))
                // Whether more follows the oldest that stays.
                assert (leaves || |(ready_more & watched) != flit[DATA_WIDTH]);
            if (ADAPTIVE != 0 && following && ahead == 0)
                assert (|(way & watched) == adaptive);
            if (on_its_way)
                // In order and whole.
                assert (read_word == {30'd0, flit});
        end
    end
endmodule
