// Bench of adapter_xdma and adapter_litepcie with hosts that are late: the network offers packets at
// line rate, some of them damaged, while the host takes nothing, or one beat in 1,000 cycles. The
// network is never held. Only whole packets arrive, in order; those that do not are counted.
//
// KIND: 0 XDMA, 1 LitePCIe; both with buffers of their usual size. Plus arguments: seed, core_ps and
// net_ps (half periods), rounds, late (the host pauses up to so many microseconds per round), beats
// (offered in a round), slow (1: one beat in 1,000 cycles). Prints `sent N arrived N dropped N damaged N` and PASS, or
// FAIL with the reason.
//
// A header is {bytes, number}; payload beat n is {number, n}.
`timescale 1ps/1ps
`default_nettype none

module late_host_tb;
    parameter KIND = 0;

    integer seed, core_ps, net_ps, rounds, late, beats, slow;
    reg core_clk, clk, core_rst, rst;
    reg [63:0] m_data; reg [7:0] m_keep; reg m_valid, m_last, m_user; wire m_ready;
    wire [63:0] out_data; wire [7:0] out_keep; wire out_valid, out_last; reg out_ready;
    wire [31:0] damaged, dropped;

    generate
        if (KIND == 0) begin : gen_xdma
            adapter_xdma wrapper (
                .axi_aclk(core_clk), .axi_aresetn(!core_rst),
                .m_axis_h2c_tdata_0(64'd0), .m_axis_h2c_tkeep_0(8'd0), .m_axis_h2c_tlast_0(1'b0),
                .m_axis_h2c_tvalid_0(1'b0), .m_axis_h2c_tready_0(),
                .s_axis_c2h_tdata_0(out_data), .s_axis_c2h_tkeep_0(out_keep),
                .s_axis_c2h_tlast_0(out_last), .s_axis_c2h_tvalid_0(out_valid),
                .s_axis_c2h_tready_0(out_ready),
                .clk(clk), .rst(rst),
                .s_axis_pcie_tdata(), .s_axis_pcie_tkeep(), .s_axis_pcie_tlast(),
                .s_axis_pcie_tuser(), .s_axis_pcie_tvalid(), .s_axis_pcie_tready(1'b1),
                .m_axis_pcie_tdata(m_data), .m_axis_pcie_tkeep(m_keep), .m_axis_pcie_tlast(m_last),
                .m_axis_pcie_tuser(m_user), .m_axis_pcie_tvalid(m_valid),
                .m_axis_pcie_tready(m_ready), .damaged(damaged), .dropped(dropped));
        end else begin : gen_litepcie
            adapter_litepcie #(.RUNS(0)) wrapper (
                .core_clk(core_clk), .core_rst(core_rst), .dma0_status_reader_enable(1'b0),
                .dma0_status_writer_enable(1'b1),
                .dma0_reader_axi_tdata(64'd0), .dma0_reader_axi_tlast(1'b0),
                .dma0_reader_axi_tuser(1'b0), .dma0_reader_axi_tvalid(1'b0),
                .dma0_reader_axi_tready(),
                .dma0_writer_axi_tdata(out_data), .dma0_writer_axi_tlast(out_last),
                .dma0_writer_axi_tuser(), .dma0_writer_axi_tvalid(out_valid),
                .dma0_writer_axi_tready(out_ready),
                .clk(clk), .rst(rst),
                .s_axis_pcie_tdata(), .s_axis_pcie_tkeep(), .s_axis_pcie_tlast(),
                .s_axis_pcie_tuser(), .s_axis_pcie_tvalid(), .s_axis_pcie_tready(1'b1),
                .m_axis_pcie_tdata(m_data), .m_axis_pcie_tkeep(m_keep), .m_axis_pcie_tlast(m_last),
                .m_axis_pcie_tuser(m_user), .m_axis_pcie_tvalid(m_valid),
                .m_axis_pcie_tready(m_ready), .damaged(damaged), .dropped(dropped));
            assign out_keep = keep_of(number, place);
        end
    endgenerate

    function integer below;
        input integer limit;
        below = $unsigned($random(seed)) % limit;
    endfunction

    task fail;
        input [8*40-1:0] why;
        begin
            $display("FAIL %0s at %0t", why, $time);
            $finish;
        end
    endtask

    always #(core_ps) core_clk = !core_clk;
    always #(net_ps) clk = !clk;

    // Packets offered: payload bytes, and whether they are damaged.
    integer bytes_of [0:65535];
    reg is_damaged [0:65535];
    integer made, offered_place, beats_left;

    function integer last_of;
        input integer packet;
        last_of = (bytes_of[packet] + 7) / 8;
    endfunction

    function [7:0] keep_of;
        input integer packet, beat;
        keep_of = beat == last_of(packet) && bytes_of[packet] % 8 != 0
                ? 8'hff >> (8 - bytes_of[packet] % 8) : 8'hff;
    endfunction

    function [63:0] data_of;
        input integer packet, beat;
        data_of = beat == 0 ? {11'd0, bytes_of[packet][12:0], 8'd0, packet}
                : {packet, beat};
    endfunction

    task make;
        begin
            made = made + 1;
            bytes_of[made]   = below(4) == 0 ? 0 : below(257);
            is_damaged[made] = below(8) == 0;
            offered_place    = 0;
        end
    endtask

    always @(posedge clk)
        if (!rst) begin
            if (!m_ready) fail("the network is held");
            m_valid <= 1'b0;
            // A packet that has begun ends, and a damaged one takes no room.
            if (offered_place != 0 || beats_left > last_of(made)) begin
                m_data  <= data_of(made, offered_place);
                m_keep  <= keep_of(made, offered_place);
                m_last  <= offered_place == last_of(made);
                m_user  <= offered_place == last_of(made) && is_damaged[made];
                m_valid <= 1'b1;
                if (offered_place != last_of(made))
                    offered_place = offered_place + 1;
                else begin
                    if (is_damaged[made]) bad = bad + 1;
                    else begin
                        sent       = sent + 1;
                        beats_left = beats_left - 1 - last_of(made);
                    end
                    make;
                end
            end else
                beats_left = 0;
        end

    // What the host gets.
    integer place, number, arrived, sent, bad;

    always @(posedge core_clk)
        if (!core_rst && out_valid && out_ready) begin
            if (place == 0) begin
                if (out_data[31:0] <= number || out_data[31:0] >= made) fail("no new packet");
                number = out_data[31:0];
                if (is_damaged[number]) fail("a damaged packet");
            end
            if (out_data !== data_of(number, place)) fail("wrong beat");
            if (KIND == 0 && out_keep !== keep_of(number, place)) fail("wrong tkeep");
            if (out_last !== (place == last_of(number))) fail("wrong end");
            place = place + 1;
            if (out_last) begin
                arrived = arrived + 1;
                place = 0;
            end
        end

    integer round, pause, cycle;
    reg is_late;

    always @(posedge core_clk) begin
        cycle = cycle + 1;
        out_ready <= is_late ? slow != 0 && cycle % 1000 == 0 : below(8) != 0;
    end

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("core_ps=%d", core_ps)) core_ps = 2000;
        if (!$value$plusargs("net_ps=%d", net_ps)) net_ps = 4000;
        if (!$value$plusargs("rounds=%d", rounds)) rounds = 4;
        if (!$value$plusargs("late=%d", late)) late = 100;
        if (!$value$plusargs("beats=%d", beats)) beats = 1024;
        if (!$value$plusargs("slow=%d", slow)) slow = 0;
        {core_clk, clk, core_rst, rst} = 4'b0011;
        {m_valid, m_last, m_user, out_ready, is_late} = 5'd0;
        made = 0; beats_left = 0; place = 0; number = 0; arrived = 0; sent = 0; bad = 0; cycle = 0;
        make;
        repeat (10) @(negedge core_clk);
        repeat (10) @(negedge clk);
        core_rst = 0;
        rst = 0;
        repeat (50) @(negedge core_clk);
        repeat (50) @(negedge clk);
        for (round = 0; round < rounds; round = round + 1) begin
            is_late = 1;
            repeat (2) @(negedge core_clk);
            beats_left = beats;
            // All pauses but the first are of any length.
            pause = round == 0 ? late : 1 + below(late);
            repeat (pause) #1000000;
            is_late = 0;
            wait (beats_left == 0);
            repeat (4000) @(negedge clk);
            repeat (4000) @(negedge core_clk);
            if (arrived + dropped != sent) fail("a packet is missing and not counted");
            if (damaged != bad) fail("damaged packets");
        end
        $display("sent %0d arrived %0d dropped %0d damaged %0d", sent, arrived, dropped, damaged);
        $display("PASS");
        $finish;
    end
endmodule

`default_nettype wire
