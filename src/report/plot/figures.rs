//! Figures of papers as line charts, one below the other.

use super::axes::{Axes, Scale};
use super::canvas::{
    Anchor, Area, BELOW_TITLE, Drawn, Fill, LINE, MARGIN, PixelPosition, TEXT, UNIT, colour,
    legend, legend_places, line, marker, sheet, write,
};
use crate::figure::Figure;

const WIDTH: i32 = 720 * UNIT;
const CHART: i32 = 290 * UNIT;
const MARKER: i32 = 4 * UNIT;
/// Curves with a colour of their own.
const COLOURS: usize = 7;
/// Values that span more than this are drawn on a logarithmic axis.
const WIDE: f64 = 40.0;

/// The picture; every figure has a point, and x in equal steps whatever its numbers.
pub fn figures(title: &str, figures: &[Figure]) -> String {
    let mut top = BELOW_TITLE;
    let tops = figures.iter().map(|figure| {
        let at = top;
        top += legend_places(&names(figure), WIDTH, 0).1 + CHART + 2 * LINE;
        at
    });
    let tops: Vec<i32> = tops.collect();
    sheet(title, (WIDTH, top + MARGIN), |area| {
        let drawn = figures.iter().zip(&tops);
        drawn
            .into_iter()
            .try_for_each(|(figure, top)| chart(area, figure, *top))
    })
}

fn names(figure: &Figure) -> Vec<String> {
    figure
        .curves
        .iter()
        .map(|curve| curve.name.clone())
        .collect()
}

fn chart(area: &Area<'_>, figure: &Figure, top: i32) -> Drawn {
    let places = figure.places();
    let ticks: Vec<String> = places.iter().map(f64::to_string).collect();
    let points = figure.curves.iter().flat_map(|curve| &curve.points);
    let (scale, y) = Scale::of(points.map(|(_, y)| *y), WIDE);
    let names = names(figure);
    let (legends, below) = legend_places(&names, WIDTH, top);
    let note = format!("Figure {}: {}", figure.number, figure.remark);
    write(area, &note, (MARGIN, below + LINE / 2), TEXT, Anchor::Left)?;
    legend(area, &names, &legends, |series, at| {
        marker(area, series, at, MARKER, fill(series))
    })?;
    let axes = Axes {
        top: below + LINE,
        height: CHART,
        heading: &format!("{}, {}", figure.title, figure.y),
        below: figure.x,
        x: (-0.5, places.len() as f64 - 0.5),
        y,
        scale,
        names: &ticks,
    };
    let plane = axes.draw(area)?;
    for (series, curve) in figure.curves.iter().enumerate() {
        let at = |x: f64| places.iter().position(|place| *place == x).unwrap_or(0) as f64;
        let path = curve.points.iter().map(|(x, y)| plane.place(at(*x), *y));
        let path: Vec<PixelPosition> = path.collect();
        line(area, path.clone(), colour(series), 2 * UNIT)?;
        for at in path {
            marker(area, series, at, MARKER, fill(series))?;
        }
    }
    Ok(())
}

/// Curves beyond the number of colours have hollow markers.
fn fill(series: usize) -> Fill {
    match series < COLOURS {
        true => Fill::Full,
        false => Fill::Hollow,
    }
}
