//! A picture as pixels, for what shows no SVG. Text is set in DejaVu Sans, which comes with the
//! program, so that the pixels depend on no font of the machine.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

/// Dots for each CSS pixel of the picture.
const DENSITY: f32 = 2.0;

/// A PNG file of one of this module's pictures.
pub fn png(svg: &str) -> Vec<u8> {
    let mut fonts = Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    let options = Options {
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).expect("our own pictures are valid");
    let size = tree.size();
    let dots = |length: f32| (length * DENSITY).ceil() as u32;
    let mut pixels =
        Pixmap::new(dots(size.width()), dots(size.height())).expect("pictures are not empty");
    let scale = Transform::from_scale(DENSITY, DENSITY);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels.encode_png().expect("encoding into memory does not fail")
}
