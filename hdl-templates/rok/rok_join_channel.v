// rok_join_channel: one trunk channel of a combiner and the branches that it takes
// (docs/microarchitecture.md 6.2). Merges them packet by packet, each virtual channel round robin
// over the branches, and looks at no address.
// Latency: 2 cycles from br_rx to tk_tx without load. Throughput: one flit per cycle.
// Reset: synchronous, active high.
// Limits: BRANCHES 1..16, DATA_WIDTH 64, 128, 256 or 512, VCS 1, 2 or 4, RX_BUFFER_FLITS 4..256.
<$ banner $>

module rok_join_channel #(
    parameter BRANCHES = 3,
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter VC_BITS = VCS > 2 ? 2 : 1, // do not override
    parameter RX_BUFFER_FLITS = 12
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire [BRANCHES-1:0]            br_rx_valid,
    input  wire [BRANCHES*VC_BITS-1:0]    br_rx_vc,
    input  wire [BRANCHES-1:0]            br_rx_last,
    input  wire [BRANCHES-1:0]            br_rx_bad,
    input  wire [BRANCHES*DATA_WIDTH-1:0] br_rx_data,
    output reg  [BRANCHES*VCS-1:0]        br_rx_credit,
    output reg                            tk_tx_valid,
    output reg  [VC_BITS-1:0]             tk_tx_vc,
    output reg                            tk_tx_last,
    output reg                            tk_tx_bad,
    output reg  [DATA_WIDTH-1:0]          tk_tx_data,
    input  wire [VCS-1:0]                 tk_tx_credit,
    // events of this cycle
    output wire                           sent,      // a flit is popped
    output wire                           sent_last, // it is the last of its packet
    output wire                           stalled    // a flit waits and none is popped
);
    wire [BRANCHES*VCS-1:0]            filled;
    wire [BRANCHES*VCS-1:0]            head_last;
    wire [BRANCHES*VCS-1:0]            head_bad;
    wire [BRANCHES*VCS*DATA_WIDTH-1:0] head_data;
    wire [VCS*BRANCHES-1:0]            filled_by_channel;
    wire [VCS*BRANCHES-1:0]            pop_by_channel;
    wire [BRANCHES*VCS-1:0]            pop;
    wire [VCS-1:0]                     available;  // credits
    wire [VCS-1:0]                     ready;
    wire [VCS-1:0]                     serve;      // the channel that is popped, one-hot
    wire [VCS-1:0]                     next_turn;
    reg  [VCS-1:0]                     turn;

    transpose #(
        .ROWS(BRANCHES), .COLUMNS(VCS)
    ) fills (
        .by_row(filled), .by_column(filled_by_channel)
    );
    transpose #(
        .ROWS(VCS), .COLUMNS(BRANCHES)
    ) pops (
        .by_row(pop_by_channel), .by_column(pop)
    );
    round_robin #(.WIDTH(VCS)) arbiter (
        .request(ready), .from(turn), .grant(serve), .next_from(next_turn)
    );
    rok_credits #(
        .VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
    ) credits (
        .clk(clk), .rst(rst), .credit(tk_tx_credit), .send(serve), .available(available)
    );

    // The flit that is popped.
    reg [DATA_WIDTH-1:0] data;
    reg [VC_BITS-1:0]    vc;
    integer head;
    integer channel;
    always @* begin
        data = {DATA_WIDTH{1'b0}};
        for (head = 0; head < BRANCHES*VCS; head = head + 1)
            data = data | (head_data[head*DATA_WIDTH +: DATA_WIDTH] & {DATA_WIDTH{pop[head]}});
        vc = {VC_BITS{1'b0}};
        for (channel = 0; channel < VCS; channel = channel + 1)
            vc = vc | (channel[VC_BITS-1:0] & {VC_BITS{serve[channel]}});
    end

    wire last = |(pop & head_last);
    wire bad = |(pop & head_bad);

    generate
        genvar b;
        for (b = 0; b < BRANCHES; b = b + 1) begin : gen_branch
            rok_fifo #(
                .DATA_WIDTH(DATA_WIDTH), .VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
            ) fifo (
                .clk(clk),
                .rst(rst),
                .rx_valid(br_rx_valid[b]),
                .rx_vc(br_rx_vc[b*VC_BITS +: VC_BITS]),
                .rx_last(br_rx_last[b]),
                .rx_bad(br_rx_bad[b]),
                .rx_data(br_rx_data[b*DATA_WIDTH +: DATA_WIDTH]),
                .pop(pop[b*VCS +: VCS]),
                .filled(filled[b*VCS +: VCS]),
                .head_last(head_last[b*VCS +: VCS]),
                .head_bad(head_bad[b*VCS +: VCS]),
                .head_data(head_data[b*VCS*DATA_WIDTH +: VCS*DATA_WIDTH])
            );
        end

        genvar v;
        for (v = 0; v < VCS; v = v + 1) begin : gen_channel
            wire [BRANCHES-1:0] waiting = filled_by_channel[v*BRANCHES +: BRANCHES];
            reg                 locked; // a packet is in progress
            reg  [BRANCHES-1:0] owner;  // its branch, one-hot
            reg  [BRANCHES-1:0] from;
            wire [BRANCHES-1:0] grant;
            wire [BRANCHES-1:0] next_from;
            wire [BRANCHES-1:0] chosen = locked ? owner & waiting : grant;

            round_robin #(.WIDTH(BRANCHES)) branches (
                .request(waiting), .from(from), .grant(grant), .next_from(next_from)
            );

            assign ready[v] = |chosen & available[v];
            assign pop_by_channel[v*BRANCHES +: BRANCHES] = chosen & {BRANCHES{serve[v]}};

            always @(posedge clk)
                if (rst) begin
                    locked <= 1'b0;
                    owner <= {BRANCHES{1'b0}};
                    from <= {BRANCHES{1'b0}};
                end else if (serve[v]) begin
                    locked <= ~last;
                    owner <= chosen;
                    if (~locked)
                        from <= next_from;
                end
        end
    endgenerate

    always @(posedge clk)
        if (rst) begin
            turn <= {VCS{1'b0}};
            br_rx_credit <= {BRANCHES*VCS{1'b0}};
            tk_tx_valid <= 1'b0;
            tk_tx_vc <= {VC_BITS{1'b0}};
            tk_tx_last <= 1'b0;
            tk_tx_bad <= 1'b0;
            tk_tx_data <= {DATA_WIDTH{1'b0}};
        end else begin
            if (sent)
                turn <= next_turn;
            br_rx_credit <= pop;
            tk_tx_valid <= sent;
            tk_tx_vc <= vc;
            tk_tx_last <= last;
            tk_tx_bad <= bad;
            tk_tx_data <= data;
        end

    assign sent = |serve;
    assign sent_last = last;
    assign stalled = |filled & ~sent;

`ifdef MKNS_ASSERT
    always @(posedge clk)
        if (!rst & |(pop & (pop - 1'b1))) begin
            $display("mkns_assert %m: more than one branch drives the trunk");
            $stop;
        end
`endif
endmodule
