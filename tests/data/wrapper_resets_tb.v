// Bench of the host wrappers under resets: packets both ways while either side is reset at random
// moments, for random times, in mid-packet. Every beat that comes out must have gone in; every packet
// that comes out whole was sent whole, and no packet comes twice. A packet may end early only towards
// the network, by a closing beat with tuser = 1. At the end, without resets, all packets arrive.
//
// KIND: 0 XDMA, 1 LitePCIe, 2 Aurora, 3 MAC. RUNS: LitePCIe behind its driver (litepcie_program.v).
// Plus arguments: seed, core_ps, rx_ps and net_ps (half periods), resets, deaths (LitePCIe without
// RUNS: how often the program that writes ends). Prints what came, and PASS, or FAIL with the reason.
//
// A header is {tag, bytes, number}; payload beat n is {tag, number, n}.
`timescale 1ps/1ps
`default_nettype none

module wrapper_resets_tb;
    parameter KIND = 0;
    parameter RUNS = 0;
    localparam MAC = KIND == 3;
    localparam WAITS = KIND < 2;        // the core waits for the wrapper
    localparam [15:0] IN_TAG = 16'h5d71; // towards the network; a header begins with the mark of runs
    localparam [15:0] OUT_TAG = 16'h2576;
    localparam LAST_PACKETS = 100;

    integer seed, core_ps, rx_ps, net_ps, resets, deaths;
    reg core_clk, rx_clk, clk;
    reg core_rst, rx_rst, rst;
    reg enable, enable_next;
    wire in_clk = MAC ? rx_clk : core_clk;
    wire in_rst = MAC ? rx_rst : core_rst;

    reg [63:0] in_data; reg in_valid, in_last; wire in_ready;
    wire [63:0] out_data; wire out_valid, out_last, out_user; reg out_ready;
    reg [63:0] m_data; reg m_valid, m_last; wire m_ready;
    wire [63:0] s_data; wire s_valid, s_last, s_user; reg s_ready;

    // LitePCIe's channel: the source is about to be off, is on; the host reads.
    wire is_off, is_enabled, is_reading;

    generate
        if (KIND == 0) begin : gen_xdma
            adapter_xdma #(.ADDRESS_BITS(3), .BUFFER_BITS(6), .MAX_PACKET_BEATS(20)) wrapper (
                .axi_aclk(core_clk), .axi_aresetn(!core_rst),
                .m_axis_h2c_tdata_0(in_data), .m_axis_h2c_tkeep_0(8'hff),
                .m_axis_h2c_tlast_0(in_last), .m_axis_h2c_tvalid_0(in_valid),
                .m_axis_h2c_tready_0(in_ready),
                .s_axis_c2h_tdata_0(out_data), .s_axis_c2h_tkeep_0(),
                .s_axis_c2h_tlast_0(out_last), .s_axis_c2h_tvalid_0(out_valid),
                .s_axis_c2h_tready_0(out_ready),
                .clk(clk), .rst(rst),
                .s_axis_pcie_tdata(s_data), .s_axis_pcie_tkeep(), .s_axis_pcie_tlast(s_last),
                .s_axis_pcie_tuser(s_user), .s_axis_pcie_tvalid(s_valid),
                .s_axis_pcie_tready(s_ready),
                .m_axis_pcie_tdata(m_data), .m_axis_pcie_tkeep(8'hff), .m_axis_pcie_tlast(m_last),
                .m_axis_pcie_tuser(1'b0), .m_axis_pcie_tvalid(m_valid),
                .m_axis_pcie_tready(m_ready), .damaged(), .dropped());
            assign out_user = 1'b0;
        end
        if (KIND == 1) begin : gen_litepcie
            wire [63:0] reader_data, writer_data;
            wire reader_valid, reader_ready, reader_on, writer_valid, writer_ready, writer_on;
            wire reader_next, first_mark, last_mark;
            adapter_litepcie #(
                .ADDRESS_BITS(3), .BUFFER_BITS(6), .MAX_PACKET_BEATS(20), .RUNS(RUNS),
                .BUFFER_BYTES(256), .QUIET_BITS(8)
            ) wrapper (
                .core_clk(core_clk), .core_rst(core_rst), .dma0_status_reader_enable(reader_on),
                .dma0_status_writer_enable(writer_on),
                .dma0_reader_axi_tdata(reader_data), .dma0_reader_axi_tlast(1'b0),
                .dma0_reader_axi_tuser(1'b0), .dma0_reader_axi_tvalid(reader_valid),
                .dma0_reader_axi_tready(reader_ready),
                .dma0_writer_axi_tdata(writer_data), .dma0_writer_axi_tlast(last_mark),
                .dma0_writer_axi_tuser(first_mark), .dma0_writer_axi_tvalid(writer_valid),
                .dma0_writer_axi_tready(writer_ready),
                .clk(clk), .rst(rst),
                .s_axis_pcie_tdata(s_data), .s_axis_pcie_tkeep(), .s_axis_pcie_tlast(s_last),
                .s_axis_pcie_tuser(s_user), .s_axis_pcie_tvalid(s_valid),
                .s_axis_pcie_tready(s_ready),
                .m_axis_pcie_tdata(m_data), .m_axis_pcie_tkeep(8'hff), .m_axis_pcie_tlast(m_last),
                .m_axis_pcie_tuser(1'b0), .m_axis_pcie_tvalid(m_valid),
                .m_axis_pcie_tready(m_ready), .damaged(), .dropped());
            assign out_data = writer_data;
            if (RUNS != 0) begin : gen_runs
                wire [8*24-1:0] fault;
                litepcie_program program (
                    .clk(core_clk), .rst(core_rst), .calm(calm), .first_seed(seed),
                    .in_valid(in_valid), .in_last(in_last), .in_ready(in_ready), .in_data(in_data),
                    .reader_next(reader_next), .reader_on(reader_on),
                    .reader_valid(reader_valid), .reader_ready(reader_ready),
                    .reader_data(reader_data),
                    .writer_on(writer_on), .writer_valid(writer_valid),
                    .writer_ready(writer_ready), .writer_data(writer_data),
                    .out_valid(out_valid), .out_last(out_last), .out_ready(out_ready),
                    .fault(fault));
                assign is_off    = !reader_next;
                assign is_enabled = reader_on;
                assign out_user  = 1'b0;
                always @(fault) if (fault != 0) fail(fault);
                always @(first_mark or last_mark)
                    if (first_mark || last_mark) fail("a mark in a run");
            end else begin : gen_packets
                assign is_off       = !enable_next;
                assign is_enabled   = enable;
                assign reader_on    = enable;
                assign writer_on    = 1'b1;
                assign reader_valid = in_valid;
                assign reader_data  = in_data;
                assign in_ready     = reader_ready;
                assign out_valid    = writer_valid;
                assign out_user     = first_mark;
                assign out_last     = last_mark;
                assign writer_ready = out_ready;
            end
            assign is_reading = writer_on;
        end else begin : gen_always_on
            assign is_off     = 1'b0;
            assign is_enabled = 1'b1;
            assign is_reading = 1'b1;
        end
        if (KIND == 2) begin : gen_aurora
            adapter_aurora64b66b #(
                .ADDRESS_BITS(3), .BUFFER_BITS(6), .MAX_PACKET_BEATS(20)
            ) wrapper (
                .user_clk(core_clk), .user_rst(core_rst), .channel_up(1'b1),
                .s_axi_tx_tdata(out_data), .s_axi_tx_tkeep(), .s_axi_tx_tlast(out_last),
                .s_axi_tx_tvalid(out_valid), .s_axi_tx_tready(out_ready),
                .m_axi_rx_tdata(in_data), .m_axi_rx_tkeep(8'hff), .m_axi_rx_tlast(in_last),
                .m_axi_rx_tvalid(in_valid), .tx_cut(), .rx_cut(), .overflowed(),
                .clk(clk), .rst(rst),
                .s_axis_pcie_tdata(s_data), .s_axis_pcie_tkeep(), .s_axis_pcie_tlast(s_last),
                .s_axis_pcie_tuser(s_user), .s_axis_pcie_tvalid(s_valid),
                .s_axis_pcie_tready(s_ready),
                .m_axis_pcie_tdata(m_data), .m_axis_pcie_tkeep(8'hff), .m_axis_pcie_tlast(m_last),
                .m_axis_pcie_tuser(1'b0), .m_axis_pcie_tvalid(m_valid),
                .m_axis_pcie_tready(m_ready), .damaged());
            assign in_ready = 1'b1;
            assign out_user = 1'b0;
        end
        if (KIND == 3) begin : gen_mac
            adapter_eth_mac_10g #(
                .ADDRESS_BITS(3), .BUFFER_BITS(6), .MAX_PACKET_BEATS(20)
            ) wrapper (
                .tx_clk(core_clk), .tx_rst(core_rst), .tx_axis_tdata(out_data), .tx_axis_tkeep(),
                .tx_axis_tvalid(out_valid), .tx_axis_tready(out_ready), .tx_axis_tlast(out_last),
                .tx_axis_tuser(out_user),
                .rx_clk(rx_clk), .rx_rst(rx_rst), .rx_axis_tdata(in_data), .rx_axis_tkeep(8'hff),
                .rx_axis_tvalid(in_valid), .rx_axis_tlast(in_last), .rx_axis_tuser(1'b0),
                .overflowed(), .bad_frames(), .foreign(),
                .clk(clk), .rst(rst),
                .s_axis_pcie_tdata(s_data), .s_axis_pcie_tkeep(), .s_axis_pcie_tlast(s_last),
                .s_axis_pcie_tuser(s_user), .s_axis_pcie_tvalid(s_valid),
                .s_axis_pcie_tready(s_ready),
                .m_axis_pcie_tdata(m_data), .m_axis_pcie_tkeep(8'hff), .m_axis_pcie_tlast(m_last),
                .m_axis_pcie_tuser(1'b0), .m_axis_pcie_tvalid(m_valid),
                .m_axis_pcie_tready(m_ready), .damaged());
            assign in_ready = 1'b1;
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
    always #(rx_ps) rx_clk = !rx_clk;
    always #(net_ps) clk = !clk;

    // Sources. `begun` packets; `whole[n]`: packet n was taken whole. Without resets (`calm`) packets
    // are far apart, so that nothing is dropped.
    reg in_on, out_on, calm;
    reg in_whole [0:65535];
    reg out_whole [0:65535];
    integer in_number, in_length, in_place, in_gap, out_number, out_length, out_place, out_gap;

    function [63:0] beat;
        input [15:0] tag;
        input integer number, length, place;
        beat = place == 0 ? {tag[10:0], length[9:0], 11'd0, number}
             : {tag, number[23:0], place[23:0]};
    endfunction

    // Places -2 and -1 are those of the Ethernet header: to all, type 0x88b5.
    task next_in;
        begin
            in_data <= in_place == -2 ? 64'h0002ffffffffffff
                     : in_place == -1 ? 64'h0000b58801000000
                     : beat(IN_TAG, in_number, in_length, in_place);
            in_last  <= in_place == in_length;
            in_valid <= 1'b1;
        end
    endtask

    task new_in;
        begin
            in_number = in_number + 1;
            in_whole[in_number % 65536] = 1'b0;
            in_length = MAC ? 6 + below(10) : below(19);
            in_place  = MAC ? -2 : 0;
            in_gap    = calm ? 150 : below(8) == 0 ? below(60) : 0;
        end
    endtask

    // A source that is off (LitePCIe) drops its packet; what it offers then has no meaning.
    reg in_taken;

    always @(posedge core_clk)
        enable <= enable_next;

    always @(posedge in_clk)
        if (in_rst) begin
            if (in_place != (MAC ? -2 : 0) || in_valid)
                new_in;
            in_valid <= 1'b0;
        end else begin
            in_taken = in_valid && in_ready && is_enabled;
            if (in_taken && in_place == in_length) begin
                in_whole[in_number % 65536] = 1'b1;
                new_in;
            end else if (in_taken)
                in_place = in_place + 1;
            else if (is_off && in_valid && is_enabled)
                new_in;
            if (is_off) begin
                if (in_place != 0)
                    new_in;
                in_valid <= below(3) == 0;
                in_data  <= {64{1'b1}};
                in_last  <= 1'b0;
            end else if (!in_valid || in_ready || !is_enabled) begin
                in_valid <= 1'b0;
                if (in_gap > 0)
                    in_gap = in_gap - 1;
                else if ((in_on || in_place != (MAC ? -2 : 0)) && below(6) != 0)
                    next_in;
            end
        end

    always @(posedge clk)
        if (rst) begin
            if (out_place != 0 || m_valid) begin
                out_number = out_number + 1;
                out_whole[out_number % 65536] = 1'b0;
                out_length = MAC ? 6 + below(10) : below(19);
                out_place = 0;
            end
            m_valid <= 1'b0;
        end else begin
            if (WAITS && !m_ready) fail("the network is held");
            if (m_valid && m_ready) begin
                if (out_place == out_length) begin
                    out_whole[out_number % 65536] = 1'b1;
                    out_number = out_number + 1;
                    out_whole[out_number % 65536] = 1'b0;
                    out_length = MAC ? 6 + below(10) : below(19);
                    out_place = 0;
                    out_gap = calm ? 150 : below(3) == 0 ? below(40) : 0;
                end else
                    out_place = out_place + 1;
                m_valid <= 1'b0;
            end
            if (!m_valid || m_ready) begin
                if (out_gap > 0)
                    out_gap = out_gap - 1;
                else if ((out_on || out_place != 0) && below(6) != 0) begin
                    m_data  <= beat(OUT_TAG, out_number, out_length, out_place);
                    m_last  <= out_place == out_length;
                    m_valid <= 1'b1;
                end
            end
        end

    // Sinks. The place of the next beat, and number and length of its packet.
    integer net_place, net_number, net_length, net_packets, net_cut;
    integer host_place, host_number, host_length, host_packets;
    reg net_held, host_held;
    reg [65:0] net_before, host_before;

    always @(posedge clk)
        if (rst) begin
            net_place = 0;
            net_held  = 1'b0;
        end else begin
            if (net_held && (!s_valid || {s_user, s_last, s_data} !== net_before))
                fail("a beat for the network changed");
            net_held   = s_valid && !s_ready;
            net_before = {s_user, s_last, s_data};
            if (s_valid && s_ready) begin
                if (s_user) begin
                    if (!s_last) fail("tuser before the last beat");
                    if (net_place == 0) fail("a closing beat without a packet");
                    net_cut   = net_cut + 1;
                    net_place = 0;
                end else begin
                    if (net_place == 0) begin
                        if (s_data[39:0] <= net_number || s_data[39:0] > in_number)
                            fail("no new packet at the network");
                        net_number = s_data[39:0];
                        net_length = s_data[52:43];
                    end
                    if (s_data !== beat(IN_TAG, net_number, net_length, net_place))
                        fail("wrong beat at the network");
                    if (s_last !== (net_place == net_length)) fail("wrong end at the network");
                    net_place = net_place + 1;
                    if (s_last) begin
                        if (in_whole[net_number % 65536] !== 1'b1) fail("not sent whole");
                        net_packets = net_packets + 1;
                        net_place = 0;
                    end
                end
            end
            s_ready <= calm || below(8) != 0;
        end

    always @(posedge core_clk)
        if (core_rst || !is_reading) begin
            host_place = MAC ? -2 : 0;
            host_held  = 1'b0;
        end else begin
            if (host_held && (!out_valid || {out_user, out_last, out_data} !== host_before))
                fail("a beat for the host changed");
            host_held   = out_valid && !out_ready;
            host_before = {out_user, out_last, out_data};
            if (MAC && host_place > -2 && !out_valid) fail("the MAC underruns");
            if (out_valid && out_ready) begin
                if (host_place == 0) begin
                    if (out_data[39:0] <= host_number || out_data[39:0] > out_number)
                        fail("no new packet at the host");
                    host_number = out_data[39:0];
                    host_length = out_data[52:43];
                end
                if (host_place >= 0
                    && out_data !== beat(OUT_TAG, host_number, host_length, host_place))
                    fail("wrong beat at the host");
                if (host_place >= 0 && out_last !== (host_place == host_length))
                    fail("wrong end at the host");
                if (KIND == 1 && RUNS == 0 && out_user !== (host_place == 0)) fail("wrong first-beat mark");
                if (KIND == 3 && out_user !== 1'b0) fail("a bad frame");
                host_place = host_place + 1;
                if (out_last) begin
                    if (out_whole[host_number % 65536] !== 1'b1) fail("not sent whole");
                    host_packets = host_packets + 1;
                    host_place = MAC ? -2 : 0;
                end
            end
            out_ready <= calm || below(8) != 0;
        end

    // Resets: of one side, or of several that overlap in any way.
    task reset_core;
        begin
            repeat (1 + below(200)) @(negedge core_clk);
            core_rst = 1;
            repeat (1 + (below(3) == 0 ? 0 : below(40))) @(negedge core_clk);
            core_rst = 0;
        end
    endtask

    task reset_rx;
        begin
            repeat (1 + below(200)) @(negedge rx_clk);
            rx_rst = 1;
            repeat (1 + (below(3) == 0 ? 0 : below(40))) @(negedge rx_clk);
            rx_rst = 0;
        end
    endtask

    task reset_net;
        begin
            repeat (1 + below(200)) @(negedge clk);
            rst = 1;
            repeat (1 + (below(3) == 0 ? 0 : below(40))) @(negedge clk);
            rst = 0;
        end
    endtask

    integer count, deaths_left, net_base, host_base, in_base, out_base;
    reg done;

    initial begin
        deaths_left = 0;
        {enable, enable_next} = 2'b11;
        #1 deaths_left = deaths;
        wait (!core_rst);
        while (deaths_left > 0) begin
            repeat (1 + below(60)) @(negedge core_clk);
            enable_next = 0;
            repeat (1 + below(20)) @(negedge core_clk);
            enable_next = 1;
            deaths_left = deaths_left - 1;
        end
    end

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("core_ps=%d", core_ps)) core_ps = 2000;
        if (!$value$plusargs("rx_ps=%d", rx_ps)) rx_ps = 2003;
        if (!$value$plusargs("net_ps=%d", net_ps)) net_ps = 3171;
        if (!$value$plusargs("resets=%d", resets)) resets = 100;
        if (!$value$plusargs("deaths=%d", deaths)) deaths = 0;
        {core_clk, rx_clk, clk} = 3'b000;
        {core_rst, rx_rst, rst} = 3'b111;
        {in_valid, in_last, m_valid, m_last, s_ready, out_ready} = 6'd0;
        {in_on, out_on, calm} = 3'b110;
        in_number = 0; in_length = 6; in_place = MAC ? -2 : 0; in_gap = 0;
        out_number = 1; out_length = 6; out_place = 0; out_gap = 0;
        new_in;
        out_whole[1] = 1'b0;
        net_place = 0; net_number = 0; net_packets = 0; net_cut = 0; net_held = 0;
        host_place = MAC ? -2 : 0; host_number = 0; host_packets = 0; host_held = 0;
        #(below(40000)) core_rst = 0;
        #(below(40000)) rst = 0;
        #(below(40000)) rx_rst = 0;
        for (count = 0; count < resets; count = count + 1) begin
            case (below(MAC ? 5 : 4))
                0: reset_core;
                1: reset_net;
                2: fork reset_core; reset_net; reset_rx; join
                3: fork reset_core; #(below(60000)) reset_net; join
                4: reset_rx;
            endcase
            // Some follow at once, while the one before is still being exchanged.
            if (below(3) == 0)
                case (below(2))
                    0: begin
                        #(below(60000)) @(negedge core_clk) core_rst = 1;
                        @(negedge core_clk) core_rst = 0;
                    end
                    1: begin
                        #(below(60000)) @(negedge clk) rst = 1;
                        @(negedge clk) rst = 0;
                    end
                endcase
        end
        wait (deaths_left == 0);
        // Everything comes to rest, then as many packets as go in come out.
        {in_on, out_on, calm} = 3'b001;
        repeat (4000) @(posedge core_clk);
        repeat (4000) @(posedge clk);
        $display("packets: network %0d, cut %0d, host %0d", net_packets, net_cut, host_packets);
        net_base = net_packets; host_base = host_packets;
        in_base = in_number; out_base = out_number;
        {in_on, out_on} = 2'b11;
        wait (in_number >= in_base + LAST_PACKETS) in_on = 0;
        wait (out_number >= out_base + LAST_PACKETS) out_on = 0;
        repeat (4000) @(posedge core_clk);
        repeat (4000) @(posedge clk);
        if (net_packets - net_base != in_number - in_base) fail("packets for the network are lost");
        if (host_packets - host_base != out_number - out_base) fail("packets for the host are lost");
        $display("PASS");
        $finish;
    end

    // Nothing comes out any more: the bench would wait for ever.
    initial begin
        #1;
        #(64'd10000000 * (resets + deaths + 5000)) fail("no end");
    end
endmodule

`default_nettype wire
