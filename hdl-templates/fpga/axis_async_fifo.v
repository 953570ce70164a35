// axis_async_fifo: an AXI4-Stream from one clock to another, by a memory and Gray-coded pointers.
//
// Each side counts in its own clock; only the Gray codes of the two pointers cross, through two
// registers each (constraints/common/async_fifo.*: at most one period of the receiving clock
// apart). Every word is in the memory before the pointer that announces it has crossed.
//
// Latency: 3 to 4 cycles of m_clk after the write. Throughput: one beat per cycle of the slower
// clock.
// Reset: each side synchronous to its own clock, active high. Both have to be active at once for at
// least four cycles of the slower clock, because a reset of one side alone loses or repeats beats;
// packet_crossing sees to that.
// Limits: ADDRESS_BITS 2..12 (2^ADDRESS_BITS beats), WIDTH >= 1.
<$ banner $>

module axis_async_fifo #(
    parameter WIDTH = 74, // {tuser, tlast, tkeep, tdata}
    parameter ADDRESS_BITS = 5
) (
    input  wire             s_clk,
    input  wire             s_rst,
    input  wire             s_valid,
    output wire             s_ready,
    input  wire [WIDTH-1:0] s_data,
    input  wire             m_clk,
    input  wire             m_rst,
    output reg              m_valid,
    input  wire             m_ready,
    output reg  [WIDTH-1:0] m_data
);
    generate
        if (ADDRESS_BITS < 2 || ADDRESS_BITS > 12) begin : gen_check_address_bits
            illegal_parameter_ADDRESS_BITS_must_be_2_to_12 stop ();
        end
    endgenerate

    localparam POINTER_BITS = ADDRESS_BITS + 1;

    reg [WIDTH-1:0] memory [0:(1 << ADDRESS_BITS)-1];

    // Pointers: binary in their own clock, Gray code for the other one.
    reg  [POINTER_BITS-1:0] write_binary;
    reg  [POINTER_BITS-1:0] write_gray;
    reg  [POINTER_BITS-1:0] read_binary;
    reg  [POINTER_BITS-1:0] read_gray;
    (* ASYNC_REG = "TRUE", syn_preserve = 1,
       altera_attribute = "-name SYNCHRONIZER_IDENTIFICATION FORCED" *)
    reg [POINTER_BITS-1:0] write_gray_m_1, write_gray_m_2;
    (* ASYNC_REG = "TRUE", syn_preserve = 1,
       altera_attribute = "-name SYNCHRONIZER_IDENTIFICATION FORCED" *)
    reg [POINTER_BITS-1:0] read_gray_s_1, read_gray_s_2;

    wire [POINTER_BITS-1:0] write_next = write_binary + {{ADDRESS_BITS{1'b0}}, 1'b1};
    wire [POINTER_BITS-1:0] read_next  = read_binary + {{ADDRESS_BITS{1'b0}}, 1'b1};

    // Full: the write pointer is one round ahead, which turns the two highest bits of its Gray
    // code.
    wire full  = write_gray == {~read_gray_s_2[POINTER_BITS-1:POINTER_BITS-2],
                                read_gray_s_2[POINTER_BITS-3:0]};
    wire empty = read_gray == write_gray_m_2;
    wire takes = !empty && (!m_valid || m_ready);

    assign s_ready = !full && !s_rst;

    always @(posedge s_clk) begin
        read_gray_s_1 <= read_gray;
        read_gray_s_2 <= read_gray_s_1;
        if (s_rst) begin
            write_binary  <= {POINTER_BITS{1'b0}};
            write_gray    <= {POINTER_BITS{1'b0}};
            read_gray_s_1 <= {POINTER_BITS{1'b0}};
            read_gray_s_2 <= {POINTER_BITS{1'b0}};
        end else if (s_valid && s_ready) begin
            write_binary <= write_next;
            write_gray   <= write_next ^ (write_next >> 1);
        end
    end

    always @(posedge s_clk)
        if (s_valid && s_ready)
            memory[write_binary[ADDRESS_BITS-1:0]] <= s_data;

    always @(posedge m_clk) begin
        write_gray_m_1 <= write_gray;
        write_gray_m_2 <= write_gray_m_1;
        if (m_rst) begin
            read_binary    <= {POINTER_BITS{1'b0}};
            read_gray      <= {POINTER_BITS{1'b0}};
            write_gray_m_1 <= {POINTER_BITS{1'b0}};
            write_gray_m_2 <= {POINTER_BITS{1'b0}};
            m_valid        <= 1'b0;
        end else begin
            if (takes) begin
                read_binary <= read_next;
                read_gray   <= read_next ^ (read_next >> 1);
            end
            if (!m_valid || m_ready)
                m_valid <= !empty;
        end
    end

    always @(posedge m_clk)
        if (takes)
            m_data <= memory[read_binary[ADDRESS_BITS-1:0]];

`ifdef MKNS_ASSERT
    // What crosses changes in one bit at a time: the other side sees the old or the new value.
    reg  [POINTER_BITS-1:0] write_gray_before;
    reg  [POINTER_BITS-1:0] read_gray_before;
    reg                     s_runs;
    reg                     m_runs;
    wire [POINTER_BITS-1:0] write_change = write_gray ^ write_gray_before;
    wire [POINTER_BITS-1:0] read_change  = read_gray ^ read_gray_before;

    initial {s_runs, m_runs} = 2'b00;

    always @(posedge s_clk) begin
        s_runs            <= !s_rst;
        write_gray_before <= write_gray;
        if (s_runs && (write_change & (write_change - 1'b1)) != 0) begin
            $display("mkns_assert %m: the write pointer changes in two bits");
            $stop;
        end
    end

    always @(posedge m_clk) begin
        m_runs           <= !m_rst;
        read_gray_before <= read_gray;
        if (m_runs && (read_change & (read_change - 1'b1)) != 0) begin
            $display("mkns_assert %m: the read pointer changes in two bits");
            $stop;
        end
    end
`endif
endmodule
