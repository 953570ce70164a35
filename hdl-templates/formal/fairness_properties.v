// fairness_properties: the outputs of one bank, output_units and their accept_bank, between queues
// that hold what they like. The neighbours give credits back at once, or on LATE channels when they
// like; with GAPS the flits of a packet that has begun come when they like.
// Of every flit at the head of a queue, whatever the others send: so long as its channel has credits
// and no packet holds it but a running one, it leaves within the time of VCS times PACKETS packets of
// the longest length, which is less than docs/microarchitecture.md 1.6 says; and whatever becomes of
// credits and flits, no more than PACKETS packets pass it on its channel, as the page says.

module fairness_properties #(
    parameter INPUTS = 2,
    parameter OUTPUTS = 2,
    parameter VCS = 1,
    parameter PATIENCE = 2,
    parameter LONGEST = 2,              // flits of a packet
    parameter GAPS = 0,                 // 1: packets that have begun may wait for flits
    parameter LATE = 0,                 // bit w: credits of channel w come when they like
    parameter PACKETS = INPUTS * (PATIENCE + OUTPUTS + 1)
) (
    input wire                          clk,
    input wire                          rst,
    input wire [OUTPUTS*INPUTS*VCS-1:0] waiting,
    input wire [OUTPUTS*INPUTS*VCS-1:0] ready,
    input wire [OUTPUTS*INPUTS*VCS-1:0] ready_last,
    input wire [OUTPUTS*VCS-1:0]        late_credit
);
    localparam REQUESTS = INPUTS * VCS;
    localparam ALL = OUTPUTS * REQUESTS;
    wire [OUTPUTS-1:0] flowing;
    wire [OUTPUTS*INPUTS-1:0] chosen_input;
    wire [ALL-1:0] chosen;
    reg [VCS*INPUTS-1:0] barred;
    wire [OUTPUTS-1:0] accepted;
    wire [ALL-1:0] pop;

    accept_bank #(
        .INPUTS(INPUTS),
        .SLOTS(OUTPUTS)
    ) bank (
        .clk(clk), .rst(rst), .flowing(flowing), .chosen_input(chosen_input),
        .accepted(accepted)
    );

    integer claimer;
    always @* begin
        barred = 0;
        for (claimer = 0; claimer < OUTPUTS; claimer = claimer + 1)
            barred = barred | (chosen[claimer*REQUESTS +: REQUESTS]
                & ready[claimer*REQUESTS +: REQUESTS] & ~ready_last[claimer*REQUESTS +: REQUESTS]);
    end

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
            reg [2*VCS-1:0] outstanding;
            integer w;
            assign tx_credit = (late_credit[o*VCS +: VCS] & LATE) | (sent & ~LATE);
            always @(posedge clk)
                for (w = 0; w < VCS; w = w + 1) begin
                    outstanding[2*w +: 2] <= rst ? 0 : outstanding[2*w +: 2] + sent[w] - tx_credit[w];
                    assume (!tx_credit[w] || sent[w] || outstanding[2*w +: 2] != 0);
                end

            output_unit #(
                .INPUTS(INPUTS),
                .VCS(VCS),
                .RX_BUFFER_FLITS(2),
                .MAX_PACKET_FLITS(LONGEST),
                .STEPS(0),
                .PATIENCE(PATIENCE)
            ) unit (
                .clk(clk), .rst(rst), .down(1'b0), .tx_credit(tx_credit), .step({INPUTS{1'b0}}),
                .waiting(waiting[o*REQUESTS +: REQUESTS]), .ready(ready[o*REQUESTS +: REQUESTS]),
                .ready_more(ready[o*REQUESTS +: REQUESTS] & ~ready_last[o*REQUESTS +: REQUESTS]), .barred(barred),
                .flowing(flowing[o]), .chosen_input(chosen_input[o*INPUTS +: INPUTS]),
                .chosen(chosen[o*REQUESTS +: REQUESTS]), .accepted(accepted[o]),
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

    // Any one request; how long it is at the head of its queue while its channel is free for it; how
    // many packets pass it meanwhile and otherwise.
    (* anyconst *) reg [ALL-1:0] followed;
    reg [7:0] waited;
    reg [7:0] passed;
    reg [ALL-1:0] rivals;               // requests of its output and channel
    wire [ALL-1:0] running = pop & ~was_last;
    reg locked;
    reg late;
    reg [ALL-1:0] begins;
    integer rival;
    integer other;

    always @* begin
        locked = 1'b0;
        late = 1'b0;
        rivals = 0;
        for (rival = 0; rival < ALL; rival = rival + 1)
            if (followed[rival]) begin
                late = (LATE >> (rival % REQUESTS / INPUTS)) & 1'b1;
                for (other = 0; other < INPUTS; other = other + 1)
                    if (rival % INPUTS != other)
                        rivals[rival - rival % INPUTS + other] = 1'b1;
            end
        for (rival = 0; rival < ALL; rival = rival + 1) begin
            begins[rival] = pop[rival] && begun[rival*3 +: 3] == 0;
            if (rivals[rival] && begun_now[rival*3 +: 3] != 0
                && !(running[rival] && flowing[rival / REQUESTS]))
                locked = 1'b1;
        end
    end

    integer bank_of;
    integer popped;
    reg [7:0] flits;
    wire at_head = |(followed & ready & ~pop);

    always @(posedge clk) begin
        assume (followed != 0 && (followed & (followed - 1'b1)) == 0);
        waited <= rst || locked || late || !at_head ? 0 : waited + (waited != 255);
        passed <= rst || !at_head ? 0 : passed + (|(rivals & begins) && passed != 255);
        // Nobody starves.
        assert (rst || waited < VCS * PACKETS * LONGEST);
        assert (rst || passed < PACKETS);
        // One flit of a bank is popped.
        for (bank_of = 0; bank_of < INPUTS; bank_of = bank_of + 1) begin
            flits = 0;
            for (popped = bank_of; popped < ALL; popped = popped + INPUTS)
                flits = flits + pop[popped];
            assert (rst || flits <= 1);
        end
    end
endmodule
