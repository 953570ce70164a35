//! The sheet that every picture is drawn on: size, fonts, colours, markers, legend.
//!
//! Sizes are in units of half a CSS pixel, because the library places things at whole units. Colours
//! are those of Okabe and Ito, which people with any colour vision tell apart; markers and line breaks
//! repeat what colours say.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Drawing units of a CSS pixel.
pub const UNIT: i32 = 2;
/// Size of text.
pub const TEXT: i32 = 15 * UNIT;
/// Size of headings.
pub const HEADING: i32 = 18 * UNIT;
/// Blank border of a sheet.
pub const MARGIN: i32 = 16 * UNIT;
/// From one line of text to the next.
pub const LINE: i32 = 22 * UNIT;

pub const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
pub const FAINT: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
pub const GREY: RGBColor = RGBColor(0x66, 0x66, 0x66);

/// Colours of series, in order.
const PALETTE: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x22, 0x22, 0x22),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0xe6, 0x9f, 0x00),
];

/// What is drawn on: a part of the sheet, places in units from the sheet's upper left corner.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Drawing into memory does not fail; the library's signature says that it may.
pub type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;
/// Units to the right and down.
pub type PixelPosition = (i32, i32);

/// Colour of a series.
pub fn colour(series: usize) -> RGBColor {
    PALETTE[series % PALETTE.len()]
}

/// Where a text stands relative to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Left,
    Middle,
    Right,
}

/// A style for text of a size.
pub fn font(size: i32, anchor: Anchor) -> TextStyle<'static> {
    let horizontal = match anchor {
        Anchor::Left => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::Right => HPos::Right,
    };
    // The library divides by 1.24 what it writes into the picture.
    let style = TextStyle::from(("sans-serif", f64::from(size) * 1.24).into_font());
    style.color(&INK).pos(Pos::new(horizontal, VPos::Center))
}

/// Width that a text takes at most in usual fonts, units.
pub fn text_width(text: &str, size: i32) -> i32 {
    text.chars().count() as i32 * size * 62 / 100
}

/// A picture as an SVG document: `paint` draws it, `title` is its heading and what is read aloud.
pub fn sheet(
    title: &str,
    (width, height): PixelPosition,
    paint: impl FnOnce(&Area<'_>) -> Drawn,
) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area();
    let draw = || {
        area.fill(&WHITE)?;
        let at = (MARGIN, MARGIN + LINE / 2);
        write(&area, title, at, HEADING, Anchor::Left)?;
        paint(&area)?;
        area.present()
    };
    draw().expect("drawing into memory does not fail");
    drop(area);
    with_size_and_title(&svg, title, (width / UNIT, height / UNIT))
}

/// First free height below a sheet's title.
pub const BELOW_TITLE: i32 = MARGIN + LINE + LINE / 2;

/// Replaces the opening tag, which gives the size in units: in CSS pixels, with a title.
fn with_size_and_title(svg: &str, title: &str, (width, height): PixelPosition) -> String {
    let end = svg.find(">\n").expect("the opening tag ends");
    let mut label = String::new();
    for letter in title.chars() {
        match letter {
            '<' => label += "&lt;",
            '>' => label += "&gt;",
            '&' => label += "&amp;",
            '"' => label += "&quot;",
            _ => label.push(letter),
        }
    }
    let opening = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{label}\"",
        width * UNIT,
        height * UNIT
    );
    opening + &svg[end..]
}

/// Writes a line of text; its place is its middle height.
pub fn write(area: &Area<'_>, text: &str, at: PixelPosition, size: i32, anchor: Anchor) -> Drawn {
    area.draw(&Text::new(text.to_owned(), at, font(size, anchor)))
}

/// A line through places.
pub fn line(area: &Area<'_>, places: Vec<PixelPosition>, colour: RGBColor, width: i32) -> Drawn {
    area.draw(&PathElement::new(places, colour.stroke_width(width as u32)))
}

/// How a marker is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    Full,
    Hollow,
}

/// The marker of a series: its own shape in its own colour.
pub fn marker(area: &Area<'_>, series: usize, at: PixelPosition, radius: i32, fill: Fill) -> Drawn {
    let ends = |directions: &[(f64, f64)]| -> Vec<PixelPosition> {
        let place = |(x, y): &(f64, f64)| {
            let away = |part: f64| (part * f64::from(radius)).round() as i32;
            (at.0 + away(*x), at.1 + away(*y))
        };
        directions.iter().map(place).collect()
    };
    let mut outline = match series % 4 {
        0 => {
            let filled = match fill {
                Fill::Full => colour(series).filled(),
                Fill::Hollow => WHITE.filled(),
            };
            area.draw(&Circle::new(at, radius, filled))?;
            let edge = colour(series).stroke_width(2 * UNIT as u32);
            return area.draw(&Circle::new(at, radius, edge));
        }
        1 => ends(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => ends(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
        _ => ends(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
    };
    let inside = match fill {
        Fill::Full => colour(series),
        Fill::Hollow => WHITE,
    };
    area.draw(&Polygon::new(outline.clone(), inside.filled()))?;
    outline.push(outline[0]);
    outline.push(outline[1]);
    line(area, outline, colour(series), 2 * UNIT)
}

/// A ring in the colour of a series, around its marker where both stand at one place.
pub fn ring(area: &Area<'_>, series: usize, at: PixelPosition, radius: i32) -> Drawn {
    let edge = colour(series).stroke_width(UNIT as u32);
    area.draw(&Circle::new(at, radius, edge))
}

/// Heights of a legend's lines from `top` on, as many as the names need; returns each name's place.
pub fn legend_places(names: &[String], width: i32, top: i32) -> (Vec<PixelPosition>, i32) {
    let mut places = Vec::new();
    let mut at = (MARGIN, top + LINE / 2);
    for name in names {
        let needed = 2 * LINE + text_width(name, TEXT);
        if at.0 > MARGIN && at.0 + needed > width - MARGIN {
            at = (MARGIN, at.1 + LINE);
        }
        places.push(at);
        at.0 += needed;
    }
    (places, at.1 + LINE / 2)
}

/// Writes lines of text from a height downward.
pub fn notes(area: &Area<'_>, notes: &[impl AsRef<str>], top: i32) -> Drawn {
    for (at, note) in (0..).zip(notes) {
        let place = (MARGIN, top + LINE * at + LINE / 2);
        write(area, note.as_ref(), place, TEXT, Anchor::Left)?;
    }
    Ok(())
}

/// Draws a legend at the places of [`legend_places`]; `swatch` draws what stands before a name.
pub fn legend(
    area: &Area<'_>,
    names: &[String],
    places: &[PixelPosition],
    swatch: impl Fn(usize, PixelPosition) -> Drawn,
) -> Drawn {
    for (series, (name, &(x, y))) in names.iter().zip(places).enumerate() {
        swatch(series, (x + LINE / 2, y))?;
        write(area, name, (x + LINE * 5 / 4, y), TEXT, Anchor::Left)?;
    }
    Ok(())
}
