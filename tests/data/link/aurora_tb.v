// Two link_aurora64b66b at a model of the Aurora core's user interface; random words both ways.
// The model does what PG074 says of it: tready falls for one cycle after every 32, and for up to 8
// for clock compensation; the receiver has no tready, gaps in it may be anywhere; bytes beyond tkeep
// are not carried; when channel_up falls, what is under way is lost.
// +cycles=, +fall= (channel_up falls for 100 cycles in so many).
`timescale 1ps/1ps
`default_nettype none

// One direction of a channel: what is taken at one end comes out at the other.
module aurora_direction #(
    parameter integer SEED = 1
) (
    input  wire        tx_clk,
    input  wire        rx_clk,
    input  wire        up,
    input  wire [63:0] tdata,
    input  wire [7:0]  tkeep,
    input  wire        tlast,
    input  wire        tvalid,
    output reg         tready,
    output reg  [63:0] rx_tdata,
    output reg  [7:0]  rx_tkeep,
    output reg         rx_tlast,
    output reg         rx_tvalid
);
    localparam integer FLIGHT = 30; // beats of delay at least

    reg [72:0] beats [0:255];
    reg [31:0] times [0:255];
    integer    seed, written, read, gear, compensation, now, i;

    initial begin
        seed = SEED; written = 0; read = 0; gear = 0; compensation = 0; now = 0;
        tready = 0; rx_tvalid = 0;
    end

    always @(posedge tx_clk) begin
        if (!up)
            written = read;
        else if (tvalid && tready) begin
            // Only the bytes of tkeep are on the line, and tkeep counts with tlast only.
            for (i = 0; i < 8; i = i + 1)
                beats[written & 255][8*i +: 8] = (!tlast || tkeep[i]) ? tdata[8*i +: 8] : 8'hEE;
            beats[written & 255][72:64] = {tlast, tlast ? tkeep : 8'hFF};
            times[written & 255] = now;
            written = written + 1;
        end
        gear = (gear == 32) ? 0 : gear + 1;
        if (compensation > 0)
            compensation = compensation - 1;
        else if (($random(seed) & 32'd1023) == 0)
            compensation = 3 + ($random(seed) & 5);
        tready <= up && gear != 32 && compensation == 0;
    end

    always @(posedge rx_clk) begin
        now = now + 1;
        rx_tvalid <= 1'b0;
        {rx_tlast, rx_tkeep, rx_tdata} <= {73{1'b1}};
        if (up && read < written && now - times[read & 255] > FLIGHT
            && (written - read > 100 || ($random(seed) & 32'd15) != 0)) begin
            rx_tvalid <= 1'b1;
            {rx_tlast, rx_tkeep, rx_tdata} <= beats[read & 255];
            read = read + 1;
        end
    end
endmodule

module aurora_tb;
    integer cycles, fall, seed;
    reg  [1:0] clk;
    reg        rst, enable, up;
    wire [1:0] line_up;
    wire [31:0] sent [0:1], received [0:1], missing [0:1], wrong [0:1];
    wire [63:0] tdata [0:1], rx_tdata [0:1];
    wire [7:0]  tkeep [0:1], rx_tkeep [0:1];
    wire [1:0]  tlast, tvalid, tready, rx_tlast, rx_tvalid;

    initial begin
        cycles = 20000; fall = 0; seed = 9;
        if ($value$plusargs("cycles=%d", cycles)) ;
        if ($value$plusargs("fall=%d", fall)) ;
        clk = 0; rst = 1; enable = 1; up = 0;
        repeat (20) @(posedge clk[0]);
        rst <= 0;
        repeat (50) @(posedge clk[0]);
        if (line_up != 2'b00) $display("FAULT up %b", line_up);
        up <= 1;
        repeat (cycles) begin
            @(posedge clk[0]);
            if (fall != 0 && ($random(seed) & 32'h7FFFFFFF) % fall == 0) begin
                up <= 0;
                repeat (100) @(posedge clk[0]);
                if (line_up != 2'b00) $display("FAULT up %b", line_up);
                up <= 1;
            end
        end
        enable <= 0;
        repeat (1000) @(posedge clk[0]);
        if (line_up != 2'b11) $display("FAULT up %b", line_up);
        $display("a sent %0d b received %0d missing %0d wrong %0d", sent[0], received[0], missing[0], wrong[0]);
        $display("b sent %0d a received %0d missing %0d wrong %0d", sent[1], received[1], missing[1], wrong[1]);
        $finish;
    end

    // 200 ppm apart
    always #3200 clk[0] = !clk[0];
    always #3201 clk[1] = !clk[1];

    genvar s;
    generate for (s = 0; s < 2; s = s + 1) begin : side
        wire valid, ctl, ready, rx_valid, rx_ctl;
        wire [63:0] data, rx_data;

        word_source #(.SIDE(s)) source (
            .clk(clk[s]), .rst(rst), .enable(enable),
            .valid(valid), .ctl(ctl), .data(data), .ready(ready), .sent(sent[s])
        );
        link_aurora64b66b wrapper (
            .user_clk(clk[s]), .user_rst(rst), .channel_up(up),
            .s_axi_tx_tdata(tdata[s]), .s_axi_tx_tkeep(tkeep[s]), .s_axi_tx_tlast(tlast[s]),
            .s_axi_tx_tvalid(tvalid[s]), .s_axi_tx_tready(tready[s]),
            .m_axi_rx_tdata(rx_tdata[s]), .m_axi_rx_tkeep(rx_tkeep[s]), .m_axi_rx_tlast(rx_tlast[s]),
            .m_axi_rx_tvalid(rx_tvalid[s]),
            .line_tx_valid(valid), .line_tx_ctl(ctl), .line_tx_data(data), .line_tx_ready(ready),
            .line_rx_valid(rx_valid), .line_rx_ctl(rx_ctl), .line_rx_data(rx_data), .line_rx_up(line_up[s])
        );
        word_sink #(.SIDE(1-s)) sink (
            .clk(clk[s]), .rst(rst), .valid(rx_valid), .ctl(rx_ctl), .data(rx_data),
            .received(received[1-s]), .missing(missing[1-s]), .wrong(wrong[1-s])
        );
        aurora_direction #(.SEED(s + 1)) to_peer (
            .tx_clk(clk[s]), .rx_clk(clk[1-s]), .up(up),
            .tdata(tdata[s]), .tkeep(tkeep[s]), .tlast(tlast[s]), .tvalid(tvalid[s]), .tready(tready[s]),
            .rx_tdata(rx_tdata[1-s]), .rx_tkeep(rx_tkeep[1-s]), .rx_tlast(rx_tlast[1-s]),
            .rx_tvalid(rx_tvalid[1-s])
        );
    end endgenerate
endmodule

`default_nettype wire
