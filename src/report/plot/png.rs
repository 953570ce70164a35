//! A picture as PNG: the SVG document, rendered with a font that is part of the program, so that every
//! machine makes the same bytes.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// DejaVu Sans, the letters that pictures use (`font/LICENSE`).
const FONT: &[u8] = include_bytes!("font/DejaVuSans-subset.ttf");
const FAMILY: &str = "DejaVu Sans";
/// Pixels for each CSS pixel: text stays sharp in print and on dense screens.
const DENSITY: f32 = 2.0;

/// The PNG file of a picture of this module.
///
/// # Panics
/// When `svg` is not such a picture.
pub fn png(svg: &str) -> Vec<u8> {
    let mut fonts = Database::new();
    fonts.load_font_data(FONT.to_vec());
    fonts.set_sans_serif_family(FAMILY);
    let options = Options {
        font_family: FAMILY.to_owned(),
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).expect("a picture is well-formed");
    let size = tree.size();
    let pixels = |length: f32| (length * DENSITY).ceil() as u32;
    let mut sheet =
        Pixmap::new(pixels(size.width()), pixels(size.height())).expect("a picture is not empty");
    let scale = Transform::from_scale(DENSITY, DENSITY);
    resvg::render(&tree, scale, &mut sheet.as_mut());
    sheet
        .encode_png()
        .expect("writing into memory does not fail")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_pixels_in_the_font_of_the_program() {
        let picture = |words: &str| {
            png(&format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\">\
                 <text x=\"2\" y=\"15\" font-family=\"sans-serif\" font-size=\"15\">{words}</text></svg>"
            ))
        };
        let image = Pixmap::decode_png(&picture("POK")).expect("a PNG");
        assert_eq!((image.width(), image.height()), (80, 40));
        assert!(image.pixels().iter().any(|pixel| pixel.alpha() == 255));
        assert_ne!(picture("POK"), picture("KOP"));
        assert_eq!(picture("POK"), picture("POK"));
    }
}
