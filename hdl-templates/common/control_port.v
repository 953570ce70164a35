// control_port: AXI4-Lite slave with identification, routing tables, channel steps, event
// counters, sticky errors and the first dropped header (register map: docs/microarchitecture.md).
// Latency: two cycles from a request to its response; a register is sampled and a write carried
// out in the second; a read of a counter waits for the counter's turn, at most a round (see
// event_counters), that of a mask while a write is carried out.
// Reset: synchronous, active high; the step bits return to STEP, where there is a turn.
// Limits: NETWORK_PORTS + PCIE_PORTS 1..32, PCIE_PORTS 0..16. CONTROL_PORT = 0 leaves the port
// out (outputs 0): it is held in its reset, and synthesis removes it. COUNTERS = 0 leaves the
// counters out (they read 0).
<$ banner $>

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
    parameter [31:0] TABLE_BITS = 32'd3, // 4 bits each, table 0 in the low bits
    parameter STEPS = 1,                // 0: packets stay on their channel, STEP is 0
    parameter ALTERNATES = 1,           // 0: table entries that have one are refused
    parameter [PORTS*PORTS-1:0] STEP = {PORTS*PORTS{1'b0}}, // bit i * PORTS + o
    parameter [PORTS*PORTS-1:0] TURNS = {PORTS*PORTS{1'b1}}, // as in switch_core
    parameter [19:0] NODE_ADDRESS = 20'd0,
    parameter COUNTERS = 1,
    parameter [31:0] COUNTER_START = 32'd0,  // value of all counters after a reset
    parameter PATHS = 0,                // 1: the registers of layer choice
    parameter MASK_BITS = 0,
    parameter [15:0] LAYER_ENTRY = 16'd0,
    parameter CONTROL_PORT = 1,
    parameter ADAPTIVE = 0,             // 1: the registers of candidates, three more counters
    parameter CANDIDATE_BITS = 0,
    parameter INPUT_EVENTS = ADAPTIVE != 0 ? 8 : 5 // do not override
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
    output reg  [1:0]               s_axil_bresp,
    output reg                      s_axil_bvalid,
    input  wire                     s_axil_bready,
    input  wire [19:0]              s_axil_araddr,
    input  wire                     s_axil_arvalid,
    output wire                     s_axil_arready,
    output reg  [31:0]              s_axil_rdata,
    output reg  [1:0]               s_axil_rresp,
    output reg                      s_axil_rvalid,
    input  wire                     s_axil_rready,
    input  wire [NETWORK_PORTS-1:0] link_up,
    input  wire [PORTS*INPUT_EVENTS-1:0] input_events, // of switch_core
    input  wire [PORTS*4-1:0]       output_events,  // of switch_core
    input  wire                     drop_valid,     // of first_drop
    input  wire [4:0]               drop_port,      // of switch_core
    input  wire [63:0]              drop_header,    // of switch_core
    input  wire [PCIE_LANES*14-1:0] pcie_events,    // counter c of PCIe port q at q * 14 + c
    output wire [31:0]              table_change,   // {write, table, index, entry}
    output wire [15:0]              table_read,     // {read, table, index}
    input  wire [15:0]              table_entry,    // the entry that is read; 0 without a read
    output reg  [PORTS*PORTS-1:0]   step,
    output reg  [19:0]              node_address,
    output wire [25:0]              mask_change,    // of path_registers
    input  wire [7:0]               mask_value,     // of path_choice
    output wire [15:0]              layer_entry,    // of path_registers
    output wire [36:0]              candidate_change, // {write, index, entry}
    output wire [11:0]              candidate_read, // an index
    input  wire [23:0]              candidate_entry // that is read
);
    // Ports with a turn in either direction: the others are not built.
    function [PORTS-1:0] with_turns(input [PORTS*PORTS-1:0] turns);
        integer from, to;
        begin
            with_turns = {PORTS{1'b0}};
            for (from = 0; from < PORTS; from = from + 1)
                for (to = 0; to < PORTS; to = to + 1)
                    if (turns[from*PORTS + to]) begin
                        with_turns[from] = 1'b1;
                        with_turns[to] = 1'b1;
                    end
        end
    endfunction

    // Ports to which inputs turn.
    function [31:0] outputs_of(input [PORTS*PORTS-1:0] turns);
        integer from;
        begin
            outputs_of = 32'd0;
            for (from = 0; from < PORTS; from = from + 1)
                outputs_of = outputs_of | {{32-PORTS{1'b0}}, turns[from*PORTS +: PORTS]};
        end
    endfunction

    localparam [PORTS-1:0] BUILT = with_turns(TURNS);
    localparam [31:0] OUTPUTS = outputs_of(TURNS);
    localparam [31:0] ID = 32'h4D4B_4E53;
    localparam [31:0] VERSION = 32'h0000_0100;
    localparam [31:0] BLOCK = NETWORK_PORTS | PCIE_PORTS << 8 | VCS << 16 | TABLES << 20
        | LAYERS << 24 | KIND << 28;
    localparam [31:0] SIZES = DATA_WIDTH | RX_BUFFER_FLITS << 10 | QUEUE_FLITS << 20;
    localparam [0:0] HAS_ADDRESS = KIND == 1 || KIND == 3;
    localparam [0:0] HAS_TURNS = KIND < 2;
    // Where no packet goes a channel up there is nothing to set.
    localparam [0:0] HAS_STEP = KIND < 2 && VCS > 1 && STEPS != 0;
    localparam [1:0] OKAY = 2'd0;
    localparam [1:0] SLAVE_ERROR = 2'd2;
    // Register numbers: byte address / 4.
    localparam [17:0] AT_ID = 18'h0;
    localparam [17:0] AT_VERSION = 18'h1;
    localparam [17:0] AT_BLOCK = 18'h2;
    localparam [17:0] AT_SIZES = 18'h3;
    localparam [17:0] AT_NODE_ADDRESS = 18'h4;
    localparam [17:0] AT_LINK_UP = 18'h5;
    localparam [17:0] AT_ERRORS = 18'h6;
    localparam [17:0] AT_DROP_PORT = 18'h7;
    localparam [17:0] AT_DROP_LOW = 18'h8;
    localparam [17:0] AT_DROP_HIGH = 18'h9;
    localparam [3:0] LAST_REGISTER = AT_DROP_HIGH[3:0];
    localparam [17:0] AT_STEP = 18'h400;
    localparam [17:0] STEP_END = AT_STEP + PORTS[17:0];
    localparam [17:0] AT_TURNS = 18'h600;
    localparam [17:0] TURNS_END = AT_TURNS + PORTS[17:0];
    localparam [5:0] COUNTERS_PAGE = 6'h02;
    localparam [5:0] PCIE_PAGE = 6'h03;
    localparam [5:0] PORT_COUNT = PORTS[5:0];
    localparam [5:0] TABLES_PAGE = 6'h10;
    localparam [5:0] CANDIDATES_PAGE = 6'h18;
    localparam [31:0] CORE_COUNTERS = INPUT_EVENTS + 4; // of a port

    wire held = rst | CONTROL_PORT == 0;
    reg write_ready, read_ready;
    reg [7:0] kept_errors;
    wire [7:0] errors;
    reg [4:0] first_drop_port;
    reg [63:0] first_drop_header;

    assign {s_axil_awready, s_axil_wready, s_axil_arready} = {{2{write_ready}}, read_ready};

    // Writes ---------------------------------------------------------------------------------
    wire [17:0] write_register = s_axil_awaddr[19:2];
    wire write_whole = s_axil_awaddr[1:0] == 2'd0 & s_axil_wstrb == 4'hF;
    reg write_node_address, write_errors, write_step, write_table;
    wire write_path;                // a register of layer choice, or a candidate
    // A valid entry whose port or alternate no packet can reach.
    wire leads_nowhere = s_axil_wdata[6] & ~s_axil_wdata[5]
        & (~OUTPUTS[s_axil_wdata[4:0]]
            | (s_axil_wdata[13] & (ALTERNATES == 0 | ~OUTPUTS[s_axil_wdata[12:8]])));

    // Whether a register is an entry of a routing table.
    function is_entry(input [17:0] register);
        integer table_number;
        begin
            is_entry = 1'b0;
            for (table_number = 0; table_number < TABLES; table_number = table_number + 1)
                if (register[17:12] == TABLES_PAGE + table_number[5:0])
                    is_entry = {20'd0, register[11:0]}
                        < (LAYERS << TABLE_BITS[table_number*4 +: 4]);
        end
    endfunction

    // A write is carried out in the cycle after the one in which it was asked for, and the master
    // holds it: whether it names an entry is a register, which shortens its way.
    reg write_entry;
    always @(posedge clk)
        write_entry <= is_entry(write_register) & ~leads_nowhere;

    always @* begin
        {write_node_address, write_errors, write_step, write_table} = 4'd0;
        if (write_ready & write_whole) begin
            write_node_address = HAS_ADDRESS & write_register == AT_NODE_ADDRESS;
            write_errors = write_register == AT_ERRORS;
            write_step = HAS_STEP & write_register >= AT_STEP & write_register < STEP_END;
            write_table = write_entry;
        end
    end

    assign table_change = {write_table, s_axil_awaddr[16:2], s_axil_wdata[15:0]};

    integer row;
    always @(posedge clk) begin
        if (held) begin
            write_ready <= 1'b0;
            s_axil_bvalid <= 1'b0;
            s_axil_bresp <= OKAY;
            node_address <= NODE_ADDRESS;
            step <= STEP & TURNS;
        end else begin
            write_ready <= s_axil_awvalid & s_axil_wvalid & ~write_ready & ~s_axil_bvalid;
            if (write_ready) begin
                s_axil_bvalid <= 1'b1;
                s_axil_bresp <= write_node_address | write_errors | write_step | write_table
                    | write_path ? OKAY : SLAVE_ERROR;
            end else if (s_axil_bready) begin
                s_axil_bvalid <= 1'b0;
                s_axil_bresp <= OKAY;
            end
            if (write_node_address)
                node_address <= s_axil_wdata[19:0];
            if (HAS_STEP & write_step)
                for (row = 0; row < PORTS; row = row + 1)
                    if (write_register[4:0] == row[4:0])
                        step[row*PORTS +: PORTS]
                            <= s_axil_wdata[PORTS-1:0] & TURNS[row*PORTS +: PORTS];
        end
    end

    // Events ---------------------------------------------------------------------------------
    localparam [13:0] INGRESS_DROP = 14'h01FE;
    localparam [13:0] EGRESS_FAULT = 14'h1C00;
    localparam [13:0] TIMEOUT_DROP = 14'h2000;

    // Events are kept for a cycle before they join the errors that stay until they are cleared:
    // that shortens their way. Those of outputs come last, and are kept by port.
    reg [PORTS-1:0] lost_at_output;
    reg [7:0] raised;
    reg [7:0] new_errors;           // raised in the last cycle; bit 3 is in lost_at_output
    always @* begin
        raised = 8'd0;
        raised[0] = |input_events[2*PORTS +: PORTS];
        raised[1] = |input_events[3*PORTS +: PORTS];
        raised[2] = |input_events[4*PORTS +: PORTS];
        raised[7] = drop_valid & ~errors[7];
        if (PCIE_PORTS > 0) begin
            raised[4] = |(pcie_events & {PCIE_LANES{INGRESS_DROP}});
            raised[5] = |(pcie_events & {PCIE_LANES{EGRESS_FAULT}});
            raised[6] = |(pcie_events & {PCIE_LANES{TIMEOUT_DROP}});
        end
    end

    assign errors = kept_errors | new_errors | {4'd0, |lost_at_output, 3'd0};

    always @(posedge clk)
        if (held) begin
            kept_errors <= 8'd0;
            new_errors <= 8'd0;
            lost_at_output <= {PORTS{1'b0}};
            first_drop_port <= 5'd0;
            first_drop_header <= 64'd0;
        end else begin
            kept_errors <= errors & ~(s_axil_wdata[7:0] & {8{write_errors}});
            new_errors <= raised;
            lost_at_output <= output_events[3*PORTS +: PORTS];
            if (raised[7]) begin
                first_drop_port <= drop_port;
                first_drop_header <= drop_header;
            end
        end

    // Reads ----------------------------------------------------------------------------------
    wire [17:0] asked_register = s_axil_araddr[19:2];
    wire [4:0] asked_port = s_axil_araddr[10:6];
    wire [3:0] asked_number = s_axil_araddr[5:2];
    wire asked_whole = s_axil_araddr[1:0] == 2'd0;
    // Bit 11 splits a page of counters: the upper half is empty.
    wire asks_core = s_axil_araddr[19:11] == {2'b00, COUNTERS_PAGE, 1'b0}
        & {1'b0, asked_port} < PORT_COUNT & asked_number < CORE_COUNTERS[3:0];
    wire asks_pcie;
    wire asks_counter = asks_core | asks_pcie;
    // Like that of a write, the address of a read is held until the register is sampled.
    reg [17:0] read_register;
    reg read_whole, read_counter, read_entry;
    wire [3:0] read_number = read_register[3:0];
    wire read_step = HAS_STEP & read_register >= AT_STEP & read_register < STEP_END;
    wire read_turns = HAS_TURNS & read_register >= AT_TURNS & read_register < TURNS_END;
    wire counter_comes;             // the turn of the read counter is over in the next cycle
    wire waits_for_counter, read_path, waits_for_path;
    wire [31:0] path_value, counter_value;
    reg [31:0] read_value;
    reg readable;
    integer selected;

    generate
        if (PCIE_PORTS > 0) begin : gen_pcie_page
            assign asks_pcie = s_axil_araddr[19:11] == {2'b00, PCIE_PAGE, 1'b0}
                & asked_port < PCIE_PORTS[4:0] & asked_number < 4'd14;
        end else begin : gen_no_pcie_page
            assign asks_pcie = 1'b0;
        end
    endgenerate

    always @(posedge clk) begin
        read_register <= asked_register;
        read_whole <= asked_whole;
        read_counter <= asks_counter;
        read_entry <= is_entry(asked_register);
    end

    wire read_table = read_ready & read_whole & read_entry;
    assign table_read = {read_table, read_register[14:0]};

    always @* begin
        read_value = 32'd0;
        readable = 1'b0;
        selected = 0;
        if (read_ready & read_whole) begin
            if (read_register[17:4] == 14'd0) begin
                readable = read_number <= LAST_REGISTER;
                case (read_number)
                    AT_ID[3:0]: read_value = ID;
                    AT_VERSION[3:0]: read_value = VERSION;
                    AT_BLOCK[3:0]: read_value = BLOCK;
                    AT_SIZES[3:0]: read_value = SIZES;
                    AT_NODE_ADDRESS[3:0]:
                        read_value = HAS_ADDRESS ? {12'd0, node_address} : 32'd0;
                    AT_LINK_UP[3:0]:
                        read_value[NETWORK_PORTS-1:0] = link_up & BUILT[NETWORK_PORTS-1:0];
                    AT_ERRORS[3:0]: read_value = {24'd0, errors};
                    AT_DROP_PORT[3:0]: read_value = {27'd0, first_drop_port};
                    AT_DROP_LOW[3:0]: read_value = first_drop_header[31:0];
                    AT_DROP_HIGH[3:0]: read_value = first_drop_header[63:32];
                    default: read_value = 32'd0;
                endcase
            end else if (read_counter) begin
                readable = 1'b1;
                read_value = counter_value;
            end else if (read_step) begin
                readable = 1'b1;
                for (selected = 0; selected < PORTS; selected = selected + 1)
                    if (read_register[4:0] == selected[4:0])
                        read_value[PORTS-1:0] = step[selected*PORTS +: PORTS];
            end else if (read_turns) begin
                readable = 1'b1;
                for (selected = 0; selected < PORTS; selected = selected + 1)
                    if (read_register[4:0] == selected[4:0])
                        read_value[PORTS-1:0] = TURNS[selected*PORTS +: PORTS];
            end else if (read_table) begin
                readable = 1'b1;
                read_value = {16'd0, table_entry};
            end else if (read_path) begin
                readable = 1'b1;
                read_value = path_value;
            end
        end
    end

    wire read_asked = s_axil_arvalid & ~read_ready & ~s_axil_rvalid;

    always @(posedge clk)
        if (held) begin
            read_ready <= 1'b0;
            s_axil_rvalid <= 1'b0;
            s_axil_rresp <= OKAY;
            s_axil_rdata <= 32'd0;
        end else begin
            read_ready <= read_asked & ~waits_for_counter & ~waits_for_path | counter_comes;
            if (read_ready) begin
                s_axil_rvalid <= 1'b1;
                s_axil_rresp <= readable ? OKAY : SLAVE_ERROR;
                s_axil_rdata <= read_value;
            end else if (s_axil_rready) begin
                s_axil_rvalid <= 1'b0;
                s_axil_rresp <= OKAY;
                s_axil_rdata <= 32'd0;
            end
        end

    // Counters -------------------------------------------------------------------------------
    generate
        if (COUNTERS != 0 && CONTROL_PORT != 0) begin : gen_counters
            assign waits_for_counter = asked_whole & asks_counter;
            event_counters #(
                .PORTS(PORTS), .PCIE_PORTS(PCIE_PORTS), .BUILT(BUILT),
                .COUNTER_START(COUNTER_START), .ADAPTIVE(ADAPTIVE)
            ) counters (
                .clk(clk), .rst(rst), .input_events(input_events), .output_events(output_events),
                .pcie_events(pcie_events), .wanted(read_asked & waits_for_counter),
                .pcie(asks_pcie), .port(asked_port), .number(asked_number), .comes(counter_comes),
                .value(counter_value)
            );
        end else begin : gen_no_counters
            assign {waits_for_counter, counter_comes, counter_value} = 34'd0;
        end
    endgenerate

    // Layer choice, or candidates ------------------------------------------------------------
    generate
        if (LAYERS < 1 || LAYERS > 8) begin : gen_check_layers
            illegal_parameter_LAYERS_must_be_1_to_8 stop ();
        end
        if (PATHS != 0) begin : gen_paths
            path_registers #(
                .VCS(VCS), .LAYERS(LAYERS), .MASK_BITS(MASK_BITS), .LAYER_ENTRY(LAYER_ENTRY)
            ) registers (
                .clk(clk), .rst(held), .writes(write_ready),
                .write_whole(write_ready & write_whole), .write_register(write_register),
                .write_data(s_axil_wdata), .write_mine(write_path), .read_whole(asked_whole),
                .read_register(asked_register), .read_mine(read_path), .read_waits(waits_for_path),
                .read_value(path_value), .mask_change(mask_change), .mask_value(mask_value),
                .layer_entry(layer_entry)
            );
            assign {candidate_change, candidate_read} = 49'd0;
        end else if (ADAPTIVE != 0) begin : gen_candidates
            localparam [31:0] CANDIDATES = 32'd1 << CANDIDATE_BITS;
            assign write_path = write_ready & write_whole & write_register[17:12] == CANDIDATES_PAGE
                & {20'd0, write_register[11:0]} < CANDIDATES;
            assign read_path = read_register[17:12] == CANDIDATES_PAGE
                & {20'd0, read_register[11:0]} < CANDIDATES;
            assign waits_for_path = 1'b0;
            assign path_value = {8'd0, candidate_entry};
            assign candidate_change = {write_path, write_register[11:0], s_axil_wdata[23:0]};
            assign candidate_read = read_register[11:0];
            assign {mask_change, layer_entry} = 42'd0;
        end else begin : gen_no_paths
            assign {write_path, read_path, waits_for_path} = 3'd0;
            assign {path_value, mask_change, layer_entry} = 74'd0;
            assign {candidate_change, candidate_read} = 49'd0;
        end
    endgenerate

    wire unused_ok = &{1'b0, s_axil_wdata, pcie_events, input_events, output_events, mask_value,
        table_entry, candidate_entry};
endmodule
