// register_window: the control ports of a board as one window of a PCIe core's AXI4-Lite master, for
// `mkns manage --mmap` (docs/reference/manager.md): block b has the 1 MiB from b * 0x100000 on. A
// serial line (register_bridge) may reach the same control ports.
//
// Every access is answered. A read that no block answers, that a block refuses, or that a reset of
// either side cuts gives 0xFFFFFFFF; answers are always OKAY, so that the host's bus survives.
//
// Latency: that of register_crossing and register_arbiter and 2 cycles of clk.
// Reset: each side synchronous to its own clock, active high, at any time; rst together with the
// blocks'.
// Limits: BLOCKS 1..4096; TIMEOUT (cycles of clk for a block to answer) 16..65535; 2^TIMEOUT_BITS
// cycles of core_clk are longer than 2 * TIMEOUT + 32 of clk.
<$ banner $>

module register_window #(
    parameter BLOCKS = 1,
    parameter TIMEOUT = 1023,
    parameter TIMEOUT_BITS = 14
) (
    // the core's side
    input  wire                 core_clk,
    input  wire                 core_rst,
    input  wire                 s_axil_awvalid,
    output wire                 s_axil_awready,
    input  wire [31:0]          s_axil_awaddr,
    input  wire                 s_axil_wvalid,
    output wire                 s_axil_wready,
    input  wire [31:0]          s_axil_wdata,
    input  wire [3:0]           s_axil_wstrb,
    output wire                 s_axil_bvalid,
    input  wire                 s_axil_bready,
    output wire [1:0]           s_axil_bresp,
    input  wire                 s_axil_arvalid,
    output wire                 s_axil_arready,
    input  wire [31:0]          s_axil_araddr,
    output wire                 s_axil_rvalid,
    input  wire                 s_axil_rready,
    output wire [31:0]          s_axil_rdata,
    output wire [1:0]           s_axil_rresp,
    // from register_bridge, block 0 in the low bits; valid 0 without one
    input  wire                 clk,
    input  wire                 rst,
    input  wire [BLOCKS-1:0]    serial_awvalid,
    output wire [BLOCKS-1:0]    serial_awready,
    input  wire [BLOCKS*20-1:0] serial_awaddr,
    input  wire [BLOCKS-1:0]    serial_wvalid,
    output wire [BLOCKS-1:0]    serial_wready,
    input  wire [BLOCKS*32-1:0] serial_wdata,
    input  wire [BLOCKS*4-1:0]  serial_wstrb,
    output wire [BLOCKS-1:0]    serial_bvalid,
    input  wire [BLOCKS-1:0]    serial_bready,
    output wire [BLOCKS*2-1:0]  serial_bresp,
    input  wire [BLOCKS-1:0]    serial_arvalid,
    output wire [BLOCKS-1:0]    serial_arready,
    input  wire [BLOCKS*20-1:0] serial_araddr,
    output wire [BLOCKS-1:0]    serial_rvalid,
    input  wire [BLOCKS-1:0]    serial_rready,
    output wire [BLOCKS*32-1:0] serial_rdata,
    output wire [BLOCKS*2-1:0]  serial_rresp,
    // to the control ports, block 0 in the low bits
    output wire [BLOCKS-1:0]    m_axil_awvalid,
    input  wire [BLOCKS-1:0]    m_axil_awready,
    output wire [BLOCKS*20-1:0] m_axil_awaddr,
    output wire [BLOCKS-1:0]    m_axil_wvalid,
    input  wire [BLOCKS-1:0]    m_axil_wready,
    output wire [BLOCKS*32-1:0] m_axil_wdata,
    output wire [BLOCKS*4-1:0]  m_axil_wstrb,
    input  wire [BLOCKS-1:0]    m_axil_bvalid,
    output wire [BLOCKS-1:0]    m_axil_bready,
    input  wire [BLOCKS*2-1:0]  m_axil_bresp,
    output wire [BLOCKS-1:0]    m_axil_arvalid,
    input  wire [BLOCKS-1:0]    m_axil_arready,
    output wire [BLOCKS*20-1:0] m_axil_araddr,
    input  wire [BLOCKS-1:0]    m_axil_rvalid,
    output wire [BLOCKS-1:0]    m_axil_rready,
    input  wire [BLOCKS*32-1:0] m_axil_rdata,
    input  wire [BLOCKS*2-1:0]  m_axil_rresp
);
    generate
        if (BLOCKS < 1 || BLOCKS > 4096) begin : gen_check_blocks
            illegal_parameter_BLOCKS_must_be_1_to_4096 stop ();
        end
    endgenerate

    localparam [1:0] REST = 2'd0;
    localparam [1:0] CHOOSE = 2'd1;
    localparam [1:0] WAIT = 2'd2;
    localparam [1:0] ANSWER = 2'd3;

    localparam [31:0] NOBODY = 32'hFFFF_FFFF;

    wire        cut;
    wire        request_valid;
    wire        request_write;
    wire [31:0] request_address;
    wire [31:0] request_data;
    wire [3:0]  request_strobes;
    wire        answer_ready;

    reg [1:0]        state;
    reg              is_unwanted; // nobody waits for the answer any more
    reg              is_write;
    reg [31:0]       address;
    reg [31:0]       data;        // of a write; then what a read gives
    reg [3:0]        strobes;
    reg [BLOCKS-1:0] awvalid;
    reg [BLOCKS-1:0] wvalid;
    reg [BLOCKS-1:0] arvalid;

    register_crossing #(
        .TIMEOUT_BITS(TIMEOUT_BITS)
    ) crossing (
        .core_clk(core_clk),
        .core_rst(core_rst),
        .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready),
        .s_axil_awaddr(s_axil_awaddr),
        .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready),
        .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid),
        .s_axil_bready(s_axil_bready),
        .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready),
        .s_axil_araddr(s_axil_araddr),
        .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready),
        .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp),
        .clk(clk),
        .rst(rst),
        .cut(cut),
        .request_valid(request_valid),
        .request_ready(state == REST),
        .request_write(request_write),
        .request_address(request_address),
        .request_data(request_data),
        .request_strobes(request_strobes),
        .answer_valid(state == ANSWER && !is_unwanted),
        .answer_ready(answer_ready),
        .answer_data(data)
    );

    wire [BLOCKS-1:0] awready;
    wire [BLOCKS-1:0] wready;
    wire [BLOCKS-1:0] bvalid;
    wire [BLOCKS-1:0] arready;
    wire [BLOCKS-1:0] rvalid;
    wire [BLOCKS*32-1:0] rdata;
    wire [BLOCKS*2-1:0]  rresp;
    wire [BLOCKS*2-1:0]  unused_bresp; // a host does not learn whether a write was refused

    generate
        genvar b;
        for (b = 0; b < BLOCKS; b = b + 1) begin : gen_block
            register_arbiter #(
                .TIMEOUT(TIMEOUT)
            ) arbiter (
                .clk(clk),
                .rst(rst),
                .s_axil_awvalid({awvalid[b], serial_awvalid[b]}),
                .s_axil_awready({awready[b], serial_awready[b]}),
                .s_axil_awaddr({address[19:0], serial_awaddr[20*b +: 20]}),
                .s_axil_wvalid({wvalid[b], serial_wvalid[b]}),
                .s_axil_wready({wready[b], serial_wready[b]}),
                .s_axil_wdata({data, serial_wdata[32*b +: 32]}),
                .s_axil_wstrb({strobes, serial_wstrb[4*b +: 4]}),
                .s_axil_bvalid({bvalid[b], serial_bvalid[b]}),
                .s_axil_bready({1'b1, serial_bready[b]}),
                .s_axil_bresp({unused_bresp[2*b +: 2], serial_bresp[2*b +: 2]}),
                .s_axil_arvalid({arvalid[b], serial_arvalid[b]}),
                .s_axil_arready({arready[b], serial_arready[b]}),
                .s_axil_araddr({address[19:0], serial_araddr[20*b +: 20]}),
                .s_axil_rvalid({rvalid[b], serial_rvalid[b]}),
                .s_axil_rready({1'b1, serial_rready[b]}),
                .s_axil_rdata({rdata[32*b +: 32], serial_rdata[32*b +: 32]}),
                .s_axil_rresp({rresp[2*b +: 2], serial_rresp[2*b +: 2]}),
                .m_axil_awvalid(m_axil_awvalid[b]),
                .m_axil_awready(m_axil_awready[b]),
                .m_axil_awaddr(m_axil_awaddr[20*b +: 20]),
                .m_axil_wvalid(m_axil_wvalid[b]),
                .m_axil_wready(m_axil_wready[b]),
                .m_axil_wdata(m_axil_wdata[32*b +: 32]),
                .m_axil_wstrb(m_axil_wstrb[4*b +: 4]),
                .m_axil_bvalid(m_axil_bvalid[b]),
                .m_axil_bready(m_axil_bready[b]),
                .m_axil_bresp(m_axil_bresp[2*b +: 2]),
                .m_axil_arvalid(m_axil_arvalid[b]),
                .m_axil_arready(m_axil_arready[b]),
                .m_axil_araddr(m_axil_araddr[20*b +: 20]),
                .m_axil_rvalid(m_axil_rvalid[b]),
                .m_axil_rready(m_axil_rready[b]),
                .m_axil_rdata(m_axil_rdata[32*b +: 32]),
                .m_axil_rresp(m_axil_rresp[2*b +: 2])
            );
        end
    endgenerate

    // The block of an address, none where there is none; and what it answers.
    reg [BLOCKS-1:0] chosen;
    reg              answered;
    reg [31:0]       word;
    integer          number;

    always @* begin
        chosen   = {BLOCKS{1'b0}};
        answered = 1'b0;
        word     = NOBODY;
        for (number = 0; number < BLOCKS; number = number + 1) begin
            chosen[number] = address[31:20] == number[11:0];
            answered = answered || bvalid[number] || rvalid[number];
            if (rvalid[number] && rresp[2*number +: 2] == 2'd0)
                word = rdata[32*number +: 32];
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            state       <= REST;
            is_unwanted <= 1'b0;
            is_write    <= 1'b0;
            address     <= 32'd0;
            data        <= 32'd0;
            strobes     <= 4'd0;
            awvalid     <= {BLOCKS{1'b0}};
            wvalid      <= {BLOCKS{1'b0}};
            arvalid     <= {BLOCKS{1'b0}};
        end else begin
            awvalid     <= awvalid & ~awready;
            wvalid      <= wvalid & ~wready;
            arvalid     <= arvalid & ~arready;
            is_unwanted <= state != REST && (is_unwanted || cut);
            case (state)
                REST: if (request_valid) begin
                    is_write <= request_write;
                    address  <= request_address;
                    data     <= request_data;
                    strobes  <= request_strobes;
                    state    <= CHOOSE;
                end
                CHOOSE: begin
                    awvalid <= chosen & {BLOCKS{is_write}};
                    wvalid  <= chosen & {BLOCKS{is_write}};
                    arvalid <= chosen & {BLOCKS{!is_write}};
                    state   <= WAIT;
                    if (chosen == {BLOCKS{1'b0}}) begin
                        data  <= NOBODY;
                        state <= ANSWER;
                    end
                end
                WAIT: if (answered) begin
                    data  <= word;
                    state <= ANSWER;
                end
                default: if (answer_ready || is_unwanted || cut) begin
                    state <= REST;
                end
            endcase
        end
    end
endmodule
