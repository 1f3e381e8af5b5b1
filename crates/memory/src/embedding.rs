//! Embeddings: the direction of a text's meaning, as 8-bit codes and, beside them, 32-bit floats.
//!
//! The codes of a vector are `round(x / m × 127)`, `m` being its largest absolute component. Only
//! direction counts here, so the scale is not kept. A vector with a component that is not finite,
//! or with nothing but zeros, has *no direction*: all its codes are 0.

/// A text's meaning as a vector. Length does not matter, direction does.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    codes: Box<[i8]>,
    /// What the codes were rounded from, for streams that keep [`VectorFormat::Float32`](crate::VectorFormat).
    floats: Option<Box<[f32]>>,
}

impl Embedding {
    /// The embedding of a vector of any length or scale.
    pub fn from_f32(vector: &[f32]) -> Self {
        if !vector.iter().all(|x| x.is_finite()) {
            return Self::from_codes(&vec![0; vector.len()]);
        }
        let largest = vector.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        let code = |x: &f32| {
            if largest > 0.0 {
                (f64::from(*x) / f64::from(largest) * 127.0).round() as i8
            } else {
                0
            }
        };
        Self {
            codes: vector.iter().map(code).collect(),
            floats: Some(vector.into()),
        }
    }

    /// The embedding made of stored or quantised codes.
    pub fn from_codes(codes: &[i8]) -> Self {
        Self {
            codes: codes.into(),
            floats: None,
        }
    }

    /// How many numbers it has.
    pub fn dimensions(&self) -> usize {
        self.codes.len()
    }

    /// The 8-bit codes.
    pub fn codes(&self) -> &[i8] {
        &self.codes
    }

    /// The vector it was made from, or its codes as floats if it was made from codes.
    pub fn floats(&self) -> impl Iterator<Item = f32> {
        let exact = self.floats.as_deref();
        (0..self.codes.len()).map(move |i| match exact {
            Some(floats) => floats[i],
            None => f32::from(self.codes[i]),
        })
    }
}

/// What turns a text into an [`Embedding`]. The stream never calls it: whoever adds memories does.
pub trait Embedder: Send + Sync {
    /// The model and a hash of its content. It is stored with the vectors, since vectors of two
    /// models must never be compared.
    fn name(&self) -> &str;

    /// How many numbers its embeddings have.
    fn dimensions(&self) -> usize;

    /// The embedding of `text`; the same text must always give the same embedding.
    fn embed(&self, text: &str) -> Embedding;
}

/// A shared embedder embeds as the one it points at.
impl<E: Embedder + ?Sized> Embedder for &E {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn dimensions(&self) -> usize {
        (**self).dimensions()
    }

    fn embed(&self, text: &str) -> Embedding {
        (**self).embed(text)
    }
}
