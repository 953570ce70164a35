// link_sender_properties: what leaves link_sender, whatever comes back, and however the line stalls.
// A T stands behind the words of its block and nothing else: as many as it says, those that stand in
// the ring from its number on, all of them and the number under its CRC. Flits are sent in order, and
// what is asked for is sent again soon. Messages of a management unit stay whole, and few of them begin
// while flits wait.

// Instead of a CRC, upside down as it is: how many words it covers, and the number in its last one.
module link_crc32c (
    input  wire [31:0] crc,
    input  wire [63:0] word,
    output wire [31:0] next
);
    wire [31:0] before = ~crc;
    assign next = ~{before[31:28] + 4'd1, 19'd0, word[32:24]};
    wire unused_ok = &{1'b0, before[27:0], word[63:33], word[23:0]};
endmodule

module link_sender_properties #(
    parameter VCS = 1,
    // 0: the blocks on the line, 1: what is sent next, 2: when, 3: messages on the line,
    // 4: when they begin.
    parameter PART = 0,
    parameter MANAGEMENT = 0,
    // Words that leave between a request for a RESUME and its choice: those that were chosen, the rest
    // of an open block, its T, and a message.
    parameter PATIENCE = 12
) (
    input wire         clk,
    input wire         rst,
    input wire         begins,
    input wire         ends,
    input wire         ready,
    input wire         write,               // one more flit from the block
    input wire         bad,                 // the flit that is read is
    input wire         tail_resume,
    input wire         alarm,
    input wire         error,
    input wire         request,
    input wire [8:0]   expected,
    input wire         status,
    input wire         status_error,
    input wire         status_request,
    input wire [8:0]   status_ack,
    input wire [7:0]   status_free,
    input wire         status_channel,
    input wire [15:0]  freed,
    input wire         message_waits
);
    reg  started = 1'b0;
    reg  up = 1'b0;
    wire rise = begins & ~up;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
        up <= ~rst & (up ? ~ends : begins);
    end

    // A flit of the ring shows where it stands. `sent` is beyond the furthest that was ever sent.
    reg  [8:0] written = 9'd0;
    reg  [8:0] sent = 9'd0;
    wire [7:0] ring_at;
    reg  [7:0] ring_flit;
    wire [8:0] ack;
    wire [8:0] in_ring = written - ack;
    wire [8:0] on_the_way = sent - ack;
    wire [8:0] acknowledged = status_ack - ack;
    always @(posedge clk) begin
        ring_flit <= ring_at;
        written <= up ? written + {8'd0, write} : 9'd0;
        if (PART == 1) begin
            assume (!write || in_ring != 9'd256);
            // The peer acknowledges what was sent, or what it did before.
            assume (acknowledged <= on_the_way || acknowledged > 9'd256);
        end
    end

    // Words of messages, which are data words, too, can be told from flits by their highest bit.
    localparam [31:0] OF_MESSAGE = 32'h80000000;

    wire        resumes;
    wire [3:0]  hello_index;
    wire [2:0]  message_at;
    wire        message_done;
    wire        tx_valid;
    wire        tx_ctl;
    wire [63:0] tx_data;

    link_sender #(.VCS(VCS), .LINE_FLITS(200), .MANAGEMENT(MANAGEMENT)) sender (
        .clk(clk), .rst(rst), .up(up), .rise(rise), .session(8'd1), .peer_session(8'd2),
        .hello_index(hello_index), .hello_seen(1'b0), .hello_content(16'd0), .tail_resume(up & tail_resume),
        .resumes(resumes), .waits(), .progress(), .damages(1'b0), .error(error),
        .request(request), .expected(expected), .alarm(alarm), .status(up & status),
        .status_error(status_error), .status_request(status_request), .status_ack(status_ack),
        .status_free(status_free), .status_channel(status_channel), .ring_write_gray(written ^ (written >> 1)),
        .ring_at(ring_at), .ring_flit({2'd0, bad, 56'd0, ring_flit}), .freed(freed), .ack(ack),
        .limits(), .message_waits(message_waits), .message_at(message_at), .message_word(OF_MESSAGE),
        .message_done(message_done),
        .line_tx_valid(tx_valid), .line_tx_ctl(tx_ctl), .line_tx_data(tx_data),
        .line_tx_ready(ready)
    );

    // On the line: the words since the last control word.
    reg  [3:0] pending = 4'd0;
    reg  [7:0] next_place;
    wire       is_t   = tx_data[23];
    wire [8:0] number = tx_data[32:24];
    always @(posedge clk)
        if (PART == 0 && tx_valid & ready & ~rst) begin
            pending <= tx_ctl ? 4'd0 : pending + 4'd1;
            next_place <= tx_data[7:0] + 8'd1;
            if (!tx_ctl) begin
                assert (pending != 4'd8);
                assert (pending == 4'd0 || tx_data[7:0] == next_place);
            end else if (is_t) begin
                assert (pending == {1'b0, tx_data[22:20]} + 4'd1);
                assert (number[7:0] + {4'd0, pending} == next_place);
                assert (tx_data[55:52] == pending + 4'd1);
            end
        end

    // The sender goes forward one by one, never beyond what is there, and with a RESUME back to `ack`.
    reg  [8:0] send = 9'd0;
    wire       advances = ring_at != send[7:0];
    always @(posedge clk)
        if (PART != 1 || rst | ~up) begin
            send <= 9'd0;
            sent <= 9'd0;
        end else begin
            send <= resumes ? ack : send + {8'd0, advances};
            if (resumes)
                assert (ring_at == ack[7:0]);
            else if (advances) begin
                assert (ring_at == send[7:0] + 8'd1);
                if (send == sent)
                    sent <= sent + 9'd1;
            end
            assert (in_ring <= 9'd256);
            assert (on_the_way <= in_ring);
        end

    // It does so soon after it was asked to.
    reg        served = 1'b0;
    reg        waiting = 1'b0;
    reg  [4:0] waited = 5'd0;
    wire       asks = status & status_error & status_request != served;
    always @(posedge clk)
        if (PART != 2 || rst | ~up) begin
            served <= 1'b0;
            waiting <= 1'b0;
            waited <= 5'd0;
        end else begin
            served <= asks ? status_request : served;
            waiting <= asks | tail_resume | (waiting & ~resumes);
            waited <= (resumes | ~waiting) ? 5'd0 : waited + {4'd0, ready & tx_valid};
            assert (waited <= PATIENCE);
        end

    // On the line, an M stands behind the eight words of its message, and they behind nothing but a
    // control word. A link that falls cuts a message, and its peer forgets what it has of it.
    reg  [3:0] words = 4'd0;
    reg        flits = 1'b0;
    wire       is_word = tx_data[63];
    wire       is_m    = tx_data[23:20] == 4'd7;
    always @(posedge clk)
        if (PART == 3) begin
            assume (!ends);
            if (tx_valid & ready & ~rst) begin
                words <= (tx_ctl | ~is_word) ? 4'd0 : words + 4'd1;
                flits <= ~tx_ctl & ~is_word;
                if (tx_ctl)
                    assert (is_m ? words == 4'd8 : words == 4'd0);
                else
                    assert (is_word ? ~flits & words != 4'd8 : words == 4'd0);
            end
        end

    // While flits wait, a message begins in 1,024 slots and no more.
    reg  [5:0] slots = 6'd0;
    reg        turn = 1'b0;
    reg        between = 1'b1;
    reg        flit_waits = 1'b0;
    wire       begins_message = between & message_at == 3'd1;
    wire       slots_end = ready & hello_index == 4'd15;
    always @(posedge clk)
        if (PART == 4) begin
            flit_waits <= up & ring_at != written[7:0];
            slots <= rst ? 6'd0 : slots + {5'd0, slots_end};
            between <= rst | ~up | (between ? ~begins_message : message_done);
            turn <= ~rst & (turn ? ~begins_message : slots_end & (&slots));
            if (begins_message & flit_waits)
                assert (turn);
        end
endmodule
