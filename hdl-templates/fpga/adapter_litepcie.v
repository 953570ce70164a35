// adapter_litepcie: one PCIe port of an adapter block at one DMA channel of a LitePCIe stand-alone
// core, with the crossing between the core's clock and the network's.
//
// LitePCIe's streams carry full words only and no tkeep, and packet boundaries from the host are
// weak (litepcie#97): towards the network tkeep and tlast are derived from the length in the
// header (bits 52:40), and the core's tlast is not looked at. Software pads payloads to full words. Towards the host
// tuser marks the first beat, as the core's own streams do; a damaged packet (m_axis_pcie_tuser)
// is counted in `damaged`. A host that stalls for ever fills the FIFO, and then the adapter block's
// timeout drops and counts (HOST_TIMEOUT); the network is never held.
//
// Latency: that of axis_async_fifo, each way. Reset: each side synchronous to its clock, active
// high. Hold both together; the host starts with a header after it.
// Limits: DATA_WIDTH 64, 128, 256 or 512, the same on both sides.
<$ banner $>

module adapter_litepcie #(
    parameter DATA_WIDTH = 64,
    parameter ADDRESS_BITS = 5   // 2^ADDRESS_BITS beats of buffer each way
) (
    // the LitePCIe core's side, channel 0
    input  wire                    core_clk,
    input  wire                    core_rst,
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
    output reg  [31:0]             damaged // packets handed to the host with tuser = 1
);
    axis_async_fifo #(
        .WIDTH(DATA_WIDTH),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) to_network (
        .s_clk(core_clk),
        .s_rst(core_rst),
        .s_valid(dma0_reader_axi_tvalid),
        .s_ready(dma0_reader_axi_tready),
        .s_data(dma0_reader_axi_tdata),
        .m_clk(clk),
        .m_rst(rst),
        .m_valid(s_axis_pcie_tvalid),
        .m_ready(s_axis_pcie_tready),
        .m_data(s_axis_pcie_tdata)
    );

    packet_length #(.DATA_WIDTH(DATA_WIDTH)) find_end (
        .clk(clk),
        .rst(rst),
        .length(s_axis_pcie_tdata[52:40]),
        .taken(s_axis_pcie_tvalid && s_axis_pcie_tready),
        .last(s_axis_pcie_tlast),
        .keep(s_axis_pcie_tkeep)
    );

    assign s_axis_pcie_tuser = 1'b0;

    // Towards the host: first-beat mark.
    reg is_first;

    axis_async_fifo #(
        .WIDTH(DATA_WIDTH + 2),
        .ADDRESS_BITS(ADDRESS_BITS)
    ) to_host (
        .s_clk(clk),
        .s_rst(rst),
        .s_valid(m_axis_pcie_tvalid),
        .s_ready(m_axis_pcie_tready),
        .s_data({is_first, m_axis_pcie_tlast, m_axis_pcie_tdata}),
        .m_clk(core_clk),
        .m_rst(core_rst),
        .m_valid(dma0_writer_axi_tvalid),
        .m_ready(dma0_writer_axi_tready),
        .m_data({dma0_writer_axi_tuser, dma0_writer_axi_tlast, dma0_writer_axi_tdata})
    );

    always @(posedge clk) begin
        if (rst) begin
            is_first <= 1'b1;
            damaged  <= 32'd0;
        end else if (m_axis_pcie_tvalid && m_axis_pcie_tready) begin
            is_first <= m_axis_pcie_tlast;
            if (m_axis_pcie_tlast && m_axis_pcie_tuser)
                damaged <= damaged + 32'd1;
        end
    end

    // LitePCIe has no place for tkeep, and its boundaries are not relied on.
    wire unused_ok = &{1'b0, m_axis_pcie_tkeep, dma0_reader_axi_tlast, dma0_reader_axi_tuser};
endmodule
