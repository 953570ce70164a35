// What LitePCIe's Linux driver and its programs do with one DMA channel (docs/microarchitecture.md 9), for benches: they switch each
// direction on and off at random moments, also in mid-packet, and make runs of packets and packets of runs.
//
// To the card: a run of some packets with fillers between them and the rest of an old ring behind its end. Sometimes the whole ring is
// sent once more. From the card: every word of a run is checked. While `calm`, nothing is switched off but a run from the card
// that is over. Each `fault` says what is wrong with a run from the card.
`timescale 1ps/1ps
`default_nettype none

module litepcie_program #(
    parameter BUFFER_WORDS = 32,
    parameter MAX_PACKET_BEATS = 20
) (
    input  wire        clk, rst, calm,
    input  wire [31:0] first_seed, // read at the start
    // packets for the card; a source has to drop its packet when reader_next is 0
    input  wire        in_valid, in_last,
    output wire        in_ready,
    input  wire [63:0] in_data,
    // the core's reader
    output reg         reader_next, reader_on, // reader_next: one cycle before
    output wire        reader_valid,
    input  wire        reader_ready,
    output wire [63:0] reader_data,
    // the core's writer
    output reg         writer_on,
    input  wire        writer_valid,
    output wire        writer_ready,
    input  wire [63:0] writer_data,
    // packets from the card; one that is cut ends with writer_on
    output wire        out_valid, out_last,
    input  wire        out_ready,
    output reg [8*24-1:0] fault
);
    localparam [31:0] BEGIN = 32'h524E4B4D;
    localparam [5:0]  MARK = 6'h2B;
    localparam GROUP = 32;
    localparam HALF = 128;
    localparam RING = 1024;

    integer seed;

    function integer below(input integer limit);
        below = $unsigned($random(seed)) % limit;
    endfunction

    // To the card.
    localparam [2:0] OFF = 0, FIRST = 1, PACKETS = 2, FILLERS = 3, LAST = 4, REST = 5, AGAIN = 6;

    reg [2:0]  phase;
    reg [63:0] ring [0:RING-1];
    reg [31:0] number;
    reg        was_begun;  // the card has seen the begin of the run in the ring
    integer    left, at, length;

    wire moves = reader_valid && reader_ready && reader_on;

    assign in_ready     = phase == PACKETS && reader_ready;
    assign reader_valid = phase == PACKETS ? in_valid : phase != OFF;
    assign reader_data  = phase == FIRST ? {BEGIN, number} : phase == PACKETS ? in_data
                        : phase == FILLERS ? 64'd0 : phase == LAST ? {64{1'b1}} : ring[at];

    task switch_off;
        begin
            phase <= OFF;
            reader_next <= 1'b0;
            left <= 2 + below(20);
        end
    endtask

    always @(posedge clk) begin
        reader_on <= reader_next;
        if (rst) begin
            switch_off;
            reader_on <= 1'b0;
            was_begun <= 1'b0;
        end else begin
            if (moves && phase < REST && length < RING) begin
                ring[length] <= reader_data;
                length <= length + 1;
            end
            if (moves && phase == FIRST) was_begun <= 1'b1;
            left <= left - 1;
            at   <= at + moves;
            case (phase)
                OFF: if (left <= 0) begin
                    reader_next <= 1'b1;
                    left <= 0;
                    at   <= 0;
                    if (was_begun && length > 0 && below(4) == 0)
                        phase <= AGAIN;
                    else begin
                        phase     <= FIRST;
                        number    <= number + 1;
                        was_begun <= 1'b0;
                        length    <= 0;
                    end
                end
                FIRST: if (moves) phase <= FILLERS;
                FILLERS: if (moves && below(3) != 0) phase <= PACKETS;
                PACKETS: if (moves && in_last && !calm && below(12) == 0)
                    phase <= LAST;
                else if (moves && in_last && below(2) == 0)
                    phase <= FILLERS;
                LAST: if (moves) begin
                    phase <= REST;
                    at    <= below(4) * length / 4;
                end
                default: if (at >= length - 1 || below(60) == 0) switch_off;
            endcase
            // the program ends
            if (phase != OFF && !calm && below(200) == 0) switch_off;
        end
    end

    // From the card.
    reg     inside;
    integer words, place, beats, begun, offs, pause;

    wire is_first    = words == 0;
    wire is_over     = words == (HALF + 1) * BUFFER_WORDS;
    wire interrupts  = words / BUFFER_WORDS % GROUP == 0 && words >= BUFFER_WORDS;
    wire is_too_late = (words / BUFFER_WORDS + 1) % GROUP == 0
                       && words % BUFFER_WORDS + MAX_PACKET_BEATS > BUFFER_WORDS;
    wire is_header   = !inside && !is_first && writer_data != 64'd0;
    wire takes       = writer_on && writer_valid && writer_ready;

    assign writer_ready = writer_on && out_ready && !is_over;
    assign out_valid    = writer_on && writer_valid && !is_over && (inside || is_header);
    assign out_last     = inside ? place == beats : writer_data[52:43] == 10'd0;

    always @(posedge clk)
        if (rst || !writer_on) begin
            inside <= 1'b0;
            words  <= 0;
            pause  <= pause - 1;
            if (rst) begin
                writer_on <= 1'b0;
                begun <= 0;
                offs  <= 0;
                pause <= 2 + below(20);
            end else if (pause <= 0)
                writer_on <= 1'b1;
        end else begin
            if (is_over && writer_valid) fault = "words behind the end";
            if (takes) begin
                words <= words + 1;
                if (is_first && writer_data[63:32] != BEGIN) fault = "no begin";
                if (is_first && (writer_data[31:0] < begun || writer_data[31:0] > begun + offs))
                    fault = "wrong number of packets";
                if (is_header && writer_data[63:58] != MARK) fault = "no mark";
                if ((is_header || inside) && interrupts) fault = "in an interrupt's buffer";
                if (is_header && is_too_late) fault = "a packet that has no room";
                if (is_header) begin
                    beats <= writer_data[52:43];
                    begun <= begun + 1;
                end
                place  <= inside ? place + 1 : 1;
                inside <= (is_header || inside) && !out_last;
            end
            if (is_over || (!calm && below(600) == 0)) begin
                writer_on <= 1'b0;
                offs  <= offs + 1;
                pause <= 2 + below(20);
            end
        end

    initial begin
        {reader_next, reader_on, writer_on, was_begun, inside} = 5'd0;
        phase = OFF; number = 0; left = 10; at = 0; length = 0;
        words = 0; place = 0; beats = 0; begun = 0; offs = 0; pause = 10; fault = 0;
        #1 seed = first_seed;
    end
endmodule

`default_nettype wire
