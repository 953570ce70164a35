// link_port: joins a block's network port to a line that makes errors, between two FPGAs with
// clocks of their own (docs/microarchitecture.md 7). Flits arrive in order and once; `link_up`
// falls when that cannot be kept.
//
// Latency: 17 cycles from port to port, and the flight. Throughput: 8 flits in 9 words of the
// line.
// Reset: both synchronous to their clocks, active high, given together for at least 8 cycles of
// the slower clock. Limits: DATA_WIDTH 64, VCS 1 or 2, VCS * RX_BUFFER_FLITS < 256, LINE_FLITS
// RX_BUFFER_FLITS..223, REQUEST_TICKS and TAIL_TICKS 1..63.
<$ banner $>

module link_port #(
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter RX_BUFFER_FLITS = 16,         // credits a channel between block and port, both ways
    parameter LINE_FLITS = 200,             // places a channel at the far end
    parameter REQUEST_TICKS = 6,
    parameter TAIL_TICKS = 12,
    parameter SILENT_TICKS = 128,
    parameter STUCK_TICKS = 1024,
    parameter [31:0] NETWORK = 0,
    parameter [15:0] PORT = 0,
    parameter [15:0] KIND = 0,
    parameter [31:0] EXPECTED_PEER = 0,
    parameter MANAGEMENT = 0                // 1: messages
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  link_clk,
    input  wire                  link_rst,
    // the block's pins of the same names
    input  wire                  tx_valid,
    input  wire                  tx_vc,
    input  wire                  tx_last,
    input  wire                  tx_bad,
    input  wire [DATA_WIDTH-1:0] tx_data,
    output wire [VCS-1:0]        tx_credit,
    output wire                  rx_valid,
    output wire                  rx_vc,
    output wire                  rx_last,
    output wire                  rx_bad,
    output wire [DATA_WIDTH-1:0] rx_data,
    input  wire [VCS-1:0]        rx_credit,
    output wire                  link_up,
    input  wire [15:0]           block_number, // still while HELLO words are sent
    // registers
    input  wire                  reg_valid,
    input  wire                  reg_write,
    input  wire [4:0]            reg_address,
    input  wire [31:0]           reg_wdata,
    output wire                  reg_ready,
    output wire [31:0]           reg_rdata,
    // messages (7.10)
    input  wire                  message_read,
    input  wire [2:0]            message_read_at,
    output wire [31:0]           message_word,
    output wire                  message_full,
    input  wire                  message_release,
    input  wire                  message_write,
    input  wire [2:0]            message_write_at,
    input  wire [31:0]           message_write_word,
    input  wire                  message_send,
    output wire                  message_busy,
    // line, in link_clk
    output wire                  line_tx_valid,
    output wire                  line_tx_ctl,
    output wire [63:0]           line_tx_data,
    input  wire                  line_tx_ready,
    input  wire                  line_rx_valid,
    input  wire                  line_rx_ctl,
    input  wire [63:0]           line_rx_data,
    input  wire                  line_rx_up
);
    generate
        if (DATA_WIDTH != 64) begin : gen_check_data_width
            illegal_parameter_DATA_WIDTH_must_be_64 stop ();
        end
        if (LINE_FLITS < RX_BUFFER_FLITS || LINE_FLITS > 223) begin : gen_check_line_flits
            illegal_parameter_LINE_FLITS_must_be_RX_BUFFER_FLITS_to_223 stop ();
        end
        if (REQUEST_TICKS < 1 || REQUEST_TICKS > 63) begin : gen_check_request_ticks
            illegal_parameter_REQUEST_TICKS_must_be_1_to_63 stop ();
        end
        if (TAIL_TICKS < 1 || TAIL_TICKS > 63) begin : gen_check_tail_ticks
            illegal_parameter_TAIL_TICKS_must_be_1_to_63 stop ();
        end
        if (SILENT_TICKS < 1 || SILENT_TICKS > 255) begin : gen_check_silent_ticks
            illegal_parameter_SILENT_TICKS_must_be_1_to_255 stop ();
        end
        if (STUCK_TICKS < 1 || STUCK_TICKS > 2047) begin : gen_check_stuck_ticks
            illegal_parameter_STUCK_TICKS_must_be_1_to_2047 stop ();
        end
    endgenerate

    genvar v;

    // Core side.
    wire             ring;
    wire [7:0]       ring_write_at;
    wire [8:0]       ring_write_gray;
    wire [VCS*8-1:0] place_write_seen;
    wire [VCS+7-1:0] place_read_at;
    wire [65:0]      place_read_flit;
    wire [VCS*8-1:0] place_read_gray;
    wire             core_idle;
    reg              core_alive;
    reg  [8:0]       core_ack;
    reg  [15:0]      core_limits;
    wire [15:0]      lost_flits;
    wire             taken;
    wire [41:0]      box;
    wire [4:0]       reg_index;
    wire [24:0]      expected_peer;
    wire             disabled;
    wire             inject;

    link_core #(.VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS)) core (
        .clk(clk),
        .rst(rst),
        .tx_valid(tx_valid),
        .tx_vc(tx_vc),
        .tx_credit(tx_credit),
        .rx_valid(rx_valid),
        .rx_vc(rx_vc),
        .rx_last(rx_last),
        .rx_bad(rx_bad),
        .rx_data(rx_data),
        .rx_credit(rx_credit),
        .link_up(link_up),
        .ring(ring),
        .ring_at(ring_write_at),
        .ring_write_gray(ring_write_gray),
        .place_write_gray(place_write_seen),
        .place_at(place_read_at),
        .place_flit(place_read_flit),
        .place_read_gray(place_read_gray),
        .core_idle(core_idle),
        .core_alive(core_alive),
        .core_ack(core_ack),
        .core_limits(core_limits),
        .lost_flits(lost_flits)
    );

    link_registers #(.EXPECTED_PEER(EXPECTED_PEER)) registers (
        .clk(clk),
        .rst(rst),
        .reg_valid(reg_valid),
        .reg_write(reg_write),
        .reg_address(reg_address),
        .reg_wdata(reg_wdata),
        .reg_ready(reg_ready),
        .reg_rdata(reg_rdata),
        .box_taken(taken),
        .box_word(box[15:0]),
        .lost_flits(lost_flits),
        .reg_index(reg_index),
        .expected_peer(expected_peer),
        .disabled(disabled),
        .inject(inject)
    );

    always @(posedge clk)
        if (rst) begin
            core_alive <= 1'b0;
            core_ack <= 9'd0;
            core_limits <= 16'd0;
        end else if (taken)
            {core_alive, core_ack, core_limits} <= box[41:16];

    // Crossings.
    wire             core_idle_seen;
    wire             disabled_seen;
    wire             inject_seen;
    reg              inject_before;
    wire [8:0]       ring_write_gray_seen;
    wire [VCS*8-1:0] place_read_gray_seen;
    wire [VCS*8-1:0] place_read_seen;
    wire [VCS*8-1:0] place_write_gray;
    wire             alive;
    wire [8:0]       ack;
    wire [15:0]      limits;
    wire [15:0]      register_word;

    link_box #(.WIDTH(42)) state_box (
        .from_clk(link_clk),
        .from_rst(link_rst),
        .from({alive, ack, limits, register_word}),
        .to_clk(clk),
        .to_rst(rst),
        .taken(taken),
        .word(box)
    );

    link_synchronizer idle_crossing (
        .clk(link_clk), .rst(link_rst), .from(core_idle), .seen(core_idle_seen)
    );

    link_synchronizer disabled_crossing (
        .clk(link_clk), .rst(link_rst), .from(disabled), .seen(disabled_seen)
    );

    link_synchronizer inject_crossing (
        .clk(link_clk), .rst(link_rst), .from(inject), .seen(inject_seen)
    );

    link_synchronizer #(.WIDTH(9)) ring_crossing (
        .clk(link_clk),
        .rst(link_rst),
        .from(ring_write_gray),
        .seen(ring_write_gray_seen)
    );

    generate
        for (v = 0; v < VCS; v = v + 1) begin : gen_crossing
            link_synchronizer #(.WIDTH(8)) read_crossing (
                .clk(link_clk),
                .rst(link_rst),
                .from(place_read_gray[v*8 +: 8]),
                .seen(place_read_gray_seen[v*8 +: 8])
            );

            wire [8:0] read_seen = binary({1'b0, place_read_gray_seen[v*8 +: 8]});
            reg  [7:0] read_binary;
            assign place_read_seen[v*8 +: 8] = read_binary;
            always @(posedge link_clk)
                read_binary <= link_rst ? 8'd0 : read_seen[7:0];
            wire unused_ok = &{1'b0, read_seen[8]};

            link_synchronizer #(.WIDTH(8)) write_crossing (
                .clk(clk),
                .rst(rst),
                .from(place_write_gray[v*8 +: 8]),
                .seen(place_write_seen[v*8 +: 8])
            );
        end
    endgenerate

    // A bit of a binary number is the parity of the Gray code from that bit up.
    function [8:0] binary(input [8:0] gray);
        integer at;
        for (at = 0; at < 9; at = at + 1)
            binary[at] = ^(gray >> at);
    endfunction

    always @(posedge link_clk)
        inject_before <= ~link_rst & inject_seen;

    // Link side.
    wire             up;
    wire             rise;
    wire [7:0]       session;
    wire [7:0]       peer_session;
    wire [3:0]       hello_index;
    wire             hello_seen;
    wire [15:0]      hello_content;
    wire             tail_resume;
    wire             resumes;
    wire             waits;
    wire             progress;
    wire             good_hello;
    wire             good_status;
    wire             accepted;
    wire             failed;
    wire             bad;
    wire             ask_again;
    wire [22:0]      field;
    wire             unused_ok = &{1'b0, field[22:21]};
    wire             error;
    wire             request;
    wire [8:0]       expected;
    wire [7:0]       ring_read_at;
    wire [66:0]      ring_read_flit;
    wire             place;
    wire [VCS+7-1:0] place_write_at;
    wire [65:0]      place_write_flit;
    wire             message_waits;
    wire [2:0]       message_at;
    wire [31:0]      message_to_send;
    wire             message_done;
    wire             message_room;
    wire             message_queued;
    wire             message_received;
    wire             message_store;
    wire [2:0]       message_store_at;
    wire [31:0]      message_store_word;
    wire             message_stored;

    link_session #(
        .VCS(VCS), .LINE_FLITS(LINE_FLITS), .REQUEST_TICKS(REQUEST_TICKS), .TAIL_TICKS(TAIL_TICKS),
        .SILENT_TICKS(SILENT_TICKS), .STUCK_TICKS(STUCK_TICKS), .NETWORK(NETWORK), .PORT(PORT),
        .KIND(KIND), .MANAGEMENT(MANAGEMENT)
    ) sessions (
        .clk(link_clk),
        .rst(link_rst),
        .up(up),
        .rise(rise),
        .alive(alive),
        .session(session),
        .peer_session(peer_session),
        .hello_index(hello_index),
        .hello_seen(hello_seen),
        .hello_content(hello_content),
        .resumes(resumes),
        .waits(waits),
        .progress(progress),
        .tail_resume(tail_resume),
        .good_hello(good_hello),
        .good_status(good_status),
        .accepted(accepted),
        .bad(bad),
        .field(field[20:0]),
        .error(error),
        .ask_again(ask_again),
        .line_rx_up(line_rx_up),
        .core_idle(core_idle_seen),
        .disabled(disabled_seen),
        // No synchronizer: expected_peer is still while HELLO words are judged (it is written while
        // the link is disabled), and reg_index from before the box is loaded whose word is used.
        .block_number(block_number),
        .expected_peer(expected_peer),
        .register_index(reg_index),
        .register_word(register_word)
    );

    link_sender #(.VCS(VCS), .LINE_FLITS(LINE_FLITS), .MANAGEMENT(MANAGEMENT)) sender (
        .clk(link_clk),
        .rst(link_rst),
        .up(up),
        .rise(rise),
        .session(session),
        .peer_session(peer_session),
        .hello_index(hello_index),
        .hello_seen(hello_seen),
        .hello_content(hello_content),
        .tail_resume(tail_resume),
        .resumes(resumes),
        .waits(waits),
        .progress(progress),
        .damages(inject_seen != inject_before),
        .error(error),
        .request(request),
        .expected(expected),
        .alarm(failed | ask_again),
        .status(good_status),
        .status_error(field[20]),
        .status_request(field[19]),
        .status_ack(field[18:10]),
        .status_free(field[9:2]),
        .status_channel(field[0]),
        .ring_write_gray(ring_write_gray_seen),
        .ring_at(ring_read_at),
        .ring_flit(ring_read_flit),
        .freed(place_read_seen),
        .ack(ack),
        .limits(limits),
        .message_waits(message_waits),
        .message_at(message_at),
        .message_word(message_to_send),
        .message_done(message_done),
        .line_tx_valid(line_tx_valid),
        .line_tx_ctl(line_tx_ctl),
        .line_tx_data(line_tx_data),
        .line_tx_ready(line_tx_ready)
    );

    link_receiver #(.VCS(VCS), .MANAGEMENT(MANAGEMENT)) receiver (
        .clk(link_clk),
        .rst(link_rst),
        .line_rx_valid(line_rx_valid),
        .line_rx_ctl(line_rx_ctl),
        .line_rx_data(line_rx_data),
        .line_rx_up(line_rx_up),
        .up(up),
        .rise(rise),
        .session(session),
        .peer_session(peer_session),
        .ask_again(ask_again),
        .good_hello(good_hello),
        .good_status(good_status),
        .accepted(accepted),
        .failed(failed),
        .bad(bad),
        .field(field),
        .error(error),
        .request(request),
        .expected(expected),
        .place(place),
        .place_at(place_write_at),
        .place_flit(place_write_flit),
        .place_write_gray(place_write_gray),
        .message_room(message_room),
        .message_queued(message_queued),
        .message_received(message_received),
        .message_store(message_store),
        .message_at(message_store_at),
        .message_word(message_store_word),
        .message_stored(message_stored)
    );

    generate
        if (MANAGEMENT != 0) begin : gen_messages
            link_messages messages (
                .clk(clk),
                .rst(rst),
                .read(message_read),
                .read_at(message_read_at),
                .read_word(message_word),
                .full(message_full),
                .release_message(message_release),
                .write(message_write),
                .write_at(message_write_at),
                .write_word(message_write_word),
                .send(message_send),
                .busy(message_busy),
                .link_clk(link_clk),
                .link_rst(link_rst),
                .up(up),
                .waits(message_waits),
                .send_at(message_at),
                .send_word(message_to_send),
                .done(message_done),
                .room(message_room),
                .queued(message_queued),
                .received(message_received),
                .store(message_store),
                .store_at(message_store_at),
                .store_word(message_store_word),
                .stored(message_stored)
            );
        end else begin : gen_messages
            assign message_word    = 32'd0;
            assign message_full    = 1'b0;
            assign message_busy    = 1'b0;
            assign message_waits   = 1'b0;
            assign message_to_send = 32'd0;
            assign message_room    = 1'b0;
            assign message_queued  = 1'b0;
            wire unused_messages = &{1'b0, message_read, message_read_at, message_release,
                message_write, message_write_at, message_write_word, message_send, message_at,
                message_done, message_received, message_store, message_store_at,
                message_store_word, message_stored};
        end
    endgenerate

    // What is sent until it is acknowledged, and what was received.
    link_memory #(.WIDTH(67), .ADDRESS_BITS(8)) ring_memory (
        .write_clk(clk),
        .write(ring),
        .write_at(ring_write_at),
        .write_word({tx_vc & (VCS > 1), tx_last, tx_bad, tx_data}),
        .read_clk(link_clk),
        .read_at(ring_read_at),
        .read_word(ring_read_flit)
    );

    link_memory #(.WIDTH(66), .ADDRESS_BITS(VCS + 7)) places (
        .write_clk(link_clk),
        .write(place),
        .write_at(place_write_at),
        .write_word(place_write_flit),
        .read_clk(clk),
        .read_at(place_read_at),
        .read_word(place_read_flit)
    );
endmodule
