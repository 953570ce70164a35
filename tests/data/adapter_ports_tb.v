// Bench of adapter_xdma and adapter_litepcie: random packets from the host side through the wrapper,
// looped back where the adapter block would be, and to the host again, with random clocks and stalls.
// Plus arguments: seed, core_ps and net_ps (half periods), phase_ps, cycles, xdma (0: LitePCIe).
// The bench counts cycles in which more than 100 beats wait for the host; the network is never held.
// Prints `packets N beats N late N` and PASS, or FAIL with the reason.
`timescale 1ps/1ps
`default_nettype none

module adapter_ports_tb;
    parameter W = 64;

    integer seed, core_ps, net_ps, phase_ps, cycles, xdma;
    reg core_clk, clk, core_rst, rst;
    reg [W-1:0] h_data; reg [W/8-1:0] h_keep; reg h_last, h_first, h_valid;
    wire x_h_ready, l_h_ready;
    wire h_ready = xdma != 0 ? x_h_ready : l_h_ready;
    wire [W-1:0] x_c_data, l_c_data; wire [W/8-1:0] x_c_keep;
    wire x_c_last, x_c_valid, l_c_last, l_c_first, l_c_valid;
    wire c_valid = xdma != 0 ? x_c_valid : l_c_valid;
    wire [W-1:0] c_data = xdma != 0 ? x_c_data : l_c_data;
    wire c_last = xdma != 0 ? x_c_last : l_c_last;
    reg c_ready;
    wire [W-1:0] x_s_data, l_s_data; wire [W/8-1:0] x_s_keep, l_s_keep;
    wire x_s_last, l_s_last, x_s_valid, l_s_valid, x_s_user, l_s_user;
    wire s_valid = xdma != 0 ? x_s_valid : l_s_valid;
    wire [W-1:0] s_data = xdma != 0 ? x_s_data : l_s_data;
    wire [W/8-1:0] s_keep = xdma != 0 ? x_s_keep : l_s_keep;
    wire s_last = xdma != 0 ? x_s_last : l_s_last;
    wire x_m_ready, l_m_ready;
    wire m_ready = xdma != 0 ? x_m_ready : l_m_ready;
    reg stops; // the host begins no more packets
    reg gate; // the adapter block's own stalls
    wire passes = gate && s_valid && m_ready;
    wire [31:0] x_damaged, l_damaged, x_dropped, l_dropped;

    adapter_xdma #(.DATA_WIDTH(W), .ADDRESS_BITS(3)) with_xdma (
        .axi_aclk(core_clk), .axi_aresetn(!core_rst),
        .m_axis_h2c_tdata_0(h_data), .m_axis_h2c_tkeep_0(h_keep), .m_axis_h2c_tlast_0(h_last),
        .m_axis_h2c_tvalid_0(h_valid && xdma != 0), .m_axis_h2c_tready_0(x_h_ready),
        .s_axis_c2h_tdata_0(x_c_data), .s_axis_c2h_tkeep_0(x_c_keep), .s_axis_c2h_tlast_0(x_c_last),
        .s_axis_c2h_tvalid_0(x_c_valid), .s_axis_c2h_tready_0(c_ready),
        .clk(clk), .rst(rst),
        .s_axis_pcie_tdata(x_s_data), .s_axis_pcie_tkeep(x_s_keep), .s_axis_pcie_tlast(x_s_last),
        .s_axis_pcie_tuser(x_s_user), .s_axis_pcie_tvalid(x_s_valid), .s_axis_pcie_tready(gate && m_ready),
        .m_axis_pcie_tdata(s_data), .m_axis_pcie_tkeep(s_keep), .m_axis_pcie_tlast(s_last),
        .m_axis_pcie_tuser(1'b0), .m_axis_pcie_tvalid(gate && s_valid && xdma != 0),
        .m_axis_pcie_tready(x_m_ready), .damaged(x_damaged), .dropped(x_dropped));
    adapter_litepcie #(.DATA_WIDTH(W), .ADDRESS_BITS(3), .RUNS(0)) with_litepcie (
        .core_clk(core_clk), .core_rst(core_rst), .dma0_status_reader_enable(1'b1),
        .dma0_status_writer_enable(1'b1),
        .dma0_reader_axi_tdata(h_data), .dma0_reader_axi_tlast(1'b0), .dma0_reader_axi_tuser(1'b0),
        .dma0_reader_axi_tvalid(h_valid && xdma == 0), .dma0_reader_axi_tready(l_h_ready),
        .dma0_writer_axi_tdata(l_c_data), .dma0_writer_axi_tlast(l_c_last),
        .dma0_writer_axi_tuser(l_c_first), .dma0_writer_axi_tvalid(l_c_valid),
        .dma0_writer_axi_tready(c_ready),
        .clk(clk), .rst(rst),
        .s_axis_pcie_tdata(l_s_data), .s_axis_pcie_tkeep(l_s_keep), .s_axis_pcie_tlast(l_s_last),
        .s_axis_pcie_tuser(l_s_user), .s_axis_pcie_tvalid(l_s_valid), .s_axis_pcie_tready(gate && m_ready),
        .m_axis_pcie_tdata(s_data), .m_axis_pcie_tkeep(s_keep), .m_axis_pcie_tlast(s_last),
        .m_axis_pcie_tuser(1'b0), .m_axis_pcie_tvalid(gate && s_valid && xdma == 0),
        .m_axis_pcie_tready(l_m_ready), .damaged(l_damaged), .dropped(l_dropped));

    // Everything sent and not yet seen again: {first, last, keep, data}.
    reg [W+W/8+1:0] expected [0:1023];
    integer head, at_network, tail, packets, late, left, length, n, stall;
    reg [W+W/8+1:0] want;

    task fail;
        input [8*32-1:0] why;
        begin
            $display("FAIL %0s at %0t", why, $time);
            $finish;
        end
    endtask

    always begin
        #(phase_ps);
        phase_ps = 0;
        #(core_ps) core_clk = !core_clk;
    end
    always #(net_ps) clk = !clk;

    // The host: packets with gaps; descriptors are posted or not for long times.
    always @(posedge core_clk) if (!core_rst) begin
        if (c_valid && c_ready) begin
            want = expected[tail % 1024];
            if (tail == at_network) fail("a beat from nowhere");
            if (c_data !== want[W-1:0] || c_last !== want[W+W/8]) fail("wrong beat at the host");
            if (xdma != 0 && x_c_keep !== want[W+W/8-1:W]) fail("wrong tkeep at the host");
            if (xdma == 0 && l_c_first !== want[W+W/8+1]) fail("wrong first-beat mark");
            tail = tail + 1;
            if (c_last) packets = packets + 1;
        end
        if (h_valid && h_ready) begin
            expected[head % 1024] = {h_first, h_last, h_keep, h_data};
            head = head + 1;
        end
        if (!(h_valid && !h_ready)) begin
            h_valid <= 1'b0;
            if ((left > 0 || !stops) && head - tail < 900 && $random(seed) % 4 != 0) begin
                h_valid <= 1'b1;
                h_data  <= {W/64{$random(seed), $random(seed)}};
                h_first <= left == 0;
                if (left == 0) begin
                    length = $unsigned($random(seed)) % 70;
                    h_data[52:40] <= length;
                    h_keep <= {(W/8){1'b1}};
                    h_last <= length == 0;
                    left = length;
                end else begin
                    n = left < W / 8 ? left : W / 8;
                    h_keep <= ~({(W/8){1'b1}} << n);
                    h_last <= left == n;
                    left = left - n;
                end
            end
        end
        if (stall > 0) stall = stall - 1;
        else if ($unsigned($random(seed)) % 200 == 0) stall = $unsigned($random(seed)) % 300;
        c_ready <= stall == 0 && $unsigned($random(seed)) % 8 != 0;
    end

    // The adapter block's place.
    always @(posedge clk) if (!rst) begin
        if (passes) begin
            want = expected[at_network % 1024];
            if (at_network == head) fail("a beat from nowhere");
            if (s_data !== want[W-1:0]) fail("wrong data at the network");
            if (s_keep !== want[W+W/8-1:W]) fail("wrong tkeep at the network");
            if (s_last !== want[W+W/8]) fail("wrong tlast at the network");
            at_network = at_network + 1;
        end
        if (!m_ready) fail("the network is held");
        if (at_network - tail > 100) late = late + 1;
        gate <= $unsigned($random(seed)) % 4 != 0;
    end

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("core_ps=%d", core_ps)) core_ps = 2000;
        if (!$value$plusargs("net_ps=%d", net_ps)) net_ps = 2500;
        if (!$value$plusargs("phase_ps=%d", phase_ps)) phase_ps = 0;
        if (!$value$plusargs("cycles=%d", cycles)) cycles = 100000;
        if (!$value$plusargs("xdma=%d", xdma)) xdma = 1;
        core_clk = 0; clk = 0; stops = 0; core_rst = 1; rst = 1; gate = 0;
        h_valid = 0; c_ready = 0; h_data = 0; h_keep = 0; h_last = 0; h_first = 0;
        head = 0; at_network = 0; tail = 0; packets = 0; late = 0; left = 0; stall = 0;
        repeat (10) @(posedge core_clk);
        repeat (10) @(posedge clk);
        @(negedge core_clk) core_rst = 0;
        @(negedge clk) rst = 0;
        repeat (cycles) @(posedge core_clk);
        // A host that takes nothing for long: the network is not held, nothing is lost.
        stall = 1000000;
        repeat (2000) @(posedge core_clk);
        stall = 0;
        stops = 1;
        repeat (10000) @(posedge core_clk);
        if (tail != head) fail("beats are missing");
        if (x_dropped != 0 || l_dropped != 0) fail("a packet is dropped");
        $display("packets %0d beats %0d late %0d", packets, tail, late);
        $display("PASS");
        $finish;
    end

    wire unused_ok = &{1'b0, x_s_user, l_s_user, x_damaged, l_damaged};
endmodule

`default_nettype wire
