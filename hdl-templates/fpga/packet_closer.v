// packet_closer: ends a packet whose rest will not come. When `cut` is 1 in the middle of a packet,
// a closing beat with tlast = 1 and tuser = 1 follows the beats that have passed; all its other
// bits are 1. The ingress of an adapter block then drops the packet (cause *aborted*). A beat that
// was offered is not withdrawn, as AXI4-Stream demands.
//
// Latency: one cycle. Throughput: one beat per cycle.
// Reset: synchronous, active high.
// Limits: WIDTH >= 1.
<$ banner $>

module packet_closer #(
    parameter WIDTH = 72         // bits of a beat without its last and its user mark
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             cut, // one cycle or more; nothing is taken meanwhile
    input  wire             s_valid,
    output wire             s_ready,
    input  wire [WIDTH-1:0] s_data,
    input  wire             s_last,
    input  wire             s_user,
    output reg              m_valid,
    input  wire             m_ready,
    output reg  [WIDTH-1:0] m_data,
    output reg              m_last,
    output reg              m_user
);
    reg  is_open; // a packet has begun and not ended
    reg  is_cut;  // its closing beat waits for room
    wire has_room = !m_valid || m_ready;
    wire closes   = is_open && (cut || is_cut);

    assign s_ready = has_room && !cut && !is_cut;

    always @(posedge clk) begin
        if (rst) begin
            is_open <= 1'b0;
            is_cut  <= 1'b0;
            m_valid <= 1'b0;
        end else begin
            is_cut <= closes && !has_room;
            if (has_room) begin
                m_valid <= closes || (s_valid && s_ready);
                if (closes)
                    is_open <= 1'b0;
                else if (s_valid && s_ready)
                    is_open <= !s_last;
            end
        end
    end

    always @(posedge clk)
        if (has_room) begin
            m_data <= closes ? {WIDTH{1'b1}} : s_data;
            m_last <= closes || s_last;
            m_user <= closes || s_user;
        end
endmodule
