// <$ name $>: <$ title $>, for an FPGA of its own, with a link port at every port that has a cable.
//
<%- for link in links %>
// Link <$ loop.index0 $>: port <$ link.port $><% if link.has_peer %>, cable to <$ link.peer $> port <$ link.peer_port $><% endif %>.
<%- endfor %>
<%- if managed %>
// A management unit passes messages from link to link (docs/microarchitecture.md 8).
<%- endif %>
// Lines lie side by side, link 0 in the low bits; each has the clock of its wrapper.
// Resets: synchronous to their clocks, active high, all together, at least 8 cycles of the slowest.
<$ banner $>

module <$ name $> (
    input  wire         clk,
    input  wire         rst,
    output wire [<$ links.len() - 1 $>:0]   link_up,
    // lines
    input  wire [<$ links.len() - 1 $>:0]   link_clk,
    input  wire [<$ links.len() - 1 $>:0]   link_rst,
    output wire [<$ links.len() - 1 $>:0]   line_tx_valid,
    output wire [<$ links.len() - 1 $>:0]   line_tx_ctl,
    output wire [<$ links.len() * 64 - 1 $>:0]  line_tx_data,
    input  wire [<$ links.len() - 1 $>:0]   line_tx_ready,
    input  wire [<$ links.len() - 1 $>:0]   line_rx_valid,
    input  wire [<$ links.len() - 1 $>:0]   line_rx_ctl,
    input  wire [<$ links.len() * 64 - 1 $>:0]  line_rx_data,
    input  wire [<$ links.len() - 1 $>:0]   line_rx_up,
<%- if hosts > 0 %>
    // hosts
    input  wire [<$ hosts * host_bits - 1 $>:0]  s_axis_pcie_tdata,
    input  wire [<$ hosts * host_bits / 8 - 1 $>:0]   s_axis_pcie_tkeep,
    input  wire [<$ hosts - 1 $>:0]   s_axis_pcie_tvalid,
    input  wire [<$ hosts - 1 $>:0]   s_axis_pcie_tlast,
    input  wire [<$ hosts - 1 $>:0]   s_axis_pcie_tuser,
    output wire [<$ hosts - 1 $>:0]   s_axis_pcie_tready,
    output wire [<$ hosts * host_bits - 1 $>:0]  m_axis_pcie_tdata,
    output wire [<$ hosts * host_bits / 8 - 1 $>:0]   m_axis_pcie_tkeep,
    output wire [<$ hosts - 1 $>:0]   m_axis_pcie_tvalid,
    output wire [<$ hosts - 1 $>:0]   m_axis_pcie_tlast,
    output wire [<$ hosts - 1 $>:0]   m_axis_pcie_tuser,
    input  wire [<$ hosts - 1 $>:0]   m_axis_pcie_tready,
<%- endif %>
    // control port of the block, registers of the links in it
    input  wire [19:0]  s_axil_awaddr,
    input  wire         s_axil_awvalid,
    output wire         s_axil_awready,
    input  wire [31:0]  s_axil_wdata,
    input  wire [3:0]   s_axil_wstrb,
    input  wire         s_axil_wvalid,
    output wire         s_axil_wready,
    output wire [1:0]   s_axil_bresp,
    output wire         s_axil_bvalid,
    input  wire         s_axil_bready,
    input  wire [19:0]  s_axil_araddr,
    input  wire         s_axil_arvalid,
    output wire         s_axil_arready,
    output wire [31:0]  s_axil_rdata,
    output wire [1:0]   s_axil_rresp,
    output wire         s_axil_rvalid,
    input  wire         s_axil_rready
);
    localparam PORTS = <$ ports $>;
    localparam DATA_WIDTH = 64;
    localparam VCS = <$ vcs $>;
    localparam CREDITS = <$ credits $>;

    // The block's network ports.
    wire [PORTS-1:0]            rx_valid;
    wire [PORTS-1:0]            rx_vc;
    wire [PORTS-1:0]            rx_last;
    wire [PORTS-1:0]            rx_bad;
    wire [PORTS*DATA_WIDTH-1:0] rx_data;
    wire [PORTS*VCS-1:0]        rx_credit;
    wire [PORTS-1:0]            tx_valid;
    wire [PORTS-1:0]            tx_vc;
    wire [PORTS-1:0]            tx_last;
    wire [PORTS-1:0]            tx_bad;
    wire [PORTS*DATA_WIDTH-1:0] tx_data;
    wire [PORTS*VCS-1:0]        tx_credit;
    wire [PORTS-1:0]            port_up;

    // Registers of the link ports.
    wire [PORTS-1:0]            reg_valid;
    wire                        reg_write;
    wire [4:0]                  reg_address;
    wire [31:0]                 reg_wdata;
    wire [PORTS-1:0]            reg_ready;
    wire [32*PORTS-1:0]         reg_rdata;
    wire [15:0]                 announced;      // the number of the block

    // Messages of in-band management.
    wire [PORTS-1:0]            message_read;
    wire [2:0]                  message_read_at;
    wire [32*PORTS-1:0]         message_word;
    wire [PORTS-1:0]            message_full;
    wire [PORTS-1:0]            message_release;
    wire [PORTS-1:0]            message_write;
    wire [2:0]                  message_write_at;
    wire [31:0]                 message_write_word;
    wire [PORTS-1:0]            message_send;
    wire [PORTS-1:0]            message_busy;
