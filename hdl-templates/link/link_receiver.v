// link_receiver: judges the words of the line and puts the flits of good blocks into the queues of
// their channels (docs/microarchitecture.md 7.7).
// Latency: a word on the line pins in cycle t is judged in t + 3; its flits move from t + 4 on,
// one per cycle. Reset: synchronous, active high. Limits: VCS 1 or 2.
<$ banner $>

module link_receiver #(
    parameter VCS = 2,
    parameter MANAGEMENT = 0
) (
    input  wire             clk,
    input  wire             rst,
    // line
    input  wire             line_rx_valid,
    input  wire             line_rx_ctl,
    input  wire [63:0]      line_rx_data,
    input  wire             line_rx_up,
    // session
    input  wire             up,
    input  wire             rise,           // up in the next cycle, in a new session
    input  wire [7:0]       session,
    input  wire [7:0]       peer_session,
    input  wire             ask_again,
    // what is judged in this cycle
    output wire             good_hello,
    output wire             good_status,
    output wire             accepted,
    output wire             failed,
    output wire             bad,            // to be counted
    output reg  [22:0]      field,          // of the word
    // what STATUS words show
    output reg              error,
    output reg              request,
    output reg  [8:0]       expected,
    // queues of the core side
    output wire             place,
    output wire [VCS+7-1:0] place_at,       // {channel, place}; V = 1: place
    output wire [65:0]      place_flit,     // {last, bad, data}
    output wire [VCS*8-1:0] place_write_gray,
    // messages (7.10)
    input  wire             message_room,   // nothing is in the buffer
    input  wire             message_queued, // one is received, and its words move
    output wire             message_received,
    output wire             message_store,
    output wire [2:0]       message_at,
    output wire [31:0]      message_word,
    output wire             message_stored  // all of it
);
    // Cycle t + 1: CRC. What a control word's CRC covers beside the field is filled in.
    reg         word_valid;
    reg         word_ctl;
    reg  [63:0] word;
    reg  [3:0]  pending;
    reg  [8:0]  number;                     // of the next block's first flit, if all were accepted
    reg  [31:0] crc;                        // before this word
    wire [31:0] crc_next;
    wire        is_t     = word[23];
    wire        is_hello = word[23:21] == 3'd2;
    wire [15:0] sessions = {peer_session, session} & {16{~is_hello}};
    wire [63:0] covered  = {
        word_ctl ? {sessions, 15'd0, number & {9{is_t}}} : word[63:24], word[23:0]};

    link_crc32c crc_step (
        .crc(crc),
        .word(covered),
        .next(crc_next)
    );

    // Cycle t + 2: comparison. Cycle t + 3: judgement.
    reg         checked_ctl;
    reg  [23:0] checked_field;
    reg  [31:0] checked_crc;
    reg  [31:0] own_crc;
    reg  [3:0]  checked_pending;
    reg         judged;
    reg         good;
    reg         of_t;
    reg         of_status;
    reg         of_resume;
    reg         of_hello;
    wire        of_message;
    reg         fits;                       // a T with as many flits as words were pending
    reg         had_pending;

    // Words wait here for their T; accepted blocks wait until their words have moved.
    reg  [63:0] waiting_words [0:15];
    reg  [23:0] waiting_blocks [0:7];       // {place of the first word, flits - 1, marks}
    reg  [3:0]  word_at;
    reg  [3:0]  start;                      // place of the pending block's first word
    reg  [3:0]  checked_start;
    reg  [3:0]  judged_start;
    reg  [2:0]  block_write;
    reg  [2:0]  block_read;
    reg  [2:0]  moved;                      // flits of the block in front

    wire other_number = field[8:0] != expected;
    wire block   = good & of_t & fits;
    wire resumed = judged & good & of_resume & ~other_number;

    assign good_hello  = judged & good & of_hello;
    assign good_status = judged & good & of_status;
    assign accepted    = up & ~error & judged & block;
    assign failed      = up & ~error & judged
        & (had_pending ? ~block & ~(good & of_message) : good & of_resume & other_number);
    assign bad         = failed | (up & ~error & judged & ~good);

    wire [3:0] flits = {1'b0, field[22:20]} + 4'd1;
    // While down, `expected` is still that of the session before, and a T may be right behind the
    // STATUS that lets the link rise.
    wire [8:0] number_base = ~up ? 9'd0 : (error | failed) ? expected : number;
    wire       starts_t = word_valid & word_ctl & is_t;

    always @(posedge clk)
        if (rst) begin
            word_valid <= 1'b0;
            word_ctl <= 1'b0;
            pending <= 4'd0;
            number <= 9'd0;
            checked_ctl <= 1'b0;
            judged <= 1'b0;
            error <= 1'b0;
            request <= 1'b0;
            expected <= 9'd0;
            word_at <= 4'd0;
            block_write <= 3'd0;
        end else begin
            word_valid <= line_rx_valid & line_rx_up;
            word_ctl <= line_rx_ctl;
            if (word_valid) begin
                if (word_ctl)
                    pending <= 4'd0;
                else if (pending != 4'd9)
                    pending <= pending + 4'd1;
                if (!word_ctl)
                    word_at <= word_at + 4'd1;
            end
            number <= number_base + {5'd0, pending & {4{starts_t}}};
            checked_ctl <= word_valid & word_ctl;
            judged <= checked_ctl;
            if (rise) begin
                error <= 1'b0;
                request <= 1'b0;
                expected <= 9'd0;
            end else begin
                if (failed)
                    error <= 1'b1;
                else if (up & resumed)
                    error <= 1'b0;
                request <= request ^ (failed | ask_again);
                if (accepted)
                    expected <= expected + {5'd0, flits};
            end
            if (!up)
                block_write <= 3'd0;
            else if (accepted | message_received)
                block_write <= block_write + 3'd1;
        end

    always @(posedge clk) begin
        word <= line_rx_data;
        own_crc <= crc_next;
        // It starts again behind every control word.
        if (rst | (word_valid & word_ctl))
            crc <= {32{1'b1}};
        else if (word_valid)
            crc <= crc_next;
        if (word_valid & pending == 4'd0)
            start <= word_at;
        checked_field <= word[23:0];
        checked_crc <= word[55:24];
        checked_pending <= pending;
        checked_start <= start;
        judged_start <= checked_start;
        good <= &(own_crc ^ checked_crc)
            & (checked_field[23] | (checked_field[22:21] != 2'd3 & checked_pending == 4'd0)
                | (MANAGEMENT != 0 & checked_field[22:20] == 3'd7 & checked_pending == 4'd8));
        of_t <= checked_field[23];
        of_status <= checked_field[23:21] == 3'd0;
        of_resume <= checked_field[23:21] == 3'd1;
        of_hello <= checked_field[23:21] == 3'd2;
        fits <= checked_pending == {1'b0, checked_field[22:20]} + 4'd1;
        had_pending <= checked_pending != 4'd0;
        field <= checked_field[22:0];
    end

    always @(posedge clk)
        if (word_valid & ~word_ctl)
            waiting_words[word_at] <= word;

    always @(posedge clk)
        if (accepted | message_received)
            waiting_blocks[block_write] <= {judged_start, field[22:3]};

    // Move.
    wire [23:0] front    = waiting_blocks[block_read];
    wire [2:0]  to_move  = front[19:17] - moved;        // behind this flit
    wire        moves    = up & block_read != block_write;
    wire        finished = to_move == 3'd0;
    wire [7:0]  lasts    = front[16:9];
    wire [7:0]  channels = front[8:1];
    wire        channel  = (VCS > 1) & channels[to_move];
    // Four bits, or Icarus Verilog reads beyond the end instead of from the start.
    wire [3:0]  moves_at = front[23:20] + {1'b0, moved};
    wire [63:0] moving   = waiting_words[moves_at];

    always @(posedge clk)
        if (rst | ~up) begin
            block_read <= 3'd0;
            moved <= 3'd0;
        end else if (moves) begin
            moved <= finished ? 3'd0 : moved + 3'd1;
            if (finished)
                block_read <= block_read + 3'd1;
        end

    wire        of_block;                   // no word of a message
    assign place      = moves & of_block;
    assign place_flit = {lasts[to_move], finished & front[0], moving};

    // An M is like the T of 8 flits, and at most one message waits among the blocks.
    assign message_received = up & judged & good & of_message & message_room;
    assign message_store    = moves & ~of_block;
    assign message_at       = moved;
    assign message_word     = moving[63:32];
    assign message_stored   = message_store & finished;

    generate
        if (MANAGEMENT != 0) begin : gen_messages
            reg       is_message;
            reg [2:0] message_block;

            assign of_message = is_message;
            assign of_block   = ~message_queued | block_read != message_block;

            always @(posedge clk) begin
                is_message <= checked_field[23:20] == 4'd7;
                if (message_received)
                    message_block <= block_write;
            end
        end else begin : gen_messages
            assign of_message = 1'b0;
            assign of_block   = 1'b1;
            wire unused_messages = &{1'b0, message_queued};
        end
    endgenerate

    wire [VCS*8-1:0] place_write;

    genvar v;
    generate
        for (v = 0; v < VCS; v = v + 1) begin : gen_channel
            localparam [31:0] NUMBER = v;

            link_pointer #(.BITS(8)) pointer (
                .clk(clk),
                .clear(rst | rise),
                .advance(place & channel == NUMBER[0]),
                .count(place_write[v*8 +: 8]),
                .gray(place_write_gray[v*8 +: 8])
            );
        end
        if (VCS > 1) begin : gen_place
            assign place_at = {channel, channel ? place_write[VCS*8-1 -: 8] : place_write[7:0]};
        end else begin : gen_place
            assign place_at = place_write;
        end
    endgenerate
endmodule
