// link_messages: the messages of a serial link, one in each direction, between the clock of the
// management unit and that of the line (docs/microarchitecture.md 7.10). A toggle says that a
// message is in its buffer, one back that the buffer is free again.
// Latency: a message that is sent waits for the line from the fourth cycle on. Reset: each side
// synchronous to its own clock, active high, both together.
<$ banner $>

module link_messages (
    // unit
    input  wire        clk,
    input  wire        rst,
    input  wire        read,
    input  wire [2:0]  read_at,
    output reg  [31:0] read_word,           // 0 unless read
    output wire        full,
    input  wire        release_message,
    input  wire        write,
    input  wire [2:0]  write_at,
    input  wire [31:0] write_word,
    input  wire        send,
    output wire        busy,
    // line
    input  wire        link_clk,
    input  wire        link_rst,
    input  wire        up,
    output reg         waits,               // a register, because flits need it early
    input  wire [2:0]  send_at,
    output wire [31:0] send_word,
    input  wire        done,
    output wire        room,
    output wire        queued,
    input  wire        received,
    input  wire        store,
    input  wire [2:0]  store_at,
    input  wire [31:0] store_word,
    input  wire        stored
);
    reg  message_sent;
    reg  message_taken;
    reg  message_held;
    reg  message_arrived;
    reg  message_released;
    wire sent_seen;
    wire taken_seen;
    wire arrived_seen;
    wire released_seen;

    assign busy   = message_sent != taken_seen;
    assign full   = arrived_seen != message_released;
    assign room   = message_held == released_seen;
    assign queued = message_held != message_arrived;

    always @(posedge clk)
        if (rst) begin
            message_sent <= 1'b0;
            message_released <= 1'b0;
        end else begin
            message_sent <= message_sent ^ send;
            message_released <= message_released ^ release_message;
        end

    // What waits on a link that is down is dropped, and what did not move yet.
    wire next_taken = up ? message_taken ^ done : sent_seen;

    always @(posedge link_clk)
        if (link_rst) begin
            waits <= 1'b0;
            message_taken <= 1'b0;
            message_held <= 1'b0;
            message_arrived <= 1'b0;
        end else begin
            waits <= sent_seen != next_taken;
            message_taken <= next_taken;
            message_held <= up ? message_held ^ received : message_arrived;
            message_arrived <= message_arrived ^ stored;
        end

    link_synchronizer sent_crossing (
        .clk(link_clk), .rst(link_rst), .from(message_sent), .seen(sent_seen)
    );

    link_synchronizer taken_crossing (
        .clk(clk), .rst(rst), .from(message_taken), .seen(taken_seen)
    );

    link_synchronizer arrived_crossing (
        .clk(clk), .rst(rst), .from(message_arrived), .seen(arrived_seen)
    );

    link_synchronizer released_crossing (
        .clk(link_clk), .rst(link_rst), .from(message_released), .seen(released_seen)
    );

    link_memory #(.WIDTH(32), .ADDRESS_BITS(3)) to_send (
        .write_clk(clk),
        .write(write),
        .write_at(write_at),
        .write_word(write_word),
        .read_clk(link_clk),
        .read_at(send_at),
        .read_word(send_word)
    );

    // Nobody reads a word while it is written, also where both clocks are one.
    (* ram_style = "block", no_rw_check *)
    reg [31:0] memory [0:7];

    always @(posedge link_clk)
        if (store)
            memory[store_at] <= store_word;

    // The unit takes the words of all links together, so the others give 0.
    always @(posedge clk)
        if (!read)
            read_word <= 32'd0;
        else
            read_word <= memory[read_at];
endmodule
