// rok_split_channel: one trunk channel of a splitter and the branches that it serves, FIRST_BRANCH
// and those after it (docs/microarchitecture.md 6.1). Takes the lowest local address of every
// header, moves the address train down by it and forwards the packet to that branch; a packet for
// a branch that is not served is dropped whole.
// Latency: 2 cycles from tk_rx to br_tx without load. Throughput: one flit per cycle.
// Reset: synchronous, active high.
// Limits: BRANCHES 1..16, FIELD_BITS 1..4, DATA_WIDTH 64, 128, 256 or 512, VCS 1, 2 or 4,
// RX_BUFFER_FLITS 4..256.
<$ banner $>

module rok_split_channel #(
    parameter BRANCHES = 3,
    parameter FIRST_BRANCH = 0,
    parameter FIELD_BITS = 2,
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter VC_BITS = VCS > 2 ? 2 : 1, // do not override
    parameter RX_BUFFER_FLITS = 12
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire                           tk_rx_valid,
    input  wire [VC_BITS-1:0]             tk_rx_vc,
    input  wire                           tk_rx_last,
    input  wire                           tk_rx_bad,
    input  wire [DATA_WIDTH-1:0]          tk_rx_data,
    output reg  [VCS-1:0]                 tk_rx_credit,
    output wire [BRANCHES-1:0]            br_tx_valid,
    output wire [BRANCHES*VC_BITS-1:0]    br_tx_vc,
    output wire [BRANCHES-1:0]            br_tx_last,
    output wire [BRANCHES-1:0]            br_tx_bad,
    output wire [BRANCHES*DATA_WIDTH-1:0] br_tx_data,
    input  wire [BRANCHES*VCS-1:0]        br_tx_credit,
    // events of this cycle
    output wire [BRANCHES-1:0]            sent,      // a flit is popped for the branch
    output wire                           sent_last, // it is the last of its packet
    output wire [BRANCHES-1:0]            stalled,   // a flit waits for the branch, none is popped
    output wire                           dropped,   // a header is dropped
    output wire [63:0]                    dropped_header
);
    wire [VCS-1:0]            filled;
    wire [VCS-1:0]            head_last;
    wire [VCS-1:0]            head_bad;
    wire [VCS*DATA_WIDTH-1:0] head_data;
    wire [VCS-1:0]            ready;
    wire [VCS-1:0]            pop;
    wire [VCS-1:0]            next_turn;
    reg  [VCS-1:0]            turn;
    reg  [VCS-1:0]            open;               // a packet is in progress
    wire [VCS*BRANCHES-1:0]   target;             // one-hot, by channel; 0: drop
    wire [BRANCHES*VCS-1:0]   target_by_branch;
    wire [BRANCHES*VCS-1:0]   available;          // credits

    rok_fifo #(
        .DATA_WIDTH(DATA_WIDTH), .VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
    ) fifo (
        .clk(clk),
        .rst(rst),
        .rx_valid(tk_rx_valid),
        .rx_vc(tk_rx_vc),
        .rx_last(tk_rx_last),
        .rx_bad(tk_rx_bad),
        .rx_data(tk_rx_data),
        .pop(pop),
        .filled(filled),
        .head_last(head_last),
        .head_bad(head_bad),
        .head_data(head_data)
    );

    round_robin #(.WIDTH(VCS)) arbiter (
        .request(ready), .from(turn), .grant(pop), .next_from(next_turn)
    );

    transpose #(
        .ROWS(VCS), .COLUMNS(BRANCHES)
    ) targets (
        .by_row(target), .by_column(target_by_branch)
    );

    generate
        genvar v;
        genvar b;
        for (v = 0; v < VCS; v = v + 1) begin : gen_channel
            reg  [BRANCHES-1:0]   kept;           // target of the packet in progress
            wire [FIELD_BITS-1:0] field = head_data[v*DATA_WIDTH +: FIELD_BITS];
            wire [BRANCHES-1:0]   addressed;
            wire [BRANCHES-1:0]   possible;       // branches with a credit on this channel

            for (b = 0; b < BRANCHES; b = b + 1) begin : gen_branch
                localparam [31:0] NUMBER = FIRST_BRANCH + b;
                assign addressed[b] = field == NUMBER[FIELD_BITS-1:0];
                assign possible[b] = available[b*VCS + v];
            end

            wire [BRANCHES-1:0] wanted = open[v] ? kept : addressed;
            assign target[v*BRANCHES +: BRANCHES] = filled[v] ? wanted : {BRANCHES{1'b0}};
            assign ready[v] = filled[v] & (wanted == {BRANCHES{1'b0}} | |(wanted & possible));

            always @(posedge clk)
                if (rst) begin
                    open[v] <= 1'b0;
                    kept <= {BRANCHES{1'b0}};
                end else if (pop[v]) begin
                    open[v] <= ~head_last[v];
                    kept <= wanted;
                end
        end
    endgenerate

    // The flit that is popped.
    reg [DATA_WIDTH-1:0] data;
    reg [VC_BITS-1:0]    vc;
    integer channel;
    always @* begin
        data = {DATA_WIDTH{1'b0}};
        vc = {VC_BITS{1'b0}};
        for (channel = 0; channel < VCS; channel = channel + 1) begin
            data = data | (head_data[channel*DATA_WIDTH +: DATA_WIDTH]
                & {DATA_WIDTH{pop[channel]}});
            vc = vc | (channel[VC_BITS-1:0] & {VC_BITS{pop[channel]}});
        end
    end

    wire last = |(pop & head_last);
    wire bad = |(pop & head_bad);
    wire is_header = |(pop & ~open);
    wire [DATA_WIDTH-1:0] forwarded = {
        data[DATA_WIDTH-1:20],
        is_header ? {{FIELD_BITS{1'b0}}, data[19:FIELD_BITS]} : data[19:0]
    };

    always @(posedge clk)
        if (rst) begin
            turn <= {VCS{1'b0}};
            tk_rx_credit <= {VCS{1'b0}};
        end else begin
            tk_rx_credit <= pop;
            if (|pop)
                turn <= next_turn;
        end

    generate
        for (b = 0; b < BRANCHES; b = b + 1) begin : gen_output
            wire [VCS-1:0] send = pop & target_by_branch[b*VCS +: VCS];
            reg                  valid_register;
            reg [VC_BITS-1:0]    vc_register;
            reg                  last_register;
            reg                  bad_register;
            reg [DATA_WIDTH-1:0] data_register;

            assign sent[b] = |send;
            assign stalled[b] = |target_by_branch[b*VCS +: VCS] & ~sent[b];
            assign br_tx_valid[b] = valid_register;
            assign br_tx_vc[b*VC_BITS +: VC_BITS] = vc_register;
            assign br_tx_last[b] = last_register;
            assign br_tx_bad[b] = bad_register;
            assign br_tx_data[b*DATA_WIDTH +: DATA_WIDTH] = data_register;

            rok_credits #(
                .VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
            ) credits (
                .clk(clk), .rst(rst), .credit(br_tx_credit[b*VCS +: VCS]), .send(send),
                .available(available[b*VCS +: VCS])
            );

            always @(posedge clk)
                if (rst | ~sent[b]) begin
                    valid_register <= 1'b0;
                    vc_register <= {VC_BITS{1'b0}};
                    last_register <= 1'b0;
                    bad_register <= 1'b0;
                    data_register <= {DATA_WIDTH{1'b0}};
                end else begin
                    valid_register <= 1'b1;
                    vc_register <= vc;
                    last_register <= last;
                    bad_register <= bad;
                    data_register <= forwarded;
                end
        end
    endgenerate

    assign sent_last = last;
    assign dropped = is_header & ~|sent;
    assign dropped_header = data[63:0];
endmodule
