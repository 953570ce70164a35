// <$ name $>: a board of this network.
// <$ node $> with a link port at every network port
// that has a serial cable, and their registers in its control port (docs/microarchitecture.md 7).
<%- if managed %>
// A management unit passes messages from link to link (8).
<%- endif %>
//
// Serial: ports <$ serial_list $>.
// On their bundles stand the words of a line instead of flits: data, valid, and control word in the
// place of last; other bits 0. Their bit of `link_up` says that the line has a signal. Lines lie
// side by side, the lowest port in the low bits.
// Resets: synchronous to their clocks, active high, all together, at least 8 cycles of the slowest.
<$ banner $>

module <$ name $> #(
<$ parameters $>
) (
<$ ports $>
);
    localparam PORTS = <$ network_ports $>;
    localparam VCS = <$ vcs $>;
    localparam LINK_BITS = <$ link_bits $>;
    localparam VALID = 64;
    localparam VC = 65;
    localparam LAST = 66;
    localparam BAD = 67;
    localparam CREDIT = 68;

    // What the block sees.
    wire [PORTS-1:0]           block_up;
    wire [PORTS*LINK_BITS-1:0] block_rx;
    wire [PORTS*LINK_BITS-1:0] block_tx;

    wire [PORTS-1:0]    reg_valid;
    wire                reg_write;
    wire [4:0]          reg_address;
    wire [31:0]         reg_wdata;
    wire [PORTS-1:0]    reg_ready;
    wire [PORTS*32-1:0] reg_rdata;
    wire [15:0]         announced;      // the number of the block

    // Messages of in-band management.
    wire [PORTS-1:0]    message_read;
    wire [2:0]          message_read_at;
    wire [PORTS*32-1:0] message_word;
    wire [PORTS-1:0]    message_full;
    wire [PORTS-1:0]    message_release;
    wire [PORTS-1:0]    message_write;
    wire [2:0]          message_write_at;
    wire [31:0]         message_write_word;
    wire [PORTS-1:0]    message_send;
    wire [PORTS-1:0]    message_busy;
