//! Where the vectors of a stream lie: row after row in one block, as the settings ask.
//!
//! Relevance starts here as a cosine. It is NaN, meaning *none*, where a vector or the query has no
//! direction; ranking knows that and puts it last.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::embedding::Embedding;
use crate::scan::dot_products;

/// How a stream keeps its vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VectorFormat {
    /// One byte a number: small, fast, and the same ranking on every CPU by construction.
    #[default]
    Int8,
    /// Four bytes a number, multiplied and summed as 64-bit floats in one written order, so the same
    /// everywhere too, but slower. For reproducing other programs to more places than 8 bits hold.
    Float32,
}

impl VectorFormat {
    /// Bytes that a stored number takes.
    pub const fn bytes_per_number(self) -> usize {
        match self {
            Self::Int8 => 1,
            Self::Float32 => 4,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Vectors {
    dimensions: usize,
    rows: Rows,
    /// 1 / length of each row; NaN where the row has no direction.
    inverse_lengths: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Rows {
    Int8(Vec<i8>),
    Float32(Vec<f32>),
}

impl Vectors {
    pub(crate) fn new(dimensions: usize, format: VectorFormat) -> Self {
        let rows = match format {
            VectorFormat::Int8 => Rows::Int8(Vec::new()),
            VectorFormat::Float32 => Rows::Float32(Vec::new()),
        };
        Self {
            dimensions,
            rows,
            inverse_lengths: Vec::new(),
        }
    }

    /// Adds a row; the caller has checked its dimensions.
    pub(crate) fn push(&mut self, embedding: &Embedding) {
        debug_assert_eq!(embedding.dimensions(), self.dimensions);
        let inverse_length = match &mut self.rows {
            Rows::Int8(rows) => {
                rows.extend_from_slice(embedding.codes());
                inverse_length_of_codes(embedding.codes())
            }
            Rows::Float32(rows) => {
                let start = rows.len();
                rows.extend(embedding.floats());
                inverse_length_of_floats(&rows[start..])
            }
        };
        self.inverse_lengths.push(inverse_length);
    }

    /// The row as it is stored: codes as they are, floats little-endian.
    pub(crate) fn bytes(&self, index: usize) -> Option<Vec<u8>> {
        let row = index * self.dimensions..(index + 1) * self.dimensions;
        (index < self.inverse_lengths.len()).then(|| match &self.rows {
            Rows::Int8(rows) => rows[row].iter().map(|code| code.cast_unsigned()).collect(),
            Rows::Float32(rows) => rows[row].iter().flat_map(|number| number.to_le_bytes()).collect(),
        })
    }

    /// The cosine of `query` with each of these rows; NaN where there is none.
    pub(crate) fn cosines(&self, query: &Embedding, rows: Range<usize>) -> Vec<f64> {
        if query.dimensions() != self.dimensions || self.dimensions == 0 {
            return vec![f64::NAN; rows.len()];
        }
        let numbers = rows.start * self.dimensions..rows.end * self.dimensions;
        let lengths = &self.inverse_lengths[rows];
        match &self.rows {
            Rows::Int8(rows) => {
                let scale = inverse_length_of_codes(query.codes());
                let dots = dot_products(query.codes(), &rows[numbers]);
                dots.iter()
                    .zip(lengths)
                    .map(|(dot, length)| f64::from(*dot) * (length * scale))
                    .collect()
            }
            Rows::Float32(rows) => {
                let query: Vec<f32> = query.floats().collect();
                let scale = inverse_length_of_floats(&query);
                let dots = rows[numbers]
                    .chunks_exact(self.dimensions)
                    .map(|row| dot(row, &query));
                dots.zip(lengths)
                    .map(|(dot, length)| dot * (length * scale))
                    .collect()
            }
        }
    }
}

/// What [`Vectors::bytes`] wrote, read back. The length must be a whole number of numbers.
pub(crate) fn embedding_from_bytes(format: VectorFormat, bytes: &[u8]) -> Embedding {
    match format {
        VectorFormat::Int8 => {
            Embedding::from_codes(&bytes.iter().map(|byte| byte.cast_signed()).collect::<Vec<_>>())
        }
        VectorFormat::Float32 => {
            let (numbers, _) = bytes.as_chunks::<4>();
            Embedding::from_f32(
                &numbers
                    .iter()
                    .copied()
                    .map(f32::from_le_bytes)
                    .collect::<Vec<_>>(),
            )
        }
    }
}

fn inverse_length_of_codes(codes: &[i8]) -> f64 {
    inverse_length(
        codes
            .iter()
            .map(|code| i64::from(*code) * i64::from(*code))
            .sum::<i64>() as f64,
    )
}

fn inverse_length_of_floats(floats: &[f32]) -> f64 {
    inverse_length(dot(floats, floats))
}

fn inverse_length(square: f64) -> f64 {
    if square > 0.0 {
        1.0 / square.sqrt()
    } else {
        f64::NAN
    }
}

/// Always in the same order: eight interleaved sums, then those from the first to the last.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut sums = [0.0f64; 8];
    let (a_blocks, a_rest) = a.as_chunks::<8>();
    let (b_blocks, b_rest) = b.as_chunks::<8>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..8 {
            sums[lane] += f64::from(a[lane]) * f64::from(b[lane]);
        }
    }
    let rest: f64 = a_rest
        .iter()
        .zip(b_rest)
        .map(|(a, b)| f64::from(*a) * f64::from(*b))
        .sum();
    sums.iter().sum::<f64>() + rest
}
