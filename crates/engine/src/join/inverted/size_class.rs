//! Sizes of sets in classes, four for each power of two.
//!
//! Sets are ordered by class and not by size, because within a class another order is worth more: sets
//! that share much are adjacent (see [`crate::join::inverted::distinct`]), and a probe finds the lists it needs
//! in the cache, where the one before left them.

/// Returns the smallest size of the class of a size; it is at least four fifths of the size.
pub fn floor(size: u32) -> u32 {
    match size.checked_ilog2() {
        Some(power) if power > 2 => size >> (power - 2) << (power - 2),
        _ => size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn floors_are_near_and_rise(size in any::<u32>(), other in any::<u32>()) {
            prop_assert!(floor(size) <= size);
            prop_assert!(u64::from(floor(size)) * 5 >= u64::from(size) * 4);
            prop_assert_eq!(floor(floor(size)), floor(size));
            prop_assert!(size > other || floor(size) <= floor(other));
        }
    }
}
