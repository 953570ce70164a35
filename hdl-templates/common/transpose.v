// transpose: turns a matrix of LANES-bit elements from row-major to column-major order.
// Wiring only. It is written such that elements that are 0 cost no simulation time.
// Bit `lane` of element (row, column) is at row * ROW_STRIDE + column * IN_COLUMN + lane * IN_LANE
// of `by_row` and at column * COLUMN_STRIDE + row * OUT_ROW + lane * OUT_LANE of `by_column`; bits
// of `by_column` that belong to no element are 0.
// Latency: combinational. Reset: none. Limits: all parameters >= 1, no two elements at one place.
<$ banner $>

module transpose #(
    parameter ROWS = 4,
    parameter COLUMNS = 4,
    parameter LANES = 1,
    parameter ROW_STRIDE = COLUMNS * LANES,
    parameter IN_COLUMN = LANES,
    parameter IN_LANE = 1,
    parameter COLUMN_STRIDE = ROWS * LANES,
    parameter OUT_ROW = LANES,
    parameter OUT_LANE = 1
) (
    input  wire [ROWS*ROW_STRIDE-1:0]       by_row,
    output reg  [COLUMNS*COLUMN_STRIDE-1:0] by_column
);
    integer row, column, lane;

    always @* begin
        by_column = {COLUMNS*COLUMN_STRIDE{1'b0}};
        row = 0;
        column = 0;
        lane = 0;
        if (|by_row)
            for (row = 0; row < ROWS; row = row + 1)
                if (|by_row[row*ROW_STRIDE +: ROW_STRIDE])
                    for (column = 0; column < COLUMNS; column = column + 1)
                        for (lane = 0; lane < LANES; lane = lane + 1)
                            if (by_row[row*ROW_STRIDE + column*IN_COLUMN + lane*IN_LANE])
                                by_column[column*COLUMN_STRIDE + row*OUT_ROW + lane*OUT_LANE]
                                    = 1'b1;
    end
endmodule
