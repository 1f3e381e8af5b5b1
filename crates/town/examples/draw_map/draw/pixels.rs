//! A canvas of coloured pixels and the few ways to mark it.

/// Red, green, blue; or nothing.
pub(crate) type Colour = Option<[u8; 3]>;

/// A picture in memory.
pub(crate) struct Canvas {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pixels: Vec<Colour>,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            pixels: vec![None; width * height],
        }
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> Colour {
        self.pixels[y * self.width + x]
    }

    pub(crate) fn dot(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        if x < self.width && y < self.height {
            self.pixels[y * self.width + x] = Some(colour);
        }
    }

    /// A filled box.
    pub(crate) fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: [u8; 3]) {
        for row in y..y + height {
            for column in x..x + width {
                self.dot(column, row, colour);
            }
        }
    }

    /// A filled disc in a box of that size.
    pub(crate) fn disc(&mut self, x: usize, y: usize, width: usize, height: usize, colour: [u8; 3]) {
        // Twice the distance from the middle, so that everything stays whole numbers.
        let inside = |at: usize, size: usize| (2 * at + 1).abs_diff(size).pow(2);
        for row in 0..height {
            for column in 0..width {
                let (w, h) = (width.pow(2), height.pow(2));
                if inside(column, width) * h + inside(row, height) * w <= w * h {
                    self.dot(x + column, y + row, colour);
                }
            }
        }
    }

    /// Lays another canvas on this one; where that has no colour, this shows.
    pub(crate) fn lay(&mut self, other: &Canvas, x: usize, y: usize) {
        for row in 0..other.height {
            for column in 0..other.width {
                if let Some(colour) = other.at(column, row) {
                    self.dot(x + column, y + row, colour);
                }
            }
        }
    }

    /// As a PNG with a palette; the colour 0 is transparent.
    pub(crate) fn png(&self) -> Vec<u8> {
        let mut palette: Vec<[u8; 3]> = self.pixels.iter().flatten().copied().collect();
        palette.sort_unstable();
        palette.dedup();
        palette.insert(0, [0, 0, 0]);
        assert!(
            palette.len() <= 256,
            "the paints use {} colours, a palette holds 256",
            palette.len()
        );
        let index = |colour: &Colour| match colour {
            None => 0,
            Some(colour) => {
                1 + palette[1..]
                    .binary_search(colour)
                    .expect("it is from these pixels") as u8
            }
        };
        let indices: Vec<u8> = self.pixels.iter().map(index).collect();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(palette.concat());
        encoder.set_trns(vec![0]);
        encoder.set_compression(png::Compression::High);
        let written = encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&indices));
        written.expect("writing to memory cannot fail");
        bytes
    }
}

/// A number that looks random and depends only on its arguments.
pub(crate) fn noise(x: usize, y: usize, salt: usize) -> usize {
    let mut n = (x as u64) << 40 ^ (y as u64) << 20 ^ salt as u64;
    // The finisher of SplitMix64.
    n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (n ^ (n >> 31)) as usize
}
