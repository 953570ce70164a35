// link_session_properties: the timers of link_session. Whatever the peer says: a request that is not
// answered is repeated, what is not acknowledged is sent again, and without progress a session ends.

module link_session_properties (
    input wire        clk,
    input wire        rst,
    input wire        resumes,
    input wire        waits,
    input wire        progress,
    input wire        good_hello,
    input wire        good_status,
    input wire        accepted,
    input wire [20:0] field,
    input wire        error,
    input wire        core_idle,
    input wire        disabled
);
    wire up;
    wire tail_resume;
    wire ask_again;

    link_session #(
        .VCS(1), .LINE_FLITS(200), .REQUEST_TICKS(1), .TAIL_TICKS(1), .SILENT_TICKS(2),
        .STUCK_TICKS(2), .NETWORK(0), .PORT(0), .KIND(0)
    ) session (
        .clk(clk), .rst(rst), .up(up), .rise(), .alive(), .session(), .peer_session(),
        .hello_index(4'd0), .hello_seen(), .hello_content(), .resumes(resumes), .waits(waits),
        .progress(progress), .tail_resume(tail_resume), .good_hello(good_hello),
        .good_status(good_status), .accepted(accepted), .bad(1'b0), .field(field), .error(error),
        .ask_again(ask_again), .line_rx_up(1'b1), .core_idle(core_idle), .disabled(disabled),
        .block_number(16'd0), .expected_peer(25'd0), .register_index(5'd0), .register_word()
    );

    // Ticks since a timer began to run.
    reg       started = 1'b0;
    reg [5:0] cycles = 6'd0;
    reg [1:0] unanswered = 2'd0;
    reg [1:0] unacknowledged = 2'd0;
    reg [1:0] without_progress = 2'd0;
    reg [1:0] unheard = 2'd0;
    wire      tick = &cycles;
    wire      is_quiet = ~up | ~waits | progress;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
        cycles <= rst ? 6'd0 : cycles + 6'd1;
        unanswered <= (rst | ~up | ~error | ask_again) ? 2'd0 : unanswered + {1'b0, tick};
        unacknowledged <= (rst | is_quiet | resumes | tail_resume)
            ? 2'd0 : unacknowledged + {1'b0, tick};
        without_progress <= (rst | is_quiet) ? 2'd0 : without_progress + {1'b0, tick};
        unheard <= (rst | ~up | good_status | accepted) ? 2'd0 : unheard + {1'b0, tick};
        assert (unanswered <= 2'd1);
        assert (unacknowledged <= 2'd1);
        assert (without_progress <= 2'd2);
        assert (unheard <= 2'd2);
    end
endmodule
