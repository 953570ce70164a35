// link_sender: chooses a word for every slot of the line and sends flits until they are
// acknowledged (docs/microarchitecture.md 7.5).
// Latency: a word chosen in a step is on the line pins three steps later. Throughput: one word per
// step; 8 flits in 9 words. Reset: synchronous, active high. Limits: VCS 1 or 2.
<$ banner $>

module link_sender #(
    parameter VCS = 2,
    parameter LINE_FLITS = 200,
    parameter MANAGEMENT = 0
) (
    input  wire          clk,
    input  wire          rst,
    // session
    input  wire          up,
    input  wire          rise,              // up in the next cycle, in a new session
    input  wire [7:0]    session,
    input  wire [7:0]    peer_session,
    output wire [3:0]    hello_index,
    input  wire          hello_seen,
    input  wire [15:0]   hello_content,
    input  wire          tail_resume,       // nothing was acknowledged for too long
    output wire          resumes,           // a RESUME is chosen
    output wire          waits,             // flits are not acknowledged
    output wire          progress,          // some are, now
    input  wire          damages,           // invert a bit of a word
    // receiver: what STATUS words show
    input  wire          error,
    input  wire          request,
    input  wire [8:0]    expected,
    input  wire          alarm,             // a STATUS is due
    // receiver: a good STATUS of the peer
    input  wire          status,
    input  wire          status_error,
    input  wire          status_request,
    input  wire [8:0]    status_ack,
    input  wire [7:0]    status_free,
    input  wire          status_channel,
    // core side
    input  wire [8:0]    ring_write_gray,   // as seen here
    output wire [7:0]    ring_at,           // to read in this cycle
    input  wire [66:0]   ring_flit,         // {vc, last, bad, data} at `send`
    input  wire [VCS*8-1:0] freed,          // place_read as seen here
    output reg  [8:0]    ack,
    output wire [15:0]   limits,            // limit of channel 1, 0
    // messages (7.10)
    input  wire          message_waits,
    output wire [2:0]    message_at,        // to read in this cycle
    input  wire [31:0]   message_word,
    output wire          message_done,      // M is chosen
    // line
    output reg           line_tx_valid,
    output reg           line_tx_ctl,
    output reg  [63:0]   line_tx_data,
    input  wire          line_tx_ready
);
    localparam [31:0] PLACES = LINE_FLITS;
    localparam [7:0] ROOM = PLACES[7:0];

    function [8:0] gray(input [8:0] number);
        gray = number ^ (number >> 1);
    endfunction

    // Choice of the slot's word.
    reg  [9:0] slot;
    reg        is_pause;                    // it is 1023
    reg  [8:0] send;
    reg        at_hand;
    reg  [3:0] held;
    reg  [7:0] lasts;                       // of the flits held, the newest in bit 0
    reg  [7:0] channels;
    reg        ends_bad;
    reg  [8:0] first;
    reg        due;
    reg        channel;
    reg        resume;
    reg        served;

    wire open    = held != 4'd0;
    wire full    = held[3];
    wire step    = line_tx_ready & ~is_pause;
    wire in_message;
    wire has_turn;                          // a message waits, and its turn before data has come
    wire begins;                            // a message
    wire is_words;                          // a data word of a message
    wire is_m;
    wire free    = ~open & ~in_message & ~resume;
    wire is_t    = up & open & (full | ends_bad | ~at_hand);
    wire is_resume = up & ~open & ~in_message & resume;
    wire asks    = status & status_error & status_request != served;
    wire others_wait;                       // a message, a STATUS or a RESUME goes before flits
    wire is_data = up & at_hand & (open ? ~full & ~ends_bad : ~others_wait & ~has_turn);
    wire is_status = up & free & (due | ~at_hand) & ~begins;
    wire take    = step & is_data;
    // In the next cycle.
    wire due_next    = ~up | alarm | (line_tx_ready & slot[4:0] == 5'd31)
        | (due & ~(step & is_status));
    wire resume_next = up & (asks | tail_resume | (resume & ~resumes));

    assign resumes     = step & is_resume;
    assign hello_index = slot[3:0];

    // The flit at `send` is read in the cycle before it can be taken.
    wire [8:0] send_next = resumes ? ack : send + {8'd0, take};
    assign ring_at = send_next[7:0];

    generate
        if (MANAGEMENT != 0) begin : gen_messages
            reg  [3:0] message;             // number of the next word; 8: M
            reg        has_words;           // `message` is not 0
            reg        has_others;          // has_words | due | resume; flits need this early
            reg        message_turn;
            reg        is_eighth;           // `slot` mod 16 is 8
            wire [3:0] message_next = (step & is_m) ? 4'd0 : message + {3'd0, step & is_words};

            wire       has_words_next = up
                & ((has_words & ~(step & is_m)) | (step & begins));

            assign in_message   = has_words;
            assign others_wait  = has_others;
            assign has_turn     = message_waits & message_turn;
            assign begins       = free & ~due
                & (has_turn | (message_waits & ~at_hand & is_eighth));
            assign is_words     = up & (begins | (in_message & ~message[3]));
            assign is_m         = up & message[3];
            assign message_at   = message_next[2:0];
            assign message_done = step & is_m;

            always @(posedge clk)
                if (rst) begin
                    message <= 4'd0;
                    has_words <= 1'b0;
                    has_others <= 1'b0;
                    message_turn <= 1'b0;
                    is_eighth <= 1'b0;
                end else begin
                    message <= up ? message_next : 4'd0;
                    has_words <= has_words_next;
                    has_others <= has_words_next | due_next | resume_next;
                    if (line_tx_ready)
                        is_eighth <= slot[3:0] == 4'd7;
                    message_turn <= (line_tx_ready & is_pause)
                        | (message_turn & ~(step & up & begins));
                end
        end else begin : gen_messages
            assign in_message   = 1'b0;
            assign others_wait  = due | resume;
            assign has_turn     = 1'b0;
            assign begins       = 1'b0;
            assign is_words     = 1'b0;
            assign is_m         = 1'b0;
            assign message_at   = 3'd0;
            assign message_done = 1'b0;
            wire unused_messages = &{1'b0, message_waits};
        end
    endgenerate

    // What the peer tells: old values are passed over.
    wire [8:0] ack_distance = status_ack - ack;
    wire [7:0] limit_told   = status_free + ROOM;
    wire [7:0] limit_known  = (VCS > 1 && status_channel) ? limits[15:8] : limits[7:0];
    wire [7:0] limit_distance = limit_told - limit_known;
    wire       limit_newer  = status & limit_distance[7:5] != 3'b111;

    wire       unused_ok    = &{1'b0, limit_distance[4:0]};

    assign progress = status & ack_distance != 9'd0
        & (~ack_distance[8] | ack_distance[7:0] == 8'd0);
    // Gray codes are compared: to decode the one that crosses would take longer.
    assign waits = gray(ack) != ring_write_gray;

    always @(posedge clk)
        if (rst) begin
            slot <= 10'd0;
            is_pause <= 1'b0;
            send <= 9'd0;
            at_hand <= 1'b0;
            held <= 4'd0;
            lasts <= 8'd0;
            channels <= 8'd0;
            ends_bad <= 1'b0;
            first <= 9'd0;
            due <= 1'b0;
            channel <= 1'b0;
            resume <= 1'b0;
            served <= 1'b0;
            ack <= 9'd0;
        end else begin
            if (line_tx_ready) begin
                slot <= slot + 10'd1;
                is_pause <= slot == 10'd1022;
            end
            due <= due_next;
            resume <= resume_next;
            if (!up) begin
                served <= 1'b0;
                channel <= 1'b0;
                send <= 9'd0;
            end else begin
                if (asks)
                    served <= status_request;
                if (step & is_status & VCS > 1)
                    channel <= ~channel;
                send <= send_next;
            end
            if (rise)
                ack <= 9'd0;
            else if (up & progress)
                ack <= status_ack;
            at_hand <= gray(send_next) != ring_write_gray;
            if (!up)
                held <= 4'd0;
            else if (step) begin
                if (take) begin
                    held <= held + 4'd1;
                    ends_bad <= ring_flit[64];
                    lasts <= {open ? lasts[6:0] : 7'd0, ring_flit[65]};
                    channels <= {open ? channels[6:0] : 7'd0, ring_flit[66]};
                    if (!open)
                        first <= send;
                end else
                    held <= 4'd0;
            end
        end

    genvar v;
    generate
        for (v = 0; v < 2; v = v + 1) begin : gen_channel
            if (v < VCS) begin : gen_limit
                localparam [31:0] NUMBER = v;
                reg [7:0] limit;


                always @(posedge clk)
                    if (rst | rise)
                        limit <= ROOM;
                    else if (up & limit_newer & (VCS == 1 || status_channel == NUMBER[0]))
                        limit <= limit_told;
                assign limits[v*8 +: 8] = limit;
            end else begin : gen_limit
                assign limits[v*8 +: 8] = 8'd0;
            end
        end
    endgenerate

    // The word: of a control word, what its CRC covers.
    wire [7:0]  freed_shown = (VCS > 1 && channel) ? freed[VCS*8-1 -: 8] : freed[7:0];
    wire [2:0]  before_last = held[2:0] - 3'd1;
    wire [63:0] word =
        ({64{is_data}} & ring_flit[63:0])
        | ({64{is_t}} & {
            session, peer_session, 15'd0, first,
            1'b1, before_last, lasts, channels, ends_bad, 3'd0})
        | ({64{is_resume}} & {session, peer_session, 24'd0, 3'd1, 12'd0, ack})
        | ({64{is_status}} & {
            session, peer_session, 24'd0,
            3'd0, error, request, expected, freed_shown, 1'b0, channel})
        | ({64{is_words}} & {message_word, 32'd0})
        | ({64{is_m}} & {session, peer_session, 24'd0, 4'd7, 20'd0})
        | ({64{~up}} & {40'd0, 3'd2, hello_index, hello_seen, hello_content});

    reg         chosen_valid;
    reg         chosen_ctl;
    reg  [63:0] chosen_word;
    reg         checked_valid;
    reg         checked_ctl;
    reg  [63:0] checked_word;
    reg  [31:0] checked_crc;
    reg  [31:0] crc;                        // before the chosen word
    wire [31:0] crc_next;
    reg         damage;

    link_crc32c crc_step (
        .crc(crc),
        .word(chosen_word),
        .next(crc_next)
    );

    always @(posedge clk)
        if (rst) begin
            chosen_valid <= 1'b0;
            chosen_ctl <= 1'b0;
            chosen_word <= 64'd0;
            checked_valid <= 1'b0;
            checked_ctl <= 1'b0;
            checked_word <= 64'd0;
            checked_crc <= 32'd0;
        end else if (line_tx_ready) begin
            chosen_valid <= ~is_pause;
            chosen_ctl <= ~is_data & ~is_words;
            chosen_word <= word;
            checked_valid <= chosen_valid;
            checked_ctl <= chosen_ctl;
            checked_word <= chosen_word;
            checked_crc <= crc_next;
        end

    // It starts again behind every control word, and when a block is given up.
    always @(posedge clk)
        if (rst)
            crc <= {32{1'b1}};
        else if (line_tx_ready) begin
            if (~up | (chosen_valid & chosen_ctl))
                crc <= {32{1'b1}};
            else if (chosen_valid)
                crc <= crc_next;
        end

    always @(posedge clk)
        if (rst) begin
            line_tx_valid <= 1'b0;
            line_tx_ctl <= 1'b0;
            line_tx_data <= 64'd0;
        end else if (line_tx_ready) begin
            line_tx_valid <= checked_valid;
            if (!checked_valid) begin
                line_tx_ctl <= 1'b0;
                line_tx_data <= 64'd0;
            end else begin
                line_tx_ctl <= checked_ctl;
                line_tx_data <= {63'd0, damage}
                    ^ (checked_ctl ? {8'd0, ~checked_crc, checked_word[23:0]} : checked_word);
            end
        end

    always @(posedge clk)
        if (rst)
            damage <= 1'b0;
        else
            damage <= damages | (damage & ~(line_tx_ready & checked_valid));
endmodule
