//! Exact dot products of 8-bit vectors: the inner loop of retrieval.
//!
//! Integers may be summed in any order without changing the sum, so the compiler is free to use
//! wide registers and every CPU still gives the same numbers. On x86-64 the loop is compiled a
//! second time for AVX2 and chosen at run time; elsewhere the plain loop is vectorised for whatever
//! the target has.

#![allow(unsafe_code)]

/// The longest vector whose dot product always fits 32 bits: 131,071 × 128² < 2³¹.
pub const MAX_DIMENSIONS: usize = 131_071;

/// The dot product of `query` with each row of `rows`, in order.
///
/// `rows` holds vectors of the length of `query` one behind the other; what is left over at the end
/// is ignored. An empty query gives no product. Vectors longer than [`MAX_DIMENSIONS`] may wrap.
pub fn dot_products(query: &[i8], rows: &[i8]) -> Vec<i32> {
    if query.is_empty() {
        return Vec::new();
    }
    let query: Vec<i16> = query.iter().copied().map(i16::from).collect();
    let mut products = vec![0; rows.len() / query.len()];
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU was just found to have AVX2, the only thing the function asks for.
        unsafe { fill_avx2(&query, rows, &mut products) };
        return products;
    }
    fill(&query, rows, &mut products);
    products
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn fill_avx2(query: &[i16], rows: &[i8], products: &mut [i32]) {
    fill(query, rows, products);
}

/// Plain loops, inlined into the caller so that they are compiled for its instruction set; iterator
/// chains that end in `collect` would not be.
#[inline(always)]
fn fill(query: &[i16], rows: &[i8], products: &mut [i32]) {
    for (product, row) in products.iter_mut().zip(rows.chunks_exact(query.len())) {
        let mut sum = 0i32;
        for (r, q) in row.iter().zip(query) {
            sum = sum.wrapping_add(i32::from(*r) * i32::from(*q));
        }
        *product = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vectors() -> impl Strategy<Value = (Vec<i8>, Vec<i8>)> {
        (0usize..70, 0usize..9).prop_flat_map(|(dimensions, count)| {
            let codes = |count| prop::collection::vec(any::<i8>(), count);
            (codes(dimensions), codes(dimensions * count))
        })
    }

    proptest! {
        /// Wide sums in the order of the text: what must come out whatever the CPU.
        #[test]
        fn every_cpu_gives_the_exact_products((query, rows) in vectors()) {
            let exact = |row: &[i8]| -> i64 {
                row.iter().zip(&query).map(|(r, q)| i64::from(*r) * i64::from(*q)).sum()
            };
            let expected: Vec<i64> = rows.chunks_exact(query.len().max(1)).map(exact).collect();
            let found: Vec<i64> = dot_products(&query, &rows).into_iter().map(i64::from).collect();
            prop_assert_eq!(&found, &expected);
            if !query.is_empty() {
                let widened: Vec<i16> = query.iter().copied().map(i16::from).collect();
                let mut plain = vec![0; expected.len()];
                fill(&widened, &rows, &mut plain);
                prop_assert_eq!(plain.into_iter().map(i64::from).collect::<Vec<_>>(), expected);
            }
        }
    }

    #[test]
    fn the_longest_vector_of_the_largest_codes_fits() {
        let longest = vec![i8::MIN; MAX_DIMENSIONS];
        assert_eq!(dot_products(&longest, &longest), [131_071 * 128 * 128]);
    }
}
