//! The MKNS paper's tables 2 to 7 as charts: what is printed, and rings where the graph has that.

use super::column::{COLUMNS, Column};
use super::table::{Cell, Table};
use mkns_report::plot::axes::{Axes, Plane, Scale};
use mkns_report::plot::canvas::{
    Area, BELOW_TITLE, Drawn, Fill, LINE, MARGIN, UNIT, colour, legend, legend_places, line,
    marker, notes, ring, sheet,
};

const WIDTH: i32 = 720 * UNIT;
const CHART: i32 = 270 * UNIT;
const MARKER: i32 = 5 * UNIT;
/// Tables whose values span more than this are drawn on a logarithmic axis.
const WIDE: f64 = 100.0;
const NOTES: [&str; 2] = [
    "marker: printed in the paper; ring: measured on the graph of the same size",
    "(bisection: best cut found). Horizontal: hosts.",
];

/// The picture; tables without numbers of machines, which is table 1, are left out.
pub fn paper_tables(tables: &[Table]) -> String {
    let charts = tables
        .iter()
        .filter(|table| table.cells.iter().all(|cell| cell.hosts.is_some()));
    let charts: Vec<&Table> = charts.collect();
    let names: Vec<String> = COLUMNS
        .iter()
        .map(|column| column.title().to_owned())
        .collect();
    let (places, below_legend) = legend_places(&names, WIDTH, BELOW_TITLE);
    let top = below_legend + LINE * NOTES.len() as i32 + LINE / 2;
    let step = CHART + LINE / 2;
    let height = top + step * charts.len() as i32 + MARGIN;
    sheet("The tables of the MKNS paper", (WIDTH, height), |area| {
        legend(area, &names, &places, |series, at| {
            marker(area, series, at, MARKER, Fill::Full)
        })?;
        notes(area, &NOTES, below_legend)?;
        for (at, table) in (0..).zip(&charts) {
            chart(area, table, top + step * at)?;
        }
        Ok(())
    })
}

fn chart(area: &Area<'_>, table: &Table, top: i32) -> Drawn {
    let printed = COLUMNS.map(|column| values(table, column, |cell| cell.printed.parse().ok()));
    let measured = COLUMNS.map(|column| values(table, column, |cell| Some(cell.measured? as f64)));
    let all = printed.iter().chain(&measured).flatten().flatten().copied();
    let (scale, y) = Scale::of(all, WIDE);
    let mut machines: Vec<u32> = table.cells.iter().filter_map(|cell| cell.hosts).collect();
    machines.dedup();
    let machines: Vec<String> = machines.iter().map(u32::to_string).collect();
    let axes = Axes {
        top,
        height: CHART,
        heading: &format!("Table {}: {}", table.number, table.title),
        below: "",
        x: (-0.5, machines.len() as f64 - 0.5),
        y,
        scale,
        names: &machines,
    };
    let plane = axes.draw(area)?;
    for series in 0..COLUMNS.len() {
        draw(area, &plane, series, &printed[series], &measured[series])?;
    }
    Ok(())
}

/// Values of a column by machine.
fn values(table: &Table, column: Column, value: impl Fn(&Cell) -> Option<f64>) -> Vec<Option<f64>> {
    let cells = table.cells.iter().filter(|cell| cell.column == column);
    cells.map(value).collect()
}

fn draw(
    area: &Area<'_>,
    plane: &Plane,
    series: usize,
    printed: &[Option<f64>],
    measured: &[Option<f64>],
) -> Drawn {
    let places = |values: &[Option<f64>]| {
        let values = values.iter().enumerate();
        let place = |(at, value): (usize, &Option<f64>)| Some(plane.place(at as f64, (*value)?));
        values.filter_map(place).collect::<Vec<_>>()
    };
    line(area, places(printed), colour(series), UNIT)?;
    for at in places(printed) {
        marker(area, series, at, MARKER, Fill::Full)?;
    }
    for at in places(measured) {
        ring(area, series, at, MARKER * 2)?;
    }
    Ok(())
}
