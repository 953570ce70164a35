// axis_async_fifo_properties: axis_async_fifo between two clocks that tick when they like, any
// sender and any receiver. Either clock may have any number of edges between two of the other, or
// edges at the same time. One beat, any, is followed from its way in to its way out.

module axis_async_fifo_properties #(
    parameter WIDTH = 1,
    parameter ADDRESS_BITS = 2
) (
    input wire             s_clk,
    input wire             s_rst,
    input wire             s_valid,
    input wire [WIDTH-1:0] s_data,
    input wire             m_clk,
    input wire             m_rst,
    input wire             m_ready,
    input wire             choose   // the beat taken in this cycle is the one to follow
);
    localparam BEATS = (1 << ADDRESS_BITS) + 1; // with the output register
    localparam COUNT_BITS = ADDRESS_BITS + 2;
    wire s_ready;
    wire m_valid;
    wire [WIDTH-1:0] m_data;

    axis_async_fifo #(.WIDTH(WIDTH), .ADDRESS_BITS(ADDRESS_BITS)) fifo (
        .s_clk(s_clk), .s_rst(s_rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_clk(m_clk), .m_rst(m_rst), .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
    );

    // Both resets are held until each clock has had an edge; then they end when they like, for good.
    (* gclk *) reg any_time;
    reg s_edge_seen = 1'b0;
    reg m_edge_seen = 1'b0;
    reg s_released = 1'b0;
    reg m_released = 1'b0;
    always @(posedge s_clk) s_edge_seen <= 1'b1;
    always @(posedge m_clk) m_edge_seen <= 1'b1;
    always @(posedge any_time) begin
        s_released <= !s_rst;
        m_released <= !m_rst;
        assume (s_rst ? !s_released : s_edge_seen && m_edge_seen);
        assume (m_rst ? !m_released : s_edge_seen && m_edge_seen);
    end

    // Beats taken and handed on, and the beat that is followed.
    reg [COUNT_BITS-1:0] taken = 0;
    reg [COUNT_BITS-1:0] handed_on = 0;
    reg chosen = 1'b0;
    reg [COUNT_BITS-1:0] number;
    reg [WIDTH-1:0] value;
    reg arrived = 1'b0;
    wire [COUNT_BITS-1:0] inside = taken - handed_on;

    always @(posedge s_clk)
        if (!s_rst && s_valid && s_ready) begin
            taken <= taken + 1'b1;
            if (choose && !chosen) begin
                chosen <= 1'b1;
                number <= taken;
                value <= s_data;
            end
        end

    // What the receiver refused in its last cycle; cycles since it took one while there were some.
    reg refused = 1'b0;
    reg [WIDTH-1:0] refused_data;
    reg [2:0] waiting = 0;
    always @(posedge m_clk) begin
        refused <= !m_rst && m_valid && !m_ready;
        refused_data <= m_data;
        waiting <= (m_rst || inside == 0 || (m_valid && m_ready))
            ? 3'd0 : waiting + (waiting != 4);
        if (!m_rst) begin
            // Stable until taken.
            if (refused) assert (m_valid && m_data == refused_data);
            // Nothing stays inside.
            if (waiting == 4) assert (m_valid);
            if (m_valid && m_ready) begin
                handed_on <= handed_on + 1'b1;
                if (chosen && !arrived && handed_on == number) begin
                    // In order and whole.
                    assert (m_data == value);
                    arrived <= 1'b1;
                end
            end
        end
    end

    // Cycles since the sender gave one while there was room.
    reg [2:0] roomy = 0;
    always @(posedge s_clk) begin
        roomy <= (s_rst || inside >= BEATS - 1 || (s_valid && s_ready))
            ? 3'd0 : roomy + (roomy != 4);
        // Ready again when there is room.
        if (!s_rst && roomy == 4) assert (s_ready);
    end

    always @(posedge any_time) begin
        // No overflow, no underflow: at no time more than fit, nor a beat from nowhere.
        assert (inside <= BEATS);
        if (m_released && m_valid) assert (inside != 0);
    end
endmodule
