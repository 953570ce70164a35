// packet_buffer_properties: packet_buffer between a sender that commits and discards when it likes,
// heeding s_ready or not, and any receiver. One beat, any, is followed from its way in to its way out
// or to the end of its packet.

module packet_buffer_properties #(
    parameter WIDTH = 1,
    parameter ADDRESS_BITS = 2
) (
    input wire             clk,
    input wire             rst,
    input wire             s_valid,
    input wire [WIDTH-1:0] s_data,
    input wire             s_commit,
    input wire             s_discard,
    input wire             m_ready,
    input wire             choose   // the beat taken in this cycle is the one to follow
);
    localparam BEATS = (1 << ADDRESS_BITS) + 1; // with the output register
    localparam COUNT_BITS = ADDRESS_BITS + 2;
    wire s_ready;
    wire overflow;
    wire m_valid;
    wire [WIDTH-1:0] m_data;

    packet_buffer #(.WIDTH(WIDTH), .ADDRESS_BITS(ADDRESS_BITS)) buffer (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .s_commit(s_commit), .s_discard(s_discard), .overflow(overflow),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
    );

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
    end

    // The packet in progress: beats taken, and whether one found no room.
    reg [COUNT_BITS-1:0] open;
    reg was_refused;
    wire refused = was_refused || (s_valid && !s_ready);
    wire takes   = s_valid && s_ready && !was_refused;
    wire ends    = s_commit || s_discard;
    wire commits = s_commit && !s_discard && !refused;

    // Beats of complete packets so far, and beats handed on.
    reg [COUNT_BITS-1:0] committed;
    reg [COUNT_BITS-1:0] handed_on;
    wire [COUNT_BITS-1:0] inside = committed - handed_on;

    // The beat that is followed: in a packet in progress, or in a complete one.
    reg pending;
    reg chosen;
    reg [COUNT_BITS-1:0] number;
    reg [WIDTH-1:0] value;
    wire enters = takes && choose && !pending && !chosen;

    reg refused_beat;
    reg [WIDTH-1:0] refused_data;
    reg [1:0] waiting;
    always @(posedge clk) begin
        refused_beat <= !rst && m_valid && !m_ready;
        refused_data <= m_data;
        if (rst) begin
            {open, was_refused, committed, handed_on, pending, chosen, waiting} <= 0;
        end else begin
            open <= ends ? 0 : open + takes;
            was_refused <= refused && !ends;
            if (commits)
                committed <= committed + open + takes;
            pending <= (pending || enters) && !ends;
            chosen <= chosen || ((pending || enters) && commits);
            if (enters) begin
                number <= committed + open;
                value <= s_data;
            end
            waiting <= (inside == 0 || (m_valid && m_ready)) ? 0 : waiting + (waiting != 2);
            if (m_valid && m_ready)
                handed_on <= handed_on + 1'b1;
            // Whole packets or nothing: no more than was committed, and all of that.
            assert (inside <= BEATS);
            assert (!m_valid || inside != 0);
            assert (waiting != 2 || m_valid);
            assert (overflow == (s_commit && !s_discard && refused));
            // In order and whole.
            if (m_valid && chosen && handed_on == number)
                assert (m_data == value);
            if (m_valid && m_ready && chosen && handed_on == number)
                chosen <= 1'b0;
            // Stable until taken.
            if (refused_beat)
                assert (m_valid && m_data == refused_data);
        end
    end
endmodule
