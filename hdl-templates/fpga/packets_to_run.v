// packets_to_run: makes of packets what LitePCIe's Linux driver can hand to a program. The driver
// knows buffers only: it tells a program of a buffer when the first buffer of the next group has
// been filled (an interrupt per group), and it loses buffers of which more than HALF are unread.
//
// From the moment the driver switches the channel on, a run is sent:
//   begin   bits 63:32 = BEGIN, bits 31:0 how many packets were sent in the runs before
//   packets bits 63:58 of a header become MARK; words of 0 stand between packets
//   end     after HALF buffers and one more; then nothing is taken until the driver has switched
//           the channel off and on
// Thus a program may be as late as it likes. While a packet waits for its interrupt and no other
// comes, words of 0 fill the buffers. The buffer that makes the interrupt holds nothing else. When
// nothing has come for 2^QUIET_BITS cycles, such words are sent, too: a program knows from them that
// the card lives.
//
// A packet that is on its way when the channel is switched off is lost; the count of the next run
// tells. Latency: one cycle. Throughput: one beat per cycle but for the interrupts' buffers.
// Reset: synchronous, active high; switches the core's channel off, too.
// Limits: BUFFER_BYTES, GROUP and HALF as the driver was built; MAX_PACKET_BEATS at most a buffer.
<$ banner $>

module packets_to_run #(
    parameter DATA_WIDTH = 64,
    parameter BUFFER_BYTES = 8192,  // DMA_BUFFER_SIZE, a power of two
    parameter GROUP = 32,           // DMA_BUFFER_PER_IRQ, a power of two
    parameter HALF = 128,           // DMA_BUFFER_COUNT / 2, a multiple of GROUP
    parameter MAX_PACKET_BEATS = 33,
    parameter QUIET_BITS = 27,
    parameter [31:0] BEGIN = 32'h524E4B4D,
    parameter [5:0]  MARK  = 6'h2B
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  enable,  // the driver has switched the channel on
    input  wire                  s_valid, // whole packets only: 1 until a packet ends
    output wire                  s_ready,
    input  wire [DATA_WIDTH-1:0] s_data,
    input  wire                  s_last,
    output reg                   m_valid,
    input  wire                  m_ready,
    output reg  [DATA_WIDTH-1:0] m_data
);
    localparam BEATS       = BUFFER_BYTES / (DATA_WIDTH / 8); // of a buffer
    localparam BEAT_BITS   = $clog2(BEATS);
    localparam BUFFER_BITS = $clog2(HALF + 2);
    localparam GROUP_BITS  = $clog2(GROUP);
    localparam [31:0] LATEST = BEATS - MAX_PACKET_BEATS; // beat of a header in a group's last buffer

    generate
        if (BEATS != 1 << BEAT_BITS || MAX_PACKET_BEATS > BEATS) begin : gen_check_buffer_bytes
            illegal_parameter_BUFFER_BYTES_must_be_a_power_of_two_with_room_for_a_packet stop ();
        end
        if (GROUP != 1 << GROUP_BITS || HALF % GROUP != 0) begin : gen_check_group
            illegal_parameter_GROUP_must_be_a_power_of_two_that_divides_HALF stop ();
        end
    endgenerate

    reg [BUFFER_BITS-1:0] buffer;  // place of the next beat
    reg [BEAT_BITS-1:0]   beat;
    reg                   is_open; // a packet has begun and not ended
    reg                   fills;   // something waits for the interrupt of its group
    reg [31:0]            packets; // sent so far
    reg [QUIET_BITS-1:0]  quiet;   // cycles without a beat

    wire [31:0] place      = {{32 - BEAT_BITS{1'b0}}, beat};
    wire        is_begin   = buffer == {BUFFER_BITS{1'b0}} && beat == {BEAT_BITS{1'b0}};
    wire        is_over    = buffer == HALF[BUFFER_BITS-1:0] + 1'b1;
    wire        interrupts = buffer[GROUP_BITS-1:0] == {GROUP_BITS{1'b0}}
                             && buffer != {BUFFER_BITS{1'b0}};
    wire        is_latest  = &buffer[GROUP_BITS-1:0]; // the next buffer interrupts
    wire        fits       = !interrupts && (!is_latest || place <= LATEST);

    // The rest of a packet that was on its way when the channel was switched off.
    wire drops   = is_open && (!enable || is_begin);
    wire room    = (!m_valid || m_ready) && enable && !is_over && !drops;
    wire begins  = !is_begin && !is_open && s_valid && fits;
    wire moves   = is_open || begins; // a beat of a packet
    wire offers  = is_begin || (is_open ? s_valid : begins || fills);
    wire is_sent = room && offers;

    assign s_ready = (room && moves) || drops;

    always @(posedge clk) begin
        if (rst || !enable) begin
            m_valid <= 1'b0;
            buffer  <= {BUFFER_BITS{1'b0}};
            beat    <= {BEAT_BITS{1'b0}};
            fills   <= 1'b0;
        end else begin
            if (!m_valid || m_ready)
                m_valid <= is_sent;
            if (is_sent) begin
                beat <= beat + 1'b1;
                if (&beat)
                    buffer <= buffer + 1'b1;
                fills <= moves || (fills && !(interrupts && &beat));
            end else if (&quiet)
                fills <= 1'b1;
        end
        quiet <= rst || !enable || is_sent || is_over ? {QUIET_BITS{1'b0}} : quiet + 1'b1;
    end

    always @(posedge clk) begin
        if (rst) begin
            is_open <= 1'b0;
            packets <= 32'd0;
        end else if (s_valid && s_ready) begin
            is_open <= !s_last;
            if (!is_open)
                packets <= packets + 32'd1;
        end
    end

    always @(posedge clk)
        if (!m_valid || m_ready) begin
            m_data <= moves ? s_data : {DATA_WIDTH{1'b0}};
            if (begins)
                m_data[63:58] <= MARK;
            if (is_begin)
                m_data[63:0] <= {BEGIN, packets};
        end
endmodule
