// adapter_litepcie: one PCIe port of an adapter block at one DMA channel of a LitePCIe stand-alone
// core, with the crossing between the core's clock and the network's.
//
// From the host: LitePCIe's streams carry full words only and no tkeep, and packet boundaries from
// the host are weak (litepcie#97): tkeep and tlast are derived from the length in the header (bits
// 52:40), and the core's tlast is not looked at. Software pads payloads to full words. When the
// program that writes ends in mid-packet, the driver switches the channel off
// (dma0_status_reader_enable = 0): the cut packet then ends with tuser = 1, which makes the adapter
// block drop it; words that still come are thrown away; then a run begins (run_to_packets).
// To the host: the network is never held, however late the host reads: 2^BUFFER_BITS beats wait for
// it, and a packet that finds no room is dropped and counted in `dropped`. The host gets whole
// packets only, in the runs of packets_to_run. Packets that the adapter block marks as damaged
// (m_axis_pcie_tuser) are dropped and counted in `damaged`.
// With RUNS = 0, for a driver of one's own, both streams carry packets only: a header follows the
// packet before, and tuser and tlast mark the first and the last beat to the host.
//
// Latency: that of packets_to_network and one cycle, and that of packets_to_host and packets_to_run.
// Reset: each side synchronous to its clock, active high. Either may come at any time: the wrapper
// resets both sides of its crossings. After core_rst the host starts with a run, or with a header.
// Limits: DATA_WIDTH 64, 128, 256 or 512, the same on both sides; 2^BUFFER_BITS >=
// MAX_PACKET_BEATS, the longest packet from the adapter block; those of packets_to_run.
<$ banner $>

