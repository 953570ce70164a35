// A LitePCIe stand-alone core (litepcie_gen 2024.12; litepcie/frontend/dma.py) with two DMA channels in loop mode, and the memory
// of its driver's rings, as a program outside works it: lines of text on the standard input, one answer to each on the standard
// output. Time passes only while a line is worked on. A direction is 0 (to the card: the core's DMA reader) or 1 (from the card).
//   m C A V        word A of the ring of channel C to the card: `.`
//   g C A N        of N words from A of the ring from the card: `=` and place and value of those that are not 0
//   e C D O        direction D of channel C on (O = 1), from the first buffer, or off: `.`
//   f C D          no buffer is begun any more: `.`
//   c C D          buffers done, as of the last interrupt: `= V`; one is sent when buffer 0, 32, 64, ... is done
//   u C D V N      the same as soon as it is V or more, after N cycles at the latest
//   r A            read at A of BAR 0: `= V`, or `hung`; all ones while the core is in reset
//   w A V          write: `.`
//   k A N          read that PCIe's reset ends after N cycles; both directions of all channels go off: `.`
//   t N            N cycles pass: `.`
//   s NUMBER VALUE something of the bench around the card (its task `set`): `= V`
`timescale 1ps/1ps
`default_nettype none

module litepcie_core #(
    parameter WORDS = `BUFFER_WORDS   // of a buffer
) (
    input  wire        clk, rst,
    input  wire        pcie_clk_p, pcie_clk_n, pcie_rst_n,
    input  wire [3:0]  pcie_rx_p, pcie_rx_n,
    output wire [3:0]  pcie_tx_p, pcie_tx_n,
    input  wire        msi_irqs,
    output reg         mmap_axi_lite_awvalid, mmap_axi_lite_wvalid, mmap_axi_lite_arvalid,
    output wire        mmap_axi_lite_bready, mmap_axi_lite_rready,
    input  wire        mmap_axi_lite_awready, mmap_axi_lite_wready, mmap_axi_lite_arready,
    input  wire        mmap_axi_lite_bvalid, mmap_axi_lite_rvalid,
    output wire [31:0] mmap_axi_lite_awaddr, mmap_axi_lite_araddr, mmap_axi_lite_wdata,
    output wire [3:0]  mmap_axi_lite_wstrb,
    output wire [2:0]  mmap_axi_lite_awprot, mmap_axi_lite_arprot,
    input  wire [1:0]  mmap_axi_lite_bresp, mmap_axi_lite_rresp,
    input  wire [31:0] mmap_axi_lite_rdata,
    output wire        dma0_status_reader_enable, dma0_status_writer_enable,
    output wire [63:0] dma0_reader_axi_tdata,
    output wire        dma0_reader_axi_tlast, dma0_reader_axi_tuser, dma0_reader_axi_tvalid,
    input  wire        dma0_reader_axi_tready,
    input  wire [63:0] dma0_writer_axi_tdata,
    input  wire        dma0_writer_axi_tlast, dma0_writer_axi_tuser, dma0_writer_axi_tvalid,
    output wire        dma0_writer_axi_tready,
    output wire        dma1_status_reader_enable, dma1_status_writer_enable,
    output wire [63:0] dma1_reader_axi_tdata,
    output wire        dma1_reader_axi_tlast, dma1_reader_axi_tuser, dma1_reader_axi_tvalid,
    input  wire        dma1_reader_axi_tready,
    input  wire [63:0] dma1_writer_axi_tdata,
    input  wire        dma1_writer_axi_tlast, dma1_writer_axi_tuser, dma1_writer_axi_tvalid,
    output wire        dma1_writer_axi_tready
);
    localparam [31:0] STDIN = 32'h8000_0000;
    localparam RING = 256 * WORDS;
    localparam AHEAD = 2 * WORDS + 128; // words that the core holds of what it has read

    assign pcie_tx_p = 4'd0;
    assign pcie_tx_n = 4'd0;

    reg [63:0] to_card [0:2*RING-1];
    reg [63:0] from_card [0:2*RING-1];
    reg [63:0] held [0:2*AHEAD-1];

    reg [1:0] on [0:1];      // per direction, a bit per channel
    reg [1:0] flushed [0:1];
    integer   done [0:3];    // as of the last interrupt; channel + 2 * direction
    integer   begun [0:3];   // words read from the ring, or written to it
    integer   taken [0:1];   // by the card
    reg [1:0] pause;
    integer   seed, c;

    wire [1:0]  reader_ready = {dma1_reader_axi_tready, dma0_reader_axi_tready};
    wire [1:0]  writer_valid = {dma1_writer_axi_tvalid, dma0_writer_axi_tvalid};
    reg  [1:0]  reader_valid;
    reg  [63:0] reader_data [0:1];

    assign {dma1_status_reader_enable, dma0_status_reader_enable} = on[0];
    assign {dma1_status_writer_enable, dma0_status_writer_enable} = on[1];
    assign {dma1_reader_axi_tvalid, dma0_reader_axi_tvalid} = reader_valid & on[0];
    assign {dma1_writer_axi_tready, dma0_writer_axi_tready} = on[1] & ~pause;
    assign dma0_reader_axi_tdata = reader_data[0];
    assign dma1_reader_axi_tdata = reader_data[1];
    assign {dma0_reader_axi_tlast, dma0_reader_axi_tuser} = 2'b00;
    assign {dma1_reader_axi_tlast, dma1_reader_axi_tuser} = 2'b00;

    // A buffer is done; its interrupt tells how many were done before it.
    task finish(input integer channel, input integer direction);
        integer buffer;
        begin
            buffer = begun[channel + 2*direction] / WORDS - 1;
            if (begun[channel + 2*direction] % WORDS == 0 && buffer % 32 == 0)
                done[channel + 2*direction] = buffer;
        end
    endtask

    always @(posedge clk)
        for (c = 0; c < 2; c = c + 1) begin
            if (rst) begin
                on[0][c] <= 1'b0;
                on[1][c] <= 1'b0;
                reader_valid[c] <= 1'b0;
            end else begin
                // To the card. It may be behind by what the core holds.
                if (on[0][c]) begin
                    if (reader_valid[c] && reader_ready[c]) taken[c] = taken[c] + 1;
                    if (begun[c] - taken[c] < AHEAD && !(flushed[0][c] && begun[c] % WORDS == 0)
                        && $random(seed) % 8 != 0) begin
                        held[c*AHEAD + begun[c] % AHEAD] = to_card[c*RING + begun[c] % RING];
                        begun[c] = begun[c] + 1;
                        finish(c, 0);
                    end
                    reader_valid[c] <= taken[c] < begun[c];
                    reader_data[c]  <= held[c*AHEAD + taken[c] % AHEAD];
                end else
                    reader_valid[c] <= 1'b0;
                // From the card.
                if (on[1][c] && writer_valid[c] && !pause[c]) begin
                    if (!(flushed[1][c] && begun[c + 2] % WORDS == 0)) begin
                        from_card[c*RING + begun[c + 2] % RING] =
                            c == 0 ? dma0_writer_axi_tdata : dma1_writer_axi_tdata;
                        begun[c + 2] = begun[c + 2] + 1;
                        finish(c, 1);
                    end
                end
                pause[c] <= $random(seed) % 8 == 0;
            end
        end

    // BAR 0: LitePCIe's own registers, of which there is one here, and from 0x100000 on the user's. Wishbone2AXILite of LiteX
    // hands on the whole offset and is ready for an answer once its request is taken.
    localparam [31:0] BAR_BYTES = 32'h20_0000, USERS = 32'h10_0000, SCRATCH = 32'h4;
    localparam FROZEN = 20_000; // longer than a window of registers takes

    reg        is_asked, is_read, hung;
    reg [31:0] offset, bar_value, answer;

    assign mmap_axi_lite_awaddr = offset;
    assign mmap_axi_lite_araddr = offset;
    assign mmap_axi_lite_wdata  = bar_value;
    assign mmap_axi_lite_wstrb  = 4'hF;
    assign mmap_axi_lite_awprot = 3'd0;
    assign mmap_axi_lite_arprot = 3'd0;
    assign mmap_axi_lite_bready = is_asked && !is_read && !mmap_axi_lite_awvalid && !mmap_axi_lite_wvalid;
    assign mmap_axi_lite_rready = is_asked && is_read && !mmap_axi_lite_arvalid;

    always @(posedge clk) begin
        if (mmap_axi_lite_awvalid && mmap_axi_lite_awready) mmap_axi_lite_awvalid <= 1'b0;
        if (mmap_axi_lite_wvalid && mmap_axi_lite_wready) mmap_axi_lite_wvalid <= 1'b0;
        if (mmap_axi_lite_arvalid && mmap_axi_lite_arready) mmap_axi_lite_arvalid <= 1'b0;
        if (mmap_axi_lite_bvalid && mmap_axi_lite_bready || mmap_axi_lite_rvalid && mmap_axi_lite_rready) begin
            if (mmap_axi_lite_bready && mmap_axi_lite_bresp != 2'd0) $display("FAULT a write is refused");
            if (mmap_axi_lite_rready && mmap_axi_lite_rresp != 2'd0) $display("FAULT a read is refused");
            answer   <= mmap_axi_lite_rdata;
            is_asked <= 1'b0;
        end
    end

    // An access for so many cycles; then, or while the node is in reset, the core is reset.
    task access(input reads, input integer most);
        begin
            answer = 32'hFFFF_FFFF;
            hung = 1'b0;
            if (offset >= BAR_BYTES) $display("FAULT behind BAR 0: %h", offset);
            else if (offset < USERS) answer = offset == SCRATCH ? 32'h1234_5678 : 32'd0;
            else begin
                is_asked = 1'b1; is_read = reads;
                mmap_axi_lite_arvalid = reads;
                {mmap_axi_lite_awvalid, mmap_axi_lite_wvalid} = {2{!reads}};
                while (is_asked && most > 0 && !rst) begin
                    @(negedge clk);
                    most = most - 1;
                end
                hung = is_asked && !rst;
                is_asked = 1'b0;
                {mmap_axi_lite_awvalid, mmap_axi_lite_wvalid, mmap_axi_lite_arvalid} = 3'd0;
            end
        end
    endtask

    reg [8*64-1:0] line;
    reg [63:0]     value;
    integer        channel, direction, address, count, n, at;

    initial begin
        seed = 1;
        {on[0], on[1], flushed[0], flushed[1], pause, reader_valid} = 12'd0;
        {is_asked, is_read, mmap_axi_lite_awvalid, mmap_axi_lite_wvalid, mmap_axi_lite_arvalid} = 5'd0;
        {offset, bar_value} = 64'd0;
        for (n = 0; n < 4; n = n + 1) begin
            done[n] = 0; begun[n] = 0; taken[n % 2] = 0;
        end
        for (n = 0; n < 2 * RING; n = n + 1) begin
            to_card[n] = 64'd0; from_card[n] = 64'd0;
        end
        repeat (1000) @(negedge clk);
        while ($fgets(line, STDIN) != 0) begin
            // letters stand in the low bits
            at = 63;
            while (at > 0 && line[8*at +: 8] == 8'd0) at = at - 1;
            case (line[8*at +: 8])
                "m": begin
                    n = $sscanf(line, "m %d %d %h", channel, address, value);
                    to_card[channel*RING + address] = value;
                    $display(".");
                end
                "g": begin
                    n = $sscanf(line, "g %d %d %d", channel, address, count);
                    $write("=");
                    for (n = 0; n < count; n = n + 1)
                        if (from_card[channel*RING + address + n] !== 64'd0)
                            $write(" %0d %h", n, from_card[channel*RING + address + n]);
                    $write("\n");
                end
                "e": begin
                    n = $sscanf(line, "e %d %d %d", channel, direction, count);
                    on[direction][channel] = count[0] && !rst;
                    flushed[direction][channel] = 1'b0;
                    done[channel + 2*direction] = 0;
                    begun[channel + 2*direction] = 0;
                    if (direction == 0) begin
                        taken[channel] = 0;
                        reader_valid[channel] = 1'b0;
                    end
                    repeat (4) @(negedge clk);
                    $display(".");
                end
                "f": begin
                    n = $sscanf(line, "f %d %d", channel, direction);
                    flushed[direction][channel] = 1'b1;
                    $display(".");
                end
                "c": begin
                    n = $sscanf(line, "c %d %d", channel, direction);
                    $display("= %h", done[channel + 2*direction]);
                end
                "u": begin
                    n = $sscanf(line, "u %d %d %d %d", channel, direction, address, count);
                    while (done[channel + 2*direction] < address && count > 0) begin
                        @(negedge clk);
                        count = count - 1;
                    end
                    $display("= %h", done[channel + 2*direction]);
                end
                "r": begin
                    n = $sscanf(line, "r %h", offset);
                    access(1'b1, FROZEN);
                    if (hung) $display("hung"); else $display("= %h", answer);
                end
                "w": begin
                    n = $sscanf(line, "w %h %h", offset, bar_value);
                    access(1'b0, FROZEN);
                    if (hung) $display("hung"); else $display(".");
                end
                "k": begin
                    n = $sscanf(line, "k %h %d", offset, count);
                    access(1'b1, count);
                    {on[0], on[1]} = 4'd0;
                    $display(".");
                end
                "t": begin
                    n = $sscanf(line, "t %d", count);
                    repeat (count) @(negedge clk);
                    $display(".");
                end
                "s": begin
                    n = $sscanf(line, "s %h %h", address, value);
                    around.set(address, value[31:0]);
                    $display("= %h", around.result);
                end
                default: $display("FAULT no such line: %0s", line);
            endcase
            $fflush;
        end
        $finish;
    end

    wire unused_ok = &{1'b0, msi_irqs, pcie_clk_p, pcie_clk_n, pcie_rst_n, pcie_rx_p, pcie_rx_n,
                       dma0_writer_axi_tlast, dma0_writer_axi_tuser, dma1_writer_axi_tlast, dma1_writer_axi_tuser};
endmodule

`default_nettype wire
