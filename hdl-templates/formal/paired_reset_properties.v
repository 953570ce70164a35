// paired_reset_properties: two paired_reset, joined crosswise, between two clocks that tick when they
// like, with resets of either side at any time. A side moves a beat in a cycle in which it does not
// stop. To clear the registers of one side alone would show old beats to the other, so whenever a side
// moves one, both sides have cleared since either cleared what had moved, and since its own reset.
// And both sides restart: at any time the resets may end for good (`ends`). Then both clocks tick in
// turn, and after RESTART turns neither side stops.

module paired_reset_properties (
    input wire s_clk,
    input wire s_wants_rst,
    input wire m_clk,
    input wire m_wants_rst,
    input wire ends
);
    localparam [5:0] RESTART = 6'd40;

    // No resets any more, as each clock has seen it.
    reg  s_calm = 1'b0;
    reg  m_calm = 1'b0;
    wire s_rst  = s_wants_rst && !s_calm;
    wire m_rst  = m_wants_rst && !m_calm;

    // A turn is a tick of s_clk and then one of m_clk.
    reg       s_turn = 1'b0;
    reg       m_turn = 1'b0;
    reg [5:0] turns  = 6'd0;

    wire s_stops, s_clears, s_request, s_answer;
    wire m_stops, m_clears, m_request, m_answer;

    paired_reset s_side (
        .clk(s_clk), .rst(s_rst), .stops(s_stops), .clears(s_clears),
        .request(s_request), .answer(s_answer),
        .other_request(m_request), .other_answer(m_answer)
    );

    paired_reset m_side (
        .clk(m_clk), .rst(m_rst), .stops(m_stops), .clears(m_clears),
        .request(m_request), .answer(m_answer),
        .other_request(s_request), .other_answer(s_answer)
    );

    // Of each side: beats may have moved since it cleared; how often it cleared such beats; and how
    // often the other side had, when this side cleared last.
    reg       s_used = 1'b1;
    reg       m_used = 1'b1;
    reg [1:0] s_cleared = 2'd0;
    reg [1:0] m_cleared = 2'd0;
    reg [1:0] s_seen = 2'd0;
    reg [1:0] m_seen = 2'd0;
    // A reset has begun, and the side has not cleared since.
    reg       s_owes = 1'b1;
    reg       m_owes = 1'b1;
    wire      agree = s_seen == m_cleared && m_seen == s_cleared;

    always @(posedge s_clk) begin
        s_calm <= s_calm || ends;
        if (s_turn == m_turn) s_turn <= !s_turn;
        if (turns == RESTART) assert (!s_stops);
        s_used <= !s_stops || (s_used && !s_clears);
        if (s_clears && s_used) s_cleared <= s_cleared + 2'd1;
        if (s_clears) s_seen <= m_cleared;
        s_owes <= s_rst || (s_owes && !s_clears);
        // No beat moves in the cycle of a clear.
        if (s_clears) assert (s_stops);
        if (!s_stops) assert (agree && !s_owes);
    end

    always @(posedge m_clk) begin
        m_calm <= m_calm || ends;
        m_turn <= s_turn;
        if (m_turn != s_turn && s_calm && m_calm && turns != RESTART) turns <= turns + 6'd1;
        if (turns == RESTART) assert (!m_stops);
        m_used <= !m_stops || (m_used && !m_clears);
        if (m_clears && m_used) m_cleared <= m_cleared + 2'd1;
        if (m_clears) m_seen <= s_cleared;
        m_owes <= m_rst || (m_owes && !m_clears);
        if (m_clears) assert (m_stops);
        if (!m_stops) assert (agree && !m_owes);
    end
endmodule
