// packet_buffer: whole packets or nothing, within one clock. Beats are written as they come and
// can be read only after s_commit says that their packet is complete; s_discard throws away what
// came since the last commit. A packet that finds no room vanishes as a whole: behind a core that
// cannot wait (s_ready not heeded) that is the drop policy; a sender that heeds s_ready, and shows
// s_valid only with it, loses nothing.
//
// Latency: a beat committed in cycle t is on m_data in cycle t + 2. Throughput: one beat per cycle;
// the beats of a packet follow each other without a gap when m_ready allows.
// Reset: synchronous, active high; clears everything but the memory.
// Limits: WIDTH >= 1, ADDRESS_BITS 2..16; a sender that heeds s_ready never sends a packet of more
// than 2^ADDRESS_BITS beats (it would wait for ever).
<$ banner $>

module packet_buffer #(
    parameter WIDTH = 73,
    parameter ADDRESS_BITS = 8   // 2^ADDRESS_BITS beats
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             s_valid,
    output wire             s_ready,
    input  wire [WIDTH-1:0] s_data,
    input  wire             s_commit,  // the packet is complete, with the beat of this cycle if any
    input  wire             s_discard, // it is to vanish; wins over s_commit
    output wire             overflow,  // s_commit of a packet that found no room
    output reg              m_valid,
    input  wire             m_ready,
    output reg  [WIDTH-1:0] m_data
);
    generate
        if (ADDRESS_BITS < 2 || ADDRESS_BITS > 16) begin : gen_check_address_bits
            illegal_parameter_ADDRESS_BITS_must_be_2_to_16 stop ();
        end
    endgenerate

    localparam POINTER_BITS = ADDRESS_BITS + 1;
    localparam [POINTER_BITS-1:0] ONE = {{ADDRESS_BITS{1'b0}}, 1'b1};

    reg [WIDTH-1:0] memory [0:(1 << ADDRESS_BITS)-1];

    reg  [POINTER_BITS-1:0] write;
    reg  [POINTER_BITS-1:0] committed;
    reg  [POINTER_BITS-1:0] read;
    reg                     overflowed; // a beat of the packet in progress found no room
    wire [POINTER_BITS-1:0] filled     = write - read;
    wire                    writes     = s_valid && s_ready;
    wire                    lacks_room = overflowed || (s_valid && !s_ready);
    wire [POINTER_BITS-1:0] next_write = writes ? write + ONE : write;
    wire                    takes      = read != committed && (!m_valid || m_ready);

    assign s_ready  = !filled[ADDRESS_BITS];
    assign overflow = s_commit && !s_discard && lacks_room;

    always @(posedge clk) begin
        if (rst) begin
            write      <= {POINTER_BITS{1'b0}};
            committed  <= {POINTER_BITS{1'b0}};
            read       <= {POINTER_BITS{1'b0}};
            overflowed <= 1'b0;
            m_valid    <= 1'b0;
        end else begin
            overflowed <= lacks_room && !s_commit && !s_discard;
            if (s_discard || overflow)
                write <= committed;
            else begin
                write <= next_write;
                if (s_commit)
                    committed <= next_write;
            end
            if (takes)
                read <= read + ONE;
            if (!m_valid || m_ready)
                m_valid <= takes;
        end
    end

    always @(posedge clk)
        if (writes)
            memory[write[ADDRESS_BITS-1:0]] <= s_data;

    always @(posedge clk)
        if (takes)
            m_data <= memory[read[ADDRESS_BITS-1:0]];
endmodule
