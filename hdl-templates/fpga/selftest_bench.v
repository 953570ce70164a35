// selftest_bench: the self-test of <$ board $> in a simulator, with short rounds and a fast serial
// line (`fusesoc run --target=sim`; any Verilog simulator will do).
//
// Prints what the self-test says. $finish after LINES lines that end in pass, $stop after one that
// does not, or when nothing is said for too long.
<$ banner $>

module selftest_bench;
    localparam LINES = 2;
    localparam DIVIDER = 4;
    localparam PATIENCE = 100000; // cycles

    reg         clk;
    reg         rst;
    wire        line;
    wire [3:0]  led;
    reg  [47:0] text; // the last six characters
    reg  [9:0]  frame;
    integer     bits;
    integer     cycle;
    integer     lines;
    reg         failed;

    initial begin
        clk    = 1'b0;
        rst    = 1'b1;
        lines  = 0;
        bits   = 0;
        failed = 1'b0;
        for (cycle = 0; cycle < PATIENCE && lines < LINES && !failed; cycle = cycle + 1) begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            if (cycle == 9)
                rst = 1'b0;
        end
        if (lines == LINES && !failed)
            $finish;
        else
            $stop;
    end

    // From the start bit on, the middle of every bit; the stop bit comes last.
    always @(negedge line) if (bits == 0 && !rst) begin
        repeat (DIVIDER / 2) @(posedge clk);
        for (bits = 1; bits <= 10; bits = bits + 1) begin
            frame = {line, frame[9:1]};
            if (bits < 10)
                repeat (DIVIDER) @(posedge clk);
        end
        bits = 0;
        text = {text[39:0], frame[8:1]};
        if (frame[8:1] != 8'h0D)
            $write("%c", frame[8:1]);
        if (frame[8:1] == 8'h0A) begin
            lines = lines + 1;
            if (text != "pass\015\012")
                failed = 1'b1;
        end
    end

    selftest #(
        .BAUD_DIVIDER(DIVIDER),
        .RUN_CYCLES(1500),
        .DRAIN_CYCLES(600)
    ) test (
        .clk(clk),
        .rst(rst),
        .serial_in(1'b1),
        .serial_out(line),
        .led(led)
    );
endmodule
