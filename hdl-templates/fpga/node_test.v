// node_test: plays the host of a node: sends packets to the nodes of a list, checks what comes from
// them, and says so as text on a serial line and on LEDs.
//
// A packet has 1 to MAX_PAYLOAD words of 8 bytes. Each word holds the sender's address, the number of
// the packet among those from this sender to this receiver, and its place; the upper half is its
// inverse. Nothing is sent while a link is down. After RUN_CYCLES a line:
//   ... up 0001 sent 0001e3c5 received 0001e3c1 errors 00000000 pass
// Numbers are hexadecimal and count packets since reset; `up` has a bit for each link. The verdict is
// pass when all links are up, no packet was ever wrong, missing or twice, and some came in this
// round. A link that goes down may take packets with it: after that every sender's next number counts.
// LEDs: 0 beats, 1 all links are up, 2 the last verdict was pass, 3 it was fail.
// Reset: synchronous, active high.
// Limits: PEERS 1..8, LINKS 1..15, MAX_PAYLOAD 1..15.
<$ banner $>

module node_test #(
    parameter LINKS = 1,
    parameter [19:0] ADDRESS = 20'd0, // own
    parameter PEERS = 1,
    parameter [20*PEERS-1:0] PEER_LIST = {20*PEERS{1'b0}}, // their addresses
    parameter MAX_PAYLOAD = 15,
    parameter BAUD_DIVIDER = 217,
    parameter RUN_CYCLES = 25000000,
    parameter LENGTH = 4,
    parameter [8*LENGTH-1:0] TEXT = "WXYZ"
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [LINKS-1:0] link_up,
    output wire             serial_out,
    output wire [3:0]       led,
    // to the block
    output wire [63:0]      m_axis_tdata,
    output wire             m_axis_tvalid,
    output wire             m_axis_tlast,
    input  wire             m_axis_tready,
    // from it
    input  wire [63:0]      s_axis_tdata,
    input  wire [7:0]       s_axis_tkeep,
    input  wire             s_axis_tvalid,
    input  wire             s_axis_tlast,
    input  wire             s_axis_tuser,
    output wire             s_axis_tready
);
    wire all_up = &link_up;

    // Noise: LFSR, x^16 + x^15 + x^13 + x^4 + 1.
    reg [15:0] noise;

    always @(posedge clk)
        noise <= rst ? {4'h5, ADDRESS[11:0]} : {noise[14:0], noise[15] ^ noise[14] ^ noise[12] ^ noise[3]};

    function [63:0] word;
        input [19:0] sender;
        input [7:0]  number;
        input [3:0]  place;
        reg   [31:0] half;
        begin
            half = {sender, number, place};
            word = {~half, half};
        end
    endfunction

    // To the block.
    reg                 sends;
    reg  [2:0]          to;
    reg  [3:0]          payload;
    reg  [3:0]          place; // 0: header
    reg  [8*PEERS-1:0]  numbers;
    reg  [31:0]         sent;
    wire [7:0]          number   = numbers[8*to +: 8];
    wire [3:0]          longest  = MAX_PAYLOAD[3:0];
    wire [3:0]          drawn    = noise[3:0] < longest ? noise[3:0] + 4'd1 : longest;
    wire [19:0]         receiver = PEER_LIST[20*to +: 20];

    assign m_axis_tvalid = sends;
    assign m_axis_tlast  = place == payload;
    assign m_axis_tdata  = (place == 4'd0) ? {17'd0, payload, 23'd0, receiver}
                                           : word(ADDRESS, number, place);

    always @(posedge clk) begin
        if (rst) begin
            sends   <= 1'b0;
            to      <= 3'd0;
            payload <= 4'd1;
            place   <= 4'd0;
            numbers <= {8*PEERS{1'b0}};
            sent    <= 32'd0;
        end else if (!sends) begin
            sends   <= all_up && noise[15:14] != 2'd0;
            payload <= drawn;
            place   <= 4'd0;
        end else if (m_axis_tready) begin
            place <= place + 4'd1;
            if (m_axis_tlast) begin
                sends <= 1'b0;
                sent  <= sent + 32'd1;
                to    <= ({29'd0, to} == PEERS - 1) ? 3'd0 : to + 3'd1;
                numbers[8*to +: 8] <= number + 8'd1;
            end
        end
    end

    // From it.
    reg  [3:0]         left;    // beats of the packet still to come
    reg  [2:0]         from;
    reg  [3:0]         from_place;
    reg  [7:0]         from_number;
    reg                is_right; // so far
    reg  [8*PEERS-1:0] expected;
    reg  [7:0]         known;   // expected is right, by sender
    reg  [31:0]        received;
    reg  [31:0]        errors;
    reg  [2:0]         sender;
    reg                is_sender;
    integer            p;
    wire               takes     = s_axis_tvalid && s_axis_tready;
    wire               is_header = left == 4'd0;
    wire [3:0]         length    = s_axis_tdata[46:43];
    wire               is_first  = from_place == 4'd1;
    wire [7:0]         said      = s_axis_tdata[11:4]; // number in a payload word
    wire [7:0]         due       = known[from] ? expected[8*from +: 8] : said;
    wire [63:0]        wanted    = word(PEER_LIST[20*from +: 20], is_first ? due : from_number, from_place);
    wire               fits      = (s_axis_tdata == wanted) && (s_axis_tkeep == 8'hFF) && !s_axis_tuser
                                   && (s_axis_tlast == (left == 4'd1));
    wire               starts    = is_sender && (s_axis_tdata[19:0] == ADDRESS) && (length != 4'd0)
                                   && (s_axis_tdata[57:56] == 2'd0) && (s_axis_tdata[52:47] == 6'd0)
                                   && (s_axis_tdata[42:40] == 3'd0) && !s_axis_tlast && !s_axis_tuser;

    // Now and then the host is slow.
    assign s_axis_tready = noise[8:6] != 3'd0;

    always @(*) begin
        sender    = 3'd0;
        is_sender = 1'b0;
        for (p = 0; p < PEERS; p = p + 1) begin
            if (s_axis_tdata[39:20] == PEER_LIST[20*p +: 20]) begin
                sender    = p[2:0];
                is_sender = 1'b1;
            end
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            left     <= 4'd0;
            from     <= 3'd0;
            is_right <= 1'b1;
            expected <= {8*PEERS{1'b0}};
            known    <= 8'd0;
            received <= 32'd0;
            errors   <= 32'd0;
        end else begin
            if (takes && is_header) begin
                left     <= s_axis_tlast ? 4'd0 : (length == 4'd0) ? 4'd1 : length;
                from     <= sender;
                is_right <= starts;
                if (s_axis_tlast && !starts && all_up)
                    errors <= errors + 32'd1;
            end else if (takes) begin
                left     <= s_axis_tlast ? 4'd0 : (left == 4'd1) ? 4'd1 : left - 4'd1;
                is_right <= is_right && fits;
                if (is_first) begin
                    expected[8*from +: 8] <= said + 8'd1;
                    known[from]           <= 1'b1;
                end
                if (s_axis_tlast && is_right && fits)
                    received <= received + 32'd1;
                else if (s_axis_tlast && all_up)
                    errors <= errors + 32'd1;
            end
            if (!all_up)
                known <= 8'd0;
        end
    end

    always @(posedge clk) begin
        if (takes) begin
            from_place <= is_header ? 4'd1 : from_place + 4'd1;
            if (is_first)
                from_number <= said;
        end
    end

    // Rounds.
    reg  [31:0] time_left;
    reg  [31:0] last_received;
    reg         passed;
    reg         failed;
    wire        reports;
    wire        ends  = time_left == 32'd0 && !reports;
    wire        is_ok = all_up && errors == 32'd0 && received != last_received;
    reg  [23:0] beat;

    always @(posedge clk) begin
        beat <= rst ? 24'd0 : beat + 24'd1;
        if (rst) begin
            time_left     <= RUN_CYCLES - 1;
            last_received <= 32'd0;
            passed        <= 1'b0;
            failed        <= 1'b0;
        end else if (ends) begin
            time_left     <= RUN_CYCLES - 1;
            last_received <= received;
            passed        <= is_ok;
            failed        <= !is_ok;
        end else if (time_left != 32'd0)
            time_left <= time_left - 32'd1;
    end

    assign led = {failed, passed, all_up, beat[23]};

    report_line #(
        .DIVIDER(BAUD_DIVIDER),
        .LENGTH(LENGTH),
        .TEXT(TEXT)
    ) report (
        .clk(clk),
        .rst(rst),
        .start(ends),
        .digits({{16-LINKS{1'b0}}, link_up, sent, received, errors}),
        .traffic(2'd0),
        .passed(passed),
        .busy(reports),
        .serial_out(serial_out)
    );
endmodule
