// management_master: who has the control port, the pins or the management unit
// (docs/microarchitecture.md 8.4). The unit takes it while no access of the pins is in progress.
// Combinational, but for what says that the pins wait for a response. Reset: synchronous, active
// high.
<$ banner $>

module management_master (
    input  wire        clk,
    input  wire        rst,
    // unit
    input  wire        owner,
    input  wire        writes,              // it shows a write
    input  wire        reads,
    input  wire        finishes,            // it has used what it read
    input  wire [19:0] address,
    input  wire [31:0] data,
    output wire        rests,               // the unit may take the port
    // pins
    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [19:0] s_axil_awaddr,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    output wire [1:0]  s_axil_bresp,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    input  wire [19:0] s_axil_araddr,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,
    // link_window; it takes address and data of a write in one cycle
    output wire        window_awvalid,
    input  wire        window_awready,
    output wire [19:0] window_awaddr,
    output wire        window_wvalid,
    output wire [31:0] window_wdata,
    output wire [3:0]  window_wstrb,
    input  wire        window_bvalid,
    output wire        window_bready,
    input  wire [1:0]  window_bresp,
    output wire        window_arvalid,
    input  wire        window_arready,
    output wire [19:0] window_araddr,
    input  wire        window_rvalid,
    output wire        window_rready,
    input  wire [31:0] window_rdata,
    input  wire [1:0]  window_rresp
);
    reg  pin_writes;
    reg  pin_reads;
    wire shows_write = s_axil_awvalid & s_axil_wvalid;
    wire write_ends  = window_bvalid & s_axil_bready;
    wire read_ends   = window_rvalid & s_axil_rready;

    assign rests = (pin_writes ? write_ends : ~shows_write)
        & (pin_reads ? read_ends : ~s_axil_arvalid);

    always @(posedge clk)
        if (rst) begin
            pin_writes <= 1'b0;
            pin_reads <= 1'b0;
        end else if (!owner) begin
            pin_writes <= (shows_write & window_awready) | (pin_writes & ~write_ends);
            pin_reads <= (s_axil_arvalid & window_arready) | (pin_reads & ~read_ends);
        end

    assign window_awvalid = owner ? writes : s_axil_awvalid;
    assign window_awaddr  = owner ? address : s_axil_awaddr;
    assign window_wvalid  = owner ? writes : s_axil_wvalid;
    assign window_wdata   = owner ? data : s_axil_wdata;
    assign window_wstrb   = {4{owner}} | s_axil_wstrb;
    assign window_bready  = owner | s_axil_bready;
    assign window_arvalid = owner ? reads : s_axil_arvalid;
    assign window_araddr  = owner ? address : s_axil_araddr;
    assign window_rready  = owner ? finishes : s_axil_rready;

    assign s_axil_awready = ~owner & window_awready;
    assign s_axil_wready  = s_axil_awready;
    assign s_axil_bvalid  = ~owner & window_bvalid;
    assign s_axil_bresp   = window_bresp;
    assign s_axil_arready = ~owner & window_arready;
    assign s_axil_rvalid  = ~owner & window_rvalid;
    assign s_axil_rdata   = window_rdata;
    assign s_axil_rresp   = window_rresp;
endmodule
