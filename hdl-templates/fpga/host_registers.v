// host_registers: AXI4-Lite in front of a block's control port, on cards that buffer packets for late
// hosts. Addresses 0x06000 to 0x06FFF lead to the registers of the buffers, all others on to the block
// (docs/microarchitecture.md 4). Host q has 0x06000 + 0x10*q: word 0 is 1 while a packet waits for the
// reader, word 1 counts damaged packets, word 2 dropped ones. All can only be read.
//
// Latency: what goes to the block passes through in the same cycle; a register here takes 2 cycles.
// Reset: synchronous, active high. Limits: HOSTS 1..16; the master has one access in progress at a
// time, as register_arbiter and register_bridge have.
<$ banner $>

module host_registers #(
    parameter HOSTS = 1
) (
    input  wire                clk,
    input  wire                rst,
    // of the buffers, host 0 in the low bits
    input  wire [HOSTS-1:0]    waiting,
    input  wire [HOSTS*32-1:0] damaged,
    input  wire [HOSTS*32-1:0] dropped,
    // from the master; data of writes go to the block directly
    input  wire                s_axil_awvalid,
    output wire                s_axil_awready,
    input  wire [19:0]         s_axil_awaddr,
    input  wire                s_axil_wvalid,
    output wire                s_axil_wready,
    output wire                s_axil_bvalid,
    input  wire                s_axil_bready,
    output wire [1:0]          s_axil_bresp,
    input  wire                s_axil_arvalid,
    output wire                s_axil_arready,
    input  wire [19:0]         s_axil_araddr,
    output wire                s_axil_rvalid,
    input  wire                s_axil_rready,
    output wire [31:0]         s_axil_rdata,
    output wire [1:0]          s_axil_rresp,
    // to the block; addresses go there directly
    output wire                block_awvalid,
    input  wire                block_awready,
    output wire                block_wvalid,
    input  wire                block_wready,
    input  wire                block_bvalid,
    output wire                block_bready,
    input  wire [1:0]          block_bresp,
    output wire                block_arvalid,
    input  wire                block_arready,
    input  wire                block_rvalid,
    output wire                block_rready,
    input  wire [31:0]         block_rdata,
    input  wire [1:0]          block_rresp
);
    generate
        if (HOSTS < 1 || HOSTS > 16) begin : gen_check_hosts
            illegal_parameter_HOSTS_must_be_1_to_16 stop ();
        end
    endgenerate

    localparam [1:0] SLAVE_ERROR = 2'd2;

    wire write_here = s_axil_awaddr[19:12] == 8'h06;
    wire read_here  = s_axil_araddr[19:12] == 8'h06;

    reg        write_accepted; // the handshake of the address
    reg        write_answer;   // bvalid
    reg        read_accepted;
    reg        read_answer;    // rvalid
    reg        exists;
    reg [31:0] word;

    // The register of an address.
    reg        is_register;
    reg [31:0] value;
    integer    host;

    always @* begin
        is_register = 1'b0;
        value       = 32'd0;
        for (host = 0; host < HOSTS; host = host + 1) begin
            if (s_axil_araddr[11:4] == host[7:0] && s_axil_araddr[1:0] == 2'd0) begin
                is_register = s_axil_araddr[3:2] != 2'd3;
                case (s_axil_araddr[3:2])
                    2'd0: value = {31'd0, waiting[host]};
                    2'd1: value = damaged[32*host +: 32];
                    2'd2: value = dropped[32*host +: 32];
                    default: value = 32'd0;
                endcase
            end
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            write_accepted <= 1'b0;
            write_answer   <= 1'b0;
            read_accepted  <= 1'b0;
            read_answer    <= 1'b0;
            exists         <= 1'b0;
            word           <= 32'd0;
        end else begin
            write_accepted <= s_axil_awvalid && s_axil_wvalid && write_here
                && !write_accepted && !write_answer;
            write_answer   <= write_accepted || (write_answer && !s_axil_bready);
            read_accepted  <= s_axil_arvalid && read_here && !read_accepted && !read_answer;
            read_answer    <= read_accepted || (read_answer && !s_axil_rready);
            if (read_accepted) begin
                exists <= is_register;
                word   <= value;
            end
        end
    end

    assign block_awvalid = s_axil_awvalid && !write_here;
    assign block_wvalid  = s_axil_wvalid && s_axil_awvalid && !write_here;
    assign block_arvalid = s_axil_arvalid && !read_here;
    assign block_bready  = s_axil_bready;
    assign block_rready  = s_axil_rready;

    assign s_axil_awready = write_here ? write_accepted : block_awready;
    assign s_axil_wready  = write_here ? write_accepted : block_wready;
    assign s_axil_bvalid  = write_answer || block_bvalid;
    assign s_axil_bresp   = write_answer ? SLAVE_ERROR : block_bresp;
    assign s_axil_arready = read_here ? read_accepted : block_arready;
    assign s_axil_rvalid  = read_answer || block_rvalid;
    assign s_axil_rdata   = read_answer ? word : block_rdata;
    assign s_axil_rresp   = read_answer ? (exists ? 2'd0 : SLAVE_ERROR) : block_rresp;

    // Every write here is refused.
    wire unused_ok = &{1'b0, s_axil_awaddr[11:0]};
endmodule