<%- for port in serial %>

    link_port #(
        .VCS(VCS), .RX_BUFFER_FLITS(<$ credits $>), .LINE_FLITS(<$ line_flits $>), .REQUEST_TICKS(<$ request_ticks $>),
        .TAIL_TICKS(<$ tail_ticks $>), .NETWORK(32'h<$ network $>), .PORT(16'd<$ port $>), .KIND(16'd<$ kind $>),
        .EXPECTED_PEER(EXPECTED_PEERS[<$ loop.index0 $>*32 +: 32])<% if managed %>, .MANAGEMENT(1)<% endif %>
    ) port_<$ port $> (
        .clk(clk),
        .rst(rst),
        .link_clk(link_clk<$ select(loop.index0) $>),
        .link_rst(link_rst<$ select(loop.index0) $>),
        .block_number(announced),
        .tx_valid(block_tx[<$ port $>*LINK_BITS + VALID]),
        .tx_vc(block_tx[<$ port $>*LINK_BITS + VC]),
        .tx_last(block_tx[<$ port $>*LINK_BITS + LAST]),
        .tx_bad(block_tx[<$ port $>*LINK_BITS + BAD]),
        .tx_data(block_tx[<$ port $>*LINK_BITS +: 64]),
        .tx_credit(block_rx[<$ port $>*LINK_BITS + CREDIT +: VCS]),
        .rx_valid(block_rx[<$ port $>*LINK_BITS + VALID]),
        .rx_vc(block_rx[<$ port $>*LINK_BITS + VC]),
        .rx_last(block_rx[<$ port $>*LINK_BITS + LAST]),
        .rx_bad(block_rx[<$ port $>*LINK_BITS + BAD]),
        .rx_data(block_rx[<$ port $>*LINK_BITS +: 64]),
        .rx_credit(block_tx[<$ port $>*LINK_BITS + CREDIT +: VCS]),
        .link_up(block_up[<$ port $>]),
        .reg_valid(reg_valid[<$ port $>]),
        .reg_write(reg_write),
        .reg_address(reg_address),
        .reg_wdata(reg_wdata),
        .reg_ready(reg_ready[<$ port $>]),
        .reg_rdata(reg_rdata[<$ port $>*32 +: 32]),
        .message_read(message_read[<$ port $>]),
        .message_read_at(message_read_at),
        .message_word(message_word[<$ port $>*32 +: 32]),
        .message_full(message_full[<$ port $>]),
        .message_release(message_release[<$ port $>]),
        .message_write(message_write[<$ port $>]),
        .message_write_at(message_write_at),
        .message_write_word(message_write_word),
        .message_send(message_send[<$ port $>]),
        .message_busy(message_busy[<$ port $>]),
        .line_tx_valid(link_tx[<$ port $>*LINK_BITS + VALID]),
        .line_tx_ctl(link_tx[<$ port $>*LINK_BITS + LAST]),
        .line_tx_data(link_tx[<$ port $>*LINK_BITS +: 64]),
        .line_tx_ready(line_tx_ready<$ select(loop.index0) $>),
        .line_rx_valid(link_rx[<$ port $>*LINK_BITS + VALID]),
        .line_rx_ctl(link_rx[<$ port $>*LINK_BITS + LAST]),
        .line_rx_data(link_rx[<$ port $>*LINK_BITS +: 64]),
        .line_rx_up(link_up[<$ port $>])
    );

    assign link_tx[<$ port $>*LINK_BITS + VC] = 1'b0;
    assign link_tx[<$ port $>*LINK_BITS + BAD] = 1'b0;
    assign link_tx[<$ port $>*LINK_BITS + CREDIT +: VCS] = {VCS{1'b0}};
    wire unused_<$ port $> = &{1'b0, link_rx[<$ port $>*LINK_BITS + VC], link_rx[<$ port $>*LINK_BITS + BAD],
        link_rx[<$ port $>*LINK_BITS + CREDIT +: VCS]};
<%- endfor %>
<%- for port in parallel %>

    // Port <$ port $> is parallel.
    assign block_up[<$ port $>] = link_up[<$ port $>];
    assign block_rx[<$ port $>*LINK_BITS +: LINK_BITS] = link_rx[<$ port $>*LINK_BITS +: LINK_BITS];
    assign link_tx[<$ port $>*LINK_BITS +: LINK_BITS] = block_tx[<$ port $>*LINK_BITS +: LINK_BITS];
    assign reg_ready[<$ port $>] = 1'b0;
    assign reg_rdata[<$ port $>*32 +: 32] = 32'd0;
    assign message_word[<$ port $>*32 +: 32] = 32'd0;
    assign message_full[<$ port $>] = 1'b0;
    assign message_busy[<$ port $>] = 1'b0;
    wire unused_<$ port $> = &{1'b0, reg_valid[<$ port $>], message_read[<$ port $>],
        message_release[<$ port $>], message_write[<$ port $>], message_send[<$ port $>]};
<%- endfor %>

    // The block's control port behind the registers of the links.
    wire        block_awvalid;
    wire        block_awready;
    wire        block_wvalid;
    wire        block_wready;
    wire        block_bvalid;
    wire        block_bready;
    wire [1:0]  block_bresp;
    wire        block_arvalid;
    wire        block_arready;
    wire        block_rvalid;
    wire        block_rready;
    wire [31:0] block_rdata;
    wire [1:0]  block_rresp;
    wire        unused_wready = &{1'b0, block_wready};

    wire        unit_valid;
    wire        unit_ready;
    wire [31:0] unit_rdata;
<%- if managed %>

    // The management unit between the pins and the window.
    wire        window_awvalid;
    wire        window_awready;
    wire [19:0] window_awaddr;
    wire        window_wvalid;
    wire        window_wready;
    wire [31:0] window_wdata;
    wire [3:0]  window_wstrb;
    wire        window_bvalid;
    wire        window_bready;
    wire [1:0]  window_bresp;
    wire        window_arvalid;
    wire        window_arready;
    wire [19:0] window_araddr;
    wire        window_rvalid;
    wire        window_rready;
    wire [31:0] window_rdata;
    wire [1:0]  window_rresp;
    wire        unused_window = &{1'b0, window_wready};

    management_unit #(.PORTS(PORTS), .LINKS(<$ network_ports $>'h<$ links $>)) management (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
        .s_axil_awaddr(s_axil_awaddr), .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_araddr(s_axil_araddr), .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .window_awvalid(window_awvalid), .window_awready(window_awready),
        .window_awaddr(window_awaddr), .window_wvalid(window_wvalid),
        .window_wdata(window_wdata), .window_wstrb(window_wstrb), .window_bvalid(window_bvalid),
        .window_bready(window_bready), .window_bresp(window_bresp),
        .window_arvalid(window_arvalid), .window_arready(window_arready),
        .window_araddr(window_araddr), .window_rvalid(window_rvalid),
        .window_rready(window_rready), .window_rdata(window_rdata), .window_rresp(window_rresp),
        .link_up(block_up), .message_read(message_read), .message_read_at(message_read_at),
        .message_word(message_word), .message_full(message_full),
        .message_release(message_release), .message_write(message_write),
        .message_write_at(message_write_at), .message_write_word(message_write_word),
        .message_send(message_send), .message_busy(message_busy),
        .reg_valid(unit_valid), .reg_write(reg_write), .reg_address(reg_address),
        .reg_wdata(reg_wdata), .reg_ready(unit_ready), .reg_rdata(unit_rdata)
    );
<%- else %>

    // There is none.
    assign message_read = {PORTS{1'b0}};
    assign message_read_at = 3'd0;
    assign message_release = {PORTS{1'b0}};
    assign message_write = {PORTS{1'b0}};
    assign message_write_at = 3'd0;
    assign message_write_word = 32'd0;
    assign message_send = {PORTS{1'b0}};
    assign unit_ready = 1'b0;
    assign unit_rdata = 32'd0;
    wire   unused_messages = &{1'b0, unit_valid, message_word, message_full, message_busy};
<%- endif %>

    link_window #(
        .PORTS(PORTS), .LINKS(<$ network_ports $>'h<$ links $>)<% if managed %>, .MANAGEMENT(1)<% endif %>
    ) window (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(<$ master $>awvalid), .s_axil_awready(<$ master $>awready),
        .s_axil_awaddr(<$ master $>awaddr), .s_axil_wvalid(<$ master $>wvalid),
        .s_axil_wready(<$ master $>wready), .s_axil_wdata(<$ master $>wdata),
        .s_axil_wstrb(<$ master $>wstrb), .s_axil_bvalid(<$ master $>bvalid),
        .s_axil_bready(<$ master $>bready), .s_axil_bresp(<$ master $>bresp),
        .s_axil_arvalid(<$ master $>arvalid), .s_axil_arready(<$ master $>arready),
        .s_axil_araddr(<$ master $>araddr), .s_axil_rvalid(<$ master $>rvalid),
        .s_axil_rready(<$ master $>rready), .s_axil_rdata(<$ master $>rdata),
        .s_axil_rresp(<$ master $>rresp),
        .block_awvalid(block_awvalid), .block_awready(block_awready), .block_wvalid(block_wvalid),
        .block_bvalid(block_bvalid), .block_bready(block_bready), .block_bresp(block_bresp),
        .block_arvalid(block_arvalid), .block_arready(block_arready), .block_rvalid(block_rvalid),
        .block_rready(block_rready), .block_rdata(block_rdata), .block_rresp(block_rresp),
        .reg_valid(reg_valid), .reg_write(reg_write), .reg_address(reg_address),
        .reg_wdata(reg_wdata), .reg_ready(reg_ready), .reg_rdata(reg_rdata),
        .unit_valid(unit_valid), .unit_ready(unit_ready), .unit_rdata(unit_rdata),
        .block_number(block_number), .announced(announced)
    );

    <$ node $> #(
<$ passed $>
    ) node (
        .clk(clk), .rst(rst), .link_up(block_up), .link_rx(block_rx), .link_tx(block_tx),
<%- if !streams.is_empty() %>
<$ streams $>,
<%- endif %>
        .s_axil_awaddr(<$ master $>awaddr), .s_axil_awvalid(block_awvalid),
        .s_axil_awready(block_awready), .s_axil_wdata(<$ master $>wdata), .s_axil_wstrb(<$ master $>wstrb),
        .s_axil_wvalid(block_wvalid), .s_axil_wready(block_wready), .s_axil_bresp(block_bresp),
        .s_axil_bvalid(block_bvalid), .s_axil_bready(block_bready), .s_axil_araddr(<$ master $>araddr),
        .s_axil_arvalid(block_arvalid), .s_axil_arready(block_arready),
        .s_axil_rdata(block_rdata), .s_axil_rresp(block_rresp), .s_axil_rvalid(block_rvalid),
        .s_axil_rready(block_rready)
    );
endmodule
