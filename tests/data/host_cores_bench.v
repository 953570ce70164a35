// Bench of the host core wrappers: a whole network of two adapter blocks with two PCIe ports each, and
// at every port another wrapper (0 XDMA, 1 LitePCIe, 2 Aurora, 3 Ethernet MAC). Bit or slice n of a
// pin belongs to port n; `in` is towards the network, `out` from it. Clocks and resets: 0 XDMA, 1
// LitePCIe, 2 Aurora, 3 MAC's tx, 4 MAC's rx, 5 network. `fault` chooses a planted fault, 0: none.
`default_nettype none

module bench (
    input  wire         clk, // the harness' own, not used
    input  wire [5:0]   clocks,
    input  wire [5:0]   resets,
    input  wire [3:0]   fault,
    input  wire         channel_up,
    input  wire [3:0]   in_valid,
    input  wire [3:0]   in_last,
    input  wire [3:0]   in_user,
    input  wire [31:0]  in_keep,
    input  wire [255:0] in_data,
    output wire [3:0]   in_ready,
    output wire [3:0]   out_valid,
    output wire [3:0]   out_last,
    output wire [3:0]   out_user,
    output wire [31:0]  out_keep,
    output wire [255:0] out_data,
    input  wire [3:0]   out_ready,
    output wire [383:0] counters, // damaged 0…3, tx_cut, rx_cut, overflowed 2, 3, bad, foreign, dropped 0, 1
    input  wire [39:0]  s_axil_araddr,
    input  wire [1:0]   s_axil_arvalid,
    output wire [1:0]   s_axil_rvalid,
    output wire [63:0]  s_axil_rdata
);
    wire [255:0] s_data, m_data;
    wire [31:0]  s_keep, m_keep;
    wire [3:0]   s_last, s_user, s_valid, s_ready, m_last, m_user, m_valid, m_ready;
    wire [127:0] damaged;
    wire [63:0]  dropped;
    wire [31:0]  tx_cut, rx_cut, aurora_overflowed, mac_overflowed, bad_frames, foreign;

    assign counters = {dropped, foreign, bad_frames, mac_overflowed, aurora_overflowed, rx_cut, tx_cut, damaged};
    assign in_ready[3:2] = 2'b11; // these cores cannot wait
    assign out_user[0] = 1'b0;
    assign out_user[2] = 1'b0;
    assign out_keep[15:8] = 8'hff;

    adapter_xdma #(.BUFFER_BITS(5), .MAX_PACKET_BEATS(9)) xdma (
        .axi_aclk(clocks[0]), .axi_aresetn(!resets[0]),
        .m_axis_h2c_tdata_0(in_data[63:0]), .m_axis_h2c_tkeep_0(in_keep[7:0]),
        .m_axis_h2c_tlast_0(in_last[0]), .m_axis_h2c_tvalid_0(in_valid[0]),
        .m_axis_h2c_tready_0(in_ready[0]),
        .s_axis_c2h_tdata_0(out_data[63:0]), .s_axis_c2h_tkeep_0(out_keep[7:0]),
        .s_axis_c2h_tlast_0(out_last[0]), .s_axis_c2h_tvalid_0(out_valid[0]),
        .s_axis_c2h_tready_0(out_ready[0]),
        .clk(clocks[5]), .rst(resets[5]),
        .s_axis_pcie_tdata(s_data[63:0]), .s_axis_pcie_tkeep(s_keep[7:0]),
        .s_axis_pcie_tlast(s_last[0]), .s_axis_pcie_tuser(s_user[0]),
        .s_axis_pcie_tvalid(s_valid[0]), .s_axis_pcie_tready(s_ready[0]),
        .m_axis_pcie_tdata(m_data[63:0]), .m_axis_pcie_tkeep(m_keep[7:0]),
        .m_axis_pcie_tlast(m_last[0]), .m_axis_pcie_tuser(m_user[0]),
        .m_axis_pcie_tvalid(m_valid[0]), .m_axis_pcie_tready(m_ready[0]),
        .damaged(damaged[31:0]), .dropped(dropped[31:0]), .waiting()
    );

    adapter_litepcie #(.BUFFER_BITS(5), .MAX_PACKET_BEATS(9), .RUNS(0)) litepcie (
        .core_clk(clocks[1]), .core_rst(resets[1]), .dma0_status_reader_enable(1'b1),
        .dma0_status_writer_enable(1'b1),
        .dma0_reader_axi_tdata(in_data[127:64]), .dma0_reader_axi_tlast(in_last[1]),
        .dma0_reader_axi_tuser(in_user[1]), .dma0_reader_axi_tvalid(in_valid[1]),
        .dma0_reader_axi_tready(in_ready[1]),
        .dma0_writer_axi_tdata(out_data[127:64]), .dma0_writer_axi_tlast(out_last[1]),
        .dma0_writer_axi_tuser(out_user[1]), .dma0_writer_axi_tvalid(out_valid[1]),
        .dma0_writer_axi_tready(out_ready[1]),
        .clk(clocks[5]), .rst(resets[5]),
        .s_axis_pcie_tdata(s_data[127:64]), .s_axis_pcie_tkeep(s_keep[15:8]),
        .s_axis_pcie_tlast(s_last[1]), .s_axis_pcie_tuser(s_user[1]),
        .s_axis_pcie_tvalid(s_valid[1]), .s_axis_pcie_tready(s_ready[1]),
        .m_axis_pcie_tdata(m_data[127:64]), .m_axis_pcie_tkeep(m_keep[15:8]),
        .m_axis_pcie_tlast(m_last[1]), .m_axis_pcie_tuser(m_user[1]),
        .m_axis_pcie_tvalid(m_valid[1]), .m_axis_pcie_tready(m_ready[1]),
        .damaged(damaged[63:32]), .dropped(dropped[63:32]), .waiting()
    );

    adapter_aurora64b66b #(.BUFFER_BITS(5), .MAX_PACKET_BEATS(9)) aurora (
        .user_clk(clocks[2]), .user_rst(resets[2]), .channel_up(channel_up),
        .s_axi_tx_tdata(out_data[191:128]), .s_axi_tx_tkeep(out_keep[23:16]),
        .s_axi_tx_tlast(out_last[2]), .s_axi_tx_tvalid(out_valid[2]),
        .s_axi_tx_tready(out_ready[2]),
        .m_axi_rx_tdata(in_data[191:128]), .m_axi_rx_tkeep(in_keep[23:16]),
        .m_axi_rx_tlast(in_last[2]), .m_axi_rx_tvalid(in_valid[2]),
        .tx_cut(tx_cut), .rx_cut(rx_cut), .overflowed(aurora_overflowed),
        .clk(clocks[5]), .rst(resets[5]),
        .s_axis_pcie_tdata(s_data[191:128]), .s_axis_pcie_tkeep(s_keep[23:16]),
        .s_axis_pcie_tlast(s_last[2]), .s_axis_pcie_tuser(s_user[2]),
        .s_axis_pcie_tvalid(s_valid[2]), .s_axis_pcie_tready(s_ready[2]),
        .m_axis_pcie_tdata(m_data[191:128]), .m_axis_pcie_tkeep(m_keep[23:16]),
        .m_axis_pcie_tlast(m_last[2]), .m_axis_pcie_tuser(m_user[2]),
        .m_axis_pcie_tvalid(m_valid[2]), .m_axis_pcie_tready(m_ready[2]),
        .damaged(damaged[95:64])
    );

    adapter_eth_mac_10g #(
        .LOCAL_ADDRESS(48'h02a1a2a3a4a5), .REMOTE_ADDRESS(48'h02b1b2b3b4b5),
        .BUFFER_BITS(5), .MAX_PACKET_BEATS(9)
    ) mac (
        .tx_clk(clocks[3]), .tx_rst(resets[3]),
        .tx_axis_tdata(out_data[255:192]), .tx_axis_tkeep(out_keep[31:24]),
        .tx_axis_tlast(out_last[3]), .tx_axis_tuser(out_user[3]),
        .tx_axis_tvalid(out_valid[3]), .tx_axis_tready(out_ready[3]),
        .rx_clk(clocks[4]), .rx_rst(resets[4]),
        .rx_axis_tdata(in_data[255:192]), .rx_axis_tkeep(in_keep[31:24]),
        .rx_axis_tlast(in_last[3]), .rx_axis_tuser(in_user[3]), .rx_axis_tvalid(in_valid[3]),
        .overflowed(mac_overflowed), .bad_frames(bad_frames), .foreign(foreign),
        .clk(clocks[5]), .rst(resets[5]),
        .s_axis_pcie_tdata(s_data[255:192]), .s_axis_pcie_tkeep(s_keep[31:24]),
        .s_axis_pcie_tlast(s_last[3]), .s_axis_pcie_tuser(s_user[3]),
        .s_axis_pcie_tvalid(s_valid[3]), .s_axis_pcie_tready(s_ready[3]),
        .m_axis_pcie_tdata(m_data[255:192]), .m_axis_pcie_tkeep(m_keep[31:24]),
        .m_axis_pcie_tlast(m_last[3]), .m_axis_pcie_tuser(m_user[3]),
        .m_axis_pcie_tvalid(m_valid[3]), .m_axis_pcie_tready(m_ready[3]),
        .damaged(damaged[127:96])
    );

    host_cores_top network (
        .clk(clocks[5]), .rst(resets[5]), .cable_up(1'b1),
        .s_axis_pcie_tdata(s_data), .s_axis_pcie_tkeep(s_keep), .s_axis_pcie_tvalid(s_valid),
        .s_axis_pcie_tlast(s_last), .s_axis_pcie_tuser(s_user), .s_axis_pcie_tready(s_ready),
        .m_axis_pcie_tready(m_ready), .m_axis_pcie_tdata(m_data), .m_axis_pcie_tkeep(m_keep),
        .m_axis_pcie_tvalid(m_valid), .m_axis_pcie_tlast(m_last), .m_axis_pcie_tuser(m_user),
        .s_axil_awaddr(40'd0), .s_axil_awvalid(2'd0), .s_axil_wdata(64'd0), .s_axil_wstrb(8'd0),
        .s_axil_wvalid(2'd0), .s_axil_bready(2'd3),
        .s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid), .s_axil_rready(2'd3),
        .s_axil_awready(), .s_axil_wready(), .s_axil_bresp(), .s_axil_bvalid(),
        .s_axil_arready(), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(),
        .s_axil_rvalid(s_axil_rvalid)
    );
endmodule

`default_nettype wire
