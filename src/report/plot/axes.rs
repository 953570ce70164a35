//! A chart's axes: heading, ticks, grid, and where a value lies on the sheet.

use plotters::coord::Shift;
use plotters::coord::combinators::IntoLogRange;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

use super::canvas::{
    Anchor, Area, Drawn, FAINT, GREY, LINE, MARGIN, PixelPosition, TEXT, UNIT, font, write,
};

/// Room for the labels of the vertical axis.
const LABELS: i32 = 64 * UNIT;

/// A chart to be drawn: where, what its axes say and reach.
#[derive(Debug, Clone)]
pub struct Axes<'a> {
    /// Upper end and height on the sheet, units, with heading and labels.
    pub top: i32,
    pub height: i32,
    /// What the vertical axis shows, written above it.
    pub heading: &'a str,
    /// What the horizontal axis shows; empty where the ticks say it.
    pub below: &'a str,
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub scale: Scale,
    /// Names for whole numbers 0, 1, … of the horizontal axis; numbers where there are none.
    pub names: &'a [String],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    Logarithmic,
}

impl Scale {
    /// The scale of positive values, and what its axis reaches: logarithmic where the greatest is more than `wide` times
    /// the least.
    pub fn of(values: impl Iterator<Item = f64>, wide: f64) -> (Self, (f64, f64)) {
        let (least, most) = values.fold((f64::INFINITY, 1.0_f64), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        match most > wide * least {
            true => {
                let floor = 10_f64.powf(least.log10().floor());
                (Self::Logarithmic, (floor, 2.0 * most))
            }
            false => (Self::Linear, (0.0, 1.12 * most)),
        }
    }
}

/// Places of a drawn chart.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    x: (f64, f64),
    y: (f64, f64),
    scale: Scale,
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl Plane {
    /// Where values lie, units.
    pub fn place(&self, x: f64, y: f64) -> PixelPosition {
        let share = |value: f64, (low, high): (f64, f64)| (value - low) / (high - low);
        let along = match self.scale {
            Scale::Linear => share(y, self.y),
            Scale::Logarithmic => share(y.ln(), (self.y.0.ln(), self.y.1.ln())),
        };
        let across = share(x, self.x) * f64::from(self.right - self.left);
        let up = along * f64::from(self.bottom - self.top);
        (
            self.left + across.round() as i32,
            self.bottom - up.round() as i32,
        )
    }
}

impl Axes<'_> {
    /// Draws them over the whole width of the sheet.
    pub fn draw(&self, sheet: &Area<'_>) -> Result<Plane, DrawingAreaErrorKind<std::io::Error>> {
        let width = sheet.dim_in_pixel().0 as i32;
        let at = (MARGIN, self.top + LINE / 2);
        write(sheet, self.heading, at, TEXT, Anchor::Left)?;
        let labels_below = match self.below.is_empty() {
            true => LINE,
            false => 2 * LINE,
        };
        let plane = Plane {
            x: self.x,
            y: self.y,
            scale: self.scale,
            left: MARGIN + LABELS,
            right: width - MARGIN,
            top: self.top + LINE + LINE / 2,
            bottom: self.top + self.height - labels_below,
        };
        let (width, height) = (plane.right - MARGIN, plane.bottom - plane.top);
        let corner = (MARGIN, plane.top);
        let part = sheet.clone().shrink(corner, (width, height + labels_below));
        match self.scale {
            Scale::Linear => self.mesh(&part, labels_below, self.y.0..self.y.1)?,
            Scale::Logarithmic => {
                let range = (self.y.0..self.y.1).log_scale();
                self.mesh(&part, labels_below, range)?;
            }
        }
        Ok(plane)
    }

    fn mesh<Y>(&self, part: &DrawingArea<SVGBackend<'_>, Shift>, below: i32, y: Y) -> Drawn
    where
        Y: AsRangedCoord<Value = f64>,
        Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let mut chart = ChartBuilder::on(part)
            .set_label_area_size(LabelAreaPosition::Left, LABELS)
            .set_label_area_size(LabelAreaPosition::Bottom, below)
            .build_cartesian_2d(self.x.0..self.x.1, y)?;
        let name = |x: &f64| self.tick(*x);
        let mut mesh = chart.configure_mesh();
        if !self.names.is_empty() {
            // None between whole numbers.
            let wholes = self.x.1.floor() - self.x.0.ceil();
            mesh.disable_x_mesh().x_labels(wholes as usize + 1);
        }
        mesh.light_line_style(TRANSPARENT)
            .bold_line_style(FAINT.stroke_width(UNIT as u32))
            .axis_style(GREY.stroke_width(UNIT as u32))
            .label_style(font(TEXT, Anchor::Middle))
            .axis_desc_style(font(TEXT, Anchor::Middle))
            .x_desc(self.below)
            .x_label_formatter(&name)
            .y_label_formatter(&|y| number(*y))
            .draw()
    }

    /// Label of a tick of the horizontal axis.
    fn tick(&self, x: f64) -> String {
        if self.names.is_empty() {
            return number(x);
        }
        let is_whole = (x - x.round()).abs() < 1e-9;
        let name = self.names.get(x.round() as usize);
        name.filter(|_| is_whole && x > -0.5)
            .cloned()
            .unwrap_or_default()
    }
}

/// A number without superfluous digits.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}
