// adaptive_bench: single packets through an adaptive adapter block of three links and one host. It
// checks where they leave, what their headers say, and that the room of every output comes back.
`timescale 1ns / 1ps

module adaptive_bench;
    localparam C = 16;
    localparam A = 1;                   // the adaptive channel
    // Destination n is the node behind port n - 1; its candidates are told below.
    localparam [63:0] TABLE = 64'h00C2_00C1_00C0_0043;
    localparam [11:0] CANDIDATES = {3'b100, 3'b110, 3'b011, 3'b000};

    reg clk = 0, rst = 1;
    always #5 clk = ~clk;

    reg [2:0] rx_valid = 0, rx_vc = 0, rx_last = 0, rx_bad = 0, link_up = 7;
    reg [191:0] rx_data = 0;
    wire [5:0] rx_credit;
    wire [2:0] tx_valid, tx_vc, tx_last, tx_bad;
    wire [191:0] tx_data;
    reg [5:0] tx_credit = 0;
    reg [63:0] host_data = 0;
    reg host_valid = 0, host_last = 0;
    wire host_ready;
    wire [63:0] to_host;
    wire [7:0] keep;
    wire out_valid, out_last, out_user;
    wire [19:0] zero = 0;
    wire [1:0] bresp, rresp;
    wire [31:0] rdata;
    wire awready, wready, bvalid, arready, rvalid;

    adapter_block #(
        .NETWORK_PORTS(3), .PCIE_PORTS(1), .VCS(2), .RX_BUFFER_FLITS(C), .QUEUE_FLITS(32),
        .MAX_PACKET_FLITS(9), .TABLE0_BITS(2), .TABLE0_INIT(TABLE), .FIELDS(2), .FIELD1_LSB(0),
        .FIELD1_BITS(2), .FIELD1_SIZE(4), .STEPS(0), .ADAPTIVE(1), .CANDIDATE_BITS(2),
        .CANDIDATES_INIT(CANDIDATES)
    ) block (
        .clk(clk), .rst(rst), .rx_valid(rx_valid), .rx_vc(rx_vc), .rx_last(rx_last),
        .rx_bad(rx_bad), .rx_data(rx_data), .rx_credit(rx_credit), .tx_valid(tx_valid),
        .tx_vc(tx_vc), .tx_last(tx_last), .tx_bad(tx_bad), .tx_data(tx_data),
        .tx_credit(tx_credit), .link_up(link_up), .s_axis_pcie_tdata(host_data),
        .s_axis_pcie_tkeep(8'hFF), .s_axis_pcie_tvalid(host_valid),
        .s_axis_pcie_tlast(host_last), .s_axis_pcie_tuser(1'b0),
        .s_axis_pcie_tready(host_ready), .m_axis_pcie_tdata(to_host), .m_axis_pcie_tkeep(keep),
        .m_axis_pcie_tvalid(out_valid), .m_axis_pcie_tlast(out_last),
        .m_axis_pcie_tuser(out_user), .m_axis_pcie_tready(1'b1), .s_axil_awaddr(zero),
        .s_axil_awvalid(1'b0), .s_axil_awready(awready), .s_axil_wdata({12'd0, zero}),
        .s_axil_wstrb(4'd0), .s_axil_wvalid(1'b0), .s_axil_wready(wready), .s_axil_bresp(bresp),
        .s_axil_bvalid(bvalid), .s_axil_bready(1'b1), .s_axil_araddr(zero),
        .s_axil_arvalid(1'b0), .s_axil_arready(arready), .s_axil_rdata(rdata),
        .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(1'b1)
    );

    wire [31:0] room_0 = block.core.gen_output[0].gen_unit.unit.gen_room.promised_room.room;
    wire [31:0] room_1 = block.core.gen_output[1].gen_unit.unit.gen_room.promised_room.room;
    wire [31:0] room_2 = block.core.gen_output[2].gen_unit.unit.gen_room.promised_room.room;

    // What has left, by port and channel: flits, credits that the next block owes, whether a packet
    // is on its way. By port: the last header and the last flit.
    integer flits [0:5];
    integer owed [0:5];
    reg [5:0] inside = 0;
    reg [63:0] header [0:2];
    reg [65:0] tail [0:2];
    reg pays = 0;                       // the next blocks return the credits of A
    integer port, failures;

    initial begin
        failures = 0;
        for (port = 0; port < 6; port = port + 1) flits[port] = 0;
        for (port = 0; port < 6; port = port + 1) owed[port] = 0;
    end

    integer seen, lane;
    always @(posedge clk) begin
        for (lane = 0; lane < 6; lane = lane + 1) begin
            tx_credit[lane] <= owed[lane] > 0 && (pays || lane % 2 != A);
            if (owed[lane] > 0 && (pays || lane % 2 != A)) owed[lane] = owed[lane] - 1;
        end
        for (seen = 0; seen < 3; seen = seen + 1)
            if (tx_valid[seen]) begin
                lane = seen * 2 + tx_vc[seen];
                flits[lane] = flits[lane] + 1;
                owed[lane] = owed[lane] + 1;
                if (!inside[lane]) header[seen] = tx_data[seen*64 +: 64];
                tail[seen] = {tx_bad[seen], tx_last[seen], tx_data[seen*64 +: 64]};
                inside[lane] <= !tx_last[seen];
            end
    end

    function [63:0] completed(input [57:0] bits);
        integer bit_number;
        reg [5:0] crc;
        begin
            crc = 0;
            for (bit_number = 57; bit_number >= 0; bit_number = bit_number - 1)
                crc = {crc[4:0], 1'b0} ^ (crc[5] ^ bits[bit_number] ? 6'd3 : 6'd0);
            completed = {crc, bits};
        end
    endfunction

    // mark, flits behind the header, destination
    function [63:0] head(input [1:0] mark, input integer behind, input [19:0] destination);
        reg [12:0] length;
        begin
            length = behind * 8;
            head = completed({mark, 3'd0, length, 20'd1, destination});
        end
    endfunction

    task check(input is_right, input [32*8-1:0] what);
        if (is_right !== 1'b1) begin
            $display("wrong: %0s, room %0d %0d %0d", what, room_0, room_1, room_2);
            failures = failures + 1;
        end
    endtask

    task pause(input integer cycles);
        repeat (cycles) @(posedge clk);
    endtask

    // A packet at a link: its header, and as many flits behind it; the last one ends it if `ends`.
    task send(input integer from, input [63:0] first, input integer behind, input ends);
        integer flit;
        begin
            for (flit = 0; flit <= behind; flit = flit + 1) begin
                rx_valid[from] <= 1;
                rx_data[from*64 +: 64] <= flit == 0 ? first : 64'hF000 + flit;
                rx_last[from] <= ends && flit == behind;
                @(posedge clk);
            end
            rx_valid[from] <= 0;
            rx_last[from] <= 0;
        end
    endtask

    // A packet of two flits from the host to node 3.
    task host_sends;
        begin
            for (port = 0; port < 2; port = port + 1) begin
                host_data <= port == 0 ? head(1, 1, 3) : 64'h77;
                host_valid <= 1;
                host_last <= port == 1;
                @(posedge clk);
                while (!host_ready) @(posedge clk);
            end
            host_valid <= 0;
        end
    endtask

    task settle;
        begin
            pays <= 1;
            pause(60);
            pays <= 0;
            pause(3);
            check(room_0 == C && room_1 == C && room_2 == C, "room at rest");
            for (port = 0; port < 6; port = port + 1) flits[port] = 0;
        end
    endtask

    initial begin
        pause(4);
        rst <= 0;
        pause(4);

        // The only candidate that does not lead back.
        send(0, head(1, 2, 1), 2, 1);
        pause(20);
        check(flits[2 + A] == 3, "a candidate");
        check(header[1] == head(1, 2, 1), "its header stays");
        check(room_1 == C - 3, "room for three flits");
        settle;

        // Ordered packets, and those that stay on the escape.
        send(2, head(0, 1, 1), 1, 1);
        send(2, head(3, 1, 1), 1, 1);
        pause(20);
        check(flits[0] == 4 && room_0 == C, "the escape");
        check(header[0] == head(3, 1, 1), "no further count");
        settle;

        // Without room the escape, once and twice.
        send(0, head(1, 8, 3), 8, 1);
        send(0, head(1, 8, 3), 8, 1);
        pause(30);
        check(flits[4 + A] == 9 && flits[4] == 9, "one has room");
        check(header[2] == head(2, 8, 3), "once on the escape");
        check(room_2 == C - 9, "room for one");
        send(0, head(2, 8, 3), 8, 1);
        pause(30);
        check(flits[4 + A] == 9 && header[2] == head(3, 8, 3), "twice on the escape");

        // A host waits for room for two packets and takes a candidate then.
        host_sends;
        pause(1000);
        check(flits[4 + A] == 9, "the host waits");
        pays <= 1;
        pause(30);
        check(flits[4 + A] == 11 && header[2][57:56] == 1, "and goes on");
        settle;

        // It waits for three ticks at most, and then takes the escape.
        send(0, head(1, 8, 3), 8, 1);
        host_sends;
        pause(1570);
        check(flits[4 + A] == 9 && flits[4] == 2 && header[2][57:56] == 2, "the host has waited");
        settle;

        // A packet that its link cuts, a short one, a long one.
        send(2, head(1, 4, 2), 1, 0);
        link_up[2] <= 0;
        pause(20);
        check(tail[1] == {2'b11, 64'd2} && flits[2 + A] == 3, "the tail tells two");
        check(room_1 == C - 3, "and gives them back");
        link_up[2] <= 1;
        pause(4);
        settle;
        send(2, head(1, 4, 2), 2, 1);
        pause(20);
        check(tail[1] == {2'b11, 64'd2} && room_1 == C - 3, "a short packet");
        settle;
        send(2, head(1, 1, 2), 3, 1);
        pause(20);
        check(tail[1] == {2'b11, 64'd0} && flits[2 + A] == 2, "a long packet");
        settle;

        // An output that goes down throws away what was promised.
        send(2, head(1, 8, 2), 2, 0);
        pause(8);
        link_up[1] <= 0;
        for (port = 0; port < 6; port = port + 1) begin
            rx_valid[2] <= 1;
            rx_last[2] <= port == 5;
            @(posedge clk);
        end
        rx_valid[2] <= 0;
        pause(20);
        check(room_1 == C - 3, "what is not sent");
        link_up[1] <= 1;
        inside[2 + A] <= 0;
        settle;

        if (failures == 0) $display("all right");
        $finish;
    end

    wire unused_ok = &{1'b0, rx_credit, to_host, keep, out_valid, out_last, out_user, awready, wready,
        bvalid, arready, rvalid, bresp, rresp, rdata};
endmodule
