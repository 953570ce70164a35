// management_unit_properties: a management unit between two links and a window, with everything that
// comes free: what the messages say, which links are up or busy. No message waits for a link, so no
// ring of full buffers stands still; each one is sent once or dropped; and a key that is set keeps
// the registers from all that do not carry it.

module management_unit_properties #(
    // Cycles for which the unit works on a message: to read it, for its access, to send it.
    parameter PATIENCE = 26
) (
    input wire        clk,
    input wire        rst,
    input wire [1:0]  link_up,
    input wire [63:0] message_word,
    input wire [1:0]  arrives,              // a message, at a link that holds none
    input wire [1:0]  frees,                // the line has taken what was sent
    input wire        reg_valid,
    input wire        reg_write,
    input wire [4:0]  reg_address,
    input wire [31:0] reg_wdata,
    input wire [31:0] window_rdata,
    input wire [1:0]  window_bresp,
    input wire [1:0]  window_rresp
);
    localparam [4:0] KEY_LOW = 5'd17;
    localparam [4:0] KEY_HIGH = 5'd18;

    reg started = 1'b0;
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
    end

    // The links.
    reg  [1:0]  full = 2'd0;
    reg  [1:0]  busy = 2'd0;
    wire [1:0]  message_read;
    wire [2:0]  message_read_at;
    wire [1:0]  message_release;
    wire [1:0]  message_write;
    wire [1:0]  message_send;
    wire        leaves = message_release != 2'd0;
    reg  [1:0]  was_read = 2'd0;
    reg  [2:0]  was_read_at;
    wire [63:0] given = {{32{was_read[1]}}, {32{was_read[0]}}} & message_word;
    always @(posedge clk) begin
        full <= rst ? 2'd0 : (full | arrives) & ~message_release;
        busy <= rst ? 2'd0 : (busy | message_send) & ~frees;
        was_read <= rst ? 2'd0 : message_read;
        was_read_at <= message_read_at;
    end

    // The control port takes an access at once and answers in the next cycle; nobody else uses it.
    wire        window_awvalid;
    wire        window_wvalid;
    wire        window_arvalid;
    wire        window_rready;
    reg         window_bvalid = 1'b0;
    reg         window_rvalid = 1'b0;
    always @(posedge clk) begin
        window_bvalid <= ~rst & window_awvalid;
        window_rvalid <= ~rst & (window_arvalid | (window_rvalid & ~window_rready));
    end

    management_unit #(.PORTS(2)) unit (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(1'b0), .s_axil_awready(), .s_axil_awaddr(20'd0), .s_axil_wvalid(1'b0),
        .s_axil_wready(), .s_axil_wdata(32'd0), .s_axil_wstrb(4'd0), .s_axil_bvalid(),
        .s_axil_bready(1'b1), .s_axil_bresp(), .s_axil_arvalid(1'b0), .s_axil_arready(),
        .s_axil_araddr(20'd0), .s_axil_rvalid(), .s_axil_rready(1'b1), .s_axil_rdata(),
        .s_axil_rresp(),
        .window_awvalid(window_awvalid), .window_awready(1'b1), .window_awaddr(),
        .window_wvalid(window_wvalid), .window_wdata(), .window_wstrb(),
        .window_bvalid(window_bvalid), .window_bready(), .window_bresp(window_bresp),
        .window_arvalid(window_arvalid), .window_arready(1'b1), .window_araddr(),
        .window_rvalid(window_rvalid), .window_rready(window_rready), .window_rdata(window_rdata),
        .window_rresp(window_rresp),
        .link_up(link_up), .message_read(message_read), .message_read_at(message_read_at),
        .message_word(given), .message_full(full), .message_release(message_release),
        .message_write(message_write), .message_write_at(), .message_write_word(),
        .message_send(message_send), .message_busy(busy),
        .reg_valid(reg_valid), .reg_write(reg_write), .reg_address(reg_address),
        .reg_wdata(reg_wdata), .reg_ready(), .reg_rdata()
    );

    // One at a time, with the consent of the links.
    always @(posedge clk)
        if (!rst) begin
            assert (message_release != 2'd3 && message_send != 2'd3 && message_write != 2'd3);
            assert ((message_release & ~full) == 2'd0);
            assert ((message_write & busy) == 2'd0);
            assert ((message_send & ~message_write) == 2'd0);
        end

    // A message whose first word was read is gone soon.
    reg        works = 1'b0;
    reg  [4:0] worked = 5'd0;
    always @(posedge clk) begin
        works <= ~rst & ~leaves & (works | message_read != 2'd0);
        worked <= (rst | leaves | ~works) ? 5'd0 : worked + 5'd1;
        assert (worked <= PATIENCE);
    end

    // The key is 0: a message of which a word of the key was not 0, when it was read first, writes
    // nothing, and none writes twice.
    reg        foreign = 1'b0;
    reg        wrote = 1'b0;
    wire       of_key = was_read != 2'd0 && (was_read_at == 3'd4 || was_read_at == 3'd5);
    always @(posedge clk) begin
        assume (!(reg_valid && reg_write && (reg_address == KEY_LOW || reg_address == KEY_HIGH)));
        // The window's own message is not seen here.
        assume (!(reg_valid && reg_write && reg_address == 5'd16 && reg_wdata[0]));
        foreign <= ~rst & ~leaves & (foreign | (of_key && given != 64'd0));
        wrote <= ~rst & ~leaves & (wrote | window_awvalid);
        if (!rst & window_awvalid)
            assert (window_wvalid & ~foreign & ~wrote);
    end

    // What no link brought is a notice: it is sent only when somebody armed it, and has no access.
    reg was_armed = 1'b0;
    always @(posedge clk) begin
        was_armed <= ~rst & (was_armed
            | (reg_valid & reg_write & reg_address == 5'd16 & reg_wdata[3:2] == 2'd3));
        if (!rst & ~works) begin
            assert (message_write == 2'd0 | was_armed);
            assert (~window_awvalid & ~window_arvalid);
        end
    end
endmodule
