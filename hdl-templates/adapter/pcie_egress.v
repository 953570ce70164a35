// pcie_egress: packets from the network to one PCIe-side host (docs/microarchitecture.md 3.2).
//
// One FIFO per virtual channel takes the flits (credits guarantee room); whole packets, one after
// the other, channel by channel in turn, go to the host. A packet whose CRC, length or bad mark is
// wrong ends with tuser = 1. A host that refuses the beats of a packet for HOST_TIMEOUT cycles, all
// together, makes the port drop whatever arrives, so that the network never stalls: the refused
// beat stays, a packet cut short is closed by a beat with tuser = 1, and normal work resumes at the
// next packet border.
//
// Latency: a flit on the flit pins in cycle t is on the m_axis pins in cycle t + 2.
// Throughput: one flit per cycle. Reset: synchronous, active high; clears everything but the
// memory.
// Limits: DATA_WIDTH 64, 128, 256, 512; VCS 1, 2, 4; RX_BUFFER_FLITS 4..256; HOST_TIMEOUT >= 0.
<$ banner $>

module pcie_egress #(
    parameter DATA_WIDTH = 64,  // bits of a beat and of a flit
    parameter VCS = 2,   // virtual channels
    parameter RX_BUFFER_FLITS = 12,  // flits of one FIFO
    parameter HOST_TIMEOUT = 1024, // cycles that the host may refuse beats of a packet; 0: for ever
    parameter ADDRESS_TRAIN = 0    // 1: the CRC leaves the destination out
) (
    input  wire                              clk,
    input  wire                              rst,
    // from the switch core
    input  wire                              flit_valid,
    input  wire [((VCS > 2) ? 2 : 1) - 1:0]  flit_vc,
    input  wire                              flit_last,
    input  wire                              flit_bad,
    input  wire [DATA_WIDTH-1:0]             flit_data,
    output reg  [VCS-1:0]                    credit,
    // to the host, by way of egress_width
    output reg  [DATA_WIDTH-1:0]             m_axis_tdata,
    output reg  [DATA_WIDTH/8-1:0]           m_axis_tkeep,
    output reg                               m_axis_tvalid,
    output reg                               m_axis_tlast,
    output reg                               m_axis_tuser,
    input  wire                              m_axis_tready,
    input  wire                              host_stalls, // the host refuses the beat on its pins
    input  wire                              host_ends,   // it takes the last beat of a packet
    // this cycle's events: 0 packet out, 1 CRC fault, 2 length fault, 3 bad, 4 timeout drop
    output reg  [4:0]                        events
);
    localparam BYTES = DATA_WIDTH / 8;
    localparam BYTES_LOG = $clog2(BYTES);
    localparam BEAT_BITS = 13 - BYTES_LOG; // bits of a number of payload beats
    localparam POINTER_BITS = $clog2(RX_BUFFER_FLITS);
    localparam ADDRESS_BITS = POINTER_BITS + $clog2(VCS);

    localparam [POINTER_BITS-1:0] ONE_FLIT = 1;
    localparam [BEAT_BITS-1:0] ONE_BEAT = 1;
    localparam [BYTES-1:0]      ALL_BYTES = {BYTES{1'b1}};
    localparam [VCS-1:0]        CHANNEL_0 = 1;

    localparam [1:0] NORMAL = 2'd0;
    localparam [1:0] DROPPING = 2'd1;
    localparam [1:0] LEAVING = 2'd2;

    generate
        if (HOST_TIMEOUT < 0) begin : gen_check_host_timeout
            illegal_parameter_HOST_TIMEOUT_must_not_be_negative stop ();
        end
    endgenerate

    // ---- FIFOs ----------------------------------------------------------------------------------
    // All channels share one memory; channel c owns the addresses from c << POINTER_BITS on.

    reg                         take;     // a flit leaves its FIFO in this cycle
    reg  [VCS-1:0]              chosen;   // channel that is served, one-hot; 0: nothing to take
    reg  [VCS-1:0]              filled;   // the channel's FIFO is not empty
    reg  [VCS*POINTER_BITS-1:0] write_at; // next place to write, by channel
    reg  [VCS*POINTER_BITS-1:0] read_at;  // place of the oldest flit, by channel
    wire [VCS-1:0]              push;     // the arriving flit's channel

    generate
        if (VCS == 1) begin : gen_push
            wire unused_flit_vc = &{1'b0, flit_vc};
            assign push = flit_valid;
        end else begin : gen_push
            assign push = flit_valid ? CHANNEL_0 << flit_vc : {VCS{1'b0}};
        end
    endgenerate

    reg [ADDRESS_BITS-1:0] write_address, read_address;
    integer pushed, popped;
    always @* begin
        write_address = {ADDRESS_BITS{1'b0}};
        pushed = 0;
        if (flit_valid)
            for (pushed = 0; pushed < VCS; pushed = pushed + 1)
                if (push[pushed]) begin
                    write_address = pushed[ADDRESS_BITS-1:0] << POINTER_BITS;
                    write_address[POINTER_BITS-1:0] = write_at[pushed*POINTER_BITS +: POINTER_BITS];
                end
    end
    always @* begin
        read_address = {ADDRESS_BITS{1'b0}};
        popped = 0;
        if (filled != {VCS{1'b0}})
            for (popped = 0; popped < VCS; popped = popped + 1)
                if (chosen[popped]) begin
                    read_address = popped[ADDRESS_BITS-1:0] << POINTER_BITS;
                    read_address[POINTER_BITS-1:0] = read_at[popped*POINTER_BITS +: POINTER_BITS];
                end
    end

    // The CRC is checked on the way in, as if every flit were a header.
    wire [5:0] crc;
    header_crc #(.ADDRESS_TRAIN(ADDRESS_TRAIN)) header_crc (
        .header(flit_data[57:0]), .crc(crc)
    );

    reg [DATA_WIDTH-1:0] memory_data  [0:(1 << ADDRESS_BITS) - 1];
    reg [2:0]            memory_marks [0:(1 << ADDRESS_BITS) - 1]; // {CRC wrong, bad, last}
    always @(posedge clk) begin
        if (flit_valid) begin
            memory_data[write_address]  <= flit_data;
            memory_marks[write_address] <= {crc != flit_data[63:58], flit_bad, flit_last};
        end
    end

    // The oldest flit of the chosen channel; undefined while all FIFOs are empty: nobody reads it.
    wire [DATA_WIDTH-1:0] head = filled != {VCS{1'b0}}
        ? memory_data[read_address] : {DATA_WIDTH{1'bx}};
    wire head_crc_wrong, head_bad, head_last;
    assign {head_crc_wrong, head_bad, head_last} = filled != {VCS{1'b0}}
        ? memory_marks[read_address] : 3'd0;

    // ---- which flit is taken --------------------------------------------------------------------

    reg [1:0]     mode;
    reg           truncated;    // the packet in progress when the timeout came is to be closed
    reg [VCS-1:0] current;      // channel whose packet is in progress, one-hot; 0: none
    reg [VCS-1:0] next_channel; // first to be looked at for the next packet, one-hot

    wire in_packet = current != {VCS{1'b0}};
    wire normal    = mode == NORMAL;
    wire can_load  = !m_axis_tvalid || m_axis_tready;

    // Lowest filled channel at or after next_channel: subtracting next_channel borrows up to it.
    reg [2*VCS-1:0] first;
    always @* begin
        first  = {2*VCS{1'b0}};
        chosen = {VCS{1'b0}};
        take   = 1'b0;
        if (filled != {VCS{1'b0}}) begin
            first  = {filled, filled} & ~({filled, filled} - {{VCS{1'b0}}, next_channel});
            chosen = in_packet ? current & filled : first[2*VCS-1:VCS] | first[VCS-1:0];
            take   = (normal ? can_load : (mode == DROPPING || in_packet))
                && chosen != {VCS{1'b0}};
        end
    end

    // ---- checks of the packet in progress -------------------------------------------------------

    reg                 crc_wrong;  // of the header
    reg [BEAT_BITS-1:0] full_left;  // payload beats of all bytes still to come
    reg                 too_many;   // more payload beats came than the header said
    reg [BYTES-1:0]     tail_keep;  // tkeep of the last payload beat

    wire [12:0] length = head[52:40];
    wire crc_fault    = in_packet ? crc_wrong : head_crc_wrong;
    wire last_is_due  = full_left == {{(BEAT_BITS - 1){1'b0}}, tail_keep[BYTES-1]};
    wire length_fault = in_packet ? too_many || !last_is_due : length != 13'd0;
    wire any_fault    = crc_fault || length_fault || head_bad;

    wire load      = take && normal; // into the output register
    wire load_last = normal && head_last;

    always @* begin
        events = 5'd0;
        if (take)
            events = {
                !normal && head_last,
                load_last && head_bad && !crc_fault && !length_fault,
                load_last && length_fault && !crc_fault,
                load_last && crc_fault,
                load_last
            };
    end

    // ---- a host that takes nothing --------------------------------------------------------------

    localparam STALL_BITS = HOST_TIMEOUT > 1 ? $clog2(HOST_TIMEOUT) : 1;
    localparam [31:0]  LAST_STALL = HOST_TIMEOUT - 1;
    localparam [STALL_BITS-1:0] ONE_STALL = 1;

    reg [STALL_BITS-1:0] stall; // of the packet; counted in normal mode, where it decides something

    wire stalled   = normal && host_stalls;
    wire timed_out = stalled && stall == LAST_STALL[STALL_BITS-1:0];

    // The host took the beat that it refused too long.
    wire release_beat = mode == DROPPING && !host_stalls && can_load;

    // ---- all registers --------------------------------------------------------------------------
    // One block with a guard for each event, so that simulators pass a port without work quickly.

    always @(posedge clk) begin : move
        reg [POINTER_BITS-1:0] next_read_at;
        integer channel;

        next_read_at = {POINTER_BITS{1'b0}};
        if (rst) begin
            write_at      <= {VCS*POINTER_BITS{1'b0}};
            read_at       <= {VCS*POINTER_BITS{1'b0}};
            filled        <= {VCS{1'b0}};
            current       <= {VCS{1'b0}};
            next_channel  <= CHANNEL_0;
            credit        <= {VCS{1'b0}};
            crc_wrong     <= 1'b0;
            full_left     <= {BEAT_BITS{1'b0}};
            too_many      <= 1'b0;
            tail_keep     <= ALL_BYTES;
            m_axis_tvalid <= 1'b0;
            m_axis_tkeep  <= {BYTES{1'b0}};
            m_axis_tlast  <= 1'b0;
            m_axis_tuser  <= 1'b0;
            mode          <= NORMAL;
            truncated     <= 1'b0;
            stall         <= {STALL_BITS{1'b0}};
        end else begin
            if (flit_valid || take)
                for (channel = 0; channel < VCS; channel = channel + 1) begin
                    if (push[channel]) begin
                        write_at[channel*POINTER_BITS +: POINTER_BITS]
                            <= write_at[channel*POINTER_BITS +: POINTER_BITS] + ONE_FLIT;
                        filled[channel] <= 1'b1;
                    end
                    if (take && chosen[channel]) begin
                        next_read_at = read_at[channel*POINTER_BITS +: POINTER_BITS] + ONE_FLIT;
                        read_at[channel*POINTER_BITS +: POINTER_BITS] <= next_read_at;
                        filled[channel] <= push[channel]
                            || next_read_at != write_at[channel*POINTER_BITS +: POINTER_BITS];
                    end
                end
            credit <= take ? chosen : {VCS{1'b0}};
            if (take) begin
                current <= head_last ? {VCS{1'b0}} : chosen;
                if (head_last)
                    next_channel <= chosen << 1 | chosen >> (VCS - 1);
                if (in_packet) begin
                    full_left <= full_left - ONE_BEAT;
                    too_many  <= too_many || last_is_due;
                end else begin
                    crc_wrong  <= head_crc_wrong;
                    full_left  <= length[12:BYTES_LOG];
                    too_many   <= length == 13'd0;
                    tail_keep  <= (length[BYTES_LOG-1:0] == {BYTES_LOG{1'b0}})
                        ? ALL_BYTES : ~(ALL_BYTES << length[BYTES_LOG-1:0]);
                end
            end
            if (load) begin
                m_axis_tvalid <= 1'b1;
                m_axis_tkeep  <= (head_last && in_packet && !any_fault) ? tail_keep : ALL_BYTES;
                m_axis_tlast  <= head_last;
                m_axis_tuser  <= head_last && any_fault;
            end else if (release_beat && truncated) begin
                m_axis_tvalid <= 1'b1;
                m_axis_tkeep  <= ALL_BYTES;
                m_axis_tlast  <= 1'b1;
                m_axis_tuser  <= 1'b1;
            end else if (m_axis_tvalid && m_axis_tready) begin
                m_axis_tvalid <= 1'b0;
                m_axis_tkeep  <= {BYTES{1'b0}};
                m_axis_tlast  <= 1'b0;
                m_axis_tuser  <= 1'b0;
            end
            if (HOST_TIMEOUT != 0
                && (host_stalls || !normal || stall != {STALL_BITS{1'b0}})) begin
                if (timed_out || host_ends || !normal)
                    stall <= {STALL_BITS{1'b0}};
                else if (host_stalls)
                    stall <= stall + ONE_STALL;
                if (timed_out) begin
                    mode      <= DROPPING;
                    truncated <= take ? !head_last : in_packet;
                end else if (release_beat) begin
                    truncated <= 1'b0;
                    if (!truncated)
                        mode <= LEAVING;
                end else if (mode == LEAVING && !in_packet) begin
                    mode <= NORMAL;
                end
            end
        end
    end

    // Cleared by the flip-flops' own reset. The closing beat has no data, as an empty register has.
    always @(posedge clk)
        if (rst || (m_axis_tvalid && m_axis_tready && !load))
            m_axis_tdata <= {DATA_WIDTH{1'b0}};
        else if (load)
            m_axis_tdata <= head;

`ifdef MKNS_ASSERT
    localparam LEVEL_BITS = POINTER_BITS + 1;
    reg [VCS*LEVEL_BITS-1:0] level; // flits in the FIFO, by channel, counted on their own
    integer              watched;
    always @(posedge clk) begin
        if (!rst && (current & (current - CHANNEL_0)) != {VCS{1'b0}}) begin
            $display("mkns_assert %m: packets of two channels in progress");
            $stop;
        end
        for (watched = 0; watched < VCS; watched = watched + 1) begin
            if (rst)
                level[watched*LEVEL_BITS +: LEVEL_BITS] <= {LEVEL_BITS{1'b0}};
            else
                level[watched*LEVEL_BITS +: LEVEL_BITS]
                    <= level[watched*LEVEL_BITS +: LEVEL_BITS]
                    + {{POINTER_BITS{1'b0}}, push[watched]}
                    - {{POINTER_BITS{1'b0}}, take && chosen[watched]};
            if (!rst && push[watched]
                && level[watched*LEVEL_BITS +: LEVEL_BITS] >= RX_BUFFER_FLITS[LEVEL_BITS-1:0])
            begin
                $display("mkns_assert %m: flit arrives at a full FIFO");
                $stop;
            end
            if (!rst && take && chosen[watched] && !filled[watched]) begin
                $display("mkns_assert %m: flit taken from an empty FIFO");
                $stop;
            end
            if (!rst && filled[watched]
                != (level[watched*LEVEL_BITS +: LEVEL_BITS] != {LEVEL_BITS{1'b0}})) begin
                $display("mkns_assert %m: fill of FIFO %0d disagrees", watched);
                $stop;
            end
        end
    end
`endif
endmodule
