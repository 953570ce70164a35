// Xilinx' XDMA core (AXI4-Stream, one channel each way, AXI4-Lite master) as a program outside works it: lines of text on
// the standard input, one answer to each on the standard output. Clocks run only while a line is worked on.
//   r AAAAAAAA           read over the AXI4-Lite master: `= VVVVVVVV`, or `hung`
//   w AAAAAAAA VVVVVVVV  write: `.`, or `hung`
//   p                    write at 0x10 and read of it offered at once: `= VVVVVVVV`, or `hung`
//   b DDDDDDDDDDDDDDDD KK L   a beat from the host, tkeep and tlast: `.`, or `held` when it is not taken
//   d BYTES CYCLES       a descriptor for so many bytes: `e` (end of packet), `f` (full) or `n` (nothing more came within so
//                        many cycles), the number of bytes, and their hexadecimal digits
//   t CYCLES             so many cycles of axi_aclk pass: `.`
//   x CYCLES             so many with axi_aresetn = 0: `.`
//   i                    how many interrupts have been sent: `= V`; an interrupt is acknowledged 20 cycles after it is asked for
//   s NUMBER VALUE       something of the bench around the card (its task `set`): `= V`
`timescale 1ps/1ps
`default_nettype none

module xdma_0 (
    input  wire        sys_clk, sys_clk_gt, sys_rst_n,
    input  wire [3:0]  pci_exp_rxp, pci_exp_rxn,
    output wire [3:0]  pci_exp_txp, pci_exp_txn,
    output wire        user_lnk_up,
    output reg         axi_aclk, axi_aresetn,
    input  wire [0:0]  usr_irq_req,
    output reg  [0:0]  usr_irq_ack,
    output reg         m_axil_awvalid, m_axil_wvalid, m_axil_bready, m_axil_arvalid, m_axil_rready,
    input  wire        m_axil_awready, m_axil_wready, m_axil_bvalid, m_axil_arready, m_axil_rvalid,
    output reg  [31:0] m_axil_awaddr, m_axil_wdata, m_axil_araddr,
    output wire [3:0]  m_axil_wstrb,
    output wire [2:0]  m_axil_awprot, m_axil_arprot,
    input  wire [1:0]  m_axil_bresp, m_axil_rresp,
    input  wire [31:0] m_axil_rdata,
    output reg  [63:0] m_axis_h2c_tdata_0,
    output reg  [7:0]  m_axis_h2c_tkeep_0,
    output reg         m_axis_h2c_tlast_0, m_axis_h2c_tvalid_0,
    input  wire        m_axis_h2c_tready_0,
    input  wire [63:0] s_axis_c2h_tdata_0,
    input  wire [7:0]  s_axis_c2h_tkeep_0,
    input  wire        s_axis_c2h_tlast_0, s_axis_c2h_tvalid_0,
    output reg         s_axis_c2h_tready_0
);
    localparam [31:0] STDIN = 32'h8000_0000;

    assign pci_exp_txp   = 4'd0;
    assign pci_exp_txn   = 4'd0;
    assign user_lnk_up   = 1'b1;
    assign m_axil_wstrb  = 4'hF;
    assign m_axil_awprot = 3'd0;
    assign m_axil_arprot = 3'd0;

    // A host whose read takes this long is frozen.
    localparam FROZEN = 40_000;

    reg [8*64-1:0] line;
    reg [31:0] address, value, answer;
    reg [63:0] data;
    reg [7:0]  keep;
    reg        last, hung, answered, ended;
    integer    count, cycles, got, n, at;
    reg [8*8192-1:0] taken; // the bytes of a descriptor

    // An interrupt is sent once; then its request has to fall before the next one.
    integer interrupts, age;
    initial begin
        interrupts = 0; age = 0; usr_irq_ack = 1'b0;
    end
    always @(posedge axi_aclk) begin
        usr_irq_ack <= age == 20 && usr_irq_req;
        if (!usr_irq_req && age != 0 && age <= 20) $display("FAULT an interrupt is withdrawn");
        if (age == 20) interrupts = interrupts + 1;
        age = usr_irq_req && axi_aresetn ? age + 1 : 0;
    end

    // Half a period of 250 MHz, and the answers of a rising edge.
    task cycle;
        begin
            #2000 axi_aclk = 1'b1;
            #1 ;
            #1999 axi_aclk = 1'b0;
        end
    endtask

    task access(input writes, input reads);
        reg write_done, read_done;
        begin
            m_axil_awvalid = writes; m_axil_wvalid = writes; m_axil_bready = 1'b1;
            m_axil_arvalid = reads; m_axil_rready = 1'b1;
            m_axil_awaddr = address; m_axil_araddr = address; m_axil_wdata = value;
            write_done = !writes; read_done = !reads;
            count = 0;
            while (!(write_done && read_done) && count < FROZEN) begin
                #2000 ;
                // what the rising edge sees
                answered = m_axil_awready; hung = m_axil_wready; ended = m_axil_arready;
                if (m_axil_bvalid) begin
                    if (m_axil_bresp != 2'd0 || write_done) $display("FAULT no such write");
                    write_done = 1'b1;
                end
                if (m_axil_rvalid) begin
                    if (m_axil_rresp != 2'd0 || read_done) $display("FAULT no such read");
                    answer = m_axil_rdata;
                    read_done = 1'b1;
                end
                axi_aclk = 1'b1;
                #1 ;
                if (answered) m_axil_awvalid = 1'b0;
                if (hung) m_axil_wvalid = 1'b0;
                if (ended) m_axil_arvalid = 1'b0;
                #1999 axi_aclk = 1'b0;
                count = count + 1;
            end
            hung = !(write_done && read_done);
            m_axil_awvalid = 1'b0; m_axil_wvalid = 1'b0; m_axil_arvalid = 1'b0;
        end
    endtask

    initial begin
        axi_aclk = 0; axi_aresetn = 0;
        m_axil_awvalid = 0; m_axil_wvalid = 0; m_axil_bready = 0; m_axil_arvalid = 0; m_axil_rready = 0;
        m_axil_awaddr = 0; m_axil_wdata = 0; m_axil_araddr = 0;
        m_axis_h2c_tdata_0 = 0; m_axis_h2c_tkeep_0 = 0; m_axis_h2c_tlast_0 = 0; m_axis_h2c_tvalid_0 = 0;
        s_axis_c2h_tready_0 = 0;
        repeat (100) cycle;
        axi_aresetn = 1;
        repeat (400) cycle;
        while ($fgets(line, STDIN) != 0) begin
            // letters stand in the low bits
            at = 63;
            while (at > 0 && line[8*at +: 8] == 8'd0) at = at - 1;
            case (line[8*at +: 8])
                "r": begin
                    n = $sscanf(line, "r %h", address);
                    access(1'b0, 1'b1);
                    if (hung) $display("hung"); else $display("= %h", answer);
                end
                "w": begin
                    n = $sscanf(line, "w %h %h", address, value);
                    access(1'b1, 1'b0);
                    if (hung) $display("hung"); else $display(".");
                end
                "p": begin
                    n = $sscanf(line, "p %h %h", address, value);
                    access(1'b1, 1'b1);
                    if (hung) $display("hung"); else $display("= %h", answer);
                end
                "b": begin
                    n = $sscanf(line, "b %h %h %h", data, keep, last);
                    m_axis_h2c_tdata_0 = data; m_axis_h2c_tkeep_0 = keep;
                    m_axis_h2c_tlast_0 = last; m_axis_h2c_tvalid_0 = 1'b1;
                    answered = 1'b0;
                    for (count = 0; !answered && count < FROZEN; count = count + 1) begin
                        #2000 answered = m_axis_h2c_tready_0;
                        axi_aclk = 1'b1;
                        #1 if (answered) m_axis_h2c_tvalid_0 = 1'b0;
                        #1999 axi_aclk = 1'b0;
                    end
                    if (answered) $display("."); else $display("held");
                end
                "d": begin
                    n = $sscanf(line, "d %d %d", count, cycles);
                    got = 0; ended = 1'b0; taken = 0;
                    s_axis_c2h_tready_0 = 1'b1;
                    while (got < count && !ended && cycles > 0) begin
                        #2000 if (s_axis_c2h_tvalid_0 && axi_aresetn) begin
                            for (n = 0; n < 8; n = n + 1)
                                if (s_axis_c2h_tkeep_0[n]) begin
                                    taken[8*got +: 8] = s_axis_c2h_tdata_0[8*n +: 8];
                                    got = got + 1;
                                end
                            ended = s_axis_c2h_tlast_0;
                        end
                        axi_aclk = 1'b1;
                        #1 if (got >= count || ended) s_axis_c2h_tready_0 = 1'b0;
                        #1999 axi_aclk = 1'b0;
                        cycles = cycles - 1;
                    end
                    s_axis_c2h_tready_0 = 1'b0;
                    $write("%0s %0d ", ended ? "e" : got >= count ? "f" : "n", got);
                    for (n = 0; n < got; n = n + 1) $write("%h", taken[8*n +: 8]);
                    $write("\n");
                end
                "t": begin
                    n = $sscanf(line, "t %d", cycles);
                    repeat (cycles) cycle;
                    $display(".");
                end
                "x": begin
                    n = $sscanf(line, "x %d", cycles);
                    axi_aresetn = 1'b0;
                    m_axis_h2c_tvalid_0 = 1'b0;
                    repeat (cycles) cycle;
                    axi_aresetn = 1'b1;
                    $display(".");
                end
                "i": $display("= %h", interrupts);
                "s": begin
                    n = $sscanf(line, "s %h %h", address, value);
                    around.set(address, value);
                    $display("= %h", around.result);
                end
                default: $display("FAULT no such line: %0s", line);
            endcase
            $fflush;
        end
        $finish;
    end
endmodule

`default_nettype wire
