// rok_fifo: the flits that one link of a POK unit has received, a FIFO for each virtual channel.
// The oldest flit of every channel is visible; credits of the sender guarantee room.
// Latency: a flit that arrives in cycle t is visible from cycle t + 1 on. Throughput: one flit per
// cycle in, one per cycle and channel out. Reset: synchronous, active high; memory bits stay.
// Limits: DATA_WIDTH 64, 128, 256 or 512, VCS 1, 2 or 4, RX_BUFFER_FLITS 4..256.
<$ banner $>

module rok_fifo #(
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter VC_BITS = VCS > 2 ? 2 : 1, // do not override
    parameter RX_BUFFER_FLITS = 12       // flits of one channel
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      rx_valid,
    input  wire [VC_BITS-1:0]        rx_vc,
    input  wire                      rx_last,
    input  wire                      rx_bad,
    input  wire [DATA_WIDTH-1:0]     rx_data,
    input  wire [VCS-1:0]            pop,
    output wire [VCS-1:0]            filled,
    output wire [VCS-1:0]            head_last,
    output wire [VCS-1:0]            head_bad,
    output wire [VCS*DATA_WIDTH-1:0] head_data
);
    localparam POINTER_BITS = $clog2(RX_BUFFER_FLITS);
    localparam [POINTER_BITS:0] ONE_FLIT = 1;

    generate
        if (DATA_WIDTH != 64 && DATA_WIDTH != 128 && DATA_WIDTH != 256 && DATA_WIDTH != 512)
        begin : gen_check_data_width
            illegal_parameter_DATA_WIDTH_must_be_64_128_256_or_512 stop ();
        end
        if (VCS != 1 && VCS != 2 && VCS != 4) begin : gen_check_vcs
            illegal_parameter_VCS_must_be_1_2_or_4 stop ();
        end
        if (RX_BUFFER_FLITS < 4 || RX_BUFFER_FLITS > 256) begin : gen_check_rx_buffer_flits
            illegal_parameter_RX_BUFFER_FLITS_must_be_4_to_256 stop ();
        end

        genvar v;
        for (v = 0; v < VCS; v = v + 1) begin : gen_channel
            localparam [31:0] NUMBER = v;

            reg [DATA_WIDTH+1:0]   memory [0:(1 << POINTER_BITS) - 1]; // {last, bad, data}
            reg [POINTER_BITS-1:0] write_at;
            reg [POINTER_BITS-1:0] read_at;
            reg [POINTER_BITS:0]   level;

            wire push;
            if (VCS == 1) begin : gen_push
                assign push = rx_valid;
                wire unused_ok = &{1'b0, rx_vc, NUMBER};
            end else begin : gen_push
                assign push = rx_valid & rx_vc == NUMBER[VC_BITS-1:0];
            end

            assign filled[v] = level != {POINTER_BITS + 1{1'b0}};
            assign {head_last[v], head_bad[v], head_data[v*DATA_WIDTH +: DATA_WIDTH]}
                = memory[read_at];

            always @(posedge clk)
                if (push)
                    memory[write_at] <= {rx_last, rx_bad, rx_data};

            always @(posedge clk)
                if (rst) begin
                    write_at <= {POINTER_BITS{1'b0}};
                    read_at <= {POINTER_BITS{1'b0}};
                    level <= {POINTER_BITS + 1{1'b0}};
                end else begin
                    if (push)
                        write_at <= write_at + ONE_FLIT[POINTER_BITS-1:0];
                    if (pop[v])
                        read_at <= read_at + ONE_FLIT[POINTER_BITS-1:0];
                    if (push & ~pop[v])
                        level <= level + ONE_FLIT;
                    else if (pop[v] & ~push)
                        level <= level - ONE_FLIT;
                end

`ifdef MKNS_ASSERT
            localparam [31:0] DEPTH = RX_BUFFER_FLITS;
            always @(posedge clk)
                if (!rst) begin
                    if (push & level >= DEPTH[POINTER_BITS:0]) begin
                        $display("mkns_assert %m: a flit arrives without a credit");
                        $stop;
                    end
                    if (pop[v] & ~filled[v]) begin
                        $display("mkns_assert %m: pop of an empty FIFO");
                        $stop;
                    end
                end
`endif
        end
    endgenerate
endmodule
