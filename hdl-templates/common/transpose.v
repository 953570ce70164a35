// transpose: turns a bit matrix from row-major to column-major order.
// Wiring only. Rows that are all 0 are skipped, so that an idle matrix costs no simulation time.
// Latency: combinational. Reset: none. Limits: all parameters >= 1.
<$ banner $>
`default_nettype none

module transpose #(
    parameter ROWS = 4,
    parameter COLUMNS = 4
) (
    input  wire [ROWS*COLUMNS-1:0] by_row,
    output reg  [ROWS*COLUMNS-1:0] by_column
);
    integer row;
    integer column;

    always @* begin
        by_column = {ROWS*COLUMNS{1'b0}};
        row = 0;
        column = 0;
        if (|by_row)
            for (row = 0; row < ROWS; row = row + 1)
                if (|by_row[row*COLUMNS +: COLUMNS])
                    for (column = 0; column < COLUMNS; column = column + 1)
                        by_column[column*ROWS + row] = by_row[row*COLUMNS + column];
    end
endmodule

`default_nettype wire
