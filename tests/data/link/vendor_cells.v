// Cells and cores around nodes for lint: all inputs that they have in the way they are made, and the
// outputs that nodes use. Ports of the cores: stubs that Vivado 2019.2 and 2022.1 wrote, in public
// projects (aurora_64b66b v12.0, framing, duplex, native DRP, shared logic in the core; xdma v4.1).
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off MULTITOP */

module EHXPLLL #(
    parameter CLKI_DIV = 1, CLKFB_DIV = 1, FEEDBK_PATH = "CLKOP",
    parameter CLKOP_ENABLE = "ENABLED", CLKOP_DIV = 24, CLKOP_CPHASE = 11, CLKOP_FPHASE = 0,
    parameter CLKOS_ENABLE = "DISABLED", CLKOS_DIV = 24, CLKOS_CPHASE = 11, CLKOS_FPHASE = 0
) (
    input  wire RST, STDBY, CLKI, CLKFB, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG,
    input  wire PLLWAKESYNC, ENCLKOP,
    output wire CLKOP, CLKOS, LOCK
);
    assign CLKOP = CLKI;
    assign CLKOS = CLKI;
    assign LOCK  = 1'b1;
endmodule

module ecp5_serdes (
    input  wire        clk, rst, refclk_p, refclk_n, serial_rx_p, serial_rx_n,
    output wire        serial_tx_p, serial_tx_n, tx_clk,
    input  wire [15:0] tx_symbols,
    input  wire [1:0]  tx_is_k,
    output wire        rx_clk, rx_ready,
    output wire [15:0] rx_symbols,
    output wire [1:0]  rx_is_k
);
    assign serial_tx_p = serial_rx_p;
    assign serial_tx_n = serial_rx_n;
    assign tx_clk      = refclk_p;
    assign rx_clk      = refclk_p;
    assign rx_ready    = 1'b1;
    assign rx_symbols  = tx_symbols;
    assign rx_is_k     = tx_is_k;
endmodule

module IBUFDS (input wire I, input wire IB, output wire O);
    assign O = I;
endmodule

module BUFGCE_DIV #(parameter integer BUFGCE_DIVIDE = 2) (
    input wire I, input wire CE, input wire CLR, output wire O
);
    assign O = I;
endmodule

module IBUFDS_GTE4 #(parameter [1:0] REFCLK_HROW_CK_SEL = 2'b00) (
    input wire I, input wire IB, input wire CEB, output wire O, output wire ODIV2
);
    assign O     = I;
    assign ODIV2 = I;
endmodule

module aurora_0 (
    input  wire        gt_refclk1_p, gt_refclk1_n, rxp, rxn,
    output wire        txp, txn,
    input  wire        init_clk, pma_init, reset_pb, power_down,
    input  wire [2:0]  loopback,
    input  wire        gt_rxcdrovrden_in,
    input  wire [9:0]  gt0_drpaddr,
    input  wire [15:0] gt0_drpdi,
    input  wire        gt0_drpen, gt0_drpwe,
    output wire        user_clk_out, mmcm_not_locked_out, channel_up,
    input  wire [63:0] s_axi_tx_tdata,
    input  wire [7:0]  s_axi_tx_tkeep,
    input  wire        s_axi_tx_tlast, s_axi_tx_tvalid,
    output wire        s_axi_tx_tready,
    output wire [63:0] m_axi_rx_tdata,
    output wire [7:0]  m_axi_rx_tkeep,
    output wire        m_axi_rx_tlast, m_axi_rx_tvalid
);
    assign txp                 = rxp;
    assign txn                 = rxn;
    assign user_clk_out        = gt_refclk1_p;
    assign mmcm_not_locked_out = 1'b0;
    assign channel_up          = 1'b1;
    assign s_axi_tx_tready     = 1'b1;
    assign m_axi_rx_tdata      = s_axi_tx_tdata;
    assign m_axi_rx_tkeep      = s_axi_tx_tkeep;
    assign m_axi_rx_tlast      = s_axi_tx_tlast;
    assign m_axi_rx_tvalid     = s_axi_tx_tvalid;
endmodule

// Ports as litepcie_gen 2024.12 wrote them for one DMA channel of 64 bits, clk_external; those of mmap as its source has them.
`ifndef BUFFER_WORDS // litepcie_model.v stands for it
module litepcie_core (
    input  wire        clk, rst, pcie_clk_p, pcie_clk_n, pcie_rst_n, msi_irqs,
    input  wire [3:0]  pcie_rx_p, pcie_rx_n,
    output wire [3:0]  pcie_tx_p, pcie_tx_n,
    output wire        dma0_status_reader_enable, dma0_status_writer_enable,
    output wire [63:0] dma0_reader_axi_tdata,
    output wire        dma0_reader_axi_tlast, dma0_reader_axi_tuser, dma0_reader_axi_tvalid,
    input  wire        dma0_reader_axi_tready,
    input  wire [63:0] dma0_writer_axi_tdata,
    input  wire        dma0_writer_axi_tlast, dma0_writer_axi_tuser, dma0_writer_axi_tvalid,
    output wire        dma0_writer_axi_tready,
    output wire        mmap_axi_lite_awvalid, mmap_axi_lite_wvalid, mmap_axi_lite_arvalid,
    output wire        mmap_axi_lite_bready, mmap_axi_lite_rready,
    input  wire        mmap_axi_lite_awready, mmap_axi_lite_wready, mmap_axi_lite_arready,
    input  wire        mmap_axi_lite_bvalid, mmap_axi_lite_rvalid,
    output wire [31:0] mmap_axi_lite_awaddr, mmap_axi_lite_araddr, mmap_axi_lite_wdata,
    output wire [3:0]  mmap_axi_lite_wstrb,
    output wire [2:0]  mmap_axi_lite_awprot, mmap_axi_lite_arprot,
    input  wire [1:0]  mmap_axi_lite_bresp, mmap_axi_lite_rresp,
    input  wire [31:0] mmap_axi_lite_rdata
);
    assign mmap_axi_lite_awvalid     = 1'b0;
    assign mmap_axi_lite_wvalid      = 1'b0;
    assign mmap_axi_lite_arvalid     = dma0_writer_axi_tlast;
    assign mmap_axi_lite_bready      = mmap_axi_lite_bvalid;
    assign mmap_axi_lite_rready      = mmap_axi_lite_rvalid;
    assign mmap_axi_lite_awaddr      = mmap_axi_lite_rdata;
    assign mmap_axi_lite_araddr      = mmap_axi_lite_rdata;
    assign mmap_axi_lite_wdata       = mmap_axi_lite_rdata;
    assign mmap_axi_lite_wstrb       = 4'hF;
    assign mmap_axi_lite_awprot      = 3'd0;
    assign mmap_axi_lite_arprot      = 3'd0;
    assign pcie_tx_p                 = pcie_rx_p;
    assign pcie_tx_n                 = pcie_rx_n;
    assign dma0_status_reader_enable = 1'b1;
    assign dma0_status_writer_enable = 1'b1;
    assign dma0_reader_axi_tdata     = dma0_writer_axi_tdata;
    assign dma0_reader_axi_tlast     = dma0_writer_axi_tlast;
    assign dma0_reader_axi_tuser     = dma0_writer_axi_tuser;
    assign dma0_reader_axi_tvalid    = dma0_writer_axi_tvalid;
    assign dma0_writer_axi_tready    = dma0_reader_axi_tready;
endmodule
`endif
