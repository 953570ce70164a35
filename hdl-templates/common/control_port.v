// control_port: AXI4-Lite slave with identification, routing tables, channel steps, event
// counters, sticky errors and the first dropped header (register map: docs/microarchitecture.md).
// Latency: two cycles from a request to its response; a register is sampled and a write carried
// out in the second; a read of a counter waits for the counter's turn, at most a round (see
// event_counters). Reset: synchronous, active high; the step bits return to STEP.
// Limits: NETWORK_PORTS + PCIE_PORTS 1..32, PCIE_PORTS 0..16. CONTROL_PORT = 0 leaves the port
// out (outputs 0), COUNTERS = 0 the counters (they read 0).
<$ banner $>
`default_nettype none

module control_port #(
    parameter KIND = 0,                 // 0: switch, 1: adapter, 2: POK, 3: terminal block
    parameter NETWORK_PORTS = 10,
    parameter PCIE_PORTS = 0,
    parameter PORTS = NETWORK_PORTS + PCIE_PORTS,
    parameter PCIE_LANES = PCIE_PORTS > 0 ? PCIE_PORTS : 1,
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter RX_BUFFER_FLITS = 12,
    parameter QUEUE_FLITS = 32,
    parameter LAYERS = 1,
    parameter TABLES = 1,
    parameter [19:0] TABLE_BITS = 20'd3, // 4 bits each, table 0 in the low bits
    parameter [PORTS*PORTS-1:0] STEP = {PORTS*PORTS{1'b0}},
    parameter [19:0] NODE_ADDRESS = 20'd0,
    parameter COUNTERS = 1,
    parameter [31:0] COUNTER_START = 32'd0,  // value of all counters after a reset
    parameter CONTROL_PORT = 1
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [19:0]              s_axil_awaddr,
    input  wire                     s_axil_awvalid,
    output wire                     s_axil_awready,
    input  wire [31:0]              s_axil_wdata,
    input  wire [3:0]               s_axil_wstrb,
    input  wire                     s_axil_wvalid,
    output wire                     s_axil_wready,
    output wire [1:0]               s_axil_bresp,
    output wire                     s_axil_bvalid,
    input  wire                     s_axil_bready,
    input  wire [19:0]              s_axil_araddr,
    input  wire                     s_axil_arvalid,
    output wire                     s_axil_arready,
    output wire [31:0]              s_axil_rdata,
    output wire [1:0]               s_axil_rresp,
    output wire                     s_axil_rvalid,
    input  wire                     s_axil_rready,
    input  wire [NETWORK_PORTS-1:0] link_up,
    input  wire [PORTS*5-1:0]       input_events,   // of switch_core
    input  wire [PORTS*4-1:0]       output_events,  // of switch_core
    input  wire                     drop_valid,     // of first_drop
    input  wire [4:0]               drop_port,      // of switch_core
    input  wire [63:0]              drop_header,    // of switch_core
    input  wire [PCIE_LANES*14-1:0] pcie_events,    // counter c of PCIe port q at q * 14 + c
    output wire                     table_write,
    output wire [2:0]               table_select,
    output wire [11:0]              table_index,
    output wire [15:0]              table_entry,
    output wire [PORTS*PORTS-1:0]   step,
    output wire [19:0]              node_address
);
    generate
        if (CONTROL_PORT != 0) begin : gen_port
            control_registers #(
                .KIND(KIND),
                .NETWORK_PORTS(NETWORK_PORTS),
                .PCIE_PORTS(PCIE_PORTS),
                .PORTS(PORTS),
                .PCIE_LANES(PCIE_LANES),
                .DATA_WIDTH(DATA_WIDTH),
                .VCS(VCS),
                .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
                .QUEUE_FLITS(QUEUE_FLITS),
                .LAYERS(LAYERS),
                .TABLES(TABLES),
                .TABLE_BITS(TABLE_BITS),
                .STEP(STEP),
                .NODE_ADDRESS(NODE_ADDRESS),
                .COUNTERS(COUNTERS),
                .COUNTER_START(COUNTER_START)
            ) registers (
                .clk(clk),
                .rst(rst),
                .s_axil_awaddr(s_axil_awaddr),
                .s_axil_awvalid(s_axil_awvalid),
                .s_axil_awready(s_axil_awready),
                .s_axil_wdata(s_axil_wdata),
                .s_axil_wstrb(s_axil_wstrb),
                .s_axil_wvalid(s_axil_wvalid),
                .s_axil_wready(s_axil_wready),
                .s_axil_bresp(s_axil_bresp),
                .s_axil_bvalid(s_axil_bvalid),
                .s_axil_bready(s_axil_bready),
                .s_axil_araddr(s_axil_araddr),
                .s_axil_arvalid(s_axil_arvalid),
                .s_axil_arready(s_axil_arready),
                .s_axil_rdata(s_axil_rdata),
                .s_axil_rresp(s_axil_rresp),
                .s_axil_rvalid(s_axil_rvalid),
                .s_axil_rready(s_axil_rready),
                .link_up(link_up),
                .input_events(input_events),
                .output_events(output_events),
                .drop_valid(drop_valid),
                .drop_port(drop_port),
                .drop_header(drop_header),
                .pcie_events(pcie_events),
                .table_write(table_write),
                .table_select(table_select),
                .table_index(table_index),
                .table_entry(table_entry),
                .step(step),
                .node_address(node_address)
            );
        end else begin : gen_no_port
            assign s_axil_awready = 1'b0;
            assign s_axil_wready = 1'b0;
            assign s_axil_bresp = 2'd0;
            assign s_axil_bvalid = 1'b0;
            assign s_axil_arready = 1'b0;
            assign s_axil_rdata = 32'd0;
            assign s_axil_rresp = 2'd0;
            assign s_axil_rvalid = 1'b0;
            assign table_write = 1'b0;
            assign table_select = 3'd0;
            assign table_index = 12'd0;
            assign table_entry = 16'd0;
            assign step = STEP;
            assign node_address = NODE_ADDRESS;
            wire unused_ok = &{1'b0, clk, rst, s_axil_awaddr, s_axil_awvalid, s_axil_wdata,
                s_axil_wstrb, s_axil_wvalid, s_axil_bready, s_axil_araddr, s_axil_arvalid,
                s_axil_rready, link_up, input_events, output_events, drop_valid, drop_port,
                drop_header, pcie_events};
        end
    endgenerate
endmodule

`default_nettype wire
