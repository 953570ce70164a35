// link_window: AXI4-Lite in front of a block's control port. Addresses 0x05000 to 0x05FFF lead to
// the registers of serial links; with MANAGEMENT, those from 0x07000 to 0x07FFF lead to the
// management unit, and VERSION and BLOCK_NUMBER are here. All others lead on to the block
// (docs/microarchitecture.md 7.9).
// Latency: what goes to the block passes through in the same cycle; a register of a link takes as
// long as its port. Throughput: one write and one read may be in progress.
// Reset: synchronous, active high. Limits: PORTS 1..32, a bit of LINKS for each port with a link.
<$ banner $>

module link_window #(
    parameter PORTS = 4,
    parameter [PORTS-1:0] LINKS = {PORTS{1'b1}},
    parameter MANAGEMENT = 0
) (
    input  wire                clk,
    input  wire                rst,
    // from the master
    input  wire                s_axil_awvalid,
    output wire                s_axil_awready,
    input  wire [19:0]         s_axil_awaddr,
    input  wire                s_axil_wvalid,
    output wire                s_axil_wready,
    input  wire [31:0]         s_axil_wdata,
    input  wire [3:0]          s_axil_wstrb,
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
    // to the block; addresses and data go there directly
    output wire                block_awvalid,
    input  wire                block_awready,
    output wire                block_wvalid,
    input  wire                block_bvalid,
    output wire                block_bready,
    input  wire [1:0]          block_bresp,
    output wire                block_arvalid,
    input  wire                block_arready,
    input  wire                block_rvalid,
    output wire                block_rready,
    input  wire [31:0]         block_rdata,
    input  wire [1:0]          block_rresp,
    // to the links; port p in bit p
    output wire [PORTS-1:0]    reg_valid,
    output wire                reg_write,
    output reg  [4:0]          reg_address,
    output wire [31:0]         reg_wdata,
    input  wire [PORTS-1:0]    reg_ready,   // both 0 at ports without a link
    input  wire [PORTS*32-1:0] reg_rdata,
    // to the management unit, beside reg_write, reg_address and reg_wdata
    output wire                unit_valid,
    input  wire                unit_ready,
    input  wire [31:0]         unit_rdata,  // 0 while not ready
    // who this is: the constant of the board, and what its links announce
    input  wire [15:0]         block_number,
    output wire [15:0]         announced
);
    localparam [1:0] OKAY = 2'd0;
    localparam [1:0] SLAVE_ERROR = 2'd2;
    localparam [PORTS-1:0] ONE = 1;
    localparam [31:0] VERSION = 32'h00000101;

    // Of the unit, and of links.
    wire write_of_unit = MANAGEMENT != 0 & s_axil_awaddr[19:12] == 8'h07;
    wire read_of_unit  = MANAGEMENT != 0 & s_axil_araddr[19:12] == 8'h07;
    wire read_version  = MANAGEMENT != 0 & s_axil_araddr == 20'h00004;
    wire write_number  = MANAGEMENT != 0 & s_axil_awaddr == 20'h00028;
    wire read_number   = MANAGEMENT != 0 & s_axil_araddr == 20'h00028;
    wire read_at_once  = read_version | read_number;
    wire write_here    = s_axil_awaddr[19:12] == 8'h05 | write_of_unit | write_number;
    wire read_here     = s_axil_araddr[19:12] == 8'h05 | read_of_unit | read_at_once;

    reg        writes;                      // a register of a link is written
    reg        reads;
    reg        write_accepted;              // the handshake of the address
    reg        read_accepted;
    reg        write_answer;                // bvalid
    reg        read_answer;
    reg        write_fails;
    reg        read_fails;
    reg [31:0] word;
    reg [15:0] number;                      // BLOCK_NUMBER

    // Words 21 to 23 of a link can be written, 0 to 22 read; of the unit 0 to 7, 16 to 18 and 24
    // to 31 can be written, 8 to 16 and 19 read.
    wire [4:0] write_word = s_axil_awaddr[6:2];
    wire [4:0] read_word  = s_axil_araddr[6:2];
    wire       write_exists = write_of_unit
        ? s_axil_awaddr[11:7] == 5'd0
            & (write_word[4] == write_word[3] | write_word >= 5'd16 & write_word <= 5'd18)
        : |(LINKS & (ONE << s_axil_awaddr[11:7])) & write_word >= 5'd21 & write_word <= 5'd23;
    wire       read_exists = read_of_unit
        ? s_axil_araddr[11:7] == 5'd0
            & (read_word[4:3] == 2'd1 | read_word == 5'd16 | read_word == 5'd19)
        : |(LINKS & (ONE << s_axil_araddr[11:7])) & read_word <= 5'd22;
    wire       write_legal = s_axil_awaddr[1:0] == 2'd0 & &s_axil_wstrb & write_exists;
    // BLOCK_NUMBER has no register pins: write_legal is 0 there.
    wire       write_taken = write_number & &s_axil_wstrb;
    wire       read_legal  = s_axil_araddr[1:0] == 2'd0 & read_exists;

    // One access at a time, writes first; none beside an answer that is still to be taken.
    wire idle         = ~writes & ~reads & ~write_accepted & ~read_accepted;
    wire starts_write = idle & s_axil_awvalid & s_axil_wvalid & write_here
        & ~write_answer & ~block_bvalid;
    wire starts_read  = idle & ~starts_write & s_axil_arvalid & read_here
        & ~read_answer & ~block_rvalid;

    // Where the access goes, in registers: the address comes from far away.
    reg  [4:0]       port;
    reg              to_unit;

    always @(posedge clk)
        if (idle) begin
            port <= starts_write ? s_axil_awaddr[11:7] : s_axil_araddr[11:7];
            reg_address <= starts_write ? write_word : read_word;
            to_unit <= starts_write ? write_of_unit : read_of_unit;
        end

    wire [PORTS-1:0] chosen = ONE << port;
    wire             done   = |(chosen & reg_ready) | unit_ready;

    assign reg_valid   = chosen & {PORTS{(writes | reads) & ~to_unit}};
    assign unit_valid  = (writes | reads) & to_unit;
    assign reg_write   = writes;
    assign reg_wdata   = s_axil_wdata;

    // Ports and unit give 0 while they are not ready.
    reg [31:0] answer;
    integer    at;
    always @* begin
        answer = unit_rdata;
        for (at = 0; at < PORTS; at = at + 1)
            answer = answer | reg_rdata[at*32 +: 32];
    end

    always @(posedge clk)
        if (rst) begin
            writes <= 1'b0;
            reads <= 1'b0;
            write_accepted <= 1'b0;
            read_accepted <= 1'b0;
            write_answer <= 1'b0;
            read_answer <= 1'b0;
            write_fails <= 1'b0;
            read_fails <= 1'b0;
            word <= 32'd0;
            number <= block_number;
        end else begin
            writes <= writes ? ~done : starts_write & write_legal;
            reads <= reads ? ~done : starts_read & read_legal & ~read_at_once;
            write_accepted <= writes ? done : starts_write & ~write_legal;
            read_accepted <= reads ? done : starts_read & (~read_legal | read_at_once);
            if (starts_write)
                write_fails <= ~write_legal & ~write_taken;
            if (starts_write & write_taken)
                number <= s_axil_wdata[15:0];
            if (starts_read) begin
                read_fails <= ~read_legal & ~read_at_once;
                word <= read_version ? VERSION : read_number ? {16'd0, number} : 32'd0;
            end else if (reads & done)
                word <= answer;
            write_answer <= write_accepted | (write_answer & ~s_axil_bready);
            read_answer <= read_accepted | (read_answer & ~s_axil_rready);
        end

    assign block_awvalid = s_axil_awvalid & ~write_here & ~write_answer;
    assign block_wvalid  = s_axil_wvalid & s_axil_awvalid & ~write_here & ~write_answer;
    assign block_arvalid = s_axil_arvalid & ~read_here & ~read_answer;
    assign block_bready  = s_axil_bready & ~write_answer;
    assign block_rready  = s_axil_rready & ~read_answer;

    assign announced = MANAGEMENT != 0 ? number : block_number;

    // The block takes address and data in one cycle.
    assign s_axil_awready = write_here ? write_accepted : block_awready;
    assign s_axil_wready  = s_axil_awready;
    assign s_axil_bvalid  = write_answer | block_bvalid;
    assign s_axil_bresp   = write_answer ? (write_fails ? SLAVE_ERROR : OKAY) : block_bresp;
    assign s_axil_arready = read_here ? read_accepted : block_arready;
    assign s_axil_rvalid  = read_answer | block_rvalid;
    assign s_axil_rdata   = read_answer ? word : block_rdata;
    assign s_axil_rresp   = read_answer ? (read_fails ? SLAVE_ERROR : OKAY) : block_rresp;
endmodule
