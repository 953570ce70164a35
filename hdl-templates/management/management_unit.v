// management_unit: passes messages from serial link to serial link, carries out those that have
// reached their end, and has a window for a host (docs/microarchitecture.md 8). It stands between
// the AXI4-Lite pins of a board and link_window.
// Latency: a message that is passed on takes 22 cycles from the place where it is found, one that
// is carried out as long as its register besides. Throughput: one message at a time.
// Reset: synchronous, active high; the unit is busy for 16 cycles after it. Limits: PORTS 1..16, a
// bit of LINKS for each port with a link.
<$ banner $>

module management_unit #(
    parameter PORTS = 4,
    parameter [PORTS-1:0] LINKS = {PORTS{1'b1}}
) (
    input  wire                clk,
    input  wire                rst,
    // from the master
    input  wire                s_axil_awvalid,
    output wire                s_axil_awready,
    input  wire [19:0]         s_axil_awaddr,
    input  wire                s_axil_wvalid,
    output wire                s_axil_wready,
    input  wire [31:0]         s_axil_wdata,
    input  wire [3:0]          s_axil_wstrb,
    output wire                s_axil_bvalid,
    input  wire                s_axil_bready,
    output wire [1:0]          s_axil_bresp,
    input  wire                s_axil_arvalid,
    output wire                s_axil_arready,
    input  wire [19:0]         s_axil_araddr,
    output wire                s_axil_rvalid,
    input  wire                s_axil_rready,
    output wire [31:0]         s_axil_rdata,
    output wire [1:0]          s_axil_rresp,
    // to link_window
    output wire                window_awvalid,
    input  wire                window_awready,
    output wire [19:0]         window_awaddr,
    output wire                window_wvalid,
    output wire [31:0]         window_wdata,
    output wire [3:0]          window_wstrb,
    input  wire                window_bvalid,
    output wire                window_bready,
    input  wire [1:0]          window_bresp,
    output wire                window_arvalid,
    input  wire                window_arready,
    output wire [19:0]         window_araddr,
    input  wire                window_rvalid,
    output wire                window_rready,
    input  wire [31:0]         window_rdata,
    input  wire [1:0]          window_rresp,
    // links; port p in bit p; ports without a link give 0
    input  wire [PORTS-1:0]    link_up,
    output wire [PORTS-1:0]    message_read,
    output wire [2:0]          message_read_at,
    input  wire [PORTS*32-1:0] message_word,
    input  wire [PORTS-1:0]    message_full,
    output wire [PORTS-1:0]    message_release,
    output wire [PORTS-1:0]    message_write,
    output reg  [2:0]          message_write_at,
    output wire [31:0]         message_write_word,
    output wire [PORTS-1:0]    message_send,
    input  wire [PORTS-1:0]    message_busy,
    // own registers
    input  wire                reg_valid,
    input  wire                reg_write,
    input  wire [4:0]          reg_address,
    input  wire [31:0]         reg_wdata,
    output wire                reg_ready,
    output wire [31:0]         reg_rdata
);
    // Places: links, window, notice.
    localparam WINDOW = PORTS;
    localparam NOTICE = PORTS + 1;
    localparam [PORTS+1:0] FIRST = 1;
    localparam [PORTS-1:0] ONE = 1;

    localparam [2:0] CLEARING = 3'd0;
    localparam [2:0] LOOKING = 3'd1;
    localparam [2:0] READING = 3'd2;
    localparam [2:0] ACCESSING = 3'd3;
    localparam [2:0] LEAVING = 3'd4;
    localparam [2:0] SENDING = 3'd5;

    localparam [7:0] WRONG_KEY = 8'd4;
    localparam [7:0] OLD_NUMBER = 8'd5;
    localparam [3:0] NO_LINK = 4'd8;

    reg  [2:0]  phase;
    reg  [3:0]  at;
    reg  [PORTS+1:0] of_place;              // the place, one bit for each
    reg  [3:0]  place;                      // its number mod 16
    reg         back;
    reg         records;
    reg  [7:0]  status;
    reg         owner;
    reg         asking;
    reg         finished;

    wire        is_sending = phase == SENDING;
    wire        at_end     = at[3] & at[0];

    // Registers.
    wire        sending;
    wire        received;
    wire        notice_full;
    wire [1:0]  set_key;
    wire [31:0] window_word;

    // The message that is read.
    wire        version_good;
    wire        returns;
    wire        writes;
    wire [3:0]  hop;
    wire        arrived;
    wire [31:0] number;
    wire [3:0]  entry;
    wire [3:0]  port;
    wire        key_equal;
    wire        key_good;
    wire [19:0] address;

    // Word `at` is asked for. Of an answer, the key and the data of a read are not those of the
    // request: nothing is asked for, and what was read takes its place.
    wire        takes_data = is_sending & owner & ~writes;
    wire        left_out   = is_sending & back & at[2:1] == 2'd2
        | takes_data & (at[3] | at[2:0] == 3'd7);
    wire        asks       = (phase == READING | phase == ACCESSING | is_sending) & ~left_out;
    wire        is_full    = |(of_place & {notice_full, sending, message_full & LINKS});

    assign message_read    = of_place[PORTS-1:0] & LINKS & {PORTS{asks}};
    assign message_read_at = at[2:0] | {3{at[3]}};

    // Only what was asked for does not give 0. It comes from block RAM of distant links, and goes
    // through the control port or into their block RAM: the register in between halves the path.
    reg  [31:0]    data_read;
    reg  [31:0]    brought;
    reg  [31:0]    word;
    integer        link;

    always @(posedge clk)
        if (!(takes_data & at[2:0] == 3'd7))
            data_read <= 32'd0;
        else
            data_read <= window_rdata;

    always @* begin
        brought = window_word | data_read;
        for (link = 0; link < PORTS; link = link + 1)
            brought = brought | (message_word[link*32 +: 32] & {32{LINKS[link]}});
    end

    always @(posedge clk)
        word <= brought;

    // Where the message goes.
    wire             to_window = back ? of_place[WINDOW] : returns & hop == 4'd1;
    wire [3:0]       target    = back ? place : port;
    wire [PORTS-1:0] of_target = (ONE << target) & LINKS;
    wire             reached   = to_window | |(of_target & link_up);
    wire             busy      = to_window ? received : |(of_target & message_busy);
    wire             may_leave  = reached & ~busy;
    wire           turns_back = ~reached & ~returns & ~back;

    // What becomes of it.
    wire        repeated;
    wire        old;
    wire [1:0]  last_response;
    wire        malformed = ~version_good | (returns ? hop == 4'd0 : of_place[NOTICE]);
    wire        refused   = writes & (~key_good | old | repeated);
    wire        answered  = (writes ? window_bvalid : window_rvalid) & owner & ~asking;
    wire        drops     = (phase == READING & at_end & malformed)
        | (phase == LEAVING & ~may_leave & ~turns_back);
    wire        sent      = is_sending & at_end;
    wire        done      = drops | sent;
    wire        rests;

    always @(posedge clk)
        if (rst) begin
            phase <= CLEARING;
            at <= 4'd0;
            of_place <= FIRST;
            place <= 4'd0;
            back <= 1'b0;
            records <= 1'b0;
            status <= 8'd0;
            owner <= 1'b0;
            asking <= 1'b0;
            finished <= 1'b0;
        end else begin
            case (phase)
                CLEARING: begin
                    at <= at + 4'd1;
                    if (&at)
                        phase <= LOOKING;
                end
                LOOKING:
                    if (is_full) begin
                        phase <= READING;
                        at <= 4'd0;
                        back <= 1'b0;
                        records <= 1'b0;
                    end
                READING:
                    if (!at_end)
                        at <= at + 4'd1;
                    else if (malformed)
                        phase <= LOOKING;
                    else begin
                        records <= ~arrived;
                        back <= arrived;
                        phase <= arrived & ~refused ? ACCESSING : LEAVING;
                        if (arrived & refused)
                            status <= !key_good ? WRONG_KEY
                                : old ? OLD_NUMBER : {6'd0, last_response};
                    end
                ACCESSING:
                    if (!owner) begin
                        owner <= rests;
                        asking <= rests;
                    end else if (asking)
                        asking <= ~(writes ? window_awready : window_arready);
                    else if (answered) begin
                        status <= {6'd0, writes ? window_bresp : window_rresp};
                        phase <= LEAVING;
                    end
                LEAVING:
                    if (may_leave) begin
                        phase <= SENDING;
                        at <= 4'd0;
                    end else if (turns_back) begin
                        back <= 1'b1;
                        records <= 1'b0;
                        status <= {hop, NO_LINK};
                    end else
                        phase <= LOOKING;
                default:
                    if (at_end)
                        phase <= LOOKING;
                    else
                        at <= at + 4'd1;
            endcase
            // What follows reaches the control port, so it comes from a register.
            finished <= done & owner;
            if (finished)
                owner <= 1'b0;
            if (done | (phase == LOOKING & ~is_full)) begin
                of_place <= {of_place[PORTS:0], of_place[NOTICE]};
                place <= of_place[NOTICE] ? 4'd0 : place + 4'd1;
            end
        end

    // What was asked for is here two cycles later, when `at` has grown by 2.
    wire [2:0] next_number = at[2:0] - 3'd1;

    always @(posedge clk)
        message_write_at <= next_number;

    wire shows_word = is_sending & at[3:1] != 3'd0;

    assign message_write    = of_target & {PORTS{shows_word & ~to_window}};
    assign message_send     = message_write & {PORTS{at_end}};
    assign message_release  = of_place[PORTS-1:0] & LINKS & {PORTS{done}};

    management_message message (
        .clk(clk),
        .rst(rst),
        .reading(phase == READING),
        .at(at),
        .word(word),
        .key_equal(key_equal),
        .version_good(version_good),
        .returns(returns),
        .writes(writes),
        .hop(hop),
        .arrived(arrived),
        .number(number),
        .entry(entry),
        .port(port),
        .key_good(key_good),
        .address(address)
    );

    management_key management_key (
        .clk(clk),
        .rst(rst),
        .set(set_key),
        .value(reg_wdata),
        .high(at[0]),
        .word(word),
        .equal(key_equal)
    );

    management_requesters requesters (
        .clk(clk),
        .number(number),
        .clear(phase == CLEARING),
        .clear_at(at),
        .store(phase == ACCESSING & answered & writes),
        .response(window_bresp),
        .repeated(repeated),
        .old(old),
        .last_response(last_response)
    );

    management_words words (
        .clk(clk),
        .next_number(next_number),
        .word(word),
        .records(records),
        .back(back),
        .returns(returns),
        .hop(hop),
        .entry(entry),
        .place(place),
        .status(status),
        .changed(message_write_word)
    );

    management_registers #(.PORTS(PORTS), .LINKS(LINKS)) registers (
        .clk(clk),
        .rst(rst),
        .reg_valid(reg_valid),
        .reg_write(reg_write),
        .reg_address(reg_address),
        .reg_wdata(reg_wdata),
        .reg_ready(reg_ready),
        .reg_rdata(reg_rdata),
        .set_key(set_key),
        .link_up(link_up),
        .notice_full(notice_full),
        .sending(sending),
        .read({of_place[NOTICE], of_place[WINDOW]} & {2{asks}}),
        .read_at(message_read_at),
        .read_word(window_word),
        .release_message({of_place[NOTICE], of_place[WINDOW]} & {2{done}}),
        .received(received),
        .write(to_window & shows_word),
        .write_at(message_write_at),
        .write_word(message_write_word),
        .receive(to_window & sent),
        .drops(drops)
    );

    management_master master (
        .clk(clk),
        .rst(rst),
        .owner(owner),
        .writes(asking & writes),
        .reads(asking & ~writes),
        .finishes(finished),
        .address(address),
        .data(word),
        .rests(rests),
        .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready),
        .s_axil_awaddr(s_axil_awaddr),
        .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready),
        .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid),
        .s_axil_bready(s_axil_bready),
        .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready),
        .s_axil_araddr(s_axil_araddr),
        .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready),
        .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp),
        .window_awvalid(window_awvalid),
        .window_awready(window_awready),
        .window_awaddr(window_awaddr),
        .window_wvalid(window_wvalid),
        .window_wdata(window_wdata),
        .window_wstrb(window_wstrb),
        .window_bvalid(window_bvalid),
        .window_bready(window_bready),
        .window_bresp(window_bresp),
        .window_arvalid(window_arvalid),
        .window_arready(window_arready),
        .window_araddr(window_araddr),
        .window_rvalid(window_rvalid),
        .window_rready(window_rready),
        .window_rdata(window_rdata),
        .window_rresp(window_rresp)
    );
endmodule
