// register_arbiter: two AXI4-Lite masters in front of one control port, such as a serial line and the
// window of a PCIe core. One access at a time; the two take turns when both want one.
//
// Every access is answered. One that the control port does not answer within TIMEOUT cycles gets the
// slave error, and 0xFFFFFFFF when it is a read. Until the late answer has come, which nobody gets,
// the control port is shown the access on, as AXI4 demands, and others get the slave error at once.
// A register of a link whose clock has stopped is such a case (docs/microarchitecture.md 7.9).
//
// Latency: an access and its answer take 3 cycles more than without the arbiter.
// Reset: synchronous, active high, together with that of the control port.
// Limits: TIMEOUT 16..65535.
<$ banner $>

module register_arbiter #(
    parameter TIMEOUT = 1023
) (
    input  wire        clk,
    input  wire        rst,
    // from the masters, master 0 in the low bits
    input  wire [1:0]  s_axil_awvalid,
    output wire [1:0]  s_axil_awready,
    input  wire [39:0] s_axil_awaddr,
    input  wire [1:0]  s_axil_wvalid,
    output wire [1:0]  s_axil_wready,
    input  wire [63:0] s_axil_wdata,
    input  wire [7:0]  s_axil_wstrb,
    output wire [1:0]  s_axil_bvalid,
    input  wire [1:0]  s_axil_bready,
    output wire [3:0]  s_axil_bresp,
    input  wire [1:0]  s_axil_arvalid,
    output wire [1:0]  s_axil_arready,
    input  wire [39:0] s_axil_araddr,
    output wire [1:0]  s_axil_rvalid,
    input  wire [1:0]  s_axil_rready,
    output wire [63:0] s_axil_rdata,
    output wire [3:0]  s_axil_rresp,
    // to the control port
    output reg         m_axil_awvalid,
    input  wire        m_axil_awready,
    output wire [19:0] m_axil_awaddr,
    output reg         m_axil_wvalid,
    input  wire        m_axil_wready,
    output reg  [31:0] m_axil_wdata,
    output reg  [3:0]  m_axil_wstrb,
    input  wire        m_axil_bvalid,
    output wire        m_axil_bready,
    input  wire [1:0]  m_axil_bresp,
    output reg         m_axil_arvalid,
    input  wire        m_axil_arready,
    output wire [19:0] m_axil_araddr,
    input  wire        m_axil_rvalid,
    output wire        m_axil_rready,
    input  wire [31:0] m_axil_rdata,
    input  wire [1:0]  m_axil_rresp
);
    generate
        if (TIMEOUT < 16 || TIMEOUT > 65535) begin : gen_check_timeout
            illegal_parameter_TIMEOUT_must_be_16_to_65535 stop ();
        end
    endgenerate

    localparam [1:0] REST = 2'd0;
    localparam [1:0] WAIT = 2'd1;
    localparam [1:0] ANSWER = 2'd2;

    localparam [1:0] SLAVE_ERROR = 2'd2;

    reg [1:0]  state;
    reg        master;   // whose access is or was the last one
    reg        is_write;
    reg        is_silent; // an answer is overdue
    reg [19:0] address;
    reg [15:0] patience;
    reg [1:0]  response;
    reg [31:0] word;

    // Whoever did not have the last access comes first.
    wire [1:0]  writes   = s_axil_awvalid & s_axil_wvalid;
    wire [1:0]  wants    = writes | s_axil_arvalid;
    wire        next     = wants[!master] ? !master : master;
    wire [1:0]  one_hot  = next ? 2'b10 : 2'b01;
    wire [1:0]  owner    = master ? 2'b10 : 2'b01;
    wire        starts   = state == REST && wants != 2'b00;
    wire        is_next_write = |(writes & one_hot);
    wire [19:0] next_awaddr   = next ? s_axil_awaddr[39:20] : s_axil_awaddr[19:0];
    wire [19:0] next_araddr   = next ? s_axil_araddr[39:20] : s_axil_araddr[19:0];

    assign s_axil_awready = one_hot & {2{starts && is_next_write}};
    assign s_axil_wready  = s_axil_awready;
    assign s_axil_arready = one_hot & {2{starts && !is_next_write}};
    assign s_axil_bvalid  = owner & {2{state == ANSWER && is_write}};
    assign s_axil_rvalid  = owner & {2{state == ANSWER && !is_write}};
    assign s_axil_bresp   = {2{response}};
    assign s_axil_rresp   = {2{response}};
    assign s_axil_rdata   = {2{word}};

    assign m_axil_awaddr = address;
    assign m_axil_araddr = address;
    assign m_axil_bready = 1'b1;
    assign m_axil_rready = 1'b1;

    wire answered = m_axil_bvalid || m_axil_rvalid;
    wire is_taken = |(owner & (is_write ? s_axil_bready : s_axil_rready));

    always @(posedge clk) begin
        if (rst) begin
            state          <= REST;
            master         <= 1'b0;
            is_write       <= 1'b0;
            is_silent      <= 1'b0;
            address        <= 20'd0;
            patience       <= 16'd0;
            response       <= 2'd0;
            word           <= 32'd0;
            m_axil_awvalid <= 1'b0;
            m_axil_wvalid  <= 1'b0;
            m_axil_wdata   <= 32'd0;
            m_axil_wstrb   <= 4'd0;
            m_axil_arvalid <= 1'b0;
        end else begin
            m_axil_awvalid <= m_axil_awvalid && !m_axil_awready;
            m_axil_wvalid  <= m_axil_wvalid && !m_axil_wready;
            m_axil_arvalid <= m_axil_arvalid && !m_axil_arready;
            if (answered)
                is_silent <= 1'b0;
            case (state)
                REST: if (starts) begin
                    master   <= next;
                    is_write <= is_next_write;
                    patience <= TIMEOUT;
                    if (is_silent) begin
                        response <= SLAVE_ERROR;
                        word     <= 32'hFFFF_FFFF;
                        state    <= ANSWER;
                    end else begin
                        address        <= is_next_write ? next_awaddr : next_araddr;
                        m_axil_wdata   <= next ? s_axil_wdata[63:32] : s_axil_wdata[31:0];
                        m_axil_wstrb   <= next ? s_axil_wstrb[7:4] : s_axil_wstrb[3:0];
                        m_axil_awvalid <= is_next_write;
                        m_axil_wvalid  <= is_next_write;
                        m_axil_arvalid <= !is_next_write;
                        state          <= WAIT;
                    end
                end
                WAIT: if (answered) begin
                    response <= is_write ? m_axil_bresp : m_axil_rresp;
                    word     <= m_axil_rdata;
                    state    <= ANSWER;
                end else if (patience == 16'd0) begin
                    is_silent <= 1'b1;
                    response  <= SLAVE_ERROR;
                    word      <= 32'hFFFF_FFFF;
                    state     <= ANSWER;
                end else begin
                    patience <= patience - 16'd1;
                end
                default: if (is_taken) begin
                    state <= REST;
                end
            endcase
        end
    end
endmodule
