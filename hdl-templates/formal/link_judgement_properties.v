// link_judgement_properties: which blocks link_receiver accepts, behind a cable that does what it likes.
// The CRC is a free bit: a T is good when neither it nor a word in front of it is spoiled, and the
// number it was sent with is the one that the receiver fills in. Whatever is spoiled, lost, doubled or
// exchanged: a block is accepted only if it is whole and its number is that of the next flit.

// Instead of a CRC, upside down as it is: whether a word is spoiled, and the number that E holds.
module link_crc32c (
    input  wire [31:0] crc,
    input  wire [63:0] word,
    output wire [31:0] next
);
    wire [31:0] before = ~crc;
    assign next = ~{before[31] | word[63], 22'd0, word[32:24]};
    wire unused_ok = &{1'b0, before[30:0], word[62:33], word[23:0]};
endmodule

module link_judgement_properties (
    input wire        clk,
    input wire        rst,
    input wire        begins,
    input wire        ends,
    input wire        valid,
    input wire        control,
    input wire        spoiled,
    input wire [23:0] any_field,
    input wire [8:0]  any_number,           // that a T was sent with
    input wire        ask_again
);
    wire       good_hello;
    wire       good_status;
    wire       accepted;
    wire       failed;
    wire [22:0] field;
    wire       error;
    wire       request;
    wire [8:0] expected;

    reg        started = 1'b0;
    reg        up = 1'b0;
    wire       rise = begins & ~up;
    reg  [2:0] down = 3'd0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
        up <= ~rst & (up ? ~ends : begins);
        // Words of the session before, of which the CRC was still right, are judged by then.
        down <= up ? 3'd0 : down + {2'd0, ~down[2]};
        assume (up || !begins || down[2]);
        assume (!rise || good_hello || good_status);
    end

    // What the line shows since the last control word.
    reg  [3:0] words = 4'd0;
    reg        any_spoiled = 1'b0;
    wire       is_t = any_field[23];
    always @(posedge clk)
        if (rst | (valid & control)) begin
            words <= 4'd0;
            any_spoiled <= 1'b0;
        end else if (valid) begin
            words <= words + {3'd0, words != 4'd9};
            any_spoiled <= any_spoiled | spoiled;
        end

    wire [63:0] line_data = control
        ? {8'd0, spoiled & ~any_spoiled, 22'd0, any_number & {9{is_t}}, any_field}
        : {spoiled, 63'd0};

    link_receiver #(.VCS(1)) receiver (
        .clk(clk), .rst(rst), .line_rx_valid(valid), .line_rx_ctl(control),
        .line_rx_data(line_data), .line_rx_up(1'b1), .up(up), .rise(rise), .session(8'd2),
        .peer_session(8'd1), .ask_again(ask_again & up & error), .good_hello(good_hello),
        .good_status(good_status), .accepted(accepted), .failed(failed), .bad(), .field(field),
        .error(error), .request(request), .expected(expected), .place(), .place_at(),
        .place_flit(), .place_write_gray(), .message_room(1'b0), .message_queued(1'b0),
        .message_received(), .message_store(), .message_at(), .message_word(), .message_stored()
    );

    // The control word that is judged in this cycle, as it was on the line three cycles ago.
    reg  [2:0]  whole_t;
    reg  [2:0]  resume;
    reg  [26:0] numbers;
    reg  [11:0] counts;
    wire [8:0]  number = numbers[26:18];
    wire [3:0]  count  = counts[11:8];
    always @(posedge clk) begin
        whole_t <= rst ? 3'd0 : {whole_t[1:0], valid & control & is_t & ~spoiled & ~any_spoiled};
        resume <= rst ? 3'd0 : {
            resume[1:0], valid & control & any_field[23:21] == 3'd1 & ~spoiled & words == 4'd0};
        numbers <= {numbers[17:0], is_t ? any_number : any_field[8:0]};
        counts <= {counts[7:0], words};
    end

    reg        error_before = 1'b0;
    reg        request_before = 1'b0;
    reg        turns = 1'b0;
    reg        ended = 1'b0;
    always @(posedge clk) begin
        if (accepted) begin
            assert (up & ~error & whole_t[2]);
            assert (number == expected);
            assert (count == {1'b0, field[22:20]} + 4'd1);
        end
        // A RESUME from where the receiver is, and nothing else, ends an error; a failure begins one,
        // and the request turns with it and when it is repeated.
        ended <= ~rst & up & ~ends & error & resume[2] & number == expected;
        turns <= ~rst & up & ~ends & (failed | (ask_again & error));
        request_before <= request;
        error_before <= ~rst & up & ~ends & (error | failed);
        if (up) begin
            if (error_before)
                assert (error == !ended);
            else
                assert (!error);
            assert (!started || !turns || request != request_before);
        end
    end
endmodule
