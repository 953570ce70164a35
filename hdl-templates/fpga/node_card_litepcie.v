

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

    // Window of registers in BAR 0, from 0x100000 on: litepcie.yml. The core hands on the whole offset in the BAR. It is
    // ready for every answer that it waits for; when it is not, PCIe has reset it, and nobody waits.
    wire        host_awvalid, host_awready, host_wvalid, host_wready, host_bvalid, host_bready;
    wire        host_arvalid, host_arready, host_rvalid, host_rready;
    wire [31:0] host_wdata, host_rdata;
    wire [19:0] bar_awaddr, bar_araddr;
    wire [11:0] unused_awbar, unused_arbar;
    wire [31:0] host_awaddr = {12'd0, bar_awaddr};
    wire [31:0] host_araddr = {12'd0, bar_araddr};
    wire [3:0]  host_wstrb;
    wire [1:0]  host_bresp, host_rresp;
    wire [2:0]  unused_awprot, unused_arprot;
    reg         host_is_gone;

    always @(posedge clock)
        host_is_gone <= (host_bvalid && !host_bready) || (host_rvalid && !host_rready);
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
        .mmap_axi_lite_awvalid(host_awvalid),
        .mmap_axi_lite_awready(host_awready),
        .mmap_axi_lite_awaddr({unused_awbar, bar_awaddr}),
        .mmap_axi_lite_awprot(unused_awprot),
        .mmap_axi_lite_wvalid(host_wvalid),
        .mmap_axi_lite_wready(host_wready),
        .mmap_axi_lite_wdata(host_wdata),
        .mmap_axi_lite_wstrb(host_wstrb),
        .mmap_axi_lite_bvalid(host_bvalid),
        .mmap_axi_lite_bready(host_bready),
        .mmap_axi_lite_bresp(host_bresp),
        .mmap_axi_lite_arvalid(host_arvalid),
        .mmap_axi_lite_arready(host_arready),
        .mmap_axi_lite_araddr({unused_arbar, bar_araddr}),
        .mmap_axi_lite_arprot(unused_arprot),
        .mmap_axi_lite_rvalid(host_rvalid),
        .mmap_axi_lite_rready(host_rready),
        .mmap_axi_lite_rdata(host_rdata),
        .mmap_axi_lite_rresp(host_rresp),
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