<%- for link in links %>

    link_port #(
        .VCS(VCS),
        .RX_BUFFER_FLITS(CREDITS),
        .LINE_FLITS(<$ line_flits $>),
        .REQUEST_TICKS(<$ ticks[0] $>),
        .TAIL_TICKS(<$ ticks[1] $>),
        .NETWORK(32'h<$ network $>),
        .PORT(16'd<$ link.port $>),
        .KIND(16'd<$ kind $>),
        .EXPECTED_PEER(<$ link.expected $>)<% if managed %>,<% endif %><% if link.has_peer %> // port <$ link.peer_port $> of block <$ link.peer_number $><% endif %>
<%- if managed %>
        .MANAGEMENT(1)
<%- endif %>
    ) link_<$ loop.index0 $> (
        .clk(clk),
        .rst(rst),
        .tx_valid(tx_valid[<$ link.port $>]),
        .tx_vc(tx_vc[<$ link.port $>]),
        .tx_last(tx_last[<$ link.port $>]),
        .tx_bad(tx_bad[<$ link.port $>]),
        .tx_data(tx_data[<$ link.port $>*DATA_WIDTH +: DATA_WIDTH]),
        .tx_credit(tx_credit[<$ link.port $>*VCS +: VCS]),
        .rx_valid(rx_valid[<$ link.port $>]),
        .rx_vc(rx_vc[<$ link.port $>]),
        .rx_last(rx_last[<$ link.port $>]),
        .rx_bad(rx_bad[<$ link.port $>]),
        .rx_data(rx_data[<$ link.port $>*DATA_WIDTH +: DATA_WIDTH]),
        .rx_credit(rx_credit[<$ link.port $>*VCS +: VCS]),
        .link_up(port_up[<$ link.port $>]),
        .block_number(announced),
        .reg_valid(reg_valid[<$ link.port $>]),
        .reg_write(reg_write),
        .reg_address(reg_address),
        .reg_wdata(reg_wdata),
        .reg_ready(reg_ready[<$ link.port $>]),
        .reg_rdata(reg_rdata[<$ link.port $>*32 +: 32]),
        .message_read(message_read[<$ link.port $>]),
        .message_read_at(message_read_at),
        .message_word(message_word[<$ link.port $>*32 +: 32]),
        .message_full(message_full[<$ link.port $>]),
        .message_release(message_release[<$ link.port $>]),
        .message_write(message_write[<$ link.port $>]),
        .message_write_at(message_write_at),
        .message_write_word(message_write_word),
        .message_send(message_send[<$ link.port $>]),
        .message_busy(message_busy[<$ link.port $>]),
        .link_clk(link_clk[<$ loop.index0 $>]),
        .link_rst(link_rst[<$ loop.index0 $>]),
        .line_tx_valid(line_tx_valid[<$ loop.index0 $>]),
        .line_tx_ctl(line_tx_ctl[<$ loop.index0 $>]),
        .line_tx_data(line_tx_data[<$ loop.index0 $>*64 +: 64]),
        .line_tx_ready(line_tx_ready[<$ loop.index0 $>]),
        .line_rx_valid(line_rx_valid[<$ loop.index0 $>]),
        .line_rx_ctl(line_rx_ctl[<$ loop.index0 $>]),
        .line_rx_data(line_rx_data[<$ loop.index0 $>*64 +: 64]),
        .line_rx_up(line_rx_up[<$ loop.index0 $>])
    );

    assign link_up[<$ loop.index0 $>] = port_up[<$ link.port $>];
<%- endfor %>
<%- for port in free_ports %>

    // No cable at port <$ port $>.
    assign rx_valid[<$ port $>] = 1'b0;
    assign rx_vc[<$ port $>]    = 1'b0;
    assign rx_last[<$ port $>]  = 1'b0;
    assign rx_bad[<$ port $>]   = 1'b0;
    assign rx_data[<$ port $>*DATA_WIDTH +: DATA_WIDTH] = {DATA_WIDTH{1'b0}};
    assign tx_credit[<$ port $>*VCS +: VCS] = {VCS{1'b0}};
    assign port_up[<$ port $>]  = 1'b0;
    assign reg_ready[<$ port $>] = 1'b0;
    assign reg_rdata[<$ port $>*32 +: 32] = 32'd0;
    assign message_word[<$ port $>*32 +: 32] = 32'd0;
    assign message_full[<$ port $>] = 1'b0;
    assign message_busy[<$ port $>] = 1'b0;
<%- endfor %>

    // Their window in front of the block's control port.
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

    management_unit #(.PORTS(PORTS), .LINKS(<$ ports $>'h<$ link_ports $>)) management (
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
        .link_up(port_up), .message_read(message_read), .message_read_at(message_read_at),
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
        .PORTS(PORTS), .LINKS(<$ ports $>'h<$ link_ports $>)<% if managed %>, .MANAGEMENT(1)<% endif %>
    ) window (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(<$ master $>awvalid), .s_axil_awready(<$ master $>awready),
        .s_axil_awaddr(<$ master $>awaddr), .s_axil_wvalid(<$ master $>wvalid),
        .s_axil_wready(<$ master $>wready), .s_axil_wdata(<$ master $>wdata), .s_axil_wstrb(<$ master $>wstrb),
        .s_axil_bvalid(<$ master $>bvalid), .s_axil_bready(<$ master $>bready), .s_axil_bresp(<$ master $>bresp),
        .s_axil_arvalid(<$ master $>arvalid), .s_axil_arready(<$ master $>arready),
        .s_axil_araddr(<$ master $>araddr), .s_axil_rvalid(<$ master $>rvalid),
        .s_axil_rready(<$ master $>rready), .s_axil_rdata(<$ master $>rdata), .s_axil_rresp(<$ master $>rresp),
        .block_awvalid(block_awvalid), .block_awready(block_awready), .block_wvalid(block_wvalid),
        .block_bvalid(block_bvalid), .block_bready(block_bready), .block_bresp(block_bresp),
        .block_arvalid(block_arvalid), .block_arready(block_arready), .block_rvalid(block_rvalid),
        .block_rready(block_rready), .block_rdata(block_rdata), .block_rresp(block_rresp),
        .reg_valid(reg_valid), .reg_write(reg_write), .reg_address(reg_address),
        .reg_wdata(reg_wdata), .reg_ready(reg_ready), .reg_rdata(reg_rdata),
        .unit_valid(unit_valid), .unit_ready(unit_ready), .unit_rdata(unit_rdata),
        .block_number(16'd<$ number $>), .announced(announced)
    );

    <$ module $> #(
<$ parameters $>
    ) block (
        .clk(clk),
        .rst(rst),
        .rx_valid(rx_valid),
        .rx_vc(rx_vc),
        .rx_last(rx_last),
        .rx_bad(rx_bad),
        .rx_data(rx_data),
        .rx_credit(rx_credit),
        .tx_valid(tx_valid),
        .tx_vc(tx_vc),
        .tx_last(tx_last),
        .tx_bad(tx_bad),
        .tx_data(tx_data),
        .tx_credit(tx_credit),
        .link_up(port_up),
<%- if hosts > 0 %>
        .s_axis_pcie_tdata(s_axis_pcie_tdata),
        .s_axis_pcie_tkeep(s_axis_pcie_tkeep),
        .s_axis_pcie_tvalid(s_axis_pcie_tvalid),
        .s_axis_pcie_tlast(s_axis_pcie_tlast),
        .s_axis_pcie_tuser(s_axis_pcie_tuser),
        .s_axis_pcie_tready(s_axis_pcie_tready),
        .m_axis_pcie_tdata(m_axis_pcie_tdata),
        .m_axis_pcie_tkeep(m_axis_pcie_tkeep),
        .m_axis_pcie_tvalid(m_axis_pcie_tvalid),
        .m_axis_pcie_tlast(m_axis_pcie_tlast),
        .m_axis_pcie_tuser(m_axis_pcie_tuser),
        .m_axis_pcie_tready(m_axis_pcie_tready),
<%- endif %>
        .s_axil_awaddr(<$ master $>awaddr),
        .s_axil_awvalid(block_awvalid),
        .s_axil_awready(block_awready),
        .s_axil_wdata(<$ master $>wdata),
        .s_axil_wstrb(<$ master $>wstrb),
        .s_axil_wvalid(block_wvalid),
        .s_axil_wready(block_wready),
        .s_axil_bresp(block_bresp),
        .s_axil_bvalid(block_bvalid),
        .s_axil_bready(block_bready),
        .s_axil_araddr(<$ master $>araddr),
        .s_axil_arvalid(block_arvalid),
        .s_axil_arready(block_arready),
        .s_axil_rdata(block_rdata),
        .s_axil_rresp(block_rresp),
        .s_axil_rvalid(block_rvalid),
        .s_axil_rready(block_rready)
    );

    // Ports without a cable send nothing that counts.
    wire unused_ok = &{1'b0, reg_valid, block_wready, rx_credit, tx_valid, tx_vc, tx_last, tx_bad,
        tx_data, message_read, message_release, message_write, message_send};
endmodule
