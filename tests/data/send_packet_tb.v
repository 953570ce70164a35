// Bench of tests/send_packet.rs, which fills in the words in capitals from docs/ports.md. It resets for RESETS cycles and
// offers the beats of beats.txt from cycle START on, the first one alone for 190 cycles. It prints when the first beat is
// taken, and every beat that comes out.
module bench;
    localparam HOSTS = HOST_COUNT;
    localparam W = DATA_BITS;
    localparam K = KEEP_BITS;
    // DECLARATIONS

    TOP network (CONNECTIONS);
    integer file, read, host, n, cycle, quiet, sent;
    reg [W-1:0] beat_data;
    reg [K-1:0] beat_keep;
    reg beat_last;
    task next_beat;
        begin
            read = $fscanf(file, "%d %h %h %b\n", host, beat_data, beat_keep, beat_last);
            s_axis_pcie_tvalid = 0;
            if (read == 4) begin
                s_axis_pcie_tvalid[host] = 1'b1;
                s_axis_pcie_tdata[host*W +: W] = beat_data;
                s_axis_pcie_tkeep[host*K +: K] = beat_keep;
                s_axis_pcie_tlast[host] = beat_last;
            end
        end
    endtask
    initial begin
        // IDLE
        cable_up = ~0;
        m_axis_pcie_tready = ~0;
        file = $fopen("beats.txt", "r");
        quiet = 0; sent = 0; read = 4; cycle = 0;
        rst = 1;
        repeat (RESETS) begin
            #1 clk = 1;
            #1 clk = 0;
        end
        rst = 0;
        while (quiet < 1000) begin
            if (sent == 0 ? cycle == START : cycle >= START + 190 && !(|s_axis_pcie_tvalid) && read == 4) next_beat;
            #1;
            for (n = 0; n < HOSTS; n = n + 1)
                if (m_axis_pcie_tvalid[n] !== 1'b0) begin
                    $display("out %0d %0d %h %h %b %b", cycle, n, m_axis_pcie_tdata[n*W +: W],
                        m_axis_pcie_tkeep[n*K +: K], m_axis_pcie_tlast[n], m_axis_pcie_tuser[n]);
                    quiet = 0;
                end
            n = |(s_axis_pcie_tvalid & s_axis_pcie_tready);
            if (n) begin
                if (sent == 0) $display("taken %0d", cycle);
                sent = sent + 1;
                quiet = 0;
            end
            quiet = quiet + 1;
            clk = 1;
            #1;
            if (n) begin
                s_axis_pcie_tvalid = 0;
                if (sent > 1) next_beat;
            end
            clk = 0;
            cycle = cycle + 1;
        end
        $finish;
    end
endmodule
