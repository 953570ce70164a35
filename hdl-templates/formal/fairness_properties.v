// fairness_properties: the outputs of one bank, output_units and their accept_bank, between queues that
// hold what they like. Their neighbours give every credit back at once, and a packet that has begun
// has its next flit there: so no lock is held from outside.
// Whatever the others send, a flit at the head of a queue leaves within
// REQUESTS * (PATIENCE + OUTPUTS + 1) packets of the longest length (docs/microarchitecture.md 1.6).

module fairness_properties #(
    parameter INPUTS = 2,
    parameter OUTPUTS = 2,
    parameter VCS = 1,
    parameter PATIENCE = 2,
    parameter LONGEST = 2,              // flits of a packet
    parameter GAPS = 0,                 // 1: packets that have begun may wait for flits
    parameter WITHHELD = 0,             // 1: credits of channel 1 come when they like
    parameter BOUND = INPUTS * VCS * (PATIENCE + OUTPUTS + 1) * LONGEST
) (
    input wire                          clk,
    input wire                          rst,
    input wire [OUTPUTS*INPUTS*VCS-1:0] waiting,
    input wire [OUTPUTS*INPUTS*VCS-1:0] ready,
    input wire [OUTPUTS*INPUTS*VCS-1:0] ready_last,
    input wire [OUTPUTS-1:0]            late_credit
);
    localparam REQUESTS = INPUTS * VCS;
    localparam ALL = OUTPUTS * REQUESTS;
    wire [OUTPUTS-1:0] flowing;
    wire [OUTPUTS*INPUTS-1:0] chosen_input;
    wire [OUTPUTS-1:0] claims;
    wire [INPUTS-1:0] barred;
    wire [OUTPUTS-1:0] blocked;
    wire [OUTPUTS-1:0] accept;
    wire [ALL-1:0] pop;

    accept_bank #(
        .INPUTS(INPUTS),
        .SLOTS(OUTPUTS)
    ) bank (
        .clk(clk), .rst(rst), .flowing(flowing), .chosen_input(chosen_input), .claims(claims),
        .barred(barred), .blocked(blocked), .accept(accept)
    );

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
    end

    generate
        genvar o;
        for (o = 0; o < OUTPUTS; o = o + 1) begin : gen_output
            wire match_valid;
            wire match_vc;
            wire [VCS-1:0] sent = {VCS{match_valid}} & (1 << (VCS > 1 ? match_vc : 0));
            wire [VCS-1:0] tx_credit;
            if (WITHHELD != 0) begin : gen_credit
                reg [2:0] outstanding;
                assign tx_credit = {late_credit[o], sent[0]};
                always @(posedge clk) begin
                    outstanding <= rst ? 0 : outstanding + sent[1] - late_credit[o];
                    assume (!late_credit[o] || outstanding != 0);
                end
            end else begin : gen_credit
                assign tx_credit = sent;
            end

            output_unit #(
                .INPUTS(INPUTS),
                .VCS(VCS),
                .RX_BUFFER_FLITS(2),
                .MAX_PACKET_FLITS(LONGEST),
                .STEPS(0),
                .PATIENCE(PATIENCE)
            ) unit (
                .clk(clk), .rst(rst), .up(1'b1), .tx_credit(tx_credit), .step({INPUTS{1'b0}}),
                .waiting(waiting[o*REQUESTS +: REQUESTS]), .ready(ready[o*REQUESTS +: REQUESTS]),
                .ready_last(ready_last[o*REQUESTS +: REQUESTS]), .barred(barred),
                .flowing(flowing[o]), .chosen_input(chosen_input[o*INPUTS +: INPUTS]),
                .claims(claims[o]), .blocked(blocked[o]), .accept(accept[o]),
                .pop(pop[o*REQUESTS +: REQUESTS]), .match_valid(match_valid),
                .match_vc(match_vc), .match_input(), .events()
            );
        end
    endgenerate

    // Queues: what was there and was not popped is there still, with what was on its way.
    reg [ALL-1:0] was_waiting;
    reg [ALL-1:0] was_ready;
    reg [ALL-1:0] was_last;
    reg [ALL*3-1:0] begun;              // flits of the oldest packet that have left
    reg [ALL*3-1:0] begun_now;
    integer number;

    always @*
        for (number = 0; number < ALL; number = number + 1) begin
            begun_now[number*3 +: 3] = begun[number*3 +: 3];
            if (pop[number])
                begun_now[number*3 +: 3] = was_last[number] ? 3'd0 : begun[number*3 +: 3] + 3'd1;
        end

    integer queue;
    always @(posedge clk) begin
        was_waiting <= waiting;
        was_ready <= ready;
        was_last <= ready_last;
        begun <= rst ? 0 : begun_now;
        for (queue = 0; queue < ALL; queue = queue + 1) begin
            assume (!ready[queue] || waiting[queue]);
            if (rst)
                assume (!waiting[queue] && !ready_last[queue]);
            else begin
                if (!pop[queue]) begin
                    assume (!was_waiting[queue] || ready[queue]);
                    assume (!was_ready[queue] || ready_last[queue] == was_last[queue]);
                end
                assume (GAPS != 0 || begun_now[queue*3 +: 3] == 0 || ready[queue]);
                assume (!ready[queue] || begun_now[queue*3 +: 3] < LONGEST - 1
                    || ready_last[queue]);
            end
        end
    end

    // Any one request, and how long it is at the head of its queue, its channel held by no packet
    // but a running one.
    (* anyconst *) reg [ALL-1:0] followed;
    reg [7:0] waited;
    reg [ALL-1:0] rivals;               // requests of its output and channel
    reg [ALL-1:0] running;
    reg locked;
    integer rival;
    integer other;

    always @* begin
        locked = 1'b0;
        rivals = 0;
        running = pop & ~was_last;
        for (rival = 0; rival < ALL; rival = rival + 1)
            if (followed[rival])
                for (other = 0; other < INPUTS; other = other + 1)
                    if (rival != rival - rival % INPUTS + other)
                        rivals[rival - rival % INPUTS + other] = 1'b1;
        for (rival = 0; rival < ALL; rival = rival + 1)
            if (rivals[rival] && (begun_now[rival*3 +: 3] != 0) && !(running[rival] && flowing[rival / REQUESTS]))
                locked = 1'b1;
    end

    always @(posedge clk) begin
        assume (followed != 0 && (followed & (followed - 1'b1)) == 0);
        if (WITHHELD != 0)
            for (rival = 0; rival < ALL; rival = rival + 1)
                assume (!followed[rival] || rival % REQUESTS < INPUTS);
        waited <= rst || locked || (followed & ready & ~pop) == 0 ? 0 : waited + (waited != 255);
        // Nobody starves.
        assert (rst || waited < BOUND);
    end
endmodule
