//! Choices of some blocks out of several, in lexicographic order.

/// Returns every choice of `choose` out of `of` things (1 <= choose <= of) as ascending positions, in
/// lexicographic order.
pub(crate) fn combinations(of: usize, choose: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut now: Vec<usize> = (0..choose).collect();
    loop {
        all.push(now.clone());
        let Some(at) = (0..choose).rfind(|&at| now[at] < of - choose + at) else {
            return all;
        };
        now[at] += 1;
        for next in at + 1..choose {
            now[next] = now[next - 1] + 1;
        }
    }
}

/// Returns how many such choices there are; a float, because it is for cost estimates only.
pub(crate) fn count(of: u32, choose: u32) -> f64 {
    (0..choose)
        .map(|i| f64::from(of - i) / f64::from(i + 1))
        .product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_all_choices_in_order() {
        assert_eq!(
            combinations(4, 2),
            [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
        );
        assert_eq!(combinations(3, 3), [[0, 1, 2]]);
        for (of, choose) in [(1, 1), (6, 3), (9, 1), (10, 8)] {
            let all = combinations(of, choose);
            assert!(all.is_sorted_by(|a, b| a < b));
            let expected = count(u32::try_from(of).unwrap(), u32::try_from(choose).unwrap());
            assert!((all.len() as f64 - expected).abs() < 1e-6);
        }
    }
}
