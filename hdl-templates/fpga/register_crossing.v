// register_crossing: an AXI4-Lite slave for a host, such as the register window of a PCIe core, with
// requests and answers in the node's clock. Every access is answered, because a host can freeze in
// one that is not: a read that gets no answer in 2^TIMEOUT_BITS cycles of core_clk, or that a reset
// of either side cuts, gives 0xFFFFFFFF. A write that is cut is lost. Answers are always OKAY.
//
// One access at a time. A read does not overtake a write that was offered before it. After a timeout
// the crossing is emptied, so that a late answer cannot be taken for that of another request, and a
// request that nobody took in time is not carried out later.
//
// Latency: that of axis_async_fifo in both directions, and 3 cycles of core_clk.
// Reset: each side synchronous to its own clock, active high, one cycle or more, at any time.
// Limits: TIMEOUT_BITS 8..20; longer than what answers takes at most.
<$ banner $>

module register_crossing #(
    parameter TIMEOUT_BITS = 14
) (
    // the core's side
    input  wire        core_clk,
    input  wire        core_rst,
    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [31:0] s_axil_awaddr,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    output wire [1:0]  s_axil_bresp,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    input  wire [31:0] s_axil_araddr,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,
    // the node's side
    input  wire        clk,
    input  wire        rst,
    output wire        cut,            // the answer to a request that was taken is not wanted
    output wire        request_valid,
    input  wire        request_ready,
    output wire        request_write,
    output wire [31:0] request_address,
    output wire [31:0] request_data,   // of a write, as the next one
    output wire [3:0]  request_strobes,
    input  wire        answer_valid,
    output wire        answer_ready,
    input  wire [31:0] answer_data     // of a read
);
    generate
        if (TIMEOUT_BITS < 8 || TIMEOUT_BITS > 20) begin : gen_check_timeout_bits
            illegal_parameter_TIMEOUT_BITS_must_be_8_to_20 stop ();
        end
    endgenerate

    localparam [1:0] REST = 2'd0;
    localparam [1:0] SEND = 2'd1;
    localparam [1:0] WAIT = 2'd2;
    localparam [1:0] ANSWER = 2'd3;

    localparam REQUEST_BITS = 1 + 4 + 32 + 32;
    localparam [31:0] NOBODY = 32'hFFFF_FFFF;

    wire core_stops, core_clears, core_request, core_answer;
    wire node_stops, node_clears, node_request, node_answer;
    wire sent_ready;
    wire crossed_valid;
    wire returned_valid;
    wire [31:0] returned;

    reg [1:0]              state;
    reg                    is_write;
    reg [3:0]              strobes;
    reg [31:0]             address;
    reg [31:0]             data;      // of a write; then what a read gives
    reg [TIMEOUT_BITS-1:0] patience;
    reg                    expired;

    // A timeout resets the crossing.
    paired_reset core_reset (
        .clk(core_clk),
        .rst(core_rst || expired),
        .stops(core_stops),
        .clears(core_clears),
        .request(core_request),
        .answer(core_answer),
        .other_request(node_request),
        .other_answer(node_answer)
    );

    paired_reset node_reset (
        .clk(clk),
        .rst(rst),
        .stops(node_stops),
        .clears(node_clears),
        .request(node_request),
        .answer(node_answer),
        .other_request(core_request),
        .other_answer(core_answer)
    );

    axis_async_fifo #(
        .WIDTH(REQUEST_BITS),
        .ADDRESS_BITS(2)
    ) request_fifo (
        .s_clk(core_clk),
        .s_rst(core_clears),
        .s_valid(state == SEND && !core_stops),
        .s_ready(sent_ready),
        .s_data({is_write, strobes, address, data}),
        .m_clk(clk),
        .m_rst(node_clears),
        .m_valid(crossed_valid),
        .m_ready(request_ready && !node_stops),
        .m_data({request_write, request_strobes, request_address, request_data})
    );

    axis_async_fifo #(
        .WIDTH(32),
        .ADDRESS_BITS(2)
    ) answer_fifo (
        .s_clk(clk),
        .s_rst(node_clears),
        .s_valid(answer_valid && !node_stops),
        .s_ready(answer_ready),
        .s_data(answer_data),
        .m_clk(core_clk),
        .m_rst(core_clears),
        .m_valid(returned_valid),
        .m_ready(state == WAIT && !core_stops),
        .m_data(returned)
    );

    assign cut           = node_stops;
    assign request_valid = crossed_valid && !node_stops;

    // A request that is taken during a reset would be lost.
    wire rests        = state == REST && !core_rst;
    wire starts_write = rests && s_axil_awvalid && s_axil_wvalid;
    wire starts_read  = rests && s_axil_arvalid && !s_axil_awvalid && !s_axil_wvalid;
    wire is_cut       = core_stops || patience == {TIMEOUT_BITS{1'b0}};

    assign s_axil_awready = starts_write;
    assign s_axil_wready  = starts_write;
    assign s_axil_arready = starts_read;
    assign s_axil_bvalid  = state == ANSWER && is_write;
    assign s_axil_rvalid  = state == ANSWER && !is_write;
    assign s_axil_rdata   = data;
    assign s_axil_bresp   = 2'd0;
    assign s_axil_rresp   = 2'd0;

    always @(posedge core_clk) begin
        expired <= 1'b0;
        if (core_rst) begin
            state    <= REST;
            is_write <= 1'b0;
            strobes  <= 4'd0;
            address  <= 32'd0;
            data     <= 32'd0;
            patience <= {TIMEOUT_BITS{1'b0}};
        end else begin
            case (state)
                REST: if (starts_write || starts_read) begin
                    is_write <= starts_write;
                    strobes  <= s_axil_wstrb;
                    address  <= starts_write ? s_axil_awaddr : s_axil_araddr;
                    data     <= s_axil_wdata;
                    patience <= {TIMEOUT_BITS{1'b1}};
                    state    <= SEND;
                end
                SEND, WAIT: begin
                    patience <= patience - {{TIMEOUT_BITS-1{1'b0}}, 1'b1};
                    if (is_cut) begin
                        expired <= !core_stops;
                        data    <= NOBODY;
                        state   <= ANSWER;
                    end else if (state == SEND && sent_ready) begin
                        state <= WAIT;
                    end else if (state == WAIT && returned_valid) begin
                        data  <= returned;
                        state <= ANSWER;
                    end
                end
                default: if (is_write ? s_axil_bready : s_axil_rready) begin
                    state <= REST;
                end
            endcase
        end
    end
endmodule
