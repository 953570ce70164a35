// link_move_properties: the flits of accepted blocks in link_receiver, behind a cable that does what it
// likes. Every flit of an accepted block moves once, in order, and is the word that came; others do not
// move. A word shows which one it is, mod 32.

// Instead of a CRC, upside down as it is: whether a word is spoiled.
module link_crc32c (
    input  wire [31:0] crc,
    input  wire [63:0] word,
    output wire [31:0] next
);
    wire [31:0] before = ~crc;
    assign next = ~{before[31] | word[63], 31'd0};
    wire unused_ok = &{1'b0, before[30:0], word[62:0]};
endmodule

module link_move_properties (
    input wire        clk,
    input wire        rst,
    input wire        begins,
    input wire        ends,
    input wire        valid,
    input wire        control,
    input wire        spoiled,
    input wire [23:0] any_field
);
    reg        started = 1'b0;
    reg        up = 1'b0;
    wire       rise = begins & ~up;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
        up <= ~rst & (up ? ~ends : begins);
    end

    // The number of the next data word; of the first behind the last control word; and of the first of
    // the block whose T is judged.
    reg  [4:0]  next_word = 5'd0;
    reg  [4:0]  first;
    reg  [14:0] firsts;
    always @(posedge clk) begin
        if (rst | (valid & control))
            first <= rst ? 5'd0 : next_word;
        next_word <= rst ? 5'd0 : next_word + {4'd0, valid & ~control};
        firsts <= {firsts[9:0], first};
    end

    wire        accepted;
    wire [22:0] field;
    wire        place;
    wire [65:0] place_flit;
    link_receiver #(.VCS(1)) receiver (
        .clk(clk), .rst(rst), .line_rx_valid(valid), .line_rx_ctl(control),
        .line_rx_data(control ? {8'd0, spoiled, 31'd0, any_field} : {spoiled, 58'd0, next_word}),
        .line_rx_up(1'b1), .up(up), .rise(rise), .session(8'd2), .peer_session(8'd1),
        .ask_again(1'b0), .good_hello(), .good_status(), .accepted(accepted), .failed(), .bad(),
        .field(field), .error(), .request(), .expected(), .place(place), .place_at(),
        .place_flit(place_flit), .place_write_gray(), .message_room(1'b0),
        .message_queued(1'b0), .message_received(), .message_store(), .message_at(),
        .message_word(), .message_stored()
    );

    // Blocks that are accepted and have not moved: at most seven.
    reg  [4:0] block_first [0:7];
    reg  [2:0] block_last [0:7];
    reg  [2:0] write_at = 3'd0;
    reg  [2:0] read_at = 3'd0;
    reg  [2:0] moved = 3'd0;
    wire       waits = write_at != read_at;
    always @(posedge clk)
        if (rst | ~up) begin
            write_at <= 3'd0;
            read_at <= 3'd0;
            moved <= 3'd0;
        end else begin
            if (accepted) begin
                block_first[write_at] <= firsts[14:10];
                block_last[write_at] <= field[22:20];
                write_at <= write_at + 3'd1;
                assert (write_at + 3'd1 != read_at);
            end
            assert (place == waits);
            if (waits) begin
                assert (place_flit[4:0] == block_first[read_at] + {2'd0, moved});
                moved <= moved == block_last[read_at] ? 3'd0 : moved + 3'd1;
                read_at <= read_at + {2'd0, moved == block_last[read_at]};
            end
        end
    wire unused_ok = &{1'b0, place_flit[65:5]};
endmodule
