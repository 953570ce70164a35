// register_bridge: the control ports of a network behind a serial line. A line of text is a request, one is
// the answer (docs/reference/manager.md): `r BBBB AAAAA` reads, `w BBBB AAAAA VVVVVVVV` writes, in hexadecimal digits
// and small letters, ended by a line feed; `= VVVVVVVV`, `.` or `!` come back.
//
// A line that is none of the two, a block that is not there or an answer other than okay gives `!`. One
// request at a time: what comes before the answer has begun is lost. A block that does not answer within
// 65535 cycles gives `!`, and the bridge stays with it until a reset.
// Reset: synchronous, active high. Limits: BLOCKS 1..65535; DIVIDER (cycles per bit) 4..65535.
<$ banner $>

module register_bridge #(
    parameter BLOCKS = 2,
    parameter DIVIDER = 217
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 rx_line,
    output wire                 tx_line,
    // AXI4-Lite masters, block 0 in the low bits
    output reg  [BLOCKS-1:0]    m_axil_awvalid,
    input  wire [BLOCKS-1:0]    m_axil_awready,
    output wire [BLOCKS*20-1:0] m_axil_awaddr,
    output reg  [BLOCKS-1:0]    m_axil_wvalid,
    input  wire [BLOCKS-1:0]    m_axil_wready,
    output wire [BLOCKS*32-1:0] m_axil_wdata,
    output wire [BLOCKS*4-1:0]  m_axil_wstrb,
    input  wire [BLOCKS-1:0]    m_axil_bvalid,
    output wire [BLOCKS-1:0]    m_axil_bready,
    input  wire [BLOCKS*2-1:0]  m_axil_bresp,
    output reg  [BLOCKS-1:0]    m_axil_arvalid,
    input  wire [BLOCKS-1:0]    m_axil_arready,
    output wire [BLOCKS*20-1:0] m_axil_araddr,
    input  wire [BLOCKS-1:0]    m_axil_rvalid,
    output wire [BLOCKS-1:0]    m_axil_rready,
    input  wire [BLOCKS*32-1:0] m_axil_rdata,
    input  wire [BLOCKS*2-1:0]  m_axil_rresp
);
    localparam [1:0] LISTEN = 2'd0;
    localparam [1:0] ACCESS = 2'd1;
    localparam [1:0] ANSWER = 2'd2;

    localparam [7:0] LINE_FEED = 8'h0A;
    localparam [7:0] SPACE = 8'h20;

    wire       rx_valid;
    wire [7:0] rx_byte;
    wire       tx_ready;
    reg  [7:0] tx_byte;

    reg [1:0]        state;
    reg [4:0]        place;    // of the next letter in its line, 31: the line is wrong
    reg              is_write;
    reg [15:0]       block;
    reg [19:0]       address;
    reg [31:0]       value;
    reg [BLOCKS-1:0] chosen;   // one-hot, 0 where there is no such block
    reg [15:0]       patience;
    reg              okay;
    reg [3:0]        left;     // letters of the answer still to come

    uart_receiver #(
        .DIVIDER(DIVIDER)
    ) receiver (
        .clk(clk), .rst(rst), .line(rx_line), .valid(rx_valid), .data(rx_byte)
    );

    uart_transmitter #(
        .DIVIDER(DIVIDER)
    ) transmitter (
        .clk(clk), .rst(rst), .valid(state == ANSWER), .ready(tx_ready), .data(tx_byte), .line(tx_line)
    );

    assign m_axil_awaddr = {BLOCKS{address}};
    assign m_axil_araddr = {BLOCKS{address}};
    assign m_axil_wdata  = {BLOCKS{value}};
    assign m_axil_wstrb  = {BLOCKS*4{1'b1}};
    assign m_axil_bready = {BLOCKS{1'b1}};
    assign m_axil_rready = {BLOCKS{1'b1}};

    // The letter as a digit.
    wire       is_number = rx_byte >= 8'h30 && rx_byte <= 8'h39;
    wire       is_letter = rx_byte >= 8'h61 && rx_byte <= 8'h66;
    wire       is_digit  = is_number || is_letter;
    wire [3:0] digit     = is_letter ? rx_byte[3:0] + 4'd9 : rx_byte[3:0];

    // Where what stands in a line.
    wire in_block   = place >= 5'd2 && place <= 5'd5;
    wire in_address = place >= 5'd7 && place <= 5'd11;
    wire in_value   = place >= 5'd13 && place <= 5'd20;
    wire at_space   = place == 5'd1 || place == 5'd6 || place == 5'd12 && is_write;
    wire at_end     = place == (is_write ? 5'd21 : 5'd12);
    wire fits       = place == 5'd0 ? rx_byte == 8'h72 || rx_byte == 8'h77
                    : at_space ? rx_byte == SPACE
                    : (in_block || in_address || in_value) && is_digit;

    // What the chosen block answers.
    reg        answered;
    reg [1:0]  response;
    reg [31:0] word;
    integer    number;

    always @* begin
        answered = 1'b0;
        response = 2'd0;
        word     = 32'd0;
        chosen   = {BLOCKS{1'b0}};
        for (number = 0; number < BLOCKS; number = number + 1) begin
            if (block == number[15:0]) begin
                chosen[number] = 1'b1;
                answered = is_write ? m_axil_bvalid[number] : m_axil_rvalid[number];
                response = is_write ? m_axil_bresp[number*2 +: 2] : m_axil_rresp[number*2 +: 2];
                word     = m_axil_rdata[number*32 +: 32];
            end
        end
    end

    // The answer, letter by letter; a read's is ten letters and a line feed.
    wire [3:0] next_digit = value[31:28];

    always @* begin
        if (left == 4'd1) begin
            tx_byte = LINE_FEED;
        end else if (!okay) begin
            tx_byte = 8'h21;
        end else if (is_write) begin
            tx_byte = 8'h2E;
        end else if (left == 4'd11) begin
            tx_byte = 8'h3D;
        end else if (left == 4'd10) begin
            tx_byte = SPACE;
        end else begin
            tx_byte = next_digit < 4'd10 ? {4'h3, next_digit} : {4'h6, next_digit - 4'd9};
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            state          <= LISTEN;
            place          <= 5'd0;
            is_write       <= 1'b0;
            block          <= 16'd0;
            address        <= 20'd0;
            value          <= 32'd0;
            patience       <= 16'd0;
            okay           <= 1'b0;
            left           <= 4'd0;
            m_axil_awvalid <= {BLOCKS{1'b0}};
            m_axil_wvalid  <= {BLOCKS{1'b0}};
            m_axil_arvalid <= {BLOCKS{1'b0}};
        end else begin
            m_axil_awvalid <= m_axil_awvalid & ~m_axil_awready;
            m_axil_wvalid  <= m_axil_wvalid & ~m_axil_wready;
            m_axil_arvalid <= m_axil_arvalid & ~m_axil_arready;
            case (state)
                LISTEN: if (rx_valid && rx_byte == LINE_FEED) begin
                    place <= 5'd0;
                    okay  <= 1'b0;
                    left  <= 4'd2;
                    state <= ANSWER;
                    if (at_end && chosen != {BLOCKS{1'b0}}) begin
                        state    <= ACCESS;
                        patience <= 16'hFFFF;
                        if (is_write) begin
                            m_axil_awvalid <= chosen;
                            m_axil_wvalid  <= chosen;
                        end else begin
                            m_axil_arvalid <= chosen;
                        end
                    end
                end else if (rx_valid) begin
                    place <= fits ? place + 5'd1 : 5'd31;
                    if (place == 5'd0) begin
                        is_write <= rx_byte == 8'h77;
                    end
                    if (in_block) begin
                        block <= {block[11:0], digit};
                    end
                    if (in_address) begin
                        address <= {address[15:0], digit};
                    end
                    if (in_value) begin
                        value <= {value[27:0], digit};
                    end
                end
                ACCESS: if (answered || patience == 16'd0) begin
                    okay  <= answered && response == 2'd0;
                    left  <= answered && response == 2'd0 && !is_write ? 4'd11 : 4'd2;
                    state <= ANSWER;
                    if (!is_write) begin
                        value <= word;
                    end
                end else begin
                    patience <= patience - 16'd1;
                end
                default: if (tx_ready) begin
                    left <= left - 4'd1;
                    if (left <= 4'd9) begin
                        value <= {value[27:0], 4'd0};
                    end
                    if (left == 4'd1) begin
                        state <= LISTEN;
                    end
                end
            endcase
        end
    end
endmodule
