// ethernet_deframer: packets of an adapter block out of the Ethernet frames of a 10G MAC of 64
// bits (the layout is that of ethernet_framer). The MAC cannot wait, and says only at the end of a
// frame whether it was good: packets are written beat by beat, and m_commit or m_discard follows.
//
// Taken: frames to LOCAL or to all (broadcast) of EtherType ETHER_TYPE. The end of the packet
// comes from the length in its header; what follows in the frame is padding. A frame that the MAC
// marks as bad or that ends before its packet is discarded: `is_bad`. A good one of others is not
// looked at: `foreign`.
//
// Latency: 0, combinational. Reset: synchronous, active high; hold it only between frames.
<$ banner $>

module ethernet_deframer #(
    parameter [47:0] LOCAL = 48'h020000000001,
    parameter [15:0] ETHER_TYPE = 16'h88b5
) (
    input  wire        clk,
    input  wire        rst,
    // frames
    input  wire [63:0] s_tdata,
    input  wire [7:0]  s_tkeep,
    input  wire        s_tlast,
    input  wire        s_tuser,
    input  wire        s_tvalid,
    // packets
    output wire [7:0]  m_tkeep,
    output wire        m_tlast,
    output wire        m_valid,   // s_tdata is a beat of a packet
    output wire        m_commit,
    output wire        m_discard,
    output wire        is_bad,    // one cycle a frame
    output wire        foreign    // one cycle a frame
);
    reg  [1:0]  place;    // of the beat within its frame; 2: in the packet or behind it
    reg         is_ours;
    reg         complete; // the packet has ended and the frame has not
    wire [47:0] destination = {s_tdata[7:0], s_tdata[15:8], s_tdata[23:16],
                               s_tdata[31:24], s_tdata[39:32], s_tdata[47:40]};
    wire        to_us     = destination == LOCAL || destination == 48'hffffffffffff;
    wire        our_type  = {s_tdata[39:32], s_tdata[47:40]} == ETHER_TYPE;
    wire        in_packet = place == 2'd2 && !complete;
    wire        ends      = s_tvalid && s_tlast;
    wire        is_whole  = complete || (m_valid && m_tlast && (m_tkeep & ~s_tkeep) == 8'h00);

    assign m_valid   = s_tvalid && in_packet && is_ours;
    assign m_commit  = ends && is_ours && is_whole && !s_tuser;
    assign m_discard = ends && !m_commit;
    assign is_bad    = ends && (s_tuser || (is_ours && !is_whole));
    assign foreign   = ends && !s_tuser && !is_ours;

    packet_length #(.DATA_WIDTH(64)) find_end (
        .clk(clk),
        .rst(rst || ends),
        .length(s_tdata[52:40]),
        .taken(m_valid),
        .last(m_tlast),
        .keep(m_tkeep)
    );

    wire unused_ok = &{1'b0, s_tdata[63:53]};

    always @(posedge clk) begin
        if (rst || ends) begin
            place    <= 2'd0;
            is_ours  <= 1'b0;
            complete <= 1'b0;
        end else if (s_tvalid) begin
            place <= place == 2'd2 ? place : place + 2'd1;
            if (place == 2'd0)
                is_ours <= to_us;
            if (place == 2'd1)
                is_ours <= is_ours && our_type;
            if (m_valid && m_tlast)
                complete <= 1'b1;
        end
    end
endmodule
