// ethernet_framer: packets of an adapter block as Ethernet frames for a 10G MAC of 64 bits.
//
// A frame is destination address, source address, EtherType, two bytes of 0 that keep the packet
// on a border of 8 bytes, the packet, and bytes of 0 up to 60 bytes in all; the MAC adds the FCS.
// Bytes beyond a packet's tkeep leave as 0. Once a frame has begun it needs a beat in every cycle,
// so the packet must be there as a whole (packet_buffer); tuser at its end marks the frame as bad.
//
// Latency: 2 beats of header before the packet's first. Reset: synchronous, active high.
<$ banner $>

module ethernet_framer #(
    parameter [47:0] DESTINATION = 48'hffffffffffff,
    parameter [47:0] SOURCE = 48'h020000000001,
    parameter [15:0] ETHER_TYPE = 16'h88b5
) (
    input  wire        clk,
    input  wire        rst,
    // packets
    input  wire [63:0] s_tdata,
    input  wire [7:0]  s_tkeep,
    input  wire        s_tlast,
    input  wire        s_tuser,
    input  wire        s_tvalid,
    output wire        s_tready,
    // frames
    output reg  [63:0] m_tdata,
    output wire [7:0]  m_tkeep,
    output wire        m_tlast,
    output wire        m_tuser,
    output wire        m_tvalid,
    input  wire        m_tready
);
    // The beat in which byte 60 of a frame ends, and how much of it those bytes fill.
    localparam [3:0] SHORTEST_PLACE = 4'd7;
    localparam [7:0] SHORTEST_KEEP = 8'h0f;

    // Number of the beat within its frame; stays at 8, which is after the shortest frame's end.
    reg  [3:0] place;
    reg        padding; // the packet has ended and the frame has not
    reg        is_bad;  // its mark, while padding
    wire       is_header = place < 4'd2;
    wire       is_short  = place < SHORTEST_PLACE;
    wire       ends      = padding || (!is_header && s_tlast);
    wire       moves     = m_tvalid && m_tready;

    assign m_tvalid = padding || s_tvalid;
    assign s_tready = m_tready && !is_header && !padding;
    assign m_tlast  = ends && !is_short;
    assign m_tuser  = m_tlast && (padding ? is_bad : s_tuser);
    assign m_tkeep  = !m_tlast ? 8'hff
                    : (padding ? 8'h00 : s_tkeep)
                    | (place == SHORTEST_PLACE ? SHORTEST_KEEP : 8'h00);

    wire [63:0] payload; // 0 beyond tkeep
    generate
        genvar n;
        for (n = 0; n < 8; n = n + 1) begin : gen_byte
            assign payload[8*n +: 8] = s_tdata[8*n +: 8] & {8{s_tkeep[n]}};
        end
    endgenerate

    // Byte 0 of a beat, the first on the wire, is in the low bits; addresses go highest byte first.
    always @* begin
        if (place == 4'd0)
            m_tdata = {SOURCE[39:32], SOURCE[47:40],
                       DESTINATION[7:0], DESTINATION[15:8], DESTINATION[23:16],
                       DESTINATION[31:24], DESTINATION[39:32], DESTINATION[47:40]};
        else if (place == 4'd1)
            m_tdata = {16'd0, ETHER_TYPE[7:0], ETHER_TYPE[15:8],
                       SOURCE[7:0], SOURCE[15:8], SOURCE[23:16], SOURCE[31:24]};
        else
            m_tdata = padding ? 64'd0 : payload;
    end

    always @(posedge clk) begin
        if (rst) begin
            place   <= 4'd0;
            padding <= 1'b0;
            is_bad  <= 1'b0;
        end else if (moves) begin
            place   <= m_tlast ? 4'd0 : (place == 4'd8 ? place : place + 4'd1);
            padding <= ends && !m_tlast;
            if (!padding)
                is_bad <= s_tuser;
        end
    end
endmodule
