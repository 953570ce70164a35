// rok_join_properties: a combiner channel delivers every flit of every branch once, in order and whole,
// packets of one outgoing channel never mix, and nothing is made up. One flit of a free choice is followed
// from its arrival to the credit that is returned for it.

module rok_join_properties #(
    parameter BRANCHES = 2,
    parameter DATA_WIDTH = 64,
    parameter CREDITS = 4
) (
    input wire                           clk,
    input wire                           rst,
    input wire [BRANCHES-1:0]            br_rx_valid,
    input wire [BRANCHES-1:0]            br_rx_vc,
    input wire [BRANCHES-1:0]            br_rx_last,
    input wire [BRANCHES-1:0]            br_rx_bad,
    input wire [BRANCHES*DATA_WIDTH-1:0] br_rx_data,
    input wire [1:0]                     tk_tx_credit,
    input wire                           choose   // follow the flit that arrives now
);
    wire [BRANCHES*2-1:0] br_rx_credit;
    wire tk_tx_valid, tk_tx_vc, tk_tx_last, tk_tx_bad;
    wire [DATA_WIDTH-1:0] tk_tx_data;
    wire sent, sent_last, stalled;

    rok_join_channel #(
        .BRANCHES(BRANCHES), .DATA_WIDTH(DATA_WIDTH), .VCS(2), .RX_BUFFER_FLITS(CREDITS)
    ) unit (
        .clk(clk), .rst(rst),
        .br_rx_valid(br_rx_valid), .br_rx_vc(br_rx_vc), .br_rx_last(br_rx_last),
        .br_rx_bad(br_rx_bad), .br_rx_data(br_rx_data), .br_rx_credit(br_rx_credit),
        .tk_tx_valid(tk_tx_valid), .tk_tx_vc(tk_tx_vc), .tk_tx_last(tk_tx_last),
        .tk_tx_bad(tk_tx_bad), .tk_tx_data(tk_tx_data), .tk_tx_credit(tk_tx_credit),
        .sent(sent), .sent_last(sent_last), .stalled(stalled)
    );

    // The lane (branch and channel) and the data bit that are looked at.
    (* anyconst *) reg channel;
    (* anyconst *) reg from;
    (* anyconst *) reg [5:0] place;

    reg started = 1'b0;
    reg [2:0] inside [0:2*BRANCHES-1]; // flits without a returned credit, by lane
    reg [2:0] owed [0:1];              // flits that the trunk's receiver holds

    wire [1:0] lane = {from, channel};
    wire enters = br_rx_valid[from] && br_rx_vc[from] == channel;
    wire leaves = br_rx_credit[lane];
    // A credit goes back with each flit; these are of the other branch, on the same channel.
    wire other_leaves = br_rx_credit[{!from, channel}];

    // The flit that is followed, and packets of the lane on the trunk.
    reg following, done;
    reg [2:0] ahead;
    reg is_last, is_bad, value;
    reg open;
    wire its_turn = following && !done && leaves && ahead == 0;

    integer number;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
        if (!rst) begin
            for (number = 0; number < 2*BRANCHES; number = number + 1)
                assume (!br_rx_valid[number / 2] || br_rx_vc[number / 2] != number % 2
                    || inside[number] < CREDITS);
            assume (!tk_tx_credit[0] || owed[0] != 0);
            assume (!tk_tx_credit[1] || owed[1] != 0);
        end
        for (number = 0; number < 2*BRANCHES; number = number + 1)
            inside[number] <= rst ? 0 : inside[number] - br_rx_credit[number]
                + (br_rx_valid[number / 2] && br_rx_vc[number / 2] == number % 2);
        for (number = 0; number < 2; number = number + 1)
            owed[number] <= rst ? 0 : owed[number] - tk_tx_credit[number]
                + (tk_tx_valid && tk_tx_vc == number);
        if (rst) begin
            following <= 1'b0;
            done <= 1'b0;
            open <= 1'b0;
        end else begin
            if (enters && choose && !following) begin
                following <= 1'b1;
                ahead <= inside[lane] - leaves;
                is_last <= br_rx_last[from];
                is_bad <= br_rx_bad[from];
                value <= br_rx_data[from*DATA_WIDTH + place];
            end else if (leaves)
                ahead <= ahead - 1'b1;
            if (its_turn)
                done <= 1'b1;
            if (leaves)
                open <= !tk_tx_last;
        end
        if (!rst) begin
            // Nothing twice and nothing made up: one credit goes back with each flit on the trunk.
            assert (tk_tx_valid == |br_rx_credit);
            assert ((br_rx_credit & (br_rx_credit - 1'b1)) == 0);
            assert (owed[0] <= CREDITS && owed[1] <= CREDITS);
            // Not lost: in its turn it is on the trunk, whole.
            if (its_turn)
                assert (tk_tx_valid && tk_tx_vc == channel && tk_tx_last == is_last
                    && tk_tx_bad == is_bad && tk_tx_data[place] == value);
            // In the middle of a packet no other branch gets the channel.
            if (open)
                assert (!other_leaves);
        end
    end
endmodule
