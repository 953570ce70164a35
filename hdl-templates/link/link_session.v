// link_session: HELLO, start and end of a session, and its timers (docs/microarchitecture.md 7.6).
// Latency: what is judged in a cycle counts at its end. Reset: synchronous, active high; the
// peer's contents stay. Limits: VCS 1 or 2, LINE_FLITS up to 223, SILENT_TICKS up to 255,
// STUCK_TICKS up to 2047, REQUEST_TICKS and TAIL_TICKS 1..63.
<$ banner $>

module link_session #(
    parameter VCS = 2,
    parameter LINE_FLITS = 200,
    parameter REQUEST_TICKS = 6,
    parameter TAIL_TICKS = 12,
    parameter SILENT_TICKS = 128,
    parameter STUCK_TICKS = 1024,
    parameter [31:0] NETWORK = 0,
    parameter [15:0] PORT = 0,
    parameter [15:0] KIND = 0,
    parameter MANAGEMENT = 0
) (
    input  wire        clk,
    input  wire        rst,
    output reg         up,
    output wire        rise,
    output reg         alive,
    output reg  [7:0]  session,
    output reg  [7:0]  peer_session,
    // sender
    input  wire [3:0]  hello_index,
    output wire        hello_seen,
    output wire [15:0] hello_content,
    input  wire        resumes,
    input  wire        waits,
    input  wire        progress,
    output wire        tail_resume,
    // receiver
    input  wire        good_hello,
    input  wire        good_status,
    input  wire        accepted,
    input  wire        bad,
    input  wire [20:0] field,
    input  wire        error,
    output wire        ask_again,
    // core side, as seen here
    input  wire        line_rx_up,
    input  wire        core_idle,
    input  wire        disabled,
    input  wire [15:0] block_number,
    input  wire [24:0] expected_peer,       // {check, port, block}
    input  wire [4:0]  register_index,
    output wire [15:0] register_word
);
    localparam [31:0] CHANNELS = VCS;
    localparam [31:0] PLACES = LINE_FLITS;
    localparam [31:0] REQUEST = REQUEST_TICKS;
    localparam [31:0] TAIL = TAIL_TICKS;
    localparam [31:0] SILENT = SILENT_TICKS;
    localparam [31:0] STUCK = STUCK_TICKS;

    localparam [4:0] NO_HELLO = 5'd2;
    localparam [4:0] SILENCE = 5'd3;
    localparam [4:0] NO_PROGRESS = 5'd4;
    localparam [4:0] PEER_RESTARTED = 5'd5;
    localparam [4:0] REFUSED = 5'd6;
    localparam [4:0] DISABLED = 5'd7;

    // What HELLO words say of this side; sessions apart.
    function [15:0] own(input [3:0] index);
        case (index)
            4'd1: own = MANAGEMENT != 0 ? 16'd2 : 16'd1;
            4'd2: own = 16'd64;
            4'd3: own = CHANNELS[15:0];
            4'd4: own = PLACES[15:0];
            4'd5: own = NETWORK[15:0];
            4'd6: own = NETWORK[31:16];
            4'd7: own = block_number;
            4'd8: own = PORT;
            4'd9: own = KIND;
            default: own = 16'd0;
        endcase
    endfunction

    reg  [3:0] heard;
    reg        fits;
    reg        full;
    reg        accept;
    reg  [4:0] reason;

    wire willing = full & accept & ~alive & core_idle & ~disabled;
    wire [7:0] echo = peer_session & {8{willing}};
    assign hello_seen    = full;
    assign hello_content = hello_index == 4'd0 ? {session, echo} : own(hello_index);

    // The peer's HELLO.
    wire [3:0]  index    = field[20:17];
    wire        seen     = field[16];
    wire [15:0] content  = field[15:0];
    wire        is_first = index == 4'd0;
    wire        is_next  = index == heard;
    wire        is_block = index == 4'd7;
    wire        is_port  = index == 4'd8;
    wire        checked  = (is_block | is_port) ? expected_peer[24] : ~index[3];
    wire [15:0] demanded = is_block ? expected_peer[15:0]
        : is_port ? {8'd0, expected_peer[23:16]} : own(index);
    wire        mismatch = checked & content != demanded;
    wire        same     = content[15:8] == peer_session;
    wire        echoed   = content[7:0] == session;

    wire first_hello = good_hello & is_first;
    wire restarted   = first_hello & ~(same & echoed);
    assign rise = ~up & willing & ((first_hello & same & echoed) | good_status);

    // Ticks.
    reg  [5:0]  time_count;
    reg  [7:0]  silent;
    reg  [10:0] stuck;
    reg  [5:0]  tail;
    reg  [5:0]  asked;
    wire        tick      = &time_count;
    wire        is_silent = silent == SILENT[7:0];
    wire        is_stuck  = stuck == STUCK[10:0];
    wire        moves     = ~up | progress | ~waits;
    assign tail_resume = tail == TAIL[5:0];
    assign ask_again   = up & error & asked == REQUEST[5:0];

    wire dies = up & (disabled | restarted | is_silent | is_stuck);

    always @(posedge clk)
        if (rst) begin
            time_count <= 6'd0;
            silent <= 8'd0;
            stuck <= 11'd0;
            tail <= 6'd0;
            asked <= 6'd0;
        end else begin
            time_count <= time_count + 6'd1;
            if (rise | dies | (up ? good_status | accepted : good_hello))
                silent <= 8'd0;
            else if (tick & ~is_silent)
                silent <= silent + 8'd1;
            if (moves)
                stuck <= 11'd0;
            else if (tick & ~is_stuck)
                stuck <= stuck + 11'd1;
            if (moves | resumes | tail_resume)
                tail <= 6'd0;
            else if (tick)
                tail <= tail + 6'd1;
            if (~up | ~error | ask_again)
                asked <= 6'd0;
            else if (tick)
                asked <= asked + 6'd1;
        end

    always @(posedge clk)
        if (rst) begin
            up <= 1'b0;
            alive <= 1'b0;
            session <= 8'd1;
            peer_session <= 8'd0;
            heard <= 4'd0;
            fits <= 1'b0;
            full <= 1'b0;
            accept <= 1'b0;
            reason <= 5'd0;
        end else if (up) begin
            if (dies) begin
                up <= 1'b0;
                full <= 1'b0;
                accept <= 1'b0;
                heard <= 4'd0;
                session <= (&session) ? 8'd1 : session + 8'd1;
                reason <= disabled ? DISABLED : restarted ? PEER_RESTARTED
                    : is_silent ? SILENCE : NO_PROGRESS;
            end
        end else begin
            if (rise) begin
                up <= 1'b1;
                alive <= 1'b1;
            end else if (!core_idle)
                alive <= 1'b0;
            if (good_hello) begin
                heard <= (is_first | is_next) ? index + 4'd1 : 4'd0;
                if (is_first) begin
                    fits <= 1'b1;
                    peer_session <= content[15:8];
                    if (!same)
                        full <= 1'b0;
                end else if (is_next) begin
                    fits <= fits & ~mismatch;
                    if (&index) begin
                        full <= 1'b1;
                        accept <= fits;
                    end
                end
            end else if (is_silent) begin
                heard <= 4'd0;
                full <= 1'b0;
            end
            if (rise)
                reason <= 5'd0;
            else if (good_hello) begin
                if (is_first) begin
                    if (full & accept & seen & ~echoed)
                        reason <= REFUSED;
                end else if (is_next & mismatch)
                    reason <= {1'b0, index} + 5'd8;
            end else if (is_silent)
                reason <= NO_HELLO;
        end

    // What registers show.
    reg  [15:0] peer [0:15];
    reg  [15:0] crc_errors;
    reg  [15:0] replays;
    reg  [15:0] deaths;
    reg  [15:0] shown;
    integer     place;

    initial
        for (place = 0; place < 16; place = place + 1)
            peer[place] = 16'd0;

    always @(posedge clk)
        if (good_hello & ~up)
            peer[index] <= content;

    always @(posedge clk)
        if (rst) begin
            crc_errors <= 16'd0;
            replays <= 16'd0;
            deaths <= 16'd0;
        end else begin
            crc_errors <= crc_errors + {15'd0, bad};
            replays <= replays + {15'd0, resumes};
            deaths <= deaths + {15'd0, dies};
        end

    always @*
        case (register_index[1:0])
            2'd0: shown = {session, full, line_rx_up, up, reason};
            2'd1: shown = crc_errors;
            2'd2: shown = replays;
            default: shown = deaths;
        endcase

    assign register_word = register_index[4] ? shown : peer[register_index[3:0]];
endmodule