module adapter_litepcie #(
    parameter DATA_WIDTH = 64,
    parameter ADDRESS_BITS = 5,  // 2^ADDRESS_BITS beats of crossing each way
    parameter BUFFER_BITS = 10,  // 2^BUFFER_BITS beats for packets that wait for the host
    parameter MAX_PACKET_BEATS = 33, // with the header
    parameter RUNS = 1,          // 1: for LitePCIe's Linux driver; 0: packets only
    parameter BUFFER_BYTES = 8192, // DMA_BUFFER_SIZE of that driver
    parameter QUIET_BITS = 27    // cycles until the card says that it lives, as a power of two
) (
    // the LitePCIe core's side, channel 0
    input  wire                    core_clk,
    input  wire                    core_rst,
    input  wire                    dma0_status_reader_enable,
    input  wire                    dma0_status_writer_enable,
    input  wire [DATA_WIDTH-1:0]   dma0_reader_axi_tdata,
    input  wire                    dma0_reader_axi_tlast,
    input  wire                    dma0_reader_axi_tuser,
    input  wire                    dma0_reader_axi_tvalid,
    output wire                    dma0_reader_axi_tready,
    output wire [DATA_WIDTH-1:0]   dma0_writer_axi_tdata,
    output wire                    dma0_writer_axi_tlast,
    output wire                    dma0_writer_axi_tuser,
    output wire                    dma0_writer_axi_tvalid,
    input  wire                    dma0_writer_axi_tready,
    // the adapter block's side
    input  wire                    clk,
    input  wire                    rst,
    output wire [DATA_WIDTH-1:0]   s_axis_pcie_tdata,
    output wire [DATA_WIDTH/8-1:0] s_axis_pcie_tkeep,
    output wire                    s_axis_pcie_tlast,
    output wire                    s_axis_pcie_tuser,
    output wire                    s_axis_pcie_tvalid,
    input  wire                    s_axis_pcie_tready,
    input  wire [DATA_WIDTH-1:0]   m_axis_pcie_tdata,
    input  wire [DATA_WIDTH/8-1:0] m_axis_pcie_tkeep,
    input  wire                    m_axis_pcie_tlast,
    input  wire                    m_axis_pcie_tuser,
    input  wire                    m_axis_pcie_tvalid,
    output wire                    m_axis_pcie_tready,
    output wire [31:0]             damaged, // packets that ended with tuser = 1
    output wire [31:0]             dropped, // packets that found no room
    output wire                    waiting  // a packet waits for the core to take it
);
    localparam WIDTH = DATA_WIDTH + DATA_WIDTH / 8;

    // From the host: ends of packets, found in the core's clock, in which the channel goes off.
    wire                    reader_passes; // the beat belongs to a packet
    wire                    reader_moves;
    wire                    reader_last;
    wire [DATA_WIDTH/8-1:0] reader_keep;
    wire                    closer_ready;
    wire                    closed_valid;
    wire                    closed_ready;
    wire                    closed_last;
    wire                    closed_user;
    wire [WIDTH-1:0]        closed;

    assign reader_moves           = dma0_reader_axi_tvalid && reader_passes && closer_ready;
    assign dma0_reader_axi_tready = closer_ready || !reader_passes || !dma0_status_reader_enable;

    generate
        if (RUNS != 0) begin : gen_reader_run
            run_to_packets reader_run (
                .clk(core_clk),
                .rst(core_rst),
                .enable(dma0_status_reader_enable),
                .word(dma0_reader_axi_tdata[63:0]),
                .taken(dma0_reader_axi_tvalid && dma0_reader_axi_tready),
                .last(reader_last),
                .passes(reader_passes)
            );
        end else begin : gen_reader_packets
            assign reader_passes = 1'b1;
        end
    endgenerate

    packet_length #(.DATA_WIDTH(DATA_WIDTH)) find_end (
        .clk(core_clk),
        .rst(core_rst || !dma0_status_reader_enable),
        .length(dma0_reader_axi_tdata[52:40]),
        .taken(reader_moves),
        .last(reader_last),
        .keep(reader_keep)
    );

    packet_closer #(.WIDTH(WIDTH)) reader_closer (
        .clk(core_clk),
        .rst(core_rst),
        .cut(!dma0_status_reader_enable),
        .s_valid(dma0_reader_axi_tvalid && reader_passes),
        .s_ready(closer_ready),
        .s_data({reader_keep, dma0_reader_axi_tdata}),
        .s_last(reader_last),
        .s_user(1'b0),
        .m_valid(closed_valid),
        .m_ready(closed_ready),
        .m_data(closed),
        .m_last(closed_last),
        .m_user(closed_user)
    );

    packets_to_network #(
        .DATA_WIDTH(DATA_WIDTH),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) to_network (
        .core_clk(core_clk),
        .core_rst(core_rst),
        .s_tdata(closed[DATA_WIDTH-1:0]),
        .s_tkeep(closed[WIDTH-1:DATA_WIDTH]),
        .s_tlast(closed_last),
        .s_tuser(closed_user),
        .s_tvalid(closed_valid),
        .s_tready(closed_ready),
        .clk(clk),
        .rst(rst),
        .m_tdata(s_axis_pcie_tdata),
        .m_tkeep(s_axis_pcie_tkeep),
        .m_tlast(s_axis_pcie_tlast),
        .m_tuser(s_axis_pcie_tuser),
        .m_tvalid(s_axis_pcie_tvalid),
        .m_tready(s_axis_pcie_tready)
    );

    // To the host: first-beat mark.
    reg                  is_first;
    wire                 writer_first;
    wire                 writer_last;
    wire                 writer_valid;
    wire                 writer_ready;
    wire [DATA_WIDTH-1:0] writer_data;

    always @(posedge clk) begin
        if (rst)
            is_first <= 1'b1;
        else if (m_axis_pcie_tvalid && m_axis_pcie_tready)
            is_first <= m_axis_pcie_tlast;
    end

    packets_to_host #(
        .WIDTH(DATA_WIDTH + 1),
        .ADDRESS_BITS(ADDRESS_BITS),
        .BUFFER_BITS(BUFFER_BITS),
        .MAX_PACKET_BEATS(MAX_PACKET_BEATS)
    ) to_host (
        .clk(clk),
        .rst(rst),
        .s_valid(m_axis_pcie_tvalid),
        .s_ready(m_axis_pcie_tready),
        .s_data({is_first, m_axis_pcie_tdata}),
        .s_last(m_axis_pcie_tlast),
        .s_user(m_axis_pcie_tuser),
        .damaged(damaged),
        .dropped(dropped),
        .waiting(waiting),
        .core_clk(core_clk),
        .core_rst(core_rst),
        .m_valid(writer_valid),
        .m_ready(writer_ready),
        .m_data({writer_first, writer_data}),
        .m_last(writer_last)
    );

    generate
        if (RUNS != 0) begin : gen_writer_run
            packets_to_run #(
                .DATA_WIDTH(DATA_WIDTH),
                .BUFFER_BYTES(BUFFER_BYTES),
                .MAX_PACKET_BEATS(MAX_PACKET_BEATS),
                .QUIET_BITS(QUIET_BITS)
            ) writer_run (
                .clk(core_clk),
                .rst(core_rst),
                .enable(dma0_status_writer_enable),
                .s_valid(writer_valid),
                .s_ready(writer_ready),
                .s_data(writer_data),
                .s_last(writer_last),
                .m_valid(dma0_writer_axi_tvalid),
                .m_ready(dma0_writer_axi_tready),
                .m_data(dma0_writer_axi_tdata)
            );

            // A mark would end a buffer early in a driver that is built to look at it.
            assign dma0_writer_axi_tuser = 1'b0;
            assign dma0_writer_axi_tlast = 1'b0;
        end else begin : gen_writer_packets
            assign dma0_writer_axi_tvalid = writer_valid;
            assign writer_ready           = dma0_writer_axi_tready;
            assign dma0_writer_axi_tdata  = writer_data;
            assign dma0_writer_axi_tuser  = writer_first;
            assign dma0_writer_axi_tlast  = writer_last;
        end
    endgenerate

    // LitePCIe has no place for tkeep, and its boundaries are not relied on.
    wire unused_ok = &{1'b0, m_axis_pcie_tkeep, dma0_reader_axi_tlast, dma0_reader_axi_tuser,
                       dma0_status_writer_enable, writer_first};
endmodule
