// rok_split_properties: a splitter channel delivers every flit once, to the branch that its header names,
// in order and whole, or drops it when that branch is not served; nothing is made up. One flit of a free
// choice is followed from its arrival to the credit that is returned for it.

module rok_split_properties #(
    parameter FIELD_BITS = 2,
    parameter BRANCHES = 2,     // of four local addresses, two are served
    parameter DATA_WIDTH = 64,
    parameter CREDITS = 4
) (
    input wire                  clk,
    input wire                  rst,
    input wire                  tk_rx_valid,
    input wire                  tk_rx_vc,
    input wire                  tk_rx_last,
    input wire                  tk_rx_bad,
    input wire [DATA_WIDTH-1:0] tk_rx_data,
    input wire [BRANCHES*2-1:0] br_tx_credit,
    input wire                  choose   // follow the flit that arrives now
);
    wire [1:0] tk_rx_credit;
    wire [BRANCHES-1:0] br_tx_valid, br_tx_vc, br_tx_last, br_tx_bad;
    wire [BRANCHES*DATA_WIDTH-1:0] br_tx_data;
    wire [BRANCHES-1:0] sent, stalled;
    wire sent_last, dropped;
    wire [63:0] dropped_header;

    rok_split_channel #(
        .BRANCHES(BRANCHES), .FIELD_BITS(FIELD_BITS), .DATA_WIDTH(DATA_WIDTH), .VCS(2),
        .RX_BUFFER_FLITS(CREDITS)
    ) unit (
        .clk(clk), .rst(rst),
        .tk_rx_valid(tk_rx_valid), .tk_rx_vc(tk_rx_vc), .tk_rx_last(tk_rx_last),
        .tk_rx_bad(tk_rx_bad), .tk_rx_data(tk_rx_data), .tk_rx_credit(tk_rx_credit),
        .br_tx_valid(br_tx_valid), .br_tx_vc(br_tx_vc), .br_tx_last(br_tx_last),
        .br_tx_bad(br_tx_bad), .br_tx_data(br_tx_data), .br_tx_credit(br_tx_credit),
        .sent(sent), .sent_last(sent_last), .stalled(stalled), .dropped(dropped),
        .dropped_header(dropped_header)
    );

    // The channel and the data bit that are looked at.
    (* anyconst *) reg channel;
    (* anyconst *) reg [5:0] place;

    reg started = 1'b0;
    reg [2:0] inside_0, inside_1; // flits without a returned credit, by channel
    reg [2:0] owed [0:2*BRANCHES-1]; // flits that the branches hold
    reg open;                     // the channel is in the middle of a packet, at the arrival
    reg [FIELD_BITS-1:0] field;   // of that packet

    wire enters = tk_rx_valid && tk_rx_vc == channel;
    wire leaves = tk_rx_credit[channel];
    wire [2:0] inside = channel ? inside_1 : inside_0;
    wire [FIELD_BITS-1:0] now_field = open ? field : tk_rx_data[FIELD_BITS-1:0];
    wire moved = place < 20 && !open;
    wire [5:0] above = place + FIELD_BITS;
    wire now_bit = !moved ? tk_rx_data[place] : above < 20 ? tk_rx_data[above] : 1'b0;

    // The flit that is followed.
    reg following, done;
    reg [2:0] ahead;
    reg [FIELD_BITS-1:0] to;
    reg is_last, is_bad, value;
    wire its_turn = following && !done && leaves && ahead == 0;

    integer branch;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
        if (!rst) begin
            assume (!tk_rx_valid || (tk_rx_vc ? inside_1 : inside_0) < CREDITS);
            for (branch = 0; branch < 2*BRANCHES; branch = branch + 1)
                assume (!br_tx_credit[branch] || owed[branch] != 0);
        end
        if (rst) begin
            inside_0 <= 0;
            inside_1 <= 0;
            open <= 1'b0;
            following <= 1'b0;
            done <= 1'b0;
        end else begin
            inside_0 <= inside_0 + (tk_rx_valid && !tk_rx_vc) - tk_rx_credit[0];
            inside_1 <= inside_1 + (tk_rx_valid && tk_rx_vc) - tk_rx_credit[1];
            if (enters) begin
                open <= !tk_rx_last;
                field <= now_field;
            end
            if (enters && choose && !following) begin
                following <= 1'b1;
                ahead <= inside - leaves;
                to <= now_field;
                is_last <= tk_rx_last;
                is_bad <= tk_rx_bad;
                value <= now_bit;
            end else if (leaves)
                ahead <= ahead - 1'b1;
            if (its_turn)
                done <= 1'b1;
        end
        for (branch = 0; branch < 2*BRANCHES; branch = branch + 1)
            owed[branch] <= rst ? 0 : owed[branch] - br_tx_credit[branch]
                + (br_tx_valid[branch / 2] && br_tx_vc[branch / 2] == branch % 2);
        if (!rst) begin
            // Nothing twice and nothing made up: a flit on one branch at most, with its credit.
            assert ((br_tx_valid & (br_tx_valid - 1'b1)) == 0);
            assert ((tk_rx_credit & (tk_rx_credit - 1'b1)) == 0);
            for (branch = 0; branch < BRANCHES; branch = branch + 1) begin
                if (br_tx_valid[branch])
                    assert (tk_rx_credit[br_tx_vc[branch]]);
                assert (owed[2*branch] <= CREDITS && owed[2*branch+1] <= CREDITS);
                // Not lost: in its turn it is on the branch that its header names, whole.
                if (its_turn && to == branch)
                    assert (br_tx_valid[branch] && br_tx_vc[branch] == channel
                        && br_tx_last[branch] == is_last && br_tx_bad[branch] == is_bad
                        && br_tx_data[branch*DATA_WIDTH + place] == value);
            end
            if (its_turn && to >= BRANCHES)
                assert (br_tx_valid == 0);
            assert (inside <= CREDITS);
        end
    end
endmodule
