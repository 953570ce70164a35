

    // PCIe: DMA channel q of the core is host q; the core's own side of its crossing is the node's clock.
    localparam HOSTS = <$ hosts $>;

    wire [HOSTS-1:0]    reader_on;
    wire [HOSTS-1:0]    writer_on;
    wire                pcie_up = |{reader_on, writer_on};
    wire [64*HOSTS-1:0] reader_tdata;
    wire [HOSTS-1:0]    reader_tlast;
    wire [HOSTS-1:0]    reader_tuser;
    wire [HOSTS-1:0]    reader_tvalid;
    wire [HOSTS-1:0]    reader_tready;
    wire [64*HOSTS-1:0] writer_tdata;
    wire [HOSTS-1:0]    writer_tlast;
    wire [HOSTS-1:0]    writer_tuser;
    wire [HOSTS-1:0]    writer_tvalid;
    wire [HOSTS-1:0]    writer_tready;
<%- include "fpga/node_card_hosts.v" %>

    litepcie_core pcie (
        .clk(clock),
        .rst(rst),
        .pcie_clk_p(pcie_refclk_p),
        .pcie_clk_n(pcie_refclk_n),
        .pcie_rst_n(pcie_reset_n),
        .pcie_rx_p(pcie_rx_p),
        .pcie_rx_n(pcie_rx_n),
        .pcie_tx_p(pcie_tx_p),
        .pcie_tx_n(pcie_tx_n),
        .msi_irqs(1'b0),
<%- for q in channels %>
        .dma<$ q $>_status_reader_enable(reader_on[<$ q $>]),
        .dma<$ q $>_status_writer_enable(writer_on[<$ q $>]),
        .dma<$ q $>_reader_axi_tdata(reader_tdata[64*<$ q $> +: 64]),
        .dma<$ q $>_reader_axi_tlast(reader_tlast[<$ q $>]),
        .dma<$ q $>_reader_axi_tuser(reader_tuser[<$ q $>]),
        .dma<$ q $>_reader_axi_tvalid(reader_tvalid[<$ q $>]),
        .dma<$ q $>_reader_axi_tready(reader_tready[<$ q $>]),
        .dma<$ q $>_writer_axi_tdata(writer_tdata[64*<$ q $> +: 64]),
        .dma<$ q $>_writer_axi_tlast(writer_tlast[<$ q $>]),
        .dma<$ q $>_writer_axi_tuser(writer_tuser[<$ q $>]),
        .dma<$ q $>_writer_axi_tvalid(writer_tvalid[<$ q $>]),
        .dma<$ q $>_writer_axi_tready(writer_tready[<$ q $>])<% if !loop.last %>,<% endif %>
<%- endfor %>
    );

    generate
        genvar q;
        for (q = 0; q < HOSTS; q = q + 1) begin : gen_host
            adapter_litepcie #(
                .BUFFER_BITS(<$ buffer_bits $>),
                .MAX_PACKET_BEATS(<$ longest_packet $>)
            ) host (
                .core_clk(clock),
                .core_rst(rst),
                .dma0_status_reader_enable(reader_on[q]),
                .dma0_status_writer_enable(writer_on[q]),
                .dma0_reader_axi_tdata(reader_tdata[64*q +: 64]),
                .dma0_reader_axi_tlast(reader_tlast[q]),
                .dma0_reader_axi_tuser(reader_tuser[q]),
                .dma0_reader_axi_tvalid(reader_tvalid[q]),
                .dma0_reader_axi_tready(reader_tready[q]),
                .dma0_writer_axi_tdata(writer_tdata[64*q +: 64]),
                .dma0_writer_axi_tlast(writer_tlast[q]),
                .dma0_writer_axi_tuser(writer_tuser[q]),
                .dma0_writer_axi_tvalid(writer_tvalid[q]),
                .dma0_writer_axi_tready(writer_tready[q]),
<%- include "fpga/node_card_host.v" %>